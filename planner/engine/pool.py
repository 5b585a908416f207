"""Whole reports on a pool of slots, among tracking jobs that flow through the rest.

Between two events of a report (it arrives, starts, ends) nothing changes for the tracking jobs but their own
arrivals, so the loop visits the events of reports alone; the flow does the rest. Slots of one pool are alike:
which of them holds a job changes no wait. Imports flow.
"""

from __future__ import annotations

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
        self._arrivals: list[int] = [*arrivals.tolist(), NEVER]
        self._lengths: list[int] = sizes.tolist()
        self._ends: list[int] = []
        self._tick = 0

    def run_until(self, stop: int) -> None:
        """Decide every tick before `stop`."""
        flow, ends = self._flow, self._ends
        while self._tick < stop:
            flow.run_until(self._tick)
            while ends and ends[0] == self._tick:
                heappop(ends)
                flow.give()
            self._tick = min(stop, self._start_reports(stop))
        flow.run_until(stop)

    def _start_reports(self, stop: int) -> int:
        """Start the reports whose turn is now; returns the next tick in which to look again, or `stop`.

        Reports start in the order of arrival, so only the first that has not started is looked at.
        """
        flow, ends, tick, rule = self._flow, self._ends, self._tick, self._admission
        while True:
            event = min(ends[0] if ends else NEVER, stop)
            arrival = self._arrivals[len(self.starts)]
            if len(ends) >= rule.most:
                return event
            if arrival > tick:
                return min(arrival, event)
            place = 0
            if not flow.ready():
                place = self._tracking.upto(tick if rule.yields else arrival)
                turn = flow.spare(event) if rule.yields else flow.start_of(place)
                if turn > tick:
                    return min(turn, event)
            flow.take(place)
            heappush(ends, tick + self._lengths[len(self.starts)])
            self.starts.append(tick)
