"""The inputs: one row a field. The form, the command line, the link and the documents are made from it.

Owns names, units, classes, defaults and bounds (the table of inputs); reads and checks one value at a time.
Imports errors, numbers, shapes and texts.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal

from planner import numbers, shapes
from planner.errors import PlannerError
from planner.texts import Message

Kind = Literal["number", "integer", "auto", "profile", "sizes", "flag"]
Source = Literal["K01", "K02", "assumption", "model"]
Value = float | int | str
AUTO = "auto"
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Field:
    """One input of the planner.

    Parameters
    ----------
    name
        Its name in the command line, the link, the JSON and the form.
    default
        The value that a scenario has unless told otherwise.
    unit
        Key of the unit in the catalogue; empty for a bare number.
    source
        Where the value comes from: the sizing course (K01, K02), this planner's own assumption, or the model.
    kind
        A real number, an integer, an integer that may also be ``auto``, the text of an arrival profile or of
        report sizes (`planner.shapes`), or 0 or 1 for no or yes.
    low, high
        Bounds, both included unless `low_open`.
    alias
        A second name, used in links.
    row
        Row of the source that the value stands in.
    """

    name: str
    default: Value
    unit: str
    source: Source
    kind: Kind = "number"
    low: float = 0
    high: float = math.inf
    low_open: bool = False
    alias: str = ""
    row: str = ""

    @property
    def link_name(self) -> str:
        """The name under which a share link carries the field."""
        return self.alias or self.name

    def check(self, value: object) -> Value:
        """`value`, if the field accepts it, with whole numbers as ``int``; else PlannerError."""
        if self.kind == "auto" and value == AUTO:
            return AUTO
        if self.kind in ("profile", "sizes"):
            return self._check_shape(value)
        if self.kind == "flag" and isinstance(value, bool):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.refuse(Message.of("errors.not_a_number", value=numbers.quote(value)))
        if isinstance(value, float) and not math.isfinite(value):
            raise self.refuse(Message.of("errors.not_finite"))
        if abs(value) > 1e18:
            raise self.refuse(Message.of("errors.too_large", value=numbers.quote(value)))
        value = numbers.tidy(value)
        if self.kind != "number" and not isinstance(value, int):
            raise self.refuse(Message.of("errors.not_whole", value=numbers.quote(value)))
        if value < self.low or (self.low_open and value == self.low) or value > self.high:
            raise self.refuse(Message.of("errors.out_of_range", value=numbers.quote(value)))
        return value

    def _check_shape(self, value: object) -> str:
        parse = shapes.parse_profile if self.kind == "profile" else shapes.parse_sizes
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise self.refuse(Message.of("errors.not_a_shape", value=numbers.quote(value)))
        try:
            return str(parse(value))
        except shapes.ShapeError as error:
            raise self.refuse(error.problem) from None

    def parse(self, text: str) -> Value:
        """The value that `text` spells (decimal point, no unit), checked; else PlannerError."""
        if self.kind == "auto" and text.strip().lower() == AUTO:
            return AUTO
        if self.kind in ("profile", "sizes"):
            return self.check(text)
        value = numbers.parse(text)
        return self.check(text if value is None else value)

    def write(self, value: Value) -> str:
        """`value` as links and design strings carry it."""
        return value if isinstance(value, str) else numbers.shortest(value)

    def allowed(self) -> Message:
        """What the field accepts, as a message."""
        bounds = Message.of(
            f"errors.bounds_{'open' if self.low_open else 'closed'}" + ("_up" if math.isfinite(self.high) else ""),
            low=numbers.shortest(self.low),
            high=numbers.shortest(self.high) if math.isfinite(self.high) else "",
        )
        return Message.of(f"errors.allowed_{self.kind}", bounds=bounds)

    def refuse(self, problem: Message) -> PlannerError:
        """The error that says `problem` about this field."""
        return PlannerError(self.name, problem, self.allowed())


def _row(default: Value, unit: str, source: Source, kind: Kind = "number", **rest: Any) -> Any:
    row = {"unit": unit, "source": source, "kind": kind, **rest}
    return dataclasses.field(default=default, metadata=row)


@dataclass(frozen=True, slots=True)
class Inputs:
    """A value for every input, in its unit. This class is the table: one row holds all that is known of a field."""

    shipments_per_day: float = _row(400000, "per_day", "K01", low_open=True)
    sellers: int = _row(4000, "sellers", "K01", "integer", low=1)
    billing_period_days: float = _row(30, "days", "K01", low_open=True, row="V11")
    record_ms: float = _row(1.2, "ms_per_record", "K01", low_open=True)
    peak_reads_per_s: float = _row(416.67, "per_s", "K01")
    replicas: int = _row(4, "replicas", "K02", "integer", low=1)
    window_minutes: float = _row(30, "min", "assumption", low_open=True, alias="k2", row="V10")
    report_share: float = _row(0.5, "share", "assumption", high=1, alias="k3")
    tracking_records: int = _row(1, "records", "model", "integer", low=1)
    delay_threshold_ms: float = _row(100, "ms", "model")
    target_utilisation: float = _row(0.7, "share", "assumption", high=1, low_open=True)
    seed: int = _row(20260730, "", "model", "integer", high=2**32 - 1)
    resolution: int | str = _row(AUTO, "ticks_per_record", "model", "auto", low=1)
    search_max_slots: int = _row(12, "slots", "model", "integer", low=1, high=256)
    search_workers: int = _row(2, "workers", "model", "integer", low=1, high=10_000)

    reads_profile: str = _row(shapes.FLAT, "", "model", "profile")
    reports_profile: str = _row(shapes.FLAT, "", "model", "profile")
    report_sizes: str = _row(shapes.FIXED, "", "model", "sizes")
    drain: int = _row(0, "", "model", "flag", high=1)

    def value(self, name: str) -> Value:
        """The value of the input called `name`."""
        found: Value = getattr(self, name)
        return found


FIELDS = tuple(Field(row.name, Inputs().value(row.name), **row.metadata) for row in dataclasses.fields(Inputs))

BY_NAME = {name: field for field in FIELDS for name in (field.name, field.alias) if name}


def find(name: str) -> Field:
    """The field called `name` (or so by alias); PlannerError if there is none."""
    field = BY_NAME.get(name)
    if field is None:
        names = ", ".join(field.name for field in FIELDS)
        raise PlannerError(
            numbers.quote(name),
            Message.of("errors.unknown_field"),
            Message.of("errors.allowed_fields", names=names),
        )
    return field
