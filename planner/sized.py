"""A design whose size is searched: the grammar of designs with N in the place of one number (``separate:1:N``).

Imports designs, errors, numbers and texts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from planner import designs
from planner.designs import KINDS, Design
from planner.errors import PlannerError
from planner.numbers import quote
from planner.texts import Message

LETTER = "N"
Search = Literal["bisection", "upward", "every"]
_FINER_IS_SMALLER = ("report_slots", "chunk_records", "quantum_ms", "switch_ms")
DEFAULTS = ("shared:N", "separate:N:2", "priority:N", "reserved:N:2")
"""Designs that are asked of two hundred mornings within seconds."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A design with a hole: `base` with any number at the argument `place`, which the search replaces."""

    base: Design
    place: int

    def __str__(self) -> str:
        return str(self._with(LETTER))

    def at(self, size: int) -> Design:
        """The design of this `size`."""
        return self._with(size)

    @property
    def name(self) -> str:
        """What the size is: the argument's name in the grammar (``slots``, ``workers``, ``quantum_ms`` ...)."""
        return KINDS[self.base.kind][self.place].name

    @property
    def search(self) -> Search:
        """How the smallest size of a morning is found.

        ``bisection``: in one FIFO another server makes no job start later (Kiefer and Wolfowitz 1955), so the sizes
        that meet a target are all from some size on. ``upward``: nothing of the kind is assumed; each size from 1 on is
        simulated until one meets the target, and up to the largest such size all are simulated for all mornings.
        ``every``: where more is not better, each size of the range is simulated.
        """
        if self.name in _FINER_IS_SMALLER:
            return "every"
        return "bisection" if self.base.kind in ("shared", "separate") else "upward"

    def _with(self, value: int | str) -> Design:
        arguments = [*self.base.arguments]
        arguments[self.place] = value
        return replace(self.base, arguments=tuple(arguments))


def parse(text: str) -> Sized:
    """The design with a hole that `text` spells; PlannerError if it spells none."""
    head, at, tail = text.strip().partition("@")
    kind, *arguments = head.split(":")
    holes = [place for place, argument in enumerate(arguments) if argument.strip() == LETTER]
    if len(holes) != 1:
        problem = Message.of("size.errors.no_hole", value=quote(text), letter=LETTER)
        raise PlannerError("designs", problem, Message.of("size.errors.allowed_hole", letter=LETTER))
    arguments[holes[0]] = "1"
    base = designs.parse(":".join([kind, *arguments]) + at + tail)
    if KINDS[kind][holes[0]].field is None:
        problem = Message.of("size.errors.hole_is_no_number", value=quote(text), letter=LETTER)
        raise PlannerError("designs", problem, Message.of("size.errors.allowed_hole", letter=LETTER))
    return Sized(base, holes[0])


def parse_all(texts: list[str]) -> tuple[Sized, ...]:
    """The designs of `texts`, each once; PlannerError for the first that is none or repeats."""
    found: dict[Sized, None] = {}
    for text in texts:
        design = parse(text)
        if design in found:
            raise PlannerError(
                "designs", Message.of("errors.design_twice", value=str(design)), Message.of("errors.allowed_once")
            )
        found[design] = None
    return tuple(found)
