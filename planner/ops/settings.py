"""A sized pool as the settings of five programs: documented names, the version that documents them, their defaults.

One process of each kind a replica. Facts only: a name, a value, what it is by default, and in which version.
Imports inputs, load and report.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.ops.inputs import document, option
from planner.ops.load import Load
from planner.ops.report import Cell, Report, Row, table
from planner.texts import Message

VERSIONS = {"Celery": "5.7", "Sidekiq": "7", "BullMQ": "6.7", "gunicorn": "27.0", "PgBouncer": "1.18"}
"""The versions in whose documentation or defaults the names and defaults below stand."""
CELERY_VISIBILITY_S, BULLMQ_LOCK_MS = 3_600, 30_000


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of the settings. The defaults are the default plan's: 6 workers, reports of 3.6 s, 4 replicas."""

    workers: int = option(6, "integer", "workers", low=1, high=1_000_000)
    replicas: int = option(4, "integer", "replicas", low=1, high=100_000)
    slots: int = option(1, "integer", "slots", low=1, high=10_000)
    longest_job_ms: float = option(3_600, unit="ms", low_open=True, high=1e12)
    attempts: int = option(3, "integer", low=1, high=1_000)
    connections_per_worker: int = option(1, "integer", low=1, high=10_000)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `total` is the system's sum where adding over the replicas makes sense, else None."""

    program: str
    name: str
    value: Cell
    total: int | None
    default: Cell
    reason: str

    def row(self) -> Row:
        """As a table's row."""
        return {
            "program": f"{self.program} {VERSIONS[self.program]}",
            "setting": self.name,
            "value_per_replica": self.value,
            "value_total": self.total,
            "default_value": self.default,
            "reason": Message.of(f"ops.settings.{self.reason}"),
        }


def settings(inputs: Inputs) -> list[Setting]:
    """Every setting that the pool decides."""
    each = -(-inputs.workers // inputs.replicas)
    total = each * inputs.replicas
    longest_s = math.ceil(inputs.longest_job_ms / 1000)
    grace = longest_s + 1
    hidden = max(CELERY_VISIBILITY_S, 2 * longest_s)
    lock = max(BULLMQ_LOCK_MS, 2 * math.ceil(inputs.longest_job_ms))
    return [
        Setting("Celery", "worker_concurrency", each, total, "CPU", "concurrency"),
        Setting("Celery", "worker_prefetch_multiplier", 1, None, 4, "prefetch"),
        Setting("Celery", "task_acks_late", "True", None, "False", "acks"),
        Setting("Celery", "task_reject_on_worker_lost", "True", None, "None", "lost"),
        Setting("Celery", "worker_soft_shutdown_timeout", grace, None, 0, "grace"),
        Setting("Celery", "broker_transport_options.visibility_timeout", hidden, None, 3_600, "visibility"),
        Setting("Sidekiq", "concurrency", each, total, 5, "concurrency"),
        Setting("Sidekiq", "timeout", max(25, grace), None, 25, "grace"),
        Setting("BullMQ", "concurrency", each, total, 1, "concurrency"),
        Setting("BullMQ", "lockDuration", lock, None, 30_000, "lock"),
        Setting("BullMQ", "maxStalledCount", 1, None, 1, "stalled"),
        Setting("BullMQ", "attempts", inputs.attempts, None, 1, "attempts"),
        *_read_path(inputs, grace),
        *_connections(inputs, each),
    ]


def _read_path(inputs: Inputs, grace: int) -> list[Setting]:
    total = inputs.slots * inputs.replicas
    return [
        Setting("gunicorn", "workers", inputs.slots, total, 1, "slots"),
        Setting("gunicorn", "threads", 1, None, 1, "threads"),
        Setting("gunicorn", "graceful_timeout", max(30, grace), None, 30, "grace"),
    ]


def _connections(inputs: Inputs, each: int) -> list[Setting]:
    clients = (each + inputs.slots) * inputs.connections_per_worker
    total = clients * inputs.replicas
    return [
        Setting("PgBouncer", "default_pool_size", clients, total, 20, "pool"),
        Setting("PgBouncer", "max_client_conn", max(100, clients), None, 100, "clients"),
        Setting("PgBouncer", "max_db_connections", clients, total, 0, "database"),
    ]


def from_plan(load: Load) -> dict[str, object]:
    """The options that the plan stands for."""
    return {"workers": load.busy_workers, "replicas": load.replicas, "longest_job_ms": load.report_ms}


def report(inputs: Inputs, load: Load) -> Report:
    """The settings, and what rounding up to whole replicas does to the plan's count."""
    each = -(-inputs.workers // inputs.replicas)
    total = each * inputs.replicas
    counted = {"asked": inputs.workers, "each": each, "total": total, "replicas": inputs.replicas}
    connections = (each + inputs.slots) * inputs.connections_per_worker
    answers = (
        load.sentence("settings.plan", 1, **counted),
        ("question", Message.of("ops.settings.question", each=connections, total=connections * inputs.replicas)),
    )
    return Report("settings", document(inputs), (table("settings", [one.row() for one in settings(inputs)]),), answers)
