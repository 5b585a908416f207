"""Python starts in the tab, answers, can be interrupted, and says what is wrong when it cannot start."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from steps import server
from steps.runtime_lock import NUMPY_WHEEL

from .conftest import Watch, use_service

STUB = """
import asyncio, json, sys
import numpy
stopped = set()

def cancel(request_id):
    stopped.add(request_id)

async def handle(message, post):
    request = json.loads(message)
    def reply(type, payload=None):
        post(json.dumps({"v": 1, "id": request["id"], "type": type, "payload": payload}))
    if request["type"] == "numpy":
        reply("partial", numpy.__version__)
        reply("result", int(numpy.arange(5, dtype=numpy.int64).sum()))
    elif request["type"] == "polite":
        while request["id"] not in stopped:
            await asyncio.sleep(0)
            if request["payload"] == "short":
                return reply("result", "done")
        reply("cancelled")
    elif request["type"] == "stubborn":
        while request["payload"] != "short":
            pass
        reply("result", "done")
    elif request["type"] == "large":
        numpy.ones(40_000_000).sum()
        reply("result", "done")
    elif request["type"] == "wrong":
        reply("error", {"field": "replicas", "message": "must be 1 or more"})
    else:
        raise RuntimeError("unknown type")
"""

START = """async ([base, patienceMs]) => {
    const { createPlanner } = await import(base + "runtime.js");
    window.states = [];
    window.stages = [];
    const ended = new Promise((resolve) => {
        window.planner = createPlanner({
            patienceMs,
            onState: (state, diagnosis) => {
                window.states.push(state);
                if (state === "ready" || state === "failed") resolve({ state, diagnosis });
            },
            onProgress: (progress) => window.stages.push(progress),
        });
    });
    return ended;
}"""


def start(page: Page, url: str, patience_ms: int = 20000) -> dict[str, Any]:
    """Start Python on a document of the site that does nothing itself, under the site's policy; how it ended."""
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # a browser asks for it by itself
    page.goto(f"{url}runtime/manifest.json")
    result: dict[str, Any] = page.evaluate(START, [url, patience_ms])
    return result


def alter(site: Path, name: str) -> None:
    """Turn over one bit of a file in ``runtime/``."""
    path = site / "runtime" / name
    content = bytearray(path.read_bytes())
    content[-20] ^= 1
    path.write_bytes(content)


