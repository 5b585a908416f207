"""What the queue costs, and claims about it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.ops import audit, broker, settings
from planner.ops.load import Load
from planner.scenario import Scenario

LOAD = Load.of(Scenario())


def test_the_claim_of_32_times() -> None:
    first, second = audit.rows(audit.Inputs())
    assert first["job_time_s"] == 1000
    assert first["implied_concurrency"] == 1000 / 3
    assert second["implied_concurrency"] == pytest.approx(10.4166667)
    assert second["factor"] == 32
    # At 333.3 at once the slower side would spend 320 ms a job, 310 of them not the job's own.
    assert second["overhead_at_equal_concurrency_ms"] == 310


def test_a_claim_beyond_the_concurrency_is_impossible() -> None:
    first, second = audit.rows(audit.Inputs(concurrency=100))
    assert (first["possible"], second["possible"]) == (False, True)
    assert first["overhead_ms"] == -7
    assert second["overhead_ms"] == 86


@given(st.integers(1, 10**6), st.integers(1, 1000), st.integers(1, 10**6), st.integers(1, 1000))
def test_the_overhead_explains_the_claim(jobs: int, job: int, claimed: int, at_once: int) -> None:
    claim = audit.Claim(Fraction(claimed), Fraction(jobs * job), jobs)
    assert jobs * (job + claim.overhead_ms(Fraction(at_once))) / at_once == claimed


@given(st.integers(1, 10_000), st.integers(1, 500), st.integers(1, 100), st.integers(1, 20))
def test_the_makespan_is_the_larger_bound(jobs: int, workers: int, job: int, dispatch: int) -> None:
    bounds = broker.Bounds(jobs, Fraction(job), Fraction(1, 2), Fraction(dispatch, 10))
    assert bounds.makespan(workers) == max(jobs * Fraction(dispatch, 10), -(-jobs // workers) * (job + Fraction(1, 2)))
    crossover = bounds.crossover
    assert crossover is not None
    if workers <= crossover:
        assert bounds.parallel(workers) >= bounds.serial


def test_bounds_by_hand() -> None:
    chosen = broker.Inputs(jobs=1000, job_ms=10, round_trips=2, latency_ms=0.5, serialisation_ms=0, dispatch_ms=1)
    bounds = broker.Bounds.of(chosen)
    assert (bounds.serial, bounds.parallel(10), bounds.crossover) == (1000, 1100, 11)


def test_jobs_at_risk() -> None:
    by_time, batched, each = broker.durability(broker.Inputs(flush_interval_ms=500, flush_batch=100), Fraction(1000))
    assert (by_time["at_risk_most"], by_time["at_risk_mean"]) == (500, 250)
    assert (batched["at_risk_most"], batched["at_risk_mean"], batched["flushes_per_s"]) == (100, 50, 10)
    assert each["at_risk_most"] == 0
    # A flush takes 2 ms: 100 jobs each, or one.
    assert (by_time["highest_rate_per_s"], batched["highest_rate_per_s"], each["highest_rate_per_s"]) == (
        None,
        50_000,
        500,
    )


def test_a_snapshot_bounds_the_replay() -> None:
    chosen = broker.Inputs(log_entries=3, entry_bytes=100, replay_per_s=3000, snapshot_interval_s=10)
    plain, kept = broker.replay(chosen, Fraction(100), Fraction(1000))
    assert (plain["log_entries_most"], plain["replay_most_s"], plain["log_mb_most"]) == (300_000, 100, 30)
    assert (kept["replay_most_s"], kept["replay_mean_s"]) == (1, 0.5)


def test_removal_from_the_head_of_an_array_grows_with_the_square() -> None:
    small, large = broker.head_removal(broker.Inputs(backlog=(1000, 2000), step_ns=0, move_ns=1))
    assert small["linear_ms"] == pytest.approx(999 * 1000 / 2 / 1e6)
    assert large["linear_ms"] == pytest.approx(1999 * 2000 / 2 / 1e6)
    assert small["factor"] is None


def test_settings_round_up_to_whole_replicas() -> None:
    rows = {(one.program, one.name): one for one in settings.settings(settings.Inputs(workers=6, replicas=4))}
    assert (rows["Celery", "worker_concurrency"].value, rows["Celery", "worker_concurrency"].total) == (2, 8)
    assert rows["PgBouncer", "default_pool_size"].total == 12


def test_a_longer_job_stretches_every_grace() -> None:
    rows = settings.settings(settings.Inputs(longest_job_ms=7_200_000))
    for one in rows:
        if one.reason in ("grace", "visibility"):
            assert isinstance(one.value, int)
            assert one.value > 7200
