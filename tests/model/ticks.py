"""The model, tick by tick and slot by slot, as its rules are told: the measure of every faster engine.

Nothing here is shared with `planner`, not even the random streams. Slow on purpose: no step is skipped.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


def splitmix32(seed: int, count: int) -> list[float]:
    """The first `count` draws of a stream."""
    draws = []
    state = seed
    for _ in range(count):
        state = (state + 0x9E3779B9) % 2**32
        z = (state ^ (state >> 16)) * 0x21F0AAAD % 2**32
        z = (z ^ (z >> 15)) * 0x735A2D97 % 2**32
        draws.append((z ^ (z >> 15)) / 2**32)
    return draws


@dataclass
class Job:
    """A job, its arrival, and what is left of it in ticks."""

    arrival: int
    ticks: int
    report: bool
    started: int | None = None
    finished: int | None = None
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = self.ticks


@dataclass
class Seen:
    """What the run shows: ticks throughout."""

    waits: list[int]
    spans: list[int]
    tracking_arrived: int
    reports_arrived: int
    reports_started: int
    tracking_slot_ticks: int
    report_slot_ticks: int


class Pool:
    """Slots in index order, and the lines in front of them."""

    def __init__(
        self, kind: str, slots: int, piece: int | None = None, switch: int = 0, most: int | None = None
    ) -> None:
        self.kind = kind
        self.piece = piece
        self.switch = switch
        self.most = most
        self.left = [0] * slots
        self.job: list[Job | None] = [None] * slots
        self.used = {True: 0, False: 0}
        self.line: deque[Job] = deque()  # one line for all
        self.lines: list[deque[Job]] = [deque() for _ in range(slots)]  # a line a slot
        self.unbound: deque[Job] = deque()  # gpm's global line
        self.cycles = [0] * slots
        self.number = 0

    def arrive(self, job: Job, draw: float, rule: str) -> None:
        """Queue a job that arrives, by the design's way of dispatch."""
        if rule == "none":
            self.line.append(job)
        elif rule == "rr":
            self.lines[self.number % len(self.lines)].append(job)
        elif rule == "random":
            self.lines[int(draw * len(self.lines))].append(job)
        else:
            # A slot whose last tick of service is over in this tick no longer counts the job it held.
            load = [len(line) + (self.left[slot] > 1) for slot, line in enumerate(self.lines)]
            self.lines[load.index(min(load))].append(job)
        self.number += 1

    def tick(self, now: int) -> None:
        """Step 3 of a tick: every slot in index order counts down, and takes a job if it is free."""
        for slot in range(len(self.left)):
            if self.left[slot] > 0:
                self.left[slot] -= 1
            if self.left[slot] == 0:
                self.let_go(slot)
                job = self.choose(slot)
                if job is not None:
                    self.hold(slot, job, now)
            holder = self.job[slot]
            if self.left[slot] > 0 and holder is not None:
                self.used[holder.report] += 1

    def let_go(self, slot: int) -> None:
        """A report that is not done goes back to the tail."""
        job, self.job[slot] = self.job[slot], None
        if job is not None and job.ticks > 0:
            (self.unbound if self.kind == "gpm" else self.line).append(job)

    def hold(self, slot: int, job: Job, now: int) -> None:
        """Start a job, or its next piece."""
        run = job.ticks if self.piece is None or not job.report else min(self.piece, job.ticks)
        job.ticks -= run
        cost = run + (self.switch if job.started is not None else 0)
        if job.started is None:
            job.started = now
        if job.ticks == 0:
            job.finished = now + cost
        self.left[slot] = cost
        self.job[slot] = job

    def choose(self, slot: int) -> Job | None:
        """The job that a free slot takes."""
        if self.kind == "priority":
            first = next((job for job in self.line if not job.report), None) or next(iter(self.line), None)
        elif self.kind == "reserved":
            held = sum(job is not None and job.report for job in self.job)
            first = next((job for job in self.line if not job.report or held < (self.most or 0)), None)
        elif self.kind in ("push", "stealing", "gpm"):
            return self.choose_local(slot)
        else:
            first = next(iter(self.line), None)
        if first is not None:
            self.line.remove(first)
        return first

    def choose_local(self, slot: int) -> Job | None:
        """The job that a free slot with a line of its own takes."""
        mine = self.lines[slot]
        if self.kind == "gpm" and (any(self.lines) or self.unbound):
            self.cycles[slot] += 1
            if self.cycles[slot] % 61 == 0 and self.unbound:
                return self.unbound.popleft()
        if mine:
            return mine.popleft()
        if self.kind == "push":
            return None
        longest = max(self.lines, key=len)
        if longest and self.kind == "stealing":
            return longest.popleft()
        if longest:
            for _ in range((len(longest) + 1) // 2):
                mine.append(longest.popleft())
            return mine.popleft()
        return self.unbound.popleft() if self.unbound else None


def simulate(
    pool: Pool,
    window: int,
    tracking: list[int],
    reports: list[int],
    tracking_ticks: int,
    report_ticks: list[int],
    *,
    rule: str = "none",
    draws: list[float] | None = None,
    workers: Pool | None = None,
) -> Seen:
    """Run a window over given arrival ticks; reports go to `workers` if there are any."""
    short = {tick: Job(tick, tracking_ticks, report=False) for tick in tracking}
    long = {tick: Job(tick, size, report=True) for tick, size in zip(reports, report_ticks, strict=True)}
    dispatch = iter(draws or [0.0] * (len(short) + len(long)))
    for now in range(window):
        if now in short:
            pool.arrive(short[now], next(dispatch), rule)
        if now in long:
            (workers or pool).arrive(long[now], next(dispatch), rule)
        pool.tick(now)
        if workers is not None:
            workers.tick(now)
    return Seen(
        waits=[job.started - job.arrival for job in short.values() if job.started is not None],
        spans=[job.finished - job.arrival for job in long.values() if job.finished is not None],
        tracking_arrived=len(short),
        reports_arrived=len(long),
        reports_started=sum(job.started is not None for job in long.values()),
        tracking_slot_ticks=pool.used[False],
        report_slot_ticks=pool.used[True],
    )
