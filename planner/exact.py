"""Elementary functions with the same bits on every machine: nothing but + - * / and square roots of doubles.

The C library's exp and log differ between machines in the last place; a simulation fed by them would too.
Imports the standard library only.
"""

from __future__ import annotations

import math
from functools import cache

_LN2 = 0.6931471805599453
_SQRT_TAU = 2.5066282746310002


def exp(x: float) -> float:
    """e to the power `x`, to about 1e-14 of its value for |x| up to 30: Taylor at x / 2^k, squared k times."""
    halvings = 0
    while abs(x) > 0.5:
        x /= 2
        halvings += 1
    term = total = 1.0
    for n in range(1, 18):
        term = term * x / n
        total += term
    for _ in range(halvings):
        total *= total
    return total


def log(x: float) -> float:
    """The natural logarithm of `x` > 0, to about 1e-15: 2 artanh((m - 1) / (m + 1)) + e ln 2 for x = m 2^e."""
    mantissa, exponent = math.frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa, exponent = mantissa * 2, exponent - 1
    ratio = (mantissa - 1) / (mantissa + 1)
    square, power, total = ratio * ratio, ratio, 0.0
    for n in range(1, 40, 2):
        total += power / n
        power *= square
    return 2 * total + exponent * _LN2


@cache
def normal_quantiles(count: int) -> tuple[float, ...]:
    """The quantiles of the standard normal distribution at (j + 0.5) / count, j = 0 .. count - 1; `count` even.

    Newton's method on Phi(z) = 1/2 + phi(z) (z + z^3/3 + z^5/15 + ...), from the quantile before.
    """
    upper: list[float] = []
    z = 0.0
    for j in range(count // 2):
        target = (j + 0.5) / count  # Phi(z) - 1/2
        for _ in range(60):
            density = exp(-z * z / 2) / _SQRT_TAU
            step = (density * _series(z) - target) / density
            z -= step
            if abs(step) < 1e-13:
                break
        upper.append(z)
    return (*(-z for z in reversed(upper)), *upper)


@cache
def normal_quantile(chance: float) -> float:
    """The z with Phi(z) = `chance`, for 0.5 <= `chance` < 1: Newton's method on the series of `normal_quantiles`."""
    target, z = chance - 0.5, 0.0
    for _ in range(200):
        density = exp(-z * z / 2) / _SQRT_TAU
        step = (density * _series(z) - target) / density if z else -target * _SQRT_TAU
        z -= max(-1.0, min(1.0, step))
        if abs(step) < 1e-13:
            break
    return z


def cube_root(x: float) -> float:
    """The cube root of `x`: Newton's method, which from a start above the root falls towards it."""
    if x < 0:
        return -cube_root(-x)
    root = max(1.0, x)
    while True:
        lower = (2 * root + x / (root * root)) / 3
        if lower >= root:
            return root
        root = lower


def arctan(x: float) -> float:
    """The angle whose tangent is `x` >= 0, in radians: tan(a / 2) = tan a / (1 + sqrt(1 + tan^2 a)), then Taylor."""
    doublings = 0
    while x > 0.1:
        x /= 1 + math.sqrt(1 + x * x)
        doublings += 1
    square, power, total = x * x, x, 0.0
    for n in range(1, 30, 2):
        total += power / n
        power *= -square
    return float(total * 2**doublings)


def _series(z: float) -> float:
    term = total = z
    n = 1
    while term > total * 1e-17:
        n += 2
        term = term * z * z / n
        total += term
    return total
