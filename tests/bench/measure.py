"""Repeated measuring: peers take turns, so that a slow minute of the machine hits them all."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Sample:
    """Milliseconds of the runs of one peer, and the rows that it came to."""

    ms: list[float] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The middle run."""
        return statistics.median(self.ms)


def in_turns(peers: Mapping[str, Callable[[], dict[str, Any]]], rounds: int) -> dict[str, Sample]:
    """Give every peer a turn a round: a run to warm up, and one that counts.

    Each run answers ``{"ms": ..., "rows": [...]}``.
    """
    samples = {name: Sample() for name in peers}
    for _ in range(rounds):
        for name, run in peers.items():
            run()
            answer = run()
            samples[name].ms.append(answer["ms"])
            samples[name].rows = answer["rows"]
    return samples


def once(run: Callable[[], list[dict[str, Any]]]) -> Sample:
    """A single run, of a peer too slow to be run again."""
    start = time.perf_counter()
    rows = run()
    return Sample([(time.perf_counter() - start) * 1000], rows)


def steady_work() -> dict[str, Any]:
    """A fixed amount of work: how much its time varies is the noise of the machine."""
    start = time.perf_counter()
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return {"ms": (time.perf_counter() - start) * 1000, "rows": []}


def disagreements(rows: list[dict[str, Any]], others: list[dict[str, Any]]) -> list[str]:
    """Where two peers differ in what both measure: ``design: metric`` each."""
    return [
        f"{row['design']}: {name}"
        for row, other in zip(rows, others, strict=True)
        for name in row.keys() & other.keys() - {"design"}
        if row[name] != other[name]
    ]
