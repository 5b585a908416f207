"""Why queries wait: the worst waits with the reports that caused them, the slots over time, the window by the minute.

Imports derived, designs, engine, model, scenario.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.derived import Derived, derive
from planner.designs import Design
from planner.engine.load import Load
from planner.engine.record import Record
from planner.engine.rules import Rules
from planner.engine.timeline import Ticks, Timeline
from planner.engine.walk import finish, walk_in_slices
from planner.metrics import Sample
from planner.model import Arrivals, rules_of
from planner.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Diary:
    """One replica's window under one design, job by job.

    Parameters
    ----------
    design, derived
        The design and the derived numbers that it ran with (its overrides in place).
    tracking
        Rows (slot, arrival, start, end) in ticks of all started tracking queries, by arrival.
    reports
        Rows (slot, number, start, end) in ticks of all pieces of reports, by start. With a task queue the slot is
        the worker's number.
    tracking_arrivals, report_arrivals
        Arrival ticks of all jobs, started or not.
    """

    design: Design
    derived: Derived
    tracking: Ticks
    reports: Ticks
    tracking_arrivals: Ticks
    report_arrivals: Ticks


def keep_diary(design: Design, scenario: Scenario) -> Diary:
    """Run `design` and keep who held which slot when. Costs a walk over every event, whatever the design."""
    return finish(keep_diary_in_slices(design, scenario, 1))


def keep_diary_in_slices(design: Design, scenario: Scenario, slices: int) -> Generator[None, None, Diary]:
    """`keep_diary`, with a pause after each of `slices` parts of the window, and a few more."""
    seen = scenario.for_design(design)
    derived = derive(seen)
    rules = rules_of(Design(design.kind, design.arguments), seen, derived)
    load = Arrivals.of(seen, derived).draw()
    arrivals = load.tracking.span(0, load.tracking.total)
    yield
    slots, queue = Record(), Record()
    if rules.workers:
        nothing = np.empty(0, np.int64)
        alone = replace(load, reports=nothing, report_ticks=nothing)
        yield from walk_in_slices(Rules(rules.slots), alone, slots, slices)
        yield from walk_in_slices(Rules(rules.workers), _reports_only(load), queue, slices)
    else:
        yield from walk_in_slices(rules, load, slots, slices)
        queue = slots
    return Diary(design, derived, slots.tracking(arrivals), queue.reports(), arrivals, load.reports)


def _reports_only(load: Load) -> Load:
    return replace(load, tracking=Timeline.of(load.window, np.empty(0, np.int64)), tracking_ticks=1)


def worst_waits(diary: Diary, count: int) -> list[dict[str, Any]]:
    """The `count` longest waits of tracking queries and the reports that held the slots meanwhile; longest first.

    Of one jam only the worst wait is told: a query whose wait shares a report with one already told is left out.
    Times are seconds from the window's start, waits ms. `holders` lists, for each slot and report, since when the
    report held the slot (from before the query came, as a rule) and until when, and in how many pieces.
    """
    waits = diary.tracking[:, 2] - diary.tracking[:, 1]
    found: list[dict[str, Any]] = []
    told: set[int] = set()
    for row in np.argsort(-waits, kind="stable").tolist():
        if len(found) == count or waits[row] == 0:
            break
        slot, arrival, start, _ = diary.tracking[row].tolist()
        holders = _holders(diary, arrival, start)
        if told & holders.keys():
            continue
        told |= holders.keys()
        found.append(
            {
                "arrival_s": _seconds(arrival, diary),
                "start_s": _seconds(start, diary),
                "wait_ms": (start - arrival) * diary.derived.tick_ms,
                "slot": slot,
                "queries_ahead": _ahead(diary, arrival),
                "holders": [holder for held in holders.values() for holder in held],
            }
        )
    return found


def wait_tail(diary: Diary) -> list[tuple[float, float]]:
    """The tail of the waits: (wait in ms, share of the queries that wait longer), for rising waits."""
    tail = Sample.of(diary.tracking[:, 2] - diary.tracking[:, 1]).tail()
    return [(ticks * diary.derived.tick_ms, share) for ticks, share in tail]


def _ahead(diary: Diary, arrival: int) -> int:
    """Tracking queries that came before `arrival` and were still waiting then."""
    earlier = diary.tracking[:, 1] < arrival
    return int((earlier & (diary.tracking[:, 2] >= arrival)).sum(dtype=np.int64))


def _holders(diary: Diary, arrival: int, start: int) -> dict[int, list[dict[str, object]]]:
    """By report, the slots of the read path that it held between two ticks; empty where reports have workers."""
    if diary.design.workers:
        return {}
    pieces = diary.reports
    held: dict[tuple[int, int], list[int]] = {}
    for slot, report, since, until in pieces[(pieces[:, 2] < start) & (pieces[:, 3] > arrival)].tolist():
        known = held.setdefault((report, slot), [since, until, 0])
        known[1:] = [until, known[2] + 1]
    holders: dict[int, list[dict[str, object]]] = {}
    for (report, slot), (since, until, count) in held.items():
        holder: dict[str, object] = {
            "slot": slot,
            "report": report,
            "arrival_s": _seconds(int(diary.report_arrivals[report]), diary),
            "since_s": _seconds(since, diary),
            "until_s": _seconds(until, diary),
            "pieces": count,
        }
        holders.setdefault(report, []).append(holder)
    return holders


def _seconds(tick: int, diary: Diary) -> float:
    return tick * diary.derived.tick_ms / 1000


def occupancy(diary: Diary, from_s: float, to_s: float) -> list[dict[str, object]]:
    """Bars of the slots between two times in seconds: slot, who (tracking or the report's number), from, to.

    Touching bars of tracking queries in one slot are joined. Where reports have workers of their own, their bars
    carry ``worker`` instead of ``slot``.
    """
    low, high = (round(second * 1000 / diary.derived.tick_ms) for second in (from_s, to_s))
    tracking = diary.tracking[:, [0, 2, 3]]
    inside = tracking[(tracking[:, 2] > low) & (tracking[:, 1] < high)]
    bars = [_bar("slot", row, None, diary) for row in _joined(inside)]
    place = "worker" if diary.design.workers else "slot"
    pieces = diary.reports[(diary.reports[:, 3] > low) & (diary.reports[:, 2] < high)]
    return bars + [_bar(place, (row[0], row[2], row[3]), row[1], diary) for row in pieces.tolist()]


def _bar(place: str, row: tuple[int, int, int], report: int | None, diary: Diary) -> dict[str, object]:
    slot, start, end = row
    return {place: slot, "report": report, "from_s": _seconds(start, diary), "to_s": _seconds(end, diary)}


def _joined(rows: Ticks) -> list[tuple[int, int, int]]:
    """(slot, start, end) with those of a slot that touch made one."""
    if not len(rows):
        return []
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    breaks = (rows[1:, 0] != rows[:-1, 0]) | (rows[1:, 1] != rows[:-1, 2])
    first = np.concatenate([[0], np.flatnonzero(breaks).astype(np.int64) + 1]).astype(np.int64)
    last = np.concatenate([first[1:] - 1, [len(rows) - 1]]).astype(np.int64)
    return list(zip(rows[first, 0].tolist(), rows[first, 1].tolist(), rows[last, 2].tolist(), strict=True))


def by_minute(diary: Diary) -> list[dict[str, float]]:
    """The window minute by minute: arrivals, the mean and the longest line, and the mean number of busy slots.

    Names: ``minute`` (its start), ``tracking_arrivals``, ``report_arrivals``, ``waiting_mean``, ``waiting_max``
    (tracking queries in line), ``busy_tracking_mean``, ``busy_reports_mean`` (slots, or workers for the reports of
    a design with a task queue). The last minute may be a part of one.
    """
    window, tick_ms = diary.derived.window_ticks, diary.derived.tick_ms
    minutes = max(1, -(-window * tick_ms // 60000))
    edges = np.array([min(window, round(n * 60000 / tick_ms)) for n in range(int(minutes) + 1)], dtype=np.int64)
    edges[-1] = window
    length = np.maximum(np.diff(edges), 1)
    never = np.full(len(diary.tracking_arrivals) - len(diary.tracking), window, np.int64)
    line = np.concatenate([diary.tracking[:, 2], never])
    columns = {
        "tracking_arrivals": _count(diary.tracking_arrivals, edges),
        "report_arrivals": _count(diary.report_arrivals, edges),
        "waiting_mean": _busy(diary.tracking_arrivals, line, edges) / length,
        "waiting_max": _longest(diary, edges),
        "busy_tracking_mean": _busy(diary.tracking[:, 2], diary.tracking[:, 3], edges) / length,
        "busy_reports_mean": _busy(diary.reports[:, 2], diary.reports[:, 3], edges) / length,
    }
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [{"minute": minute, **dict(zip(columns, row, strict=True))} for minute, row in enumerate(rows)]


def _count(ticks: Ticks, edges: Ticks) -> Ticks:
    return np.diff(np.searchsorted(ticks, edges).astype(np.int64)).astype(np.int64)


def _busy(starts: Ticks, ends: Ticks, edges: Ticks) -> Ticks:
    """Ticks spent between a start and its end, summed over all, within each pair of edges.

    With F(t) the sum of max(0, t - x) over all x, that is the growth of F_starts - F_ends.
    """

    def spent(ticks: Ticks) -> Ticks:
        ticks = np.sort(ticks)
        before = np.searchsorted(ticks, edges).astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(ticks, dtype=np.int64)]).astype(np.int64)
        return np.asarray(before * edges - sums[before])

    return np.diff(spent(starts) - spent(ends)).astype(np.int64)


def _longest(diary: Diary, edges: Ticks) -> Ticks:
    """The longest line of tracking queries at the end of any tick within each pair of edges."""
    waited = diary.tracking[diary.tracking[:, 2] > diary.tracking[:, 1]]
    left = diary.tracking_arrivals[~np.isin(diary.tracking_arrivals, diary.tracking[:, 1])]
    joins = np.sort(np.concatenate([waited[:, 1], left]))
    leaves = np.sort(waited[:, 2])
    # The line can be longest only at the end of a tick in which one joins, or where the minute begins.
    length = np.arange(1, len(joins) + 1, dtype=np.int64) - np.searchsorted(leaves, joins, side="right").astype(
        np.int64
    )
    longest = []
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        first, last = (int(np.searchsorted(joins, edge)) for edge in (low, high))
        begun = first - int(np.searchsorted(leaves, low, side="right"))
        longest.append(max(begun, int(length[first:last].max(initial=0))))
    return np.array(longest, dtype=np.int64)
