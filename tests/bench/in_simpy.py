"""The model in SimPy: a store a line, a process a slot. A process a job and a resource a pool would take longer."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import simpy
from simpy.events import URGENT

from tests.bench.load import Load, Served


class _Arrival(simpy.Event):
    """A pause after which arrivals come before the slots that free at the same time."""

    def __init__(self, env: simpy.Environment, delay: float) -> None:
        super().__init__(env)
        self._ok, self._value = True, None
        env.schedule(self, URGENT, delay)


def simulate(design: str, load: Load) -> Served:
    """Run ``shared:Y``, ``separate:Y:W`` or ``priority:Y``."""
    kind, slots, *workers = design.split(":")
    if kind not in ("shared", "separate", "priority"):
        raise ValueError(f"not told in SimPy: {design}")
    env = simpy.Environment()
    # Jobs are (is_report, arrival): a priority line serves them in this order, any other in that of arrival.
    line = simpy.PriorityStore(env) if kind == "priority" else simpy.Store(env)
    tasks = simpy.Store(env) if workers else line
    served = Served([], [])

    def slot(jobs: simpy.Store) -> Generator[simpy.Event, Any, None]:
        while True:
            is_report, arrived = yield jobs.get()
            wait = int(env.now) - arrived
            if is_report:
                served.report_spans.append(wait + load.report_ticks)
            else:
                served.tracking_waits.append(wait)
            yield env.timeout(load.ticks(is_report))

    def source() -> Generator[simpy.Event, Any, None]:
        for tick, is_report in load.jobs():
            if tick > env.now:
                yield _Arrival(env, tick - env.now)
            (tasks if is_report else line).put((is_report, tick))

    env.process(source())
    for _ in range(int(slots)):
        env.process(slot(line))
    for _ in range(int(workers[0]) if workers else 0):
        env.process(slot(tasks))
    env.run(until=load.window_ticks)
    return served
