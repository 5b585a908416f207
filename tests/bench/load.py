"""What the peers are fed: arrivals and lengths of the default scenario, and the runs that its plan consists of.

Imports the plain model for its streams; nothing of the planner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tests.model import oracle

RECORD_MS = 1.2
WINDOW_TICKS = 1_500_000
SEED = 20260730


@dataclass(frozen=True, slots=True)
class Load:
    """One window, in ticks: ascending arrivals, at most one of a kind in a tick, and how long each kind is served."""

    tracking: Sequence[int]
    reports: Sequence[int]
    tracking_ticks: int
    report_ticks: int
    window_ticks: int

    def jobs(self) -> list[tuple[int, bool]]:
        """Arrival and whether it is a report, of every job in the order of arrival, tracking first in a tick."""
        return sorted([(tick, False) for tick in self.tracking] + [(tick, True) for tick in self.reports])

    def ticks(self, is_report: bool) -> int:
        """How long a job of a kind is served."""
        return self.report_ticks if is_report else self.tracking_ticks


@dataclass(frozen=True, slots=True)
class Served:
    """What a peer saw: waits of tracking queries and spans of reports, in ticks, of the jobs that started in time."""

    tracking_waits: list[int]
    report_spans: list[int]


@cache
def default(report_share: float = 0.5) -> Load:
    """The default load of one replica."""
    return Load(
        oracle.arrivals(SEED, (416.67 / 4) * (RECORD_MS / 1000), WINDOW_TICKS),
        oracle.arrivals(SEED + 1, 4000 * report_share / 4 / WINDOW_TICKS, WINDOW_TICKS),
        tracking_ticks=1,
        report_ticks=3000,
        window_ticks=WINDOW_TICKS,
    )


def plan() -> list[tuple[str, Load]]:
    """The 15 runs of the default plan: seven rows, and searches that stop at 7 shared slots and 1 separate one."""
    rows = ["shared:2", "shared:4", "shared:8", "separate:2:2", "separate:4:2"]
    searches = [f"shared:{slots}" for slots in range(1, 8)] + ["separate:1:2"]
    fewer_reports = ["shared:2", "shared:4"]
    return [(design, default()) for design in rows + searches] + [(design, default(0.25)) for design in fewer_reports]
