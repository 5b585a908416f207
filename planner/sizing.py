"""The smallest size of a design that meets the target. Imports designs, derived, metrics, model and scenario."""

from __future__ import annotations

from typing import Any

from planner.derived import derive
from planner.designs import Design
from planner.metrics import Sample, last_tick_within
from planner.model import Simulator
from planner.scenario import Scenario


def is_met(design: Design, scenario: Scenario, simulator: Simulator) -> bool:
    """Whether no tracking query waits longer than the threshold at `design`."""
    tick_ms = derive(scenario).tick_ms
    waits = Sample.of_waits(simulator.run(design, scenario))
    return waits.above(last_tick_within(scenario.delay_threshold_ms, tick_ms)) == 0


def smallest_slots(kind: str, scenario: Scenario, simulator: Simulator) -> int | None:
    """The smallest slot count, 1 to `search_max_slots`, at which `kind` meets the target; None if there is none.

    In a FIFO pool another slot makes no job start later, so the counts that meet the target are the upper part of
    the range and bisection finds their edge (Kiefer and Wolfowitz 1955: the ordered workloads fall with each server).
    """
    extra = (scenario.search_workers,) if kind == "separate" else ()
    fails, meets = 0, scenario.search_max_slots + 1
    while meets - fails > 1:
        slots = (fails + meets) // 2
        if is_met(Design(kind, (slots, *extra)), scenario, simulator):
            meets = slots
        else:
            fails = slots
    return meets if meets <= scenario.search_max_slots else None


def size_both(scenario: Scenario, simulator: Simulator) -> dict[str, dict[str, Any]]:
    """The unit of scaling of the shared and the separate design: slots a replica, slots in all, and workers."""
    derived = derive(scenario)
    sizes: dict[str, dict[str, Any]] = {}
    for kind in ("shared", "separate"):
        slots = smallest_slots(kind, scenario, simulator)
        sizes[kind] = {"slots": slots, "slots_total": None if slots is None else slots * scenario.replicas}
    sizes["separate"]["workers_at_full_utilisation"] = derived.workers_at_full_utilisation
    sizes["separate"]["workers_at_target_utilisation"] = derived.workers_at_target_utilisation
    return sizes
