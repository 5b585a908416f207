"""Schedulers on the plan's load."""

from typing import Any

import pytest

from planner import plan
from planner.designs import parse
from planner.errors import PlannerError
from planner.explain import keep_diary
from planner.model import Simulator
from planner.ops import scheduling
from planner.ops.load import Load
from planner.scenario import Scenario

SHORT = Scenario(window_minutes=2, sellers=400, report_share=0.3)
LOAD = Load.of(SHORT)


@pytest.fixture(scope="module")
def document() -> Any:
    return scheduling.report(scheduling.Inputs(), LOAD, SHORT).document()


def test_each_scheduler_is_a_design_of_the_plan(document: Any) -> None:
    for row in document["scheduling"]:
        measured = plan.row(parse(row["design"]), SHORT, Simulator())
        assert row["wait_p99_ms"] == measured["wait_p99_ms"]
        assert row["delayed"] == measured["delayed"]


def test_the_smallest_count_meets_the_target_and_none_below_does(document: Any) -> None:
    for kind, row in zip(scheduling.KINDS, document["scheduling"], strict=True):
        for slots in range(1, row["slots_needed"] + 1):
            design = scheduling.design(kind, slots, scheduling.Inputs())
            assert (plan.row(design, SHORT, Simulator())["delayed"] == 0) == (slots == row["slots_needed"])


@pytest.mark.parametrize("kind", scheduling.KINDS)
def test_a_path_has_no_gaps_and_holds_the_whole_report(kind: str) -> None:
    diary = keep_diary(scheduling.design(kind, 2, scheduling.Inputs()), SHORT)
    tick_s = diary.derived.tick_ms / 1000
    for number in range(min(5, len(diary.report_arrivals))):
        stretches: Any = scheduling.path(diary, number)
        assert stretches[0]["from_s"] == diary.report_arrivals[number] * tick_s
        for before, after in zip(stretches, stretches[1:], strict=False):
            assert before["to_s"] == after["from_s"]
        ran = sum(one["to_s"] - one["from_s"] for one in stretches if one["state"] == "runs")
        if stretches[-1]["to_s"] < 110:
            assert ran == pytest.approx(diary.derived.report_seconds)


def test_a_report_that_never_came_is_refused() -> None:
    with pytest.raises(PlannerError) as refused:
        scheduling.report(scheduling.Inputs(search=0, report_number=10_000), LOAD, SHORT)
    assert refused.value.field == "report_number"
