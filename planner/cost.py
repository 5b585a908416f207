"""What a plan will cost before it runs: draws, jobs and a time, from the load alone.

The unit costs were measured on one core of a 2-core virtual machine with CPython 3.11; they order designs and loads
and tell a second from an hour, no more.
Imports derived, designs, engine.flow, errors, links, model, plan, scenario and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner import links, plan
from planner.derived import Derived, derive
from planner.designs import Design
from planner.engine.flow import NEVER
from planner.errors import PlannerError
from planner.model import rules_of
from planner.scenario import Scenario
from planner.texts import Message

DRAW_NS = 2.5
FLOW_NS, RING_NS, WALK_NS, EVENT_NS = 60.0, 150.0, 1_300.0, 5_000.0
TAB_FACTOR = 3.0
MOST_IN_TAB_S = 60.0
MOST_TAB_JOBS = 8_000_000
"""Jobs of one window that a tab takes on: their arrivals and waits must fit into its memory."""
MOST_NATIVE_S = 48 * 3600.0


@dataclass(frozen=True, slots=True)
class Cost:
    """An estimate for a whole plan, rows and searches: `draws` of the random streams, `jobs` of one window, seconds."""

    draws: float
    jobs: float
    seconds: float

    @property
    def tab_seconds(self) -> float:
        """Seconds in a browser tab."""
        return self.seconds * TAB_FACTOR


def estimate(scenario: Scenario) -> Cost:
    """The cost of planning `scenario`: its designs, and about log2(search_max_slots) runs for each search.

    PlannerError if the scenario makes no model (`plan.check`).
    """
    plan.check(scenario)
    searches = max(1, math.ceil(math.log2(scenario.search_max_slots + 1)))
    runs = [(design, scenario.for_design(design)) for design in scenario.designs]
    runs += [(Design("shared", (scenario.search_max_slots,)), scenario)] * searches
    draws = jobs = seconds = 0.0
    for design, seen in runs:
        derived = derive(seen)
        here = derived.window_ticks * derived.tracking_probability + derived.expected_reports_per_replica
        jobs = max(jobs, here)
        draws += 2.0 * derived.window_ticks
        seconds += _run_ns(design, seen, derived) / 1e9
    # Rows of one load share its draws, and blocks are drawn again only where a backlog has outlived them.
    draws = max(2.0 * derive(scenario).window_ticks, draws / max(1, len(runs)))
    return Cost(draws, jobs, seconds + draws * DRAW_NS / 1e9)


def check_for_tab(scenario: Scenario) -> None:
    """PlannerError if planning `scenario` is too much for a browser tab; it names the command that does it."""
    cost = estimate(scenario)
    if cost.tab_seconds <= MOST_IN_TAB_S and cost.jobs <= MOST_TAB_JOBS:
        return
    problem = Message.of("errors.too_much_for_tab", jobs=f"{cost.jobs:.2g}", seconds=f"{cost.tab_seconds:.2g}")
    command = f"python3 -m planner plan '#{links.write(scenario)}'"
    raise PlannerError("scenario", problem, Message.of("errors.allowed_in_tab", command=command))


def check(scenario: Scenario) -> None:
    """PlannerError if planning `scenario` would take days on one core."""
    cost = estimate(scenario)
    if cost.seconds > MOST_NATIVE_S:
        problem = Message.of("errors.too_much", hours=f"{cost.seconds / 3600:.2g}")
        raise PlannerError("scenario", problem, Message.of("errors.allowed_cost", hours=f"{MOST_NATIVE_S / 3600:.0f}"))


def _run_ns(design: Design, scenario: Scenario, derived: Derived) -> float:
    """Nanoseconds of one design's run, arrivals aside."""
    rules = rules_of(design, scenario, derived)
    capacity = rules.slots * derived.window_ticks
    tracking = min(derived.window_ticks * derived.tracking_probability, capacity / derived.tracking_ticks)
    report_ticks = derived.records_per_report * derived.resolution
    servers = rules.workers or rules.slots
    reports = min(derived.expected_reports_per_replica, servers * derived.window_ticks / report_ticks)
    if rules.piece < report_ticks or rules.help != "none" or rules.dispatch == "jsq":
        pieces = 1 if rules.piece == NEVER else math.ceil(report_ticks / rules.piece)
        return WALK_NS * (tracking + reports * pieces) * (1 + rules.slots / 64 * (rules.dispatch != "none"))
    each = FLOW_NS if derived.tracking_ticks == 1 else RING_NS
    return each * tracking + EVENT_NS * (10 if derived.tracking_ticks > 1 else 1) * 2 * reports
