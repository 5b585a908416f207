"""The Universal Scalability Law, fitted to measured (workers, throughput) pairs by plain least squares.

X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)): sigma is the share that must queue (contention), kappa what
keeping each other informed costs (coherency); Gunther, "A Simple Capacity Model of Massively Parallel Transaction
Systems" (CMG 1993) and "Guerrilla Capacity Planning" (2007). The peak is at N = sqrt((1 - sigma) / kappa).
Imports errors, intervals, inputs' numbers and report.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import PlannerError
from planner.intervals import student_quantile
from planner.numbers import parse as parse_number
from planner.numbers import quote
from planner.ops.report import Row, shown
from planner.texts import Message

Floats = NDArray[np.float64]
Pair = tuple[float, float]
CONFIDENCE = 0.95
MOST_MEASURED = 1_000
_STEPS = 400


@dataclass(frozen=True, slots=True)
class Fit:
    """The fitted law.

    Parameters
    ----------
    pairs
        The measurements: workers, throughput.
    rate, sigma, kappa
        lambda (throughput of one worker), contention and coherency.
    errors
        Standard errors in the same order; None where there are no more measurements than coefficients, or where a
        coefficient is held at 0.
    held
        The coefficients that the free fit made negative and that are held at 0: the measurements show no such cost.
    freedom
        Measurements less fitted coefficients.
    peak_error
        Standard error of the peak by the delta method; approximate.
    residual
        Root of the mean squared residual, in units of throughput.
    """

    pairs: tuple[Pair, ...]
    rate: float
    sigma: float
    kappa: float
    errors: tuple[float | None, float | None, float | None]
    held: tuple[str, ...]
    freedom: int
    peak_error: float | None
    residual: float

    def throughput(self, workers: float) -> float:
        """X(N)."""
        return float(_law(np.array([workers]), np.array([self.rate, self.sigma, self.kappa]))[0])

    @property
    def peak(self) -> float | None:
        """The N of the largest throughput, as a real number, at least 1; None if throughput never falls."""
        if self.kappa <= 0:
            return None
        return math.sqrt(max(1.0, (1 - self.sigma) / self.kappa))

    @property
    def peak_workers(self) -> int | None:
        """The whole number of workers with the largest throughput; the smaller one on a tie."""
        if self.peak is None:
            return None
        low = math.floor(self.peak)
        return low if self.throughput(low) >= self.throughput(low + 1) else low + 1

    def interval(self, value: float, error: float | None) -> tuple[float, float] | None:
        """The 95 % interval of a coefficient by Student's t; approximate, because the law is not linear in it."""
        if error is None or self.freedom < 1:
            return None
        reach = student_quantile((1 + CONFIDENCE) / 2, self.freedom) * error
        return value - reach, value + reach

    def rows(self) -> list[Row]:
        """Coefficients and peak with their intervals."""
        values = zip(("lambda", "sigma", "kappa"), (self.rate, self.sigma, self.kappa), self.errors, strict=True)
        rows = [_row(name, value, self.interval(value, error)) for name, value, error in values]
        if self.peak is not None and self.peak_workers is not None:
            rows.append(_row("peak_workers", self.peak, self.interval(self.peak, self.peak_error)))
            rows.append(_row("peak_throughput", self.throughput(self.peak_workers), None))
        rows.append(_row("residual", self.residual, None))
        return rows

    def points(self) -> list[Row]:
        """Each measurement beside the law."""
        return [
            {"workers": n, "throughput": x, "fitted": self.throughput(n), "residual": x - self.throughput(n)}
            for n, x in self.pairs
        ]

    def curve(self) -> list[list[float]]:
        """(workers, throughput) from 1 to well beyond the measurements and the peak, for drawing."""
        far = max(1.5 * max(n for n, _ in self.pairs), 1.3 * (self.peak or 0.0))
        far = min(far, 20 * max(n for n, _ in self.pairs))
        return [[n, self.throughput(n)] for n in np.linspace(1, max(far, 2), 101).tolist()]

    def answers(self, planned: int) -> list[tuple[str, Message]]:
        """What the fit says about more workers, about the plan's count, and how sure it is."""
        said: list[tuple[str, Message]] = []
        if self.peak_workers is None:
            key = "no_peak" if self.sigma > 0 else "linear"
            ceiling = shown(self.rate / self.sigma) if self.sigma > 0 else ""
            said.append(("question", Message.of(f"ops.usl.{key}", ceiling=ceiling)))
        else:
            best = shown(self.throughput(self.peak_workers))
            reach = self.interval(self.peak or 0, self.peak_error)
            between = Message.of("ops.usl.between", low=shown(reach[0]), high=shown(reach[1])) if reach else ""
            said.append(("question", Message.of("ops.usl.peak", n=self.peak_workers, best=best, between=between)))
            beyond = "beyond" if planned > self.peak_workers else "below"
            said.append(("plan", Message.of(f"ops.usl.plan_{beyond}", n=self.peak_workers, workers=planned)))
        if self.freedom < 1:
            said.append(("note", Message.of("ops.usl.no_interval", count=len(self.pairs))))
        for name in self.held:
            said.append(("note", Message.of("ops.usl.held", name=name)))
        return said


