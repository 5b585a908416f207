"""The plain model the engine is held against: every tick and every slot in turn, one rule at a time.

Written from the rules alone and shares no code with the planner; imports nothing but the standard library. Slow on
purpose: each rule stands where the reader looks for it, and nothing is remembered that the rules do not speak of.

A tick, in order: the tracking arrival joins, the report arrival joins, the slots in index order count down and a slot
at zero takes its next job, the workers likewise. A job of s ticks that starts at t frees its slot for t + s.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

TRACKING, REPORT = "tracking", "report"
_CYCLES_PER_GLOBAL_LOOK = 61


@dataclass(slots=True, eq=False)
class Job:
    """One request. ``left`` is the work not yet begun, in ticks; ``number`` counts all arrivals from 0."""

    kind: str
    number: int
    arrived: int
    left: int
    started: int | None = None
    finish: int | None = None  # known once its last piece has begun


@dataclass(slots=True, eq=False)
class Slot:
    """What serves jobs: a slot of the pool, or a worker of the task queue."""

    index: int
    remaining: int = 0
    job: Job | None = None
    cycles: int = 0
    local: deque[Job] = field(default_factory=deque)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run saw; every time in ticks.

    Attributes
    ----------
    tracking_waits
        Arrival to start, of the tracking queries that started, in the order of their starts.
    tracking_arrived, reports_arrived, reports_started
        Counts. A report has started when its first piece has.
    report_spans
        Arrival to finish, in the order of arrival, of the reports whose last piece has begun: for designs that do not
        cut, of all that started. A finish may lie beyond the window.
    slot_ticks_tracking, slot_ticks_reports, worker_ticks_reports
        Ticks within the window in which slots, and workers, were held.
    tracking_unfinished, reports_unfinished
        Arrived and not finished when the window ends.
    """

    tracking_waits: list[int]
    tracking_arrived: int
    reports_arrived: int
    reports_started: int
    report_spans: list[int]
    slot_ticks_tracking: int
    slot_ticks_reports: int
    worker_ticks_reports: int
    tracking_unfinished: int
    reports_unfinished: int


# --- streams -----------------------------------------------------------------------------------------------------


def draws(seed: int) -> Iterator[float]:
    """The splitmix32 stream of a seed, each draw in [0, 1)."""
    state = seed % 2**32
    while True:
        state = (state + 0x9E3779B9) % 2**32
        z = (state ^ state >> 16) * 0x21F0AAAD % 2**32
        z = (z ^ z >> 15) * 0x735A2D97 % 2**32
        yield (z ^ z >> 15) / 2**32


def arrivals(seed: int, probability: float, window_ticks: int) -> list[int]:
    """The ticks of the window whose draw is under the probability."""
    stream = draws(seed)
    return [tick for tick in range(window_ticks) if next(stream) < probability]


# --- designs -----------------------------------------------------------------------------------------------------


class Design:
    """How jobs queue and what a free slot takes. This one is ``shared``: a single line."""

    piece_ticks: int | None = None  # the most that a report runs at once
    resume_ticks: int = 0  # what each piece after the first costs on top

    def __init__(self, slots: int, workers: int = 0) -> None:
        self.slots = [Slot(index) for index in range(slots)]
        self.workers = [Slot(index) for index in range(workers)]
        self.line: deque[Job] = deque()

    def join(self, job: Job) -> None:
        """A job arrives."""
        self.line.append(job)

    def rejoin(self, job: Job) -> None:
        """A report comes back with the rest of its work."""
        self.line.append(job)

    def take(self, slot: Slot) -> Job | None:
        """The next job of a free slot."""
        return self.line.popleft() if self.line else None

    def take_as_worker(self) -> Job | None:
        """The next job of a free worker."""
        return None


class Separate(Design):
    """Tracking on the slots; reports in a task queue of their own, served by the workers."""

    def __init__(self, slots: int, workers: int) -> None:
        super().__init__(slots, workers)
        self.tasks: deque[Job] = deque()

    def join(self, job: Job) -> None:
        (self.line if job.kind == TRACKING else self.tasks).append(job)

    def take_as_worker(self) -> Job | None:
        return self.tasks.popleft() if self.tasks else None


