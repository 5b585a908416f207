"""Whole reports on a pool of slots, among tracking jobs that flow through the rest.

Between two events of a report (it arrives, starts, ends) nothing changes for the tracking jobs but their own
arrivals, so the loop visits the events of reports alone; the flow does the rest. Slots of one pool are alike:
which of them holds a job changes no wait. Imports flow.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush

from planner.engine.flow import NEVER, Flow
from planner.engine.timeline import Ticks, Timeline


@dataclass(frozen=True, slots=True)
class Admission:
    """When a waiting report may take a slot.

    Parameters
    ----------
    yields
        True: only when no tracking job waits (priority). False: when it is its turn among all jobs (FIFO).
    most
        Most slots that reports may hold at once.
    """

    yields: bool = False
    most: int = NEVER


class Pool:
    """Reports and tracking jobs on one pool of slots.

    Parameters
    ----------
    flow
        The tracking jobs and the slots, at tick 0.
    tracking
        The same tracking jobs by tick.
    arrivals, sizes
        Arrival tick and length in ticks of each report.
    admission
        The design's rule.
    """

    def __init__(self, flow: Flow, tracking: Timeline, arrivals: Ticks, sizes: Ticks, admission: Admission) -> None:
        self.starts: list[int] = []  # start tick of each report, in the order of arrival
        self._flow = flow
        self._tracking = tracking
        self._admission = admission
        self._pending = iter(arrivals.tolist())
        self._following: int = next(self._pending, NEVER)
        self._lengths: list[int] = sizes.tolist()
        self._ends: list[int] = []
        self._waiting: deque[int] = deque()  # the place of each waiting report: tracking jobs that came before it
        self._tick = 0

    def run_until(self, stop: int) -> None:
        """Decide every tick before `stop`."""
        flow, ends = self._flow, self._ends
        while self._tick < stop:
            tick = self._tick
            flow.run_until(tick)
            while ends and ends[0] == tick:
                heappop(ends)
                flow.give()
            if self._following == tick:
                self._waiting.append(self._tracking.upto(tick))
                self._following = next(self._pending, NEVER)
            self._tick = self._start_reports(min(stop, self._following))
        flow.run_until(stop)

    def _start_reports(self, event: int) -> int:
        """Start the reports whose turn is now; returns the next tick, `event` at the latest, in which to look again."""
        flow, ends, tick, rule = self._flow, self._ends, self._tick, self._admission
        event = min(event, ends[0] if ends else NEVER)
        while self._waiting and len(ends) < rule.most:
            turn = flow.spare(event) if rule.yields else flow.start_of(self._waiting[0])
            if turn > tick:
                return min(event, turn)
            place = self._waiting.popleft()
            flow.take(self._tracking.upto(tick) if rule.yields else place)
            end = tick + self._lengths[len(self.starts)]
            self.starts.append(tick)
            heappush(ends, end)
            event = min(event, end)
        return event
