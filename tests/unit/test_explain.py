"""Who held which slot, and why queries waited."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import explain, plan
from planner.designs import Design, parse
from planner.model import Simulator
from planner.scenario import Scenario

DESIGNS = [
    "shared:2",
    "separate:1:2",
    "priority:2",
    "reserved:3:1",
    "chunked:2:7",
    "preemptive:2:10:1.2",
    "push:3:rr",
    "push:3:random",
    "push:3:jsq",
    "stealing:3",
    "gpm:2:10",
]
SMALL = Scenario(
    shipments_per_day=120, sellers=60, billing_period_days=30, window_minutes=0.1, peak_reads_per_s=1200, replicas=1
)


def diary(text: str, seed: int) -> explain.Diary:
    return explain.keep_diary(parse(text), SMALL.with_values({"seed": seed, "tracking_records": 1 + seed % 2}))


@pytest.mark.parametrize("text", DESIGNS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_a_slot_holds_one_job_at_a_time(text: str, seed: int) -> None:
    kept = diary(text, seed)
    rows = kept.tracking[:, [0, 2, 3]]
    if not kept.design.workers:
        rows = np.concatenate([rows, kept.reports[:, [0, 2, 3]]])
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    same_slot = rows[1:, 0] == rows[:-1, 0]
    assert np.all(rows[1:, 1][same_slot] >= rows[:-1, 2][same_slot])


@pytest.mark.parametrize("text", DESIGNS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_the_diary_has_the_plan_s_waits(text: str, seed: int) -> None:
    kept = diary(text, seed)
    scenario = SMALL.with_values({"seed": seed, "tracking_records": 1 + seed % 2})
    row = plan.row(parse(text), scenario, Simulator())
    waits = kept.tracking[:, 2] - kept.tracking[:, 1]
    assert len(waits) == row["tracking_requests"]
    assert waits.max(initial=0) * kept.derived.tick_ms == (row["wait_max_ms"] or 0)


@pytest.mark.parametrize("text", DESIGNS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_minutes_add_up_to_the_window(text: str, seed: int) -> None:
    kept = diary(text, seed)
    minutes = explain.by_minute(kept)
    assert sum(row["tracking_arrivals"] for row in minutes) == len(kept.tracking_arrivals)
    busy = np.minimum(kept.tracking[:, 3], kept.derived.window_ticks) - kept.tracking[:, 2]
    seconds = kept.derived.window_ticks
    assert sum(row["busy_tracking_mean"] for row in minutes) * seconds == pytest.approx(busy.sum())


@given(seed=st.integers(0, 2**32 - 1))
def test_little_s_law_holds_over_a_drained_window(seed: int) -> None:
    """The time-average of the line is the arrival rate times the mean wait, where every job starts in the window."""
    kept = diary("shared:4", seed)
    if (
        len(kept.tracking) < len(kept.tracking_arrivals)
        or kept.tracking[:, 2].max(initial=0) > kept.derived.window_ticks
    ):
        return
    waits = kept.tracking[:, 2] - kept.tracking[:, 1]
    (row,) = explain.by_minute(kept)
    assert row["waiting_mean"] * kept.derived.window_ticks == pytest.approx(waits.sum())


def test_the_longest_line_is_the_tick_by_tick_longest() -> None:
    kept = diary("shared:1", 5)
    line = np.zeros(kept.derived.window_ticks + 1, np.int64)
    np.add.at(line, kept.tracking_arrivals, 1)
    np.add.at(line, kept.tracking[:, 2], -1)
    (row,) = explain.by_minute(kept)
    assert row["waiting_max"] == np.cumsum(line).max()


def test_the_worst_wait_of_the_default_plan_names_the_reports_that_held_both_slots() -> None:
    kept = explain.keep_diary(Design("shared", (2,)), Scenario())
    worst = explain.worst_waits(kept, 3)
    assert worst[0]["wait_ms"] == pytest.approx(9398.4)
    for wait in worst:
        holders = wait["holders"]
        assert isinstance(holders, list)
        assert {holder["slot"] for holder in holders} == {0, 1}
        for holder in holders:
            assert holder["since_s"] < wait["start_s"]
            assert holder["until_s"] > wait["arrival_s"]
    named = [holder["report"] for wait in worst for holder in wait["holders"]]  # type: ignore[attr-defined]
    assert len(named) == len(set(named))


def test_bars_of_touching_queries_are_joined() -> None:
    kept = explain.keep_diary(Design("shared", (2,)), Scenario())
    bars = explain.occupancy(kept, 150, 170)
    for slot in (0, 1):
        mine = sorted((bar["from_s"], bar["to_s"]) for bar in bars if bar["slot"] == slot)
        assert all(after[0] >= before[1] for before, after in zip(mine, mine[1:], strict=False))
    assert len(bars) < 1500
