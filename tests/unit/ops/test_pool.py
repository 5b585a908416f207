"""Worker pools: pull, push in blocks, prefetch."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.errors import PlannerError
from planner.ops import inputs, pool
from planner.ops.durations import drawn, lengths
from planner.ops.load import Load
from planner.scenario import Scenario

LISTS = st.lists(st.integers(1, 60).map(Fraction), min_size=1, max_size=40)
WORKERS = st.integers(1, 9)
DISPATCH = st.sampled_from(["pull", "push", "prefetch:1", "prefetch:4"])
LOAD = Load.of(Scenario())


def test_the_sources_twelve_jobs_take_12_6_and_3_slices() -> None:
    report = pool.report(pool.Inputs(), LOAD)
    assert [row["slices"] for row in report.tables[0].rows] == [12, 6, 3]


def test_push_pays_for_one_long_job() -> None:
    durations = [Fraction(ms) for ms in (900, 100, 100, 100, 100, 100)]
    # Blocks of two: 1000, 200, 200. Pull: the long job, while the other two workers share the rest: 900.
    assert pool.run(durations, 3, "push").makespan == 1000
    assert pool.run(durations, 3, "pull").makespan == 900


def test_a_prefetched_job_sticks_behind_a_long_one() -> None:
    durations = [Fraction(ms) for ms in (900, 100, 100, 100)]
    # Dealt in turn with one held each: worker 0 has 900 and 100, worker 1 has 100 and 100.
    ahead = pool.run(durations, 2, "prefetch:1")
    assert ahead.bars == ((0, 0, 0, 900), (1, 1, 0, 100), (1, 3, 100, 200), (0, 2, 900, 1000))
    assert ahead.stuck == 1
    assert pool.run(durations, 2).makespan == 900


def test_tenths_of_a_millisecond_add_up() -> None:
    done = pool.run([Fraction(1, 10)] * 30, 1)
    assert pool.row(done, 0.1)["slices"] == 30


@given(LISTS, WORKERS, DISPATCH)
def test_every_job_runs_once_and_no_worker_runs_two(durations: list[Fraction], workers: int, dispatch: str) -> None:
    done = pool.run(durations, workers, dispatch)
    assert sorted(job for _, job, _, _ in done.bars) == list(range(len(durations)))
    assert sum(done.busy) == sum(durations)
    ends = [0] * workers
    for worker, job, start, end in done.bars:
        assert start >= ends[worker]
        assert end - start == durations[job]
        ends[worker] = end


@given(LISTS, WORKERS)
def test_pull_is_within_grahams_bound(durations: list[Fraction], workers: int) -> None:
    bound = max(max(durations), sum(durations) / workers)
    assert pool.run(durations, workers).makespan <= (2 - Fraction(1, workers)) * bound


@given(LISTS, WORKERS)
def test_another_worker_never_slows_pull(durations: list[Fraction], workers: int) -> None:
    assert pool.run(durations, workers + 1).makespan <= pool.run(durations, workers).makespan


@given(LISTS, WORKERS)
def test_prefetch_of_nothing_is_pull_and_nothing_sticks(durations: list[Fraction], workers: int) -> None:
    pulled = pool.run(durations, workers)
    assert pool.run(durations, workers, "prefetch:0").bars == pulled.bars
    assert pulled.stuck == 0


@given(st.integers(1, 50), WORKERS, DISPATCH)
def test_equal_jobs_take_as_many_rounds_as_they_need(jobs: int, workers: int, dispatch: str) -> None:
    assert pool.run([Fraction(7)] * jobs, workers, dispatch).makespan == 7 * -(-jobs // workers)


@given(LISTS, WORKERS, st.integers(0, 5))
@settings(max_examples=60)
def test_prefetch_is_what_it_says_tick_by_tick(durations: list[Fraction], workers: int, held: int) -> None:
    assert pool.run(durations, workers, f"prefetch:{held}").bars == _ticks([int(d) for d in durations], workers, held)


def _ticks(times: list[int], workers: int, held: int) -> tuple[tuple[int, int, int, int], ...]:
    queue = list(range(len(times)))
    mine: list[list[int]] = [[] for _ in range(workers)]
    for _ in range(held + 1):
        for worker in range(workers):
            if queue:
                mine[worker].append(queue.pop(0))
    left, bars, now = [0] * workers, [], 0
    while any(mine) or any(left):
        for worker in range(workers):
            if now and left[worker]:
                left[worker] -= 1
                if not left[worker] and queue:
                    mine[worker].append(queue.pop(0))
            if not left[worker] and mine[worker]:
                job = mine[worker].pop(0)
                left[worker] = times[job]
                bars.append((worker, job, now, now + times[job]))
        now += 1
    return tuple(bars)


@given(st.sampled_from(["lognormal:1", "mix:0.5:10,0.25:30,0.25:70", "fixed"]))
def test_drawn_lengths_come_from_the_stated_distribution(sizes: str) -> None:
    known = {value: chance for chance, value in lengths(sizes, 25)}
    assert sum(known.values()) == pytest.approx(1)
    assert {float(value) for value in drawn(sizes, 25, 500, 1)} <= set(known)
    assert sum(value * chance for value, chance in known.items()) == pytest.approx(
        30 if "mix" in sizes else 25, rel=1e-3
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("workers", "0"),
        ("workers", ""),
        ("workers", "1,two"),
        ("dispatch", "shove"),
        ("dispatch", "prefetch:-1"),
        ("dispatch", "prefetch:²"),
        ("durations_ms", "5,0"),
        ("durations_ms", "5x0"),
        ("durations_ms", "5x999999"),
        ("sizes", "gamma:2"),
        ("seed", "-1"),
        ("job_ms", "0"),
        ("job_ms", "1e999"),
    ],
)
def test_bad_input_names_its_field(name: str, value: str) -> None:
    with pytest.raises(PlannerError) as refused:
        pool.report(inputs.build(pool.Inputs, {name: value}), LOAD)
    assert refused.value.field == name


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(PlannerError) as refused:
        inputs.build(pool.Inputs, {"nobody": 1})
    assert refused.value.field == "nobody"


def test_the_plans_report_job_becomes_the_job() -> None:
    chosen = inputs.build(pool.Inputs, pool.from_plan(LOAD))
    (row,) = pool.report(chosen, LOAD).tables[0].rows
    # 2000 reports of 3.6 s on 6 workers: 334 rounds.
    assert row["makespan_ms"] == 334 * 3600
