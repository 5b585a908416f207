"""Tracking jobs through the slots that no report holds, as whole runs instead of one by one.

Tracking jobs are equal and leave in the order they came, so while the number k of their slots stays the same,

    start_i = max(arrival_i, start_(i-k) + s)

for jobs of s ticks. `UnitFlow` solves it in closed form for s = 1, `RingFlow` as one running maximum per residue
class modulo k for any s. Both answer the two questions a report asks: when does a slot come free for a job at
this place of the queue, and when is a slot left over. Imports NumPy, tally and timeline.
"""

from __future__ import annotations

from bisect import insort
from typing import Protocol

import numpy as np

from planner.engine.tally import Tally
from planner.engine.timeline import Ticks, Timeline

NEVER = 1 << 62
_AT_ONCE = 1 << 18
"""Jobs worked out at once: it bounds the memory of a run."""


class Flow(Protocol):
    """Tracking jobs on the slots that reports leave them; `now` is the tick about to be decided."""

    slots: int

    @property
    def started(self) -> int:
        """Number of tracking jobs that have started."""

    def run_until(self, tick: int) -> None:
        """Start all tracking jobs that start before `tick`, and make it now."""

    def ready(self) -> bool:
        """Whether a report may surely `take` a slot now, whatever its place: none waits and two slots are free."""

    def start_of(self, place: int) -> int:
        """The tick in which a job behind the first `place` tracking jobs gets a slot; all of those have arrived."""

    def spare(self, limit: int) -> int:
        """The first tick, from now on, in which a slot is left when every waiting tracking job has started.

        A tick beyond `limit` may be answered with any other tick beyond it.
        """

    def take(self, place: int) -> None:
        """A report takes a slot now, behind the first `place` tracking jobs."""

    def give(self) -> None:
        """A slot that a report held comes free now."""

    def beyond(self) -> list[int]:
        """For each job in service, the ticks that it will hold its slot from now on."""

    def waits(self) -> Tally:
        """The waits of all jobs that have started."""


class UnitFlow:
    """The flow of jobs of one tick (s = 1).

    At most one job arrives a tick, so max(arrival_i, base + (i - first) // k) solves the recursion from `base` on:
    the waits of a run need nothing but its four numbers, which are noted and worked out together later. And while
    no job waits and a slot is left, every job starts as it comes: then not even their number is kept up.
    """

    def __init__(self, timeline: Timeline, slots: int) -> None:
        self.slots = slots
        self._left = slots  # slots not yet used in the tick `_now`
        self._now = 0
        self._started = 0
        self._clear = True  # no job waits from before `_now`, and `_started` is not kept up
        self._timeline = timeline
        self._runs: list[tuple[int, int, int, int]] = []  # first job, end, tick of the first, slots
        self._noted = 0
        self._tally = Tally()

    @property
    def started(self) -> int:
        """Number of tracking jobs that have started."""
        if self._clear:
            self._started = self._timeline.upto(self._now - 1)
            self._clear = False
        return self._started

    def run_until(self, tick: int) -> None:
        if tick <= self._now:
            return
        if not (self._clear and self._left and self.slots):
            self._run_until(tick)
        self._now, self._left = tick, self.slots

    def _run_until(self, tick: int) -> None:
        upto, now = self._timeline.upto, self._now
        here = upto(now)
        self._start(min(self.started + self._left, here), now, max(self._left, 1))
        last = upto(tick - 1)
        end = min(self._started + self.slots * (tick - now - 1), last)
        if here > self._started:
            self._start(end, now + 1, max(self.slots, 1))
        else:
            self._started = end
        self._clear = end == last

    def ready(self) -> bool:
        return self._clear and self._left > 1

    def start_of(self, place: int) -> int:
        over = place - self.started - self._left
        if over < 0:
            return self._now
        return self._now + 1 + over // self.slots if self.slots else NEVER

    def spare(self, limit: int) -> int:
        upto, now, behind = self._timeline.upto, self._now, self.started + self._left
        if upto(now) < behind:
            return now
        if not self.slots:
            return NEVER
        # The least t with left + slots * (t - now) > arrivals until t - started, from below.
        ticks, before = 0, -1
        while ticks != before and now + ticks <= limit:
            before = ticks
            ticks = (upto(min(now + ticks, self._timeline.window - 1)) - behind) // self.slots + 1
        return now + ticks

    def take(self, place: int) -> None:
        if not self.ready() and place > self.started:
            self._left -= place - self._started
            self._start(place, self._now, self.slots)
        self._left -= 1
        self.slots -= 1

    def give(self) -> None:
        self._left += 1
        self.slots += 1

    def beyond(self) -> list[int]:
        return []

    def waits(self) -> Tally:
        self._settle()
        return self._tally

    def _start(self, end: int, base: int, slots: int) -> None:
        first = self._started
        if end > first:
            self._runs.append((first, end, base, slots))
            self._started = end
            self._noted += end - first
            if self._noted > _AT_ONCE:
                self._settle()

    def _settle(self) -> None:
        if self._runs:
            runs = np.array(self._runs, dtype=np.int64)
            first, end, base, slots = runs.T
            size = end - first
            times = size.astype(np.intp)  # the only integer type that repeat takes where pointers have 32 bits
            low, high = int(first[0]), int(end[-1])
            # Job numbers of all runs in one array, and for each the number of its run.
            offset = np.cumsum(size, dtype=np.int64) - size
            place = np.arange(int(size.sum(dtype=np.int64)), dtype=np.int64) - np.repeat(offset, times)
            arrival = self._timeline.span(low, high)[place + np.repeat(first - low, times)]
            start = np.repeat(base, times) + place // np.repeat(slots, times)
            self._tally.add(start - arrival)
        self._runs, self._noted = [], 0


