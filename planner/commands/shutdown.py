"""``planner shutdown``: jobs cut at a deploy, the smallest safe grace period, and nested timeouts."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "shutdown")
