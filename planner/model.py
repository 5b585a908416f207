"""From a scenario to the engine: units become ticks, a design becomes rules, inputs become arrivals.

This is the one border at which units are converted.
Imports derived, designs, engine, fields, numbers, shapes and streams.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from planner import shapes, streams
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
    tracking_steps: shapes.Steps
    tracking_ticks: int
    report_steps: shapes.Steps
    report_sizes: str
    billing_records: int
    resolution: int
    drain: bool

    @classmethod
    def of(cls, inputs: Inputs, derived: Derived) -> Arrivals:
        """The arrivals that `inputs` ask for."""
        return cls(
            inputs.seed,
            derived.window_ticks,
            derived.tracking_steps,
            derived.tracking_ticks,
            derived.report_steps,
            inputs.report_sizes,
            derived.billing_records,
            derived.resolution,
            bool(inputs.drain),
        )

    def draw(self, tracking: Timeline | None = None) -> Load:
        """The load; `tracking` may bring the same tracking arrivals from another load."""
        reports = streams.Stream(_next(self.seed, 1), self.window_ticks, self.report_steps).all()
        draws = streams.draws(_next(self.seed, 3), 0, len(reports))
        records = shapes.parse_sizes(self.report_sizes).draw(self.billing_records, draws)
        return Load(
            self.window_ticks,
            tracking or self._tracking(),
            self.tracking_ticks,
            reports,
            records * np.int64(self.resolution),
            lambda count: streams.uniforms(_next(self.seed, 2), count),
            NEVER if self.drain else self.window_ticks,
        )

    def same_tracking(self, other: Arrivals) -> bool:
        """Whether both have the same tracking arrivals."""
        return (self.seed, self.tracking_steps) == (other.seed, other.tracking_steps)

    def _tracking(self) -> Timeline:
        stream = streams.Stream(self.seed, self.window_ticks, self.tracking_steps)
        return Timeline(self.window_ticks, streams.BLOCK, stream.block)


class Simulator:
    """Runs designs, and draws the arrivals that several of them face only once.

    Holds no more than the last few loads and outcomes; a result never depends on what was run before.
    """

    _LOADS, _OUTCOMES, _LARGEST = 16, 128, 1 << 18

    def __init__(self) -> None:
        self._loads: dict[Arrivals, Load] = {}
        self._outcomes: dict[tuple[Arrivals, Rules], Outcome] = {}

    def run(self, design: Design, inputs: Inputs) -> Outcome:
        """The outcome of one replica's window under `design`; overrides must be in `inputs` already."""
        derived = derive(inputs)
        arrivals = Arrivals.of(inputs, derived)
        rules = rules_of(design, inputs, derived)
        outcome = self._outcomes.get((arrivals, rules))
        if outcome is None:
            outcome = simulate(rules, self._load(arrivals))
            if len(outcome.waits) > self._LARGEST:
                return outcome
            if len(self._outcomes) >= self._OUTCOMES:
                self._outcomes.clear()
            self._outcomes[arrivals, rules] = outcome
        return outcome

    def _load(self, arrivals: Arrivals) -> Load:
        load = self._loads.get(arrivals)
        if load is None:
            known = (load.tracking for other, load in self._loads.items() if arrivals.same_tracking(other))
            load = arrivals.draw(next(known, None))
            if len(self._loads) >= self._LOADS:
                self._loads.clear()
            self._loads[arrivals] = load
        return load


def _next(seed: int, step: int) -> int:
    """The seed of a plan's `step`-th further stream, in 32 bits."""
    return (seed + step) & 0xFFFFFFFF
