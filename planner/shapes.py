"""Shapes of the load: how arrivals spread over the window, and how long reports are.

Owns both small grammars::

    flat | 0-10:3,10-30:0.5            minutes from-to : weight
    fixed | mix:0.9:1000,0.1:21000 | lognormal:1.5     share : records, or a coefficient of variation

Imports exact, numbers and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from planner import exact, numbers
from planner.texts import Message

FLAT, FIXED = "flat", "fixed"
MOST_PARTS = 100
MOST_RECORDS = 10**12
QUANTILES = 4096
"""Entries of the table that stands for a lognormal distribution: a power of two, so a draw's first bits choose."""


class ShapeError(ValueError):
    """A text that spells no shape; its argument says why."""

    def __init__(self, problem: Message) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of arrival over the window: from minute, to minute, weight; ascending. What is not named weighs 1."""

    parts: tuple[tuple[float, float, float], ...] = ()

    def __str__(self) -> str:
        if not self.parts:
            return FLAT
        return ",".join("{}-{}:{}".format(*map(numbers.shortest, part)) for part in self.parts)

    @property
    def end(self) -> float:
        """The last minute that a part reaches."""
        return self.parts[-1][1] if self.parts else 0

    def steps(self, probability: float, window_ticks: int, ticks_per_minute: float, resolution: int) -> Steps:
        """The chance of an arrival a tick, piece by piece: the ticks before which each holds, and the chance.

        The chances are scaled so that their mean over the window is `probability`; one may come out above 1.
        """
        if not self.parts:
            return ((window_ticks, probability),)
        pieces: list[tuple[int, float]] = []
        before = 0
        for start, end, weight in self.parts:
            edges = [numbers.half_up(minute * ticks_per_minute) * resolution for minute in (start, end)]
            edges = [min(edge, window_ticks) for edge in edges]
            if edges[0] > before:
                pieces.append((edges[0], 1.0))
            if edges[1] > max(before, edges[0]):
                pieces.append((edges[1], weight))
            before = max(before, edges[1])
        if before < window_ticks:
            pieces.append((window_ticks, 1.0))
        starts = [0, *(end for end, _ in pieces)]
        weighed = sum((end - start) * weight for start, (end, weight) in zip(starts, pieces, strict=False))
        if weighed <= 0:
            raise ShapeError(Message.of("errors.profile_empty"))
        return tuple((end, probability * (weight * window_ticks / weighed)) for end, weight in pieces)


Steps = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many records a report reads: `kind` is fixed, mix (shares and counts) or lognormal (its variation)."""

    kind: str = FIXED
    mix: tuple[tuple[float, int], ...] = ()
    variation: float = 0

    def __str__(self) -> str:
        if self.kind == "mix":
            return "mix:" + ",".join(f"{numbers.shortest(share)}:{records}" for share, records in self.mix)
        return FIXED if self.kind == FIXED else f"lognormal:{numbers.shortest(self.variation)}"

    def checked(self) -> Sizes:
        """This, if the shares of a mix add up to 1; else ShapeError."""
        total = math.fsum(share for share, _ in self.mix)
        if self.kind == "mix" and abs(total - 1) > 1e-9:
            raise ShapeError(Message.of("errors.sizes_total", total=numbers.shortest(round(total, 9))))
        return self

    def mean_records(self, records: int) -> float:
        """The expected records of a report whose billing period holds `records`; a mix brings its own counts."""
        if self.kind != "mix":
            return records
        return numbers.tidy(sum(share * count for share, count in self.mix))

    def draw(self, records: int, draws: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Records of each report, one draw (times 2^32) a report."""
        if self.kind == "mix":
            edges = np.cumsum([share for share, _ in self.mix], dtype=np.float64)[:-1]
            counts = np.array([count for _, count in self.mix], dtype=np.int64)
            return counts[np.searchsorted(edges, draws / np.float64(2**32), side="right")]
        if self.kind == "lognormal":
            table = lognormal_table(self.variation, records)
            return table[(draws >> np.uint32(32 - QUANTILES.bit_length() + 1)).astype(np.int64)]
        return np.full(len(draws), records, np.int64)


@cache
def lognormal_table(variation: float, records: int) -> NDArray[np.int64]:
    """`QUANTILES` equally likely record counts of a lognormal distribution with mean `records`.

    `variation` is the standard deviation over the mean, so sigma^2 = ln(1 + variation^2); the quantiles at
    (j + 0.5) / QUANTILES are scaled to the mean and rounded, one record at least.
    """
    sigma = math.sqrt(exact.log(1 + variation * variation))
    weights = [exact.exp(sigma * z) for z in exact.normal_quantiles(QUANTILES)]
    mean = math.fsum(weights) / QUANTILES
    return np.array([max(1, numbers.half_up(records * (weight / mean))) for weight in weights], dtype=np.int64)


def parse_profile(text: str) -> Profile:
    """The profile that `text` spells; ShapeError if it spells none."""
    if text.strip().lower() == FLAT:
        return Profile()
    parts: list[tuple[float, float, float]] = []
    for part in _split(text):
        span, colon, weight_text = part.partition(":")
        start, dash, end = span.partition("-")
        values = [numbers.parse(piece) for piece in (start, end, weight_text)]
        if not colon or not dash or None in values:
            raise ShapeError(Message.of("errors.profile_part", value=numbers.quote(part)))
        low, high, weight = (float(value) for value in values if value is not None)
        if not 0 <= low < high <= 1e9 or not 0 <= weight <= 1e6:
            raise ShapeError(Message.of("errors.profile_range", value=numbers.quote(part)))
        if parts and low < parts[-1][1]:
            raise ShapeError(Message.of("errors.profile_order", value=numbers.quote(part)))
        parts.append((numbers.tidy(low), numbers.tidy(high), numbers.tidy(weight)))
    return Profile(tuple(parts))


def parse_sizes(text: str) -> Sizes:
    """The report sizes that `text` spells; ShapeError if it spells none."""
    kind, _, rest = text.strip().partition(":")
    if kind.lower() == FIXED and not rest:
        return Sizes()
    if kind == "lognormal":
        variation = numbers.parse(rest)
        if variation is None or not 0 < variation <= 20:
            raise ShapeError(Message.of("errors.sizes_variation", value=numbers.quote(rest)))
        return Sizes("lognormal", variation=variation)
    if kind == "mix":
        return Sizes("mix", tuple(_mix_part(part) for part in _split(rest))).checked()
    raise ShapeError(Message.of("errors.sizes_unknown", value=numbers.quote(text)))


def _mix_part(part: str) -> tuple[float, int]:
    share_text, _, records_text = part.partition(":")
    share, records = numbers.parse(share_text), numbers.parse(records_text)
    if share is None or not 0 < share <= 1 or not isinstance(records, int) or not 1 <= records <= MOST_RECORDS:
        raise ShapeError(Message.of("errors.sizes_part", value=numbers.quote(part)))
    return share, records


def _split(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > MOST_PARTS:
        raise ShapeError(Message.of("errors.shape_parts", count=len(parts), most=MOST_PARTS))
    return parts
