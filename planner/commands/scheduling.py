"""``planner scheduling``: cooperative, preemptive, stealing and global-queue scheduling on the plan's own load."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "scheduling")
