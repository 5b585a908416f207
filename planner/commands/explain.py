"""``planner explain``: the worst waits of a design and the reports that caused them, and the window by the minute."""

from __future__ import annotations

import argparse

from planner import VERSION, explain, tables
from planner.commands import common
from planner.errors import PlannerError
from planner.numbers import quote
from planner.texts import Message, lookup

_MOST = 1000


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    parser = common.add_command(commands, "explain", run)
    common.add_scenario(parser)
    parser.add_argument("--worst", default="10", metavar="COUNT", help=lookup("en", "cli.worst"))


def run(options: argparse.Namespace) -> str:
    """The worst waits of the scenario's first design, as text; JSON adds the minutes of the window."""
    scenario = common.read_scenario(options)
    diary = explain.keep_diary(scenario.designs[0], scenario)
    worst = explain.worst_waits(diary, _count(options.worst))
    if options.format == "json":
        return common.as_json(
            {
                "version": VERSION,
                "design": str(diary.design),
                "worst_waits": worst,
                "wait_tail": [{"wait_ms": wait, "share": share} for wait, share in explain.wait_tail(diary)],
                "minutes": explain.by_minute(diary),
            }
        )
    heads = [lookup("en", f"explain.{name}") for name in ("arrival_s", "wait_ms", "queries_ahead", "holders")]
    rows = [
        [f"{wait['arrival_s']:.3f}", f"{wait['wait_ms']:.1f}", str(wait["queries_ahead"]), _holders(wait)]
        for wait in worst
    ]
    table = tables.rows_text([heads, *rows], options.format)
    if options.format == "csv":
        return table
    return "\n".join([lookup("en", "explain.title").format(design=diary.design), "", table])


def _holders(wait: dict[str, object]) -> str:
    holders = wait["holders"]
    assert isinstance(holders, list)
    text = lookup("en", "explain.holder")
    # People count from one.
    shown = ({**holder, "report": holder["report"] + 1, "slot": holder["slot"] + 1} for holder in holders)
    return "; ".join(text.format(**holder) for holder in shown)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST:
        problem = Message.of("errors.out_of_range", value=quote(text))
        raise PlannerError("--worst", problem, Message.of("errors.allowed_count", most=_MOST))
    return int(text)
