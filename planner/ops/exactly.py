"""Exact time: decimals as typed become fractions, and fractions whole multiples of one common unit.

A list of 0.1 ms jobs then adds up to what it says, on every machine. Imports the standard library only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction


def fraction(value: float | int) -> Fraction:
    """The number that `value` shows in decimal: 0.1 is 1/10, not the nearest double."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def unit(values: Iterable[Fraction]) -> Fraction:
    """The largest unit of which 1 and all `values` are whole multiples."""
    return Fraction(1, math.lcm(*(value.denominator for value in values)))


def count(value: Fraction, step: Fraction) -> int:
    """How many whole times `step` goes into `value`."""
    return int(value // step)


def number(value: Fraction | int) -> float | int:
    """`value` as JSON carries it: a whole number as ``int`` (where a double holds it), else the nearest double."""
    if isinstance(value, int) or value.denominator == 1:
        whole = int(value)
        return whole if abs(whole) <= 2**53 else float(whole)
    return float(value)
