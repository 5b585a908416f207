"""The commands of ``python3 -m planner``: one module a command, each with ``add(commands)`` and a runner."""

from planner.commands import explain, link, plan

COMMANDS = (plan, explain, link)
"""In the order in which ``--help`` lists them."""