class Priority(Design):
    """Two lines; tracking first. A report that runs is left alone."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots)
        self.reports: deque[Job] = deque()

    def join(self, job: Job) -> None:
        (self.line if job.kind == TRACKING else self.reports).append(job)

    def take(self, slot: Slot) -> Job | None:
        if self.line:
            return self.line.popleft()
        return self.reports.popleft() if self.reports else None


class Reserved(Design):
    """One line by arrival, but a slot passes over the reports while ``most_reports`` of them are held."""

    def __init__(self, slots: int, most_reports: int) -> None:
        super().__init__(slots)
        self.most_reports = most_reports

    def take(self, slot: Slot) -> Job | None:
        reports_held = sum(1 for other in self.slots if other.job is not None and other.job.kind == REPORT)
        for job in self.line:
            if job.kind == TRACKING or reports_held < self.most_reports:
                self.line.remove(job)
                return job
        return None


class Chunked(Design):
    """``shared``, with reports cut into pieces that rejoin the tail."""

    def __init__(self, slots: int, piece_ticks: int, resume_ticks: int = 0) -> None:
        super().__init__(slots)
        self.piece_ticks, self.resume_ticks = piece_ticks, resume_ticks


class Push(Design):
    """A line for each slot; a job is bound to one when it arrives."""

    def __init__(self, slots: int, rule: str, dispatch_draws: Iterator[float]) -> None:
        super().__init__(slots)
        self.choose: Callable[[Job], int] = {
            "rr": lambda job: job.number % slots,
            "random": lambda job: math.floor(next(dispatch_draws) * slots),
            "jsq": lambda job: min(range(slots), key=lambda index: (self.present(self.slots[index]), index)),
        }[rule]

    @staticmethod
    def present(slot: Slot) -> int:
        """Jobs that wait or are served there; one with a single tick to go ends now and no longer counts."""
        return len(slot.local) + (slot.remaining > 1)

    def join(self, job: Job) -> None:
        self.slots[self.choose(job)].local.append(job)

    def take(self, slot: Slot) -> Job | None:
        return slot.local.popleft() if slot.local else None

    def longest_other(self, slot: Slot) -> Slot | None:
        """The other slot with most jobs in its line, the first of equals; None when nothing waits there."""
        others = [other for other in self.slots if other is not slot and other.local]
        return min(others, key=lambda other: (-len(other.local), other.index), default=None)


class Stealing(Push):
    """Push in turn; a slot with nothing of its own takes the oldest job of the longest other line."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots, "rr", iter(()))

    def take(self, slot: Slot) -> Job | None:
        if slot.local:
            return slot.local.popleft()
        victim = self.longest_other(slot)
        return victim.local.popleft() if victim else None


class Gpm(Push):
    """Local lines filled in turn, a global line of unfinished reports, and each slot's own count of cycles."""

    def __init__(self, slots: int, piece_ticks: int) -> None:
        super().__init__(slots, "rr", iter(()))
        self.piece_ticks = piece_ticks

    def take(self, slot: Slot) -> Job | None:
        if not self.line and not any(other.local for other in self.slots):
            return None
        slot.cycles += 1
        if slot.cycles % _CYCLES_PER_GLOBAL_LOOK == 0 and self.line:
            return self.line.popleft()
        if not slot.local:
            self.steal_half(slot)
        return (slot.local or self.line).popleft()

    def steal_half(self, slot: Slot) -> None:
        """Move the older half, rounded up, of the longest other line, if any."""
        victim = self.longest_other(slot)
        if victim is not None:
            for _ in range(math.ceil(len(victim.local) / 2)):
                slot.local.append(victim.local.popleft())


def half_up(value: float) -> int:
    """The nearest whole number, halves upwards."""
    whole = math.floor(value)
    return whole + (value - whole >= 0.5)


def parse(design: str, record_ticks: int, record_ms: float, dispatch_draws: Iterator[float]) -> Design:
    """The design that a text names."""
    kind, *arguments = design.split(":")
    slots = int(arguments[0])
    rest = arguments[1:]

    def quantum_ticks() -> int:
        return max(1, half_up(float(rest[0]) / record_ms)) * record_ticks

    match kind:
        case "shared":
            return Design(slots)
        case "separate":
            return Separate(slots, workers=int(rest[0]))
        case "priority":
            return Priority(slots)
        case "reserved":
            return Reserved(slots, most_reports=int(rest[0]))
        case "chunked":
            return Chunked(slots, piece_ticks=int(rest[0]) * record_ticks)
        case "preemptive":
            cost_ms = float(rest[1]) if len(rest) > 1 else 0.0
            return Chunked(slots, quantum_ticks(), resume_ticks=half_up(cost_ms / record_ms * record_ticks))
        case "push":
            return Push(slots, rest[0], dispatch_draws)
        case "stealing":
            return Stealing(slots)
        case "gpm":
            return Gpm(slots, quantum_ticks())
    raise ValueError(f"no such design: {design}")


# --- the run -----------------------------------------------------------------------------------------------------


