"""The default load many times over, in a process of its own: ``python3 -m tests.bench.scale FACTOR DESIGN``.

Prints one line of JSON: seconds, peak memory in MB, jobs, and the estimate that was given before the run.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

from planner import cost, plan
from planner.model import Simulator
from planner.scenario import Scenario


def measured(factor: int, design: str) -> dict[str, Any]:
    """What a fresh process says of one run."""
    command = [sys.executable, "-m", "tests.bench.scale", str(factor), design]
    answer: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer


def _run(factor: int, design: str) -> dict[str, Any]:
    default = Scenario()
    scenario = default.with_values(
        {
            "peak_reads_per_s": default.peak_reads_per_s * factor,
            "sellers": default.sellers * factor,
            "shipments_per_day": default.shipments_per_day * factor,
            "designs": [design],
        }
    )
    idle_mb = _peak_mb()
    start = time.perf_counter()
    row = plan.row(scenario.designs[0], scenario, Simulator())
    return {
        "seconds": time.perf_counter() - start,
        "peak_mb": _peak_mb(),
        "idle_mb": idle_mb,
        "jobs": row["tracking_arrived"] + row["reports_arrived"],
        "estimated_plan_s": cost.estimate(scenario).seconds,
    }


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    print(json.dumps(_run(int(sys.argv[1]), sys.argv[2])))
