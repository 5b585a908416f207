"""N workers and a list of jobs: pull, push in blocks, and a prefetch of k jobs a worker.

Owns the job lists and the three ways of dispatch; every list is exact (`exactly`). All jobs wait at time 0.
Imports durations, exactly, inputs, load, numbers and report.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.numbers import parse, quote
from planner.ops import exactly
from planner.ops.durations import drawn
from planner.ops.inputs import document, option, refuse
from planner.ops.load import Load
from planner.ops.report import Report, shown, table
from planner.texts import Message

MOST_JOBS = 200_000
MOST_WORKERS = 10_000
MOST_BARS = 20_000
MOST_STARTS = 4_000_000
"""Starts of jobs over all numbers of workers and ways of dispatch."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of the pool. The defaults are the source's example: 12 jobs of 100 ms on 1, 2 and 4 workers."""

    workers: tuple[int, ...] = option((1, 2, 4), "integer", "workers", low=1, high=MOST_WORKERS, many=True)
    dispatch: tuple[str, ...] = option(("pull",), "text", many=True, most=8)
    jobs: int = option(12, "integer", "jobs", low=1, high=MOST_JOBS)
    job_ms: float = option(100, unit="ms", low_open=True, high=1e12)
    durations_ms: tuple[str, ...] | None = option(None, "text", "ms", optional=True, many=True, most=10_000)
    repeat: int = option(1, "integer", low=1, high=MOST_JOBS)
    sizes: str = option("fixed", "sizes")
    seed: int = option(20260730, "integer", high=2**32 - 1)
    slice_ms: float = option(100, unit="ms", low_open=True, high=1e12)


@dataclass(frozen=True, slots=True)
class Run:
    """What a pool of `workers` did: times in `unit`s of a millisecond.

    `bars` holds (worker, job, start, end) in the order of the starts; `busy` the worked time of each worker.
    """

    workers: int
    dispatch: str
    unit: Fraction
    bars: tuple[tuple[int, int, int, int], ...]
    busy: tuple[int, ...]

    @property
    def makespan(self) -> int:
        """When the last job is done."""
        return max(end for _, _, _, end in self.bars)

    @property
    def stuck(self) -> int:
        """Jobs bound to a busy worker that began after another worker had run out of work."""
        finish = [0] * self.workers
        for worker, _, _, end in self.bars:
            finish[worker] = max(finish[worker], end)
        idle_from = min(finish)
        return sum(start > idle_from for _, _, start, _ in self.bars)


def parse_dispatch(text: str) -> int | None:
    """Jobs that a worker holds beyond the one it runs: 0 for pull, k for ``prefetch:k``, None for push in blocks."""
    name, colon, rest = text.strip().lower().partition(":")
    if name == "pull" and not colon:
        return 0
    if name == "push" and not colon:
        return None
    if name == "prefetch" and rest.isascii() and rest.isdigit() and len(rest) < 7:
        return int(rest)
    raise refuse(Inputs, "dispatch", "dispatch", value=quote(text))


def job_list(inputs: Inputs) -> list[Fraction]:
    """Durations in ms: the given list, or equal jobs, or drawn ones, repeated `repeat` times; else PlannerError.

    Drawn sizes: ``lognormal:CV`` with mean `job_ms`, to the microsecond; ``mix:SHARE:MS,...`` in whole ms.
    """
    if inputs.durations_ms is not None:
        given = [duration for part in inputs.durations_ms for duration in _given(part)]
    else:
        given = drawn(inputs.sizes, inputs.job_ms, inputs.jobs, inputs.seed)
    if len(given) * inputs.repeat > MOST_JOBS:
        raise refuse(Inputs, "repeat", "too_many_jobs", count=len(given) * inputs.repeat, most=MOST_JOBS)
    return given * inputs.repeat


def _given(part: str) -> list[Fraction]:
    """``250`` or ``250x3``."""
    text, _, times = part.strip().lower().partition("x")
    value = _positive(text)
    if value is None or (times and not (times.isascii() and times.isdigit() and 0 < len(times) < 7)):
        raise refuse(Inputs, "durations_ms", "duration", value=quote(part))
    count = int(times) if times else 1
    if not 1 <= count <= MOST_JOBS:
        raise refuse(Inputs, "durations_ms", "too_many_jobs", count=count, most=MOST_JOBS)
    return [value] * count


def _positive(text: str) -> Fraction | None:
    value = parse(text)
    return exactly.fraction(value) if value is not None and 0 < value <= 1e12 else None


def run(durations: Sequence[Fraction], workers: int, dispatch: str = "pull") -> Run:
    """What `workers` do with the jobs in list order, under ``pull``, ``push`` or ``prefetch:K``."""
    unit = exactly.unit(durations)
    times = [int(duration / unit) for duration in durations]
    held = parse_dispatch(dispatch)
    placed = _blocks(times, workers) if held is None else _prefetch(times, workers, held)
    bars = tuple(sorted(placed, key=lambda bar: (bar[2], bar[0])))
    busy = [0] * workers
    for worker, _, start, end in bars:
        busy[worker] += end - start
    return Run(workers, dispatch, unit, bars, tuple(busy))


