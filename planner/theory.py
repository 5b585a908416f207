"""What theory says beside a simulated design, and a check of the engine against theory that runs in seconds.

Imports analytic, derived, designs, engine, intervals, scenario and streams.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from planner import analytic
from planner.analytic import Answer
from planner.derived import derive
from planner.designs import Design
from planner.engine.flow import NEVER
from planner.engine.load import Load
from planner.engine.rules import Outcome, Rules
from planner.engine.run import simulate
from planner.engine.timeline import Ticks, Timeline
from planner.intervals import mean_interval
from planner.scenario import Scenario
from planner.streams import Stream


@dataclass(frozen=True, slots=True)
class Figure:
    """A number from theory: its name, its value, and whether the formula is an approximation here."""

    name: str
    value: Answer
    approximate: bool

    def document(self) -> Mapping[str, object]:
        """The figure, JSON-ready."""
        return {"name": self.name, "value": self.value, "approximate": self.approximate}


def of_design(design: Design, scenario: Scenario) -> list[Figure]:
    """The figures that theory has for `design` (its overrides applied), of one replica.

    Reports arrive once a tick at most and so almost as a Poisson process, which is why their figures are marked. Waits
    of reports in the slots have no such formula: tracking jobs share them, and the two are very unequal.
    """
    seen = scenario.for_design(design)
    derived = derive(seen)
    per_second = derived.expected_reports_per_replica / (seen.window_minutes * 60)
    reports = analytic.offered_load(per_second, derived.report_seconds)
    tracking = analytic.offered_load(derived.reads_per_replica_per_s, seen.tracking_records * seen.record_ms / 1000)
    figures = [
        Figure("offered_load_tracking_erlangs", tracking, False),
        Figure("offered_load_reports_erlangs", reports, False),
    ]
    if design.kind in ("shared", "priority"):
        figures.append(Figure("chance_reports_want_all_slots", analytic.at_least_busy(design.slots, reports), True))
    if design.kind == "separate":
        wait = analytic.mdc_mean_wait(design.workers, reports, derived.report_seconds)
        mean = wait if isinstance(wait, str) else wait + derived.report_seconds
        if seen.report_sizes == "fixed":
            figures.append(Figure("report_mean_s", mean, True))
    return figures


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison: what theory expects, what came, the bounds in which it must lie, and whether it does."""

    name: str
    expected: float
    found: float
    low: float
    high: float

    @property
    def is_good(self) -> bool:
        """Whether the engine agrees."""
        return self.low <= self.found <= self.high

    def document(self) -> Mapping[str, object]:
        """The check, JSON-ready."""
        return {
            "name": self.name,
            "expected": self.expected,
            "found": self.found,
            "bounds": [self.low, self.high],
            "good": self.is_good,
        }


WINDOW, WINDOWS = 200_000, 12
_NOTHING = np.empty(0, np.int64)


def self_check() -> list[Check]:
    """Erlang's formulas, Pollaczek-Khinchine, the conservation of work and Little's law; the same on every machine."""
    return [
        _near("erlang_c", 0.02750694171070354, _number(analytic.erlang_c(10_200, 10_000))),
        _near("erlang_b", 0.00896491554362230, analytic.erlang_b(170, 150)),
        _pollaczek_khinchine(),
        _conservation(),
        _little(),
    ]


def _number(answer: Answer) -> float:
    return -1.0 if isinstance(answer, str) else answer


def _near(name: str, expected: float, found: float) -> Check:
    slack = abs(expected) * 1e-9
    return Check(name, expected, found, expected - slack, expected + slack)


def _load(chance: float, ticks: int, seed: int, reports: Ticks, sizes: Ticks) -> Load:
    timeline = Timeline.of(WINDOW, Stream.even(seed, WINDOW, chance).all())
    draws: Callable[[int], np.ndarray] = lambda count: np.empty(count)  # noqa: E731
    return Load(WINDOW, timeline, ticks, reports, sizes, draws, NEVER)


def _mean_wait(outcome: Outcome) -> float:
    return int((outcome.waits * outcome.wait_counts).sum(dtype=np.int64)) / outcome.tracking_started


def _pollaczek_khinchine() -> Check:
    """The mean wait on one slot at load 0.7; the bounds are wide enough to be left once in ten thousand times."""
    ticks = 10
    means = [_mean_wait(simulate(Rules(1), _load(0.07, ticks, seed, _NOTHING, _NOTHING))) for seed in range(WINDOWS)]
    expected = _number(analytic.geo_g1_mean_wait(0.07, ticks, ticks * ticks))
    found = sum(means) / len(means)
    low, high = mean_interval(means, 0.9999)
    half = max(found - (low or 0.0), (high or 0.0) - found)
    return Check("pollaczek_khinchine", expected, found, expected - half, expected + half)


def _conservation() -> Check:
    """Size x wait, summed over all jobs of one slot, under FIFO and under priority: the same to the last tick."""
    reports = Stream.even(1, WINDOW, 1 / 2000).all()
    sizes = np.full(len(reports), 900, np.int64)

    def weighted(rules: Rules) -> int:
        outcome = simulate(rules, _load(0.2, 1, 0, reports, sizes))
        tracking = int((outcome.waits * outcome.wait_counts).sum(dtype=np.int64))
        return tracking + int(((outcome.report_spans - sizes) * sizes).sum(dtype=np.int64))

    expected, found = weighted(Rules(1)), weighted(Rules(1, tracking_first=True))
    return Check("conservation", expected, found, expected, expected)


def _little() -> Check:
    """Reports on two workers: their times in the system, summed, are the number in the system, summed over ticks."""
    reports = Stream.even(1, WINDOW, 1 / 600).all()
    sizes = np.full(len(reports), 900, np.int64)
    outcome = simulate(Rules(1, workers=2), _load(0.0, 1, 0, reports, sizes))
    ends = np.sort(reports + outcome.report_spans)
    ticks = np.arange(int(ends[-1]) + 1, dtype=np.int64)
    inside = np.searchsorted(reports, ticks, side="right") - np.searchsorted(ends, ticks, side="right")
    expected = analytic.in_system(len(reports) / len(ticks), float(outcome.report_spans.mean()))
    return _near("little", expected, int(inside.sum(dtype=np.int64)) / len(ticks))
