"""Where a target stops being met: the break-even value of one input, and what a number of slots carries.

Imports designs, errors, fields, formats, intervals, morning, numbers, parallel, replicate, scenario, target and texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner import fields, numbers, parallel, replicate
from planner.designs import Design
from planner.errors import PlannerError
from planner.fields import Value
from planner.formats import figure, percent
from planner.intervals import quantile_interval
from planner.morning import Morning
from planner.scenario import Scenario
from planner.target import Target
from planner.texts import Message

HALVINGS = 10
"""Steps of a break-even search: it tells 1024 values of its range apart."""


@dataclass(frozen=True, slots=True)
class EdgeTask:
    """The search of one morning for the largest value of a field at which a design still meets a target."""

    scenario: Scenario
    design: Design
    field: str
    low: float
    high: float
    target: Target
    morning: int


def edge(task: EdgeTask) -> int:
    """The number of the last good value of `ladder`, by bisection; -1 if even the first is not good.

    More demand only adds jobs to the same draws, so where a field means demand (report_share, peak_reads_per_s) a
    FIFO that fails at a value fails at all larger ones; for other fields that is assumed.
    """
    values = ladder(task.field, task.low, task.high)
    good, fails = -1, len(values)
    while fails - good > 1:
        middle = (good + fails) // 2
        seen = replicate.of_morning(task.scenario.with_values({task.field: values[middle]}), task.morning)
        if Morning(seen).meets(task.design, task.target):
            good = middle
        else:
            fails = middle
    return good


EASING = ("window_minutes", "replicas", "delay_threshold_ms")
"""Fields of which more makes a target easier: there the smallest good value is searched."""


def ladder(name: str, low: float, high: float) -> list[Value]:
    """The values that a break-even search tells apart, from the easy end on; whole ones where the field is whole."""
    field, steps = fields.find(name), 1 << HALVINGS
    values = (low + (high - low) * step / steps for step in range(steps + 1))
    if field.kind == "number":
        rungs = [field.check(numbers.tidy(value)) for value in values]
    else:
        rungs = [field.check(value) for value in sorted({numbers.half_up(value) for value in values})]
    return rungs[::-1] if name in EASING else rungs


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Up to which value of a field a design meets the target on a share of mornings.

    `value` is the estimate and `interval` its confidence interval, None where it lies beyond the searched range;
    `sure` is the largest value that is known to be good: the interval's lower end.
    """

    design: Design
    value: Value | None
    interval: tuple[Value | None, Value | None]

    @property
    def sure(self) -> Value | None:
        """The lower end of the interval."""
        return self.interval[0]


def break_even(
    scenario: Scenario,
    name: str,
    low: float,
    high: float,
    target: Target,
    seeds: int,
    share: float,
    confidence: float,
    place: parallel.Place = parallel.HERE,
    told: parallel.Told | None = None,
) -> list[BreakEven]:
    """For each design the last value of the field `name`, from its easy end on, at which `share` of mornings are good.

    Each morning has its own largest good value; that of a share s of mornings is their 1 - s quantile, and the order
    statistics around it are its interval.
    """
    values = ladder(name, low, high)
    tasks = [
        EdgeTask(scenario, design, name, low, high, target, morning)
        for design in scenario.designs
        for morning in range(seeds)
    ]
    edges = parallel.grouped(parallel.run(edge, tasks, place, told), seeds)
    found = []
    for design, mornings in zip(scenario.designs, edges, strict=True):
        ordered = sorted(mornings)
        place_of = ordered[int((1 - share) * len(ordered))]
        below, above = quantile_interval(ordered, 1 - share, confidence)
        found.append(BreakEven(design, _value(values, place_of), (_value(values, below), _value(values, above))))
    return found


def _value(values: Sequence[Value], place: float | None) -> Value | None:
    """The value at a place; None below the range, and for a bound that there are too few mornings to give."""
    return None if place is None or place < 0 else values[int(place)]


def break_even_document(found: Sequence[BreakEven], name: str, limit: Value) -> Mapping[str, Any]:
    """The break-even values, JSON-ready; `at_limit` marks those that the searched range cut off."""
    return {
        "field": name,
        "good": "from" if name in EASING else "up to",
        "designs": [
            {
                "design": str(one.design),
                "value": one.value,
                "interval": list(one.interval),
                "at_limit": one.value == limit,
            }
            for one in found
        ],
    }


def parse_range(text: str) -> tuple[str, float, float]:
    """The field and the range that ``FIELD=LOW:HIGH`` spells; PlannerError if it spells none."""
    name, _, rest = text.partition("=")
    field = fields.find(name.strip())
    ends = [numbers.parse(part) for part in rest.split(":")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] >= ends[1] or field.kind in ("profile", "sizes"):
        problem = Message.of("sweep.errors.ends", value=numbers.quote(text))
        raise PlannerError("--break-even", problem, Message.of("sweep.errors.allowed_ends"))
    low, high = (field.check(end) for end in ends)
    return field.name, float(low), float(high)


def sentence(found: BreakEven, name: str, rungs: Sequence[Value], goal: Message, share: float) -> Message:
    """The break-even value in words; `rungs` is the searched ladder."""
    if found.value is None:
        key = "never"
    elif found.value == rungs[-1] and found.interval[0] == rungs[-1]:
        key = "always"
    else:
        key = "from" if name in EASING else "up_to"
    low, high = (_shown(bound) for bound in found.interval)
    return Message.of(
        f"sweep.edge.{key}",
        design=str(found.design),
        field=name,
        value=_shown(found.value),
        low=low,
        high=high,
        first=_shown(rungs[0]),
        last=_shown(rungs[-1]),
        share=percent(share, 1),
        target=goal,
    )


def _shown(value: Value | None) -> Message:
    return Message.of("sweep.open") if value is None else figure(float(value))
