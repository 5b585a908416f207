"""The site's HTTP headers: one ``_headers`` file, read by hosts that know it and by the development server.

Everything comes from the site itself; no string is ever run as code. Scripts inside a page are allowed by hash.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from planner import policy
from steps.hashing import csp_source


def write(site: Path) -> None:
    """Write ``_headers`` for the pages found in ``site``, and ``.nojekyll`` for hosts that drop names with ``_``."""
    scripts = sorted({script for page in site.rglob("*.html") for script in inline_scripts(page.read_text("utf-8"))})
    allowed = (*policy.SOURCES["script-src"], *map(csp_source, scripts))
    value = policy.written({**policy.SOURCES, "script-src": allowed})
    lines = [
        "/*",
        f"  Content-Security-Policy: {value}",
        "  X-Content-Type-Options: nosniff",
        "  Referrer-Policy: no-referrer",
    ]
    (site / "_headers").write_text("\n".join(lines) + "\n")
    (site / ".nojekyll").touch()


def read(site: Path) -> list[tuple[str, str]]:
    """The headers that ``write`` left in ``site``."""
    lines = (site / "_headers").read_text().splitlines()
    pairs = (line.strip().partition(": ") for line in lines if line.startswith("  "))
    return [(name, value) for name, _, value in pairs]


def inline_scripts(html: str) -> list[str]:
    """The text of each script in a page that a browser would run from the page itself."""
    parser = _InlineScripts()
    parser.feed(html)
    return [text for text in parser.found if text]


class _InlineScripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        # A script with another type is data: it does not run and needs no permission.
        runs = values.get("type") in (None, "", "module", "text/javascript")
        self._inside = tag == "script" and "src" not in values and runs
        if self._inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data
