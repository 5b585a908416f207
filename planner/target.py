"""What a morning must hold: the targets that a size is searched for.

Owns the grammar ``METRIC<VALUE`` (also ``<=``; ``:`` or ``=`` stand for ``<``, which a shell would take for itself)::

    delayed=0                 no tracking query waits longer than the threshold (the default)
    delayed_share<0.01        the share of such queries
    wait_p99_ms<100           any percentile of the waits: wait_p99.9_ms ...; also wait_mean_ms, wait_max_ms
    report_p95_s<6            likewise of the reports, arrival to finish; also report_mean_s, report_max_s

A morning without a job to measure breaks no target. Imports derived, engine.rules, errors, metrics, numbers, texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from planner.derived import Derived
from planner.engine.rules import Outcome
from planner.errors import PlannerError
from planner.formats import figure
from planner.metrics import Sample, last_tick_within
from planner.numbers import parse as parse_number
from planner.numbers import quote, shortest
from planner.texts import Message

_FORM = re.compile(r"\s*([a-z_]+?)(?:_p(\d+(?:\.\d+)?))?(_ms|_s)?\s*(<=|<|:|=)\s*(\S+)\s*", re.ASCII)
_STATISTICS = {
    "delayed": ("delayed", ""),
    "delayed_share": ("delayed_share", ""),
    "wait_mean_ms": ("wait", "mean"),
    "wait_max_ms": ("wait", "max"),
    "report_mean_s": ("report", "mean"),
    "report_max_s": ("report", "max"),
}


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    Parameters
    ----------
    subject
        ``delayed``, ``delayed_share``, ``wait`` or ``report``.
    statistic
        ``mean``, ``max`` or ``percentile`` of a wait or a report.
    percent
        Which percentile.
    limit
        The bound: a count, a share, milliseconds of a wait or seconds of a report.
    inclusive
        Whether the bound itself is good.
    """

    subject: str = "delayed"
    statistic: str = ""
    percent: float = 0
    limit: float = 0
    inclusive: bool = True

    @property
    def metric(self) -> str:
        """Its name as the plan's table has it, such as ``wait_p99_ms``."""
        if self.subject not in ("wait", "report"):
            return self.subject
        which = f"p{shortest(self.percent)}" if self.statistic == "percentile" else self.statistic
        return f"{self.subject}_{which}_{'ms' if self.subject == 'wait' else 's'}"

    def __str__(self) -> str:
        return f"{self.metric}{'<=' if self.inclusive else '<'}{shortest(self.limit)}"

    @property
    def no_delay(self) -> bool:
        """Whether a single delayed query breaks it."""
        return self.subject == "delayed" and self.limit == 0

    @property
    def about_reports(self) -> bool:
        """Whether it binds the reports and not the queries."""
        return self.subject == "report"

    def measure(self, outcome: Outcome, derived: Derived, threshold_ms: float) -> float | None:
        """The target's metric of `outcome`, in the unit of its limit; None if there is no job to measure."""
        if self.about_reports:
            ticks = self._statistic(Sample.of(outcome.report_spans))
            return None if ticks is None else ticks * derived.tick_ms / 1000
        waits = Sample.of_waits(outcome)
        if self.subject == "wait":
            ticks = self._statistic(waits)
            return None if ticks is None else ticks * derived.tick_ms
        delayed = waits.above(last_tick_within(threshold_ms, derived.tick_ms))
        if self.subject == "delayed":
            return delayed
        return delayed / waits.size if waits.size else None

    def holds(self, value: float | None) -> bool:
        """Whether a morning with this `value` of the metric is good."""
        return value is None or value < self.limit or (self.inclusive and value == self.limit)

    def is_met(self, outcome: Outcome, derived: Derived, threshold_ms: float) -> bool:
        """Whether the morning of `outcome` is good."""
        return self.holds(self.measure(outcome, derived, threshold_ms))

    def _statistic(self, sample: Sample) -> float | None:
        if self.statistic == "mean":
            return sample.mean()
        return sample.largest() if self.statistic == "max" else sample.percentile(self.percent)

    def message(self, threshold_ms: float) -> Message:
        """The target in words."""
        key = "none" if self.no_delay else self.subject
        return Message.of(
            f"size.target.{key}",
            limit=figure(self.limit),
            threshold=figure(threshold_ms),
            statistic=Message.of(f"size.statistic.{self.statistic or 'max'}", percent=figure(self.percent)),
        )

    def document(self, threshold_ms: float) -> dict[str, object]:
        """The target, JSON-ready."""
        return {
            "metric": self.metric,
            "comparison": "<=" if self.inclusive else "<",
            "limit": self.limit,
            "delay_threshold_ms": threshold_ms,
        }


def parse(text: str) -> Target:
    """The target that `text` spells; PlannerError if it spells none."""
    match = _FORM.fullmatch(text)
    if not match:
        raise _refuse("unknown", text)
    name, percent_text, unit, comparison, value_text = match.groups()
    limit = parse_number(value_text)
    if limit is None or limit < 0:
        raise _refuse("limit", text)
    inclusive = comparison == "<="
    if percent_text is not None:
        percent = parse_number(percent_text)
        if name not in ("wait", "report") or unit != ("_ms" if name == "wait" else "_s") or percent is None:
            raise _refuse("unknown", text)
        if not 0 <= percent <= 100:
            raise _refuse("percent", text)
        return _possible(Target(name, "percentile", percent, limit, inclusive), text)
    known = _STATISTICS.get(name + (unit or ""))
    if known is None:
        raise _refuse("unknown", text)
    if known[0] == "delayed" and limit == 0 and comparison != "<":
        return Target()
    return _possible(Target(known[0], known[1], 0, limit, inclusive), text)


def _possible(target: Target, text: str) -> Target:
    """`target`, unless nothing can be below its limit."""
    if target.limit == 0 and not target.inclusive:
        raise _refuse("impossible", text)
    return target


def _refuse(why: str, text: str) -> PlannerError:
    problem = Message.of(f"size.errors.target_{why}", value=quote(text))
    return PlannerError("--target", problem, Message.of("size.errors.allowed_target"))
