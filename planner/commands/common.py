"""What the commands share: reading a scenario, the options for it, the output formats.

Imports designs, errors, fields, links, numbers, scenario, tables and texts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from planner import designs, fields, links, numbers, tables
from planner import scenario as scenarios
from planner.errors import PlannerError
from planner.scenario import Scenario
from planner.texts import Message, lookup

LARGEST_FILE = 1 << 20
"""Bytes of a scenario document that are read."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints look like every other complaint of the planner."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        problem = Message.of("errors.command_line", message=" ".join(message.split()))
        raise PlannerError("command", problem, Message.of("errors.allowed_command", prog=self.prog))


def add_command(
    commands: argparse._SubParsersAction[Parser], name: str, run: Callable[[argparse.Namespace], str]
) -> Parser:
    """A new command `name` with a ``--format`` option, run by `run`, which returns what to print."""
    parser = commands.add_parser(name, help=lookup("en", f"cli.{name}"), formatter_class=_Formatter)
    parser.add_argument("--format", default="table", choices=tables.FORMATS, help=lookup("en", "cli.format"))
    parser.set_defaults(run=run)
    return parser


def add_scenario(parser: Parser) -> None:
    """The options that choose a scenario: SCENARIO, ``--set`` and ``--design``, and the tables behind them."""
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help=lookup("en", "cli.scenario"))
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help=lookup("en", "cli.set"))
    parser.add_argument("--design", action="append", default=[], metavar="DESIGN", help=lookup("en", "cli.design"))
    parser.epilog = _epilog()


def note(field: str, text: str) -> None:
    """A remark about `field` that is no result: one line on standard error."""
    print(f"planner: note: {field}: {text}", file=sys.stderr)


def as_json(document: Mapping[str, Any]) -> str:
    """`document` as JSON; a NaN in it is a defect and raises ValueError."""
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)


def read_scenario(options: argparse.Namespace) -> Scenario:
    """The scenario of the command line: the document or link, then ``--set``, then ``--design``."""
    scenario = _read(options.scenario)
    values: dict[str, object] = {}
    for setting in options.set:
        name, equals, text = setting.partition("=")
        if not equals:
            problem = Message.of("errors.not_a_setting", value=numbers.quote(setting))
            raise PlannerError("--set", problem, Message.of("errors.allowed_setting"))
        field = fields.BY_NAME.get(name.strip())
        key = field.name if field else name.strip()
        if key in values:
            raise PlannerError(key, Message.of("errors.given_twice"), Message.of("errors.allowed_once"))
        values[key] = text.split(",") if key == "designs" else fields.find(key).parse(text)
    if options.design:
        values["designs"] = options.design
    return scenario.with_values(values)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    pass


def _epilog() -> str:
    """The inputs and the design grammar, from the tables that define them."""
    rows = [
        f"  {field.name + (f' ({field.alias})' if field.alias else ''):28} "
        f"{field.write(field.default):>9}  {lookup('en', f'fields.{field.name}.label')}; {field.allowed().text()}"
        for field in fields.FIELDS
    ]
    kinds = [f"  {designs.usage(kind)}" for kind in designs.KINDS]
    text = "\n".join([lookup("en", "cli.inputs"), *rows, "", lookup("en", "cli.designs"), *kinds])
    return text.replace("%", "%%")


def _read(source: str | None) -> Scenario:
    if source is None:
        return Scenario()
    if source != "-" and ("#" in source or source.startswith("v=")):
        reading = links.read(source)
        for error in reading.left_out:
            raise error
        return reading.scenario
    try:
        data = sys.stdin.buffer.read(LARGEST_FILE + 1) if source == "-" else _bytes(Path(source))
    except OSError as error:
        problem = Message.of("errors.unreadable", name=numbers.quote(source), why=error.strerror or "")
        raise PlannerError("scenario", problem, Message.of("errors.allowed_scenario")) from None
    return scenarios.from_bytes(data, LARGEST_FILE)


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)
