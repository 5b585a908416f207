"""The arithmetic between the inputs and the simulation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.derived import derive
from planner.errors import PlannerError
from planner.scenario import Scenario

SOURCE = {
    "shipments_per_seller_per_day": 100,
    "records_per_report": 3000,
    "report_seconds": 3.6,
    "length_ratio": 3000,
    "window_ticks": 1_500_000,
    "tracking_probability": 0.125001,
    "expected_reports_per_replica": 500,
    "report_probability": 1 / 3000,
    "expected_reports_total": 2000,
    "worker_seconds": 7200,
    "workers_at_full_utilisation": 4.0,
    "workers_at_target_utilisation": 6,
}


def test_the_default_plan_has_the_source_s_numbers() -> None:
    document = derive(Scenario()).document()
    assert {name: document[name] for name in SOURCE} == SOURCE
    assert round(document["scan_rate_per_s"], 2) == 833.33
    assert round(document["reads_per_replica_per_s"], 2) == 104.17


@given(st.floats(0, 1e6), st.integers(1, 50), st.floats(0.01, 100))
def test_auto_resolution_is_one_or_the_smallest_fine_one(reads: float, replicas: int, record_ms: float) -> None:
    derived = derive(Scenario(peak_reads_per_s=reads, replicas=replicas, record_ms=record_ms, report_share=0))
    plain = (reads / replicas) * (record_ms / 1000)
    if plain <= 0.5:
        assert derived.resolution == 1
    else:
        assert derived.tracking_probability <= 0.125
        assert plain / (derived.resolution - 1) > 0.125


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"window_minutes": 1e-9}, "window_minutes"),
        ({"window_minutes": 1e17}, "window_minutes"),
        ({"resolution": 1, "peak_reads_per_s": 1e6}, "resolution"),
        ({"sellers": 10**9, "report_share": 1}, "report_share"),
        ({"shipments_per_day": 1e18, "sellers": 1}, "shipments_per_day"),
        ({"target_utilisation": 1e-18}, "target_utilisation"),
        ({"peak_reads_per_s": 1e18, "record_ms": 1e3}, "peak_reads_per_s"),
        ({"tracking_records": 10**17}, "resolution"),
    ],
)
def test_inputs_that_make_no_model_together_are_refused(values: dict[str, object], field: str) -> None:
    with pytest.raises(PlannerError) as caught:
        derive(Scenario().with_values(values))
    assert caught.value.field == field


def test_half_a_tick_of_window_rounds_up() -> None:
    assert derive(Scenario(window_minutes=1, record_ms=24000, peak_reads_per_s=0, report_share=0)).window_ticks == 3
