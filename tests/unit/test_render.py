"""The pages that the build writes: complete without scripts, in both languages, with the golden numbers in them."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from planner import fields, plan, render, report
from planner.scenario import Scenario
from planner.texts import LANGUAGES


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    out = tmp_path_factory.mktemp("site")
    render.build_pages(out, "/", {"version": "0123456789ab"})
    return {language: page_of(out, language).read_text(encoding="utf-8") for language in LANGUAGES}


def page_of(out: Path, language: str) -> Path:
    return out / ("index.html" if language == "en" else f"{language}/index.html")


class Tags(HTMLParser):
    """All start tags with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_input_has_its_control_with_a_label(pages: dict[str, str], language: str) -> None:
    tags = Tags(pages[language]).found
    names = [attrs["name"] for tag, attrs in tags if tag in ("input", "textarea")]
    assert sorted(map(str, names)) == sorted([*(field.name for field in fields.FIELDS), "designs"])
    labelled = {attrs.get("for") for tag, attrs in tags if tag == "label"}
    assert {attrs["id"] for tag, attrs in tags if tag in ("input", "textarea", "select")} == labelled


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_are_unique_and_references_lead_somewhere(pages: dict[str, str], language: str) -> None:
    tags = Tags(pages[language]).found
    ids = Counter(attrs["id"] for _, attrs in tags if "id" in attrs)
    assert [name for name, count in ids.items() if count > 1] == []
    for _, attrs in tags:
        for name in ("aria-describedby", "aria-labelledby", "for"):
            assert set((attrs.get(name) or "").split()) <= set(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_policy_is_kept_no_inline_script_or_style(pages: dict[str, str], language: str) -> None:
    html = pages[language]
    assert "unsafe-inline" not in html
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", html)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_default_plan_is_on_the_page_unrounded(pages: dict[str, str], language: str) -> None:
    document = plan.run(Scenario())
    html = pages[language]
    for row in document["designs"]:
        (shown,) = re.findall(rf'<tr data-design="{re.escape(row["design"])}".*?</tr>', html, re.DOTALL)
        for name in report.METRICS:
            assert f'data-metric="{name}" data-value="{row[name]}"' in shown
    for name, value in document["derived"].items():
        assert f'data-metric="{name}" data-value="{value}"' in html
    for name, value in (("shared_slots_total", 28), ("separate_slots_total", 4), ("workers_at_target_utilisation", 6)):
        assert f'data-metric="{name}" data-value="{value}"' in html


def test_numbers_are_written_as_the_language_does(pages: dict[str, str]) -> None:
    assert ">5,887.20</td>" in pages["en"]
    assert ">5.887,20</td>" in pages["tr"]
    assert 'value="416,67"' in pages["tr"]


def test_the_lower_bound_is_called_one_wherever_it_stands() -> None:
    for step in report.chain(Scenario()):
        if step.name == "workers_at_full_utilisation":
            assert "lower bound" in render.View(Scenario(), "en").chain()
    document = plan.run(Scenario())
    assert "lower bound" in render.View(Scenario(), "en").sizing(document["sizing"])


def test_a_chain_fills_in_the_inputs_of_the_scenario() -> None:
    steps = {step.name: step for step in report.chain(Scenario().with_values({"peak_reads_per_s": 5000}))}
    assert steps["records_per_report"].filled.text() == "⌈100 × 30⌉"
    assert steps["tracking_probability"].filled.text() == "(5,000 / 4) × (1.2 / 1000) / 12"
    assert steps["report_probability"].classes == ("K01", "K02", "assumption", "model")


def test_the_story_is_that_of_the_source() -> None:
    scenario = Scenario()
    story = report.story(scenario, plan.run(scenario)["designs"])
    assert story is not None
    text = " ".join(sentence.text() for sentence in story.sentences)
    for part in ("457 reports of 3.60 s hold 1,645 of the 3,600 slot-seconds", "12.5%", "29.02%", "5,887 ms", "4.14 s"):
        assert part in text


def test_a_list_without_a_jam_has_no_story() -> None:
    scenario = Scenario().with_values({"designs": ["shared:8"]})
    assert report.story(scenario, plan.run(scenario)["designs"]) is None
    assert "shared:2" in render.View(scenario, "en").story(plan.run(scenario)["designs"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "values",
    [
        {"search_max_slots": 1},
        {"peak_reads_per_s": 0},
        {"report_share": 0},
        {"replicas": 1, "report_sizes": "lognormal:1.5"},
        {"delay_threshold_ms": 0, "search_max_slots": 2, "tracking_records": 2},
        {"designs": [*report.EXAMPLES]},
    ],
)
def test_every_part_renders_whatever_the_scenario(language: str, values: dict[str, object]) -> None:
    scenario = Scenario().with_values(values)
    view, known = render.View(scenario, language), dict(plan.steps(scenario))
    rows = [part for kind, part in plan.steps(scenario) if kind == "row"]
    fragments = [view.chain(), view.warnings(known["warnings"]), view.sizing(known["sizing"]), view.story(rows)]
    fragments += [view.row(row) for row in rows] + [view.pending_row(row["design"]) for row in rows]
    for fragment in fragments:
        assert "None" not in fragment
        assert "nan" not in re.sub(r"[a-zçğıöşü]nan|nan[a-zçğıöşü]", "", fragment)


def test_the_command_names_the_scenario_and_no_more() -> None:
    assert report.command(Scenario()) == "python3 -m planner plan"
    changed = Scenario().with_values({"report_share": 0.25})
    assert report.command(changed) == "python3 -m planner plan '#v=1&k3=0.25'"
