"""Months, time zones and cron expressions as moments: whole microseconds since the month began.

Cron expressions are read by cronsim (pure Python, BSD licence, maintained, made to match Debian's cron, daylight-saving
changes included). Zone rules come from the package tzdata where it is there, so every machine and the tab have the
same; else from the system. Imports inputs.
"""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from planner.errors import PlannerError
from planner.numbers import parse, quote
from planner.ops import exactly
from planner.texts import Message

UTC = UTC
SECOND = 1_000_000
MOST_RUNS = 50_000
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
Refuse = Callable[..., PlannerError]


@dataclass(frozen=True, slots=True)
class Month:
    """A calendar month in a time zone, from its first local midnight to the next month's."""

    zone: ZoneInfo
    year: int
    month: int

    @property
    def start(self) -> datetime:
        """The first moment, in UTC."""
        return datetime(self.year, self.month, 1, tzinfo=self.zone).astimezone(UTC)

    @property
    def end(self) -> datetime:
        """The first moment of the next month, in UTC."""
        year, month = (self.year, self.month + 1) if self.month < 12 else (self.year + 1, 1)
        return datetime(year, month, 1, tzinfo=self.zone).astimezone(UTC)

    @property
    def length(self) -> int:
        """Microseconds of the month."""
        return since(self.start, self.end)

    def local(self, moment: int) -> datetime:
        """The wall clock `moment` microseconds into the month."""
        return (self.start + timedelta(microseconds=moment)).astimezone(self.zone)

    def days(self) -> list[tuple[str, int, int]]:
        """(date, first moment, last moment) of each local day."""
        first = datetime(self.year, self.month, 1)
        edges = []
        while first.month == self.month:
            edges.append((first.date().isoformat(), since(self.start, first.replace(tzinfo=self.zone))))
            first += timedelta(days=1)
        ends = [*(edge for _, edge in edges[1:]), self.length]
        return [(day, start, end) for (day, start), end in zip(edges, ends, strict=True)]

    def clock_changes(self) -> list[tuple[datetime, int, int]]:
        """(local time after the change, minutes from UTC before, after) of each change of the clock in the month."""
        found = []
        hour = timedelta(hours=1)
        now = self.start
        while now < self.end:
            before, after = self._offset(now), self._offset(now + hour)
            if before != after:
                found.append((self._edge(now).astimezone(self.zone), before, after))
            now += hour
        return found

    def _edge(self, hour: datetime) -> datetime:
        """The minute within the hour from `hour` on in which the offset changes."""
        minute = hour
        while self._offset(minute) == self._offset(hour):
            minute += timedelta(minutes=1)
        return minute

    def _offset(self, moment: datetime) -> int:
        offset = moment.astimezone(self.zone).utcoffset()
        assert offset is not None
        return int(offset.total_seconds() // 60)


def since(start: datetime, moment: datetime) -> int:
    """Microseconds from `start` to `moment`; both are aware."""
    return (moment.astimezone(UTC) - start.astimezone(UTC)) // timedelta(microseconds=1)


def parse_month(text: str, zone: ZoneInfo, refuse: Refuse) -> Month:
    """The month that ``YYYY-MM`` names."""
    match = _MONTH.fullmatch(text)
    if match is None or not 1970 <= int(match[1]) <= 2100 or not 1 <= int(match[2]) <= 12:
        raise refuse("month", "month", value=quote(text))
    return Month(zone, int(match[1]), int(match[2]))


def find_zone(name: str, refuse: Refuse) -> ZoneInfo:
    """The time zone called `name` in the IANA list."""
    if len(name) > 60 or not _ZONE.fullmatch(name):
        raise refuse("time_zone", "zone", value=quote(name))
    try:
        packed = importlib.resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
        with packed.open("rb") as file:
            return ZoneInfo.from_file(file, key=name)
    except (OSError, ValueError, ModuleNotFoundError):
        pass
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        raise refuse("time_zone", "zone", value=quote(name)) from None


def due(schedule: str, month: Month, refuse: Refuse) -> list[int]:
    """The moments of the month at which `schedule` is due: a cron expression, or ``every:MINUTES`` of real time."""
    if schedule.lower().startswith("every:"):
        return _every(schedule, month, refuse)
    if len(schedule) > 200:
        raise refuse("schedules", "schedule", value=quote(schedule), why="")
    moments: list[int] = []
    before = month.start.astimezone(month.zone) - timedelta(seconds=1)
    cron, unreadable = _cronsim()
    try:
        for moment in cron(schedule, before):
            at = since(month.start, moment)
            if at >= month.length:
                break
            if at >= 0:
                moments.append(at)
            if len(moments) > MOST_RUNS:
                raise refuse("schedules", "too_many_runs", value=quote(schedule), most=MOST_RUNS)
    except (unreadable, AssertionError, OverflowError) as error:
        raise refuse("schedules", "schedule", value=quote(schedule), why=quote(str(error).lower())) from None
    return sorted(moments)


def _cronsim() -> tuple[Any, type[Exception]]:
    """The reader of cron expressions; imported here, because every other command does without it."""
    try:
        from cronsim import CronSim, CronSimError
    except ModuleNotFoundError:
        problem, allowed = Message.of("ops.errors.no_cronsim"), Message.of("ops.allowed.no_cronsim")
        raise PlannerError("schedules", problem, allowed) from None
    return CronSim, CronSimError


def _every(schedule: str, month: Month, refuse: Refuse) -> list[int]:
    minutes = parse(schedule.partition(":")[2])
    if minutes is None or not 0 < minutes <= 1e6:
        raise refuse("schedules", "schedule", value=quote(schedule), why="every")
    step: Fraction = exactly.fraction(minutes) * 60 * SECOND
    count = -(-month.length // step)
    if count > MOST_RUNS:
        raise refuse("schedules", "too_many_runs", value=quote(schedule), most=MOST_RUNS)
    return [int(step * n) for n in range(int(count))]
