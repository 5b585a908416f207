"""Schedulers on the plan's own load: cooperative, preemptive, stealing, and Go's global queue; and what each costs.

Every scheduler is a design of the plan, run by the plan's simulator; here they stand side by side with the slots that
each needs. Imports cost, designs, explain, inputs, load, model, numbers, plan, report, scenario and sizing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner import cost, designs, plan, sizing
from planner.designs import Design
from planner.explain import Diary, keep_diary
from planner.model import Simulator
from planner.numbers import shortest
from planner.ops.inputs import document, option, refuse
from planner.ops.load import Load
from planner.ops.report import Cell, Report, Row, shown, table
from planner.scenario import Scenario
from planner.texts import Message

KINDS = ("cooperative", "preemptive", "stealing", "gpm")
MEASURED = ("wait_p99_ms", "wait_max_ms", "delayed", "delayed_share", "report_mean_s")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The options of scheduling; 10 ms is the interval that the source names."""

    slots: int = option(2, "integer", "slots", low=1, high=256)
    quantum_ms: float = option(10, unit="ms", low_open=True, high=1e9)
    switch_ms: float = option(0, unit="ms", high=1e9)
    search: int = option(1, "integer", high=1)
    report_number: int = option(1, "integer", low=1, high=10**9)


def design(kind: str, slots: int, inputs: Inputs) -> Design:
    """The plan's design that a scheduler is."""
    quantum = shortest(inputs.quantum_ms)
    text = {
        "cooperative": f"shared:{slots}",
        "preemptive": f"preemptive:{slots}:{quantum}:{shortest(inputs.switch_ms)}",
        "stealing": f"stealing:{slots}",
        "gpm": f"gpm:{slots}:{quantum}",
    }[kind]
    return designs.parse(text)


def smallest_slots(kind: str, inputs: Inputs, scenario: Scenario, simulator: Simulator) -> int | None:
    """The smallest slot count that meets the target, tried one by one from 1, because only for one line is it known
    that more slots never hurt; None if none up to `search_max_slots` does."""
    for slots in range(1, scenario.search_max_slots + 1):
        if sizing.is_met(design(kind, slots, inputs), scenario, simulator):
            return slots
    return None


def path(diary: Diary, number: int) -> list[dict[str, object]]:
    """The stretches of one report's way, from its arrival: where it waited and which slot ran it, in seconds.

    `where` is ``local`` (its own slot's line), ``stolen`` (its first piece ran in another slot), ``line`` (one line for
    all slots) or ``global`` (where cut reports wait).
    """
    tick_s = diary.derived.tick_ms / 1000
    pieces = diary.reports[diary.reports[:, 1] == number].tolist()
    now = int(diary.report_arrivals[number])
    home = home_slot(diary, number)
    found: list[dict[str, object]] = []
    for place, (slot, _, start, end) in enumerate(pieces):
        first = "line" if home is None else "local" if slot == home else "stolen"
        where = first if place == 0 else "global" if diary.design.kind == "gpm" else first
        if start > now:
            found.append(_stretch("waits", where, None, now * tick_s, start * tick_s))
        found.append(_stretch("runs", where, slot, start * tick_s, end * tick_s))
        now = end
    return found


def _stretch(state: str, where: str, slot: int | None, from_s: float, to_s: float) -> dict[str, object]:
    return {"state": state, "where": where, "slot": slot, "from_s": from_s, "to_s": to_s}


def home_slot(diary: Diary, number: int) -> int | None:
    """The slot that a report was bound to at arrival, all arrivals dealt in turn; None where there is one line.

    In a tick with both, the tracking query arrives first.
    """
    if diary.design.kind not in ("stealing", "gpm"):
        return None
    tick = diary.report_arrivals[number]
    before = int(np.searchsorted(diary.tracking_arrivals, tick, side="right")) + number
    return before % diary.design.slots


def from_plan(_: Load) -> dict[str, object]:
    """Nothing: scheduling always runs on the plan itself."""
    return {}


def report(inputs: Inputs, load: Load, scenario: Scenario) -> Report:
    """A row a scheduler on the plan's load, the slots that each needs, and one report's path through each."""
    _check_cost(inputs, scenario)
    simulator = Simulator()
    rows: list[Row] = []
    paths: list[dict[str, object]] = []
    for kind in KINDS:
        chosen = design(kind, inputs.slots, inputs)
        measured: dict[str, Any] = plan.row(chosen, scenario, simulator)
        slots = smallest_slots(kind, inputs, scenario, simulator) if inputs.search else None
        row: dict[str, Cell] = {"scheduler": Message.of(f"ops.scheduling.{kind}"), "design": str(chosen)}
        row |= {name: measured[name] for name in MEASURED}
        total = None if slots is None else slots * scenario.replicas
        rows.append({**row, "slots_needed": slots, "slots_total": total})
        diary = keep_diary(chosen, scenario)
        if inputs.report_number > len(diary.report_arrivals):
            raise refuse(Inputs, "report_number", "no_such_report", most=len(diary.report_arrivals))
        stretches = path(diary, inputs.report_number - 1)
        paths.append({"scheduler": kind, "design": str(chosen), "report": inputs.report_number, "path": stretches})
    answers = [_plan(rows, load), _question(rows, inputs)] if inputs.search else [_question(rows, inputs)]
    return Report("scheduling", document(inputs), (table("scheduling", rows),), tuple(answers), {"paths": paths})


def _check_cost(inputs: Inputs, scenario: Scenario) -> None:
    """PlannerError if the runs, the largest ones of the search included, would take days."""
    slots = scenario.search_max_slots if inputs.search else inputs.slots
    cost.check(replace(scenario, designs=tuple(design(kind, slots, inputs) for kind in KINDS)))


def _plan(rows: list[Row], load: Load) -> tuple[str, Message]:
    listed = "; ".join(f"{row['design']}: {shown(row['slots_total'])}" for row in rows)
    return load.sentence("scheduling.plan", 1, listed=listed)


def _question(rows: list[Row], inputs: Inputs) -> tuple[str, Message]:
    cooperative, preemptive = rows[0], rows[1]
    return "question", Message.of(
        "ops.scheduling.question",
        slots=inputs.slots,
        quantum=shown(inputs.quantum_ms),
        together=shown(cooperative["delayed"]),
        cut=shown(preemptive["delayed"]),
        before=shown(cooperative["report_mean_s"]),
        after=shown(preemptive["report_mean_s"]),
    )
