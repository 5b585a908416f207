"""The random streams: splitmix32 draws, and the arrivals that they decide.

Draw n of a stream depends on n alone, so any block of a stream is one NumPy expression and can be made again
whenever it is wanted. All arithmetic is on unsigned 32-bit integers: every machine gives the same bits.
Imports NumPy only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ticks = NDArray[np.int64]

GOLDEN_GAMMA = 0x9E3779B9
BLOCK = 1 << 20
"""Ticks a block: the unit in which arrivals are drawn and forgotten."""
_LANE = 1 << 14
"""Draws made at once: four such buffers stay in a core's first caches."""
_MASK = 0xFFFFFFFF
_STEPS = np.arange(1, _LANE + 1, dtype=np.uint32) * np.uint32(GOLDEN_GAMMA)


def draws(seed: int, first: int, count: int) -> NDArray[np.uint32]:
    """Draws `first` to `first + count - 1` (from 0) of the stream `seed`, each times 2^32.

    splitmix32: with a = seed + (n + 1) * 0x9e3779b9 modulo 2^32, draw n is
    z = (a ^ a >> 16) * 0x21f0aaad; z = (z ^ z >> 15) * 0x735a2d97; z ^ z >> 15.
    """
    out = np.empty(count, np.uint32)
    spare = np.empty(min(count, _LANE), np.uint32)
    for start in range(0, count, _LANE):
        z = out[start : start + _LANE]
        _mix(seed, first + start, z, spare[: len(z)])
    return out


def _mix(seed: int, first: int, z: NDArray[np.uint32], spare: NDArray[np.uint32]) -> None:
    offset = np.uint32((seed + first * GOLDEN_GAMMA) & _MASK)
    np.add(_STEPS[: len(z)], offset, out=z)
    for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
        np.right_shift(z, np.uint32(shift), out=spare)
        np.bitwise_xor(z, spare, out=z)
        np.multiply(z, np.uint32(factor), out=z)
    np.right_shift(z, np.uint32(15), out=spare)
    np.bitwise_xor(z, spare, out=z)


def uniforms(seed: int, count: int) -> NDArray[np.float64]:
    """The first `count` draws of the stream `seed`, in [0, 1)."""
    return draws(seed, 0, count) / np.float64(2**32)


@dataclass(frozen=True, slots=True)
class Stream:
    """Bernoulli arrivals, one chance a tick.

    Parameters
    ----------
    seed
        State of the stream before its first draw, 0 to 2^32 - 1.
    ticks
        Length of the window.
    steps
        The chance of an arrival a tick, piece by piece: the tick before which each piece ends, ascending to `ticks`,
        and its chance.
    """

    seed: int
    ticks: int
    steps: tuple[tuple[int, float], ...]

    @classmethod
    def even(cls, seed: int, ticks: int, probability: float) -> Stream:
        """The stream with the same chance in every tick."""
        return cls(seed, ticks, ((ticks, probability),))

    def block(self, index: int) -> Ticks:
        """The ticks of block `index` (`BLOCK` ticks, the last one fewer) in which there is an arrival, ascending."""
        first = index * BLOCK
        count = min(BLOCK, self.ticks - first)
        hits = np.empty(count, np.bool_)
        z, spare = np.empty((2, min(count, _LANE)), np.uint32)
        for start in range(0, count, _LANE):
            size = min(_LANE, count - start)
            _mix(self.seed, first + start, z[:size], spare[:size])
            self._decide(first + start, z[:size], hits[start : start + size])
        return np.flatnonzero(hits).astype(np.int64) + np.int64(first)

    def _decide(self, first: int, z: NDArray[np.uint32], hits: NDArray[np.bool_]) -> None:
        """Whether each draw of the ticks from `first` on is an arrival."""
        start = 0
        for end, probability in self.steps:
            stop = min(end - first, len(z))
            if stop > start:
                # draw / 2^32 < p is z < p * 2^32, exactly: scaling by a power of two does not round.
                threshold = math.ceil(probability * 2**32)
                if threshold > _MASK:
                    hits[start:stop] = True
                else:
                    np.less(z[start:stop], np.uint32(threshold), out=hits[start:stop])
                start = stop

    @property
    def blocks(self) -> int:
        """Number of blocks in the window."""
        return -(-self.ticks // BLOCK)

    def all(self) -> Ticks:
        """Every arrival of the window."""
        parts: Iterator[Ticks] = (self.block(index) for index in range(self.blocks))
        return np.concatenate([np.empty(0, np.int64), *parts])
