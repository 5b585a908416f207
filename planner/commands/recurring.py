"""``planner recurring``: cron schedules over a month: overlaps under three policies, with time zones."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "recurring")
