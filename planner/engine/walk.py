"""Slot by slot, at every tick in which something happens: exact for every design, whatever it does with its jobs.

A heap holds the tick at which each busy slot comes free; in a tick, slots are looked at in index order. A slot
that finds nothing to take is idle until a job joins. While no job waits and a slot is idle, tracking jobs of one
tick pass without a trace, so the walk skips to the next event of a report. Imports the other engine modules.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Generator
from heapq import heapify, heappop, heappush, heapreplace
from typing import TypeVar

import numpy as np

from planner.engine.flow import NEVER
from planner.engine.lines import NOBODY, GoLines, Lines, OneLine, SlotLines, TwoLines
from planner.engine.load import Load, bind
from planner.engine.record import Record
from planner.engine.rules import Outcome, Rules
from planner.engine.tally import Tally

Result = TypeVar("Result")
_BITS = 14
_SLOT = (1 << _BITS) - 1


class Walk:
    """The state of one pool while its window is walked."""

    def __init__(self, rules: Rules, load: Load, record: Record | None = None) -> None:
        self._rules = rules
        self._record = record
        self._window = load.window
        self._stop = load.window  # the tick before which all is decided
        self._job = load.tracking_ticks
        self._tracking: list[int] = [*load.tracking.span(0, load.tracking.total).tolist(), NEVER]
        self._reports: list[int] = [*load.reports.tolist(), NEVER]
        self._rest: list[int] = load.report_ticks.tolist()  # ticks of each report that have not started
        self._finish = [0] * len(self._rest)
        self._held = [0]  # slots that hold a report
        self._holds = [NOBODY] * rules.slots
        self._ends = [0] * rules.slots
        self._heap: list[int] = []
        self._idle = list(range(rules.slots))
        self._next = 0  # tracking jobs that have joined
        self._next_report = 0
        self._lines = self._queue(load)
        self._at_once = 0  # tracking jobs that passed without a wait
        self._waits: list[int] = []  # of all others that started
        self._used = 0  # slot-ticks of reports
        self._used_tracking = self._used_reports = self._left_tracking = self._left_reports = 0  # at the window's end
        conserving = rules.help != "none" or rules.dispatch in ("none", "jsq")
        self._may_skip = self._job == 1 and conserving

    def _queue(self, load: Load) -> Lines:
        rules = self._rules
        if rules.global_every:
            return GoLines(rules, self._ends)
        if rules.dispatch == "random":
            tracking, reports = bind(rules, load)
            every = np.concatenate([load.tracking.span(0, load.tracking.total) * 2, load.reports * 2 + 1])
            order = np.argsort(every, kind="stable")
            return SlotLines(rules, np.concatenate([tracking, reports])[order].tolist(), self._ends)
        if rules.dispatch != "none":
            return SlotLines(rules, None, self._ends)
        if rules.tracking_first or rules.most_reports < rules.slots:
            return TwoLines(rules, self._reports, self._held)
        return OneLine()

    def run_until(self, stop: int) -> None:
        """Decide every tick before `stop`."""
        lines, heap, self._stop = self._lines, self._heap, stop
        while True:
            if lines.waiting and not self._idle:
                self._press()
            elif self._may_skip and not lines.waiting and self._held[0] == len(heap) and self._idle:
                self._skip()
            free = heap[0] >> _BITS if heap else NEVER
            tick = min(self._tracking[self._next], self._reports[self._next_report], free)
            if tick >= stop:
                return
            self._join(tick)
            if self._idle and lines.waiting:
                for slot in lines.wakes(self._idle):
                    self._idle.remove(slot)
                    heappush(heap, tick << _BITS | slot)
            beyond = (tick + 1) << _BITS
            while heap and heap[0] < beyond:
                self._free(heappop(heap) & _SLOT, tick)

    def _join(self, tick: int) -> None:
        """What arrives up to `tick` joins its line, the tracking job first."""
        while (report := self._reports[self._next_report]) <= tick or self._tracking[self._next] <= tick:
            number, arrival = self._next + self._next_report, self._tracking[self._next]
            if arrival <= report:
                self._lines.join(arrival, number, arrival)
                self._next += 1
            else:
                self._lines.join(~self._next_report, number, report)
                self._next_report += 1

    def _free(self, slot: int, tick: int) -> None:
        """`slot` has nothing more to run: what it held goes back to a line or leaves, and it takes its next job."""
        self._leave(slot)
        job = self._lines.take(slot)
        self._holds[slot] = job
        if job == NOBODY:
            insort(self._idle, slot)
            return
        if job < 0:
            end = self._start_report(~job, tick)
        else:
            end = tick + self._job
            self._waits.append(tick - job)
        self._ends[slot] = end
        if self._record is not None:
            self._record.held.append((slot, job, tick, end))
        heappush(self._heap, end << _BITS | slot)

    def _leave(self, slot: int) -> None:
        held = self._holds[slot]
        if NOBODY < held < 0:
            self._held[0] -= 1
            if self._rest[~held]:
                self._lines.rejoin(held)

    def _start_report(self, report: int, tick: int) -> int:
        """Run the next piece of a report; returns the tick at which it ends."""
        self._held[0] += 1
        piece = min(self._rest[report], self._rules.piece)
        self._rest[report] -= piece
        if self._finish[report]:
            piece += self._rules.switch
        self._used += piece
        self._finish[report] = end = tick + piece
        return end

    def _press(self) -> None:
        """The walk's inner loop: while jobs wait and no slot is idle, each slot that comes free takes one at once.

        The same steps as in `run_until`, `_join`, `_free` and `_start_report`, in one place because most events of an
        overloaded pool, and of one that cuts its reports short, pass through here.
        """
        lines, heap, holds, ends, waits = self._lines, self._heap, self._holds, self._ends, self._waits
        rest, finish, piece_ticks, switch = self._rest, self._finish, self._rules.piece, self._rules.switch
        held = None if self._record is None else self._record.held
        take, rejoin, job_ticks, last = lines.take, lines.rejoin, self._job, self._stop << _BITS
        arrival, report = self._tracking[self._next], self._reports[self._next_report]
        while lines.waiting:
            key = heap[0]
            if key >= last:
                return
            tick, slot = key >> _BITS, key & _SLOT
            if arrival <= tick or report <= tick:
                self._join(tick)
                arrival, report = self._tracking[self._next], self._reports[self._next_report]
            if holds[slot] < 0:
                self._held[0] -= 1
                if rest[~holds[slot]]:
                    rejoin(holds[slot])
            job = holds[slot] = take(slot)
            if job >= 0:
                waits.append(tick - job)
                end = tick + job_ticks
            elif job != NOBODY:
                self._held[0] += 1
                piece = min(rest[~job], piece_ticks)
                rest[~job] -= piece
                end = tick + piece + (switch if finish[~job] else 0)
                self._used += end - tick
                finish[~job] = end
            else:
                heappop(heap)
                insort(self._idle, slot)
                return
            ends[slot] = end
            if held is not None:
                held.append((slot, job, tick, end))
            heapreplace(heap, end << _BITS | slot)

    def _skip(self) -> None:
        """Pass over what changes nothing while no job waits, a slot is idle and the rest hold reports.

        A piece that ends takes its own slot again, unless a tracking job arrives in that very tick and finds no
        idle slot below it; then, or when a report arrives or starts its last piece, the walk must look.
        """
        stride = self._rules.piece + self._rules.switch
        lowest = self._idle[0]
        limit = min(self._reports[self._next_report], self._stop)
        for key in self._heap:
            end, slot = key >> _BITS, key & _SLOT
            left = -(-self._rest[~self._holds[slot]] // self._rules.piece)  # pieces after the one that runs
            limit = min(limit, end + max(0, left - 1) * stride)
            if slot < lowest and left:
                limit = self._first_meeting(end, stride, limit)
        passing = bisect_left(self._tracking, limit, self._next)
        if passing > self._next:
            count = passing - self._next
            self._lines.passed(lowest, count)
            self._at_once += count
            if self._record is not None:
                self._record.passed.append((lowest, self._next, passing))
            self._next = passing
        if self._heap and self._heap[0] >> _BITS < limit:
            self._heap[:] = [self._advance(key, stride, limit) for key in self._heap]
            heapify(self._heap)

    def _first_meeting(self, end: int, stride: int, limit: int) -> int:
        """The first of `end`, `end + stride`, ... in which a tracking job arrives, or `limit` if that comes first."""
        place = self._next
        while end < limit:
            place = bisect_left(self._tracking, end, place)
            if self._tracking[place] == end:
                return end
            end += stride
        return limit

    def _advance(self, key: int, stride: int, limit: int) -> int:
        """Run the pieces of a slot that end before `limit`, and start the one after them."""
        end, slot = key >> _BITS, key & _SLOT
        pieces = -(-(limit - end) // stride) if end < limit else 0
        if not pieces:
            return key
        report = ~self._holds[slot]
        self._rest[report] -= pieces * self._rules.piece
        self._used += pieces * stride
        self._lines.passed(slot, pieces)
        if self._record is not None:
            self._record.held.extend((slot, ~report, end + n * stride, end + (n + 1) * stride) for n in range(pieces))
        end += pieces * stride
        self._finish[report] = self._ends[slot] = end
        return end << _BITS | slot

    def close(self) -> None:
        """The window ends now: note what is in service and what is left."""
        over = [(held, end - self._window) for held, end in zip(self._holds, self._ends, strict=True)]
        tracking = [ticks for held, ticks in over if held >= 0 and ticks > 0]
        started = self._at_once + len(self._waits)
        self._used_tracking = started * self._job - sum(tracking)
        self._used_reports = self._used - sum(max(0, ticks) for held, ticks in over if held < 0)
        self._left_tracking = len(self._tracking) - 1 - started + len(tracking)
        finished = sum(
            not rest and finish <= self._window for rest, finish in zip(self._rest, self._finish, strict=True)
        )
        self._left_reports = len(self._rest) - finished

    def outcome(self) -> Outcome:
        """What happened, once everything has been decided."""
        tally = Tally()
        tally.add(np.array(self._waits, dtype=np.int64))
        finish = np.array(self._finish, dtype=np.int64)
        done = (finish > 0) & (np.array(self._rest, dtype=np.int64) == 0)
        arrival = np.array(self._reports[:-1], dtype=np.int64)
        return Outcome(
            len(self._tracking) - 1,
            self._at_once + len(self._waits),
            *tally.counted(),
            len(arrival),
            int((finish > 0).sum(dtype=np.int64)),
            (finish - arrival)[done],
            self._used_tracking,
            self._used_reports,
            self._left_tracking,
            self._left_reports,
        )


def finish(steps: Generator[None, None, Result]) -> Result:
    """What work that comes in slices returns at its end, without heeding its pauses."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def walk(rules: Rules, load: Load, record: Record | None = None) -> Outcome:
    """The outcome of the window of `load` under `rules`; a `record` is filled with who held which slot when."""
    return finish(walk_in_slices(rules, load, record, 1))


def walk_in_slices(rules: Rules, load: Load, record: Record | None, slices: int) -> Generator[None, None, Outcome]:
    """`walk`, with a pause after each of `slices` parts of the window."""
    state = Walk(rules, load, record)
    for n in range(1, slices + 1):
        state.run_until(load.window * n // slices)
        yield
    state.close()
    state.run_until(load.horizon)
    return state.outcome()
