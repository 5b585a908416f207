"""What the user sees while the build runs: one line a step, with the seconds it took."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def note(text: str) -> None:
    """Print one line on standard error at once."""
    print(text, file=sys.stderr, flush=True)


class Step:
    """A running step; ``detail`` is added to its closing line."""

    def __init__(self) -> None:
        self.detail = ""


@contextmanager
def step(name: str) -> Iterator[Step]:
    """Time the body and print ``seconds  name: detail`` when it ends without an error."""
    running = Step()
    start = time.monotonic()
    yield running
    seconds = time.monotonic() - start
    note(f"{seconds:6.1f} s  {name}" + (f": {running.detail}" if running.detail else ""))
