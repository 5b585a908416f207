"""The plan: derived numbers, a row a design, the sizing and the warnings, as one JSON-ready document.

Imports derived, designs, metrics, model, scenario, sizing and texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner import VERSION, metrics, sizing
from planner.derived import Derived, derive
from planner.designs import Design
from planner.errors import PlannerError
from planner.model import Simulator
from planner.scenario import Scenario
from planner.texts import Message

Part = tuple[str, Any]
_LEFT_WAITING = 0.001


def steps(scenario: Scenario, simulator: Simulator | None = None) -> Iterator[Part]:
    """The plan, part by part, as each becomes known.

    Yields ``("derived", {...})``, ``("warnings", [(field, Message), ...])``, then ``("row", {...})`` for each design
    in order, the warnings again with those that the rows and the sizing gave, and last ``("sizing", {...})``. Every
    input is checked, each design's overrides included, before the first part; a PlannerError comes at once.
    """
    simulator = simulator or Simulator()
    derived = check(scenario)
    yield "derived", derived.document()
    noted = warnings(scenario, derived)
    yield "warnings", noted
    for design in scenario.designs:
        known = row(design, scenario, simulator)
        noted += _left_waiting(known)
        yield "row", known
    sizes = sizing.size_both(scenario, simulator)
    if sizes["shared"]["slots"] is not None:
        smallest = Design("shared", (int(sizes["shared"]["slots"]),))
        if smallest not in scenario.designs:
            noted += _left_waiting(row(smallest, scenario, simulator))
    yield "warnings", noted
    yield "sizing", sizes


def check(scenario: Scenario) -> Derived:
    """The derived numbers of `scenario`; PlannerError if they, or those of a design's overrides, make no model."""
    derived = derive(scenario)
    for design in scenario.designs:
        _derive_for(design, scenario)
    return derived


def row(design: Design, scenario: Scenario, simulator: Simulator) -> dict[str, Any]:
    """The metrics of `design` under `scenario` (with the design's overrides), by name."""
    seen = scenario.for_design(design)
    derived = derive(seen)
    plain = Design(design.kind, design.arguments)
    outcome = simulator.run(plain, seen)
    measured = metrics.measure(outcome, derived, design.slots, design.workers, seen.delay_threshold_ms)
    return {"design": str(design), **measured}


def run(scenario: Scenario) -> dict[str, Any]:
    """The whole plan as the document that ``plan --format json`` prints."""
    document: dict[str, Any] = {
        "version": VERSION,
        "scenario": scenario.document(),
        "derived": {},
        "designs": [],
    }
    for kind, part in steps(scenario):
        if kind == "row":
            document["designs"].append(part)
        elif kind == "warnings":
            noted = [{"field": field, "message": message.text()} for field, message in part]
        else:
            document[kind] = part
    document["warnings"] = noted
    return document


def warnings(scenario: Scenario, derived: Derived) -> list[tuple[str, Message]]:
    """What a reader must know before trusting the numbers: pairs of a field's name and a sentence."""
    found = []
    if derived.resolution > 1:
        found.append(("resolution", Message.of("warnings.resolution", value=derived.resolution)))
    if derived.tracking_probability > 0.5:
        chance = f"{derived.tracking_probability:.3g}"
        found.append(("resolution", Message.of("warnings.coarse", chance=chance)))
    if derived.report_probability > 0.125:
        chance = f"{derived.report_probability:.3g}"
        found.append(("report_share", Message.of("warnings.coarse_reports", chance=chance)))
    found.append(("workers_at_full_utilisation", Message.of("warnings.lower_bound")))
    if scenario.window_minutes * 60 < 10 * derived.report_seconds:
        found.append(("window_minutes", Message.of("warnings.short_window")))
    found.append(("seed", Message.of("warnings.one_seed")))
    return found


def _left_waiting(measured: dict[str, Any]) -> list[tuple[str, Message]]:
    """A warning if so many queries of a design were still waiting at the window's end that its waits mislead."""
    left = measured["tracking_arrived"] - measured["tracking_requests"]
    if left <= measured["tracking_arrived"] * _LEFT_WAITING:
        return []
    return [("designs", Message.of("warnings.left_waiting", design=measured["design"], count=left))]


def _derive_for(design: Design, scenario: Scenario) -> None:
    if not design.overrides:
        return
    try:
        derive(scenario.for_design(design))
    except PlannerError as error:
        problem = Message.of("errors.in_design", design=str(design), field=error.field, problem=error.problem)
        raise PlannerError("designs", problem, error.allowed) from None
