"""Formulas against their definitions, against each other and against the engine."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import analytic, designs, replicate, theory
from planner.intervals import mean_interval
from planner.scenario import Scenario


@pytest.mark.parametrize("load", [0.001, 0.5, 1.0, 7.3, 90.0])
@pytest.mark.parametrize("servers", [0, 1, 2, 7, 30, 100])
def test_the_chance_of_many_at_once_is_the_poisson_tail(servers: int, load: float) -> None:
    terms = [math.exp(n * math.log(load) - load - math.lgamma(n + 1)) for n in range(servers, 160)]
    assert analytic.at_least_busy(servers, load) == pytest.approx(math.fsum(terms), rel=1e-9)


def test_the_chance_of_many_at_once_is_stable_at_ten_thousand() -> None:
    """Near the mean it is about one half, and far from it nearly 0 or 1."""
    assert analytic.at_least_busy(10_000, 10_000) == pytest.approx(0.5, abs=5e-3)
    assert analytic.at_least_busy(11_000, 10_000) < 1e-20
    assert analytic.at_least_busy(9_000, 10_000) == pytest.approx(1)


@given(st.integers(1, 200), st.floats(0.01, 0.99))
def test_more_servers_are_less_often_all_busy(servers: int, share: float) -> None:
    load = servers * share
    assert analytic.at_least_busy(servers + 1, load) <= analytic.at_least_busy(servers, load) + 1e-12


@given(st.floats(0.01, 0.95), st.floats(0.1, 10))
def test_approximations_are_exact_where_they_should_be(load: float, service: float) -> None:
    exact = analytic.md1_mean_wait(load / service, service)
    assert analytic.mdc_mean_wait(1, load, service) == pytest.approx(exact)
    assert analytic.ggc_mean_wait(1, load, service, 1, 0) == pytest.approx(exact)
    exponential = analytic.mmc_mean_wait(3, 3 * load, service)
    assert analytic.ggc_mean_wait(3, 3 * load, service, 1, 1) == pytest.approx(exponential)


@pytest.mark.parametrize("load", [2.0, 2.5])
def test_an_overload_is_unstable_and_no_number(load: float) -> None:
    assert analytic.mdc_mean_wait(2, load, 1) == "unstable"
    assert analytic.ggc_mean_wait(2, load, 1, 1, 1) == "unstable"


def test_the_default_plan_offers_one_erlang_of_reports() -> None:
    figures = {figure.name: figure for figure in theory.of_design(designs.parse("shared:7"), Scenario())}
    assert figures["offered_load_reports_erlangs"].value == pytest.approx(1.0)
    assert figures["offered_load_tracking_erlangs"].value == pytest.approx(0.125, rel=1e-4)
    assert figures["chance_reports_want_all_slots"].value == pytest.approx(8.32e-5, rel=1e-2)
    assert figures["chance_reports_want_all_slots"].approximate


def test_one_worker_at_full_load_is_unstable() -> None:
    (figure,) = [one for one in theory.of_design(designs.parse("separate:1:1"), Scenario()) if "mean" in one.name]
    assert figure.value == "unstable"


def test_the_report_time_of_theory_lies_near_the_simulated_one() -> None:
    """An approximation of an endless morning: within two standard errors and 3 per cent."""
    design = designs.parse("separate:1:2")
    rows = [replicate.rows(replicate.RowTask(Scenario(), (design,), morning))[0] for morning in range(20)]
    low, high = mean_interval([row["report_mean_s"] or 0.0 for row in rows], 0.95)
    value = next(one.value for one in theory.of_design(design, Scenario()) if one.name == "report_mean_s")
    assert not isinstance(value, str)
    assert low is not None
    assert high is not None
    assert low * 0.97 < value < high * 1.03


@pytest.mark.parametrize("number", range(5))
def test_the_engine_passes_its_self_check(number: int) -> None:
    check = theory.self_check()[number]
    assert check.is_good, check
