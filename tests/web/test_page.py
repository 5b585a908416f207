"""The page as a user meets it: the golden numbers, live inputs, links, history, bad input, two languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from planner import links, plan, report
from planner.scenario import Scenario
from steps import server

from .conftest import Watch

SECONDS = 1000
FIGURES = """() => Object.fromEntries([...document.querySelectorAll("#designs tr[data-design]")].map((row) => [
    row.dataset.design,
    Object.fromEntries([...row.querySelectorAll("[data-metric]")].map((cell) => [cell.dataset.metric,
        cell.dataset.value])),
]))"""


@pytest.fixture(scope="module")
def tab(browser: Browser, site_url: str) -> Iterator[tuple[Page, Watch]]:
    """One tab for all tests that need a running page and leave it running: Python starts once."""
    page = browser.new_page()
    watch = Watch(page, site_url)
    opened(page, site_url)
    yield page, watch
    page.close()


@pytest.fixture
def yuva(tab: tuple[Page, Watch], site_url: str) -> Iterator[Page]:
    """The English page with the default plan, computed in the tab; no error on the console, no foreign request."""
    page, watch = tab
    page.goto(f"{site_url}#v=1")
    expect(page.locator("#reset-all")).to_be_hidden()
    ready(page)
    yield page
    assert watch.foreign_requests == []
    assert watch.console_errors == []


def opened(page: Page, url: str) -> None:
    page.goto(url)
    ready(page)


def ready(page: Page) -> None:
    """Wait until what is shown is the answer to what is in the form."""
    expect(page.locator("html[data-state=ready]")).to_be_attached(timeout=60 * SECONDS)
    expect(page.locator("[data-old], .pending")).to_have_count(0, timeout=60 * SECONDS)


def shown(page: Page, place: str) -> dict[str, float | None]:
    """The unrounded numbers of a part of the page."""
    cells = page.locator(f"{place} [data-metric]").evaluate_all(
        "(cells) => cells.map((cell) => [cell.dataset.metric, cell.dataset.value])"
    )
    return {name: float(value) if value else None for name, value in cells}


def expect_plan(page: Page, scenario: Scenario) -> None:
    """Every number on the page is that of the command line."""
    document = plan.run(scenario)
    rows: dict[str, dict[str, str]] = page.evaluate(FIGURES)
    assert list(rows) == [row["design"] for row in document["designs"]]
    for row in document["designs"]:
        for name in report.METRICS:
            cell = rows[row["design"]][name]
            assert (float(cell) if cell else None) == row[name], (row["design"], name)
        for name, share in row["slot_utilisation"].items():
            assert float(rows[row["design"]][f"slot_utilisation_{name}"]) == share
    assert shown(page, "#derived") == document["derived"]
    sizing = document["sizing"]
    expected = {f"{kind}_{name}": sizing[kind][name] for kind in sizing for name in ("slots", "slots_total")}
    workers = {name: value for name, value in sizing["separate"].items() if name.startswith("workers")}
    assert shown(page, "#sizing") == expected | workers


def type_into(page: Page, name: str, text: str) -> None:
    page.locator(f"[name={name}]").fill(text)
    page.locator(f"[name={name}]").blur()
    page.wait_for_timeout(50)


def test_the_golden_table_cell_by_cell(yuva: Page) -> None:
    expect_plan(yuva, Scenario())
    rows = yuva.locator("#designs tbody tr").all()
    cells = [[cell.inner_text().replace(",", "") for cell in row.locator("td").all()] for row in rows]
    assert [row[:9] for row in cells][0] == "187459 0.00 5887.20 9398 54392 0.2902 457 457 4.24".split()
    assert [row[:9] for row in cells][3] == "187459 0.00 2766.00 4984 15204 0.0811 223 223 3.77".split()
    assert [row[:9] for row in cells][6] == "187459 0.00 0.00 0 0 0.0000 457 457 4.14".split()


def test_the_page_is_readable_with_scripts_off(browser: Browser, site_url: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(site_url)
        assert page.locator("html").get_attribute("data-state") == "prerendered"
        expect(page.locator("#sizing h2")).to_contain_text("28 slots")
        expect(page.locator("tr[data-design='shared:2'] [data-metric=wait_p99_ms]")).to_have_text("5,887.20")
        assert "Scripts are off" in page.content()


def test_a_changed_input_changes_every_number(yuva: Page) -> None:
    type_into(yuva, "report_share", "0.25")
    ready(yuva)
    expect_plan(yuva, Scenario().with_values({"report_share": 0.25}))
    assert yuva.url.endswith("#v=1&k3=0.25")
    expect(yuva.locator("#announcer")).to_contain_text("24 slots")


def test_units_and_percent_signs_are_read_and_said(yuva: Page) -> None:
    yuva.locator("[name=report_share]").fill("25 %")
    expect(yuva.locator("[data-reading=report_share]")).to_have_text("read as 0.25")
    yuva.locator("[name=report_share]").blur()
    expect(yuva.locator("[name=report_share]")).to_have_value("0.25")
    assert yuva.url.endswith("#v=1&k3=0.25")


def test_the_newest_change_wins(yuva: Page) -> None:
    for text in ("3", "5", "2", "6"):
        yuva.locator("[name=replicas]").fill(text)
        yuva.wait_for_timeout(140)
    ready(yuva)
    expect(yuva.locator("#link")).to_contain_text("replicas=6")
    expect_plan(yuva, Scenario().with_values({"replicas": 6}))


def test_a_link_restores_its_scenario(watched_page: Page, site_url: str) -> None:
    designs = ["priority:2", "gpm:2:10"]
    scenario = Scenario().with_values({"window_minutes": 12.5, "seed": 7, "drain": 1, "designs": designs})
    opened(watched_page, f"{site_url}#{links.write(scenario)}")
    expect_plan(watched_page, scenario)
    expect(watched_page.locator("[name=window_minutes]")).to_have_value("12.5")
    expect(watched_page.locator("[name=designs]")).to_have_value("priority:2\ngpm:2:10")
    expect(watched_page.locator("[name=drain]")).to_be_checked()


def test_a_link_with_bad_parts_is_used_as_far_as_it_goes(watched_page: Page, site_url: str) -> None:
    opened(watched_page, f"{site_url}#v=1&k3=0.25&sellers=many&colour=<img src=x>")
    expect_plan(watched_page, Scenario().with_values({"report_share": 0.25}))
    expect(watched_page.locator("#notices li")).to_have_count(2)
    expect(watched_page.locator("#notices")).to_contain_text("sellers")
    assert watched_page.locator("#notices img").count() == 0
    assert watched_page.url.endswith("#v=1&k3=0.25")


def test_back_and_forward_go_through_the_changes(yuva: Page) -> None:
    type_into(yuva, "replicas", "3")
    ready(yuva)
    type_into(yuva, "report_share", "0.25")
    ready(yuva)
    yuva.go_back()
    expect(yuva.locator("[name=report_share]")).to_have_value("0.5")
    ready(yuva)
    expect_plan(yuva, Scenario().with_values({"replicas": 3}))
    yuva.go_back()
    expect(yuva.locator("[name=replicas]")).to_have_value("4")
    ready(yuva)
    yuva.go_forward()
    expect(yuva.locator("[name=replicas]")).to_have_value("3")
    ready(yuva)
    assert yuva.url.endswith("#v=1&replicas=3")


def test_an_edited_fragment_is_a_new_scenario(yuva: Page) -> None:
    yuva.evaluate("() => { location.hash = '#v=1&replicas=2' }")
    expect(yuva.locator("[name=replicas]")).to_have_value("2")
    ready(yuva)
    expect_plan(yuva, Scenario().with_values({"replicas": 2}))


def test_bad_input_is_said_at_the_field_and_above_and_the_results_stay(yuva: Page) -> None:
    before = yuva.evaluate(FIGURES)
    yuva.locator("[name=sellers]").fill("abc")
    yuva.locator("[name=report_share]").fill("1.5")
    expect(yuva.locator("#error-sellers")).to_contain_text("abc is not a number")
    expect(yuva.locator("#error-report_share")).to_contain_text("out of range")
    expect(yuva.locator("[name=report_share]")).to_have_attribute("aria-invalid", "true")
    expect(yuva.locator("#problems li")).to_have_count(2)
    assert yuva.evaluate(FIGURES) == before
    expect(yuva.locator("#sizing[data-old]")).to_be_attached()
    assert yuva.url.endswith("#v=1")
    yuva.locator("#problems a").first.click()
    expect(yuva.locator("[name=sellers]")).to_be_focused()
    assert yuva.url.endswith("#v=1")
    type_into(yuva, "sellers", "4000")
    type_into(yuva, "report_share", "0.5")
    ready(yuva)
    expect(yuva.locator("#problems")).to_be_empty()
    expect(yuva.locator("[aria-invalid]")).to_have_count(0)


def test_designs_are_added_edited_and_reset(yuva: Page) -> None:
    yuva.locator("#adder").select_option("priority:2")
    yuva.locator("#add").click()
    expect(yuva.locator("tr[data-design='priority:2'] [data-metric=wait_p99_ms]")).to_be_attached()
    ready(yuva)
    type_into(yuva, "designs", "shared:7\nshared:6")
    ready(yuva)
    expect_plan(yuva, Scenario().with_values({"designs": ["shared:7", "shared:6"]}))
    yuva.locator("[data-reset=designs]").click()
    ready(yuva)
    expect_plan(yuva, Scenario())


def test_reset_brings_back_the_default(yuva: Page) -> None:
    type_into(yuva, "replicas", "9")
    ready(yuva)
    yuva.locator("[data-reset=replicas]").click()
    expect(yuva.locator("[name=replicas]")).to_have_value("4")
    ready(yuva)
    assert yuva.url.endswith("#v=1")
    type_into(yuva, "window_minutes", "10")
    ready(yuva)
    yuva.locator("#reset-all").click()
    expect(yuva.locator("[name=window_minutes]")).to_have_value("30")
    ready(yuva)
    expect_plan(yuva, Scenario())


def test_the_turkish_page_speaks_turkish_numbers(watched_page: Page, site_url: str) -> None:
    opened(watched_page, f"{site_url}tr/")
    expect(watched_page.locator("#sizing h2")).to_contain_text("28 yuva")
    expect(watched_page.locator("tr[data-design='shared:2'] [data-metric=wait_p99_ms]")).to_have_text("5.887,20")
    type_into(watched_page, "report_share", "0,25")
    ready(watched_page)
    expect_plan(watched_page, Scenario().with_values({"report_share": 0.25}))
    expect(watched_page.locator("[name=report_share]")).to_have_value("0,25")
    watched_page.locator("#other-language").click()
    ready(watched_page)
    assert watched_page.url == f"{site_url}#v=1&k3=0.25"
    expect(watched_page.locator("[name=report_share]")).to_have_value("0.25")


def test_a_start_that_fails_leaves_the_default_plan_and_a_way_out(page: Page, altered_site: Callable[..., str]) -> None:
    kept: list[Path] = []

    def lose(site: Path) -> None:
        kept.append((site / "runtime/planner.zip").rename(site / "kept.zip").parent)

    page.goto(altered_site(lose))
    expect(page.locator("html[data-state=failed]")).to_be_attached(timeout=20 * SECONDS)
    expect(page.locator("#failed-file")).to_have_text("planner.zip")
    expect(page.locator("#sizing h2")).to_contain_text("28 slots")
    (kept[0] / "kept.zip").rename(kept[0] / "runtime/planner.zip")
    page.locator("#retry").click()
    ready(page)


def test_a_page_from_a_file_says_why_it_does_not_start(page: Page, dist: Path) -> None:
    page.goto((dist / "index.html").as_uri())
    expect(page.locator("#from-file")).to_be_visible()
    expect(page.locator("#sizing h2")).to_contain_text("28 slots")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "tr/"])
def test_axe_finds_nothing(watched_page: Page, site_url: str, path: str, scheme: Any) -> None:
    watched_page.emulate_media(color_scheme=scheme)
    opened(watched_page, site_url + path)
    watched_page.locator(".about summary").first.click()
    assert Axe().run(watched_page).response["violations"] == []
    watched_page.locator("[name=sellers]").fill("abc")
    expect(watched_page.locator("#problems li")).to_have_count(1)
    watched_page.wait_for_timeout(500)
    assert Axe().run(watched_page).response["violations"] == []


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_nothing_sticks_out_sideways(watched_page: Page, site_url: str, width: int) -> None:
    watched_page.set_viewport_size({"width": width, "height": 900})
    opened(watched_page, f"{site_url}#v=1&designs=reserved:128:64@report_share=0.25;tracking_records=2")
    sticking = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert watched_page.evaluate(sticking) == 0


def test_results_move_nothing(watched_page: Page, site_url: str) -> None:
    watched_page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
        " window.shift += entry.value }).observe({ type: 'layout-shift', buffered: true })"
    )
    opened(watched_page, site_url)
    type_into(watched_page, "report_share", "0.3")
    ready(watched_page)
    assert watched_page.evaluate("() => window.shift") < 0.02


def test_the_whole_form_is_reached_by_keyboard(watched_page: Page, site_url: str) -> None:
    opened(watched_page, site_url)
    watched_page.locator("body").press("Tab")
    expect(watched_page.locator(".skip")).to_be_focused()
    seen: set[str] = set()
    for _ in range(120):
        watched_page.keyboard.press("Tab")
        name = watched_page.evaluate("() => document.activeElement.name || ''")
        seen.add(name)
    assert {"sellers", "designs", "drain", "seed"} <= seen


def test_the_site_works_under_another_path(page: Page, dist: Path) -> None:
    with server.serving(dist, "/deep/er/") as url:
        watch = Watch(page, url)
        opened(page, f"{url}tr/#v=1&replicas=2")
        assert re.search(r"/deep/er/tr/#v=1&replicas=2$", page.url)
        assert watch.console_errors == []
        assert watch.foreign_requests == []
