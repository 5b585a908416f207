"""The one error a step raises when the user can do something about it."""

from __future__ import annotations


class BuildError(Exception):
    """What went wrong and the way out, in one line; build.py prints it and exits with status 2."""
