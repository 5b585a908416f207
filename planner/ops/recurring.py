"""Recurring tasks over a month: due by cron, run for a while, and overlap, skip or queue when they are too slow.

Owns the three policies and what they count; moments are microseconds since the month began (`calendar`).
Imports calendar, durations, exactly, inputs, load and report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from planner.ops import calendar, exactly
from planner.ops.calendar import SECOND, Month
from planner.ops.durations import drawn
from planner.ops.inputs import document, option, refuse
from planner.ops.load import Load
from planner.ops.report import Report, Row, shown, table
from planner.texts import Message

POLICIES = ("allow", "skip", "queue")
MOST_DRAWN_RUNS = 5_000


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of recurring tasks. The schedules are the source's: daily at six, the first of the month, every 15
    minutes; 20 minutes are what the plan's 7200 worker-seconds take its 6 workers."""

    schedules: tuple[str, ...] = option(
        ("0 6 * * *", "0 0 1 * *", "*/15 * * * *"), "text", many=True, separator=";", most=20
    )
    run_minutes: tuple[float, ...] = option((20,), unit="min", low_open=True, high=100_000, many=True, most=20)
    sizes: str = option("fixed", "sizes")
    policies: tuple[str, ...] = option(POLICIES, "choice", choices=POLICIES, many=True, most=3)
    month: str = option("2026-10", "text")
    time_zone: str = option("Europe/Istanbul", "text")
    seed: int = option(20260730, "integer", high=2**32 - 1)


@dataclass(frozen=True, slots=True)
class Runs:
    """One schedule under one policy: (due, start, end) of each run that happens, in order; the rest skipped."""

    schedule: str
    policy: str
    due: int
    kept: tuple[tuple[int, int, int], ...]
    skipped: int

    @property
    def most_at_once(self) -> int:
        """The largest number of runs at the same moment; one that ends as another starts does not count with it."""
        events = sorted([(start, 1) for _, start, _ in self.kept] + [(end, -1) for _, _, end in self.kept])
        running = most = 0
        for _, change in events:
            running += change
            most = max(most, running)
        return most

    def overlaps(self) -> list[bool]:
        """For each run, whether it starts while an earlier one still runs."""
        found, latest = [], -1
        for _, start, end in self.kept:
            found.append(start < latest)
            latest = max(latest, end)
        return found

    def row(self, month: Month) -> dict[str, Any]:
        """The month in numbers."""
        delays = [start - due for due, start, _ in self.kept]
        return {
            "schedule": self.schedule,
            "policy": Message.of(f"ops.recurring.{self.policy}"),
            "due": self.due,
            "started": sum(start < month.length for _, start, _ in self.kept),
            "skipped": self.skipped,
            "overlapping": sum(self.overlaps()),
            "most_at_once": self.most_at_once,
            "longest_delay_s": max(delays, default=0) / SECOND,
            "unfinished_at_end": sum(end > month.length for _, _, end in self.kept),
        }


def apply(policy: str, due: Sequence[int], lengths: Sequence[int], schedule: str = "") -> Runs:
    """The runs of a schedule: ``allow`` starts every one when due, ``skip`` drops one that is due while the last still
    runs, ``queue`` starts it when that has ended. One that is due as another ends finds the way free."""
    kept: list[tuple[int, int, int]] = []
    free = skipped = 0
    for at, length in zip(due, lengths, strict=True):
        if policy == "skip" and kept and at < free:
            skipped += 1
            continue
        start = max(at, free) if policy == "queue" and kept else at
        free = start + length
        kept.append((at, start, free))
    return Runs(schedule, policy, len(due), tuple(kept), skipped)


def busiest(runs: Sequence[Runs], window: int) -> int:
    """The most run time (microseconds) within any `window` microseconds.

    The time within a window that slides is piecewise linear and has its peaks where the window begins with a start
    or ends with an end; with F(t) the sum of max(0, t - x), the time before t is F_starts(t) - F_ends(t).
    """
    kept = [run for one in runs for run in one.kept]
    if not kept:
        return 0
    starts = np.sort(np.array([start for _, start, _ in kept], dtype=np.int64))
    ends = np.sort(np.array([end for _, _, end in kept], dtype=np.int64))
    edges = np.concatenate([starts, ends - np.int64(window)]).astype(np.int64)

    def before(moments: Any) -> Any:
        def passed(sorted_moments: Any) -> Any:
            count = np.searchsorted(sorted_moments, moments).astype(np.int64)
            sums = np.concatenate([[0], np.cumsum(sorted_moments, dtype=np.int64)]).astype(np.int64)
            return count * moments - sums[count]

        return passed(starts) - passed(ends)

    return int((before(edges + np.int64(window)) - before(edges)).max())


