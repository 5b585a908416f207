"""What arrives in a window, and the slot each job is bound to where a design binds it. Imports rules and timeline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.engine.rules import Rules
from planner.engine.timeline import Ticks, Timeline


@dataclass(frozen=True, slots=True)
class Load:
    """What arrives in a window, the same for every design.

    Parameters
    ----------
    window
        Length of the window in ticks.
    tracking
        Arrivals of tracking jobs.
    tracking_ticks
        Length of a tracking job.
    reports, report_ticks
        Arrival tick and length of each report.
    dispatch_draws
        Makes the first n draws, in [0, 1), of the stream that binds job 0 to n - 1 to a slot at random.
    horizon
        The tick from which on no job starts: the window's end, or NEVER to run out all that has arrived.
    """

    window: int
    tracking: Timeline
    tracking_ticks: int
    reports: Ticks
    report_ticks: Ticks
    dispatch_draws: Callable[[int], NDArray[np.float64]]
    horizon: int


def bind(rules: Rules, load: Load) -> tuple[Ticks, Ticks]:
    """The slot of each tracking job and of each report under ``rr`` or ``random``.

    All jobs are numbered together in the order of arrival, the tracking job first in a tick.
    """
    tracking = load.tracking.span(0, load.tracking.total)
    job = np.arange(len(tracking), dtype=np.int64) + np.searchsorted(load.reports, tracking).astype(np.int64)
    report = np.arange(len(load.reports), dtype=np.int64)
    report += np.searchsorted(tracking, load.reports, side="right").astype(np.int64)
    if rules.dispatch == "rr":
        return job % rules.slots, report % rules.slots
    draws = load.dispatch_draws(len(job) + len(report))
    slot = np.floor(draws * rules.slots).astype(np.int64)
    return slot[job], slot[report]
