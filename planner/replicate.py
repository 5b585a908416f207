"""Replications: the mornings of many seeds, and of all replicas of a system.

Morning k of a plan has the seed ``seed + 1000 k``, and replica r of that morning ``seed + 1000 k + 4 r``, both modulo
2^32. A replica uses the states seed to seed + 3, so no two streams of up to 250 replicas start from the same state,
on any of the mornings. All states lie on one cycle of 2^32 draws; those of one morning are at least 15.7 million
draws apart for up to 56 replicas, which is ten default windows. Replica 0 is the plan's own.
Imports designs, errors, intervals, model, numbers, plan, scenario and texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner import plan
from planner.designs import Design
from planner.errors import PlannerError
from planner.intervals import Bounds, Summary, mean_interval, summarise
from planner.model import Simulator
from planner.numbers import quote
from planner.scenario import Scenario
from planner.texts import Message

SEED_STEP, REPLICA_STEP = 1000, 4
MOST_REPLICAS = SEED_STEP // REPLICA_STEP
MOST_SEEDS = 100_000
METRICS = (
    "tracking_requests",
    "wait_mean_ms",
    "wait_p50_ms",
    "wait_p90_ms",
    "wait_p95_ms",
    "wait_p99_ms",
    "wait_p999_ms",
    "wait_max_ms",
    "delayed",
    "delayed_share",
    "reports_started",
    "reports_arrived",
    "report_mean_s",
    "report_p50_s",
    "report_p95_s",
    "report_p99_s",
    "report_max_s",
    "slot_utilisation_tracking",
    "slot_utilisation_reports",
    "worker_utilisation",
)
"""What is summarised of each design's rows; the parts of ``slot_utilisation`` under names of their own."""


def seed_of(seed: int, morning: int, replica: int = 0) -> int:
    """The seed of a replica on a morning, both counted from 0."""
    return (seed + SEED_STEP * morning + REPLICA_STEP * replica) & 0xFFFFFFFF


def of_morning(scenario: Scenario, morning: int, replica: int = 0) -> Scenario:
    """`scenario` as one replica sees it on one morning."""
    return replace(scenario, seed=seed_of(scenario.seed, morning, replica))


def check_replicas(scenario: Scenario) -> None:
    """PlannerError if a system has more replicas than have streams of their own."""
    if scenario.replicas > MOST_REPLICAS:
        problem = Message.of("errors.out_of_range", value=quote(scenario.replicas))
        raise PlannerError("replicas", problem, Message.of("size.errors.allowed_replicas", most=MOST_REPLICAS))


Row = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class RowTask:
    """The rows of one morning: a value that travels to another process."""

    scenario: Scenario
    designs: tuple[Design, ...]
    morning: int


def rows(task: RowTask) -> tuple[Row, ...]:
    """The metrics of each design on one morning, all designs facing the same arrivals."""
    seen, simulator = of_morning(task.scenario, task.morning), Simulator()
    return tuple(_flat(plan.row(design, seen, simulator)) for design in task.designs)


def _flat(row: Mapping[str, Any]) -> Row:
    parts = {f"slot_utilisation_{name}": value for name, value in row["slot_utilisation"].items()}
    every = {**row, **parts}
    return {name: every[name] for name in METRICS}


def summaries(mornings: Sequence[Sequence[Row]], confidence: float) -> list[dict[str, Summary | None]]:
    """For each design, the summary of each metric over the mornings."""
    return [
        {name: summarise([row[name] for row in column], confidence) for name in METRICS}
        for column in zip(*mornings, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much one design's metric exceeds another's on the same mornings: the mean, its interval, what it says.

    `says` is ``more`` or ``less`` only where the interval leaves zero out, ``equal`` where no morning differs.
    """

    mean: float
    interval: Bounds
    says: str


def difference(one: Iterable[float | None], other: Iterable[float | None], confidence: float) -> Difference | None:
    """The paired difference ``one - other`` over the mornings on which both have a value; None if there is none.

    Both faced the same arrivals, so what the mornings have in common cancels and the interval is narrow.
    """
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if not pairs:
        return None
    gaps = [a - b for a, b in pairs]
    low, high = mean_interval(gaps, confidence)
    if not any(gaps):
        says = "equal"
    elif low is None or high is None or low <= 0 <= high:
        says = "undecided"
    else:
        says = "more" if low > 0 else "less"
    return Difference(math.fsum(gaps) / len(gaps), (low, high), says)
