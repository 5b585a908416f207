"""Where more workers stop helping: cores, a shared resource, the jobs themselves; and the connections that it takes.

effective concurrency = min(N, shared limit[, cores where jobs need the processor]); makespan = ceil(jobs / that) x job.
Imports exactly, inputs, load, report and usl.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.ops import exactly, usl
from planner.ops.inputs import document, option, refuse
from planner.ops.load import Load
from planner.ops.report import Report, Row, shown, table
from planner.texts import Message


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of the limits. 12 jobs of 100 ms are the source's; 4 cores and 3 connections are examples."""

    kind: str = option("io", "choice", choices=("io", "cpu"))
    jobs: int = option(12, "integer", "jobs", low=1, high=10**9)
    job_ms: float = option(100, unit="ms", low_open=True, high=1e12)
    cores: int = option(4, "integer", "cores", low=1, high=100_000)
    shared_limit: int | None = option(3, "integer", low=1, high=100_000, optional=True)
    most_workers: int = option(16, "integer", "workers", low=1, high=2_000)
    replicas: int = option(4, "integer", "replicas", low=1, high=100_000)
    workers_per_replica: int = option(2, "integer", "workers", low=1, high=100_000)
    connections_per_worker: int = option(1, "integer", low=0, high=10_000)
    pool_size: int | None = option(None, "integer", low=1, high=100_000, optional=True)
    max_connections: int = option(100, "integer", low=1, high=10**9)
    reserved_connections: int = option(3, "integer", low=0, high=10**9)
    surge_replicas: int = option(1, "integer", "replicas", low=0, high=100_000)
    measured: tuple[str, ...] | None = option(None, "text", optional=True, many=True, most=1_000)


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of job beside a shared limit: at most `limit` jobs at once (None: as many as there are workers)."""

    kind: str
    shared: int | None
    cores: int
    jobs: int
    job_ms: float

    @property
    def limit(self) -> int | None:
        """The largest effective concurrency, whatever the number of workers."""
        known = [value for value in (self.shared, self.cores if self.kind == "cpu" else None) if value is not None]
        return min(known) if known else None

    def at_once(self, workers: int) -> int:
        """Effective concurrency of `workers`."""
        return workers if self.limit is None else min(workers, self.limit)

    def makespan_ms(self, workers: int) -> float | int:
        """Time from the first start to the last end, in ms."""
        rounds = -(-self.jobs // self.at_once(workers))
        return exactly.number(rounds * exactly.fraction(self.job_ms))

    @property
    def knee(self) -> int:
        """The smallest number of workers beyond which no number of them is faster."""
        most = self.jobs if self.limit is None else min(self.limit, self.jobs)
        rounds = -(-self.jobs // most)
        return -(-self.jobs // rounds)

    @property
    def binding(self) -> str:
        """What stops the gain: ``shared``, ``cores`` or ``jobs`` (every job has a worker); the first named on a tie."""
        if self.limit is None or self.limit >= self.jobs:
            return "jobs"
        return "shared" if self.limit == self.shared else "cores"


def cases(inputs: Inputs) -> list[Case]:
    """I/O- and CPU-bound, each alone and (where there is one) beside the shared limit; the asked one first."""
    kinds = [inputs.kind, "cpu" if inputs.kind == "io" else "io"]
    shares = [inputs.shared_limit, None] if inputs.shared_limit is not None else [None]
    return [Case(kind, shared, inputs.cores, inputs.jobs, inputs.job_ms) for kind in kinds for shared in shares]


@dataclass(frozen=True, slots=True)
class Connections:
    """Database connections over all replicas, in numbers of connections."""

    wanted_per_replica: int
    pool_size: int
    total: int
    total_during_deploy: int
    available: int
    largest_pool_size: int

    @property
    def fits(self) -> bool:
        """Whether the connections suffice, the extra replicas of a deploy included."""
        return self.total_during_deploy <= self.available

    def row(self) -> Row:
        """As a table's row."""
        return {
            "wanted_per_replica": self.wanted_per_replica,
            "pool_size": self.pool_size,
            "total": self.total,
            "total_during_deploy": self.total_during_deploy,
            "available": self.available,
            "fits": self.fits,
            "largest_pool_size": self.largest_pool_size,
        }


