"""Pictures as coordinates: what a chart's template draws, in the units of its view box. No markup, no words.

Coordinates are rounded to a tenth, so the last place of a logarithm shows on no machine. Imports explain and metrics.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.explain import Diary, occupancy

WIDTH = 720
ROW, BAR = 30, 20
LEFT, TOP, BOTTOM = 64, 26, 26


@dataclass(frozen=True, slots=True)
class Mark:
    """A tick of an axis: where it stands, and the number that it stands for."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A report in a slot: its number from 1, and the bar's left edge, top and width."""

    report: int
    x: float
    y: float
    width: float
    named: bool


@dataclass(frozen=True, slots=True)
class Jam:
    """The slots around one long wait.

    `rows` are the tops of the slots; `reports` the bars of reports; `queries` the outline of all queries served, as
    one path; `came` and `started` the places on the time axis between which the query waited; `marks` seconds.
    """

    width: int
    height: int
    rows: tuple[float, ...]
    reports: tuple[Bar, ...]
    queries: str
    came: float
    started: float
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """The share of queries that wait longer, over the wait, both axes logarithmic.

    `line` is the path; `waits` (ms) and `shares` the marks of the axes; `threshold` the place of the delay threshold,
    None if it lies outside.
    """

    width: int
    height: int
    line: str
    waits: tuple[Mark, ...]
    shares: tuple[Mark, ...]
    threshold: float | None


def jam(diary: Diary, came_s: float, started_s: float) -> Jam:
    """The slots from a little before a query came, at `came_s`, until a little after it started, at `started_s`."""
    room = (started_s - came_s) * 0.25 + 50 * diary.derived.tick_ms / 1000
    low = max(0.0, came_s - room)
    high = min(started_s + room, diary.derived.window_ticks * diary.derived.tick_ms / 1000)
    scale = (WIDTH - LEFT - 8) / (high - low)

    def x(second: float) -> float:
        return round(LEFT + (min(max(second, low), high) - low) * scale, 1)

    reports, queries = [], []
    for bar in occupancy(diary, low, high):
        if "slot" not in bar:
            continue
        left, right = (x(float(str(bar[end]))) for end in ("from_s", "to_s"))
        top = TOP + int(str(bar["slot"])) * ROW
        if bar["report"] is None:
            queries.append(
                f"M{left} {top + 3}h{max(0.3, round(right - left, 1))}v{BAR - 6}h-{max(0.3, right - left):.1f}z"
            )
        else:
            width = round(right - left, 1)
            reports.append(Bar(int(str(bar["report"])) + 1, left, top, width, width > 34))
    marks = tuple(Mark(x(second), second) for second in _round_steps(low, high))
    rows = tuple(float(TOP + slot * ROW) for slot in range(diary.design.slots))
    height = TOP + diary.design.slots * ROW + BOTTOM
    return Jam(WIDTH, height, rows, tuple(reports), "".join(queries), x(came_s), x(started_s), marks)


def tail(points: Sequence[tuple[float, float]], threshold_ms: float) -> Tail | None:
    """The tail through `points` (wait in ms, share that waits longer); None if hardly a query waits."""
    shown = [(wait, share) for wait, share in points if wait > 0 and share > 0]
    if len(shown) < 2:
        return None
    height = 260
    low, high = math.floor(math.log10(shown[0][0])), math.ceil(math.log10(shown[-1][0]))
    depth = min(-1, math.floor(math.log10(shown[-1][1])))
    high = max(high, low + 1)

    def x(wait: float) -> float:
        return round(LEFT + (math.log10(wait) - low) / (high - low) * (WIDTH - LEFT - 16), 1)

    def y(share: float) -> float:
        return round(TOP + math.log10(share) / depth * (height - TOP - BOTTOM), 1)

    line = f"M{x(shown[0][0])} {y(shown[0][1])}" + "".join(f"H{x(wait)}V{y(share)}" for wait, share in shown[1:])
    inside = threshold_ms > 0 and low <= math.log10(threshold_ms) <= high
    return Tail(
        WIDTH,
        height,
        line,
        tuple(Mark(x(10.0**power), 10.0**power) for power in range(low, high + 1)),
        tuple(Mark(y(10.0**power), 10.0**power) for power in range(0, depth - 1, -1)),
        x(threshold_ms) if inside else None,
    )


def _round_steps(low: float, high: float) -> list[float]:
    """About six round numbers between two others."""
    rough = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step)
    return [round(step * n, 9) for n in range(first, math.floor(high / step) + 1)]
