"""The commands of ``python3 -m planner``: one module a command, each with ``add(commands)`` and a runner."""

from planner.commands import link, plan

COMMANDS = (plan, link)
"""In the order in which ``--help`` lists them."""