class RingFlow:
    """The flow of jobs of any length s; the ring is the ticks at which the slots come free, ascending."""

    def __init__(self, timeline: Timeline, slots: int, job_ticks: int) -> None:
        self.started = 0
        self.slots = slots
        self._job = job_ticks
        self._ring = [0] * slots
        self._now = 0
        self._timeline = timeline
        self._tally = Tally()

    def run_until(self, tick: int) -> None:
        arrived = self._timeline.upto(tick - 1)
        most = self.slots * ((tick - self._now) // self._job + 2)
        while self.slots and self.started < arrived:
            end = min(arrived, self.started + min(most, _AT_ONCE))
            self._serve(end, tick)
            if self.started < end:
                break
        self._now = max(self._now, tick)

    def ready(self) -> bool:
        return False

    def start_of(self, place: int) -> int:
        if not self.slots:
            return NEVER
        round_, slot = divmod(max(0, place - self.started), self.slots)
        return max(self._now, self._ring[slot]) + round_ * self._job

    def spare(self, limit: int) -> int:
        if not self.slots:
            return NEVER
        total, ahead = self._timeline.upto(min(limit, self._timeline.window - 1)), 64
        while True:
            end = min(total, self.started + ahead)
            arrival = self._timeline.span(self.started, end)
            free = self._free(arrival, self._starts(arrival))[: len(arrival) + 1]
            free = np.maximum(free, self._now)
            idle = np.flatnonzero(free[:-1] < arrival)
            if len(idle):
                return int(free[int(idle[0])])
            if end == total:
                return int(free[-1])
            ahead *= 4

    def take(self, place: int) -> None:
        if place > self.started:
            self._serve(place, self._now + 1)
        self._ring.pop(0)
        self.slots -= 1

    def give(self) -> None:
        insort(self._ring, self._now)
        self.slots += 1

    def beyond(self) -> list[int]:
        return [free - self._now for free in self._ring if free > self._now]

    def waits(self) -> Tally:
        return self._tally

    def _serve(self, end: int, before: int) -> None:
        """Start the jobs up to `end` that start before the tick `before`."""
        arrival = self._timeline.span(self.started, end)
        start = self._starts(arrival)
        count = int(np.searchsorted(start, before))
        self._tally.add(start[:count] - arrival[:count])
        self._ring = self._free(arrival, start)[count : count + self.slots].tolist()
        self.started += count

    def _starts(self, arrival: Ticks) -> Ticks:
        """start_i = max(arrival_i, start_(i-k) + s): a running maximum of arrival - row * s in each column."""
        k, count = self.slots, len(arrival)
        rows = -(-count // k)
        shift = np.arange(rows, dtype=np.int64)[:, None] * np.int64(self._job)
        chain = np.zeros(rows * k, np.int64)
        chain[:count] = arrival
        chain = chain.reshape(rows, k) - shift
        if rows:
            np.maximum(chain[0], np.array(self._ring, dtype=np.int64), out=chain[0])
        np.maximum.accumulate(chain, axis=0, out=chain)
        return np.asarray(chain + shift).ravel()[:count]

    def _free(self, arrival: Ticks, start: Ticks) -> Ticks:
        """The ring and then, job by job, the tick at which the slot of each comes free: entry i serves job i."""
        return np.concatenate([np.array(self._ring, dtype=np.int64), start + np.int64(self._job)])
