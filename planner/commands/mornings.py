"""What ``size`` and ``sweep`` share: seeds, confidence, places to work, progress. Imports errors, parallel, texts."""

from __future__ import annotations

import argparse
import sys
import time

from planner import numbers, parallel, replicate
from planner.commands import common
from planner.errors import PlannerError
from planner.texts import Message, lookup


def add_options(parser: common.Parser, seeds: int) -> None:
    """The options about mornings and where they are simulated."""
    help_seeds = lookup("en", "cli.seeds").format(default=seeds)
    parser.add_argument("--seeds", default=str(seeds), metavar="N", help=help_seeds)
    parser.add_argument("--confidence", default="0.95", metavar="C", help=lookup("en", "cli.confidence"))
    parser.add_argument("--jobs", default="1", metavar="J", help=lookup("en", "cli.jobs"))
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=lookup("en", "cli.scheduler"))


def seeds_of(options: argparse.Namespace) -> int:
    """The number of mornings."""
    return count_of("--seeds", options.seeds, replicate.MOST_SEEDS)


def count_of(name: str, text: str, most: int) -> int:
    """The whole number from 1 to `most` that the option `name` gives; PlannerError if it gives none."""
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= most:
        problem = Message.of("errors.out_of_range", value=numbers.quote(text))
        raise PlannerError(name, problem, Message.of("errors.allowed_count", most=most))
    return int(text)


def share_of(name: str, text: str) -> float:
    """The share strictly between 0 and 1 that the option `name` gives; PlannerError if it gives none."""
    value = numbers.parse(text)
    if value is None or not 0 < value < 1:
        problem = Message.of("size.errors.share", value=numbers.quote(text))
        raise PlannerError(name, problem, Message.of("size.errors.allowed_share"))
    return float(value)


def price_of(name: str, text: str) -> float:
    """The price that the option `name` gives; PlannerError if it gives none."""
    value = numbers.parse(text)
    if value is None or not 0 <= value <= 1e12:
        problem = Message.of("size.errors.price", value=numbers.quote(text))
        raise PlannerError(name, problem, Message.of("size.errors.allowed_price"))
    return value


def place_of(options: argparse.Namespace) -> parallel.Place:
    """Where the mornings are simulated."""
    jobs = parallel.parse_jobs(options.jobs)
    if options.scheduler and jobs > 1:
        raise PlannerError(
            "--scheduler", Message.of("size.errors.two_places"), Message.of("size.errors.allowed_one_place")
        )
    return parallel.Place(jobs, options.scheduler)


def progress() -> parallel.Told | None:
    """Tells a person at a terminal how far the work is and how long it will take; None if nobody looks."""
    if not sys.stderr.isatty():
        return None
    start, last = time.monotonic(), 0.0

    def told(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < 0.5 and done < total:
            return
        last = now
        seconds = f"{(now - start) / done * (total - done):.0f}"
        text = lookup("en", "size.note.left").format(done=done, total=total, seconds=seconds)
        print(f"\r\x1b[K{text}" if done < total else "\r\x1b[K", end="", file=sys.stderr, flush=True)

    return told
