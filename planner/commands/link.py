"""``planner link``: a scenario as a share link, and a share link as a scenario."""

from __future__ import annotations

import argparse

from planner import VERSION, links, tables
from planner.commands import common
from planner.texts import lookup


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    parser = common.add_command(commands, "link", run)
    common.add_scenario(parser)
    parser.add_argument("--base", default="", metavar="URL", help=lookup("en", "cli.base"))


def run(options: argparse.Namespace) -> str:
    """The link of the options' scenario, as text."""
    scenario = common.read_scenario(options)
    link = f"{options.base}#{links.write(scenario)}"
    if options.format == "json":
        return common.as_json({"version": VERSION, "link": link, "scenario": scenario.document()})
    return link if options.format == "table" else tables.rows_text([["link"], [link]], options.format)
