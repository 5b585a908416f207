"""From a scenario to the engine: units become ticks, a design becomes rules, inputs become arrivals.

This is the one border at which units are converted. Imports scenario, derived, designs, streams and engine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from planner import streams
from planner.derived import Derived, derive
from planner.designs import Design, most_records
from planner.engine.flow import NEVER
from planner.engine.load import Load
from planner.engine.rules import Dispatch, Outcome, Rules
from planner.engine.run import simulate
from planner.engine.timeline import Timeline
from planner.fields import Inputs
from planner.numbers import half_up

_GO_GLOBAL_EVERY = 61


def rules_of(design: Design, inputs: Inputs, derived: Derived) -> Rules:
    """The declaration of `design` in ticks (the model, "Designs")."""
    records = most_records(design, inputs.record_ms)
    piece = NEVER if math.isinf(records) else int(records) * derived.resolution
    slots = design.slots
    match design.kind:
        case "separate":
            return Rules(slots, workers=design.workers)
        case "priority":
            return Rules(slots, tracking_first=True)
        case "reserved":
            return Rules(slots, most_reports=int(design.argument("report_slots")))
        case "chunked":
            return Rules(slots, piece=piece)
        case "preemptive":
            switch = half_up(float(design.argument("switch_ms")) / inputs.record_ms * derived.resolution)
            return Rules(slots, piece=piece, switch=switch)
        case "push":
            return Rules(slots, dispatch=_dispatch(str(design.argument("rule"))))
        case "stealing":
            return Rules(slots, dispatch="rr", help="one")
        case "gpm":
            return Rules(slots, dispatch="rr", help="half", piece=piece, global_every=_GO_GLOBAL_EVERY)
    return Rules(slots)


def _dispatch(rule: str) -> Dispatch:
    return "jsq" if rule == "jsq" else "random" if rule == "random" else "rr"


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The numbers that decide a window's arrivals: equal ones mean equal arrivals."""

    seed: int
    window_ticks: int
    tracking_probability: float
    tracking_ticks: int
    report_probability: float
    report_ticks: int


class Simulator:
    """Runs designs, and draws the arrivals that several of them face only once.

    Holds no more than the last few loads and outcomes; a result never depends on what was run before.
    """

    _KEPT = 16

    def __init__(self) -> None:
        self._loads: dict[Arrivals, Load] = {}
        self._outcomes: dict[tuple[Arrivals, Rules], Outcome] = {}

    def run(self, design: Design, inputs: Inputs) -> Outcome:
        """The outcome of one replica's window under `design`; overrides must be in `inputs` already."""
        derived = derive(inputs)
        arrivals = Arrivals(
            inputs.seed, *(getattr(derived, field.name) for field in fields(Arrivals) if field.name != "seed")
        )
        rules = rules_of(design, inputs, derived)
        outcome = self._outcomes.get((arrivals, rules))
        if outcome is None:
            outcome = simulate(rules, self._load(arrivals))
            if len(self._outcomes) >= 8 * self._KEPT:
                self._outcomes.clear()
            self._outcomes[arrivals, rules] = outcome
        return outcome

    def _load(self, arrivals: Arrivals) -> Load:
        load = self._loads.get(arrivals)
        if load is None:
            if len(self._loads) >= self._KEPT:
                self._loads.clear()
            load = self._loads[arrivals] = _draw(arrivals, self._tracking(arrivals))
        return load

    def _tracking(self, arrivals: Arrivals) -> Timeline:
        """The tracking timeline of a load that differs in its reports only, or a new one."""
        for known, load in self._loads.items():
            if (known.seed, known.window_ticks, known.tracking_probability) == (
                arrivals.seed,
                arrivals.window_ticks,
                arrivals.tracking_probability,
            ):
                return load.tracking
        stream = streams.Stream(arrivals.seed, arrivals.window_ticks, arrivals.tracking_probability)
        return Timeline(arrivals.window_ticks, streams.BLOCK, stream.block)


def _draw(arrivals: Arrivals, tracking: Timeline) -> Load:
    reports = streams.Stream(_next(arrivals.seed, 1), arrivals.window_ticks, arrivals.report_probability).all()
    return Load(
        arrivals.window_ticks,
        tracking,
        arrivals.tracking_ticks,
        reports,
        np.full(len(reports), arrivals.report_ticks, np.int64),
        lambda count: streams.uniforms(_next(arrivals.seed, 2), count),
    )


def _next(seed: int, step: int) -> int:
    """The seed of a plan's `step`-th further stream, in 32 bits."""
    return (seed + step) & 0xFFFFFFFF
