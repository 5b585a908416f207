"""``planner plan``: the derived numbers, a row a design, and the smallest sizes."""

from __future__ import annotations

import argparse

from planner import cost, plan, tables
from planner.commands import common


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    common.add_scenario(common.add_command(commands, "plan", run))


def run(options: argparse.Namespace) -> str:
    """The plan of the options' scenario, as text."""
    scenario = common.read_scenario(options)
    cost.check(scenario)
    document = plan.run(scenario)
    for warning in document["warnings"]:
        common.note(warning["field"], warning["message"])
    return common.as_json(document) if options.format == "json" else tables.plan_text(document, options.format)
