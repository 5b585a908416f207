"""``planner size``: the smallest size of each design on many mornings, and the designs ranked by what that costs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from planner import designs as grammar
from planner import size, sized, tables, target, theory, verdict
from planner.commands import common, mornings
from planner.designs import Design
from planner.texts import lookup

SEEDS = 200
SCOPES = ("replica", "system")


def add(commands: argparse._SubParsersAction[common.Parser]) -> None:
    """Add the command."""
    parser = common.add_command(commands, "size", run)
    common.add_scenario(parser)
    for action in parser._actions:
        if action.dest == "design":
            action.help = lookup("en", "cli.size_design").format(designs=", ".join(sized.DEFAULTS))
    mornings.add_options(parser, SEEDS)
    parser.add_argument("--scope", default="replica", choices=SCOPES, help=lookup("en", "cli.scope"))
    parser.add_argument("--share", default="0.95", metavar="SHARE", help=lookup("en", "cli.share"))
    parser.add_argument("--target", default="delayed=0", metavar="TARGET", help=lookup("en", "cli.target"))
    parser.add_argument("--max", default="", metavar="SIZE", help=lookup("en", "cli.largest"))
    parser.add_argument("--slot-price", default="1", metavar="PRICE", help=lookup("en", "cli.slot_price"))
    parser.add_argument("--worker-price", default="1", metavar="PRICE", help=lookup("en", "cli.worker_price"))


def run(options: argparse.Namespace) -> str:
    """The answer, as text."""
    question = _question(options)
    prices = verdict.Prices(
        mornings.price_of("--slot-price", options.slot_price), mornings.price_of("--worker-price", options.worker_price)
    )
    size.check(question)
    found = size.run(question, mornings.seeds_of(options), mornings.place_of(options), mornings.progress())
    document = size.document(question, found)
    for design, known in zip(question.designs, document["designs"], strict=True):
        number = known["answer"]["size"]
        figures = [] if number is None else theory.of_design(design.at(number), question.scenario)
        known["theory"] = [one.document() for one in figures]
    document["verdict"] = verdict.document(_rank(question, document["designs"], prices), prices)
    if options.format == "json":
        return common.as_json(document)
    if options.format == "csv":
        return tables.rows_text(_size_rows(document, exact=True), "csv")
    return _text(document, options.format)


def _question(options: argparse.Namespace) -> size.Question:
    """What the command line asks; the scenario's own list of designs has no N and is not asked."""
    texts = options.design or list(sized.DEFAULTS)
    chosen = argparse.Namespace(scenario=options.scenario, set=options.set, design=[])
    scenario = common.read_scenario(chosen)
    return size.Question(
        scenario,
        sized.parse_all(texts),
        target.parse(options.target),
        mornings.count_of("--max", options.max, grammar.MOST_SERVERS) if options.max else scenario.search_max_slots,
        options.scope,
        mornings.share_of("--share", options.share),
        mornings.share_of("--confidence", options.confidence),
    )


def _rank(question: size.Question, found: Sequence[dict[str, Any]], prices: verdict.Prices) -> list[verdict.Bid]:
    """Designs whose size surely does, `undecided` being those of which a smaller size may do too."""
    pairs: list[tuple[Design | None, str]] = []
    for design, known in zip(question.designs, found, strict=True):
        answer = known["answer"]
        sure = any(row["size"] == answer["size"] and row["interval"][0] >= question.share for row in known["sizes"])
        pairs.append((design.at(answer["size"]) if sure else None, answer["verdict"]))
    return verdict.rank(question.scenario, pairs, question.target.about_reports, prices)


def _size_rows(document: dict[str, Any], exact: bool) -> list[list[str]]:
    names = ("design", "size", "met", "of", "share", "low", "high")
    heads = list(names) if exact else [lookup("en", f"size.heads.{name}") for name in names if name != "of"]
    rows = [heads]
    for design in document["designs"]:
        for row in design["sizes"]:
            low, high = row["interval"]
            shares = (row["met"] / row["of"], low, high)
            if exact:
                rows.append([design["design"], str(row["size"]), str(row["met"]), str(row["of"]), *map(str, shares)])
            else:
                cells = [f"{share:.1%}" for share in shares]
                rows.append([design["design"], str(row["size"]), f"{row['met']}/{row['of']}", *cells])
    return rows


def _text(document: dict[str, Any], form: str) -> str:
    title = lookup("en", "size.title").format(
        target=document["target"]["text"],
        share=f"{document['target']['share_of_mornings']:.4g}",
        scope=lookup("en", f"size.scope.{document['scope']}"),
        seeds=document["seeds"],
        confidence=f"{document['confidence']:.4g}",
    )
    bullet = "- " if form == "markdown" else ""
    answers = [
        f"{bullet}{design['design']}: {lookup('en', 'size.verdicts.' + design['answer']['verdict'])}. "
        + design["answer"]["reason"]
        for design in document["designs"]
    ]
    parts = [title, tables.rows_text(_size_rows(document, exact=False), form), "\n".join(answers)]
    ranking = document["verdict"]["ranking"]
    if ranking:
        names = ("design", "slots_total", "workers_total", "cost", "verdict")
        heads = [lookup("en", f"size.heads.{name}") for name in names]
        cells = [
            [*(str(bid[name]) for name in names[:-1]), lookup("en", f"size.verdicts.{bid['verdict']}")]
            for bid in ranking
        ]
        parts.append(tables.rows_text([heads, *cells], form))
    return "\n\n".join([*parts, document["verdict"]["sentence"]])
