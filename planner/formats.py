"""Numbers as the reader of a language writes them. The one place that knows decimal and group signs of a language.

Imports numbers and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner import numbers
from planner.texts import Message

NONE = "–"
"""Shown where there is no number, because there was no job to measure."""


@dataclass(frozen=True, slots=True)
class Signs:
    """How a language writes numbers: its decimal sign, its group sign, and where the percent sign stands."""

    decimal: str
    group: str
    percent: str


SIGNS = {"en": Signs(".", ",", "{}%"), "tr": Signs(",", ".", "%{}")}

DECIMALS = {
    "wait_p50_ms": 2,
    "wait_p99_ms": 2,
    "wait_max_ms": 0,
    "delayed_share": 4,
    "report_mean_s": 2,
    "wait_mean_ms": 2,
    "wait_p90_ms": 2,
    "wait_p95_ms": 2,
    "wait_p999_ms": 2,
    "report_p50_s": 2,
    "report_p95_s": 2,
    "report_p99_s": 2,
    "report_max_s": 2,
    "report_seconds": 2,
    "scan_rate_per_s": 2,
    "reads_per_replica_per_s": 2,
    "workers_at_full_utilisation": 2,
}
"""Decimals of the numbers that are always shown with the same ones, as the golden table does."""

_SIGNIFICANT = 6


@dataclass(frozen=True, slots=True)
class Figure(Message):
    """A number inside a sentence; the sentence's language decides how it is written.

    `decimals` None shows up to six significant digits and no trailing zero.
    """

    value: float | None = None
    decimals: int | None = None
    percent: bool = False

    def text(self, language: str = "en") -> str:
        """The number in `language`."""
        if self.percent:
            return share(self.value, language, self.decimals or 0)
        return number(self.value, language, self.decimals)


def figure(value: float | None, decimals: int | None = None) -> Figure:
    """`value` for use in a message."""
    return Figure("", value=value, decimals=decimals)


def percent(value: float | None, decimals: int = 2) -> Figure:
    """The share `value` as a percentage, for use in a message."""
    return Figure("", value=value, decimals=decimals, percent=True)


def count(noun: str, value: float | None, decimals: int | None = None) -> Message:
    """`value` with its noun, in the singular where the language has one."""
    return Message.of(f"count.{noun}_{'one' if value == 1 else 'other'}", count=figure(value, decimals))


def number(value: float | None, language: str, decimals: int | None = None) -> str:
    """`value` with groups of thousands; see `Figure` for `decimals`."""
    if value is None:
        return NONE
    if decimals is None:
        return _signs(_significant(value), language)
    return _signs(format(value, f",.{decimals}f"), language)


def share(value: float | None, language: str, decimals: int | None) -> str:
    """The share `value` (1 is all) as a percentage."""
    return NONE if value is None else SIGNS[language].percent.format(number(value * 100, language, decimals))


def named(name: str, value: float | None, language: str) -> str:
    """The metric or derived number `name`, with its own decimals; a tiny one keeps its first digits."""
    decimals = DECIMALS.get(name)
    if decimals is not None and name not in _GOLDEN and value and abs(value) < 10**-decimals:
        decimals = None
    return number(value, language, decimals)


_GOLDEN = frozenset({"wait_p50_ms", "wait_p99_ms", "wait_max_ms", "delayed_share", "report_mean_s"})


def typed(value: float | int | str, language: str) -> str:
    """`value` as the form holds it: exact, without groups."""
    text = value if isinstance(value, str) else numbers.shortest(value)
    return text if isinstance(value, str) else text.replace(".", SIGNS[language].decimal)


def _significant(value: float) -> str:
    if isinstance(value, int) or float(value).is_integer():
        return format(value, ",.0f") if abs(value) < 1e15 else format(value, ".6g")
    size = math.floor(math.log10(abs(value)))
    if not -7 < size < 15:
        return format(value, ".3g")
    text = format(value, f",.{max(0, _SIGNIFICANT - 1 - size)}f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signs(text: str, language: str) -> str:
    signs = SIGNS[language]
    return text.translate({ord(","): signs.group, ord("."): signs.decimal})
