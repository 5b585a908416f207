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


def run_reports(
    flow: Flow, tracking: Timeline, arrivals: Ticks, sizes: Ticks, window: int, admission: Admission
) -> list[int]:
    """Run the window; return the start tick of every report that started, in the order of arrival.

    Parameters
    ----------
    flow
        The tracking jobs and the slots, at tick 0.
    tracking
        The same tracking jobs by tick.
    arrivals, sizes
        Arrival tick and length in ticks of each report.
    window
        Length of the window in ticks; what has not started by then does not start.
    admission
        The design's rule.
    """
    starts: list[int] = []
    ends: list[int] = []
    waiting: deque[int] = deque()  # the place of each waiting report: tracking jobs that came before it
    pending = iter(arrivals.tolist())
    lengths: list[int] = sizes.tolist()
    following = next(pending, NEVER)
    tick = 0
    while tick < window:
        flow.run_until(tick)
        while ends and ends[0] == tick:
            heappop(ends)
            flow.give()
        if following == tick:
            waiting.append(tracking.upto(tick))
            following = next(pending, NEVER)
        event = min(following, ends[0] if ends else NEVER, window)
        while waiting and len(ends) < admission.most:
            turn = flow.spare(event) if admission.yields else flow.start_of(waiting[0])
            if turn > tick:
                event = min(event, turn)
                break
            place = waiting.popleft()
            flow.take(tracking.upto(tick) if admission.yields else place)
            end = tick + lengths[len(starts)]
            starts.append(tick)
            heappush(ends, end)
            event = min(event, end)
        tick = event
    flow.run_until(window)
    return starts
