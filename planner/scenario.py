"""A scenario: a value for every input, and the designs to compare.

Owns building a scenario from names and values (JSON, command line, overrides) and checking it as a whole.
Imports designs, errors, fields, numbers and texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from planner import designs, fields, numbers
from planner.designs import Design
from planner.errors import PlannerError
from planner.fields import Inputs
from planner.texts import Message

DEFAULT_DESIGNS = tuple(
    designs.parse(text)
    for text in (
        "shared:2",
        "shared:4",
        "shared:8",
        "shared:2@report_share=0.25",
        "shared:4@report_share=0.25",
        "separate:2:2",
        "separate:4:2",
    )
)
MOST_DESIGNS = 64


@dataclass(frozen=True, slots=True)
class Scenario(Inputs):
    """Every input of the model, in its unit, and the designs to compare; the defaults are the source's plan."""

    designs: tuple[Design, ...] = DEFAULT_DESIGNS

    def with_values(self, values: Mapping[str, object]) -> Scenario:
        """This scenario with `values`, by field name or alias, checked; PlannerError if one is refused."""
        checked: dict[str, object] = {}
        for name, value in values.items():
            key = "designs" if name == "designs" else fields.find(name).name
            if key in checked:
                raise PlannerError(key, Message.of("errors.given_twice"), Message.of("errors.allowed_once"))
            checked[key] = parse_designs(value) if key == "designs" else fields.find(name).check(value)
        return replace(self, **checked)  # type: ignore[arg-type]

    def for_design(self, design: Design) -> Scenario:
        """This scenario as `design` sees it: with the design's overrides in place."""
        return replace(self, **dict(design.overrides)) if design.overrides else self  # type: ignore[arg-type]

    def document(self) -> dict[str, object]:
        """Every field by name, in the order of the model, designs as grammar strings."""
        row: dict[str, object] = {field.name: self.value(field.name) for field in fields.FIELDS}
        row["designs"] = [str(design) for design in self.designs]
        return row


def parse_designs(value: object) -> tuple[Design, ...]:
    """The designs of a list of grammar strings; PlannerError for a wrong, repeated or too long list."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping)):
        raise _refuse_list(Message.of("errors.designs_not_a_list"))
    texts = list(value)
    if not 1 <= len(texts) <= MOST_DESIGNS:
        raise _refuse_list(Message.of("errors.designs_count", count=len(texts)))
    found: dict[Design, None] = {}
    for text in texts:
        if not isinstance(text, str):
            raise _refuse_list(Message.of("errors.design_unknown", value=numbers.quote(text)))
        design = designs.parse(text)
        if design in found:
            raise _refuse_list(Message.of("errors.design_twice", value=str(design)))
        found[design] = None
    return tuple(found)


def from_document(document: object) -> Scenario:
    """The scenario of a JSON object: input names and values, or a whole plan, whose scenario is then taken.

    A newer ``version``, an unknown field or a refused value is a PlannerError.
    """
    if not isinstance(document, Mapping):
        raise PlannerError("scenario", Message.of("errors.not_an_object"), Message.of("errors.allowed_document"))
    version = document.get("version", 1)
    if isinstance(version, bool) or version != 1:
        raise PlannerError(
            "version",
            Message.of("errors.version", value=numbers.quote(version)),
            Message.of("errors.allowed_version"),
        )
    inner = document.get("scenario")
    values = inner if isinstance(inner, Mapping) else document
    return Scenario().with_values({str(name): value for name, value in values.items() if name != "version"})


def _refuse_list(problem: Message) -> PlannerError:
    return PlannerError("designs", problem, Message.of("errors.allowed_designs_list", most=MOST_DESIGNS))


def from_bytes(data: bytes, most: int) -> Scenario:
    """The scenario of a JSON document of at most `most` bytes in UTF-8; PlannerError if it is none."""
    if len(data) > most:
        problem = Message.of("errors.file_too_large", most=most)
        raise PlannerError("scenario", problem, Message.of("errors.allowed_document"))
    try:
        document = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        if isinstance(error, PlannerError):
            raise
        why = numbers.quote(str(error)) if isinstance(error, json.JSONDecodeError) else type(error).__name__
        raise PlannerError(
            "scenario", Message.of("errors.not_json", why=why), Message.of("errors.allowed_document")
        ) from None
    return from_document(document)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object whose names must not repeat."""
    row = dict(pairs)
    if len(row) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise PlannerError(numbers.quote(twice), Message.of("errors.given_twice"), Message.of("errors.allowed_once"))
    return row
