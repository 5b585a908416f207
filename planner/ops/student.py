"""Quantiles of Student's t for whole degrees of freedom. Imports the standard library only."""

from __future__ import annotations

import math


def within(t: float, freedom: int) -> float:
    """P(|T| <= t) for `freedom` degrees of freedom; the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    angle = math.atan2(t, math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    if freedom == 1:
        return 2 * angle / math.pi
    odd = freedom % 2
    term = total = cosine if odd else 1.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (k - 1) / k
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def quantile(chance: float, freedom: int) -> float:
    """The t with P(T <= t) = `chance`, for 0.5 <= `chance` < 1, by bisection."""
    low, high = 0.0, 1.0
    while within(high, freedom) < 2 * chance - 1:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if within(middle, freedom) < 2 * chance - 1:
            low = middle
        else:
            high = middle
    return high
