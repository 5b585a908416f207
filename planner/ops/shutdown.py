"""Stopping workers: SIGTERM, a grace period, SIGKILL. How many held jobs a deploy cuts, and which grace cuts none.

At a moment that has nothing to do with the jobs, a busy worker holds a job of length D with a probability in
proportion to D, and its remaining time is spread evenly over D; so with f+ = max(0, f)

    P(remaining > g) = E[(D - g)+] / E[D]          time lost a busy worker = E[((D - g)+)^2] / (2 E[D])

(renewal theory: the residual life and the age; Cox, "Renewal Theory", 1962). A job that can resume after each chunk
of c ms is, for this purpose, so many jobs of c ms and one of the rest.
Imports durations, exactly, inputs, load and report.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.numbers import parse, quote
from planner.ops import exactly
from planner.ops.durations import lengths
from planner.ops.inputs import document, option, refuse
from planner.ops.load import Load
from planner.ops.report import Report, Row, shown, table
from planner.texts import Message


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of shutdown. The defaults: the source's job of 100 ms on 4 workers, all busy; grace periods around
    it and the defaults of common hosts (10 and 30 s); and one chain of timeouts, inner first."""

    workers: int = option(4, "integer", "workers", low=1, high=10_000_000)
    utilisation: float = option(1, unit="share", high=1)
    job_ms: float = option(100, unit="ms", low_open=True, high=1e12)
    sizes: str = option("fixed", "sizes")
    grace_s: tuple[float, ...] = option((0, 0.05, 0.1, 10, 30), unit="s", high=1e9, many=True)
    chunk_ms: float | None = option(None, unit="ms", low_open=True, high=1e12, optional=True)
    deploys_per_month: float = option(20, high=1e6)
    timeouts: tuple[str, ...] | None = option(("worker=25", "host=30"), "text", optional=True, many=True, most=20)


def pieces(inputs: Inputs, chunked: bool) -> list[tuple[float, float]]:
    """What a worker holds, as (how many a job, ms): whole jobs, or the chunks of each and its rest."""
    found: list[tuple[float, float]] = []
    for chance, length in lengths(inputs.sizes, inputs.job_ms):
        if not chunked or inputs.chunk_ms is None or inputs.chunk_ms >= length:
            found.append((chance, length))
            continue
        whole = math.floor(exactly.fraction(length) / exactly.fraction(inputs.chunk_ms))
        found.append((chance * whole, inputs.chunk_ms))
        rest = exactly.fraction(length) - whole * exactly.fraction(inputs.chunk_ms)
        if rest:
            found.append((chance, float(rest)))
    return found


def cut_chance(held: Sequence[tuple[float, float]], grace_ms: float) -> float:
    """P(remaining time > grace) of what a busy worker holds: E[(D - g)+] / E[D]."""
    mean = math.fsum(weight * length for weight, length in held)
    return math.fsum(weight * max(0.0, length - grace_ms) for weight, length in held) / mean


def lost_ms(held: Sequence[tuple[float, float]], grace_ms: float) -> float:
    """Work lost at a stop, in ms a busy worker: E[((D - g)+)^2] / (2 E[D])."""
    mean = math.fsum(weight * length for weight, length in held)
    return math.fsum(weight * max(0.0, length - grace_ms) ** 2 for weight, length in held) / (2 * mean)


def grace_rows(inputs: Inputs) -> list[Row]:
    """A row a grace period: the chance, the cut jobs a deploy and a month, and the lost worker-seconds."""
    busy = inputs.workers * inputs.utilisation
    whole, chunked = pieces(inputs, False), pieces(inputs, True)
    rows: list[Row] = []
    for grace in sorted(set(inputs.grace_s)):
        chance = cut_chance(whole, grace * 1000)
        row: dict[str, float] = {
            "grace_s": grace,
            "cut_chance": chance,
            "cut_per_deploy": busy * chance,
            "cut_per_month": busy * chance * inputs.deploys_per_month,
            "lost_worker_s_per_deploy": busy * lost_ms(whole, grace * 1000) / 1000,
        }
        if inputs.chunk_ms is not None:
            row["cut_per_deploy_chunked"] = busy * cut_chance(chunked, grace * 1000)
            row["lost_worker_s_chunked"] = busy * lost_ms(chunked, grace * 1000) / 1000
        rows.append(row)
    return rows


@dataclass(frozen=True, slots=True)
class Timeout:
    """A named timeout in seconds; the list goes from the innermost to the outermost."""

    name: str
    seconds: float