@pytest.fixture(scope="module")
def shared_page(browser: Browser, dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page on which Python runs with the stub as its service."""
    site = tmp_path_factory.mktemp("stub") / "site"
    shutil.copytree(dist, site)
    use_service(STUB)(site)
    with server.serving(site) as url, browser.new_context() as context:
        page = context.new_page()
        assert start(page, url) == {"state": "ready", "diagnosis": None}
        yield page


@pytest.fixture
def ready_page(shared_page: Page) -> Page:
    """The shared page, ready, with no state recorded yet."""
    shared_page.wait_for_function("() => planner.state === 'ready'")
    shared_page.evaluate("() => { window.states.length = 0 }")
    return shared_page


def test_the_built_site_starts_python_without_console_errors_or_foreign_requests(
    watched_page: Page, site_url: str
) -> None:
    assert start(watched_page, site_url) == {"state": "ready", "diagnosis": None}
    stages = watched_page.evaluate("() => window.stages")
    assert {stage["stage"] for stage in stages} == {"manifest", "download", "python", "planner"}
    last_download = [stage for stage in stages if stage["stage"] == "download"][-1]
    assert last_download["loaded"] == last_download["total"] > 10_000_000


def test_python_answers_with_partial_results_and_a_result(ready_page: Page) -> None:
    answer = ready_page.evaluate("""async () => {
        const partial = [];
        const result = await planner.request("numpy", null, { onPartial: (value) => partial.push(value) }).promise;
        return { partial, result };
    }""")
    assert answer == {"partial": ["2.4.3"], "result": 10}


def test_an_error_of_the_service_reaches_the_caller(ready_page: Page) -> None:
    payload = ready_page.evaluate('() => planner.request("wrong").promise.catch((error) => error.payload)')
    assert payload == {"field": "replicas", "message": "must be 1 or more"}


def test_the_newest_request_of_a_type_wins(ready_page: Page) -> None:
    outcome = ready_page.evaluate("""async () => {
        const older = [planner.request("polite", "long"), planner.request("polite", "long")];
        const newest = planner.request("polite", "short");
        const ends = await Promise.all(older.map((one) => one.promise.catch((error) => error.name)));
        return [...ends, await newest.promise, window.states.includes("failed")];
    }""")
    assert outcome == ["AbortError", "AbortError", "done", False]


def test_a_cooperative_cancel_keeps_the_worker(ready_page: Page) -> None:
    states = ready_page.evaluate("""async () => {
        const running = planner.request("polite", "long");
        await new Promise((resolve) => setTimeout(resolve, 50));
        running.cancel();
        await running.promise.catch(() => {});
        await planner.request("numpy").promise;
        return window.states;
    }""")
    assert "starting" not in states


def test_a_worker_that_does_not_stop_is_replaced_and_the_newest_request_answered(ready_page: Page) -> None:
    begin = time.monotonic()
    outcome = ready_page.evaluate("""async () => {
        planner.request("stubborn", "long");
        await new Promise((resolve) => setTimeout(resolve, 50));
        return planner.request("stubborn", "short").promise;
    }""")
    assert outcome == "done"
    assert time.monotonic() - begin < 15
    assert ready_page.evaluate("() => window.states").count("starting") == 1


def test_a_service_that_breaks_is_replaced(ready_page: Page) -> None:
    outcome = ready_page.evaluate("""async () => {
        const message = await planner.request("unknown").promise.catch((error) => error.message);
        return [message, await planner.request("numpy").promise];
    }""")
    assert outcome == ["RuntimeError: unknown type", 10]


@pytest.mark.parametrize(
    "name", ["pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", NUMPY_WHEEL, "planner.zip"]
)
def test_a_missing_file_is_named_within_seconds(page: Page, altered_site: Callable[..., str], name: str) -> None:
    url = altered_site(lambda site: (site / "runtime" / name).unlink())
    begin = time.monotonic()
    end = start(page, url)
    assert time.monotonic() - begin < 10
    assert end["state"] == "failed"
    assert end["diagnosis"]["file"] == name
    assert "404" in end["diagnosis"]["reason"]


@pytest.mark.parametrize("name", ["pyodide.asm.js", "pyodide.asm.wasm", NUMPY_WHEEL])
def test_an_altered_file_is_refused(page: Page, altered_site: Callable[..., str], name: str) -> None:
    end = start(page, altered_site(lambda site: alter(site, name)))
    assert end["diagnosis"]["file"] == name
    assert "not the file that was built" in end["diagnosis"]["reason"]


def test_a_missing_manifest_is_named(page: Page, altered_site: Callable[..., str]) -> None:
    end = start(page, altered_site(lambda site: (site / "runtime/manifest.json").unlink()))
    assert end["diagnosis"] == {"stage": "manifest", "file": "manifest.json", "reason": "the server answers 404"}


class OctetStream(server.SiteHandler):
    """A host that knows no WebAssembly."""

    extensions_map = {**server.SiteHandler.extensions_map, ".wasm": "application/octet-stream"}


class TextScripts(server.SiteHandler):
    """A host that serves scripts as text."""

    def guess_type(self, path: Any) -> str:
        """Pyodide's own scripts only: the page itself has to run."""
        return "text/plain" if "pyodide" in str(path) else super().guess_type(path)


class NoWasm(server.SiteHandler):
    """A host whose policy forbids WebAssembly."""

    def send_header(self, keyword: str, value: str) -> None:
        """The site's policy without the one permission."""
        super().send_header(keyword, value.replace(" 'wasm-unsafe-eval'", ""))


class TrustedTypes(server.SiteHandler):
    """A host whose policy lets no string become a script."""

    def send_header(self, keyword: str, value: str) -> None:
        """The site's policy and Trusted Types."""
        if keyword == "Content-Security-Policy":
            value += "; require-trusted-types-for 'script'; trusted-types yuva-worker"
        super().send_header(keyword, value)


class Stalling(server.SiteHandler):
    """A host that never answers for NumPy."""

    def do_GET(self) -> None:
        """Keep the connection open and say nothing, longer than the test runs."""
        if NUMPY_WHEEL in self.path:
            time.sleep(6)
            self.close_connection = True
        else:
            super().do_GET()


def test_webassembly_served_as_octet_stream_works(page: Page, altered_site: Callable[..., str]) -> None:
    assert start(page, altered_site(use_service(STUB), handler=OctetStream))["state"] == "ready"


def test_trusted_types_may_be_required(page: Page, altered_site: Callable[..., str]) -> None:
    assert start(page, altered_site(use_service(STUB), handler=TrustedTypes))["state"] == "ready"


def test_outside_a_secure_context_the_browser_checks_the_hashes(page: Page, altered_site: Callable[..., str]) -> None:
    page.add_init_script('Object.defineProperty(crypto, "subtle", { value: undefined })')
    assert start(page, altered_site(use_service(STUB)))["state"] == "ready"
    end = start(page, altered_site(lambda site: alter(site, "planner.zip")))
    assert end["diagnosis"]["file"] == "planner.zip"
    assert "not the file that was built" in end["diagnosis"]["reason"]


def test_a_worker_whose_memory_has_grown_is_replaced(ready_page: Page) -> None:
    assert ready_page.evaluate('() => planner.request("large").promise') == "done"
    ready_page.wait_for_function("() => window.states.includes('starting')")
    assert ready_page.evaluate('() => planner.request("numpy").promise') == 10


def test_scripts_served_as_text_are_named(page: Page, altered_site: Callable[..., str]) -> None:
    end = start(page, altered_site(handler=TextScripts))
    assert end["state"] == "failed"
    assert "text/plain" in end["diagnosis"]["reason"]


def test_a_policy_without_webassembly_is_named(page: Page, altered_site: Callable[..., str]) -> None:
    end = start(page, altered_site(handler=NoWasm))
    assert end["state"] == "failed"
    assert end["diagnosis"]["file"] == "pyodide.asm.wasm"


def test_a_host_that_goes_silent_ends_in_a_diagnosis(page: Page, altered_site: Callable[..., str]) -> None:
    end = start(page, altered_site(handler=Stalling), patience_ms=2000)
    assert end == {
        "state": "failed",
        "diagnosis": {"stage": "download", "file": None, "reason": "no sign of life for 2 s"},
    }


def test_a_restart_after_a_repair_answers_what_was_asked(
    page: Page, altered_site: Callable[..., str], tmp_path: Path
) -> None:
    sites: list[Path] = []

    def lose(site: Path) -> None:
        use_service(STUB)(site)
        sites.append(site)
        (site / "runtime/planner.zip").rename(site / "kept.zip")

    assert start(page, altered_site(lose))["state"] == "failed"
    page.evaluate('() => { window.asked = planner.request("numpy").promise }')
    (sites[0] / "kept.zip").rename(sites[0] / "runtime/planner.zip")
    assert page.evaluate("() => { planner.restart(); return window.asked }") == 10


def test_the_site_works_under_another_path(page: Page, altered_site: Callable[..., str]) -> None:
    url = altered_site(use_service(STUB), base_path="/some/where/")
    watch = Watch(page, url)
    assert start(page, url)["state"] == "ready"
    assert watch.console_errors == []
    assert watch.foreign_requests == []
