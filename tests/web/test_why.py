"""The panel that tells who held the slots."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect


def test_the_panel_follows_the_plan_and_the_chosen_design(watched_page: Page, site_url: str) -> None:
    page = watched_page
    page.goto(f"{site_url}#v=1&designs=shared:2,gpm:4:10,separate:1:2")
    expect(page.locator("html")).to_have_attribute("data-state", "ready", timeout=60_000)
    page.locator("#why-title").click()
    expect(page.locator("#why-design option")).to_have_count(3)
    expect(page.locator("#why table tbody tr").first).to_contain_text("9,398.4")
    page.locator("#why-design").select_option("gpm:4:10")
    expect(page.locator("#why figcaption").first).to_contain_text("gpm:4:10", timeout=20_000)
    assert Axe().run(page).violations_count == 0
    page.locator("#why-design").select_option("separate:1:2")
    expect(page.locator("#why")).to_contain_text("no query waits", timeout=20_000)
