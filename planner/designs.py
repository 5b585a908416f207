"""The design grammar: ``kind:arg:arg@field=value;field=value`` and what each kind's arguments mean.

A design here is a name and checked arguments; how its jobs are queued, chosen and cut is declared in
`planner.engine`. Imports errors, fields, numbers and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner import fields, numbers
from planner.errors import PlannerError
from planner.fields import Field, Value
from planner.texts import Message

RULES = ("rr", "random", "jsq")
MOST_SERVERS = 10_000
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a design kind.

    Parameters
    ----------
    name
        Its name in the catalogue (``slots``, ``workers``, ``quantum_ms`` ...).
    field
        The check that its number must pass; None for a dispatch rule.
    default
        The value of an argument that may be left out; None if it must be given.
    """

    name: str
    field: Field | None
    default: float | None = None


def _whole(name: str, high: float = MOST_SERVERS) -> Argument:
    return Argument(name, Field("designs", 1, "", "model", "integer", low=1, high=high))


_QUANTUM = Argument("quantum_ms", Field("designs", 10, "ms", "model", low_open=True, high=1e9))
_SWITCH = Argument("switch_ms", Field("designs", 0, "ms", "model", high=1e9), default=0)

KINDS: dict[str, tuple[Argument, ...]] = {
    "shared": (_whole("slots"),),
    "separate": (_whole("slots"), _whole("workers")),
    "priority": (_whole("slots"),),
    "reserved": (_whole("slots"), _whole("report_slots")),
    "chunked": (_whole("slots"), _whole("chunk_records", 1e12)),
    "preemptive": (_whole("slots"), _QUANTUM, _SWITCH),
    "push": (_whole("slots"), Argument("rule", None)),
    "stealing": (_whole("slots"),),
    "gpm": (_whole("slots"), _QUANTUM),
}

OVERRIDABLE = tuple(
    field for field in fields.FIELDS if field.kind not in ("profile", "sizes") and not field.name.startswith("search_")
)


@dataclass(frozen=True, slots=True)
class Design:
    """A design with its arguments in the order of the grammar, and the inputs it overrides.

    `str(design)` is its canonical text: arguments in their shortest form, a trailing default left out,
    overrides under their field names in the order of the input table.
    """

    kind: str
    arguments: tuple[float | int | str, ...]
    overrides: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        given = list(self.arguments)
        spec = KINDS[self.kind]
        while given and spec[len(given) - 1].default is not None and given[-1] == spec[len(given) - 1].default:
            given.pop()
        texts = [value if isinstance(value, str) else numbers.shortest(value) for value in given]
        head = ":".join([self.kind, *texts])
        tail = ";".join(f"{name}={fields.find(name).write(value)}" for name, value in self.overrides)
        return f"{head}@{tail}" if tail else head

    def argument(self, name: str) -> float | int | str:
        """The argument called `name` in the kind's row of `KINDS`."""
        names = [argument.name for argument in KINDS[self.kind]]
        return self.arguments[names.index(name)]

    @property
    def slots(self) -> int:
        """Slots on the read path of one replica."""
        return int(self.arguments[0])

    @property
    def workers(self) -> int:
        """Workers of one replica's task queue; 0 where the reports run in the slots."""
        return int(self.arguments[1]) if self.kind == "separate" else 0


def usage(kind: str) -> str:
    """The grammar of `kind`, such as ``preemptive:SLOTS:QUANTUM_MS[:SWITCH_MS]``."""
    text = kind
    for argument in KINDS[kind]:
        name = "|".join(RULES) if argument.field is None else argument.name.upper()
        text += f":{name}" if argument.default is None else f"[:{name}]"
    return text


def parse(text: str) -> Design:
    """The design that `text` spells; PlannerError, naming the field ``designs``, if it spells none."""
    if len(text) > _LONGEST:
        raise _refuse(Message.of("errors.design_too_long", most=_LONGEST))
    head, at, tail = text.strip().partition("@")
    kind, *texts = head.split(":")
    spec = KINDS.get(kind)
    if spec is None:
        raise _refuse(Message.of("errors.design_unknown", value=numbers.quote(text)))
    required = sum(argument.default is None for argument in spec)
    if not required <= len(texts) <= len(spec):
        raise _refuse(Message.of("errors.design_arguments", value=numbers.quote(text), count=len(texts)), kind)
    arguments = tuple(
        _argument(argument, texts[index] if index < len(texts) else None, text, kind)
        for index, argument in enumerate(spec)
    )
    overrides = _overrides(tail, text) if at else ()
    return Design(kind, arguments, overrides)


def _argument(argument: Argument, text: str | None, whole: str, kind: str) -> float | int | str:
    if text is None:
        assert argument.default is not None
        return argument.default
    if argument.field is None:
        if text not in RULES:
            raise _refuse(Message.of("errors.design_rule", value=numbers.quote(text)), kind)
        return text
    try:
        value = argument.field.parse(text)
    except PlannerError as error:
        problem = Message.of(
            "errors.design_argument", value=numbers.quote(whole), name=argument.name, problem=error.problem
        )
        raise PlannerError("designs", problem, error.allowed) from None
    assert not isinstance(value, str)
    return value


def _overrides(tail: str, whole: str) -> tuple[tuple[str, Value], ...]:
    found: dict[str, Value] = {}
    for part in tail.split(";"):
        name, equals, text = part.partition("=")
        field = fields.BY_NAME.get(name.strip())
        if not equals or field is None or field not in OVERRIDABLE:
            raise _refuse(Message.of("errors.design_override", value=numbers.quote(part), whole=numbers.quote(whole)))
        if field.name in found:
            raise _refuse(Message.of("errors.design_override_twice", name=field.name, whole=numbers.quote(whole)))
        found[field.name] = field.parse(text)
    return tuple((field.name, found[field.name]) for field in OVERRIDABLE if field.name in found)


def _refuse(problem: Message, kind: str = "") -> PlannerError:
    known = usage(kind) if kind else ", ".join(usage(name) for name in KINDS)
    return PlannerError("designs", problem, Message.of("errors.allowed_designs", usage=known))


def most_records(design: Design, record_ms: float) -> float:
    """Records that a report runs before it goes back to a queue; infinite if it is never cut.

    A quantum of Q ms is max(1, round(Q / record_ms)) records (the model, "Designs").
    """
    if design.kind == "chunked":
        return float(design.argument("chunk_records"))
    if design.kind in ("preemptive", "gpm"):
        return max(1, numbers.half_up(float(design.argument("quantum_ms")) / record_ms))
    return math.inf
