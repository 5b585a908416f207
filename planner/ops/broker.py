"""What the queue itself costs: overhead a job, serial dispatch, durable flushes, replay, and removal from the head.

Owns the two bounds on the makespan, the jobs at risk, the log, and O(1) against O(n). The overheads are starting
values to be replaced by measured ones: a round trip of 0.2 ms is what Redis documents as typical of a 1 Gbit/s network
("Diagnosing latency issues"); the other values are assumptions of this planner, in the order of magnitude of a file
flush on an SSD and of a memory move. Imports exactly, inputs, load and report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from planner.ops import exactly
from planner.ops.inputs import document, option
from planner.ops.load import Load
from planner.ops.report import Cell, Report, Row, shown, table
from planner.texts import Message


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of the broker. The load is the source's: 100 000 jobs of 10 ms; the rest are starting values."""

    jobs: int = option(100_000, "integer", "jobs", low=1, high=10**12)
    job_ms: float = option(10, unit="ms", low_open=True, high=1e12)
    workers: tuple[int, ...] = option((11, 100, 334, 1000), "integer", "workers", low=1, high=10**6, many=True)
    round_trips: float = option(2, high=1_000)
    latency_ms: float = option(0.2, unit="ms", high=1e6)
    serialisation_ms: float = option(0.05, unit="ms", high=1e6)
    dispatch_ms: float = option(0.02, unit="ms", high=1e6)
    rate_per_s: float | None = option(None, unit="per_s", low_open=True, high=1e12, optional=True)
    flush_interval_ms: float = option(1_000, unit="ms", low_open=True, high=1e9)
    flush_batch: int | None = option(1_000, "integer", "jobs", low=1, high=10**9, optional=True)
    flush_ms: float = option(2, unit="ms", high=1e6)
    log_entries: float = option(3, low_open=True, high=1_000)
    entry_bytes: float = option(200, unit="bytes", low_open=True, high=1e9)
    replay_per_s: float = option(100_000, unit="per_s", low_open=True, high=1e12)
    snapshot_interval_s: float | None = option(60, unit="s", low_open=True, high=1e9, optional=True)
    backlog: tuple[int, ...] = option(
        (1_000, 10_000, 100_000, 1_000_000), "integer", "jobs", low=1, high=10**9, many=True
    )
    step_ns: float = option(50, unit="ns", high=1e9)
    move_ns: float = option(0.5, unit="ns", high=1e9)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two bounds on the makespan, in exact ms: `serial` is one dispatcher's, `parallel` the workers'.

    `overhead` is what a job costs its worker beyond its own time: round trips x latency + serialisation.
    """

    jobs: int
    job: Fraction
    overhead: Fraction
    dispatch: Fraction

    @classmethod
    def of(cls, inputs: Inputs, jobs: int | None = None, job_ms: float | None = None) -> Bounds:
        """The bounds of the inputs, or of other jobs through the same queue."""
        one = exactly.fraction
        overhead = one(inputs.round_trips) * one(inputs.latency_ms) + one(inputs.serialisation_ms)
        return cls(jobs or inputs.jobs, one(job_ms or inputs.job_ms), overhead, one(inputs.dispatch_ms))

    @property
    def serial(self) -> Fraction:
        """jobs x dispatch: jobs leave the queue one by one."""
        return self.jobs * self.dispatch

    def parallel(self, workers: int) -> Fraction:
        """ceil(jobs / workers) x (job + overhead)."""
        return -(-self.jobs // workers) * (self.job + self.overhead)

    def makespan(self, workers: int) -> Fraction:
        """The larger of the two."""
        return max(self.serial, self.parallel(workers))

    @property
    def crossover(self) -> Fraction | None:
        """Workers from which the dispatcher binds, (job + overhead) / dispatch; None if dispatch costs nothing."""
        return (self.job + self.overhead) / self.dispatch if self.dispatch else None

    def row(self, workers: int) -> Row:
        """One number of workers."""
        serial_binds = self.serial > self.parallel(workers)
        return {
            "workers": workers,
            "serial_ms": exactly.number(self.serial),
            "parallel_ms": exactly.number(self.parallel(workers)),
            "makespan_ms": exactly.number(self.makespan(workers)),
            "binding": Message.of("ops.broker.serial" if serial_binds else "ops.broker.parallel"),
            "throughput_per_s": exactly.number(1000 * self.jobs / self.makespan(workers)),
            "overhead_share": exactly.number(self.overhead / (self.job + self.overhead)),
        }


@dataclass(frozen=True, slots=True)
class Durability:
    """Deferred writes at a steady rate: what a crash loses at most and on average, and what the flushes cost.

    Between two flushes at most rate x interval jobs gather, or a full batch where that is fewer; a crash at a random
    moment finds half of that on average.
    """

    rate: Fraction
    interval: Fraction
    batch: int | None
    flush: Fraction

    @property
    def at_risk(self) -> Fraction:
        """Jobs that are acknowledged but not yet written, at most."""
        gathered = self.rate * self.interval / 1000
        return gathered if self.batch is None else min(gathered, Fraction(self.batch))

    def row(self, mode: str) -> Row:
        """One way to flush; the busy share is the disk's, above 1 it cannot keep up with the rate."""
        flushes = self.rate / self.at_risk if self.at_risk >= 1 else self.rate
        return {
            "mode": Message.of(f"ops.broker.{mode}"),
            "at_risk_most": exactly.number(self.at_risk),
            "at_risk_mean": exactly.number(self.at_risk / 2),
            "flushes_per_s": exactly.number(flushes),
            "flush_busy_share": exactly.number(flushes * self.flush / 1000),
            "highest_rate_per_s": _highest(self.batch, self.flush),
        }


