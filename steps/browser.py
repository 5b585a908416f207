"""A Chromium for the tests: named by the user, installed, Playwright's own, or the Debian package."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from steps.failure import BuildError
from steps.report import note
from steps.run import quietly

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_MAC_APPS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
_WAY_OUT = "install Chromium or Chrome, or set YUVA_CHROMIUM to the path of one"


def find() -> Path | None:
    """The browser that is already there, or None. Raises BuildError when $YUVA_CHROMIUM names no file."""
    named = os.environ.get("YUVA_CHROMIUM")
    if named:
        if not os.access(named, os.X_OK):
            raise BuildError(f"YUVA_CHROMIUM names {named}, which is no program; {_WAY_OUT}")
        return Path(named)
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    return next((path for app in _MAC_APPS if (path := Path("/Applications") / app).exists()), _playwrights())


def find_or_install() -> Path:
    """The browser to test with; installs one when there is none. Raises BuildError when that fails."""
    found = find()
    for install in (_install_playwrights, _install_debians):
        if found is None:
            try:
                install()
            except BuildError as problem:
                note(f"          {problem}")
            found = find()
    if found is None:
        raise BuildError(f"no browser for the tests; {_WAY_OUT}")
    return found


def _playwrights() -> Path | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def _install_playwrights() -> None:
    quietly(
        [sys.executable, "-m", "playwright", "install", "chromium"],
        what="downloading Playwright's Chromium",
        env={"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"},
        timeout_s=300,
    )


def _install_debians() -> None:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise BuildError("installing the Debian package chromium: needs apt-get and root")
    note("          installing the Debian package chromium")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    quietly(["apt-get", "update", "-q"], what="apt-get update", env=quiet, timeout_s=300)
    quietly(["apt-get", "install", "-q", "-y", "chromium"], what="apt-get install chromium", env=quiet, timeout_s=900)
