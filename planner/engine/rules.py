"""What a design is to the engine: a declaration of how its jobs are queued, chosen and cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.engine.flow import NEVER
from planner.engine.timeline import Ticks

Dispatch = Literal["none", "rr", "random", "jsq"]
Help = Literal["none", "one", "half"]


@dataclass(frozen=True, slots=True)
class Rules:
    """One design, in ticks.

    Parameters
    ----------
    slots
        Slots of the pool.
    workers
        Workers that take the reports from a queue of their own; 0 if the reports run in the slots.
    dispatch
        Queued: in one line for all slots (``none``), or in a line per slot, bound at arrival to the slot that is
        next in turn (``rr``), drawn (``random``) or least occupied (``jsq``).
    help
        Chosen: what a slot with an empty line takes of the longest other line: nothing, the oldest job, or half.
    tracking_first
        Chosen: a report starts only when no tracking job waits.
    most_reports
        Chosen: most slots that reports may hold at once.
    piece
        Cut: ticks after which a report gives its slot up and goes to the tail; NEVER if it is not cut.
    switch
        Cut: ticks that each resumed piece costs more.
    global_every
        Cut reports go to one global line, which a slot looks at first in every `global_every`-th of its
        scheduling cycles and last in the others; 0 if there is no such line.
    """

    slots: int
    workers: int = 0
    dispatch: Dispatch = "none"
    help: Help = "none"
    tracking_first: bool = False
    most_reports: int = NEVER
    piece: int = NEVER
    switch: int = 0
    global_every: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened in a window, in ticks.

    Parameters
    ----------
    tracking_arrived, tracking_started
        Numbers of tracking jobs.
    waits, wait_counts
        The different waits above zero of started tracking jobs, ascending, and how many had each.
    reports_arrived, reports_started
        Numbers of reports; one that is cut has started with its first piece.
    report_spans
        Ticks from arrival to finish of each report whose last piece has started.
    tracking_unfinished, reports_unfinished
        Jobs that were waiting or in service at the window's end.
    tracking_slot_ticks, report_slot_ticks, worker_ticks
        Occupied ticks within the window: of slots by either class, and of the task queue's workers.
    """

    tracking_arrived: int
    tracking_started: int
    waits: Ticks
    wait_counts: Ticks
    reports_arrived: int
    reports_started: int
    report_spans: Ticks
    tracking_slot_ticks: int
    report_slot_ticks: int
    tracking_unfinished: int
    reports_unfinished: int
    worker_ticks: int = 0
