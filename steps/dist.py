"""Assemble the site beside its place and swap it in."""

from __future__ import annotations

import json
from pathlib import Path

from steps import bundle, headers, pages, repacked, runtime_files, runtime_lock, swap
from steps.hashing import combined_key
from steps.paths import ROOT
from steps.report import step


def build(out: Path, base_path: str, numpy_given: Path | None) -> None:
    """Build the whole site into ``out``. Equal sources give equal bytes, whatever machine and time."""
    swap.recover(out)
    with step("Python for the browser") as running:
        archives = repacked.obtain(runtime_lock.read(), numpy_given)
        running.detail = "hashes as pinned"
    with step("the planner as bytecode") as running:
        planner = bundle.obtain()
        running.detail = f"{planner.stat().st_size // 1024} KB"
    site = swap.staging(out)
    with step("pages") as running:
        runtime_files.copy_site(ROOT / "site", site)
        manifest = runtime_files.write(site, archives, planner)
        pages.write(site, base_path, {"version": version(site), "runtime": manifest})
        headers.write(site)
        running.detail = f"{sum(1 for path in site.rglob('*') if path.is_file())} files"
    swap.into_place(site, out)


def version(site: Path) -> str:
    """Twelve digits that change with any file of ``site``."""
    files = sorted((path.relative_to(site).as_posix(), path) for path in site.rglob("*") if path.is_file())
    return combined_key(part for name, path in files for part in (name.encode(), path.read_bytes()))[:12]


def runtime_bytes(site: Path) -> int:
    """How much a first visit downloads for Python, in bytes before compression."""
    manifest = json.loads((site / "runtime/manifest.json").read_text())
    return sum(int(entry["bytes"]) for entry in manifest["files"].values())
