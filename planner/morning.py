"""One morning of one replica: its arrivals, drawn where they are wanted, and whether a design meets a target in it.

Every answer is that of the whole simulation; what is left out cannot change it: tracking arrivals while a slot is
left (`engine.blocked`), and the rest of a window whose first part has broken the target already.
Imports derived, designs, engine.blocked, engine.run, fields, metrics, model, streams and target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from planner import streams
from planner.derived import Derived, derive
from planner.designs import Design
from planner.engine.blocked import Blocked
from planner.engine.flow import NEVER
from planner.engine.rules import Rules
from planner.engine.run import simulate
from planner.metrics import last_tick_within
from planner.model import Arrivals, Simulator, rules_of
from planner.scenario import Scenario
from planner.target import Target

_PARTS = (64, 8)
"""A morning that fails usually does so early: a 64th of the window is tried first, then an eighth."""
_MOST_LIMIT = 5_000
"""Ticks of a limit up to which a backlog is followed tick by tick."""
_CHUNK = 1 << 9


class Sparse:
    """Bernoulli arrivals of which only the ticks that are asked for are drawn, a chunk at a time."""

    def __init__(self, stream: streams.Stream) -> None:
        self._stream = stream
        self._chunks: dict[int, list[int]] = {}

    def between(self, first: int, last: int) -> Sequence[int]:
        """The arrivals in the ticks `first` to `last - 1`, ascending."""
        last = min(last, self._stream.ticks)
        found: list[int] = []
        for index in range(first // _CHUNK, -(-last // _CHUNK)):
            found += [tick for tick in self._chunk(index) if first <= tick < last]
        return found

    def _chunk(self, index: int) -> list[int]:
        chunk = self._chunks.get(index)
        if chunk is None:
            first, stream = index * _CHUNK, self._stream
            # A stream that starts at a later draw is the stream of another state.
            seed = (stream.seed + first * streams.GOLDEN_GAMMA) & 0xFFFFFFFF
            steps = tuple((end - first, chance) for end, chance in stream.steps)
            rest = streams.Stream(seed, min(_CHUNK, stream.ticks - first), steps)
            chunk = self._chunks[index] = (rest.all() + np.int64(first)).tolist()
        return chunk


class Morning:
    """The mornings of one seed, one for each set of arrivals that the designs' overrides ask for."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._simulator = Simulator()
        self._reports: dict[Arrivals, tuple[list[int], list[int]]] = {}
        self._tracking: dict[Arrivals, Sparse] = {}

    def meets(self, design: Design, target: Target) -> bool:
        """Whether `design` (its overrides applied) meets `target`."""
        seen = self._scenario.for_design(design)
        plain, derived = Design(design.kind, design.arguments), derive(seen)
        threshold = seen.delay_threshold_ms
        if target.no_delay:
            rules, arrivals = rules_of(plain, seen, derived), Arrivals.of(seen, derived)
            limit = last_tick_within(threshold, derived.tick_ms)
            if derived.tracking_ticks == 1 and limit <= _MOST_LIMIT and _is_whole(rules):
                return not self._blocked(rules, arrivals).any_wait_beyond(limit)
            if any(_breaks_early(rules, arrivals, part, target, derived, threshold) for part in _PARTS):
                return False
        return target.is_met(self._simulator.run(plain, seen), derived, threshold)

    def _blocked(self, rules: Rules, arrivals: Arrivals) -> Blocked:
        if rules.workers or rules.most_reports < rules.slots:  # reports never hold all slots
            return Blocked(rules.slots, False, [], [], lambda first, last: [], arrivals.window_ticks)
        if arrivals not in self._reports:
            load = arrivals.draw()
            self._reports[arrivals] = load.reports.tolist(), load.report_ticks.tolist()
            stream = streams.Stream(arrivals.seed, arrivals.window_ticks, arrivals.tracking_steps)
            self._tracking[arrivals] = Sparse(stream)
        reports, lengths = self._reports[arrivals]
        horizon = NEVER if arrivals.drain else arrivals.window_ticks
        between = self._tracking[arrivals].between
        return Blocked(rules.slots, rules.tracking_first, reports, lengths, between, horizon)


def _is_whole(rules: Rules) -> bool:
    """Whether reports run whole, on any slot of one pool."""
    return rules.dispatch == "none" and rules.help == "none" and rules.piece == NEVER


def _breaks_early(
    rules: Rules, arrivals: Arrivals, part: int, target: Target, derived: Derived, threshold_ms: float
) -> bool:
    """Whether the first `part`-th of the window breaks a target that one query breaks; what comes later undoes nothing.

    Draws and rules decide a tick from what came before it, so a shorter window has the same first ticks.
    """
    ticks = arrivals.window_ticks // part
    if not ticks:
        return False
    shorter = replace(arrivals, window_ticks=ticks, drain=False)
    return not target.is_met(simulate(rules, shorter.draw()), derived, threshold_ms)
