"""The planner's engine against the model tick by tick, on many small windows of every design."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import plan
from planner.derived import derive
from planner.designs import RULES, Design, most_records, parse
from planner.model import Simulator
from planner.numbers import half_up
from planner.scenario import Scenario
from tests.model import ticks

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))

SLOTS = st.integers(1, 5)
QUANTUM = st.sampled_from([0.1, 1.2, 3, 10, 200])
DESIGNS = {
    "shared": st.builds(lambda y: Design("shared", (y,)), SLOTS),
    "separate": st.builds(lambda y, w: Design("separate", (y, w)), SLOTS, SLOTS),
    "priority": st.builds(lambda y: Design("priority", (y,)), SLOTS),
    "reserved": st.builds(lambda y, m: Design("reserved", (y, m)), SLOTS, st.integers(1, 6)),
    "chunked": st.builds(lambda y, n: Design("chunked", (y, n)), SLOTS, st.integers(1, 40)),
    "preemptive": st.builds(
        lambda y, q, c: Design("preemptive", (y, q, c)), SLOTS, QUANTUM, st.sampled_from([0, 0.5, 1.2, 7])
    ),
    "push": st.builds(lambda y, rule: Design("push", (y, rule)), SLOTS, st.sampled_from(RULES)),
    "stealing": st.builds(lambda y: Design("stealing", (y,)), SLOTS),
    "gpm": st.builds(lambda y, q: Design("gpm", (y, q)), SLOTS, QUANTUM),
}


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Windows of at most some thousand ticks, from empty to overloaded many times over."""
    records = draw(st.sampled_from([1, 3, 30, 300]))
    reports = draw(st.sampled_from([0, 1, 10, 40]))
    window_records = draw(st.integers(1, 1500))
    record_ms = draw(st.sampled_from([1.2, 0.7, 5]))
    return Scenario(
        shipments_per_day=max(1, reports) * records,
        sellers=max(1, reports),
        billing_period_days=1,
        record_ms=record_ms,
        peak_reads_per_s=draw(st.sampled_from([0, 0.05, 0.3, 0.5, 1.0, 3.0])) * 1000 / record_ms * 2,
        replicas=2,
        window_minutes=window_records * record_ms / 60000,
        report_share=1.0 if 0 < reports <= 2 * window_records else 0.0,
        tracking_records=draw(st.sampled_from([1, 1, 2, 5])),
        delay_threshold_ms=draw(st.sampled_from([0, 6, 100])),
        seed=draw(st.integers(0, 2**32 - 1)),
        report_sizes=draw(st.sampled_from(["fixed", "fixed", "mix:0.5:2,0.5:25"])),
    )


def told(design: Design, scenario: Scenario) -> ticks.Seen:
    """What the tick-by-tick model shows for `design`."""
    derived = derive(scenario)
    window, scale = derived.window_ticks, derived.resolution
    first = ticks.splitmix32(scenario.seed, window)
    second = ticks.splitmix32((scenario.seed + 1) % 2**32, window)
    tracking = [tick for tick, draw in enumerate(first) if draw < derived.tracking_probability]
    reports = [tick for tick, draw in enumerate(second) if draw < derived.report_probability]
    if scenario.report_sizes == "fixed":
        sizes = [derived.billing_records * scale] * len(reports)
    else:
        mixed = ticks.splitmix32((scenario.seed + 3) % 2**32, len(reports))
        sizes = [(2 if draw < 0.5 else 25) * scale for draw in mixed]
    records = most_records(design, scenario.record_ms)
    switch = float(design.argument("switch_ms")) if design.kind == "preemptive" else 0.0
    pool = ticks.Pool(
        design.kind,
        design.slots,
        piece=None if np.isinf(records) else int(records) * scale,
        switch=half_up(switch / scenario.record_ms * scale),
        most=int(design.argument("report_slots")) if design.kind == "reserved" else None,
    )
    rule = str(design.argument("rule")) if design.kind == "push" else "none"
    return ticks.simulate(
        pool,
        window,
        tracking,
        reports,
        scenario.tracking_records * scale,
        sizes,
        rule="rr" if design.kind in ("stealing", "gpm") else rule,
        draws=ticks.splitmix32((scenario.seed + 2) % 2**32, len(tracking) + len(reports)),
        workers=ticks.Pool("shared", design.workers) if design.workers else None,
    )


@pytest.mark.parametrize("kind", DESIGNS)
@given(data=st.data(), scenario=scenarios())
@settings(max_examples=120, deadline=None)
def test_a_design_is_its_rules(kind: str, data: st.DataObject, scenario: Scenario) -> None:
    design = data.draw(DESIGNS[kind])
    seen = told(design, scenario)
    outcome = Simulator().run(design, scenario)
    waited = sorted(wait for wait in seen.waits if wait)
    assert np.repeat(outcome.waits, outcome.wait_counts).tolist() == waited
    assert outcome.tracking_started == len(seen.waits)
    assert outcome.tracking_arrived == seen.tracking_arrived
    assert sorted(outcome.report_spans.tolist()) == sorted(seen.spans)
    assert outcome.reports_arrived == seen.reports_arrived
    assert outcome.reports_started == seen.reports_started
    assert outcome.tracking_slot_ticks == seen.tracking_slot_ticks
    assert outcome.report_slot_ticks == seen.report_slot_ticks


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    return Simulator()


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda row: row["design"])
def test_the_golden_rows_at_full_precision(golden: dict[str, object], simulator: Simulator) -> None:
    row = plan.row(parse(str(golden["design"])), Scenario(), simulator)
    assert {name: row[name] for name in golden} == golden


def test_the_golden_sizing() -> None:
    sizing = plan.run(Scenario())["sizing"]
    assert sizing == {
        "shared": {"slots": 7, "slots_total": 28},
        "separate": {
            "slots": 1,
            "slots_total": 4,
            "workers_at_full_utilisation": 4.0,
            "workers_at_target_utilisation": 6,
        },
    }
