"""Limits of a pool, connections, and the scalability law."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import PlannerError
from planner.intervals import student_quantile, student_within
from planner.ops import limits, usl
from planner.ops.load import Load
from planner.scenario import Scenario

LOAD = Load.of(Scenario())
CASES = st.builds(
    limits.Case,
    st.sampled_from(["io", "cpu"]),
    st.none() | st.integers(1, 40),
    st.integers(1, 40),
    st.integers(1, 200),
    st.just(100.0),
)


@given(CASES)
def test_the_knee_is_where_the_makespan_stops_falling(case: limits.Case) -> None:
    spans = [case.makespan_ms(n) for n in range(1, 260)]
    assert spans[case.knee - 1] == min(spans)
    assert case.knee == 1 or spans[case.knee - 2] > min(spans)


@given(CASES)
def test_more_workers_never_slow_a_pool_down(case: limits.Case) -> None:
    spans = [case.makespan_ms(n) for n in range(1, 100)]
    assert spans == sorted(spans, reverse=True)


@pytest.mark.parametrize(
    ("kind", "shared", "knee", "binding", "makespan"),
    [
        ("io", None, 12, "jobs", 100),
        ("cpu", None, 4, "cores", 300),
        ("io", 3, 3, "shared", 400),
        ("cpu", 3, 3, "shared", 400),
        ("io", 8, 6, "shared", 200),
    ],
)
def test_the_sources_three_statements(kind: str, shared: int | None, knee: int, binding: str, makespan: int) -> None:
    case = limits.Case(kind, shared, 4, 12, 100)
    assert (case.knee, case.binding, case.makespan_ms(99)) == (knee, binding, makespan)


def test_a_pool_size_counts_per_replica() -> None:
    wires = limits.connections(limits.Inputs(replicas=4, pool_size=20, surge_replicas=1, max_connections=100))
    assert (wires.total, wires.total_during_deploy, wires.available) == (80, 100, 97)
    assert not wires.fits
    assert wires.largest_pool_size == 19


@given(
    st.floats(1, 1e5),
    st.floats(0, 0.5),
    st.floats(0, 0.01),
    st.lists(st.integers(1, 64), min_size=4, max_size=10, unique=True),
)
def test_the_fit_recovers_a_law_without_noise(rate: float, sigma: float, kappa: float, counts: list[int]) -> None:
    exact = [(float(n), rate * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))) for n in sorted(counts)]
    fitted = usl.fit(exact)
    for n, x in exact:
        assert fitted.throughput(n) == pytest.approx(x, rel=1e-4)


def test_the_peak_of_a_known_law() -> None:
    exact = [(n, 1000 * n / (1 + 0.05 * (n - 1) + 0.002 * n * (n - 1))) for n in (1, 2, 4, 8, 16, 32)]
    fitted = usl.fit(exact)
    assert (fitted.rate, fitted.sigma, fitted.kappa) == pytest.approx((1000, 0.05, 0.002))
    assert fitted.peak == pytest.approx(math.sqrt(0.95 / 0.002))
    assert fitted.peak_workers == max(range(1, 60), key=fitted.throughput)


def test_no_nearby_coefficients_fit_noisy_measurements_better() -> None:
    pairs = [(1, 95.0), (2, 190.0), (4, 350.0), (8, 600.0), (16, 800.0), (32, 780.0), (32, 820.0)]
    fitted = usl.fit(pairs)
    best = _squares(pairs, fitted.rate, fitted.sigma, fitted.kappa)
    for a in (0.99, 1, 1.01):
        for b in (0.95, 1, 1.05):
            for c in (0.95, 1, 1.05):
                assert _squares(pairs, fitted.rate * a, fitted.sigma * b, fitted.kappa * c) >= best * (1 - 1e-9)
    low, high = fitted.interval(fitted.sigma, fitted.errors[1]) or (1, 0)
    assert low < fitted.sigma < high


def _squares(pairs: list[tuple[float, float]], rate: float, sigma: float, kappa: float) -> float:
    return math.fsum((x - rate * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))) ** 2 for n, x in pairs)


def test_super_linear_measurements_are_held_at_zero_and_said_so() -> None:
    fitted = usl.fit([(1, 100.0), (2, 210.0), (4, 450.0), (8, 1000.0)])
    assert set(fitted.held) == {"sigma", "kappa"}
    assert fitted.peak is None
    assert any(message.key == "ops.usl.held" for _, message in fitted.answers(6))


def test_three_measurements_have_no_interval() -> None:
    fitted = usl.fit([(1, 100.0), (4, 300.0), (16, 500.0)])
    assert fitted.freedom == 0
    assert fitted.interval(fitted.sigma, fitted.errors[1]) is None


@pytest.mark.parametrize("texts", [["1:2"], ["1:2", "1:3", "1:4"], ["1:1", "2:0", "3:1"], ["a"], ["1:1", "2:2", "3"]])
def test_degenerate_measurements_are_refused(texts: list[str]) -> None:
    with pytest.raises(PlannerError) as refused:
        usl.parse(texts)
    assert refused.value.field == "measured"


@pytest.mark.parametrize(
    "text",
    [
        "1,100\n2,190\n4,350\n",
        "workers;throughput\n1;100,0\n2;190,0\n4;350,0",
        "1\t100\r\n2\t190\r\n4\t350",
        "1 100\n2 190\n4 350",
    ],
)
def test_pasted_measurements_are_read(text: str) -> None:
    assert usl.parse(usl.split(text)) == [(1, 100), (2, 190), (4, 350)]


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.7062), (2, 4.30265), (3, 3.18245), (10, 2.22814), (120, 1.97993)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, expected: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(expected, rel=1e-5)
    assert student_within(expected, freedom) == pytest.approx(0.95, rel=1e-5)


def test_the_report_says_which_limit_binds_the_plan() -> None:
    report = limits.report(limits.Inputs(shared_limit=3), LOAD)
    assert "5400" in report.answers[0][1].text()
    measured = limits.report(limits.Inputs(measured=("1:100", "2:190", "4:350", "8:500", "16:520")), LOAD)
    assert [table.name for table in measured.tables][-2:] == ["usl", "measured"]
