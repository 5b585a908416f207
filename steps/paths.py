"""Where things are: in the checkout, and in the user's cache that all checkouts share."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"
REQUIREMENTS = ROOT / "requirements"
RUNTIME_LOCK = ROOT / "runtime.lock.json"
DIST = ROOT / "dist"


def cache_dir() -> Path:
    """The folder for checked downloads and repacked archives: $YUVA_CACHE, else ~/.cache/yuva."""
    chosen = os.environ.get("YUVA_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "yuva"
