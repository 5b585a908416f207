"""The commands of ``python3 -m planner``: one module a command, each with ``add(commands)`` and a runner."""

from planner.commands import (
    audit,
    broker,
    explain,
    limits,
    link,
    plan,
    pool,
    recurring,
    scheduling,
    settings,
    shutdown,
    size,
    supervise,
    sweep,
)

_MODELS = (pool, limits, supervise, shutdown, recurring, scheduling, broker, audit, settings)

COMMANDS = (plan, size, sweep, explain, link, *_MODELS)
"""In the order in which ``--help`` lists them."""
