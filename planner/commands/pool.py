"""``planner pool``: a list of jobs on N workers, pulled, pushed in blocks, or prefetched."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "pool")
