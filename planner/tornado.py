"""Which input matters most: each one lowered and raised alone, the effect on one metric, on the same mornings.

Imports derived, designs, errors, fields, intervals, numbers, parallel, replicate and scenario.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner import VERSION, fields, numbers, parallel, replicate
from planner.derived import derive
from planner.designs import Design
from planner.errors import PlannerError
from planner.fields import Value
from planner.intervals import Summary, summarise
from planner.replicate import Difference, difference
from planner.scenario import Scenario

INPUTS = (
    "window_minutes",
    "report_share",
    "shipments_per_day",
    "sellers",
    "billing_period_days",
    "record_ms",
    "peak_reads_per_s",
)
"""The two assumptions and what the sizing course brought."""


@dataclass(frozen=True, slots=True)
class End:
    """One input at one of its two values: the metric there, and by how much it differs from the unchanged plan."""

    value: Value
    summary: Summary | None
    change: Difference | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One input of the tornado."""

    field: str
    low: End
    high: End

    @property
    def swing(self) -> float:
        """How far apart the means at both ends are."""
        if self.low.summary is None or self.high.summary is None:
            return 0.0
        return abs(self.high.summary.mean - self.low.summary.mean)


def run(
    scenario: Scenario,
    design: Design,
    metric: str,
    change: float,
    seeds: int,
    confidence: float,
    place: parallel.Place = parallel.HERE,
    told: parallel.Told | None = None,
) -> tuple[Summary | None, list[Bar]]:
    """The metric of `design` unchanged, and a bar an input, the widest first.

    Each of `INPUTS` is multiplied by 1 - `change` and 1 + `change`, kept within its bounds; the rest stays.
    """
    ends = {name: [_moved(scenario, name, factor) for factor in (1 - change, 1 + change)] for name in INPUTS}
    variants = [scenario, *(one for pair in ends.values() for one in pair)]
    for one in variants:
        derive(one.for_design(design))
    tasks = [replicate.RowTask(one, (design,), morning) for one in variants for morning in range(seeds)]
    rows = parallel.run(replicate.rows, tasks, place, told)
    columns = parallel.grouped([row[0][metric] for row in rows], seeds)

    def end(number: int, name: str) -> End:
        column = columns[number]
        value = variants[number].value(name)
        return End(value, summarise(column, confidence), difference(column, columns[0], confidence))

    bars = [Bar(name, end(2 * n + 1, name), end(2 * n + 2, name)) for n, name in enumerate(INPUTS)]
    return summarise(columns[0], confidence), sorted(bars, key=lambda bar: -bar.swing)


def _moved(scenario: Scenario, name: str, factor: float) -> Scenario:
    """`scenario` with one field multiplied; at its bound where the product is beyond it."""
    field = fields.find(name)
    product = min(field.high, float(scenario.value(name)) * factor)
    value = numbers.tidy(float(f"{product:.12g}")) if field.kind == "number" else max(1, numbers.half_up(product))
    try:
        return scenario.with_values({name: value})
    except PlannerError:
        return scenario


def document(
    design: Design, metric: str, change: float, base: Summary | None, bars: Sequence[Bar], seeds: int, confidence: float
) -> Mapping[str, Any]:
    """The tornado, JSON-ready."""
    return {
        "version": VERSION,
        "design": str(design),
        "metric": metric,
        "change": change,
        "seeds": seeds,
        "confidence": confidence,
        "base": base.document() if base else None,
        "bars": [
            {"field": bar.field, "swing": bar.swing, "low": _end(bar.low), "high": _end(bar.high)} for bar in bars
        ],
    }


def _end(end: End) -> Mapping[str, Any]:
    change = end.change
    return {
        "value": end.value,
        "metric": end.summary.document() if end.summary else None,
        "change": None
        if change is None
        else {"mean": change.mean, "interval": list(change.interval), "says": change.says},
    }
