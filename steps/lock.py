"""One build at a time in a checkout: a second one waits for the first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from steps.paths import ROOT
from steps.report import note


@contextmanager
def only_build() -> Iterator[None]:
    """Hold the checkout's lock; the system drops it when the process dies, however it dies."""
    if sys.platform == "win32":  # fcntl does not exist there; two builds at once are the user's affair
        yield
        return
    import fcntl

    with (ROOT / ".build.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            note("another build of this checkout is running; waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
