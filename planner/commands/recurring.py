"""``planner recurring``: cron schedules over a month: overlaps under three policies, with time zones."""

from __future__ import annotations

import argparse

from planner.commands import common, ops
from planner.ops import recurring


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "recurring", recurring.Inputs, ops.without_scenario(recurring.report), recurring.from_plan)
