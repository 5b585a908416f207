"""Sizing over many mornings."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import designs, parallel, replicate, size, sized, target, verdict
from planner.cli import main
from planner.derived import derive
from planner.engine.blocked import Blocked
from planner.engine.flow import NEVER
from planner.engine.load import Load
from planner.engine.rules import Rules
from planner.engine.run import simulate
from planner.engine.timeline import Timeline
from planner.errors import PlannerError
from planner.model import Simulator
from planner.morning import Morning, Sparse
from planner.scenario import Scenario
from planner.sizing import smallest_slots
from planner.streams import Stream
from planner.target import Target


@st.composite
def windows(draw: st.DrawFn) -> Load:
    window = draw(st.integers(1, 300))
    ticks = st.integers(0, window - 1)
    tracking = np.array(sorted(draw(st.sets(ticks, max_size=150))), dtype=np.int64)
    reports = np.array(sorted(draw(st.sets(ticks, max_size=20))), dtype=np.int64)
    sizes = draw(st.lists(st.integers(1, 60), min_size=len(reports), max_size=len(reports)))
    horizon = draw(st.sampled_from([window, NEVER]))
    timeline = Timeline.of(window, tracking)
    return Load(window, timeline, 1, reports, np.array(sizes, dtype=np.int64), lambda _: np.empty(0), horizon)


@given(windows(), st.integers(1, 6), st.booleans(), st.integers(0, 80))
@settings(max_examples=400, deadline=None)
def test_following_backlogs_alone_finds_every_long_wait(load: Load, slots: int, first: bool, limit: int) -> None:
    outcome = simulate(Rules(slots, tracking_first=first), load)
    tracking = load.tracking.span(0, load.tracking.total).tolist()
    blocked = Blocked(
        slots,
        first,
        load.reports.tolist(),
        load.report_ticks.tolist(),
        lambda start, end: [tick for tick in tracking if start <= tick < end],
        load.horizon,
    )
    assert blocked.any_wait_beyond(limit) == bool((outcome.waits > limit).any())


@given(st.integers(0, 2**32 - 1), st.integers(1, 5000), st.integers(0, 5000), st.integers(0, 900))
@settings(deadline=None)
def test_sparse_arrivals_are_those_of_the_stream(seed: int, window: int, first: int, length: int) -> None:
    stream = Stream(seed, window, ((window // 3, 0.3), (window, 0.05)))
    expected = [tick for tick in stream.all().tolist() if first <= tick < first + length]
    assert Sparse(stream).between(first, first + length) == expected


SHORT = Scenario(window_minutes=3, report_share=0.05)


@pytest.mark.parametrize(
    "design", ["shared:3", "shared:4@report_share=0.1", "priority:3", "reserved:4:2", "reserved:3:3", "separate:1:1",
               "chunked:2:100", "preemptive:2:50", "push:5:jsq", "shared:2@tracking_records=3", "stealing:4"],
)  # fmt: skip
@pytest.mark.parametrize("text", ["delayed=0", "delayed_share<0.01", "wait_p99.9_ms<=100", "report_mean_s<4"])
def test_a_morning_meets_what_its_whole_simulation_meets(design: str, text: str) -> None:
    wanted, parsed = target.parse(text), designs.parse(design)
    for seed in range(5):
        scenario = replace(SHORT, seed=seed)
        seen = scenario.for_design(parsed)
        outcome = Simulator().run(designs.Design(parsed.kind, parsed.arguments), seen)
        expected = wanted.is_met(outcome, derive(seen), seen.delay_threshold_ms)
        assert Morning(scenario).meets(parsed, wanted) == expected


def ask(*texts: str, seeds: int = 20, scenario: Scenario = SHORT, **rest: object) -> dict[str, object]:
    question = size.Question(scenario, sized.parse_all([*texts]), **rest)  # type: ignore[arg-type]
    return size.document(question, size.run(question, seeds))


def test_the_smallest_shared_counts_of_a_hundred_mornings() -> None:
    document = ask("shared:N", seeds=100, scenario=Scenario())
    (found,) = document["designs"]  # type: ignore[misc]
    assert found["smallest_by_seed"] == {"6": 31, "7": 46, "8": 19, "9": 4}
    seven = next(row for row in found["sizes"] if row["size"] == 7)
    assert (seven["met"], seven["of"]) == (77, 100)
    assert [round(edge, 3) for edge in seven["interval"]] == [0.678, 0.842]
    assert (found["answer"]["size"], found["answer"]["verdict"]) == (9, "undecided")
    assert found["answer"]["more_seeds"] > 0


def test_the_waits_of_a_hundred_mornings_at_two_slots() -> None:
    task = [replicate.RowTask(Scenario(), (designs.parse("shared:2"),), morning) for morning in range(100)]
    p99 = [rows[0]["wait_p99_ms"] for rows in map(replicate.rows, task)]
    known = replicate.summaries([[{**dict.fromkeys(replicate.METRICS), "wait_p99_ms": value}] for value in p99], 0.95)
    summary = known[0]["wait_p99_ms"]
    assert summary is not None
    assert round(summary.median / 1000, 1) == 5.9
    assert [round(edge / 1000, 1) for edge in summary.spread] == [4.3, 9.3]


@pytest.mark.parametrize("kind", ["shared", "separate"])
def test_one_morning_s_size_is_that_of_the_plan(kind: str) -> None:
    for morning in range(5):
        scenario = replicate.of_morning(Scenario(), morning)
        text = "shared:N" if kind == "shared" else "separate:N:2"
        question = size.Question(Scenario(), sized.parse_all([text]))
        (met,) = size.ask(size.Task(question, morning))
        assert size.smallest(met) == smallest_slots(kind, scenario, Simulator())


@pytest.mark.parametrize("text", ["shared:N", "separate:N:1", "separate:1:N"])
@pytest.mark.parametrize("goal", ["delayed=0", "report_p95_s<5"])
def test_bisection_finds_what_trying_every_size_finds(text: str, goal: str) -> None:
    design, wanted = sized.parse(text), target.parse(goal)
    question = size.Question(SHORT, (design,), wanted, largest=9)
    for morning in range(8):
        (met,) = size.ask(size.Task(question, morning))
        here = Morning(replicate.of_morning(SHORT, morning))
        assert met == {number: here.meets(design.at(number), wanted) for number in range(1, 10)}


def test_a_system_is_good_only_if_all_its_replicas_are() -> None:
    texts = ("shared:N", "priority:N")
    question = size.Question(SHORT, sized.parse_all([*texts]), scope="system")
    for morning in range(6):
        for design, met in zip(question.designs, size.ask(size.Task(question, morning)), strict=True):
            replicas = [Morning(replicate.of_morning(SHORT, morning, replica)) for replica in range(4)]
            each = [
                next(number for number in range(1, 13) if one.meets(design.at(number), Target())) for one in replicas
            ]
            assert size.smallest(met) == max(each)


def test_no_two_streams_of_a_system_start_alike() -> None:
    """On 200 mornings of 250 replicas of four streams each; and those of 56 replicas stay 15 million draws apart."""
    states = Counter(
        (replicate.seed_of(20260730, morning, replica) + stream) & 0xFFFFFFFF
        for morning in range(200)
        for replica in range(250)
        for stream in range(4)
    )
    assert max(states.values()) == 1
    inverse = pow(0x9E3779B9, -1, 2**32)
    places = sorted((replicate.seed_of(0, 0, r) + stream) * inverse % 2**32 for r in range(56) for stream in range(4))
    assert min(b - a for a, b in zip(places, [*places[1:], places[0] + 2**32], strict=True)) > 15_700_000


def row(number: int, met: int, of: int = 100) -> size.Tried:
    return size.Tried(number, met, of, size.wilson(met, of, 0.95))


QUESTION = size.Question(Scenario(), sized.parse_all(["shared:N"]))


@pytest.mark.parametrize(
    ("rows", "number", "says"),
    [
        ([row(7, 50), row(8, 100)], 8, "passes"),
        ([row(7, 96), row(8, 100)], 8, "undecided"),
        ([row(6, 20), row(7, 96)], 7, "undecided"),
        ([row(6, 2, 3), row(7, 3, 3)], 7, "undecided"),
        ([row(11, 10), row(12, 30)], None, "none"),
        ([row(1, 200, 200)], 1, "passes"),
    ],
)
def test_an_answer_is_sure_only_where_the_intervals_are(rows: list[size.Tried], number: int | None, says: str) -> None:
    found = size.answer(QUESTION, rows)
    assert (found.size, found.verdict) == (number, says)
    for language in ("en", "tr"):
        assert "{" not in found.reason.text(language)


def test_more_is_not_taken_for_better_where_it_is_not() -> None:
    document = ask("reserved:3:N", "separate:1:N", target=target.parse("delayed=0"), largest=4, seeds=80)
    cap, workers = document["designs"]  # type: ignore[misc]
    assert cap["search"] == "every"
    assert [row["met"] == 80 for row in cap["sizes"]][:2] == [True, True]
    assert cap["answer"]["largest_passing"] == 2
    assert workers["answer"]["size"] == 1


def test_the_cheapest_design_is_named_with_its_reason() -> None:
    pairs = [(designs.parse(text), "passes") for text in ("shared:9", "separate:1:2", "preemptive:2:10")]
    bids = verdict.rank(Scenario(), pairs, False, verdict.Prices())
    assert [(str(bid.design), bid.cost) for bid in bids] == [
        ("preemptive:2:10", 8), ("separate:1:2", 12), ("shared:9", 36),
    ]  # fmt: skip
    assert "no job holds a slot over 9.6 ms" in verdict.sentence(bids).text()
    dear = verdict.rank(Scenario(), pairs, False, verdict.Prices(slot=10, worker=0.5))
    assert str(dear[0].design) == "separate:1:2"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("delayed=0", "delayed<=0"), ("wait_p99_ms<100", "wait_p99_ms<100"), ("report_p95_s:6", "report_p95_s<6"),
     ("wait_p99.90_ms<=1e2", "wait_p99.9_ms<=100"), ("report_mean_s<5", "report_mean_s<5")],
)  # fmt: skip
def test_targets_are_read_and_written(text: str, canonical: str) -> None:
    parsed = target.parse(text)
    assert str(parsed) == canonical
    assert target.parse(str(parsed)) == parsed
    for language in ("en", "tr"):
        assert "{" not in parsed.message(100).text(language)


@pytest.mark.parametrize(
    "text", ["", "delayed", "wait_p99<100", "wait_p101_ms<1", "report_p95_ms<6", "speed<1", "delayed_share<0",
             "wait_p99_ms<x", "wait_p99_ms<-1", "report_mean_s<1e999", "delayed_share<NaN"],
)  # fmt: skip
def test_what_is_no_target_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        target.parse(text)


@pytest.mark.parametrize(
    "text", ["shared:7", "shared:N:N", "push:8:N", "push:N:N", "nobody:N", "shared:n", "separate:N", "N"]
)
def test_what_has_no_hole_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        sized.parse(text)


@pytest.mark.parametrize("text", ["shared:N", "preemptive:N:10", "preemptive:2:N", "separate:1:N@report_share=0.25"])
def test_a_design_with_a_hole_is_written_as_it_is_read(text: str) -> None:
    assert str(sized.parse(text)) == text


@pytest.mark.parametrize(
    "arguments",
    [["--seeds", "0"], ["--seeds", "x"], ["--confidence", "1"], ["--share", "0"], ["--target", "x"], ["--jobs", "0"],
     ["--design", "shared:2"], ["--max", "0"], ["--slot-price", "-1"], ["--scope", "world"],
     ["--set", "replicas=251", "--scope", "system"], ["--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"]],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith("planner: ")


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "json"])
def test_each_format_tells_each_size(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["size", "--seeds", "3", "--set", "k2=3", "--set", "k3=0.05", "--design", "shared:N", "--format", form])
        == 0
    )
    out = capsys.readouterr().out
    if form == "json":
        document = json.loads(out)
        assert [*document][:6] == ["version", "target", "seeds", "confidence", "scope", "designs"]
        assert sum(document["designs"][0]["smallest_by_seed"].values()) == 3
    else:
        assert "shared:N" in out


def test_processes_change_nothing() -> None:
    question = size.Question(SHORT, sized.parse_all(["shared:N", "priority:N"]))
    assert size.run(question, 6) == size.run(question, 6, parallel.Place(jobs=2))


def test_the_wilson_interval_of_a_size_holds_the_true_share() -> None:
    """200 repetitions of 30 mornings each; the truth is the share over all 6000."""
    question = size.Question(Scenario(window_minutes=1, report_share=1 / 60), sized.parse_all(["shared:N"]), largest=6)
    good = [size.ask(size.Task(question, morning))[0][4] for morning in range(6000)]
    truth = statistics.fmean(good)
    assert 0.1 < truth < 0.9
    held = 0
    for start in range(0, 6000, 30):
        low, high = size.wilson(sum(good[start : start + 30]), 30, 0.95)
        held += low <= truth <= high
    assert held >= 0.93 * 200
