"""The engine's cores against each other, and what every queue must obey."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.flow import NEVER
from planner.engine.load import Load
from planner.engine.rules import Outcome, Rules
from planner.engine.run import simulate
from planner.engine.timeline import Timeline
from planner.engine.walk import walk, walk_in_slices


@st.composite
def loads(draw: st.DrawFn) -> Load:
    """Small windows, from idle to hopelessly overloaded, with short and long jobs of either class."""
    window = draw(st.integers(1, 400))
    ticks = st.integers(0, window - 1)
    tracking = np.array(sorted(draw(st.sets(ticks, max_size=120))), dtype=np.int64)
    reports = np.array(sorted(draw(st.sets(ticks, max_size=20))), dtype=np.int64)
    length = st.integers(1, draw(st.sampled_from([1, 5, 60, 1000])))
    sizes = draw(st.lists(length, min_size=len(reports), max_size=len(reports)))
    draws = np.array(draw(st.lists(st.floats(0, 1, exclude_max=True), min_size=140, max_size=140)))
    return Load(
        window,
        Timeline.of(window, tracking),
        draw(st.integers(1, 4)),
        reports,
        np.array(sizes, dtype=np.int64),
        lambda count: draws[:count],
        draw(st.sampled_from([window, NEVER])),
    )


def same(one: Outcome, other: Outcome) -> None:
    for field in fields(Outcome):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name == "report_spans":
            a, b = np.sort(a), np.sort(b)
        assert np.array_equal(a, b), field.name


UNCUT = st.one_of(
    st.builds(Rules, st.integers(1, 5)),
    st.builds(Rules, st.integers(1, 5), tracking_first=st.just(True)),
    st.builds(Rules, st.integers(1, 5), most_reports=st.integers(1, 6)),
    st.builds(Rules, st.integers(1, 5), dispatch=st.sampled_from(["rr", "random"])),
)


@given(UNCUT, loads())
@settings(max_examples=400)
def test_the_flow_and_the_walk_agree(rules: Rules, load: Load) -> None:
    same(simulate(rules, load), walk(rules, load))


@given(st.integers(1, 5), loads())
def test_a_piece_longer_than_every_report_cuts_nothing(slots: int, load: Load) -> None:
    same(walk(Rules(slots, piece=1001, switch=3), load), walk(Rules(slots), load))


@given(st.integers(1, 5), loads())
def test_a_cap_no_smaller_than_the_pool_is_no_cap(slots: int, load: Load) -> None:
    same(simulate(Rules(slots, most_reports=slots), load), simulate(Rules(slots), load))


@given(loads())
def test_with_one_slot_every_line_is_the_same_line(load: Load) -> None:
    plain = simulate(Rules(1), load)
    for rules in (Rules(1, dispatch="rr"), Rules(1, dispatch="jsq"), Rules(1, dispatch="rr", help="one")):
        same(simulate(rules, load), plain)


def all_waits(outcome: Outcome) -> np.ndarray:
    waited = np.repeat(outcome.waits, outcome.wait_counts)
    return np.concatenate([np.zeros(outcome.tracking_started - len(waited), np.int64), waited])


@given(st.integers(1, 4), loads())
@settings(max_examples=300)
def test_more_slots_never_delay_more(slots: int, load: Load) -> None:
    fewer, more = simulate(Rules(slots), load), simulate(Rules(slots + 1), load)
    assert more.tracking_started >= fewer.tracking_started
    # The n-th shortest wait, for every n that the smaller pool reaches.
    assert np.all(all_waits(more)[: fewer.tracking_started] <= all_waits(fewer))


@given(st.integers(1, 4), loads())
def test_tracking_first_never_makes_the_tracking_jobs_wait_longer_in_total(slots: int, load: Load) -> None:
    load = replace(load, report_ticks=np.ones_like(load.report_ticks), tracking_ticks=1)
    first, fifo = simulate(Rules(slots, tracking_first=True), load), simulate(Rules(slots), load)
    assert first.tracking_started >= fifo.tracking_started
    if first.tracking_started == fifo.tracking_started:
        assert all_waits(first).sum() <= all_waits(fifo).sum()


CONSERVING = [
    Rules(3),
    Rules(3, tracking_first=True),
    Rules(3, piece=4),
    Rules(3, dispatch="rr", help="one"),
    Rules(3, dispatch="rr", help="half", piece=4, global_every=61),
]


@pytest.mark.parametrize("rules", CONSERVING, ids=["shared", "priority", "chunked", "stealing", "gpm"])
@given(load=loads())
@settings(max_examples=150)
def test_no_slot_idles_while_a_job_waits(rules: Rules, load: Load) -> None:
    """All jobs of one tick: then the number started by the end is the same for every design that conserves work."""
    load = replace(load, report_ticks=np.ones_like(load.report_ticks), tracking_ticks=1)
    outcome, plain = simulate(rules, load), simulate(Rules(3), load)
    assert outcome.tracking_started + outcome.reports_started == plain.tracking_started + plain.reports_started


@pytest.mark.parametrize("rules", [*CONSERVING, Rules(3, dispatch="jsq"), Rules(2, workers=2)], ids=str)
@given(load=loads())
@settings(max_examples=60)
def test_slots_are_never_used_beyond_their_number(rules: Rules, load: Load) -> None:
    outcome = simulate(rules, load)
    assert 0 <= outcome.tracking_slot_ticks + outcome.report_slot_ticks <= rules.slots * load.window
    assert 0 <= outcome.worker_ticks <= rules.workers * load.window


@pytest.mark.parametrize("rules", CONSERVING, ids=["shared", "priority", "chunked", "stealing", "gpm"])
def test_an_empty_window_has_no_jobs(rules: Rules) -> None:
    nothing = np.empty(0, np.int64)
    load = Load(10, Timeline.of(10, nothing), 1, nothing, nothing, lambda count: np.empty(count), 10)
    outcome = simulate(rules, load)
    assert (outcome.tracking_started, outcome.reports_started, len(outcome.waits)) == (0, 0, 0)


@pytest.mark.parametrize("rules", [*CONSERVING, Rules(3, dispatch="jsq"), Rules(2, workers=2)], ids=str)
@given(load=loads())
@settings(max_examples=60)
def test_a_drained_pool_leaves_nothing_behind(rules: Rules, load: Load) -> None:
    drained = simulate(rules, replace(load, horizon=NEVER))
    plain = simulate(rules, replace(load, horizon=load.window))
    assert drained.tracking_started == drained.tracking_arrived == load.tracking.total
    assert len(drained.report_spans) == drained.reports_arrived == len(load.reports)
    # What happens after the window changes nothing that was counted within it.
    for name in (
        "tracking_unfinished",
        "reports_unfinished",
        "tracking_slot_ticks",
        "report_slot_ticks",
        "worker_ticks",
    ):
        assert getattr(drained, name) == getattr(plain, name), name


@pytest.mark.parametrize("rules", [*CONSERVING, Rules(3, dispatch="jsq"), Rules(2, most_reports=1)], ids=str)
@given(load=loads(), slices=st.integers(1, 9))
@settings(max_examples=60)
def test_a_pause_changes_nothing(rules: Rules, load: Load, slices: int) -> None:
    steps = walk_in_slices(rules, load, None, slices)
    for _ in range(slices):
        next(steps)
    with pytest.raises(StopIteration) as end:
        next(steps)
    same(end.value.value, walk(rules, load))