def _row(name: str, value: float, reach: tuple[float, float] | None) -> Row:
    label = Message.of(f"ops.usl.name_{name}")
    return {"name": name, "meaning": label, "value": value, "low": reach and reach[0], "high": reach and reach[1]}


def parse(texts: Sequence[str]) -> list[Pair]:
    """Pairs from texts such as ``4:310``; PlannerError, naming ``measured``, for anything else or too few."""
    pairs = []
    for text in texts:
        left, _, right = text.partition(":")
        workers, rate = parse_number(left), parse_number(right)
        if workers is None or rate is None or not 0 < workers <= 1e9 or not 0 < rate <= 1e15:
            raise _refuse("measured_pair", value=quote(text))
        pairs.append((workers, rate))
    if len({workers for workers, _ in pairs}) < 3:
        raise _refuse("measured_few", count=len({workers for workers, _ in pairs}))
    return sorted(pairs)


def split(text: str) -> list[str]:
    """The pairs of pasted or dropped text, for `parse`: a line each, two columns, a line of heads at the top or not.

    Columns are separated by tabs, semicolons (then a comma is a decimal one), commas or spaces.
    """
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    if lines and not any(char.isdigit() for char in lines[0]):
        lines = lines[1:]
    found = []
    for line in lines[: MOST_MEASURED + 1]:
        wide = next((mark for mark in ("\t", ";") if mark in line), None)
        cells = line.split(wide) if wide else line.replace(",", " ").split()
        found.append(":".join(cell.strip().replace(",", ".") for cell in cells))
    return found


def fit(pairs: Sequence[Pair]) -> Fit:
    """The law with the least squared residuals of throughput, sigma and kappa at least 0 (held there and said).

    Starts from the linear fit of N / X = (1 + sigma (N - 1) + kappa N (N - 1)) / lambda. PlannerError where the
    measurements settle no coefficients.
    """
    n = np.array([pair[0] for pair in pairs], dtype=np.float64)
    x = np.array([pair[1] for pair in pairs], dtype=np.float64)
    scale = float(x.max())
    found, free, squares = min(_candidates(n, x / scale), key=lambda candidate: candidate[2])
    names = ("lambda", "sigma", "kappa")
    held = tuple(name for name, kept in zip(names, free, strict=True) if not kept)
    freedom = len(n) - sum(free)
    errors, peak_error = _errors(n, found, free, squares, freedom)
    rate_error = None if errors[0] is None else errors[0] * scale
    return Fit(
        tuple(pairs),
        float(found[0]) * scale,
        float(found[1]),
        float(found[2]),
        (rate_error, errors[1], errors[2]),
        held,
        freedom,
        peak_error,
        math.sqrt(squares / len(n)) * scale,
    )


