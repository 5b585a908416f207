"""``planner limits``: where more workers stop helping, which limit binds, and how many connections that takes."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import common, ops
from planner.errors import PlannerError
from planner.numbers import quote
from planner.ops import usl
from planner.texts import Message, lookup


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    parser = ops.add(commands, "limits")
    parser.add_argument("--measured-file", metavar="FILE", help=lookup("en", "ops.cli.measured_file"))
    answer = parser.get_default("run")
    parser.set_defaults(run=lambda options: answer(_with_file(options)))


def _with_file(options: argparse.Namespace) -> argparse.Namespace:
    """The options, with the measurements of the file among them."""
    if options.measured_file is not None:
        options.in_measured = usl.split(_text(options.measured_file)) or [""]
    return options


def _text(name: str) -> str:
    allowed = Message.of("ops.errors.allowed_file")
    try:
        with Path(name).open("rb") as file:
            data = file.read(common.LARGEST_FILE + 1)
        if len(data) > common.LARGEST_FILE:
            raise PlannerError("measured", Message.of("errors.file_too_large", most=common.LARGEST_FILE), allowed)
        return data.decode("utf-8")
    except OSError as error:
        problem = Message.of("errors.unreadable", name=quote(name), why=error.strerror or "")
        raise PlannerError("measured", problem, allowed) from None
    except UnicodeDecodeError:
        raise PlannerError("measured", Message.of("ops.errors.not_text", name=quote(name)), allowed) from None
