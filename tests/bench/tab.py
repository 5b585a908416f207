"""The planner and the JavaScript model in one Chromium, each in a worker of one page of the freshly built site."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from steps import browser, dist, server

HERE = Path(__file__).parent
FILES = ("ticks.mjs", "timing.mjs", "tab_worker.mjs", "product.py")
FLAGS = ["--no-sandbox", "--disable-quic", "--disable-background-networking"]

Timed = Callable[[str], dict[str, Any]]

# A page's side of a worker: messages go out with a number and come back with it.
ASK = """async ([name, message]) => {
  self.benchWorkers ??= {};
  const worker = (self.benchWorkers[name] ??= new Worker("tab_worker.mjs", { type: "module" }));
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.result));
    worker.postMessage(message);
  });
}"""


@contextmanager
def workers() -> Iterator[tuple[str, Timed, Timed]]:
    """The browser's version, and the ``timed`` of the planner and of the JavaScript model in it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "site"
        dist.build(site, "/", None)
        (site / "bench").mkdir()
        for name in FILES:
            shutil.copy(HERE / name, site / "bench" / name)
        # A page of its own: the site's would start Python as well, and lets nobody else make workers.
        (site / "bench/index.html").write_text("<!doctype html><title>Benchmark</title>", encoding="utf-8")
        with server.serving(site, handler=_Quiet) as url:
            chromium = playwright.chromium.launch(executable_path=browser.find_or_install(), args=FLAGS)
            page = chromium.new_page()
            page.goto(f"{url}bench/")
            _ask(page, "planner", {"start": "planner"})
            yield (
                chromium.version,
                lambda what: _ask(page, "planner", {"what": what}),
                lambda what: _ask(page, "javascript", {"what": what}),
            )
            chromium.close()


class _Quiet(server.SiteHandler):
    """The site's server without its log."""

    def log_message(self, *_: object) -> None:
        pass


def _ask(page: Page, worker: str, message: dict[str, str]) -> Any:
    return page.evaluate(ASK, [worker, message])
