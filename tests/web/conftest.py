"""A browser against the built site: where it is served, and what no page may ever do.

``site_url`` serves the built site; ``watched_page`` is a page that records console errors and requests that leave the
origin, and fails the test when there were any; ``altered_site`` serves a changed copy of the site.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from steps import browser, server
from steps.paths import DIST

CHROMIUM_FLAGS = ["--no-sandbox", "--disable-quic", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser that the build found; without background traffic of its own."""
    found = os.environ.get("YUVA_CHROMIUM") or browser.find()
    return {**browser_type_launch_args, "executable_path": str(found), "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built site."""
    folder = Path(os.environ.get("YUVA_DIST", DIST))
    if not (folder / "runtime/manifest.json").exists():
        pytest.fail(f"{folder} is not built: run python3 build.py first")
    return folder


@pytest.fixture(scope="session")
def site_url(dist: Path) -> Iterator[str]:
    """Address of the built site."""
    with server.serving(dist) as url:
        yield url


class Watch:
    """What a page has done that it must not do."""

    def __init__(self, page: Page, origin: str) -> None:
        self.console_errors: list[str] = []
        self.foreign_requests: list[str] = []
        page.on("console", lambda message: message.type == "error" and self.console_errors.append(message.text))
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        # The context sees the requests of workers too.
        page.context.on("request", lambda request: self._see(request.url, origin))

    def _see(self, url: str, origin: str) -> None:
        if not url.startswith((origin, "data:", "blob:")):
            self.foreign_requests.append(url)


@pytest.fixture
def watched_page(page: Page, site_url: str) -> Iterator[Page]:
    """A page that may neither log an error nor send a request to another origin."""
    watch = Watch(page, site_url)
    yield page
    assert watch.foreign_requests == []
    assert watch.console_errors == []


@pytest.fixture
def altered_site(dist: Path, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Serve a copy of the site after ``change(folder)``; other arguments go to ``server.serving``."""
    with ExitStack() as servers:

        def start(change: Callable[[Path], None] = lambda folder: None, **how: Any) -> str:
            copy = tmp_path / f"site-{len(list(tmp_path.iterdir()))}"
            shutil.copytree(dist, copy)
            change(copy)
            return servers.enter_context(server.serving(copy, **how))

        yield start


def use_service(source: str) -> Callable[[Path], None]:
    """A change that puts ``source`` in the place of the planner, as ``planner.service``."""

    def change(site: Path) -> None:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr("planner/__init__.py", "")
            archive.writestr("planner/service.py", source)
        replace_runtime_file(site, "planner.zip", content.getvalue())

    return change


def replace_runtime_file(site: Path, name: str, content: bytes) -> None:
    """Exchange a file of ``runtime/`` and say so in the manifest."""
    (site / "runtime" / name).write_bytes(content)
    path = site / "runtime/manifest.json"
    manifest = json.loads(path.read_text())
    sha256 = hashlib.sha256(content).hexdigest()
    manifest["files"][name] = {"url": f"{name}?h={sha256[:12]}", "sha256": sha256, "bytes": len(content)}
    path.write_text(json.dumps(manifest))