def _highest(jobs: int | None, flush: Fraction) -> float | int | None:
    """Jobs a second that flushes of `jobs` each, one after another, let through; None where flushing sets no bound."""
    return exactly.number(1000 * jobs / flush) if jobs is not None and flush else None


def durability(inputs: Inputs, rate: Fraction) -> list[Row]:
    """By time alone, with the batch cap, and a flush a job (after which nothing acknowledged is at risk)."""
    interval, flush = exactly.fraction(inputs.flush_interval_ms), exactly.fraction(inputs.flush_ms)
    rows = [Durability(rate, interval, None, flush).row("deferred")]
    if inputs.flush_batch is not None:
        rows.append(Durability(rate, interval, inputs.flush_batch, flush).row("batched"))
    each: dict[str, Cell] = {"mode": Message.of("ops.broker.each"), "at_risk_most": 0, "at_risk_mean": 0}
    each |= {"flushes_per_s": exactly.number(rate), "flush_busy_share": exactly.number(rate * flush / 1000)}
    each["highest_rate_per_s"] = _highest(1, flush)
    return [*rows, each]


def replay(inputs: Inputs, rate: Fraction, seconds: Fraction) -> list[Row]:
    """The log and the time to replay it after a crash: without snapshots (at the end of the run), and with them.

    With a snapshot every S seconds the log holds at most S seconds of entries, half of that on average at a crash.
    """
    entries = rate * exactly.fraction(inputs.log_entries)
    spans = [("no_snapshot", seconds)]
    if inputs.snapshot_interval_s is not None:
        spans.append(("snapshots", min(seconds, exactly.fraction(inputs.snapshot_interval_s))))
    speed = exactly.fraction(inputs.replay_per_s)
    return [
        {
            "mode": Message.of(f"ops.broker.{name}"),
            "log_entries_most": exactly.number(entries * span),
            "log_mb_most": exactly.number(entries * span * exactly.fraction(inputs.entry_bytes) / 10**6),
            "replay_most_s": exactly.number(entries * span / speed),
            "replay_mean_s": exactly.number(entries * span / speed / 2),
        }
        for name, span in spans
    ]


def head_removal(inputs: Inputs) -> list[Row]:
    """Emptying a backlog of n jobs from the head: n steps, or n steps and n (n - 1) / 2 moved elements."""
    step, move = exactly.fraction(inputs.step_ns) / 10**6, exactly.fraction(inputs.move_ns) / 10**6
    rows: list[Row] = []
    for n in inputs.backlog:
        constant, linear = n * step, n * step + Fraction(n * (n - 1), 2) * move
        factor = linear / constant if constant else None
        rows.append(
            {
                "backlog": n,
                "constant_ms": exactly.number(constant),
                "linear_ms": exactly.number(linear),
                "factor": None if factor is None else exactly.number(factor),
                "linear_per_job_us": exactly.number(linear / n * 1000),
            }
        )
    return rows


def from_plan(load: Load) -> dict[str, object]:
    """The options that the plan's report job stands for."""
    return {"jobs": load.jobs, "job_ms": load.report_ms, "workers": [load.workers, 2 * load.workers]}


def report(inputs: Inputs, load: Load) -> Report:
    """The bounds at each number of workers, what is at risk, the log, and removal from the head."""
    bounds = Bounds.of(inputs)
    last = inputs.workers[-1]
    makespan = bounds.makespan(last)
    rate = exactly.fraction(inputs.rate_per_s) if inputs.rate_per_s is not None else 1000 * bounds.jobs / makespan
    risks = durability(inputs, rate)
    logs = replay(inputs, rate, bounds.jobs / rate)
    tables = (
        table("broker", [bounds.row(workers) for workers in inputs.workers]),
        table("durability", risks),
        table("replay", logs),
        table("head_removal", head_removal(inputs)),
    )
    crossover = bounds.crossover
    data: dict[str, object] = {
        "overhead_ms": exactly.number(bounds.overhead),
        "dispatcher_binds_from_workers": None if crossover is None else exactly.number(crossover),
        "rate_per_s": exactly.number(rate),
        "log_bytes_per_s": exactly.number(
            rate * exactly.fraction(inputs.log_entries) * exactly.fraction(inputs.entry_bytes)
        ),
    }
    answers = (_plan(bounds, load), _crossover(bounds), _risk(risks, inputs, rate))
    return Report("broker", document(inputs), tables, answers, data)


def _plan(bounds: Bounds, load: Load) -> tuple[str, Message]:
    times = float(1 + bounds.overhead / exactly.fraction(load.report_ms))
    share = f"{100 * (times - 1):.3g}"
    return load.sentence("broker.plan", times, overhead=shown(exactly.number(bounds.overhead)), share=share)


def _crossover(bounds: Bounds) -> tuple[str, Message]:
    if bounds.crossover is None:
        return "question", Message.of("ops.broker.no_crossover")
    fastest = shown(exactly.number(bounds.serial / 1000))
    return "question", Message.of(
        "ops.broker.crossover", workers=shown(exactly.number(bounds.crossover)), fastest=fastest
    )


def _risk(risks: Sequence[Row], inputs: Inputs, rate: Fraction) -> tuple[str, Message]:
    most = risks[0] if inputs.flush_batch is None else risks[1]
    values = {"most": most["at_risk_most"], "mean": most["at_risk_mean"], "rate": exactly.number(rate)}
    interval = shown(inputs.flush_interval_ms)
    return "question", Message.of("ops.broker.risk", interval=interval, **{k: shown(v) for k, v in values.items()})
