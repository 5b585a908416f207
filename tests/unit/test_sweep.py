"""Inputs varied over many mornings."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from planner import designs, edge, parallel, plan, replicate, sweep, target, tornado
from planner.cli import main
from planner.errors import PlannerError
from planner.morning import Morning
from planner.scenario import Scenario

SHORT = Scenario(window_minutes=3, report_share=0.05)
SUBJECTS = (designs.parse("shared:2"), designs.parse("separate:2:2"))


@pytest.mark.parametrize(
    ("text", "values"),
    [("k3=0.1:0.5:0.1", (0.1, 0.2, 0.3, 0.4, 0.5)), ("k2=30,60", (30, 60)), ("sellers=1:3:1", (1, 2, 3)),
     ("N=1:3:1", (1, 2, 3)), ("N=2,5", (2, 5)), ("resolution=auto,2", ("auto", 2))],
)  # fmt: skip
def test_axes_are_read(text: str, values: tuple[object, ...]) -> None:
    assert sweep.parse_axis(text).values == values


@pytest.mark.parametrize(
    "text", ["k3", "k3=", "k3=0:1", "k3=0:1:0", "k3=1:0:0.1", "k3=0.1,0.1", "k3=2", "nobody=1", "k3=0:1:1e-9", "N=0",
             "sellers=1:2:0.5", "k3=0:2:1"],
)  # fmt: skip
def test_what_is_no_axis_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        sweep.parse_axis(text)


def test_two_axes_cross() -> None:
    axes = [sweep.parse_axis("k3=0.1,0.2"), sweep.parse_axis("k2=1,2,3")]
    assert len(sweep.points(axes)) == 6
    with pytest.raises(PlannerError):
        sweep.points([axes[0], axes[0]])


def test_a_point_has_the_rows_of_the_plan() -> None:
    axes = [sweep.parse_axis("k3=0.05,0.1")]
    found = sweep.run(SHORT, SUBJECTS, axes, 3)
    scenario = replicate.of_morning(replace(SHORT, report_share=0.1), 2)
    for number, design in enumerate(SUBJECTS):
        expected = plan.row(design, scenario, plan.Simulator())
        assert found[1].mornings[2][number]["wait_p99_ms"] == expected["wait_p99_ms"]
    assert found == sweep.run(SHORT, SUBJECTS, axes, 3, parallel.Place(jobs=2))


def test_the_size_of_a_design_can_be_varied() -> None:
    axes = [sweep.parse_axis("N=1,4")]
    subjects = sweep.parse_designs(["separate:1:N", "shared:3"], axes)
    few, many = sweep.run(SHORT, subjects, axes, 5)
    means = [[rows[0]["report_mean_s"] or 0.0 for rows in point.mornings] for point in (few, many)]
    assert all(a >= b for a, b in zip(*means, strict=True))
    assert [rows[1] for rows in few.mornings] == [rows[1] for rows in many.mornings]


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [([3, 4, 5, 6], [1, 2, 3, 4.5], "more"),
     ([1, 2, 3, 4.5], [3, 4, 5, 6], "less"), ([1, 5, 2], [2, 4, 2.5], "undecided"),
     ([1, 1], [1, 1], "equal")],
)  # fmt: skip
def test_a_difference_is_told_only_where_it_is_sure(one: list[float], other: list[float], says: str) -> None:
    found = replicate.difference(one, other, 0.95)
    assert found is not None
    assert found.says == says
    assert replicate.difference([None], [1], 0.95) is None


def test_paired_differences_are_narrower_than_the_designs_themselves() -> None:
    found = sweep.run(SHORT, (designs.parse("shared:3"), designs.parse("priority:3")), [sweep.parse_axis("k3=0.1")], 10)
    document = sweep.document(SUBJECTS, [], found, 10, 0.95)
    (gap,) = (one for one in document["points"][0]["differences"] if one["metric"] == "delayed_share")
    alone = document["points"][0]["designs"][0]["metrics"]["delayed_share"]["mean_interval"]
    assert gap["interval"][1] - gap["interval"][0] <= alone[1] - alone[0]


@pytest.mark.parametrize(("field", "low", "high"), [("report_share", 0, 0.3), ("window_minutes", 2, 20)])
def test_a_morning_is_good_up_to_its_edge_and_not_beyond(field: str, low: float, high: float) -> None:
    design, goal = designs.parse("shared:3"), target.Target()
    rungs = edge.ladder(field, low, high)
    for morning in range(4):
        number = edge.edge(edge.EdgeTask(SHORT, design, field, low, high, goal, morning))
        for place, good in ((number, True), (number + 1, False)):
            if 0 <= place < len(rungs):
                seen = replicate.of_morning(SHORT.with_values({field: rungs[place]}), morning)
                assert Morning(seen).meets(design, goal) == good


def test_more_slots_carry_no_less() -> None:
    scenario = replace(SHORT, designs=tuple(designs.parse(f"shared:{slots}") for slots in (2, 4, 6)))
    found = edge.break_even(scenario, "report_share", 0, 0.4, target.Target(), 80, 0.95, 0.95)
    values = [one.value for one in found]
    assert values == sorted(values, key=lambda value: -1 if value is None else value)
    for one in found:
        low, high = one.interval
        assert low is None or one.value is None or low <= one.value
        assert high is None or one.value is None or one.value <= high


def test_the_widest_bar_of_a_tornado_comes_first() -> None:
    base, bars = tornado.run(SHORT, designs.parse("shared:2"), "delayed_share", 0.2, 8, 0.95)
    assert base is not None
    assert {bar.field for bar in bars} == set(tornado.INPUTS)
    assert [bar.swing for bar in bars] == sorted((bar.swing for bar in bars), reverse=True)
    share = next(bar for bar in bars if bar.field == "report_share")
    assert (share.low.value, share.high.value) == (0.04, 0.06)
    assert share.high.summary is not None
    assert math.isclose(share.high.change.mean, share.high.summary.mean - base.mean, abs_tol=1e-12)  # type: ignore[union-attr]


MODES = [[], ["--break-even", "k3=0:0.5"], ["--carry", "8", "--break-even", "k3=0:0.5"], ["--tornado", "10"]]
PLAN = ["--set", "k2=2", "--set", "k3=0.03", "--seeds", "3"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_each_mode_answers_in_each_format(mode: list[str], form: str, capsys: pytest.CaptureFixture[str]) -> None:
    vary = [] if mode else ["--vary", "k3=0.03,0.05"]
    assert main(["sweep", *PLAN, *mode, *vary, "--format", form]) == 0
    out = capsys.readouterr().out
    assert "shared:2" in out
    if form == "json":
        assert json.loads(out)["version"] == 1


@pytest.mark.parametrize(
    "arguments",
    [["--vary", "k3"], ["--vary", "k3=2"], ["--metric", "speed"], ["--carry", "7"], ["--carry", "x"],
     ["--tornado", "0"], ["--tornado", "100"], ["--break-even", "k3=1:0"], ["--break-even", "k3=0:2"],
     ["--break-even", "report_sizes=1:2"], ["--tornado", "5", "--vary", "k3=0.1"], ["--vary", "N=1", "--vary", "k2=1",
     "--vary", "k3=0.1"], ["--seeds", "0"], ["--design", "shared:N"]],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith("planner: ")
