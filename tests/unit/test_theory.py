"""The planner against what queueing theory knows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import analytic
from planner.engine.flow import NEVER
from planner.engine.load import Load
from planner.engine.rules import Outcome, Rules
from planner.engine.run import simulate
from planner.engine.timeline import Timeline
from planner.streams import Stream


def test_erlang_is_stable_at_ten_thousand_servers() -> None:
    """The expected figures are the same recursion in 40-digit decimals."""
    assert analytic.erlang_c(10200, 10000) == pytest.approx(0.02750694171070354, rel=1e-12)
    assert analytic.erlang_b(170, 150) == pytest.approx(0.00896491554362230, rel=1e-12)


@pytest.mark.parametrize(("servers", "load"), [(1, 0.3), (2, 1.7), (5, 4.0), (12, 3.3)])
def test_erlang_b_is_its_definition(servers: int, load: float) -> None:
    terms = [load**n / math.factorial(n) for n in range(servers + 1)]
    assert analytic.erlang_b(servers, load) == pytest.approx(terms[-1] / sum(terms))


@pytest.mark.parametrize("load", [1.0, 1.5])
def test_a_formula_that_does_not_apply_says_unstable(load: float) -> None:
    assert analytic.erlang_c(1, load) == "unstable"
    assert analytic.mmc_mean_wait(1, load, 1) == "unstable"
    assert analytic.md1_mean_wait(load, 1) == "unstable"
    assert analytic.geo_g1_mean_wait(load / 10, 10, 100) == "unstable"
    assert analytic.mgc_mean_wait(1, load, 1, 0.5) == "unstable"
    assert analytic.priority_mean_waits([load, 0.1], [1, 1], [1, 1]) == ["unstable", "unstable"]


@given(st.floats(0.01, 0.95), st.floats(0.1, 10))
def test_one_server_of_each_formula_agrees(load: float, mean: float) -> None:
    exponential = analytic.mg1_mean_wait(load / mean, mean, 2 * mean * mean)
    assert analytic.mmc_mean_wait(1, load, mean) == pytest.approx(exponential)
    assert analytic.mgc_mean_wait(1, load, mean, 0) == pytest.approx(analytic.md1_mean_wait(load / mean, mean))
    assert analytic.priority_mean_waits([load / mean], [mean], [mean**2])[0] == pytest.approx(
        analytic.md1_mean_wait(load / mean, mean)
    )


WINDOW = 1_500_000
NOTHING = np.empty(0, np.int64)


def tracking_only(chance: float, ticks: int, seed: int) -> Load:
    stream = Stream.even(seed, WINDOW, chance)
    return Load(WINDOW, Timeline.of(WINDOW, stream.all()), ticks, NOTHING, NOTHING, lambda _: np.empty(0), WINDOW)


def mean_wait(outcome: Outcome) -> float:
    return float((outcome.waits * outcome.wait_counts).sum()) / outcome.tracking_started


@pytest.mark.parametrize(("load", "ticks"), [(0.3, 10), (0.7, 10), (0.9, 4)])
def test_one_slot_waits_as_the_discrete_pollaczek_khinchine_formula_says(load: float, ticks: int) -> None:
    """The mean of 20 windows within four standard errors of the formula."""
    means = [mean_wait(simulate(Rules(1), tracking_only(load / ticks, ticks, seed))) for seed in range(20)]
    expected = analytic.geo_g1_mean_wait(load / ticks, ticks, ticks * ticks)
    error = np.std(means, ddof=1) / math.sqrt(len(means))
    assert abs(np.mean(means) - expected) < 4 * error


def test_fine_ticks_come_near_the_continuous_formula() -> None:
    fine, continuous = analytic.geo_g1_mean_wait(0.7 / 1000, 1000, 1000**2), analytic.md1_mean_wait(0.7 / 1000, 1000)
    assert fine == pytest.approx(continuous, rel=2e-3)


def test_reports_of_mixed_sizes_wait_as_the_formula_says() -> None:
    means = []
    chance, sizes = 1 / 500, np.array([100, 700])
    for seed in range(30):
        arrivals = Stream.even(seed, WINDOW, chance).all()
        length = sizes[np.random.default_rng(seed).integers(0, 2, len(arrivals))]
        load = Load(WINDOW, Timeline.of(WINDOW, NOTHING), 1, arrivals, length, lambda _: np.empty(0), NEVER)
        means.append(float((simulate(Rules(1, workers=1), load).report_spans - length).mean()))
    expected = analytic.geo_g1_mean_wait(chance, 400, float((sizes**2).mean()))
    assert abs(np.mean(means) - expected) < 4 * np.std(means, ddof=1) / math.sqrt(len(means))


@st.composite
def drained(draw: st.DrawFn) -> Load:
    window = draw(st.integers(1, 300))
    ticks = st.integers(0, window - 1)
    tracking = np.array(sorted(draw(st.sets(ticks, max_size=80))), dtype=np.int64)
    reports = np.array(sorted(draw(st.sets(ticks, max_size=15))), dtype=np.int64)
    sizes = np.array(draw(st.lists(st.integers(1, 60), min_size=len(reports), max_size=len(reports))), dtype=np.int64)
    tracking_ticks = draw(st.integers(1, 3))
    return Load(window, Timeline.of(window, tracking), tracking_ticks, reports, sizes, lambda _: np.empty(0), NEVER)


@given(drained())
@settings(max_examples=200)
def test_work_is_conserved_whoever_goes_first(load: Load) -> None:
    """On one slot the sum of size x wait is the same for every rule that interrupts nobody and never idles.

    The work in the system at each moment does not depend on the order of service; its integral over a busy period is
    the sum of S W + S^2 / 2 (Kleinrock's conservation law, here exact on every path).
    """

    def weighted(rules: Rules) -> int:
        outcome = simulate(rules, load)
        tracking = int((outcome.waits * outcome.wait_counts).sum()) * load.tracking_ticks
        # Reports start in the order of arrival under both rules, so spans and sizes belong together.
        return tracking + int(((outcome.report_spans - load.report_ticks) * load.report_ticks).sum())

    assert weighted(Rules(1)) == weighted(Rules(1, tracking_first=True))


@given(drained())
def test_all_designs_face_the_same_arrivals(load: Load) -> None:
    arrived = {
        (outcome.tracking_arrived, outcome.reports_arrived)
        for rules in (Rules(2), Rules(2, workers=1), Rules(2, piece=3), Rules(2, dispatch="jsq"))
        for outcome in (simulate(rules, replace(load, horizon=load.window)),)
    }
    assert arrived == {(load.tracking.total, len(load.reports))}
