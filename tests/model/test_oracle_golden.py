"""The plain model gives the golden rows to the last digit, and its shortcut changes nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import oracle

GOLDEN: list[dict[str, Any]] = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))

# The default scenario, worked out by hand: 30 minutes of 1.2 ms ticks, a quarter of 416.67 reads a second, and of half
# of 4000 sellers, whose reports read 3000 records.
SEED, WINDOW_TICKS, RECORD_MS, REPORT_TICKS, THRESHOLD_MS = 20260730, 1_500_000, 1.2, 3000, 100
TRACKING_PROBABILITY = (416.67 / 4) * (RECORD_MS / 1000)
REPORT_PROBABILITY = 4000 * 0.5 / 4 / WINDOW_TICKS


@cache
def arrivals() -> tuple[list[int], list[int]]:
    return (
        oracle.arrivals(SEED, TRACKING_PROBABILITY, WINDOW_TICKS),
        oracle.arrivals(SEED + 1, REPORT_PROBABILITY, WINDOW_TICKS),
    )


def metrics(outcome: oracle.Outcome) -> dict[str, float]:
    """The columns of a golden row."""
    waits = sorted(outcome.tracking_waits)
    count = len(waits)
    return {
        "tracking_requests": count,
        "wait_p50_ms": waits[min(count - 1, 50 * count // 100)] * RECORD_MS,
        "wait_p99_ms": waits[min(count - 1, 99 * count // 100)] * RECORD_MS,
        "wait_max_ms": waits[-1] * RECORD_MS,
        "delayed": sum(wait * RECORD_MS > THRESHOLD_MS for wait in waits),
        "reports_started": outcome.reports_started,
        "reports_arrived": outcome.reports_arrived,
        "report_mean_s": sum(outcome.report_spans) / len(outcome.report_spans) * RECORD_MS / 1000,
    }


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["design"])
def test_the_golden_rows_come_out_to_the_last_digit(row: dict[str, Any]) -> None:
    tracking_arrivals, report_arrivals = arrivals()
    outcome = oracle.simulate(
        design=row["design"],
        window_ticks=WINDOW_TICKS,
        tracking_ticks=1,
        report_ticks=REPORT_TICKS,
        seed=SEED,
        tracking_arrivals=tracking_arrivals,
        report_arrivals=report_arrivals,
        skip_quiet_ticks=True,
    )
    assert {"design": row["design"], **metrics(outcome)} == row


DESIGNS = (
    "shared:1 shared:3 separate:2:1 separate:1:2 priority:1 priority:3 reserved:3:1 reserved:2:5 chunked:2:7 "
    "preemptive:3:10 preemptive:2:5:1.2 push:3:rr push:3:random push:3:jsq stealing:3 gpm:1:10 gpm:3:10"
).split()


@given(
    design=st.sampled_from(DESIGNS),
    seed=st.integers(0, 2**32 - 1),
    tracking_probability=st.sampled_from([0, 0.02, 0.2, 0.9]),
    report_probability=st.sampled_from([0, 0.002, 0.02, 0.3]),
    tracking_ticks=st.sampled_from([1, 2, 9]),
    report_ticks=st.sampled_from([1, 8, 60, 400]),
    drain=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_passing_over_quiet_ticks_changes_nothing(design: str, **inputs: Any) -> None:
    every_tick = oracle.simulate(design=design, window_ticks=600, **inputs)
    assert oracle.simulate(design=design, window_ticks=600, **inputs, skip_quiet_ticks=True) == every_tick


@given(design=st.sampled_from(DESIGNS), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_a_drained_run_finishes_every_job_and_serves_the_same_starts(design: str, seed: int) -> None:
    inputs: dict[str, Any] = {
        "design": design,
        "window_ticks": 500,
        "tracking_probability": 0.2,
        "report_probability": 0.02,
        "tracking_ticks": 1,
        "report_ticks": 90,
        "seed": seed,
    }
    shut, drained = oracle.simulate(**inputs), oracle.simulate(**inputs, drain=True)
    assert len(drained.tracking_waits) == shut.tracking_arrived
    assert len(drained.report_spans) == drained.reports_started == shut.reports_arrived
    assert drained.tracking_waits[: len(shut.tracking_waits)] == shut.tracking_waits
    assert drained.slot_ticks_tracking == shut.slot_ticks_tracking