def connections(inputs: Inputs) -> Connections:
    """The arithmetic: a pool size counts per replica (or process), the server's limit in total.

    Without a pool size of its own each replica opens what its workers want.
    """
    wanted = inputs.workers_per_replica * inputs.connections_per_worker
    size = wanted if inputs.pool_size is None else inputs.pool_size
    copies = inputs.replicas + inputs.surge_replicas
    available = inputs.max_connections - inputs.reserved_connections
    if available < 1:
        raise refuse(Inputs, "reserved_connections", "none_left", most=inputs.max_connections)
    return Connections(wanted, size, size * inputs.replicas, size * copies, available, available // copies)


def from_plan(load: Load) -> dict[str, object]:
    """The options that the plan's report job stands for."""
    return {
        "jobs": load.jobs,
        "job_ms": load.report_ms,
        "shared_limit": None,
        "replicas": load.replicas,
        "workers_per_replica": -(-load.workers // load.replicas),
        "most_workers": min(2_000, max(16, 2 * load.workers)),
    }


def report(inputs: Inputs, load: Load) -> Report:
    """Each case's knee and what binds it, the curve, the connections, and the fit where there are measurements."""
    every = cases(inputs)
    asked = every[0]
    names = [f"{case.kind}_shared" if case.shared is not None else case.kind for case in every]
    rows: list[Row] = [
        {
            "case": name,
            "effective_concurrency": case.limit,
            "knee_workers": case.knee,
            "binding": Message.of(f"ops.limits.{case.binding}"),
            "makespan_at_knee_ms": case.makespan_ms(case.knee),
        }
        for name, case in zip(names, every, strict=True)
    ]
    curve: list[Row] = [
        {"workers": n, **{f"{name}_ms": case.makespan_ms(n) for name, case in zip(names, every, strict=True)}}
        for n in range(1, inputs.most_workers + 1)
    ]
    wires = connections(inputs)
    tables = [table("limits", rows), table("curve", curve), table("connections", [wires.row()])]
    data: dict[str, object] = {}
    answers = [_plan(asked, load), _question(asked), _pools(inputs, wires)]
    if inputs.measured is not None:
        fitted = usl.fit(usl.parse(inputs.measured))
        tables += [table("usl", fitted.rows()), table("measured", fitted.points())]
        data["usl_curve"] = fitted.curve()
        answers += fitted.answers(load.workers)
    return Report("limits", document(inputs), tuple(tables), tuple(answers), data)


def _plan(case: Case, load: Load) -> tuple[str, Message]:
    most = case.limit
    if most is None:
        return load.sentence("limits.plan_free", 1)
    # At most `most` reports at once, so that many workers' time is all that the window holds.
    ready = exactly.number(Fraction(most) * exactly.fraction(load.window_seconds))
    key = "limits.plan_enough" if most >= load.workers else "limits.plan_short"
    return load.sentence(key, 1, limit=most, ready=shown(ready), needed=shown(load.worker_seconds))


def _question(case: Case) -> tuple[str, Message]:
    binding = Message.of(f"ops.limits.{case.binding}")
    knee = case.knee
    return "question", Message.of(
        "ops.limits.question", knee=knee, binding=binding, makespan=shown(case.makespan_ms(knee)), jobs=case.jobs
    )


def _pools(inputs: Inputs, wires: Connections) -> tuple[str, Message]:
    key = "fits" if wires.fits else "full"
    numbers: dict[str, object] = {
        "size": wires.pool_size,
        "replicas": inputs.replicas,
        "total": wires.total,
        "deploy": wires.total_during_deploy,
        "available": wires.available,
        "largest": wires.largest_pool_size,
    }
    return "question", Message.of(f"ops.limits.pool_{key}", **numbers)
