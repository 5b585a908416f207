"""The random streams."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner import streams

SEEDS = st.integers(0, 2**32 - 1)


def splitmix32(seed: int, count: int) -> list[int]:
    """The recursion, in Python's own integers."""
    state, out = seed, []
    for _ in range(count):
        state = (state + 0x9E3779B9) & 0xFFFFFFFF
        z = ((state ^ state >> 16) * 0x21F0AAAD) & 0xFFFFFFFF
        z = ((z ^ z >> 15) * 0x735A2D97) & 0xFFFFFFFF
        out.append(z ^ z >> 15)
    return out


@given(SEEDS, st.integers(0, 300))
def test_a_draw_is_the_recursion_s(seed: int, count: int) -> None:
    assert streams.draws(seed, 0, count).tolist() == splitmix32(seed, count)


@given(SEEDS, st.integers(0, 40_000), st.integers(0, 50))
def test_a_draw_depends_on_its_number_alone(seed: int, first: int, count: int) -> None:
    assert streams.draws(seed, first, count).tolist() == streams.draws(seed, 0, first + count)[first:].tolist()


@given(SEEDS, st.integers(1, 2000), st.floats(0, 1))
def test_an_arrival_happens_where_the_draw_is_below_the_probability(seed: int, ticks: int, chance: float) -> None:
    expected = [tick for tick, z in enumerate(splitmix32(seed, ticks)) if z / 2**32 < chance]
    assert streams.Stream.even(seed, ticks, chance).all().tolist() == expected


@given(SEEDS)
def test_a_threshold_at_a_draw_itself_leaves_it_out(seed: int) -> None:
    first = splitmix32(seed, 1)[0] / 2**32
    assert streams.Stream.even(seed, 1, first).all().tolist() == []
    assert streams.Stream.even(seed, 1, math.nextafter(first, 1)).all().tolist() == [0]


def test_blocks_join_to_the_whole_stream() -> None:
    ticks = 2 * streams.BLOCK + 12_345
    arrivals = streams.Stream.even(7, ticks, 0.01).all()
    hits = np.flatnonzero(streams.uniforms(7, ticks) < 0.01)
    assert arrivals.tolist() == hits.tolist()
    assert arrivals.dtype == np.int64


def test_certain_arrivals_come_every_tick() -> None:
    assert streams.Stream.even(1, 5, 1.0).all().tolist() == [0, 1, 2, 3, 4]
