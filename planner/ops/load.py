"""The plan's report job, as the models need it: how long, how many, in which window, on how many workers.

Imports derived, errors, exactly, numbers, report, scenario and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.derived import derive
from planner.errors import PlannerError
from planner.numbers import half_up
from planner.ops import exactly
from planner.ops.report import shown
from planner.scenario import Scenario
from planner.texts import Message


@dataclass(frozen=True, slots=True)
class Load:
    """The report job of a plan, in the units that the names carry.

    `workers_full` is the lower bound at utilisation 1, `workers` the count at `target_utilisation`.
    """

    report_seconds: float
    reports: float
    window_seconds: float
    target_utilisation: float
    workers_full: float
    workers: int
    replicas: int
    seed: int

    @classmethod
    def of(cls, scenario: Scenario) -> Load:
        """The report job of `scenario`; PlannerError where the scenario makes no model."""
        derived = derive(scenario)
        return cls(
            report_seconds=derived.report_seconds,
            reports=derived.expected_reports_total,
            window_seconds=scenario.window_minutes * 60,
            target_utilisation=scenario.target_utilisation,
            workers_full=derived.workers_at_full_utilisation,
            workers=derived.workers_at_target_utilisation,
            replicas=scenario.replicas,
            seed=scenario.seed,
        )

    @property
    def worker_seconds(self) -> float:
        """Worker-seconds that the reports of one window need."""
        return self.reports * self.report_seconds

    @property
    def report_ms(self) -> float:
        """Milliseconds of one report."""
        return float(exactly.fraction(self.report_seconds) * 1000)

    @property
    def jobs(self) -> int:
        """The reports as a whole number of jobs; PlannerError if the plan expects none, and so brings no job."""
        jobs = half_up(self.reports)
        if jobs < 1:
            raise PlannerError("report_share", Message.of("ops.errors.no_reports"), Message.of("ops.allowed.reports"))
        return jobs

    @property
    def busy_workers(self) -> int:
        """The plan's workers, at least one; PlannerError if the plan expects no reports."""
        return self.workers if self.jobs else 0

    def workers_at(self, times: float = 1, extra_s: float = 0) -> int:
        """Workers at the target utilisation when a report costs `times` as much and `extra_s` of work come on top."""
        return math.ceil((self.workers_full * times + extra_s / self.window_seconds) / self.target_utilisation)

    def sentence(self, key: str, times: float = 1, extra_s: float = 0, **params: object) -> tuple[str, Message]:
        """The sentence ``ops.<key>`` about the plan's worker count under such a change."""
        full = self.workers_full * times + extra_s / self.window_seconds
        plan = {"reports": shown(self.reports), "report_s": shown(self.report_seconds), "workers": self.workers}
        now = {"now": self.workers_at(times, extra_s), "full": f"{full:.2f}", "times": f"{times:.4g}"}
        rest = {"utilisation": shown(self.target_utilisation), "window_s": shown(self.window_seconds)}
        return "plan", Message.of(f"ops.{key}", **{**plan, **now, **rest, **params})
