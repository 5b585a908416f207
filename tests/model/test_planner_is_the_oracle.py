"""The planner's rows, asked for as a user asks, against the plain model and arithmetic written from the rules alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import plan
from planner.model import Simulator
from planner.scenario import Scenario
from tests.model import oracle

SLOTS = st.integers(1, 6)
QUANTA = st.sampled_from(["0.1", "1.2", "3", "10", "25", "5000"])
DESIGNS = {
    "shared": st.builds("shared:{}".format, SLOTS),
    "separate": st.builds("separate:{}:{}".format, SLOTS, SLOTS),
    "priority": st.builds("priority:{}".format, SLOTS),
    "reserved": st.builds("reserved:{}:{}".format, SLOTS, st.integers(1, 7)),
    "chunked": st.builds("chunked:{}:{}".format, SLOTS, st.sampled_from([1, 2, 7, 50, 10_000])),
    "preemptive": st.builds("preemptive:{}:{}".format, SLOTS, QUANTA),
    "preemptive, at a cost": st.builds(
        "preemptive:{}:{}:{}".format, SLOTS, QUANTA, st.sampled_from(["0.5", "1.2", "9"])
    ),
    "push rr": st.builds("push:{}:rr".format, SLOTS),
    "push random": st.builds("push:{}:random".format, SLOTS),
    "push jsq": st.builds("push:{}:jsq".format, SLOTS),
    "stealing": st.builds("stealing:{}".format, SLOTS),
    "gpm": st.builds("gpm:{}:{}".format, SLOTS, QUANTA),
}


@dataclass(frozen=True)
class Asked:
    """One replica's window: records in it, expected arrivals, sizes in records."""

    window_records: int
    record_ms: float
    reads_per_record: float
    reports: int
    tracking_records: int
    report_records: int
    replicas: int
    seed: int
    threshold_ms: float
    drain: bool

    def values(self) -> dict[str, object]:
        """The inputs of the planner that say this."""
        sellers = max(1, self.reports * self.replicas)
        return {
            "sellers": sellers,
            "report_share": 1.0 if self.reports else 0.0,
            "shipments_per_day": sellers * self.report_records,
            "billing_period_days": 1,
            "record_ms": self.record_ms,
            "peak_reads_per_s": self.reads_per_record * self.replicas / self.record_ms * 1000,
            "replicas": self.replicas,
            "window_minutes": self.window_records * self.record_ms / 60000,
            "tracking_records": self.tracking_records,
            "delay_threshold_ms": self.threshold_ms,
            "seed": self.seed,
            "drain": int(self.drain),
        }


@st.composite
def asked(draw: st.DrawFn) -> Asked:
    """From nothing to do to many times too much; rates that need a finer tick; arrivals of one kind or of none."""
    window = draw(st.integers(1, 600))
    return Asked(
        window_records=window,
        record_ms=draw(st.sampled_from([1.2, 0.7, 4.0])),
        reads_per_record=draw(st.sampled_from([0, 0.01, 0.125, 0.3, 0.5, 0.9])),
        reports=min(window, draw(st.sampled_from([0, 1, 5, 20, 100]))),
        tracking_records=draw(st.sampled_from([1, 1, 1, 2, 5])),
        report_records=draw(st.sampled_from([1, 7, 40, 300])),
        replicas=draw(st.integers(1, 3)),
        seed=draw(st.integers(0, 2**32 - 1)),
        threshold_ms=draw(st.sampled_from([0, 0.61, 13, 99.99])),
        drain=draw(st.booleans()),
    )


def told(design: str, asked: Asked) -> dict[str, Any]:
    """The row that the rules give."""
    values: dict[str, Any] = asked.values()
    plain = (values["peak_reads_per_s"] / asked.replicas) * (asked.record_ms / 1000)
    resolution = 1 if plain <= 0.5 else next(r for r in range(2, 100) if plain / r <= 0.125)
    window_ticks = oracle.half_up(values["window_minutes"] * 60000 / asked.record_ms) * resolution
    outcome = oracle.simulate(
        design=design,
        window_ticks=window_ticks,
        tracking_probability=plain / resolution,
        report_probability=values["sellers"] * values["report_share"] / asked.replicas / window_ticks,
        tracking_ticks=asked.tracking_records * resolution,
        report_ticks=asked.report_records * resolution,
        seed=asked.seed,
        record_ticks=resolution,
        record_ms=asked.record_ms,
        drain=asked.drain,
        skip_quiet_ticks=True,
    )
    slots = int(design.split(":")[1])
    tick_ms = asked.record_ms / resolution
    waits, spans = sorted(outcome.tracking_waits), sorted(outcome.report_spans)
    delayed = sum(wait * tick_ms > asked.threshold_ms for wait in waits)
    return {
        "tracking_requests": len(waits),
        "tracking_arrived": outcome.tracking_arrived,
        **{f"wait_{name}_ms": at(waits, percent, tick_ms) for name, percent in PERCENTILES.items()},
        "wait_mean_ms": sum(waits) / len(waits) * tick_ms if waits else None,
        "wait_max_ms": waits[-1] * tick_ms if waits else None,
        "delayed": delayed,
        "delayed_share": delayed / len(waits) if waits else None,
        "reports_started": outcome.reports_started,
        "reports_arrived": outcome.reports_arrived,
        "report_mean_s": sum(spans) / len(spans) * tick_ms / 1000 if spans else None,
        "report_p95_s": at(spans, 95, tick_ms / 1000),
        "report_max_s": spans[-1] * tick_ms / 1000 if spans else None,
        "tracking_unfinished": outcome.tracking_unfinished,
        "reports_unfinished": outcome.reports_unfinished,
        "slot_utilisation": {
            "tracking": outcome.slot_ticks_tracking / (slots * window_ticks),
            "reports": outcome.slot_ticks_reports / (slots * window_ticks),
        },
    }


PERCENTILES = {"p50": 50, "p90": 90, "p95": 95, "p99": 99, "p999": 99.9}


def at(ordered: list[int], percent: float, unit: float) -> float | None:
    """A percentile of sorted numbers, as the rules define it."""
    if not ordered:
        return None
    return ordered[min(len(ordered) - 1, math.floor(percent / 100 * len(ordered)))] * unit


@pytest.mark.parametrize("kind", DESIGNS)
@given(data=st.data(), asked=asked())
@settings(max_examples=100, deadline=None)
def test_a_row_is_what_the_rules_give(kind: str, data: st.DataObject, asked: Asked) -> None:
    design = data.draw(DESIGNS[kind])
    scenario = Scenario().with_values({**asked.values(), "designs": [design]})
    row = plan.row(scenario.designs[0], scenario, Simulator())
    expected = told(design, asked)
    assert {name: row[name] for name in expected} == {
        name: pytest.approx(value, rel=1e-12) if isinstance(value, (float, dict)) else value
        for name, value in expected.items()
    }