def _candidates(n: Floats, x: Floats) -> list[tuple[Floats, tuple[bool, bool, bool], float]]:
    """The least-squares fits with sigma, kappa, both or neither free that leave both at least 0.

    The best of them is the constrained optimum: there a coefficient is either free or at its bound.
    """
    good = []
    for free in ((True, True, True), (True, True, False), (True, False, True), (True, False, False)):
        found = _descend(n, x, free)
        if found is not None and found[0] > 0 and found[1] >= 0 and found[2] >= 0:
            good.append((found, free, _squares(n, x, found)))
            if all(free):
                break
    if not good:
        raise _refuse("measured_unfit")
    return good


def _law(n: Floats, p: Floats) -> Floats:
    return np.asarray(p[0] * n / (1 + p[1] * (n - 1) + p[2] * n * (n - 1)))


def _slopes(n: Floats, p: Floats, free: tuple[bool, ...]) -> Floats:
    """The law's derivatives by the free coefficients, a column each."""
    below = 1 + p[1] * (n - 1) + p[2] * n * (n - 1)
    top = -p[0] * n / below**2
    every = np.stack([n / below, top * (n - 1), top * n * (n - 1)], axis=1)
    return np.asarray(every[:, np.array(free)])


def _squares(n: Floats, x: Floats, p: Floats) -> float:
    below = 1 + p[1] * (n - 1) + p[2] * n * (n - 1)
    if not np.all(np.isfinite(p)) or np.any(below <= 0):
        return math.inf
    return float(np.sum((x - _law(n, p)) ** 2))


def _descend(n: Floats, x: Floats, free: tuple[bool, ...]) -> Floats | None:
    """Levenberg-Marquardt from the linear start; None where the free coefficients are not settled."""
    base = np.stack([np.ones_like(n), n - 1, n * (n - 1)], axis=1)[:, np.array(free)]
    linear, _, rank, _ = np.linalg.lstsq(base, n / x, rcond=None)
    if rank < sum(free) or not linear[0] > 0:
        return None
    p = np.zeros(3)
    p[np.array(free)] = np.concatenate([[1 / linear[0]], linear[1:] / linear[0]])
    damping, squares = 1e-3, _squares(n, x, p)
    if not math.isfinite(squares):
        return None
    for _ in range(_STEPS):
        slopes = _slopes(n, p, free)
        normal = slopes.T @ slopes
        pull = slopes.T @ (x - _law(n, p))
        step = np.linalg.lstsq(normal + damping * np.diag(np.diag(normal)), pull, rcond=None)[0]
        moved = p.copy()
        moved[np.array(free)] += step
        now = _squares(n, x, moved)
        if now < squares:
            gain, p, squares, damping = squares - now, moved, now, max(damping / 5, 1e-12)
            if gain <= 1e-15 * (squares + 1e-30):
                break
        elif damping > 1e12:
            break
        else:
            damping *= 4
    return p


def _errors(
    n: Floats, p: Floats, free: tuple[bool, ...], squares: float, freedom: int
) -> tuple[list[float | None], float | None]:
    """Standard errors from s^2 (J'J)^-1, and of the peak by the delta method."""
    errors: list[float | None] = [None, None, None]
    if freedom < 1:
        return errors, None
    slopes = _slopes(n, p, free)
    cover = squares / freedom * np.linalg.pinv(slopes.T @ slopes)
    whole = np.zeros((3, 3))
    whole[np.ix_(np.array(free), np.array(free))] = cover
    for index, kept in enumerate(free):
        errors[index] = math.sqrt(max(0.0, float(whole[index, index]))) if kept else None
    if not free[2] or p[2] <= 0 or p[1] >= 1:
        return errors, None
    peak = math.sqrt((1 - p[1]) / p[2])
    slope = np.array([0.0, -peak / (2 * (1 - p[1])), -peak / (2 * p[2])])
    return errors, math.sqrt(max(0.0, float(slope @ whole @ slope)))


def _refuse(key: str, **params: object) -> PlannerError:
    return PlannerError("measured", Message.of(f"ops.errors.{key}", **params), Message.of("ops.allowed.measured"))
