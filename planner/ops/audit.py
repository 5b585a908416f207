"""Is a claimed total time possible? jobs x job time / claimed time is the least concurrency that it implies.

Exact rational arithmetic throughout. Imports exactly, inputs, load and report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from planner.ops import exactly
from planner.ops.inputs import document, option
from planner.ops.load import Load
from planner.ops.report import Report, Row, shown, table
from planner.texts import Message


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of the audit. The defaults are the source's claim: 100 000 jobs of 10 ms in 3 000 and 96 000 ms."""

    jobs: int = option(100_000, "integer", "jobs", low=1, high=10**12)
    job_ms: float = option(10, unit="ms", low_open=True, high=1e12)
    claimed_ms: tuple[float, ...] = option((3_000, 96_000), unit="ms", low_open=True, high=1e15, many=True, most=32)
    concurrency: int | None = option(None, "integer", low=1, high=10**9, optional=True)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed total time, in exact ms."""

    claimed: Fraction
    work: Fraction
    jobs: int

    @property
    def at_once(self) -> Fraction:
        """The mean number of jobs at once that the claim implies, so the least that must have been possible."""
        return self.work / self.claimed

    def overhead_ms(self, concurrency: Fraction) -> Fraction:
        """Ms a job beyond its own time, if `concurrency` jobs ran at once all along; below 0: impossible."""
        return self.claimed * concurrency / self.jobs - self.work / self.jobs


def claims(inputs: Inputs) -> list[Claim]:
    """The claims, fastest first."""
    work = inputs.jobs * exactly.fraction(inputs.job_ms)
    return [Claim(exactly.fraction(value), work, inputs.jobs) for value in sorted(set(inputs.claimed_ms))]


def rows(inputs: Inputs) -> list[Row]:
    """A row a claim: implied concurrency, factor of the fastest, and the overhead that equal concurrency would mean."""
    every = claims(inputs)
    fastest = every[0]
    found: list[Row] = []
    for claim in every:
        row: dict[str, float | int | bool] = {
            "claimed_ms": exactly.number(claim.claimed),
            "job_time_s": exactly.number(claim.work / 1000),
            "implied_concurrency": exactly.number(claim.at_once),
            "factor": exactly.number(claim.claimed / fastest.claimed),
            "overhead_at_equal_concurrency_ms": exactly.number(claim.overhead_ms(fastest.at_once)),
        }
        if inputs.concurrency is not None:
            row["possible"] = claim.at_once <= inputs.concurrency
            row["overhead_ms"] = exactly.number(claim.overhead_ms(Fraction(inputs.concurrency)))
        found.append(row)
    return found


def from_plan(load: Load) -> dict[str, object]:
    """The plan as a claim: its reports in its window."""
    return {"jobs": load.jobs, "job_ms": load.report_ms, "claimed_ms": [load.window_seconds * 1000]}


def report(inputs: Inputs, load: Load) -> Report:
    """The claims, whether they can differ by the queue alone, and the plan as a claim of its own."""
    every = claims(inputs)
    answers = [_plan(load), *_verdict(every)]
    if inputs.concurrency is not None:
        answers += _at(every, inputs.concurrency)
    return Report("audit", document(inputs), (table("audit", rows(inputs)),), tuple(answers))


def _plan(load: Load) -> tuple[str, Message]:
    return load.sentence("audit.plan", 1, needed=shown(load.worker_seconds))


def _verdict(every: Sequence[Claim]) -> list[tuple[str, Message]]:
    fast, slow = every[0], every[-1]
    job = fast.work / fast.jobs
    said = {
        "work": shown(exactly.number(fast.work / 1000)),
        "fast": shown(exactly.number(fast.claimed / 1000)),
        "fast_at_once": f"{exactly.number(fast.at_once):.1f}",
    }
    if len(every) == 1:
        return [("question", Message.of("ops.audit.one", **said))]
    more = {
        "slow": shown(exactly.number(slow.claimed / 1000)),
        "slow_at_once": f"{exactly.number(slow.at_once):.1f}",
        "factor": shown(exactly.number(slow.claimed / fast.claimed)),
        "overhead": shown(exactly.number(slow.overhead_ms(fast.at_once))),
        "job": shown(exactly.number(job)),
    }
    return [("question", Message.of("ops.audit.verdict", **said, **more))]


def _at(every: Sequence[Claim], concurrency: int) -> list[tuple[str, Message]]:
    said = []
    for claim in every:
        key = "possible" if claim.at_once <= concurrency else "impossible"
        values = {
            "claimed": shown(exactly.number(claim.claimed / 1000)),
            "concurrency": concurrency,
            "overhead": shown(exactly.number(claim.overhead_ms(Fraction(concurrency)))),
            "least": shown(exactly.number(claim.work / concurrency / 1000)),
        }
        said.append(("note", Message.of(f"ops.audit.{key}", **values)))
    return said
