"""What a plan will cost, before it runs."""

import pytest

from planner import cost
from planner.errors import PlannerError
from planner.scenario import Scenario


def times(factor: int) -> Scenario:
    """The default load, `factor` times over."""
    return Scenario(shipments_per_day=400_000 * factor, sellers=4_000 * factor, peak_reads_per_s=416.67 * factor)


def test_the_default_plan_runs_in_a_tab() -> None:
    cost.check_for_tab(Scenario())


def test_a_load_too_large_for_a_tab_is_refused_with_the_command_that_does_it() -> None:
    with pytest.raises(PlannerError) as caught:
        cost.check_for_tab(times(1000))
    assert "python3 -m planner plan '#v=1&" in str(caught.value)
    cost.check(times(1000))


def test_cost_grows_with_the_load() -> None:
    seconds = [cost.estimate(times(factor)).seconds for factor in (1, 10, 100, 1000)]
    assert seconds == sorted(seconds)


def test_a_plan_of_days_is_refused_natively_too() -> None:
    with pytest.raises(PlannerError) as caught:
        cost.check(Scenario(window_minutes=1e9))
    assert caught.value.field == "scenario"
