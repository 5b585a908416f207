"""Counts, percentiles and tails."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.metrics import Sample, last_tick_within

NUMBERS = st.lists(st.integers(0, 60), max_size=200)


def sample(numbers: list[int]) -> Sample:
    return Sample.of(np.array(numbers, dtype=np.int64))


@given(NUMBERS, st.sampled_from([0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0]))
def test_a_percentile_is_the_number_at_its_index(numbers: list[int], percent: float) -> None:
    expected = None
    if numbers:
        expected = sorted(numbers)[min(len(numbers) - 1, math.floor(percent / 100 * len(numbers)))]
    assert sample(numbers).percentile(percent) == expected


@given(NUMBERS)
def test_mean_and_largest_are_those_of_the_list(numbers: list[int]) -> None:
    assert sample(numbers).mean() == (sum(numbers) / len(numbers) if numbers else None)
    assert sample(numbers).largest() == max(numbers, default=None)


@given(NUMBERS)
def test_the_tail_counts_what_is_above(numbers: list[int]) -> None:
    for value, share in sample(numbers).tail():
        assert share == sum(number > value for number in numbers) / len(numbers)


def test_the_tail_of_a_large_sample_is_short_and_reaches_both_ends() -> None:
    tail = Sample.of(np.arange(100_000, dtype=np.int64)).tail()
    assert len(tail) < 500
    assert tail[0][0] == 0
    assert tail[-1] == (99_999, 0.0)


@given(st.floats(0, 1e6), st.floats(1e-3, 1e3))
def test_the_last_tick_within_a_limit_is_the_last(limit_ms: float, tick_ms: float) -> None:
    ticks = last_tick_within(limit_ms, tick_ms)
    assert ticks * tick_ms <= limit_ms
    assert (ticks + 1) * tick_ms > limit_ms


def test_a_wait_at_the_threshold_is_not_delayed() -> None:
    assert last_tick_within(1.2 * 83, 1.2) == 83
    assert last_tick_within(0, 1.2) == 0
    assert last_tick_within(1e300, 1.2) == 2**53
