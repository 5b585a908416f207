"""Assemble the site beside its place and swap it in."""

from __future__ import annotations

from pathlib import Path

from steps import bundle, headers, pages, repacked, runtime_files, runtime_lock, swap
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
        pages.write(site, base_path, {"version": manifest["version"], "runtime": manifest})
        headers.write(site)
        running.detail = f"{sum(1 for path in site.rglob('*') if path.is_file())} files"
    swap.into_place(site, out)
