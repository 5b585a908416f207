"""Numbers as text: the shortest exact form, and reading what a person or a link wrote.

Owns the one rule by which a number is written into links, design strings and messages, and the one rule
by which it is read back. Imports nothing of the planner.
"""

from __future__ import annotations

import math
import re

_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_LONGEST = 40


def parse(text: str) -> float | int | None:
    """The number that `text` spells with ASCII digits and a decimal point; None if it spells none.

    A value without fraction or exponent comes back as an exact ``int``; an overflow to infinity is None.
    """
    text = text.strip()
    if len(text) > _LONGEST or not text.isascii() or not _PLAIN.fullmatch(text):
        return None
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    return tidy(value) if math.isfinite(value) else None


def tidy(value: float | int) -> float | int:
    """`value`, as an ``int`` where it is a whole number that a double holds exactly."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    return value


def shortest(value: float | int) -> str:
    """The shortest text that reads back as `value`; no sign in an exponent that a URL would garble."""
    return repr(tidy(value)).replace("e+", "e")


def half_up(value: float) -> int:
    """`value` rounded to the nearest whole number, halves upwards, as the source's ``Math.round`` does."""
    floor = math.floor(value)
    return floor + 1 if value - floor >= 0.5 else floor


def quote(value: object) -> str:
    """`value` as it may be shown inside a sentence: one line, printable, at most 40 characters."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