def _blocks(times: Sequence[int], workers: int) -> Iterator[tuple[int, int, int, int]]:
    """Contiguous blocks of equal number; where it does not divide, the first blocks get one job more."""
    share, more = divmod(len(times), workers)
    job = 0
    for worker in range(workers):
        now = 0
        for _ in range(share + (worker < more)):
            yield worker, job, now, now + times[job]
            now += times[job]
            job += 1


def _prefetch(times: Sequence[int], workers: int, held: int) -> Iterator[tuple[int, int, int, int]]:
    """Each worker runs one job and holds `held` more, handed out round robin; a finished job frees one place.

    With held = 0 that is pull. Workers that finish together take in the order of their index.
    """
    first = min(len(times), workers * (held + 1))
    mine: list[list[int]] = [list(range(worker, first, workers)) for worker in range(workers)]
    ahead = [0] * workers
    nexts = first
    heap = [(0, worker) for worker in range(workers) if mine[worker]]
    while heap:
        now, worker = heapq.heappop(heap)
        queue = mine[worker]
        if now and nexts < len(times):
            queue.append(nexts)
            nexts += 1
        if ahead[worker] < len(queue):
            job = queue[ahead[worker]]
            ahead[worker] += 1
            yield worker, job, now, now + times[job]
            heapq.heappush(heap, (now + times[job], worker))


def row(done: Run, slice_ms: float) -> dict[str, Any]:
    """The numbers of one run, in ms; speed-up against one worker, efficiency = speed-up / workers."""
    total, makespan = sum(done.busy), done.makespan
    waits = [start for _, _, start, _ in done.bars]
    span = makespan * done.unit
    return {
        "workers": done.workers,
        "dispatch": done.dispatch,
        "makespan_ms": exactly.number(span),
        "slices": exactly.count(span, exactly.fraction(slice_ms)),
        "speed_up": exactly.number(Fraction(total, makespan)),
        "efficiency": exactly.number(Fraction(total, makespan * done.workers)),
        "busy_ms": exactly.number(total * done.unit),
        "idle_ms": exactly.number((makespan * done.workers - total) * done.unit),
        "wait_mean_ms": exactly.number(Fraction(sum(waits), len(waits)) * done.unit),
        "stuck_jobs": done.stuck,
    }


def from_plan(load: Load) -> dict[str, object]:
    """The options that the plan's report job stands for."""
    jobs, job_ms = load.jobs, load.report_ms
    return {"jobs": jobs, "job_ms": job_ms, "slice_ms": job_ms, "workers": [load.workers]}


def report(inputs: Inputs, load: Load) -> Report:
    """Every number of workers under every dispatch, the bars, and the two sentences."""
    durations = job_list(inputs)
    names = [name.lower() for name in inputs.dispatch]
    count = len(durations) * len(names) * len(inputs.workers)
    if count > MOST_STARTS:
        raise refuse(Inputs, "workers", "too_many_starts", count=count, most=MOST_STARTS)
    runs = [run(durations, workers, name) for workers in inputs.workers for name in names]
    rows = [row(done, inputs.slice_ms) for done in runs]
    return Report(
        "pool",
        document(inputs),
        (table("pool", rows),),
        (_plan(rows, load), _question(durations, runs[-1])),
        {"per_worker": [_per_worker(done) for done in runs], "gantt": _gantt(runs)},
    )


def _per_worker(done: Run) -> dict[str, object]:
    busy = [exactly.number(value * done.unit) for value in done.busy]
    makespan = done.makespan
    idle = [exactly.number((makespan - value) * done.unit) for value in done.busy]
    return {"workers": done.workers, "dispatch": done.dispatch, "busy_ms": busy, "idle_ms": idle}


def _gantt(runs: Sequence[Run]) -> list[dict[str, object]] | None:
    """Bars (worker, job, start and end in ms, all from 0 but jobs from 1) a run; None if there are too many to draw."""
    if sum(len(done.bars) for done in runs) > MOST_BARS:
        return None
    scale: Callable[[int, Run], float | int] = lambda value, done: exactly.number(value * done.unit)  # noqa: E731
    return [
        {
            "workers": done.workers,
            "dispatch": done.dispatch,
            "bars": [[worker, job + 1, scale(start, done), scale(end, done)] for worker, job, start, end in done.bars],
        }
        for done in runs
    ]


def _plan(rows: Sequence[dict[str, Any]], load: Load) -> tuple[str, Message]:
    last = rows[-1]
    share = f"{100 * last['efficiency']:.1f}"
    return load.sentence("pool.plan", 1 / last["efficiency"], busy=share, count=last["workers"], how=last["dispatch"])


def _question(durations: Sequence[Fraction], done: Run) -> tuple[str, Message]:
    """Celery's default prefetch (4 a process: one runs, three wait) beside pull, on the user's own list."""
    held = parse_dispatch(done.dispatch) or 3
    ahead, pull = run(durations, done.workers, f"prefetch:{held}"), run(durations, done.workers)
    return "question", Message.of(
        "ops.pool.question",
        held=held,
        workers=done.workers,
        ahead=shown(exactly.number(ahead.makespan * ahead.unit)),
        pull=shown(exactly.number(pull.makespan * pull.unit)),
        stuck=ahead.stuck,
        jobs=len(durations),
    )
