"""``planner limits``: where more workers stop helping, which limit binds, and how many connections that takes."""

from __future__ import annotations

import argparse

from planner.commands import common, ops
from planner.ops import limits


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "limits", limits.Inputs, ops.without_scenario(limits.report), limits.from_plan)
