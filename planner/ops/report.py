"""What every model answers with: tables, sentences and data for pictures. Imports numbers and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner import VERSION, numbers
from planner.texts import Message

Cell = str | int | float | bool | None | Message
Row = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal columns; `name` is its key in the JSON and (``ops.tables.<name>``) in the catalogue."""

    name: str
    rows: tuple[Row, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns' names, which are keys of ``ops.columns`` too."""
        return tuple(self.rows[0]) if self.rows else ()


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of one model.

    Parameters
    ----------
    name
        The model's name, as on the command line.
    inputs
        The inputs that it answered, by name.
    tables
        The first is the main one, which CSV prints.
    answers
        Sentences by role: ``plan`` (what the answer does to the plan's worker count), ``question`` (a question that
        people ask, answered with these numbers), and notes.
    data
        What pictures are drawn from, by name; JSON values.
    """

    name: str
    inputs: Mapping[str, object]
    tables: tuple[Table, ...]
    answers: tuple[tuple[str, Message], ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)

    def document(self, language: str = "en") -> dict[str, object]:
        """The answer as one JSON object; sentences in `language`, numbers unrounded."""
        tables = {table.name: [_plain(row, language) for row in table.rows] for table in self.tables}
        answers = [{"role": role, "key": message.key, "text": message.text(language)} for role, message in self.answers]
        head: dict[str, object] = {"version": VERSION, "model": self.name, "inputs": dict(self.inputs)}
        return {**head, **tables, **self.data, "answers": answers}


def table(name: str, rows: Sequence[Row]) -> Table:
    """The table `name` of `rows`."""
    return Table(name, tuple(rows))


def shown(value: Cell, language: str = "en") -> str:
    """`value` as a table or a sentence shows it: five significant digits, a dash for nothing, yes or no."""
    if value is None:
        return "–"
    if isinstance(value, Message):
        return value.text(language)
    if isinstance(value, bool):
        return Message.of("ops.yes" if value else "ops.no").text(language)
    if isinstance(value, float):
        whole = numbers.tidy(value)
        if isinstance(whole, int) and abs(whole) < 1e15:
            return str(whole)
        return f"{value:.1f}" if 1e3 <= abs(value) < 1e15 else f"{value:.5g}"
    return str(value)


def _plain(row: Row, language: str) -> dict[str, object]:
    return {name: cell.text(language) if isinstance(cell, Message) else cell for name, cell in row.items()}
