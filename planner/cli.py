"""The command line ``python3 -m planner``: results on standard output, everything else on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from planner.commands import COMMANDS
from planner.commands.common import Parser
from planner.errors import PlannerError
from planner.texts import lookup

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 2 bad input, 130 interrupted."""
    try:
        options = _parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], str] = options.run
        text = run(options)
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except PlannerError as error:
        print(f"planner: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; without this the interpreter complains when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _parser() -> Parser:
    parser = Parser(prog="planner", description=lookup("en", "cli.planner"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        command.add(commands)
    return parser
