"""Supervision: a crashing job takes its worker down; the pool requeues the job at the tail and starts a new worker.

Owns the options, the closed forms for a crash probability, redelivery past a visibility timeout, and the report; the
simulation is `crashes`. Imports crashes, exactly, inputs, load and report.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.ops import crashes, exactly
from planner.ops.crashes import Outcome
from planner.ops.inputs import document, option, refuse
from planner.ops.load import Load
from planner.ops.report import Report, Row, shown, table
from planner.texts import Message

MOST_ATTEMPTS = 400_000


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of supervision. The defaults are the source's: five jobs, job 3 crashes, 2 workers, 2 attempts.

    `crash_share` is the part of its time that a crashing attempt has run: 1 loses most, 0 nothing.
    """

    jobs: int = option(5, "integer", "jobs", low=1, high=100_000)
    job_ms: float = option(100, unit="ms", low_open=True, high=1e12)
    poison: tuple[int, ...] | None = option((3,), "integer", low=1, high=100_000, many=True, most=10_000, optional=True)
    crash_probability: float = option(0, unit="share", high=1)
    crash_share: float = option(1, unit="share", high=1)
    workers: int = option(2, "integer", "workers", low=1, high=10_000)
    attempts: int = option(2, "integer", low=1, high=1_000)
    restart_ms: float = option(0, unit="ms", high=1e12)
    backoff_ms: float = option(0, unit="ms", high=1e12)
    backoff_factor: float = option(2, low=1, high=100)
    backoff_most_ms: float = option(60_000, unit="ms", high=1e12)
    jitter: str = option("none", "choice", choices=("none", "full"))
    visibility_ms: float | None = option(None, unit="ms", low_open=True, high=1e12, optional=True)
    seed: int = option(20260730, "integer", high=2**32 - 1)


def attempts_per_job(crash: float, most: int) -> float:
    """Expected attempts of a job whose every attempt crashes with probability `crash`: 1 + p + ... + p^(most - 1)."""
    return math.fsum(crash**k for k in range(most))


def rules(inputs: Inputs) -> crashes.Rules:
    """The options as the simulation takes them; PlannerError where it would be too many attempts."""
    poison = frozenset(inputs.poison or ())
    if poison and max(poison) > inputs.jobs:
        raise refuse(Inputs, "poison", "poison_beyond", job=max(poison), jobs=inputs.jobs)
    expected = attempts_per_job(inputs.crash_probability, inputs.attempts) * inputs.jobs
    expected += (inputs.attempts - 1) * len(poison)
    if expected > MOST_ATTEMPTS:
        raise refuse(Inputs, "attempts", "too_many_attempts", count=shown(expected), most=MOST_ATTEMPTS)
    return crashes.Rules(
        jobs=inputs.jobs,
        workers=inputs.workers,
        attempts=inputs.attempts,
        job=exactly.fraction(inputs.job_ms),
        crash_after=exactly.fraction(inputs.job_ms) * exactly.fraction(inputs.crash_share),
        restart=exactly.fraction(inputs.restart_ms),
        poison=poison,
        crash=inputs.crash_probability,
        backoff=exactly.fraction(inputs.backoff_ms),
        factor=exactly.fraction(inputs.backoff_factor),
        backoff_most=exactly.fraction(inputs.backoff_most_ms),
        jitter=inputs.jitter == "full",
        seed=inputs.seed,
    )


def from_plan(load: Load) -> dict[str, object]:
    """The options that the plan's report job stands for, with no job that always crashes."""
    return {"jobs": load.jobs, "job_ms": load.report_ms, "workers": load.workers, "poison": None}


def expected(inputs: Inputs) -> Row:
    """The closed forms for a job that is not poison, with its attempts independent of each other.

    attempts = (1 - p^a) / (1 - p), dead = p^a, crashes = attempts - (1 - p^a).
    """
    crash, most = inputs.crash_probability, inputs.attempts
    dead = crash**most
    attempts = attempts_per_job(crash, most)
    crashed = attempts - (1 - dead)
    lost_ms = crashed * (inputs.crash_share * inputs.job_ms + inputs.restart_ms)
    return {
        "attempts_per_job": attempts,
        "dead_letter_share": dead,
        "dead_letters_expected": dead * inputs.jobs,
        "crashes_per_job": crashed,
        "extra_ms_per_job": lost_ms,
        "times_the_work": (1 - dead) + lost_ms / inputs.job_ms,
    }


