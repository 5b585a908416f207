"""One or two inputs varied: the metrics over many mornings at each point.

Imports derived, designs, errors, fields, numbers, parallel, replicate, scenario, sized and texts.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner import VERSION, designs, fields, numbers, parallel, replicate, sized
from planner.derived import derive
from planner.designs import Design
from planner.errors import PlannerError
from planner.fields import Value
from planner.scenario import Scenario
from planner.sized import LETTER, Sized
from planner.texts import Message

MOST_POINTS = 2_000

Setting = tuple[str, Value]


@dataclass(frozen=True, slots=True)
class Axis:
    """A varied field and its values."""

    name: str
    values: tuple[Value, ...]


def parse_axis(text: str) -> Axis:
    """The axis that ``FIELD=START:STOP:STEP`` (both ends included) or ``FIELD=v1,v2,...`` spells; else PlannerError."""
    name, equals, rest = text.partition("=")
    if not equals:
        raise _refuse("axis", text)
    if name.strip() == LETTER:
        return Axis(LETTER, tuple(int(design.arguments[0]) for design in _sizes(rest, text)))
    field = fields.find(name.strip())
    if ":" not in rest or field.kind in ("profile", "sizes"):
        values = tuple(field.parse(part) for part in rest.split(","))
    else:
        values = tuple(field.check(numbers.tidy(value)) for value in _range(rest, text))
    if len(set(values)) < len(values):
        raise _refuse("twice", text)
    return Axis(field.name, values)


def _sizes(rest: str, text: str) -> list[Design]:
    """The sizes that a list or a range spells, as designs: checked by the grammar."""
    listed = [f"{value:.12g}" for value in _range(rest, text)] if ":" in rest else rest.split(",")
    return [designs.parse(f"shared:{value.strip()}") for value in listed]


def _range(rest: str, text: str) -> list[float]:
    parts = [numbers.parse(part) for part in rest.split(":")]
    if len(parts) != 3 or None in parts:
        raise _refuse("axis", text)
    start, stop, step = (float(part) for part in parts if part is not None)
    if step <= 0 or stop < start or (stop - start) / step > MOST_POINTS:
        raise _refuse("range", text)
    # Multiples of the step, rounded to what its decimals mean: 0.1 x 3 is 0.3 and not 0.30000000000000004.
    count = int((stop - start) / step + 1e-9) + 1
    return [float(f"{start + step * n:.12g}") for n in range(count)]


def _refuse(why: str, text: str) -> PlannerError:
    problem = Message.of(f"sweep.errors.{why}", value=numbers.quote(text), most=MOST_POINTS)
    return PlannerError("--vary", problem, Message.of("sweep.errors.allowed_axis"))


def points(axes: Sequence[Axis]) -> list[tuple[Setting, ...]]:
    """Every combination of the axes' values, the last axis fastest; PlannerError if they are too many or repeat."""
    if len({axis.name for axis in axes}) < len(axes):
        raise _refuse("same_field", axes[0].name)
    combinations = list(itertools.product(*([(axis.name, value) for value in axis.values] for axis in axes)))
    if len(combinations) > MOST_POINTS:
        raise _refuse("points", str(len(combinations)))
    return combinations


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a sweep: the settings, and each morning's rows, one a design."""

    settings: tuple[Setting, ...]
    mornings: tuple[tuple[replicate.Row, ...], ...]


Subject = Design | Sized
"""A design, or one with N that an axis of that name varies."""


def parse_designs(texts: Sequence[str], axes: Sequence[Axis]) -> tuple[Subject, ...]:
    """The designs of a sweep; PlannerError for one with N where N is not varied."""
    varied = any(axis.name == LETTER for axis in axes)
    return tuple(
        sized.parse(text) if varied and LETTER in text.partition("@")[0].split(":") else designs.parse(text)
        for text in texts
    )


def _seen(scenario: Scenario, subjects: Sequence[Subject], settings: Sequence[Setting]) -> Scenario:
    """The scenario of one point."""
    values = dict(settings)
    size = values.pop(LETTER, 1)
    found = tuple(one.at(int(size)) if isinstance(one, Sized) else one for one in subjects)
    return replace(scenario.with_values(values), designs=found)


def run(
    scenario: Scenario,
    subjects: Sequence[Subject],
    axes: Sequence[Axis],
    seeds: int,
    place: parallel.Place = parallel.HERE,
    told: parallel.Told | None = None,
) -> list[Point]:
    """The designs at every point on the first `seeds` mornings; all points have the same seeds."""
    combinations = points(axes)
    seen = [_seen(scenario, subjects, settings) for settings in combinations]
    for one in seen:
        for design in one.designs:
            derive(one.for_design(design))
    tasks = [replicate.RowTask(one, one.designs, morning) for one in seen for morning in range(seeds)]
    rows = parallel.grouped(parallel.run(replicate.rows, tasks, place, told), seeds)
    return [Point(settings, tuple(mornings)) for settings, mornings in zip(combinations, rows, strict=True)]


def document(
    subjects: Sequence[Subject], axes: Sequence[Axis], found: Sequence[Point], seeds: int, confidence: float
) -> dict[str, Any]:
    """The sweep as ``sweep --format json`` prints it: metrics and paired differences at each point."""
    return {
        "version": VERSION,
        "vary": [{"field": axis.name, "values": list(axis.values)} for axis in axes],
        "seeds": seeds,
        "confidence": confidence,
        "designs": [str(design) for design in subjects],
        "points": [
            {
                "values": dict(point.settings),
                "designs": _rows(subjects, point, confidence),
                "differences": _differences(subjects, point, confidence),
            }
            for point in found
        ],
    }


def _rows(subjects: Sequence[Subject], point: Point, confidence: float) -> list[dict[str, Any]]:
    known = replicate.summaries(point.mornings, confidence)
    return [
        {
            "design": str(design),
            "metrics": {name: summary.document() if summary else None for name, summary in metrics.items()},
            "first_seed": point.mornings[0][number],
        }
        for number, (design, metrics) in enumerate(zip(subjects, known, strict=True))
    ]


COMPARED = ("delayed_share", "wait_p99_ms", "report_mean_s")


def _differences(subjects: Sequence[Subject], point: Point, confidence: float) -> list[dict[str, Any]]:
    """Each design against the first, on the same mornings."""
    found = []
    for number in range(1, len(subjects)):
        for name in COMPARED:
            one, other = ([rows[which][name] for rows in point.mornings] for which in (number, 0))
            gap = replicate.difference(one, other, confidence)
            if gap:
                found.append(
                    {
                        "design": str(subjects[number]),
                        "against": str(subjects[0]),
                        "metric": name,
                        "mean": gap.mean,
                        "interval": list(gap.interval),
                        "says": gap.says,
                    }
                )
    return found
