"""The standard library and NumPy as the tab gets them: fewer files, compiled, and pinned by hash.

Python starts in less than half the time when it does not have to compile its own library first.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from steps import numpy_wheel, runtime_lock, selection, store
from steps.failure import BuildError
from steps.hashing import combined_key, sha256_of
from steps.node_env import node_program
from steps.paths import NODE_MODULES, ROOT
from steps.run import quietly
from steps.runtime_lock import NUMPY_WHEEL, STDLIB, RuntimeLock

_RECIPE = ("selection.py", "in_pyodide.py", "repack.mjs")


def recipe_key() -> str:
    """Hash of the files that decide what repacking yields; git may have changed their line ends."""
    sources = ((ROOT / "steps" / name).read_bytes().replace(b"\r\n", b"\n") for name in _RECIPE)
    return combined_key(sources)


def pyodide_file(name: str) -> Path:
    """Path of one of Pyodide's own files, as npm installed it."""
    return NODE_MODULES / "pyodide" / name


def obtain(lock: RuntimeLock, numpy_given: Path | None) -> dict[str, Path]:
    """The two archives by name, from the store or made anew.

    Raises BuildError when one cannot be had, or does not come out as pinned.
    """
    if lock.recipe != recipe_key():
        raise BuildError("the way of repacking changed; python3 build.py relock pins its new result")
    for name, sha256 in lock.pyodide.items():
        store.check(pyodide_file(name), sha256)
    if numpy_given is not None:
        numpy_wheel.obtain(lock.numpy, numpy_given)
    stored = {name: store.find(name, sha256) for name, sha256 in lock.repacked.items()}
    found = {name: path for name, path in stored.items() if path is not None}
    if len(found) == len(stored):
        return found
    with tempfile.TemporaryDirectory(prefix="yuva-repack-") as folder:
        made = repack(Path(folder), numpy_wheel.obtain(lock.numpy, numpy_given))
        return {name: store.keep(path, name, lock.repacked[name]) for name, path in made.items()}


def relock(numpy_given: Path | None) -> None:
    """Write runtime.lock.json anew from what npm installed and what Pyodide's own lock names."""
    pyodide = {name: sha256_of(pyodide_file(name)) for name in runtime_lock.PYODIDE_FILES}
    numpy = runtime_lock.pyodides_numpy_hash(pyodide_file("pyodide-lock.json"))
    with tempfile.TemporaryDirectory(prefix="yuva-repack-") as folder:
        made = repack(Path(folder), numpy_wheel.obtain(numpy, numpy_given))
        repacked = {name: sha256_of(path) for name, path in made.items()}
        for name, path in made.items():
            store.keep(path, name, repacked[name])
    runtime_lock.write(RuntimeLock(pyodide=pyodide, numpy=numpy, repacked=repacked, recipe=recipe_key()))


def repack(folder: Path, numpy: Path) -> dict[str, Path]:
    """Select and compile both archives into ``folder``."""
    wanted: dict[str, tuple[Path, Callable[[str], bool]]] = {
        STDLIB: (pyodide_file(STDLIB), selection.in_stdlib),
        NUMPY_WHEEL: (numpy, selection.in_numpy),
    }
    pairs = []
    for name, (source, keep) in wanted.items():
        pairs.append((folder / f"sources-{name}", folder / name))
        _select(source, keep, pairs[-1][0])
    compile_archives(pairs)
    return {name: folder / name for name in wanted}


def compile_archives(pairs: list[tuple[Path, Path]]) -> None:
    """Turn each first zip of sources into the second, of bytecode, in one Pyodide under Node."""
    quietly([node_program(), ROOT / "steps/repack.mjs", *(path for pair in pairs for path in pair)], what="repacking")


def _select(source: Path, keep: Callable[[str], bool], target: Path) -> None:
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w") as out:
        for name in filter(keep, archive.namelist()):
            out.writestr(name, archive.read(name))
