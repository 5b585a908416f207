"""What a person types into the form, read in the number format of the page's language.

``0,5`` and ``0.5``, ``50 %``, ``1.2 ms``, ``400k`` and ``400.000`` are all understood. A text that two readers would
read as two numbers is refused and never guessed. Imports errors, fields, formats, links, numbers, scenario and texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from planner import fields, formats, numbers, scenario
from planner.errors import PlannerError
from planner.fields import Field, Value
from planner.scenario import Scenario
from planner.texts import Message

_NUMBER = re.compile(r"(?P<number>[+-]?[\d.,]*\d(?:[.,](?!\d))?(?:[eE][+-]?\d{1,3})?)(?P<rest>.*)", re.ASCII)
_SPACES = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f'_](?=\d{3}(?!\d))", re.ASCII)
_GROUPS = {sign: re.compile(rf"\d{{1,3}}(?:{re.escape(sign)}\d{{3}})+") for sign in ".,"}
_LONGEST = 80

_MULTIPLES = {"k": 1_000, "bin": 1_000, "m": 1_000_000, "mn": 1_000_000, "milyon": 1_000_000, "million": 1_000_000}
_UNITS: dict[str, dict[str, Fraction]] = {
    "ms": {"ms": Fraction(1), "s": Fraction(1000), "sn": Fraction(1000)}
    | dict.fromkeys(("µs", "us"), Fraction(1, 1000)),
    "min": {"min": Fraction(1), "dk": Fraction(1), "h": Fraction(60), "sa": Fraction(60), "s": Fraction(1, 60)}
    | {"sn": Fraction(1, 60)},
    "days": dict.fromkeys(("d", "day", "days", "g", "gün"), Fraction(1)),
    "per_day": dict.fromkeys(("/d", "/day", "/gün", "1/day", "1/gün"), Fraction(1)),
    "per_s": dict.fromkeys(("/s", "1/s", "/sn", "1/sn", "rps", "req/s", "istek/s"), Fraction(1))
    | dict.fromkeys(("/min", "/dk"), Fraction(1, 60)),
    "sellers": dict.fromkeys(("seller", "sellers", "satıcı"), Fraction(1)),
    "replicas": dict.fromkeys(("replica", "replicas", "kopya"), Fraction(1)),
    "records": dict.fromkeys(("record", "records", "kayıt"), Fraction(1)),
    "slots": dict.fromkeys(("slot", "slots", "yuva"), Fraction(1)),
    "workers": dict.fromkeys(("worker", "workers", "işçi"), Fraction(1)),
    "share": {"%": Fraction(1, 100)},
}
_UNITS["ms_per_record"] = _UNITS["ms"] | {f"ms/{record}": Fraction(1) for record in ("record", "kayıt")}
_WORDS_FOR_AUTO = frozenset({"auto", "otomatik"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A filled-in form: the scenario it spells, or what is wrong with it, one error a field."""

    scenario: Scenario
    errors: tuple[PlannerError, ...]


def read(inputs: Mapping[str, str], designs: str, language: str) -> Reading:
    """The scenario that the texts of a form spell. Every field is looked at, so all errors come at once.

    A field that is left out keeps its default; `designs` holds one design a line.
    """
    values: dict[str, object] = {}
    errors: list[PlannerError] = []
    for name, text in inputs.items():
        try:
            values[fields.find(name).name] = read_value(fields.find(name), text, language)
        except PlannerError as error:
            errors.append(error)
    try:
        lines = [line.strip() for line in re.split(r"[\n,]", designs)]
        values["designs"] = [str(design) for design in scenario.parse_designs([line for line in lines if line])]
    except PlannerError as error:
        # An override inside a design is at fault under its own name; in the form it is the list that is wrong.
        errors.append(PlannerError("designs", error.problem, error.allowed))
    return Reading(Scenario() if errors else Scenario().with_values(values), tuple(errors))


