"""Counts, percentiles and shares from the engine's outcome, in the units that the names carry.

Imports derived, engine.rules and numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from planner.derived import Derived
from planner.engine.rules import Outcome
from planner.engine.timeline import Ticks

WAIT_PERCENTILES = {
    "wait_p50_ms": 50.0,
    "wait_p90_ms": 90.0,
    "wait_p95_ms": 95.0,
    "wait_p99_ms": 99.0,
    "wait_p999_ms": 99.9,
}
REPORT_PERCENTILES = {"report_p50_s": 50.0, "report_p95_s": 95.0, "report_p99_s": 99.0}


@dataclass(frozen=True, slots=True)
class Sample:
    """Whole numbers with how often each occurs: `values` ascending, `counts` beside them."""

    values: Ticks
    counts: Ticks

    @classmethod
    def of_waits(cls, outcome: Outcome) -> Sample:
        """The waits of all started tracking jobs, those of zero ticks included."""
        at_once = outcome.tracking_started - int(outcome.wait_counts.sum(dtype=np.int64))
        zeros = [] if at_once == 0 else [0]
        return cls(
            np.concatenate([np.array(zeros, dtype=np.int64), outcome.waits]),
            np.concatenate([np.array([at_once] * len(zeros), dtype=np.int64), outcome.wait_counts]),
        )

    @classmethod
    def of(cls, numbers: Ticks) -> Sample:
        """The sample of an array of whole numbers."""
        values, counts = np.unique(numbers, return_counts=True)
        return cls(values, counts.astype(np.int64))

    @property
    def size(self) -> int:
        """How many there are."""
        return int(self.counts.sum(dtype=np.int64))

    def percentile(self, percent: float) -> int | None:
        """The number at index min(n - 1, floor(percent / 100 * n)) of the sorted sample; None if it is empty."""
        size = self.size
        if not size:
            return None
        index = min(size - 1, math.floor(percent / 100 * size))
        place = int(np.searchsorted(np.cumsum(self.counts, dtype=np.int64), index, side="right"))
        return int(self.values[place])

    def mean(self) -> float | None:
        """The mean; None if the sample is empty."""
        return int((self.values * self.counts).sum(dtype=np.int64)) / self.size if len(self.values) else None

    def largest(self) -> int | None:
        """The largest number; None if the sample is empty."""
        return int(self.values[-1]) if len(self.values) else None

    def above(self, limit: int) -> int:
        """How many are larger than `limit`."""
        return int(self.counts[self.values > limit].sum(dtype=np.int64))

    def tail(self) -> list[tuple[int, float]]:
        """(x, share of the sample above x) for rising x, some hundred points, close together at both ends."""
        size = self.size
        above = size - np.cumsum(self.counts, dtype=np.int64)
        last = len(self.values) - 1
        steps = _growing(last)
        places = sorted({*steps, *(last - step for step in steps)}) if size else []
        return [(int(self.values[place]), int(above[place]) / size) for place in places]


def _growing(last: int) -> list[int]:
    """0, 1, 2, ... with steps that grow by a sixteenth, up to `last`."""
    steps = [0]
    while steps[-1] < last:
        steps.append(min(last, steps[-1] + 1 + steps[-1] // 16))
    return steps


def last_tick_within(limit_ms: float, tick_ms: float) -> int:
    """The largest whole number of ticks t with t * tick_ms <= limit_ms, decided in the same floating point."""
    ticks = math.floor(min(limit_ms / tick_ms, 2.0**53))
    while ticks * tick_ms > limit_ms:
        ticks -= 1
    while (ticks + 1) * tick_ms <= limit_ms and ticks < 2**53:
        ticks += 1
    return ticks


def measure(
    outcome: Outcome, derived: Derived, slots: int, workers: int, delay_threshold_ms: float
) -> dict[str, object]:
    """One row of the plan: every metric of a design by name; None where there is no job to measure.

    Parameters
    ----------
    outcome
        The engine's result for the design.
    derived
        The derived numbers that the design ran with.
    slots, workers
        Slots and task-queue workers of one replica.
    delay_threshold_ms
        A tracking query that waits longer counts as delayed.
    """
    waits, spans = Sample.of_waits(outcome), Sample.of(outcome.report_spans)
    delayed = waits.above(last_tick_within(delay_threshold_ms, derived.tick_ms))

    def ms(ticks: float | None) -> float | None:
        return None if ticks is None else ticks * derived.tick_ms

    def seconds(ticks: float | None) -> float | None:
        return None if ticks is None else ticks * derived.tick_ms / 1000

    capacity = slots * derived.window_ticks
    return {
        "tracking_requests": outcome.tracking_started,
        "tracking_arrived": outcome.tracking_arrived,
        "wait_mean_ms": ms(waits.mean()),
        **{name: ms(waits.percentile(percent)) for name, percent in WAIT_PERCENTILES.items()},
        "wait_max_ms": ms(waits.largest()),
        "delayed": delayed,
        "delayed_share": delayed / waits.size if waits.size else None,
        "reports_started": outcome.reports_started,
        "reports_arrived": outcome.reports_arrived,
        "report_mean_s": seconds(spans.mean()),
        **{name: seconds(spans.percentile(percent)) for name, percent in REPORT_PERCENTILES.items()},
        "report_max_s": seconds(spans.largest()),
        "slot_utilisation": {
            "tracking": outcome.tracking_slot_ticks / capacity,
            "reports": outcome.report_slot_ticks / capacity,
        },
        "worker_utilisation": outcome.worker_ticks / (workers * derived.window_ticks) if workers else None,
        "tracking_unfinished": outcome.tracking_unfinished,
        "reports_unfinished": outcome.reports_unfinished,
        "too_few_for": [*_too_few(WAIT_PERCENTILES, waits.size), *_too_few(REPORT_PERCENTILES, spans.size)],
    }


def _too_few(percentiles: dict[str, float], size: int) -> list[str]:
    """Names of the percentiles p that a sample of n <= 1 / (1 - p) cannot tell from its largest value."""
    return [name for name, percent in percentiles.items() if 0 < size * (100 - percent) <= 100]
