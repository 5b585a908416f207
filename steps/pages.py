"""The pages, rendered by the planner itself with the default plan already computed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any


def write(site: Path, base_path: str, build: dict[str, Any]) -> None:
    """Let ``planner.render`` write its pages into ``site``.

    ``base_path`` is where the site will be hosted, ``/`` at both ends; ``build`` holds ``version`` and ``runtime``, the
    manifest of the browser's Python.
    """
    importlib.import_module("planner.render").build_pages(site, base_path, build)
