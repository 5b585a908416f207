"""Who held which slot, and when: a walk's diary, as arrays. Imports timeline."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from planner.engine.timeline import Ticks


@dataclass(slots=True)
class Record:
    """What a walk notes while it runs.

    Parameters
    ----------
    held
        (slot, job, start, end) of each job or piece: a tracking job is its arrival tick, a report is ``~number``.
    passed
        (slot, first, end): the tracking jobs `first` to `end - 1`, by number, each held `slot` in the tick it came.
    """

    held: list[tuple[int, int, int, int]] = field(default_factory=list)
    passed: list[tuple[int, int, int]] = field(default_factory=list)

    def tracking(self, arrivals: Ticks) -> Ticks:
        """Rows (slot, arrival, start, end) of all started tracking jobs of one tick or more, by arrival."""
        rows = np.array([row for row in self.held if row[1] >= 0], dtype=np.int64).reshape(-1, 4)
        parts = [rows]
        for slot, first, end in self.passed:
            tick = arrivals[first:end]
            parts.append(np.stack([np.full(len(tick), slot, np.int64), tick, tick, tick + 1], axis=1))
        every = np.concatenate(parts)
        return np.asarray(every[np.argsort(every[:, 1], kind="stable")])

    def reports(self) -> Ticks:
        """Rows (slot, report, start, end) of all pieces of reports, in the order of their start."""
        rows = [(slot, ~job, start, end) for slot, job, start, end in self.held if job < 0]
        pieces = np.array(rows, dtype=np.int64).reshape(-1, 4)
        return np.asarray(pieces[np.lexsort((pieces[:, 0], pieces[:, 2]))])
