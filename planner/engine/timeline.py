"""Arrivals of one class of jobs: by job number, by tick, a block at a time.

Blocks are made when they are asked for and forgotten soon after, so a timeline needs no memory that grows with
the window. Imports NumPy only.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ticks = NDArray[np.int64]
_KEPT = 8


class Timeline:
    """Arrival ticks, ascending, at most one a tick.

    Parameters
    ----------
    window
        Length of the window in ticks.
    block
        Ticks a block.
    make
        The arrivals of the block with a given index; pure, because a block may be made more than once.
    """

    def __init__(self, window: int, block: int, make: Callable[[int], Ticks]) -> None:
        self.window = window
        self._block = block
        self._make = make
        self._before = [0]
        self._last = -1  # the block that `upto` looked into last, and its arrivals
        self._listed: list[int] = []
        self._kept: OrderedDict[int, tuple[Ticks, list[int]]] = OrderedDict()

    @classmethod
    def of(cls, window: int, arrivals: Ticks) -> Timeline:
        """A timeline of arrivals that are already in memory."""
        return cls(window, max(window, 1), lambda _: arrivals)

    def upto(self, tick: int) -> int:
        """Number of arrivals in the ticks 0 to `tick`; `tick` may be -1."""
        if tick < 0:
            return 0
        index = min(tick, self.window - 1) // self._block
        if index != self._last:
            self._listed = self._get(index)[1]
            self._last = index
        return self._before[index] + bisect_right(self._listed, tick)

    @property
    def total(self) -> int:
        """Number of arrivals in the window."""
        return self.upto(self.window - 1)

    def span(self, first: int, last: int) -> Ticks:
        """Arrival ticks of the jobs `first` to `last - 1`, which must have been counted by `upto` before."""
        index = bisect_right(self._before, first) - 1
        parts = []
        while first < last:
            ticks, _ = self._get(index)
            start = self._before[index]
            parts.append(ticks[first - start : last - start])
            first = min(last, start + len(ticks))
            index += 1
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int64), *parts])

    def _get(self, index: int) -> tuple[Ticks, list[int]]:
        kept = self._kept.get(index)
        if kept is None:
            while len(self._before) <= index:
                self._get(len(self._before) - 1)
            ticks = self._make(index)
            kept = self._kept[index] = (ticks, ticks.tolist())
            if len(self._before) == index + 1:
                self._before.append(self._before[index] + len(ticks))
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return kept
