"""Waits counted and not stored: how many jobs waited, and for how long. Imports NumPy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ticks = NDArray[np.int64]
_LOOSE = 1 << 21


class Tally:
    """A growing count of waits in ticks; its memory follows the number of different waits."""

    def __init__(self) -> None:
        self._values = np.empty(0, np.int64)
        self._counts = np.empty(0, np.int64)
        self._loose: list[Ticks] = []
        self._size = 0

    def add(self, waits: Ticks) -> None:
        """Count `waits`; zeros are dropped, the caller knows the number of jobs."""
        waits = waits[waits > 0]
        if len(waits):
            self._loose.append(waits)
            self._size += len(waits)
        if self._size > _LOOSE:
            self._settle()

    def counted(self) -> tuple[Ticks, Ticks]:
        """The different waits above zero, ascending, and how many jobs had each."""
        self._settle()
        return self._values, self._counts

    def _settle(self) -> None:
        if not self._loose:
            return
        values, counts = np.unique(np.concatenate(self._loose), return_counts=True)
        counts = counts.astype(np.int64)
        self._loose, self._size = [], 0
        if len(self._values):
            every = np.concatenate([self._values, values])
            values, places = np.unique(every, return_inverse=True)
            merged = np.zeros(len(values), np.int64)
            np.add.at(merged, places, np.concatenate([self._counts, counts]))
            counts = merged
        self._values, self._counts = values, counts
