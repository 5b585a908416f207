"""``runtime.lock.json``: the hashes of every file of the browser's Python, before and after repacking."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from steps.failure import BuildError
from steps.paths import RUNTIME_LOCK

PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
STDLIB = "python_stdlib.zip"
NUMPY_WHEEL = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@dataclass(frozen=True, slots=True)
class RuntimeLock:
    """``pyodide``: file name to SHA-256 as npm delivers it; ``numpy``: SHA-256 of the wheel as published;
    ``repacked``: file name to SHA-256 of what the build makes of the two archives; ``recipe``: hash of how."""

    pyodide: dict[str, str]
    numpy: str
    repacked: dict[str, str]
    recipe: str


def read() -> RuntimeLock:
    """The lock as committed. Raises BuildError when it cannot be read."""
    try:
        return RuntimeLock(**json.loads(RUNTIME_LOCK.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise BuildError(f"{RUNTIME_LOCK.name} cannot be read ({error}); restore it from git") from error


def write(lock: RuntimeLock) -> None:
    """Write the lock; keys are sorted, so equal content gives equal bytes."""
    content = {"pyodide": lock.pyodide, "numpy": lock.numpy, "repacked": lock.repacked, "recipe": lock.recipe}
    RUNTIME_LOCK.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def pyodides_numpy_hash(pyodide_lock: Path) -> str:
    """SHA-256 of the NumPy wheel that Pyodide's own lock file names."""
    entry = json.loads(pyodide_lock.read_text(encoding="utf-8"))["packages"]["numpy"]
    if entry["file_name"] != NUMPY_WHEEL:
        raise BuildError(f"this Pyodide goes with {entry['file_name']}; change NUMPY_WHEEL and the carrier accordingly")
    return str(entry["sha256"])
