"""The simulation of a supervised pool: who took which job when, and what crashed.

Owns the run, event by event, in whole multiples of one exact unit of time.
Streams: seed + 4 decides crashes (one draw an attempt, in the order of starts), seed + 5 jitter (one a requeue).
Imports exactly and streams.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from planner import streams
from planner.ops import exactly

CRASH_STREAM, JITTER_STREAM = 4, 5
_DRAWN = 4096
_RETURN, _ACT = 0, 1


@dataclass(frozen=True, slots=True)
class Rules:
    """A pool and its jobs; times are exact ms.

    Parameters
    ----------
    jobs, workers, attempts
        Numbers of jobs (numbered from 1), of workers at the start, and of attempts at most.
    job, crash_after
        How long an attempt runs that finishes, and one that crashes.
    restart
        From a crash to the replacement worker's first job.
    poison, crash
        The jobs that always crash; the probability with which any other attempt does.
    backoff, factor, backoff_most, jitter
        A job that crashed for the n-th time rejoins the tail after min(backoff_most, backoff x factor^(n-1)), or with
        jitter after a drawn part of that.
    seed
        Of the random streams.
    """

    jobs: int
    workers: int
    attempts: int
    job: Fraction
    crash_after: Fraction
    restart: Fraction = Fraction(0)
    poison: frozenset[int] = frozenset()
    crash: float = 0
    backoff: Fraction = Fraction(0)
    factor: Fraction = Fraction(2)
    backoff_most: Fraction = Fraction(60_000)
    jitter: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened. Jobs and workers are numbered from 1, times are exact ms; `bars` holds (worker, job, start, end,
    crashed) in the order of starts; `tries` the attempts of each job; `returns` when crashed jobs joined the tail."""

    finished: tuple[int, ...]
    dead: tuple[int, ...]
    created: int
    tries: dict[int, int]
    bars: tuple[tuple[int, int, Fraction, Fraction, bool], ...]
    returns: tuple[Fraction, ...]

    @property
    def wasted_ms(self) -> Fraction:
        """Worker time of attempts that crashed."""
        return sum((end - start for _, _, start, end, crashed in self.bars if crashed), Fraction(0))

    @property
    def useful_ms(self) -> Fraction:
        """Worker time of attempts that finished."""
        return sum((end - start for _, _, start, end, crashed in self.bars if not crashed), Fraction(0))

    @property
    def maybe_twice(self) -> list[int]:
        """Jobs begun more than once: what an attempt did before its crash may be done again."""
        return sorted(job for job, tries in self.tries.items() if tries > 1)

    def burst(self, within: Fraction) -> int:
        """The most jobs that came back to the queue within any span of `within` ms."""
        first = most = 0
        ordered = sorted(self.returns)
        for last, when in enumerate(ordered):
            while when - ordered[first] >= within and when != ordered[first]:
                first += 1
            most = max(most, last - first + 1)
        return most


class _Run:
    """A run in progress; `simulate` drives it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        # Back-off is counted in whole microseconds, so that jitter stays exact.
        self.unit = exactly.unit([rules.job, rules.crash_after, rules.restart, Fraction(1, 1000)])
        self.queue = deque(range(1, rules.jobs + 1))
        self.idle = list(range(1, rules.workers + 1))
        self.created = rules.workers
        self.events: list[tuple[int, int, int, int]] = []
        self.crashing: set[int] = set()
        self.tries: dict[int, int] = {}
        self.bars: list[tuple[int, int, int, int, bool]] = []
        self.finished: list[int] = []
        self.dead: list[int] = []
        self.returns: list[int] = []
        self._crash = _draws(rules.seed + CRASH_STREAM)
        self._jitter = _draws(rules.seed + JITTER_STREAM)
        self._threshold = math.ceil(rules.crash * 2**32)

    def hand_out(self, now: int) -> None:
        """Idle workers, by number, take the jobs at the head of the queue."""
        while self.queue and self.idle:
            worker, job = heapq.heappop(self.idle), self.queue.popleft()
            self.tries[job] = self.tries.get(job, 0) + 1
            crashes = (next(self._crash) < self._threshold) or job in self.rules.poison
            length = int((self.rules.crash_after if crashes else self.rules.job) / self.unit)
            if crashes:
                self.crashing.add(worker)
            self.bars.append((worker, job, now, now + length, crashes))
            heapq.heappush(self.events, (now + length, _ACT, worker, job))

    def act(self, now: int, worker: int, job: int) -> None:
        """A worker ends its job (or, with job 0, begins its life)."""
        if job and worker in self.crashing:
            self.created += 1
            self._give_back(now, job)
            self._later(now + int(self.rules.restart / self.unit), self.created)
            return
        if job:
            self.finished.append(job)
        heapq.heappush(self.idle, worker)

    def _later(self, when: int, worker: int) -> None:
        if self.rules.restart:
            heapq.heappush(self.events, (when, _ACT, worker, 0))
        else:
            heapq.heappush(self.idle, worker)

    def _give_back(self, now: int, job: int) -> None:
        if self.tries[job] >= self.rules.attempts:
            self.dead.append(job)
            return
        when = now + self._delay(self.tries[job])
        self.returns.append(when)
        if when == now:
            self.queue.append(job)
        else:
            heapq.heappush(self.events, (when, _RETURN, job, 0))

    def _delay(self, crashed: int) -> int:
        delay = self.rules.backoff
        for _ in range(crashed - 1):
            if not delay or delay >= self.rules.backoff_most or self.rules.factor == 1:
                break
            delay *= self.rules.factor
        micros = round(min(delay, self.rules.backoff_most) * 1000)
        if self.rules.jitter:
            micros = (micros * next(self._jitter)) >> 32
        return int(Fraction(micros, 1000) / self.unit)


def simulate(rules: Rules) -> Outcome:
    """Run the pool until nothing is left.

    At one instant: jobs whose back-off ends rejoin the tail, then workers act by number, each taking its next job at
    once. Without back-off a crashed job rejoins in the instant of its crash; the replacement is created then, too.
    """
    run = _Run(rules)
    run.hand_out(0)
    while run.events:
        now, phase, who, job = heapq.heappop(run.events)
        if phase == _RETURN:
            run.queue.append(who)
            if run.events and run.events[0][:2] == (now, _RETURN):
                continue
        else:
            run.act(now, who, job)
        run.hand_out(now)
    scale = run.unit
    return Outcome(
        tuple(sorted(run.finished)),
        tuple(run.dead),
        run.created,
        run.tries,
        tuple((worker, job, start * scale, end * scale, crashed) for worker, job, start, end, crashed in run.bars),
        tuple(when * scale for when in run.returns),
    )


def _draws(seed: int) -> Iterator[int]:
    first = 0
    while True:
        yield from streams.draws(seed & 0xFFFFFFFF, first, _DRAWN).tolist()
        first += _DRAWN
