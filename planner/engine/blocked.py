"""Does any tracking job wait too long? Answered without counting the jobs that cannot.

While a slot is left that no report holds, a tracking job of one tick starts as it comes, for at most one comes a
tick. So tracking jobs matter only from the moment in which reports hold all slots until the backlog of that moment
has gone, and only there are their arrivals asked for. The answer is that of `run.simulate`, which the tests hold it
to. Imports the standard library only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from heapq import heappop, heappush

Between = Callable[[int, int], Sequence[int]]


class Blocked:
    """Reports and tracking jobs of one tick on one pool of slots.

    Parameters
    ----------
    slots, tracking_first
        The pool: one FIFO for both classes, or two of which tracking goes first.
    reports, lengths
        Arrival tick, ascending, and length in ticks of each report.
    tracking
        The arrivals of tracking jobs from one tick until before another, ascending.
    horizon
        The tick from which on no job starts.
    """

    def __init__(
        self,
        slots: int,
        tracking_first: bool,
        reports: Sequence[int],
        lengths: Sequence[int],
        tracking: Between,
        horizon: int,
    ) -> None:
        self._slots = slots
        self._tracking_first = tracking_first
        self._reports = reports
        self._lengths = lengths
        self._between = tracking
        self._horizon = horizon
        self._next = 0  # reports that have joined
        self._ends: list[int] = []  # of the reports in service
        self._waiting: deque[int] = deque()  # arrival ticks of tracking jobs
        self._waiting_reports: deque[int] = deque()  # numbers of reports

    def any_wait_beyond(self, limit: int) -> bool:
        """Whether a tracking job that starts waits more than `limit` ticks."""
        while self._next < len(self._reports):
            tick = self._reports[self._next]
            self._free(tick)
            if len(self._ends) < self._slots - 1:
                heappush(self._ends, tick + self._lengths[self._next])
                self._next += 1
            elif self._any_beyond_from(tick, limit):
                return True
        return False

    def _any_beyond_from(self, tick: int, limit: int) -> bool:
        """The same, from a `tick` without a backlog until the next one in which nobody waits and a slot is left."""
        joined = tick
        while tick < self._horizon:
            self._waiting.extend(self._between(joined, tick + 1))
            joined = tick + 1
            self._join_reports(tick)
            if self._serve(tick, limit):
                return True
            if len(self._ends) == self._slots:
                tick = self._ends[0]
            elif self._waiting or self._waiting_reports:
                tick += 1
            else:
                return False
            self._free(tick)
        self._next = len(self._reports)
        return False

    def _free(self, tick: int) -> None:
        while self._ends and self._ends[0] <= tick:
            heappop(self._ends)

    def _join_reports(self, tick: int) -> None:
        while self._next < len(self._reports) and self._reports[self._next] <= tick:
            self._waiting_reports.append(self._next)
            self._next += 1

    def _serve(self, tick: int, limit: int) -> bool:
        """Start what may start in `tick`; whether one of the jobs has waited more than `limit`."""
        for _ in range(self._slots - len(self._ends)):
            if self._turn_of_report():
                heappush(self._ends, tick + self._lengths[self._waiting_reports.popleft()])
            elif not self._waiting:
                break
            elif tick - self._waiting.popleft() > limit:
                return True
        return False

    def _turn_of_report(self) -> bool:
        if not self._waiting_reports or not self._waiting:
            return bool(self._waiting_reports)
        return not self._tracking_first and self._reports[self._waiting_reports[0]] < self._waiting[0]
