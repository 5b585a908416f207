"""The model in Ciw: a node a pool, fed with the very arrivals and services.

Ciw picks at random between events of the same time, so the jobs of one pool come from one sequence in their order.
"""

from __future__ import annotations

from itertools import pairwise

import ciw  # type: ignore[import-untyped]

from tests.bench.load import Load, Served

Jobs = list[tuple[int, bool]]


def simulate(design: str, load: Load) -> Served:
    """Run ``shared:Y`` or ``separate:Y:W``."""
    kind, *sizes = design.split(":")
    jobs = load.jobs()
    if kind == "shared":
        pools = [jobs]
    elif kind == "separate":
        pools = [[job for job in jobs if not job[1]], [job for job in jobs if job[1]]]
    else:
        raise ValueError(f"not told in Ciw: {design}")
    simulation = ciw.Simulation(
        ciw.create_network(
            arrival_distributions=[ciw.dists.Sequential(_gaps(pool, load.window_ticks)) for pool in pools],
            service_distributions=[
                ciw.dists.Sequential([load.ticks(is_report) for _, is_report in pool] or [1]) for pool in pools
            ],
            number_of_servers=[int(size) for size in sizes],
            routing=[[0.0] * len(pools)] * len(pools),
        )
    )
    simulation.simulate_until_max_time(load.window_ticks)
    return _served(simulation, pools, load)


def _gaps(pool: Jobs, window_ticks: int) -> list[int]:
    """Times between arrivals; the last reaches past the window, for the sequence is never to begin again."""
    return [later - earlier for earlier, later in pairwise([0, *(tick for tick, _ in pool)])] + [window_ticks]


def _served(simulation: ciw.Simulation, pools: list[Jobs], load: Load) -> Served:
    """Each pool is served in order, so its n-th record, by start, is of its n-th job."""
    records = [
        record for record in simulation.get_all_records(include_incomplete=True) if record.waiting_time is not None
    ]
    records.sort(key=lambda record: (record.service_start_date, record.id_number))
    jobs = [iter(pool) for pool in pools]
    served = Served([], [])
    for record in records:
        _, is_report = next(jobs[record.node - 1])
        if is_report:
            served.report_spans.append(int(record.waiting_time) + load.report_ticks)
        else:
            served.tracking_waits.append(int(record.waiting_time))
    return served
