"""What it costs to meet the target: the designs ranked, what binds each of them, and why.

Imports derived, designs, formats, scenario, size, sized and texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner import designs
from planner.derived import derive
from planner.designs import Design
from planner.formats import count, figure
from planner.numbers import tidy
from planner.scenario import Scenario
from planner.texts import Message

_BINDING = {
    "shared": "slots_held",
    "priority": "slots_held",
    "push": "slots_held",
    "stealing": "slots_held",
    "separate": "queries_alone",
    "reserved": "cap",
    "chunked": "piece",
    "preemptive": "piece",
    "gpm": "piece",
}


@dataclass(frozen=True, slots=True)
class Prices:
    """What one slot and one worker cost, in any one unit."""

    slot: float = 1
    worker: float = 1


@dataclass(frozen=True, slots=True)
class Bid:
    """What a design costs at the size that was found, over all replicas.

    `verdict` is that of the size: ``passes``, or ``undecided`` where a smaller one may do.
    """

    design: Design
    verdict: str
    slots: int
    workers: int
    cost: float
    binding: str
    reason: Message


def rank(
    scenario: Scenario, found: Sequence[tuple[Design | None, str]], about_reports: bool, prices: Prices
) -> list[Bid]:
    """The designs that have a size, the cheapest first; equal costs by fewer slots, then in the order given."""
    bids = [_bid(scenario, design, verdict, about_reports, prices) for design, verdict in found if design is not None]
    return sorted(bids, key=lambda bid: (bid.cost, bid.slots))


def _bid(scenario: Scenario, design: Design, verdict: str, about_reports: bool, prices: Prices) -> Bid:
    seen = scenario.for_design(design)
    slots, workers = design.slots * seen.replicas, design.workers * seen.replicas
    binding = "report_time" if about_reports else _BINDING[design.kind]
    if binding == "cap" and int(design.argument("report_slots")) >= design.slots:
        binding = "slots_held"
    cost = tidy(slots * prices.slot + workers * prices.worker)
    return Bid(design, verdict, slots, workers, cost, binding, _reason(scenario, design, binding))


def _reason(scenario: Scenario, design: Design, binding: str) -> Message:
    """Why this design needs what it needs, in a sentence."""
    seen = scenario.for_design(design)
    derived = derive(seen)
    records = designs.most_records(design, seen.record_ms)
    cap = int(design.argument("report_slots")) if design.kind == "reserved" else 0
    return Message.of(
        f"size.why.{binding}",
        design=str(design),
        slots=count("slots", design.slots),
        total=figure(design.slots * seen.replicas),
        workers=figure(design.workers * seen.replicas),
        report_s=figure(derived.report_seconds, 2),
        held=figure(design.slots - 1),
        cap=figure(cap),
        piece_ms=figure(min(records, derived.records_per_report) * seen.record_ms),
        load=figure(derived.expected_reports_per_replica * derived.report_seconds / (seen.window_minutes * 60), 2),
    )


def sentence(bids: Sequence[Bid]) -> Message:
    """The verdict: the cheapest design, its cost and the reason."""
    if not bids:
        return Message.of("size.verdict.none")
    best = bids[0]
    key = "cheapest" if best.verdict == "passes" else "cheapest_undecided"
    return Message.of(f"size.verdict.{key}", design=str(best.design), cost=figure(best.cost), reason=best.reason)


def document(bids: Sequence[Bid], prices: Prices, language: str = "en") -> Mapping[str, Any]:
    """The ranking, JSON-ready."""
    return {
        "prices": {"slot": prices.slot, "worker": prices.worker},
        "ranking": [
            {
                "design": str(bid.design),
                "verdict": bid.verdict,
                "slots_total": bid.slots,
                "workers_total": bid.workers,
                "cost": bid.cost,
                "binding": bid.binding,
                "reason": bid.reason.text(language),
            }
            for bid in bids
        ],
        "sentence": sentence(bids).text(language),
    }
