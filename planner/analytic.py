"""Queueing formulas with a closed form: what theory says where it has something to say.

Loads are in erlangs (arrival rate x service time), times in any one unit. Where a queue grows without bound the
answer is `UNSTABLE` and never a number. Imports exact.
"""

from __future__ import annotations

import math
from typing import Literal

from planner import exact

UNSTABLE: Literal["unstable"] = "unstable"
Answer = float | Literal["unstable"]


def erlang_b(servers: int, load: float) -> float:
    """The share of arrivals lost by `servers` without a queue under `load` erlangs.

    B(0) = 1, B(n) = a B(n-1) / (n + a B(n-1)) (Erlang 1917): every term is between 0 and 1, so it holds for any size.
    """
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked


def erlang_c(servers: int, load: float) -> Answer:
    """The share of arrivals that must wait for one of `servers` under `load` erlangs; unstable from load = servers.

    C = B / (1 - (a / c) (1 - B)) (Erlang 1917).
    """
    if load >= servers:
        return UNSTABLE
    blocked = erlang_b(servers, load)
    return blocked / (1 - load / servers * (1 - blocked))


def mmc_mean_wait(servers: int, load: float, service: float) -> Answer:
    """The mean wait of M/M/c in the unit of `service`, the mean service time: C s / (c - a)."""
    waiting = erlang_c(servers, load)
    return waiting if isinstance(waiting, str) else waiting * service / (servers - load)


def mg1_mean_wait(rate: float, mean: float, second_moment: float) -> Answer:
    """The mean wait of M/G/1: rate x E[S^2] / (2 (1 - rho)) (Pollaczek 1930, Khinchine 1932)."""
    load = rate * mean
    return UNSTABLE if load >= 1 else rate * second_moment / (2 * (1 - load))


def md1_mean_wait(rate: float, service: float) -> Answer:
    """The mean wait of M/D/1: `mg1_mean_wait` with a service time that is always the same."""
    return mg1_mean_wait(rate, service, service * service)


def geo_g1_mean_wait(chance: float, mean: float, second_moment: float) -> Answer:
    """The mean wait of one server that meets an arrival in a tick with `chance` p: p E[S (S - 1)] / (2 (1 - rho)).

    In ticks. The discrete-time relative of `mg1_mean_wait`; moments are of the service time in ticks (Meisling 1958).
    """
    load = chance * mean
    return UNSTABLE if load >= 1 else chance * (second_moment - mean) / (2 * (1 - load))


def mgc_mean_wait(servers: int, load: float, mean: float, variation: float) -> Answer:
    """About the mean wait of M/G/c: that of M/M/c times (1 + variation^2) / 2 (Lee and Longton 1959).

    An approximation: exact for one server and for exponential service, a few per cent off elsewhere, worse when few
    servers meet very unequal jobs. `variation` is the standard deviation of the service time over its mean.
    """
    wait = mmc_mean_wait(servers, load, mean)
    return wait if isinstance(wait, str) else wait * (1 + variation * variation) / 2


def priority_mean_waits(rates: list[float], means: list[float], second_moments: list[float]) -> list[Answer]:
    """The mean wait of each class of M/G/1 when lower numbers go first and no job is interrupted (Cobham 1954).

    W_k = R / ((1 - s_(k-1)) (1 - s_k)) with R = sum of rate x E[S^2] / 2 and s_k the load of classes 0 to k.
    """
    residual = sum(rate * moment for rate, moment in zip(rates, second_moments, strict=True)) / 2
    waits: list[Answer] = []
    before = 0.0
    for rate, mean in zip(rates, means, strict=True):
        until = before + rate * mean
        waits.append(UNSTABLE if until >= 1 else residual / ((1 - before) * (1 - until)))
        before = until
    return waits


def offered_load(rate: float, mean: float) -> float:
    """The load in erlangs: jobs a unit of time x mean service time, the mean number in service if none ever waits."""
    return rate * mean


def at_least_busy(servers: int, load: float) -> float:
    """The chance that at least `servers` jobs are in service at a moment, if none ever waits (M/G/infinity).

    The number in service is Poisson with mean `load`, whatever the service times (Palm 1943). Summed from the first
    term on, so small chances keep their digits.
    """
    if servers <= 0:
        return 1.0
    if servers <= load:
        below, term = 0.0, 1.0
        scale = _poisson(servers - 1, load)
        for n in range(servers - 1, -1, -1):
            below += term
            term *= n / load
        return max(0.0, 1 - scale * below)
    total, term, n = 0.0, 1.0, servers
    while term > total * 1e-17:
        total += term
        n += 1
        term *= load / n
    return min(1.0, _poisson(servers, load) * total)


def _poisson(n: int, load: float) -> float:
    """e^-load load^n / n!, through logarithms: neither factor need fit a double."""
    if not load:
        return 1.0 if n == 0 else 0.0
    exponent = n * exact.log(load) - load - math.fsum(exact.log(k) for k in range(2, n + 1))
    return 0.0 if exponent < -700 else exact.exp(exponent)


def mdc_mean_wait(servers: int, load: float, service: float) -> Answer:
    """About the mean wait of M/D/c: half that of M/M/c, times a correction (Cosmetatos 1975).

    An approximation: 1 + (1 - rho) (c - 1) (sqrt(4 + 5 c) - 2) / (16 rho c) times W(M/M/c) / 2; exact for one server.
    """
    wait = mmc_mean_wait(servers, load, service)
    if isinstance(wait, str) or not load:
        return wait
    rho = load / servers
    return wait / 2 * (1 + (1 - rho) * (servers - 1) * (math.sqrt(4 + 5 * servers) - 2) / (16 * rho * servers))


def ggc_mean_wait(servers: int, load: float, mean: float, arrivals: float, services: float) -> Answer:
    """About the mean wait of G/G/c: that of M/M/c times (v_a^2 + v_s^2) / 2 (Allen 1978, after Cunneen).

    An approximation; `arrivals` and `services` are coefficients of variation.
    """
    wait = mmc_mean_wait(servers, load, mean)
    return wait if isinstance(wait, str) else wait * (arrivals * arrivals + services * services) / 2


def in_system(rate: float, time: float) -> float:
    """The mean number in the system: jobs a unit of time x the mean time of each (Little 1961)."""
    return rate * time
