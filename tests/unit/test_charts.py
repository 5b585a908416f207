"""Pictures as coordinates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import charts, explain
from planner.designs import Design
from planner.scenario import Scenario


@pytest.fixture(scope="module")
def diary() -> explain.Diary:
    return explain.keep_diary(Design("shared", (2,)), Scenario())


def test_the_bracket_of_the_longest_wait_lies_over_bars_of_the_reports_that_caused_it(diary: explain.Diary) -> None:
    longest = explain.worst_waits(diary, 1)[0]
    picture = charts.jam(diary, longest["arrival_s"], longest["start_s"])
    under = {bar.report for bar in picture.reports if bar.x < picture.started and bar.x + bar.width > picture.came}
    assert under == {holder["report"] + 1 for holder in longest["holders"]}
    assert len(picture.rows) == 2


def test_every_bar_is_inside_the_picture(diary: explain.Diary) -> None:
    picture = charts.jam(diary, 0.0, 3.0)
    for bar in picture.reports:
        assert bar.x >= charts.LEFT
        assert bar.x + bar.width <= picture.width
        assert bar.y + charts.BAR <= picture.height


@given(st.lists(st.floats(0.1, 1e6), min_size=2, max_size=50, unique=True), st.floats(0, 1e7))
def test_a_tail_falls_within_its_axes(waits: list[float], threshold: float) -> None:
    ordered = sorted(waits)
    points = [(wait, 1 - (place + 1) / (len(ordered) + 1)) for place, wait in enumerate(ordered)]
    picture = charts.tail(points, threshold)
    assert picture is not None
    at = [mark.at for mark in picture.waits]
    assert at == sorted(at)
    assert picture.waits[0].value <= ordered[0]
    assert picture.waits[-1].value >= ordered[-1] * (1 - 1e-12)
    assert picture.threshold is None or at[0] <= picture.threshold <= at[-1]


def test_without_waits_there_is_no_tail() -> None:
    assert charts.tail([(0.0, 0.0)], 100) is None
