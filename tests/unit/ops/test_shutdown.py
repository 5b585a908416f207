"""Shutdown: what a grace period cuts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import PlannerError
from planner.ops import inputs, shutdown
from planner.ops.load import Load
from planner.scenario import Scenario

LOAD = Load.of(Scenario())
HELD = st.lists(st.tuples(st.floats(0.01, 5), st.floats(1, 1000)), min_size=1, max_size=6)


def test_fixed_jobs_by_hand() -> None:
    chosen = shutdown.Inputs(workers=6, utilisation=0.5, job_ms=3600, grace_s=(0, 0.9, 3.6), deploys_per_month=10)
    rows = shutdown.grace_rows(chosen)
    # 3 busy workers; P(remaining > 0.9 s) = 2.7 / 3.6; each loses (2.7 s)^2 / (2 x 3.6 s).
    assert [row["cut_per_deploy"] for row in rows] == pytest.approx([3, 2.25, 0])
    assert [row["cut_per_month"] for row in rows] == pytest.approx([30, 22.5, 0])
    assert [row["lost_worker_s_per_deploy"] for row in rows] == pytest.approx([5.4, 3 * 2.7**2 / 7.2, 0])


@given(HELD, st.floats(0, 1200))
def test_the_chance_is_the_area_left_of_the_remaining_time(held: list[tuple[float, float]], grace: float) -> None:
    # A point in the time that workers spend on jobs, evenly drawn: the part of it with more than the grace to go.
    total = sum(weight * length for weight, length in held)
    beyond = sum(weight * max(0, length - grace) for weight, length in held)
    assert shutdown.cut_chance(held, grace) == pytest.approx(beyond / total)
    steps = 2000
    lost = sum(
        weight
        * sum(age for age in (length * (k + 0.5) / steps for k in range(steps)) if length - age > grace)
        * length
        / steps
        for weight, length in held
    )
    assert shutdown.lost_ms(held, grace) == pytest.approx(lost / total, rel=0.01, abs=total / len(held) * 1e-3 + 0.5)


@given(HELD, st.floats(0, 1200), st.floats(0, 100))
def test_a_longer_grace_never_cuts_more(held: list[tuple[float, float]], grace: float, more: float) -> None:
    assert shutdown.cut_chance(held, grace + more) <= shutdown.cut_chance(held, grace) + 1e-12


@given(st.floats(1, 5000), st.floats(1, 5000))
def test_chunks_are_safe_with_the_grace_of_one_chunk(job: float, chunk: float) -> None:
    chosen = shutdown.Inputs(job_ms=job, chunk_ms=chunk)
    safe = shutdown.smallest_safe_grace_s(chosen, True)
    assert safe == pytest.approx(min(job, chunk) / 1000)
    pieces = shutdown.pieces(chosen, True)
    assert shutdown.cut_chance(pieces, safe * 1000 + 1e-6) == 0
    assert sum(weight * length for weight, length in pieces) == pytest.approx(job)


def test_a_decimal_chunk_divides_a_decimal_job() -> None:
    assert shutdown.pieces(shutdown.Inputs(job_ms=0.3, chunk_ms=0.1), True) == [(3, 0.1)]


def test_an_outer_killer_that_is_shorter_is_named() -> None:
    chosen = shutdown.Inputs(timeouts=("server=30", "supervisor=10", "host=60"))
    said = [message.text() for _, message in shutdown.report(chosen, LOAD).answers]
    assert any("supervisor (10 s) does not outlast server (30 s)" in text for text in said)


def test_nested_timeouts_pass() -> None:
    assert shutdown.broken_nesting(shutdown.parse_timeouts(["worker=25", "host=30"])) == []


def test_equal_timeouts_do_not_pass() -> None:
    assert shutdown.broken_nesting(shutdown.parse_timeouts(["worker=30", "host=30"])) != []


@pytest.mark.parametrize("value", ["a", "a=", "=3", "a=-1", "a=1,a=2", "a=nan"])
def test_bad_timeouts_are_refused(value: str) -> None:
    with pytest.raises(PlannerError) as refused:
        shutdown.report(inputs.build(shutdown.Inputs, {"timeouts": value}), LOAD)
    assert refused.value.field == "timeouts"


def test_a_deploy_in_the_window_costs_the_plan_its_lost_work() -> None:
    chosen = inputs.build(shutdown.Inputs, shutdown.from_plan(LOAD))
    first = shutdown.grace_rows(chosen)[0]
    # 4 of 6 workers are busy; without grace each loses half a report: 7.2 worker-seconds.
    assert first["cut_per_deploy"] == pytest.approx(4)
    assert first["lost_worker_s_per_deploy"] == pytest.approx(7.2)
