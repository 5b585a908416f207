"""``planner sweep``: inputs varied over many mornings; break-even values and what slots carry; a tornado."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from planner import VERSION, designs, edge, numbers, replicate, sweep, tables, target, tornado
from planner.commands import common, mornings
from planner.designs import Design
from planner.errors import PlannerError
from planner.scenario import Scenario
from planner.texts import Message, lookup

SEEDS = 100
METRIC = "wait_p99_ms"
DEFAULT_VARY = "report_share=0.25,0.5"
DEFAULT_RANGE = "report_share=0:1"
_SUMMARY = ("mean", "low", "high", "median", "range_low", "range_high")


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    parser = common.add_command(commands, "sweep", run)
    common.add_scenario(parser)
    mornings.add_options(parser, SEEDS)
    add_option = parser.add_argument
    add_option("--vary", action="append", default=[], metavar="FIELD=VALUES", help=_help("vary"))
    add_option("--metric", default=METRIC, metavar="METRIC", help=lookup("en", "cli.metric").format(default=METRIC))
    add_option("--break-even", default="", metavar="FIELD=LOW:HIGH", help=_help("break_even"))
    add_option("--carry", default="", metavar="SLOTS", help=_help("carry"))
    add_option("--tornado", default="", metavar="PERCENT", help=_help("tornado"))
    add_option("--target", default="delayed=0", metavar="TARGET", help=_help("target"))
    add_option("--share", default="0.95", metavar="SHARE", help=_help("share"))


def _help(name: str) -> str:
    return lookup("en", f"cli.{name}").replace("%", "%%")


def run(options: argparse.Namespace) -> str:
    """The answer, as text."""
    asks_edge = bool(options.break_even or options.carry)
    if asks_edge + bool(options.tornado) + bool(options.vary) > 1:
        raise PlannerError("command", Message.of("sweep.errors.two_modes"), Message.of("sweep.errors.allowed_one_mode"))
    if options.metric not in replicate.METRICS:
        problem = Message.of("sweep.errors.metric", value=numbers.quote(options.metric))
        raise PlannerError(
            "--metric", problem, Message.of("ops.errors.allowed_choice", names=", ".join(replicate.METRICS))
        )
    if asks_edge:
        return _edges(options)
    return _tornado(options) if options.tornado else _sweep(options)


def _scenario(options: argparse.Namespace) -> Scenario:
    """The scenario of the command line, its designs without those that differ from another by overrides alone."""
    scenario = common.read_scenario(options)
    plain = tuple(dict.fromkeys(design for design in scenario.designs if not design.overrides))
    return replace(scenario, designs=plain or scenario.designs)


def _sweep(options: argparse.Namespace) -> str:
    axes = [sweep.parse_axis(text) for text in options.vary or [DEFAULT_VARY]]
    if len(axes) > 2:
        raise PlannerError(
            "--vary",
            Message.of("sweep.errors.points", value=len(axes), most=2),
            Message.of("sweep.errors.allowed_axis"),
        )
    texts, options.design = options.design, []
    scenario = common.read_scenario(options) if texts else _scenario(options)
    subjects = sweep.parse_designs(texts or [str(design) for design in scenario.designs], axes)
    seeds, confidence = mornings.seeds_of(options), mornings.share_of("--confidence", options.confidence)
    found = sweep.run(scenario, subjects, axes, seeds, mornings.place_of(options), mornings.progress())
    document = sweep.document(subjects, axes, found, seeds, confidence)
    if options.format == "json":
        return common.as_json(document)
    if options.format == "csv":
        return tables.rows_text(_sweep_rows(document, replicate.METRICS, exact=True), "csv")
    title = lookup("en", "sweep.title").format(metric=options.metric, seeds=seeds, confidence=f"{confidence:.4g}")
    table = tables.rows_text(_sweep_rows(document, (options.metric,), exact=False), options.format)
    return "\n\n".join([title, table, *_difference_lines(document, options)])


def _sweep_rows(document: dict[str, Any], metrics: tuple[str, ...], exact: bool) -> list[list[str]]:
    names = [axis["field"] for axis in document["vary"]]
    words = ["design", *(["metric"] if exact else []), "first_seed", *_SUMMARY]
    rows = [[*names, *(words if exact else [lookup("en", f"sweep.heads.{word}") for word in words])]]
    for point in document["points"]:
        values = [_plain(point["values"][name]) for name in names]
        for row in point["designs"]:
            for metric in metrics:
                cells = [_cell(cell, exact) for cell in (row["first_seed"][metric], *_flat(row["metrics"][metric]))]
                rows.append([*values, row["design"], *([metric] if exact else []), *cells])
    return rows


def _flat(summary: dict[str, Any] | None) -> list[float | None]:
    if summary is None:
        return [None] * len(_SUMMARY)
    return [summary["mean"], *summary["mean_interval"], summary["median"], *summary["range95"]]


def _cell(value: float | None, exact: bool) -> str:
    if value is None:
        return "" if exact else "–"
    return str(value) if exact else f"{value:.5g}" if abs(value) < 1e5 else f"{value:.0f}"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else numbers.shortest(value)  # type: ignore[arg-type]


def _difference_lines(document: dict[str, Any], options: argparse.Namespace) -> list[str]:
    bullet = "- " if options.format == "markdown" else ""
    lines = []
    for point in document["points"]:
        values = ", ".join(f"{name}={_plain(value)}" for name, value in point["values"].items())
        for gap in point["differences"]:
            if gap["metric"] == options.metric:
                text = lookup("en", f"sweep.difference.{gap['says']}").format(
                    design=gap["design"],
                    against=gap["against"],
                    metric=gap["metric"],
                    values=values,
                    mean=_cell(gap["mean"], False),
                    low=_cell(gap["interval"][0], False),
                    high=_cell(gap["interval"][1], False),
                )
                lines.append(bullet + text)
    return ["\n".join(lines)] if lines else []


def _edges(options: argparse.Namespace) -> str:
    scenario = _scenario(options)
    if options.carry:
        scenario = replace(scenario, designs=_carriers(options.carry, scenario))
    name, low, high = edge.parse_range(options.break_even or DEFAULT_RANGE)
    goal, share = target.parse(options.target), mornings.share_of("--share", options.share)
    seeds, confidence = mornings.seeds_of(options), mornings.share_of("--confidence", options.confidence)
    place, told = mornings.place_of(options), mornings.progress()
    found = edge.break_even(scenario, name, low, high, goal, seeds, share, confidence, place, told)
    ladder = edge.ladder(name, low, high)
    known = {
        "version": VERSION,
        "target": {**goal.document(scenario.delay_threshold_ms), "share_of_mornings": share},
        "seeds": seeds,
        "confidence": confidence,
        "break_even": edge.break_even_document(found, name, ladder[-1]),
    }
    if options.format == "json":
        return common.as_json(known)
    if options.format == "csv":
        rows = [["design", name, "low", "high"]]
        rows += [[str(one.design), *map(_optional, (one.value, *one.interval))] for one in found]
        return tables.rows_text(rows, "csv")
    sentences = [edge.sentence(one, name, ladder, goal.message(scenario.delay_threshold_ms), share) for one in found]
    bullet = "- " if options.format == "markdown" else ""
    return "\n".join(bullet + one.text() for one in sentences)


def _optional(value: object) -> str:
    return "" if value is None else _plain(value)


def _carriers(text: str, scenario: Scenario) -> tuple[Design, ...]:
    """The ways to use so many slots in all: each design that has nothing but slots, and the separate one."""
    slots = mornings.count_of("--carry", text, designs.MOST_SERVERS)
    each, rest = divmod(slots, scenario.replicas)
    if rest or not each:
        problem = Message.of("sweep.errors.carry", value=slots, replicas=scenario.replicas)
        raise PlannerError("--carry", problem, Message.of("sweep.errors.allowed_carry"))
    texts = [f"shared:{each}", f"priority:{each}", f"separate:{each}:{scenario.search_workers}"]
    texts += [f"reserved:{each}:{each - 1}"] if each > 1 else []
    return tuple(designs.parse(one) for one in texts)


def _tornado(options: argparse.Namespace) -> str:
    percent = numbers.parse(options.tornado.strip().rstrip("%"))
    if percent is None or not 0 < percent < 100:
        problem = Message.of("sweep.errors.percent", value=numbers.quote(options.tornado))
        raise PlannerError("--tornado", problem, Message.of("sweep.errors.allowed_percent"))
    scenario = _scenario(options)
    design, change = scenario.designs[0], percent / 100
    seeds, confidence = mornings.seeds_of(options), mornings.share_of("--confidence", options.confidence)
    place, told = mornings.place_of(options), mornings.progress()
    base, bars = tornado.run(scenario, design, options.metric, change, seeds, confidence, place, told)
    document = tornado.document(design, options.metric, change, base, bars, seeds, confidence)
    if options.format == "json":
        return common.as_json(document)
    names = ("field", "low_value", "low_mean", "high_value", "high_mean", "swing")
    exact = options.format == "csv"
    rows = [["design", *names] if exact else [lookup("en", f"sweep.heads.{name}") for name in names]]
    for bar in bars:
        means = [None if end.summary is None else end.summary.mean for end in (bar.low, bar.high)]
        cells = [_plain(bar.low.value), _cell(means[0], exact), _plain(bar.high.value), _cell(means[1], exact)]
        rows.append([*([str(design)] if exact else []), bar.field, *cells, _cell(bar.swing, exact)])
    table = tables.rows_text(rows, options.format)
    if exact:
        return table
    title = lookup("en", "sweep.tornado").format(
        metric=options.metric,
        design=design,
        mean=_cell(base.mean if base else None, False),
        percent=f"{percent:g}%",
        seeds=seeds,
    )
    return f"{title}\n\n{table}"
