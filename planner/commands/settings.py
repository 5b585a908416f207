"""``planner settings``: a sized pool as settings of Celery, Sidekiq, BullMQ, gunicorn and PgBouncer."""

from __future__ import annotations

import argparse

from planner.commands import common, ops


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    ops.add(commands, "settings")
