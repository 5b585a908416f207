"""One timed run of the planner; the same in CPython and in the tab, where this file is sent as it stands.

Imports the planner and the standard library only.
"""

from __future__ import annotations

import time
from typing import Any

from planner import designs, plan
from planner.derived import derive
from planner.model import Simulator
from planner.scenario import Scenario
from planner.streams import Stream


def timed(what: str) -> dict[str, Any]:
    """Milliseconds and rows of ``"plan"``, of ``"arrivals"``, or of one design; nothing is kept from run to run."""
    start = time.perf_counter()
    if what == "plan":
        rows = plan.run(Scenario())["designs"]
    elif what == "arrivals":
        rows = []
        draw_arrivals()
    else:
        rows = [plan.row(designs.parse(what), Scenario(), Simulator())]
    return {"ms": (time.perf_counter() - start) * 1000, "rows": rows}


def draw_arrivals() -> None:
    """The streams that the default plan cannot do without: tracking, and reports at either share."""
    seed = Scenario().seed
    for share, kinds in ((0.5, ("tracking", "report")), (0.25, ("report",))):
        derived = derive(Scenario().with_values({"report_share": share}))
        for kind in kinds:
            chance = derived.tracking_probability if kind == "tracking" else derived.report_probability
            Stream.even(seed + (kind == "report"), derived.window_ticks, chance).all()
