"""The options of the models: one row holds all that is known of an option, as in the table of the plan's inputs.

Imports errors, fields, numbers, shapes and texts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from planner import numbers, shapes
from planner.errors import PlannerError
from planner.fields import Field
from planner.texts import Message

Kind = Literal["number", "integer", "choice", "sizes", "text"]
T = TypeVar("T")
NONE = "none"
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a model.

    Parameters
    ----------
    name
        Its name in the JSON and the form; ``--name`` with hyphens on the command line.
    default
        Its value unless told otherwise: the source's own example.
    kind
        A real number, an integer, one of `choices`, report sizes (`planner.shapes`), or a text that the model reads.
    unit
        Key of the unit in the catalogue; empty for a bare number.
    low, high
        Bounds of each number, both included unless `low_open`.
    choices
        What a choice may be.
    optional
        Whether ``none`` is a value.
    many, separator, most
        Whether it is a list, what separates its values in text, and how many there may be.
    """

    name: str
    default: object
    kind: Kind = "number"
    unit: str = ""
    low: float = 0
    high: float = 1e15
    low_open: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False
    many: bool = False
    separator: str = ","
    most: int = 64

    def read(self, value: object) -> object:
        """`value` (a text as typed, or a JSON value), checked; lists as tuples, ``none`` as None; else PlannerError."""
        if self.optional and (value is None or (isinstance(value, str) and value.strip().lower() == NONE)):
            return None
        if not self.many:
            return self._one(value)
        parts = value.strip().split(self.separator) if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)):
            parts = [parts]
        if not 1 <= len(parts) <= self.most:
            raise self.refuse(Message.of("ops.errors.count", count=len(parts)))
        return tuple(self._one(part) for part in parts)

    def _one(self, value: object) -> object:
        if self.kind in ("number", "integer"):
            return self._field().parse(value) if isinstance(value, str) else self._field().check(value)
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise self.refuse(Message.of("errors.not_a_shape", value=numbers.quote(value)))
        text = value.strip()
        if self.kind == "choice" and text.lower() not in self.choices:
            raise self.refuse(Message.of("ops.errors.choice", value=numbers.quote(value)))
        if self.kind == "sizes":
            return self._field().parse(text)
        return text.lower() if self.kind == "choice" else text

    def _field(self) -> Field:
        kind: Any = self.kind
        return Field(self.name, 0, self.unit, "assumption", kind, self.low, self.high, self.low_open)

    def allowed(self) -> Message:
        """What the option accepts, as a message."""
        if self.kind == "choice":
            one = Message.of("ops.errors.allowed_choice", names=", ".join(self.choices))
        elif self.kind == "text":
            one = Message.of(f"ops.allowed.{self.name}")
        else:
            one = self._field().allowed()
        if self.many:
            one = Message.of("ops.errors.allowed_many", most=self.most, separator=self.separator, one=one)
        return Message.of("ops.errors.allowed_optional", one=one) if self.optional else one

    def refuse(self, problem: Message) -> PlannerError:
        """The error that says `problem` about this option."""
        return PlannerError(self.name, problem, self.allowed())

    def write(self, value: object) -> str:
        """`value` as the command line and a form carry it."""
        if value is None:
            return NONE
        if isinstance(value, tuple):
            return self.separator.join(self.write(part) for part in value)
        return numbers.shortest(value) if isinstance(value, (int, float)) else str(value)


def option(default: object, kind: Kind = "number", unit: str = "", **rest: Any) -> Any:
    """A field of an `Inputs` class with what `Option` knows of it."""
    return dataclasses.field(default=default, metadata={"kind": kind, "unit": unit, **rest})


def options(inputs: type[Any]) -> tuple[Option, ...]:
    """The options of an `Inputs` class, in their order."""
    return tuple(Option(row.name, row.default, **row.metadata) for row in dataclasses.fields(inputs))


def find(inputs: type[Any], name: str) -> Option:
    """The option called `name` of an `Inputs` class; PlannerError if there is none."""
    for one in options(inputs):
        if one.name == name:
            return one
    names = ", ".join(one.name for one in options(inputs))
    raise PlannerError(
        numbers.quote(name), Message.of("errors.unknown_field"), Message.of("ops.errors.names", names=names)
    )


def build(inputs: type[T], values: Mapping[str, object]) -> T:
    """An instance of the `Inputs` class from `values` by name; PlannerError if one is unknown or refused."""
    return inputs(**{name: find(inputs, name).read(value) for name, value in values.items()})


def document(values: Any) -> dict[str, object]:
    """An instance of an `Inputs` class as JSON has it."""
    pairs = ((row.name, getattr(values, row.name)) for row in dataclasses.fields(values))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in pairs}


def parse_sizes(name: str, text: str) -> shapes.Sizes:
    """The sizes that the checked `text` spells; PlannerError about `name` if it spells none."""
    try:
        return shapes.parse_sizes(text)
    except shapes.ShapeError as error:
        raise PlannerError(name, error.problem, Message.of("errors.allowed_sizes")) from None


def refuse(inputs: type[Any], name: str, key: str, **params: object) -> PlannerError:
    """The error ``ops.errors.<key>`` about the option `name`."""
    return find(inputs, name).refuse(Message.of(f"ops.errors.{key}", **params))