def simulate(
    *,
    design: str,
    window_ticks: int,
    tracking_probability: float = 0.0,
    report_probability: float = 0.0,
    tracking_ticks: int,
    report_ticks: int | Sequence[int],
    seed: int = 0,
    record_ticks: int = 1,
    record_ms: float = 1.2,
    tracking_arrivals: Sequence[int] | None = None,
    report_arrivals: Sequence[int] | None = None,
    dispatch_draws: Sequence[float] | None = None,
    drain: bool = False,
    skip_quiet_ticks: bool = False,
) -> Outcome:
    """Run one design over one window.

    Parameters
    ----------
    design
        The text of a design, without overrides.
    tracking_probability, report_probability, seed
        Make the arrivals, from the streams ``seed`` and ``seed + 1``; ``push:Y:random`` draws from ``seed + 2``.
    tracking_arrivals, report_arrivals, dispatch_draws
        Take the place of the streams: ascending ticks, and one draw for each arriving job.
    report_ticks
        One length for all, or one for each report in the order of arrival.
    record_ticks, record_ms
        What it takes to read one record, in ticks and in milliseconds.
    drain
        Run on after the window, without arrivals, until nothing is left; then every job counts as started.
    skip_quiet_ticks
        Pass at one step over the ticks in which nothing but countdowns would move.
    """
    if tracking_arrivals is None:
        tracking_arrivals = arrivals(seed, tracking_probability, window_ticks)
    if report_arrivals is None:
        report_arrivals = arrivals(seed + 1, report_probability, window_ticks)
    if isinstance(report_ticks, int):
        report_ticks = [report_ticks] * len(report_arrivals)
    dispatch = draws(seed + 2) if dispatch_draws is None else iter(dispatch_draws)
    model = parse(design, record_ticks, record_ms, dispatch)

    tracking_due, reports_due = deque(tracking_arrivals), deque(zip(report_arrivals, report_ticks, strict=True))
    jobs: list[Job] = []
    starts: list[Job] = []
    held = {(TRACKING, False): 0, (REPORT, False): 0, (REPORT, True): 0}

    def serve(slot: Slot, is_worker: bool, tick: int) -> bool:
        """One slot's or worker's turn in a tick. True when it takes a job."""
        if slot.remaining > 1:
            slot.remaining -= 1
            return False
        slot.remaining = 0
        if slot.job is not None and slot.job.left > 0:
            model.rejoin(slot.job)
        slot.job = None
        job = model.take_as_worker() if is_worker else model.take(slot)
        if job is None:
            return False
        if job.started is None:
            job.started, cost = tick, 0
            starts.append(job)
        else:
            cost = model.resume_ticks
        piece = min(job.left, model.piece_ticks) if job.kind == REPORT and model.piece_ticks else job.left
        job.left -= piece
        slot.job, slot.remaining = job, piece + cost
        if job.left == 0:
            job.finish = tick + slot.remaining
        held[job.kind, is_worker] += max(0, min(tick + slot.remaining, window_ticks) - tick)
        return True

    def ticks_to_skip(tick: int) -> int:
        """How many ticks after this one see no arrival and no slot come to zero."""
        busy = [slot.remaining for slot in (*model.slots, *model.workers) if slot.remaining > 0]
        nexts = [tick + remaining for remaining in busy] + [window_ticks]
        nexts += [tracking_due[0]] if tracking_due else []
        nexts += [reports_due[0][0]] if reports_due else []
        return max(0, min(nexts) - tick - 1)

    tick = 0
    while tick < window_ticks or (drain and any(job.finish is None for job in jobs)):
        while tracking_due and tracking_due[0] == tick:
            tracking_due.popleft()
            jobs.append(Job(TRACKING, len(jobs), tick, tracking_ticks))
            model.join(jobs[-1])
        while reports_due and reports_due[0][0] == tick:
            jobs.append(Job(REPORT, len(jobs), tick, reports_due.popleft()[1]))
            model.join(jobs[-1])
        taken = 0
        for slot in model.slots:
            taken += serve(slot, False, tick)
        for worker in model.workers:
            taken += serve(worker, True, tick)
        if skip_quiet_ticks and tick < window_ticks and not taken:
            skipped = ticks_to_skip(tick)
            for slot in (*model.slots, *model.workers):
                slot.remaining = max(0, slot.remaining - skipped)
            tick += skipped
        tick += 1

    reports = [job for job in jobs if job.kind == REPORT]
    unfinished = [job for job in jobs if job.finish is None or job.finish > window_ticks]
    return Outcome(
        tracking_waits=[_started(job) - job.arrived for job in starts if job.kind == TRACKING],
        tracking_arrived=len(jobs) - len(reports),
        reports_arrived=len(reports),
        reports_started=sum(job.started is not None for job in reports),
        report_spans=[job.finish - job.arrived for job in reports if job.finish is not None],
        slot_ticks_tracking=held[TRACKING, False],
        slot_ticks_reports=held[REPORT, False],
        worker_ticks_reports=held[REPORT, True],
        tracking_unfinished=sum(job.kind == TRACKING for job in unfinished),
        reports_unfinished=sum(job.kind == REPORT for job in unfinished),
    )


def _started(job: Job) -> int:
    assert job.started is not None
    return job.started
