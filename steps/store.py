"""The user's cache of files known by their SHA-256: a file is in it whole and right, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from steps.failure import BuildError
from steps.hashing import sha256_of
from steps.paths import cache_dir
from steps.report import note


def find(name: str, sha256: str) -> Path | None:
    """The stored file, or None. One whose bytes are not those of ``sha256`` is removed and said so."""
    path = _path(name, sha256)
    if not path.is_file():
        return None
    if sha256_of(path) == sha256:
        return path
    path.unlink()
    note(f"          the cached {name} did not match its hash and was removed")
    return None


def keep(source: Path, name: str, sha256: str) -> Path:
    """Copy ``source`` into the store and return its path there. Raises BuildError when its hash is another one."""
    check(source, sha256)
    path = _path(name, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The copy becomes visible under its name only when it is complete.
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".unfinished-")
    os.close(handle)
    try:
        shutil.copyfile(source, unfinished)
        os.replace(unfinished, path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise
    return path


def check(path: Path, sha256: str) -> None:
    """Raise BuildError unless the file exists and has this hash."""
    if not path.is_file():
        raise BuildError(f"{path} does not exist or is not a file")
    found = sha256_of(path)
    if found != sha256:
        raise BuildError(
            f"{path} is refused: its sha256 is {found[:12]}… and the pinned one {sha256[:12]}…; "
            f"it is truncated ({path.stat().st_size} bytes), altered or another version"
        )


def _path(name: str, sha256: str) -> Path:
    return cache_dir() / sha256[:16] / name
