"""``runtime/`` of the site: Python for the tab, and the manifest by which the page loads and checks it.

Scripts end in ``.js`` because many servers give ``.mjs`` a type that browsers refuse. A file's address carries a piece
of its hash, so a cached file of an older version is never taken for the new one.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from steps.hashing import combined_key, sha256_of
from steps.repacked import pyodide_file
from steps.runtime_lock import NUMPY_WHEEL, STDLIB

Manifest = dict[str, Any]


def write(site: Path, archives: dict[str, Path], bundle: Path) -> Manifest:
    """Copy the runtime into ``site/runtime`` and write its manifest.json there; the manifest is also returned.

    ``archives`` are the repacked ones by name. Sizes in the manifest are bytes before any compression on the way.
    """
    runtime = site / "runtime"
    runtime.mkdir()
    wanted = {
        "pyodide.js": pyodide_file("pyodide.mjs"),
        "pyodide.asm.js": pyodide_file("pyodide.asm.mjs"),
        "pyodide.asm.wasm": pyodide_file("pyodide.asm.wasm"),
        STDLIB: archives[STDLIB],
        NUMPY_WHEEL: archives[NUMPY_WHEEL],
        "planner.zip": bundle,
    }
    for name, source in wanted.items():
        (runtime / name).write_bytes(_without_map(source))
    files = {name: _entry(name, runtime / name) for name in wanted}
    files["worker.js"] = _entry("../worker.js", site / "worker.js")
    manifest = {
        "v": 1,
        "version": _version(site),
        "files": files,
        "lock": _one_package_lock(files[NUMPY_WHEEL]["sha256"]),
    }
    (runtime / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")
    return manifest


def copy_site(source: Path, site: Path) -> None:
    """Copy the hand-written part of the site as it is; type declarations serve the checker only."""
    shutil.copytree(
        source, site, copy_function=shutil.copyfile, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.d.ts", ".*")
    )


def _without_map(source: Path) -> bytes:
    """A file's bytes; a script loses the pointer to its source map, which is not shipped."""
    content = source.read_bytes()
    head, mark, _ = content.rpartition(b"\n//# sourceMappingURL=") if source.suffix == ".mjs" else (content, b"", b"")
    return head + b"\n" if mark else content


def _entry(url: str, path: Path) -> dict[str, Any]:
    sha256 = sha256_of(path)
    return {"url": f"{url}?h={sha256[:12]}", "sha256": sha256, "bytes": path.stat().st_size}


def _version(site: Path) -> str:
    """Twelve digits that change with any file of ``site``; the planner and its templates are in the bundle there."""
    files = sorted((path.relative_to(site).as_posix(), path) for path in site.rglob("*") if path.is_file())
    return combined_key(part for name, path in files for part in (name.encode(), path.read_bytes()))[:12]


def _one_package_lock(numpy_sha256: str) -> dict[str, Any]:
    """Pyodide's lock file cut down to the one package in use, with the hash of the repacked wheel."""
    lock = json.loads(pyodide_file("pyodide-lock.json").read_text(encoding="utf-8"))
    return {"info": lock["info"], "packages": {"numpy": {**lock["packages"]["numpy"], "sha256": numpy_sha256}}}
