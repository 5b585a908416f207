"""Run a design on a load: pick the fastest core that is exact for its rules. Imports the other engine modules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.engine.flow import Flow, RingFlow, UnitFlow
from planner.engine.load import Load, bind
from planner.engine.pool import Admission, Pool
from planner.engine.rules import Outcome, Rules
from planner.engine.tally import Tally
from planner.engine.timeline import Timeline
from planner.engine.walk import walk


def simulate(rules: Rules, load: Load) -> Outcome:
    """The outcome of the window of `load` under `rules`."""
    if rules.workers:
        return _separate(rules, load)
    if rules.piece < int(load.report_ticks.max(initial=0)) or rules.help != "none" or rules.dispatch == "jsq":
        return walk(rules, load)
    if rules.dispatch != "none":
        return _lanes(rules, load)
    return _pool(rules, load)


def _pool(rules: Rules, load: Load) -> Outcome:
    flow: Flow = (
        UnitFlow(load.tracking, rules.slots)
        if load.tracking_ticks == 1
        else RingFlow(load.tracking, rules.slots, load.tracking_ticks)
    )
    admission = Admission(rules.tracking_first, rules.most_reports)
    pool = Pool(flow, load.tracking, load.reports, load.report_ticks, admission)
    pool.run_until(load.window)
    beyond = flow.beyond()
    used = flow.started * load.tracking_ticks - sum(beyond)
    unfinished = load.tracking.total - flow.started + len(beyond)
    pool.run_until(load.horizon)
    start = np.array(pool.starts, dtype=np.int64)
    size, arrival = load.report_ticks[: len(start)], load.reports[: len(start)]
    return Outcome(
        load.tracking.total,
        flow.started,
        *flow.waits().counted(),
        len(load.reports),
        len(start),
        start + size - arrival,
        used,
        int(np.clip(load.window - start, 0, size).sum(dtype=np.int64)),
        unfinished,
        len(load.reports) - int((start + size <= load.window).sum(dtype=np.int64)),
    )


def _separate(rules: Rules, load: Load) -> Outcome:
    """Two pools that share nothing: tracking jobs in the slots, reports on the workers."""
    nothing = np.empty(0, np.int64)
    slots = _pool(Rules(rules.slots), replace(load, reports=nothing, report_ticks=nothing))
    idle = Timeline.of(load.window, nothing)
    workers = _pool(Rules(rules.workers), replace(load, tracking=idle, tracking_ticks=1))
    return replace(
        slots,
        reports_arrived=workers.reports_arrived,
        reports_started=workers.reports_started,
        report_spans=workers.report_spans,
        reports_unfinished=workers.reports_unfinished,
        worker_ticks=workers.report_slot_ticks,
    )


def _lanes(rules: Rules, load: Load) -> Outcome:
    """Each slot with its own line is a pool of one slot."""
    tracking = load.tracking.span(0, load.tracking.total)
    job_slot, report_slot = bind(rules, load)
    outcomes = []
    for slot in range(rules.slots):
        mine = report_slot == slot
        lane = replace(
            load,
            tracking=Timeline.of(load.window, tracking[job_slot == slot]),
            reports=load.reports[mine],
            report_ticks=load.report_ticks[mine],
        )
        outcomes.append(_pool(Rules(1), lane))
    return _together(outcomes)


def _together(lanes: list[Outcome]) -> Outcome:
    tally = Tally()
    for lane in lanes:
        tally.add(np.repeat(lane.waits, lane.wait_counts.astype(np.intp)))
    return Outcome(
        sum(lane.tracking_arrived for lane in lanes),
        sum(lane.tracking_started for lane in lanes),
        *tally.counted(),
        sum(lane.reports_arrived for lane in lanes),
        sum(lane.reports_started for lane in lanes),
        np.concatenate([lane.report_spans for lane in lanes]),
        sum(lane.tracking_slot_ticks for lane in lanes),
        sum(lane.report_slot_ticks for lane in lanes),
        sum(lane.tracking_unfinished for lane in lanes),
        sum(lane.reports_unfinished for lane in lanes),
    )
