"""How long jobs run: drawn one by one, or as a distribution, by the grammar of report sizes.

Imports errors, exactly, inputs, shapes and streams.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from planner import streams
from planner.errors import PlannerError
from planner.ops import exactly
from planner.ops.inputs import parse_sizes
from planner.shapes import lognormal_table
from planner.texts import Message

SIZE_STREAM = 3
"""The stream of the report sizes: seed + 3."""


def drawn(sizes: str, mean_ms: float, count: int, seed: int) -> list[Fraction]:
    """`count` durations in ms by the grammar of report sizes, one draw a job of the stream seed + 3."""
    shape = parse_sizes("sizes", sizes)
    if shape.kind == "fixed":
        return [exactly.fraction(mean_ms)] * count
    draws = streams.draws((seed + SIZE_STREAM) & 0xFFFFFFFF, 0, count)
    if shape.kind == "mix":
        return [Fraction(value) for value in shape.draw(1, draws).tolist()]
    micros = max(1, round(exactly.fraction(mean_ms) * 1000))
    if micros > 10**12:
        raise _too_long()
    return [Fraction(value, 1000) for value in shape.draw(micros, draws).tolist()]


def lengths(sizes: str, mean_ms: float) -> list[tuple[float, float]]:
    """The lengths that `drawn` draws from, as pairs of a probability and ms."""
    shape = parse_sizes("sizes", sizes)
    if shape.kind == "fixed":
        return [(1.0, mean_ms)]
    if shape.kind == "mix":
        return [(share, float(value)) for share, value in shape.mix]
    micros = max(1, round(exactly.fraction(mean_ms) * 1000))
    if micros > 10**12:
        raise _too_long()
    values, counts = np.unique(lognormal_table(shape.variation, micros), return_counts=True)
    total = int(counts.sum(dtype=np.int64))
    return [(count / total, value / 1000) for value, count in zip(values.tolist(), counts.tolist(), strict=True)]


def _too_long() -> PlannerError:
    return PlannerError("job_ms", Message.of("ops.errors.too_long_to_draw"), Message.of("ops.errors.allowed_to_draw"))
