"""Supervision: attempts, dead letters, replacements, back-off, copies."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.errors import PlannerError
from planner.ops import crashes, inputs, pool, supervise
from planner.ops.load import Load
from planner.scenario import Scenario

LOAD = Load.of(Scenario())
RULES = st.builds(
    crashes.Rules,
    jobs=st.integers(1, 30),
    workers=st.integers(1, 6),
    attempts=st.integers(1, 4),
    job=st.integers(1, 50).map(Fraction),
    crash_after=st.integers(0, 50).map(Fraction),
    restart=st.integers(0, 20).map(Fraction),
    poison=st.frozensets(st.integers(1, 30), max_size=4),
    crash=st.sampled_from([0, 0.1, 0.5, 1]),
    backoff=st.sampled_from([Fraction(0), Fraction(5), Fraction(1, 3)]),
    jitter=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_the_sources_example(share: float) -> None:
    report = supervise.report(supervise.Inputs(crash_share=share), LOAD)
    document = report.document()
    assert document["finished_jobs"] == [1, 2, 4, 5]
    assert document["dead_letter_jobs"] == [3]
    assert document["attempts_by_job"] == {"1": 1, "2": 1, "3": 2, "4": 1, "5": 1}
    assert report.tables[0].rows[0]["workers_created"] == 4
    assert document["possible_duplicate_jobs"] == [3]


def test_the_sources_example_loses_two_whole_attempts() -> None:
    row = supervise.report(supervise.Inputs(), LOAD).tables[0].rows[0]
    assert (row["useful_worker_s"], row["wasted_worker_s"]) == (0.4, 0.2)


def test_a_tenth_crashing_with_five_attempts() -> None:
    closed = supervise.expected(supervise.Inputs(poison=None, crash_probability=0.1, attempts=5))
    assert closed["attempts_per_job"] == pytest.approx(1.1111, abs=1e-12)
    assert closed["dead_letter_share"] == pytest.approx(1e-5)


@given(RULES)
@settings(max_examples=150)
def test_every_job_ends_once_and_every_crash_makes_a_worker(rules: crashes.Rules) -> None:
    outcome = crashes.simulate(rules)
    assert sorted([*outcome.finished, *outcome.dead]) == list(range(1, rules.jobs + 1))
    crashed = sum(bar[4] for bar in outcome.bars)
    assert outcome.created == rules.workers + crashed
    assert len(outcome.bars) == sum(outcome.tries.values())
    assert all(outcome.tries[job] == rules.attempts for job in outcome.dead)
    assert all(job in outcome.dead for job in rules.poison if job <= rules.jobs)


@given(RULES)
@settings(max_examples=100)
def test_no_worker_runs_two_jobs_or_lives_on_after_a_crash(rules: crashes.Rules) -> None:
    ends: dict[int, Fraction] = {}
    fallen: set[int] = set()
    for worker, _, start, end, crashed in crashes.simulate(rules).bars:
        assert worker not in fallen
        assert start >= ends.get(worker, 0)
        ends[worker] = end
        if crashed:
            fallen.add(worker)


@given(st.integers(1, 40), st.integers(1, 8))
def test_without_crashes_it_is_the_pool(jobs: int, workers: int) -> None:
    bars = crashes.simulate(crashes.Rules(jobs, workers, 1, Fraction(7), Fraction(7))).bars
    pulled = pool.run([Fraction(7)] * jobs, workers)
    assert max(bar[3] for bar in bars) == pulled.makespan * pulled.unit


def test_many_runs_agree_with_the_closed_form() -> None:
    chosen = supervise.Inputs(jobs=50_000, poison=None, crash_probability=0.2, attempts=3, workers=50)
    outcome = crashes.simulate(supervise.rules(chosen))
    closed = supervise.expected(chosen)
    assert len(outcome.bars) / 50_000 == pytest.approx(closed["attempts_per_job"], rel=0.01)
    assert len(outcome.dead) / 50_000 == pytest.approx(closed["dead_letter_share"], rel=0.1)


def test_back_off_doubles_up_to_its_longest() -> None:
    rules = crashes.Rules(
        1, 1, 5, Fraction(10), Fraction(0), poison=frozenset({1}), backoff=Fraction(100), backoff_most=Fraction(300)
    )
    # Crashes at 0, 100, 300, 600, 900; the waits are 100, 200, 300 (400 cut), 300.
    assert crashes.simulate(rules).returns == (100, 300, 600, 900)


def test_jitter_spreads_what_comes_back_together() -> None:
    together = supervise.Inputs(jobs=100, workers=100, poison=tuple(range(1, 101)), backoff_ms=60_000)
    spread = supervise.Inputs(jobs=100, workers=100, poison=tuple(range(1, 101)), backoff_ms=60_000, jitter="full")
    bursts = [crashes.simulate(supervise.rules(one)).burst(Fraction(100)) for one in (together, spread)]
    assert bursts[0] == 100
    assert bursts[1] < 10


@pytest.mark.parametrize(
    ("visibility", "copies"), [(3600, 1), (3599.9, 2), (1200, 3), (1000, 4), (10_000, 1), (1, 3600)]
)
def test_copies_past_a_visibility_timeout(visibility: float, copies: int) -> None:
    assert supervise.Redelivery.of(3600, visibility).copies == copies


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("poison", "9"),
        ("attempts", "0"),
        ("crash_probability", "1.1"),
        ("jitter", "some"),
        ("visibility_ms", "0"),
        ("poison", "x"),
    ],
)
def test_bad_input_names_its_field(name: str, value: str) -> None:
    with pytest.raises(PlannerError) as refused:
        supervise.report(inputs.build(supervise.Inputs, {name: value}), LOAD)
    assert refused.value.field == name


def test_crashes_raise_the_plans_worker_count() -> None:
    chosen = supervise.Inputs(poison=None, crash_probability=0.1, attempts=5)
    # Crashes a job: 1.1111 - 0.99999 = 0.11111; each loses a whole report: 4 x 1.1111 / 0.7 = 6.35.
    assert "become 7" in supervise.report(chosen, LOAD).answers[0][1].text()
