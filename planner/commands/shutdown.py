"""``planner shutdown``: jobs cut at a deploy, the smallest safe grace period, and nested timeouts."""

from __future__ import annotations

import argparse

from planner.commands import common, ops
from planner.ops import shutdown


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "shutdown", shutdown.Inputs, ops.without_scenario(shutdown.report), shutdown.from_plan)
