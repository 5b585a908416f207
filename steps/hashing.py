"""SHA-256 of files and of groups of files."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path


def sha256_of(path: Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def combined_key(parts: Iterable[bytes]) -> str:
    """One hexadecimal SHA-256 for a sequence of byte strings; their borders count."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def csp_source(text: str) -> str:
    """The Content-Security-Policy source that allows one inline script with exactly this text."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
