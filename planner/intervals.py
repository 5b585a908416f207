"""How sure a number is: intervals for shares, means and percentiles over replications.

Nothing but + - * / and square roots of doubles, so every machine gives the same bits. An interval is a pair
(low, high); None stands for a bound that the sample is too small to give. Imports exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from planner import exact

Interval = tuple[float, float]
Bounds = tuple[float | None, float | None]
_FOLD = 0.8


def wilson(met: int, of: int, confidence: float) -> Interval:
    """The interval of a share of which `met` of `of` trials were seen (Wilson 1927); (0, 1) without trials.

    The shares p with |met / of - p| <= z sqrt(p (1 - p) / of).
    """
    if not of:
        return 0.0, 1.0
    z = exact.normal_quantile((1 + confidence) / 2)
    seen, spread = met / of, z * z / of
    middle = (seen + spread / 2) / (1 + spread)
    half = z * math.sqrt(seen * (1 - seen) / of + spread / (4 * of)) / (1 + spread)
    return (0.0 if met == 0 else middle - half), (1.0 if met == of else middle + half)


def trials_to_decide(met: int, of: int, share: float, confidence: float, most: int = 1_000_000) -> int | None:
    """About how many more trials would move the Wilson interval off `share`, if they come out as those so far.

    None if `most` would not be enough. The seen share is taken as the true one, so this is an estimate and no promise.
    """

    def decides(trials: int) -> bool:
        low, high = wilson(round(trials * met / of), trials, confidence)
        return low >= share or high < share

    if not of or not decides(of + most):
        return None
    low, high = of, of + most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high - of


@dataclass(frozen=True, slots=True)
class Summary:
    """What replications say of a number: how many gave one, its mean, its median, and the spread of single values.

    `mean_interval` is a t interval that heeds skewness; `median_interval` is made of order statistics and assumes
    nothing about the distribution; `spread` is the 2.5 and 97.5 percentile of the values themselves: the range of
    single mornings.
    """

    count: int
    mean: float
    mean_interval: Bounds
    median: float
    median_interval: Bounds
    spread: Interval

    def document(self) -> dict[str, object]:
        """The summary, JSON-ready."""
        return {
            "count": self.count,
            "mean": self.mean,
            "mean_interval": list(self.mean_interval),
            "median": self.median,
            "median_interval": list(self.median_interval),
            "range95": list(self.spread),
        }


def summarise(values: Sequence[float | None], confidence: float) -> Summary | None:
    """The summary of the values that are numbers; None if there is none."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    return Summary(
        len(known),
        math.fsum(known) / len(known),
        mean_interval(known, confidence),
        quantile(known, 0.5),
        quantile_interval(known, 0.5, confidence),
        (quantile(known, 0.025), quantile(known, 0.975)),
    )


def mean_interval(values: Sequence[float], confidence: float) -> Bounds:
    """An interval of the mean of independent `values`, corrected for their skewness; no bounds from fewer than two.

    Hall's transformation (1992): with x = (mean - mu) / s and the sample's skewness a, x + a x^2 / 3 + a^2 x^3 / 27
    + a / (6 n) is nearly normal, and it is a cube, so it can be undone. Without skewness this is Student's t interval;
    with it, as waits have it, the plain interval would miss the mean too often.
    """
    count = len(values)
    if count < 2:
        return None, None
    mean = math.fsum(values) / count
    squares = math.fsum((value - mean) * (value - mean) for value in values)
    if squares == 0:
        return mean, mean
    cubes = math.fsum((value - mean) * (value - mean) * (value - mean) for value in values)
    skewness = cubes / count / (squares / count * math.sqrt(squares / count))
    deviation, y = (
        math.sqrt(squares / (count - 1)),
        student_quantile((1 + confidence) / 2, count - 1) / math.sqrt(count),
    )
    # The cubic folds where 1 + a y is negative; a small sample's skewness is trusted no further than well before.
    skewness = max(-_FOLD / y, min(_FOLD / y, skewness))
    return mean - deviation * _unskewed(y, skewness, count), mean - deviation * _unskewed(-y, skewness, count)


def _unskewed(y: float, skewness: float, count: int) -> float:
    """The x that Hall's transformation takes to `y`."""
    if abs(skewness) < 1e-6:
        return y
    return 3 / skewness * (exact.cube_root(1 + skewness * (y - skewness / (6 * count))) - 1)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The `share` quantile of ascending values, between neighbours at (n - 1) x share, as NumPy does by default."""
    place = (len(ordered) - 1) * share
    below = min(math.floor(place), len(ordered) - 1)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def quantile_interval(ordered: Sequence[float], share: float, confidence: float) -> Bounds:
    """An interval of the `share` quantile, from two of the ascending values (Thompson 1936).

    The number of values below the quantile is binomial, whatever their distribution: the bounds are the order
    statistics that it leaves outside with a chance of at most (1 - confidence) / 2 on either side.
    """
    count, tail = len(ordered), (1 - confidence) / 2
    low, high = _ranks(count, share, tail)
    return (ordered[low - 1] if low >= 1 else None), (ordered[high - 1] if high <= count else None)


@cache
def _ranks(count: int, share: float, tail: float) -> tuple[int, int]:
    """The largest l with P(B < l) <= tail and the smallest u with P(B >= u) <= tail, B binomial(count, share)."""
    chances = binomial(count, share)
    low, below = 0, 0.0
    while below + chances[low] <= tail:
        below += chances[low]
        low += 1
    high, above = count + 1, 0.0
    while above + chances[high - 1] <= tail:
        above += chances[high - 1]
        high -= 1
    return low, high


def binomial(count: int, share: float) -> list[float]:
    """The chances of 0 to `count` successes in `count` trials, each with the chance `share`, 0 < `share` < 1.

    From the likeliest number outwards by the ratio of neighbours, then scaled to 1, so nothing underflows early.
    """
    odds = share / (1 - share)
    peak = min(count, math.floor((count + 1) * share))
    chances = [0.0] * (count + 1)
    chances[peak] = 1.0
    for k in range(peak, count):
        chances[k + 1] = chances[k] * odds * (count - k) / (k + 1)
    for k in range(peak, 0, -1):
        chances[k - 1] = chances[k] / odds * k / (count - k + 1)
    total = math.fsum(chances)
    return [chance / total for chance in chances]


def student_within(t: float, freedom: int) -> float:
    """P(|T| <= t) for t >= 0 and `freedom` degrees of freedom: finite sums (Abramowitz and Stegun, 26.7.3, 26.7.4)."""
    square = freedom / (freedom + t * t)  # of the cosine of the angle whose tangent is t / sqrt(freedom)
    sine, cosine = t / math.sqrt(freedom + t * t), math.sqrt(square)
    odd = freedom % 2
    term = total = 0.0 if freedom == 1 else cosine if odd else 1.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    if not odd:
        return sine * total
    return 2 / math.pi * (exact.arctan(t / math.sqrt(freedom)) + sine * total)


@cache
def student_quantile(chance: float, freedom: int) -> float:
    """The t with P(T <= t) = `chance`, 0.5 < `chance` < 1; beyond 3000 degrees of freedom, the normal quantile."""
    if freedom > 3000:
        return exact.normal_quantile(chance)
    low, high = 0.0, 1.0
    while student_within(high, freedom) < 2 * chance - 1:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        if student_within(middle, freedom) < 2 * chance - 1:
            low = middle
        else:
            high = middle
    return high
