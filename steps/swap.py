"""Put a finished folder in the place of an older one, so that a reader, or a kill, sees the one or the other whole.

The new folder is assembled beside its place. On Linux one system call exchanges the two names; elsewhere the old folder
is renamed away first, and ``recover`` undoes that half step when the process died right after it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from pathlib import Path

from steps.failure import BuildError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_MARK = Path("runtime/manifest.json")


def recover(out: Path) -> None:
    """Undo what a killed build left beside ``out``. Raises BuildError when ``out`` is not a folder of ours."""
    old = _beside(out, "old")
    if old.exists() and not out.exists():
        old.rename(out)
    for left in (old, _beside(out, "new")):
        if left.exists():
            shutil.rmtree(left)
    if out.exists() and not (out.is_dir() and ((out / _MARK).exists() or not any(out.iterdir()))):
        raise BuildError(f"{out} exists and is not a built site; it is left alone: choose another --out")


def staging(out: Path) -> Path:
    """A new empty folder beside ``out``, on the same file system."""
    folder = _beside(out, "new")
    folder.mkdir(parents=True)
    return folder


def into_place(new: Path, out: Path) -> None:
    """Make ``new`` the folder ``out`` and remove what was there."""
    if not out.exists():
        new.rename(out)
    elif exchange(new, out):
        shutil.rmtree(new)
    else:
        old = _beside(out, "old")
        out.rename(old)
        new.rename(out)
        shutil.rmtree(old)


def exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step; False where the system or the file system cannot."""
    if sys.platform != "linux":
        return False
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    result: int = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return result == 0


def _beside(out: Path, what: str) -> Path:
    return out.with_name(f".{out.name}.{what}")
