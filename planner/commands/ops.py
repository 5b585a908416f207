"""What the commands of the models share: their options, the plan they refer to, and printing a report.

Imports ops.inputs, ops.models, ops.report, tables and texts.
"""

from __future__ import annotations

import argparse

from planner import tables
from planner.commands import common
from planner.ops.inputs import options as options_of
from planner.ops.models import MODELS, Model
from planner.ops.report import Report, Table, shown
from planner.texts import Message, lookup

MOST_ROWS = 40
"""Rows of a table that a person is shown; JSON and CSV have all."""


def add(commands: argparse._SubParsersAction[common.Parser], name: str) -> common.Parser:
    """The command of the model `name`: an option for each of its inputs.

    With a scenario given, the plan's report job takes the place of the source's example; options win over both.
    """
    parser = common.add_command(commands, name, lambda options: _run(options, MODELS[name]))
    parser.add_argument("--scenario", metavar="SCENARIO", help=lookup("en", "ops.cli.scenario"))
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help=lookup("en", "cli.set"))
    for one in options_of(MODELS[name].inputs):
        unit = f" [{lookup('en', f'ops.units.{one.unit}')}]" if one.unit else ""
        text = f"{lookup('en', f'ops.inputs.{one.name}')}{unit}; {one.allowed().text()} ({one.write(one.default)})"
        parser.add_argument(_flag(one.name), dest=f"in_{one.name}", metavar="VALUE", help=text.replace("%", "%%"))
    return parser


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _run(options: argparse.Namespace, model: Model) -> str:
    use_plan = options.scenario is not None or bool(options.set)
    chosen = argparse.Namespace(scenario=options.scenario, set=options.set, design=[])
    values = {one.name: getattr(options, f"in_{one.name}") for one in options_of(model.inputs)}
    given = {name: value for name, value in values.items() if value is not None}
    return text_of(model.ask(given, common.read_scenario(chosen), use_plan), options.format)


def text_of(report: Report, form: str) -> str:
    """`report` as ``json``, ``csv`` (its main table, unrounded), ``table`` or ``markdown`` (all of it)."""
    if form == "json":
        return common.as_json(report.document())
    if form == "csv":
        main = report.tables[0]
        rows = [["" if cell is None else _exact(cell) for cell in row.values()] for row in main.rows]
        return tables.rows_text([list(main.columns), *rows], form)
    blocks = [_block(one, form, titled=len(report.tables) > 1) for one in report.tables if one.rows]
    bullet = "- " if form == "markdown" else ""
    sentences = [bullet + message.text() for _, message in report.answers]
    return "\n\n".join([*blocks, "\n".join(sentences)])


def _exact(cell: object) -> str:
    if isinstance(cell, Message):
        return cell.text()
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _block(one: Table, form: str, titled: bool) -> str:
    heads = [lookup("en", f"ops.columns.{name}") for name in one.columns]
    cells = [[shown(cell) for cell in row.values()] for row in one.rows[:MOST_ROWS]]
    body = tables.rows_text([heads, *cells], form)
    if len(one.rows) > MOST_ROWS:
        more = lookup("en", "ops.cli.more").format(count=len(one.rows) - MOST_ROWS)
        body = f"{body}\n{more}" if form == "table" else f"{body}\n\n{more}"
    if not titled:
        return body
    title = lookup("en", f"ops.tables.{one.name}")
    return f"**{title}**\n\n{body}" if form == "markdown" else f"{title}\n{body}"
