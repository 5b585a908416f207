"""Where jobs wait, and which of them a free slot takes: one class a way of queueing.

A tracking job is its arrival tick, a report is ``~number``; so a report is below zero. Imports rules and timeline.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from planner.engine.rules import Rules

NOBODY = -(1 << 62)
"""Stands for 'no job': neither a tick nor the complement of a report's number."""


class Lines(Protocol):
    """The waiting jobs of a pool. `waiting` counts them."""

    waiting: int

    def join(self, job: int, number: int, tick: int) -> None:
        """`job`, the `number`-th arrival of all (from 0), joins at `tick`."""

    def rejoin(self, job: int) -> None:
        """A report that was cut goes to the tail."""

    def take(self, slot: int) -> int:
        """The job that `slot`, being free, takes; NOBODY if there is none for it."""

    def wakes(self, idle: Sequence[int]) -> list[int]:
        """Of the idle slots, ascending, those that must look again because a job has joined."""

    def passed(self, slot: int, count: int) -> None:
        """`slot` took `count` jobs, one at a time, while nothing else was waiting."""


class OneLine:
    """One FIFO for all slots."""

    def __init__(self) -> None:
        self.waiting = 0
        self._jobs: deque[int] = deque()

    def join(self, job: int, number: int, tick: int) -> None:
        self._jobs.append(job)
        self.waiting += 1

    def rejoin(self, job: int) -> None:
        self._jobs.append(job)
        self.waiting += 1

    def take(self, slot: int) -> int:
        if not self.waiting:
            return NOBODY
        self.waiting -= 1
        return self._jobs.popleft()

    def wakes(self, idle: Sequence[int]) -> list[int]:
        return list(idle[: self.waiting])

    def passed(self, slot: int, count: int) -> None:
        pass


class TwoLines(OneLine):
    """A FIFO for each class: the tracking line goes first, or the earlier arrival does while reports may start."""

    def __init__(self, rules: Rules, reports: Sequence[int], held: list[int]) -> None:
        super().__init__()
        self._rules = rules
        self._arrival = reports
        self._held = held
        self._reports: deque[int] = deque()

    def join(self, job: int, number: int, tick: int) -> None:
        (self._jobs if job >= 0 else self._reports).append(job)
        self.waiting += 1

    def rejoin(self, job: int) -> None:
        self.join(job, 0, 0)

    def take(self, slot: int) -> int:
        jobs = self._reports if self._report_turn() else self._jobs
        if not jobs:
            return NOBODY
        self.waiting -= 1
        return jobs.popleft()

    def _report_turn(self) -> bool:
        if not self._reports or self._held[0] >= self._rules.most_reports:
            return False
        if not self._jobs:
            return True
        return not self._rules.tracking_first and self._arrival[~self._reports[0]] < self._jobs[0]


class SlotLines:
    """A FIFO a slot, bound at arrival; a slot without work may be allowed to help another."""

    def __init__(self, rules: Rules, binding: Sequence[int] | None, ends: Sequence[int]) -> None:
        self.waiting = 0
        self._rules = rules
        self._binding = binding
        self._ends = ends
        self._lines: list[deque[int]] = [deque() for _ in range(rules.slots)]

    def join(self, job: int, number: int, tick: int) -> None:
        if self._binding is not None:
            slot = self._binding[number]
        elif self._rules.dispatch == "jsq":
            slot = self._shortest(tick)
        else:
            slot = number % self._rules.slots
        self._lines[slot].append(job)
        self.waiting += 1

    def rejoin(self, job: int) -> None:
        raise AssertionError("a design that cuts jobs has one line, or a global line beside the slots' own")

    def take(self, slot: int) -> int:
        line = self._lines[slot]
        if not line:
            if self._rules.help == "none" or not self.waiting:
                return NOBODY
            line = max(self._lines, key=len)
        self.waiting -= 1
        return line.popleft()

    def wakes(self, idle: Sequence[int]) -> list[int]:
        if self._rules.help == "none":
            return [slot for slot in idle if self._lines[slot]]
        return list(idle[: self.waiting])

    def passed(self, slot: int, count: int) -> None:
        pass

    def _shortest(self, tick: int) -> int:
        loads = [len(line) + (end > tick) for line, end in zip(self._lines, self._ends, strict=True)]
        return loads.index(min(loads))


class GoLines(SlotLines):
    """Local lines and one global line for cut reports, taken as Go's scheduler takes them."""

    def __init__(self, rules: Rules, ends: Sequence[int]) -> None:
        super().__init__(rules, None, ends)
        self._global: deque[int] = deque()
        self._cycles = [0] * rules.slots

    def rejoin(self, job: int) -> None:
        self._global.append(job)
        self.waiting += 1

    def take(self, slot: int) -> int:
        if not self.waiting:
            return NOBODY
        self.waiting -= 1
        self._cycles[slot] += 1
        if self._global and self._cycles[slot] % self._rules.global_every == 0:
            return self._global.popleft()
        mine = self._lines[slot]
        if mine:
            return mine.popleft()
        longest = max(self._lines, key=len)
        if not longest:
            return self._global.popleft()
        mine.extend([longest.popleft() for _ in range((len(longest) + 1) // 2)])
        return mine.popleft()

    def passed(self, slot: int, count: int) -> None:
        self._cycles[slot] += count