def read_value(field: Field, text: str, language: str) -> Value:
    """The value of `field` that `text` spells in `language`; PlannerError if it spells none, or two."""
    text = text.strip().replace("−", "-")
    if not text:
        raise field.refuse(Message.of("errors.empty"))
    if field.kind in ("profile", "sizes"):
        return field.parse(text)
    if field.kind == "auto" and text.lower() in _WORDS_FOR_AUTO:
        return fields.AUTO
    found = _NUMBER.fullmatch(_SPACES.sub("", text.removeprefix("%")))
    if len(text) > _LONGEST or not found:
        raise field.refuse(Message.of("errors.not_a_number", value=numbers.quote(text)))
    rest = found["rest"] + ("%" if text.startswith("%") else "")
    value = _plain(field, found["number"], language) * _factor(field, rest)
    return field.check(_exact(field, value))


def _plain(field: Field, text: str, language: str) -> Fraction:
    """The number that `text` writes with decimal and group signs."""
    mantissa, e, exponent = text.lower().partition("e")
    sign, digits = (mantissa[0], mantissa[1:]) if mantissa[0] in "+-" else ("", mantissa)
    whole, fraction = _split(field, digits, language)
    try:
        return Fraction(f"{sign}{whole or '0'}.{fraction or '0'}{e}{exponent}")
    except ValueError:
        raise field.refuse(Message.of("errors.not_a_number", value=numbers.quote(text))) from None


def _split(field: Field, digits: str, language: str) -> tuple[str, str]:
    """The digits before and after the decimal sign, group signs taken out."""
    used = [sign for sign in ".," if sign in digits]
    if not used:
        return digits, ""
    if len(used) == 2:
        decimal = max(used, key=digits.rfind)
        whole, _, fraction = digits.rpartition(decimal)
        group = "," if decimal == "." else "."
        return (whole.replace(group, ""), fraction) if _GROUPS[group].fullmatch(whole) else (digits, "")
    (sign,) = used
    grouped = _GROUPS[sign].fullmatch(digits) and not digits.startswith("0")
    if digits.count(sign) > 1:
        return (digits.replace(sign, "") if grouped else digits), ""
    whole, _, fraction = digits.partition(sign)
    if not grouped or sign == formats.SIGNS[language].decimal:
        return whole, fraction
    # One group sign before three digits: a whole number only where a fraction would make no sense.
    if field.kind == "number" and fraction != "000":
        raise field.refuse(
            Message.of(
                "errors.ambiguous",
                value=numbers.quote(digits),
                one=whole + fraction,
                other=f"{whole}{formats.SIGNS[language].decimal}{fraction}",
            )
        )
    return whole + fraction, ""


def _factor(field: Field, rest: str) -> Fraction:
    """What the multiple and the unit behind a number multiply it with."""
    rest = "".join(rest.split())
    units = _UNITS.get(field.unit, {})
    for multiple, unit in ((rest, ""), ("", rest), *((rest[:cut], rest[cut:]) for cut in range(1, len(rest)))):
        known = not multiple or (multiple.lower() in _MULTIPLES and multiple != "m")
        if known and (not unit or unit in units or unit.lower() in units):
            scale = _MULTIPLES.get(multiple.lower(), 1)
            return scale * (units[unit if unit in units else unit.lower()] if unit else Fraction(1))
    raise field.refuse(Message.of("errors.unit", value=numbers.quote(rest)))


def _exact(field: Field, value: Fraction) -> float | int:
    if value.denominator == 1 and abs(value) <= 2**64:
        return value.numerator
    try:
        return float(value)
    except OverflowError:
        raise field.refuse(Message.of("errors.not_finite")) from None


def values(shown: Scenario, language: str) -> dict[str, str]:
    """The texts of a form that is filled in with `shown`, by field name, designs one a line."""
    texts = {field.name: formats.typed(shown.value(field.name), language) for field in fields.FIELDS}
    return {**texts, "designs": "\n".join(str(design) for design in shown.designs)}
