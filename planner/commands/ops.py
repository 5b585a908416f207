"""What the commands of the models share: their options, the plan they refer to, and printing a report.

Imports ops.inputs, ops.load, ops.report, scenario, tables and texts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from planner import tables
from planner.commands import common
from planner.ops import inputs as ops_inputs
from planner.ops.load import Load
from planner.ops.report import Report, Table, shown
from planner.scenario import Scenario
from planner.texts import Message, lookup

Answer = Callable[[Any, Load, Scenario], Report]
FromPlan = Callable[[Load], Mapping[str, object]]


def add(
    commands: argparse._SubParsersAction[common.Parser],
    name: str,
    inputs: type[Any],
    answer: Answer,
    from_plan: FromPlan = lambda _: {},
) -> common.Parser:
    """The command `name`: an option for each of `inputs`, answered by `answer`.

    With a scenario given, what `from_plan` takes from it replaces the example's values; options win over both.
    """
    parser = common.add_command(commands, name, lambda options: _run(options, inputs, answer, from_plan))
    parser.add_argument("--scenario", metavar="SCENARIO", help=lookup("en", "ops.cli.scenario"))
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help=lookup("en", "cli.set"))
    for one in ops_inputs.options(inputs):
        unit = f" [{lookup('en', f'ops.units.{one.unit}')}]" if one.unit else ""
        text = f"{lookup('en', f'ops.inputs.{one.name}')}{unit}; {one.allowed().text()} ({one.write(one.default)})"
        parser.add_argument(_flag(one.name), dest=f"in_{one.name}", metavar="VALUE", help=text.replace("%", "%%"))
    return parser


def without_scenario(answer: Callable[[Any, Load], Report]) -> Answer:
    """`answer`, for a model to which the plan's load is enough."""
    return lambda inputs, load, _: answer(inputs, load)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _run(options: argparse.Namespace, inputs: type[Any], answer: Answer, from_plan: FromPlan) -> str:
    given = options.scenario is not None or bool(options.set)
    scenario = common.read_scenario(_plan_options(options))
    load = Load.of(scenario)
    values: dict[str, object] = dict(from_plan(load)) if given else {}
    for one in ops_inputs.options(inputs):
        text = getattr(options, f"in_{one.name}")
        if text is not None:
            values[one.name] = text
    return text_of(answer(ops_inputs.build(inputs, values), load, scenario), options.format)


def _plan_options(options: argparse.Namespace) -> argparse.Namespace:
    return argparse.Namespace(scenario=options.scenario, set=options.set, design=[])


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
    body = tables.rows_text([heads, *([shown(cell) for cell in row.values()] for row in one.rows)], form)
    if not titled:
        return body
    title = lookup("en", f"ops.tables.{one.name}")
    return f"**{title}**\n\n{body}" if form == "markdown" else f"{title}\n{body}"