def from_plan(load: Load) -> dict[str, object]:
    """A recurring batch of all the plan's reports, on the plan's workers."""
    seconds = load.jobs * exactly.fraction(load.report_seconds) / load.workers
    return {"run_minutes": [float(seconds / 60)]}


def report(inputs: Inputs, load: Load) -> Report:
    """Every schedule under every policy, the days, and the changes of the clock."""
    refusing = partial(refuse, Inputs)
    month = calendar.parse_month(inputs.month, calendar.find_zone(inputs.time_zone, refusing), refusing)
    if len(inputs.run_minutes) not in (1, len(inputs.schedules)):
        raise refuse(Inputs, "run_minutes", "one_or_each", count=len(inputs.schedules))
    minutes = inputs.run_minutes * (len(inputs.schedules) if len(inputs.run_minutes) == 1 else 1)
    runs: list[Runs] = []
    for index, (schedule, mean) in enumerate(zip(inputs.schedules, minutes, strict=True)):
        due = calendar.due(schedule, month, refusing)
        lengths = [round(ms * 1000) for ms in drawn(inputs.sizes, mean * 60_000, len(due), inputs.seed + 16 * index)]
        runs += [apply(policy, due, lengths, schedule) for policy in dict.fromkeys(inputs.policies)]
    changes = month.clock_changes()
    first = [one for one in runs if one.policy == inputs.policies[0]]
    tables = [table("recurring", [one.row(month) for one in runs]), table("clock_changes", _changes(changes))]
    answers = [_plan(first, load), *_overlap(runs, inputs, minutes), *_clock(month, changes, first)]
    data = {"days": _days(month, first), "runs": _drawn(month, first)}
    return Report("recurring", document(inputs), tuple(tables), tuple(answers), data)


def _changes(changes: Sequence[tuple[Any, int, int]]) -> list[Row]:
    return [{"local_time": at.isoformat(), "before_min": old, "after_min": new} for at, old, new in changes]


def _days(month: Month, runs: Sequence[Runs]) -> list[dict[str, object]]:
    """The calendar strip: each local day's length, due runs, overlapping runs and run time, of the first policy."""
    kept = [run for one in runs for run in one.kept]
    overlapping = {
        (one.schedule, run) for one in runs for run, over in zip(one.kept, one.overlaps(), strict=True) if over
    }
    return [
        {
            "date": day,
            "hours": (end - start) / (3600 * SECOND),
            "runs": sum(start <= run[0] < end for run in kept),
            "overlapping": sum(start <= run[1] < end for _, run in overlapping),
            "busy_minutes": sum(max(0, min(e, end) - max(s, start)) for _, s, e in kept) / (60 * SECOND),
        }
        for day, start, end in month.days()
    ]


def _drawn(month: Month, runs: Sequence[Runs]) -> list[dict[str, object]] | None:
    """Each run of the first policy as local start, length in s and whether it overlaps; None if there are too many."""
    if sum(len(one.kept) for one in runs) > MOST_DRAWN_RUNS:
        return None
    return [
        {
            "schedule": one.schedule,
            "runs": [
                [month.local(start).isoformat(), (end - start) / SECOND, over]
                for (_, start, end), over in zip(one.kept, one.overlaps(), strict=True)
            ],
        }
        for one in runs
    ]


def _plan(runs: Sequence[Runs], load: Load) -> tuple[str, Message]:
    busy = busiest(runs, round(load.window_seconds * SECOND)) / SECOND
    return load.sentence("recurring.plan", 1, busy, busy=shown(busy))


def _overlap(runs: Sequence[Runs], inputs: Inputs, minutes: Sequence[float]) -> list[tuple[str, Message]]:
    said: list[tuple[str, Message]] = []
    for schedule, mean in zip(inputs.schedules, minutes, strict=True):
        mine = {one.policy: one for one in runs if one.schedule == schedule}
        one = mine.get("allow") or next(iter(mine.values()))
        count = sum(one.overlaps()) + one.skipped + sum(start > due for due, start, _ in one.kept)
        key = "overlaps" if count else "clear"
        values = {"schedule": schedule, "minutes": shown(mean), "count": count, "due": one.due}
        said.append(("question", Message.of(f"ops.recurring.{key}", most=one.most_at_once, **values)))
    return said


def _clock(month: Month, changes: Sequence[tuple[Any, int, int]], runs: Sequence[Runs]) -> list[tuple[str, Message]]:
    said = []
    for at, old, new in changes:
        day = at.date().isoformat()
        start, end = next((start, end) for name, start, end in month.days() if name == day)
        due = sum(start <= run[0] < end for one in runs for run in one.kept)
        hours = shown((end - start) / (3600 * SECOND))
        values = {"day": day, "minutes": abs(new - old), "hours": hours, "due": due}
        said.append(("note", Message.of("ops.recurring.forward" if new > old else "ops.recurring.back", **values)))
    return said