def parse_timeouts(texts: Sequence[str]) -> list[Timeout]:
    """Timeouts from texts such as ``worker=25``; PlannerError for anything else or a repeated name."""
    found: list[Timeout] = []
    for text in texts:
        name, equals, rest = text.partition("=")
        seconds = parse(rest)
        if not equals or not name.strip() or len(name) > 40 or seconds is None or not 0 <= seconds <= 1e9:
            raise refuse(Inputs, "timeouts", "timeout", value=quote(text))
        if name.strip() in (known.name for known in found):
            raise refuse(Inputs, "timeouts", "timeout_twice", value=quote(name.strip()))
        found.append(Timeout(quote(name.strip()), seconds))
    return found


def broken_nesting(chain: Sequence[Timeout]) -> list[tuple[Timeout, Timeout]]:
    """(inner, outer) where an outer timeout is no longer than one inside it: the outer kills first, or as soon."""
    return [
        (inner, outer) for place, outer in enumerate(chain) for inner in chain[:place] if outer.seconds <= inner.seconds
    ]


def smallest_safe_grace_s(inputs: Inputs, chunked: bool) -> float:
    """The longest thing that a worker can hold, in seconds: with that grace nothing is cut."""
    return max(length for _, length in pieces(inputs, chunked)) / 1000


def from_plan(load: Load) -> dict[str, object]:
    """The options that the plan's report job stands for."""
    grace = sorted({0.0, load.report_ms / 2000, load.report_ms / 1000, 10.0, 30.0})
    return {
        "workers": load.busy_workers,
        "utilisation": load.workers_full / load.busy_workers,
        "job_ms": load.report_ms,
        "grace_s": grace,
    }


def report(inputs: Inputs, load: Load) -> Report:
    """The grace periods, the smallest safe one, and the chain of timeouts."""
    rows = grace_rows(inputs)
    chain = parse_timeouts(inputs.timeouts) if inputs.timeouts else []
    safe = {"job": smallest_safe_grace_s(inputs, False)}
    if inputs.chunk_ms is not None:
        safe["chunk"] = smallest_safe_grace_s(inputs, True)
    safe_rows: list[Row] = [{"held": Message.of(f"ops.shutdown.{name}"), "safe_grace_s": s} for name, s in safe.items()]
    tables = [table("shutdown", rows), table("safe_grace", safe_rows)]
    broken = broken_nesting(chain)
    if chain:
        tables.append(table("timeouts", _timeout_rows(chain, inputs)))
    answers = [_plan(rows, inputs, load), _safe(safe, inputs), *_nesting(broken, chain)]
    if inputs.sizes.startswith("lognormal"):
        answers.append(("note", Message.of("ops.shutdown.no_longest")))
    data = {"curve": _curve(inputs, safe["job"]), "smallest_safe_grace_s": safe["job"]}
    return Report("shutdown", document(inputs), tuple(tables), tuple(answers), data)


def _timeout_rows(chain: Sequence[Timeout], inputs: Inputs) -> list[Row]:
    whole = pieces(inputs, True)
    return [
        {
            "timeout": one.name,
            "timeout_s": one.seconds,
            "outlasts_inner": all(one.seconds > inner.seconds for inner in chain[:place]),
            "cut_chance": cut_chance(whole, one.seconds * 1000),
        }
        for place, one in enumerate(chain)
    ]


def _curve(inputs: Inputs, longest_s: float) -> list[list[float]]:
    """(grace in s, cut jobs a deploy) from 0 to the longest job, for drawing."""
    whole, busy = pieces(inputs, True), inputs.workers * inputs.utilisation
    steps = [longest_s * step / 40 for step in range(41)]
    return [[grace, busy * cut_chance(whole, grace * 1000)] for grace in steps]


def _plan(rows: Sequence[Row], inputs: Inputs, load: Load) -> tuple[str, Message]:
    """One deploy inside the plan's window, at the shortest grace of the list, repeats the lost work."""
    first = rows[0]
    lost = first["lost_worker_s_per_deploy"]
    assert isinstance(lost, (int, float))
    return load.sentence("shutdown.plan", 1, lost, grace=shown(first["grace_s"]), lost=shown(lost))


def _safe(safe: dict[str, float], inputs: Inputs) -> tuple[str, Message]:
    if "chunk" in safe:
        chunk = shown(inputs.chunk_ms)
        return "question", Message.of("ops.shutdown.safe_chunked", **{k: shown(v) for k, v in safe.items()}, size=chunk)
    return "question", Message.of("ops.shutdown.safe", job=shown(safe["job"]))


def _nesting(broken: Sequence[tuple[Timeout, Timeout]], chain: Sequence[Timeout]) -> list[tuple[str, Message]]:
    if not broken:
        return [("question", Message.of("ops.shutdown.nested"))] if len(chain) > 1 else []
    return [
        (
            "question",
            Message.of(
                "ops.shutdown.broken",
                outer=outer.name,
                outer_s=shown(outer.seconds),
                inner=inner.name,
                inner_s=shown(inner.seconds),
            ),
        )
        for inner, outer in broken
    ]
