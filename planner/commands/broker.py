"""``planner broker``: what the queue itself costs, and what a crash of it loses."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "broker")
