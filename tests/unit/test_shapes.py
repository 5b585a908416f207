"""Arrival profiles, report sizes, and the functions behind them."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import exact, plan, shapes
from planner.derived import derive
from planner.errors import PlannerError
from planner.scenario import Scenario


@given(st.floats(-30, 30))
def test_exp_is_right_to_a_few_places_in_the_fourteenth(x: float) -> None:
    assert exact.exp(x) == pytest.approx(math.exp(x), rel=1e-13)


@given(st.floats(1e-9, 1e9))
def test_log_is_right(x: float) -> None:
    assert exact.log(x) == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)


def test_normal_quantiles_are_right_in_the_tail_too() -> None:
    quantiles = exact.normal_quantiles(4096)
    normal = NormalDist()
    for place in (0, 1, 17, 2047, 2048, 4094, 4095):
        assert quantiles[place] == pytest.approx(normal.inv_cdf((place + 0.5) / 4096), abs=1e-9)


@pytest.mark.parametrize("text", ["0-10:3,10-30:0.5", "5-6:10", "0-30:0.1", "0-29.5:0,29.5-30:1", "0-1:2,20-21:0"])
def test_a_profile_keeps_the_expected_totals(text: str) -> None:
    derived = derive(Scenario().with_values({"reads_profile": text}))
    starts = [0, *(end for end, _ in derived.tracking_steps)]
    expected = sum((end - start) * chance for start, (end, chance) in zip(starts, derived.tracking_steps, strict=False))
    assert expected == pytest.approx(derived.tracking_probability * derived.window_ticks, rel=1e-12)
    assert derived.tracking_steps[-1][0] == derived.window_ticks


def test_weights_are_relative_and_unnamed_minutes_weigh_one() -> None:
    steps = derive(Scenario().with_values({"reads_profile": "10-20:2"})).tracking_steps
    (_, before), (_, within), (_, after) = steps
    assert before == after
    assert within == pytest.approx(2 * before)


def test_a_busy_part_raises_the_automatic_resolution() -> None:
    assert derive(Scenario().with_values({"reads_profile": "0-1:1,1-30:0"})).resolution > 1


@pytest.mark.parametrize("text", ["", "0-10", "10-0:1", "0-10:-1", "0-10:1,5-20:1", "a-b:c", "0-10:1," * 200])
def test_what_is_no_profile_is_refused(text: str) -> None:
    with pytest.raises(PlannerError) as caught:
        Scenario().with_values({"reads_profile": text})
    assert caught.value.field == "reads_profile"


@pytest.mark.parametrize("text", ["0-31:2", "0-30:0"])
def test_a_profile_that_does_not_fit_the_window_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        derive(Scenario().with_values({"reports_profile": text}))


@pytest.mark.parametrize(
    "text", ["mix:0.5:10", "mix:0.5:10,0.6:20", "mix:1:0", "lognormal:0", "lognormal:", "normal:1"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        Scenario().with_values({"report_sizes": text})


@pytest.mark.parametrize("variation", [0.1, 0.5, 1.0, 2.0])
def test_a_lognormal_table_keeps_the_mean_and_the_variation(variation: float) -> None:
    table = shapes.lognormal_table(variation, 3000)
    assert table.mean() == pytest.approx(3000, rel=1e-3)
    # The table has no tail beyond its last quantile, so a wide distribution comes out a little narrower.
    assert table.std() / table.mean() == pytest.approx(variation, rel=0.2 if variation >= 2 else 0.06)


def test_a_mix_draws_its_counts_in_their_shares() -> None:
    draws = np.arange(0, 2**32, 2**22, dtype=np.uint64).astype(np.uint32)
    sizes = shapes.parse_sizes("mix:0.75:10,0.25:50").draw(1, draws)
    assert sorted(set(sizes.tolist())) == [10, 50]
    assert (sizes == 10).mean() == 0.75


def test_a_mix_brings_its_own_worker_seconds() -> None:
    derived = derive(Scenario().with_values({"report_sizes": "mix:0.9:1000,0.1:21000"}))
    assert derived.records_per_report == 3000
    assert derived.worker_seconds == pytest.approx(7200)


def test_longer_tails_of_size_make_longer_tails_of_waiting() -> None:
    fixed, wide = (
        plan.run(Scenario().with_values({"report_sizes": sizes, "designs": ["shared:4"]}))["designs"][0]
        for sizes in ("fixed", "lognormal:2")
    )
    assert wide["wait_p99_ms"] > fixed["wait_p99_ms"]
    assert fixed["tracking_requests"] == wide["tracking_requests"]
