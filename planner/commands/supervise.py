"""``planner supervise``: workers that crash: attempts, dead letters, back-off, and jobs that may be done twice."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "supervise")
