"""The command line: ``python3 -m planner plan|link``. Results on standard output, everything else on standard error."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from planner import designs, fields, links, numbers, plan, tables
from planner import scenario as scenarios
from planner.errors import PlannerError
from planner.scenario import Scenario
from planner.texts import Message, lookup

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
_LARGEST_FILE = 1 << 20


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints look like every other complaint of the planner."""

    def error(self, message: str) -> NoReturn:
        problem = Message.of("errors.command_line", message=" ".join(message.split()))
        raise PlannerError("command", problem, Message.of("errors.allowed_command", prog=self.prog))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 2 bad input, 130 interrupted."""
    try:
        options = _parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], str] = options.run
        text = command(options)
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except PlannerError as error:
        print(f"planner: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="planner", description=lookup("en", "cli.planner"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    one = commands.add_parser("plan", help=lookup("en", "cli.plan"), epilog=_epilog(), formatter_class=_Formatter)
    _scenario_options(one)
    one.set_defaults(run=_plan)
    one = commands.add_parser("link", help=lookup("en", "cli.link"), epilog=_epilog(), formatter_class=_Formatter)
    _scenario_options(one)
    one.add_argument("--base", default="", metavar="URL", help=lookup("en", "cli.base"))
    one.set_defaults(run=_link)
    return parser


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
    return "\n".join([lookup("en", "cli.inputs"), *rows, "", lookup("en", "cli.designs"), *kinds])


def _scenario_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help=lookup("en", "cli.scenario"))
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help=lookup("en", "cli.set"))
    parser.add_argument("--design", action="append", default=[], metavar="DESIGN", help=lookup("en", "cli.design"))
    parser.add_argument("--format", default="table", choices=tables.FORMATS, help=lookup("en", "cli.format"))


def _plan(options: argparse.Namespace) -> str:
    document = plan.run(_scenario(options))
    for warning in document["warnings"]:
        print(f"planner: note: {warning['field']}: {warning['message']}", file=sys.stderr)
    if options.format == "json":
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return tables.plan_text(document, options.format)


def _link(options: argparse.Namespace) -> str:
    scenario = _scenario(options)
    link = f"{options.base}#{links.write(scenario)}"
    document: dict[str, Any] = {"version": 1, "link": link, "scenario": scenario.document()}
    if options.format == "json":
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    if options.format == "table":
        return link
    return tables.rows_text([["link"], [link]], options.format)


def _scenario(options: argparse.Namespace) -> Scenario:
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


def _read(source: str | None) -> Scenario:
    if source is None:
        return Scenario()
    if source != "-" and ("#" in source or source.startswith("v=")):
        reading = links.read(source)
        for error in reading.left_out:
            raise error
        return reading.scenario
    try:
        data = sys.stdin.buffer.read(_LARGEST_FILE + 1) if source == "-" else _bytes(Path(source))
    except OSError as error:
        problem = Message.of("errors.unreadable", name=numbers.quote(source), why=error.strerror or "")
        raise PlannerError("scenario", problem, Message.of("errors.allowed_scenario")) from None
    return scenarios.from_bytes(data, _LARGEST_FILE)


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_LARGEST_FILE + 1)
