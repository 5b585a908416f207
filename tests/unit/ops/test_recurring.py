"""Recurring tasks: due moments, policies, clock changes."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import PlannerError
from planner.ops import calendar, inputs, recurring
from planner.ops.calendar import SECOND
from planner.ops.load import Load
from planner.scenario import Scenario

LOAD = Load.of(Scenario())
REFUSE = partial(inputs.refuse, recurring.Inputs)
MINUTE = 60 * SECOND
DUE = st.lists(st.integers(0, 500), min_size=1, max_size=30).map(sorted)


def month(text: str, zone: str) -> calendar.Month:
    return calendar.parse_month(text, calendar.find_zone(zone, REFUSE), REFUSE)


def local(schedule: str, text: str, zone: str) -> list[str]:
    seen = month(text, zone)
    return [seen.local(at).isoformat() for at in calendar.due(schedule, seen, REFUSE)]


def test_the_sources_three_schedules() -> None:
    assert len(local("0 6 * * *", "2026-10", "Europe/Istanbul")) == 31
    assert local("0 0 1 * *", "2026-10", "Europe/Istanbul") == ["2026-10-01T00:00:00+03:00"]
    assert len(local("*/15 * * * *", "2026-10", "Europe/Istanbul")) == 31 * 96


def test_a_skipped_hour_runs_what_was_due_in_it_once_at_its_end() -> None:
    due = local("30 2 * * *", "2026-03", "Europe/Berlin")
    assert len(due) == 31
    assert due[28] == "2026-03-29T03:00:00+02:00"


def test_a_repeated_hour_does_not_repeat_a_daily_task() -> None:
    assert sum(at.startswith("2026-10-25") for at in local("30 2 * * *", "2026-10", "Europe/Berlin")) == 1


@pytest.mark.parametrize(("text", "runs", "hours"), [("2026-03", 92, 23.0), ("2026-10", 100, 25.0)])
def test_every_quarter_of_an_hour_on_the_day_of_a_change(text: str, runs: int, hours: float) -> None:
    chosen = recurring.Inputs(schedules=("*/15 * * * *",), month=text, time_zone="Europe/Berlin", run_minutes=(1,))
    document: Any = recurring.report(chosen, LOAD).document()
    odd = [day for day in document["days"] if day["hours"] != 24]
    assert [(day["runs"], day["hours"]) for day in odd] == [(runs, hours)]
    assert len(document["clock_changes"]) == 1


def test_istanbul_keeps_its_clock() -> None:
    assert month("2026-10", "Europe/Istanbul").clock_changes() == []


def test_policies_by_hand() -> None:
    due, lengths = [0, 15, 30, 45], [20] * 4
    assert recurring.apply("allow", due, lengths).most_at_once == 2
    assert recurring.apply("skip", due, lengths).kept == ((0, 0, 20), (30, 30, 50))
    assert recurring.apply("queue", due, lengths).kept == ((0, 0, 20), (15, 20, 40), (30, 40, 60), (45, 60, 80))


def test_a_run_that_ends_as_the_next_is_due_does_not_overlap() -> None:
    for policy in recurring.POLICIES:
        runs = recurring.apply(policy, [0, 15, 30], [15] * 3)
        assert (len(runs.kept), runs.most_at_once, sum(runs.overlaps())) == (3, 1, 0)


@given(DUE, st.integers(1, 60))
def test_skip_and_queue_never_run_two_at_once(due: list[int], length: int) -> None:
    for policy in ("skip", "queue"):
        runs = recurring.apply(policy, due, [length] * len(due))
        assert runs.most_at_once == 1
        assert len(runs.kept) + runs.skipped == len(due)
    assert recurring.apply("queue", due, [length] * len(due)).skipped == 0


@given(DUE, st.integers(1, 60))
def test_allow_counts_every_moment(due: list[int], length: int) -> None:
    runs = recurring.apply("allow", due, [length] * len(due))
    assert runs.most_at_once == max(sum(at <= t < at + length for at in due) for t in range(600))


@given(DUE, st.integers(1, 60), st.integers(1, 200))
def test_the_busiest_window_is_found_among_all(due: list[int], length: int, window: int) -> None:
    runs = recurring.apply("allow", due, [length] * len(due))
    every = max(sum(max(0, min(at + length, t + window) - max(at, t)) for at in due) for t in range(-window, 600))
    assert recurring.busiest([runs], window) == every


def test_fixed_intervals_count_real_time() -> None:
    assert len(calendar.due("every:7", month("2026-02", "UTC"), REFUSE)) == -(-28 * 1440 // 7)
    assert calendar.due("every:1.5", month("2026-02", "UTC"), REFUSE)[:3] == [0, 90 * SECOND, 3 * MINUTE]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("schedules", "foo"),
        ("schedules", "* * * * * *"),
        ("schedules", "61 * * * *"),
        ("schedules", "0 0 30 2 *"),
        ("schedules", "every:0"),
        ("schedules", "every:0.01"),
        ("month", "2026-13"),
        ("month", "２０２６-10"),
        ("time_zone", "../../etc/passwd"),
        ("time_zone", "Europe"),
        ("time_zone", "Mars/Base"),
        ("run_minutes", "1,2"),
        ("policies", "hope"),
    ],
)
def test_bad_input_names_its_field(name: str, value: str) -> None:
    with pytest.raises(PlannerError) as refused:
        recurring.report(inputs.build(recurring.Inputs, {name: value}), LOAD)
    assert refused.value.field == name
