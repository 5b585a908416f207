"""Share links: a scenario as the fragment of a URL, and back.

``#v=1&k3=0.25&designs=shared:2,separate:2:2``: the version first, then the inputs that differ from their defaults
in the order of the input table, under their link names. The same scenario always gives the same text. Reading is
forgiving, because a link is somebody else's text: what can be used is used, the rest is named.
Imports errors, fields, numbers, scenario and texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

from planner import VERSION, fields, numbers
from planner.errors import PlannerError
from planner.scenario import DEFAULT_DESIGNS, Scenario
from planner.texts import Message

LONGEST = 16_384
"""Characters of a fragment that are read; nothing that the planner writes is longer."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A scenario out of a link, and what of the link was left out: one error a part."""

    scenario: Scenario
    left_out: tuple[PlannerError, ...]


def write(scenario: Scenario) -> str:
    """The fragment of `scenario`, without the ``#``."""
    parts = [f"v={VERSION}"]
    for field in fields.FIELDS:
        value = scenario.value(field.name)
        if value != field.default:
            parts.append(f"{field.link_name}={field.write(value)}")
    if scenario.designs != DEFAULT_DESIGNS:
        parts.append("designs=" + ",".join(str(design) for design in scenario.designs))
    return "&".join(parts)


def read(link: str) -> Reading:
    """The scenario of a link or fragment. Never raises: what cannot be used is in `left_out`."""
    fragment = link.partition("#")[2] if "#" in link else link
    if len(fragment) > LONGEST:
        problem = Message.of("errors.link_too_long", count=len(fragment))
        return Reading(Scenario(), (_error("link", problem, Message.of("errors.allowed_link_length", most=LONGEST)),))
    left_out: list[PlannerError] = []
    values: dict[str, str] = {}
    for part in fragment.split("&"):
        if not part:
            continue
        name, equals, text = (unquote(piece) for piece in part.partition("="))
        known = name in ("v", "designs") or name in fields.BY_NAME
        key = fields.BY_NAME[name].name if name in fields.BY_NAME else name
        if not equals or not known:
            left_out.append(_error(numbers.quote(name), Message.of("errors.unknown_field"), _known()))
        elif key in values:
            left_out.append(_error(key, Message.of("errors.given_twice"), Message.of("errors.allowed_once")))
        else:
            values[key] = text
    left_out.extend(_version(values))
    scenario = Scenario()
    for key, text in values.items():
        try:
            scenario = _with(scenario, key, text)
        except PlannerError as error:
            left_out.append(error)
    return Reading(scenario, tuple(left_out))


def _version(values: dict[str, str]) -> list[PlannerError]:
    version = values.pop("v", str(VERSION))
    if version == str(VERSION):
        return []
    return [
        _error(
            "v",
            Message.of("errors.version", value=numbers.quote(version)),
            Message.of("errors.allowed_version"),
        )
    ]


def _with(scenario: Scenario, key: str, text: str) -> Scenario:
    if key == "designs":
        return scenario.with_values({"designs": text.split(",")})
    return scenario.with_values({key: fields.find(key).parse(text)})


def _known() -> Message:
    return Message.of("errors.allowed_fields", names=", ".join(field.link_name for field in fields.FIELDS))


def _error(field: str, problem: Message, allowed: Message) -> PlannerError:
    return PlannerError(field, problem, allowed)
