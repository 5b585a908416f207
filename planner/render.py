"""The one Jinja2 environment, shared by the build and the tab: whole pages at build time, fragments in the tab.

Owns how templates reach texts and numbers; what is shown comes from report and charts. Imports charts, designs,
explain, fields, formats, forms, links, plan, policy, report, scenario and texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from planner import charts, designs, explain, fields, formats, forms, links, plan, policy, report
from planner.errors import PlannerError
from planner.scenario import Scenario
from planner.texts import LANGUAGES, TEMPLATES, Message, catalogue

POLICY = policy.written({**policy.SOURCES, **policy.TRUSTED_TYPES})
"""What the page may do, for hosts that send no header."""

ROOTS = {"en": "", "tr": "../"}
"""The way from the page of each language to the site's files."""


@cache
def environment() -> Environment:
    """The environment; every text goes through the catalogue and every value is escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    made.globals.update(text=_text, has_text=_has_text, formats=formats, METRICS=report.METRICS, MORE=report.MORE)
    made.filters.update(say=_say, number=_number, named=_named, percent=_percent, typed=_typed, meaning=report.meaning)
    return made


@pass_context
def _text(context: Context, key: str, **params: object) -> str:
    return Message.of(key, **params).text(context["language"])


@pass_context
def _has_text(context: Context, key: str) -> bool:
    return key in catalogue(context["language"])


@pass_context
def _say(context: Context, message: Message) -> str:
    return message.text(context["language"])


@pass_context
def _number(context: Context, value: float | None, decimals: int | None = None) -> str:
    return formats.number(value, context["language"], decimals)


@pass_context
def _named(context: Context, value: float | None, name: str) -> str:
    return formats.named(name, value, context["language"])


@pass_context
def _percent(context: Context, value: float | None, decimals: int | None = 1) -> str:
    return formats.share(value, context["language"], decimals)


@pass_context
def _typed(context: Context, value: float | int | str) -> str:
    return formats.typed(value, context["language"])


class View:
    """Fragments of the page in one language for one scenario, each from the part of the plan that it shows."""

    def __init__(self, scenario: Scenario, language: str) -> None:
        self.scenario = scenario
        self.language = language

    def fragment(self, name: str, **context: object) -> str:
        """The partial template `name`, rendered."""
        template = environment().get_template(f"parts/{name}.html")
        return template.render(language=self.language, scenario=self.scenario, **context)

    def chain(self) -> str:
        """The derived numbers with their formulas."""
        return self.fragment("chain", chain=report.chain(self.scenario))

    def warnings(self, warnings: Sequence[tuple[str, Message]]) -> str:
        """What to know before trusting the numbers."""
        return self.fragment("warnings", warnings=warnings)

    def row(self, row: Mapping[str, Any]) -> str:
        """One row of the designs table."""
        return self.fragment("row", row=row)

    def pending_row(self, design: str) -> str:
        """The row of a design that is still being computed."""
        return self.fragment("pending_row", design=design)

    def sizing(self, sizing: Mapping[str, Mapping[str, Any]]) -> str:
        """The answer."""
        return self.fragment("sizing", verdict=report.verdict(self.scenario, sizing))

    def story(self, rows: Sequence[Mapping[str, Any]]) -> str:
        """Why queries wait although slots are idle."""
        return self.fragment("story", story=report.story(self.scenario, rows))

    def why(self, diary: explain.Diary, row: Mapping[str, Any]) -> str:
        """The numbers of a design, its worst waits, the slots around the longest, and the tail."""
        return self.fragment("why", **_why(self.scenario, diary), row=row)

    def take(self) -> str:
        """The command line of the scenario, and the heads of the columns that name the threshold."""
        return self.fragment("take", command=report.command(self.scenario))

    def notices(self, left_out: Sequence[PlannerError]) -> str:
        """What of a link was left out, and why."""
        return self.fragment("notices", errors=left_out)

    def problems(self, errors: Sequence[PlannerError]) -> str:
        """All that is wrong with the form."""
        return self.fragment("problems", errors=errors)


def _why(scenario: Scenario, diary: explain.Diary) -> dict[str, Any]:
    """What the template ``why`` shows."""
    waits = explain.worst_waits(diary, 8)
    longest = waits[0] if waits else None
    return {
        "design": str(diary.design),
        "designs": [str(design) for design in scenario.designs],
        "waits": waits,
        "jam": charts.jam(diary, longest["arrival_s"], longest["start_s"]) if longest else None,
        "jam_text": report.jam(longest) if longest else None,
        "tail": charts.tail(explain.wait_tail(diary), scenario.delay_threshold_ms),
    }


def build_pages(out: Path, base_path: str, build: dict[str, Any]) -> None:
    """Write the page of each language into `out`, with the default plan computed.

    All addresses in the pages are relative, so the site works under any path; `base_path` is where it is meant to be.
    `build` holds the ``version`` of the site.
    """
    scenario = Scenario()
    parts = list(plan.steps(scenario))
    diary = explain.keep_diary(scenario.designs[0], scenario)
    for language in LANGUAGES:
        path = out / ("index.html" if language == "en" else f"{language}/index.html")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_page(scenario, parts, diary, language, base_path, str(build["version"])), encoding="utf-8")


def _page(
    scenario: Scenario,
    parts: Sequence[plan.Part],
    diary: explain.Diary,
    language: str,
    base_path: str,
    version: str,
) -> str:
    known = {kind: part for kind, part in parts if kind != "row"}
    rows = [part for kind, part in parts if kind == "row"]
    context = {
        "language": language,
        "other": next(other for other in LANGUAGES if other != language),
        "root": ROOTS[language],
        "base_path": base_path,
        "version": version,
        "policy": POLICY,
        "scenario": scenario,
        "groups": report.form(scenario),
        "values": forms.values(scenario, language),
        "fields": fields.FIELDS,
        "usages": [(kind, designs.usage(kind)) for kind in designs.KINDS],
        "examples": report.EXAMPLES,
        "link": links.write(scenario),
        "command": report.command(scenario),
        "chain": report.chain(scenario),
        "warnings": known["warnings"],
        "rows": rows,
        "verdict": report.verdict(scenario, known["sizing"]),
        "story": report.story(scenario, rows),
        **_why(scenario, diary),
        "row": rows[0],
    }
    return environment().get_template("page.html").render(context) + "\n"
