"""Intervals hold what they promise."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import exact, intervals
from planner.streams import uniforms

CONFIDENCE = 0.95


def test_wilson_is_its_definition() -> None:
    low, high = intervals.wilson(77, 100, CONFIDENCE)
    z = statistics.NormalDist().inv_cdf(0.975)
    for edge in (low, high):
        assert abs(0.77 - edge) == pytest.approx(z * math.sqrt(edge * (1 - edge) / 100))
    assert (round(low, 3), round(high, 3)) == (0.678, 0.842)


@given(st.integers(1, 300), st.data())
def test_wilson_stays_between_zero_and_one_around_the_seen_share(of: int, data: st.DataObject) -> None:
    met = data.draw(st.integers(0, of))
    low, high = intervals.wilson(met, of, CONFIDENCE)
    assert 0 <= low <= met / of <= high <= 1


@given(st.integers(0, 50), st.integers(50, 300), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_trials_to_decide_decide(met: int, of: int, share: float) -> None:
    more = intervals.trials_to_decide(met, of, share, CONFIDENCE)
    if more is not None:
        low, high = intervals.wilson(round((of + more) * met / of), of + more, CONFIDENCE)
        assert low >= share or high < share


@pytest.mark.parametrize("chance", [0.6, 0.9, 0.95, 0.975, 0.995, 0.99995])
def test_normal_quantiles_are_those_of_the_library(chance: float) -> None:
    assert exact.normal_quantile(chance) == pytest.approx(statistics.NormalDist().inv_cdf(chance), abs=1e-11)


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.7062047362), (2, 4.3026527297), (9, 2.2621571628), (199, 1.9719565442)]
)
def test_student_quantiles_are_those_of_the_tables(freedom: int, expected: float) -> None:
    assert intervals.student_quantile(0.975, freedom) == pytest.approx(expected, rel=1e-9)


@given(st.floats(0, 1e6))
def test_arctan_is_the_library_s(x: float) -> None:
    assert exact.arctan(x) == pytest.approx(math.atan(x), rel=1e-13)


def test_binomial_chances_of_large_counts_do_not_vanish() -> None:
    chances = intervals.binomial(5000, 0.5)
    assert math.fsum(chances) == pytest.approx(1)
    assert chances[2500] == pytest.approx(1 / math.sqrt(2500 * math.pi), rel=1e-4)


def test_a_median_of_ten_lies_between_the_second_and_the_ninth() -> None:
    """P(B <= 1) = 11 / 1024 on either side, and 56 / 1024 would be too much."""
    assert intervals.quantile_interval([*range(1, 11)], 0.5, CONFIDENCE) == (2, 9)


def test_a_sample_too_small_for_a_bound_gives_none() -> None:
    assert intervals.quantile_interval([1.0, 2.0, 3.0], 0.5, CONFIDENCE) == (None, None)
    assert intervals.mean_interval([1.0], CONFIDENCE) == (None, None)
    assert intervals.summarise([None, None], CONFIDENCE) is None


REPETITIONS, REPLICATIONS = 200, 40


def samples() -> np.ndarray:
    """200 repetitions of 40 exponential values; the splitmix draws make the same ones on every machine."""
    return -np.log(1 - uniforms(7, REPETITIONS * REPLICATIONS)).reshape(REPETITIONS, REPLICATIONS)


def test_intervals_hold_the_true_value_in_at_least_93_of_100_repetitions() -> None:
    """Of an exponential distribution: mean 1, median ln 2, and a share of 1 - exp(-2) below 2."""
    share = 1 - math.exp(-2)
    held = {"mean": 0, "median": 0, "share": 0}
    for row in np.sort(samples(), axis=1):
        summary = intervals.summarise(row.tolist(), CONFIDENCE)
        assert summary is not None
        low, high = intervals.wilson(int((row < 2).sum()), len(row), CONFIDENCE)
        held["share"] += low <= share <= high
        for name, bounds, truth in (
            ("mean", summary.mean_interval, 1),
            ("median", summary.median_interval, math.log(2)),
        ):
            assert bounds[0] is not None
            assert bounds[1] is not None
            held[name] += bounds[0] <= truth <= bounds[1]
    assert min(held.values()) >= 0.93 * REPETITIONS, held