@dataclass(frozen=True, slots=True)
class Redelivery:
    """One job under a visibility timeout shorter than itself: a copy starts at every multiple of the timeout.

    `copies` run before the first acknowledgement; `extra_ms` is what the copies beyond the first cost.
    """

    visibility_ms: float
    copies: int
    extra_ms: float | int

    @classmethod
    def of(cls, job_ms: float, visibility_ms: float) -> Redelivery:
        """Deliveries at 0, v, 2v ... while the first copy is not done, given a free worker for each: ceil(job / v)."""
        job, hidden = exactly.fraction(job_ms), exactly.fraction(visibility_ms)
        copies = math.ceil(job / hidden)
        return cls(visibility_ms, copies, exactly.number((copies - 1) * job))


def simulated(outcome: Outcome, inputs: Inputs) -> dict[str, Any]:
    """The numbers of a run."""
    end = max((bar[3] for bar in outcome.bars), default=Fraction(0))
    restart = exactly.fraction(inputs.restart_ms) * (outcome.created - inputs.workers)
    return {
        "finished": len(outcome.finished),
        "dead_letters": len(outcome.dead),
        "workers_created": outcome.created,
        "attempts_total": len(outcome.bars),
        "useful_worker_s": exactly.number(outcome.useful_ms / 1000),
        "wasted_worker_s": exactly.number((outcome.wasted_ms + restart) / 1000),
        "possible_duplicates": len(outcome.maybe_twice),
        "returned_at_once": outcome.burst(exactly.fraction(inputs.job_ms)),
        "makespan_ms": exactly.number(end),
    }


def report(inputs: Inputs, load: Load) -> Report:
    """The run, the jobs that crashed, the expectation, and the copies past a visibility timeout."""
    outcome = crashes.simulate(rules(inputs))
    row, closed = simulated(outcome, inputs), expected(inputs)
    dead = set(outcome.dead)
    crashed = [job for job, tries in sorted(outcome.tries.items()) if tries > 1 or job in dead]
    jobs: list[Row] = [{"job": job, "attempts": outcome.tries[job], "dead_letter": job in dead} for job in crashed]
    tables = [table("supervise", [row]), table("crashed_jobs", jobs), table("expected", [closed])]
    answers = [_plan(closed, load), _duplicates(row, outcome), _retries(row, inputs)]
    if inputs.visibility_ms is not None:
        again = Redelivery.of(inputs.job_ms, inputs.visibility_ms)
        rows: list[Row] = [{"visibility_ms": again.visibility_ms, "copies": again.copies, "extra_ms": again.extra_ms}]
        tables.append(table("redelivery", rows))
        answers.append(_copies(again, inputs))
    data = {
        "finished_jobs": list(outcome.finished),
        "dead_letter_jobs": list(outcome.dead),
        "possible_duplicate_jobs": outcome.maybe_twice,
        "attempts_by_job": {str(job): tries for job, tries in sorted(outcome.tries.items())},
        "gantt": _gantt(outcome),
    }
    return Report("supervise", document(inputs), tuple(tables), tuple(answers), data)


def _gantt(outcome: Outcome) -> list[list[object]] | None:
    """Bars (worker, job, start ms, end ms, crashed); None if there are too many to draw."""
    if len(outcome.bars) > 20_000:
        return None
    return [
        [worker, job, exactly.number(start), exactly.number(end), crashed]
        for worker, job, start, end, crashed in outcome.bars
    ]


def _plan(closed: Row, load: Load) -> tuple[str, Message]:
    times = closed["times_the_work"]
    assert isinstance(times, (int, float))
    return load.sentence("supervise.plan", float(times), attempts=shown(closed["attempts_per_job"]))


def _duplicates(row: dict[str, Any], outcome: Outcome) -> tuple[str, Message]:
    names = ", ".join(map(str, outcome.maybe_twice[:10])) + (" …" if len(outcome.maybe_twice) > 10 else "")
    key = "duplicates" if outcome.maybe_twice else "no_duplicates"
    return "question", Message.of(f"ops.supervise.{key}", count=row["possible_duplicates"], names=names)


def _retries(row: dict[str, Any], inputs: Inputs) -> tuple[str, Message]:
    if not row["returned_at_once"]:
        return "question", Message.of("ops.supervise.no_returns")
    key = "spread" if inputs.jitter == "full" and inputs.backoff_ms else "together"
    return "question", Message.of(
        f"ops.supervise.{key}", count=row["returned_at_once"], within=shown(inputs.job_ms), most=inputs.attempts
    )


def _copies(again: Redelivery, inputs: Inputs) -> tuple[str, Message]:
    key = "copies" if again.copies > 1 else "one_copy"
    values = {"visibility": shown(again.visibility_ms), "job": shown(inputs.job_ms), "copies": again.copies}
    return "question", Message.of(f"ops.supervise.{key}", extra=shown(again.extra_ms), **values)
