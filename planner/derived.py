"""The arithmetic between the inputs and the simulation: every derived number with its formula.

Imports fields, numbers, shapes and texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner import fields, numbers, shapes
from planner.fields import Inputs
from planner.shapes import Steps
from planner.texts import Message

HIGHEST_PLAIN_PROBABILITY = 0.5
FINE_PROBABILITY = 0.125
MOST_TICKS = 2**53


@dataclass(frozen=True, slots=True)
class Derived:
    """The derived numbers of a scenario, in the units that their names carry.

    `resolution` is the number of ticks a record that the simulation uses; `billing_records` the shipments of one
    seller's billing period, rounded up; `tracking_steps` and `report_steps` the chances of an arrival a tick over
    the window (`shapes.Profile.steps`), whose means are the two probabilities. `workers_at_full_utilisation` is a
    lower bound and not a capacity, because at utilisation 1 a queue does not empty.
    """

    shipments_per_seller_per_day: float
    records_per_report: float
    report_seconds: float
    scan_rate_per_s: float
    length_ratio: float
    window_ticks: int
    reads_per_replica_per_s: float
    tracking_probability: float
    expected_reports_per_replica: float
    report_probability: float
    expected_reports_total: float
    worker_seconds: float
    workers_at_full_utilisation: float
    workers_at_target_utilisation: int
    resolution: int
    tick_ms: float
    tracking_ticks: int
    billing_records: int
    tracking_steps: Steps
    report_steps: Steps

    def document(self) -> dict[str, float | int]:
        """The numbers by name, in the order of `FORMULAS`."""
        return {name: numbers.tidy(getattr(self, name)) for name in FORMULAS}


FORMULAS = {
    "shipments_per_seller_per_day": "{shipments_per_day} / {sellers}",
    "records_per_report": "⌈{shipments_per_seller_per_day} × {billing_period_days}⌉",
    "report_seconds": "{records_per_report} × {record_ms} / 1000",
    "scan_rate_per_s": "1000 / {record_ms}",
    "length_ratio": "{records_per_report} / {tracking_records}",
    "window_ticks": "round({window_minutes} × 60000 / {record_ms}) × {resolution}",
    "reads_per_replica_per_s": "{peak_reads_per_s} / {replicas}",
    "tracking_probability": "({peak_reads_per_s} / {replicas}) × ({record_ms} / 1000) / {resolution}",
    "expected_reports_per_replica": "{sellers} × {report_share} / {replicas}",
    "report_probability": "{expected_reports_per_replica} / {window_ticks}",
    "expected_reports_total": "{sellers} × {report_share}",
    "worker_seconds": "{expected_reports_total} × {report_seconds}",
    "workers_at_full_utilisation": "{worker_seconds} / ({window_minutes} × 60)",
    "workers_at_target_utilisation": "⌈{workers_at_full_utilisation} / {target_utilisation}⌉",
}
"""How each number is made; names in braces are inputs, derived numbers or the resolution in use."""


def derive(inputs: Inputs) -> Derived:
    """The derived numbers of `inputs`.

    Raises PlannerError where the inputs, each allowed alone, do not make a model together: a window shorter than
    a tick, or more than one arrival expected a tick.
    """
    per_seller = inputs.shipments_per_day / inputs.sellers
    billing_records = _records_per_report(per_seller * inputs.billing_period_days)
    records = shapes.parse_sizes(inputs.report_sizes).mean_records(billing_records)
    report_seconds = records * inputs.record_ms / 1000
    peak = max(chance for _, chance in _steps("reads_profile", inputs, 1.0, _window_ticks(inputs, 1), 1))
    resolution, tracking_probability = _resolve(inputs, peak)
    window_ticks = _window_ticks(inputs, resolution)
    reports = inputs.sellers * inputs.report_share
    report_probability = (reports / inputs.replicas) / window_ticks
    if report_probability > 1:
        raise fields.find("report_share").refuse(
            Message.of("errors.reports_per_tick", value=numbers.shortest(round(report_probability, 3)))
        )
    if records * resolution > MOST_TICKS or inputs.tracking_records * resolution > MOST_TICKS:
        raise fields.find("resolution").refuse(Message.of("errors.job_too_long"))
    worker_seconds = reports * report_seconds
    workers = worker_seconds / (inputs.window_minutes * 60)
    return Derived(
        shipments_per_seller_per_day=per_seller,
        records_per_report=records,
        report_seconds=report_seconds,
        scan_rate_per_s=1000 / inputs.record_ms,
        length_ratio=records / inputs.tracking_records,
        window_ticks=window_ticks,
        reads_per_replica_per_s=inputs.peak_reads_per_s / inputs.replicas,
        tracking_probability=tracking_probability,
        expected_reports_per_replica=reports / inputs.replicas,
        report_probability=report_probability,
        expected_reports_total=reports,
        worker_seconds=worker_seconds,
        workers_at_full_utilisation=workers,
        workers_at_target_utilisation=_ceil(workers / inputs.target_utilisation),
        resolution=resolution,
        tick_ms=inputs.record_ms / resolution,
        tracking_ticks=inputs.tracking_records * resolution,
        billing_records=billing_records,
        tracking_steps=_possible(
            "reads_profile", _steps("reads_profile", inputs, tracking_probability, window_ticks, resolution)
        ),
        report_steps=_possible(
            "reports_profile", _steps("reports_profile", inputs, report_probability, window_ticks, resolution)
        ),
    )


def _steps(name: str, inputs: Inputs, probability: float, window_ticks: int, resolution: int) -> Steps:
    """The chances of an arrival over the window by the profile `name`; PlannerError if it does not fit the window."""
    field, profile = fields.find(name), shapes.parse_profile(str(inputs.value(name)))
    if profile.end > inputs.window_minutes:
        raise field.refuse(Message.of("errors.profile_beyond", end=numbers.shortest(profile.end)))
    try:
        return profile.steps(probability, window_ticks, 60000 / inputs.record_ms, resolution)
    except shapes.ShapeError as error:
        raise field.refuse(error.problem) from None


def _possible(name: str, steps: Steps) -> Steps:
    """`steps`, unless one of them expects more than one arrival a tick."""
    peak = max(chance for _, chance in steps)
    if peak > 1:
        raise fields.find(name).refuse(Message.of("errors.profile_peak", value=f"{peak:.3g}"))
    return steps


def _records_per_report(records: float) -> int:
    if records > MOST_TICKS:
        raise fields.find("shipments_per_day").refuse(Message.of("errors.job_too_long"))
    return math.ceil(records)


def _ceil(value: float) -> int:
    if value > MOST_TICKS:
        raise fields.find("target_utilisation").refuse(Message.of("errors.too_many_workers"))
    return math.ceil(value)


def _resolve(inputs: Inputs, peak: float) -> tuple[int, float]:
    """The resolution in use and the mean chance of a tracking arrival in a tick at that resolution.

    `peak` is the busiest chance over the mean one; the busiest decides, because a tick carries one arrival at most.
    """
    plain = (inputs.peak_reads_per_s / inputs.replicas) * (inputs.record_ms / 1000)
    if plain * peak > MOST_TICKS:
        raise fields.find("peak_reads_per_s").refuse(Message.of("errors.too_many_ticks"))
    if isinstance(inputs.resolution, int):
        probability = plain / inputs.resolution
        if probability > 1:
            raise fields.find("resolution").refuse(
                Message.of("errors.resolution_too_low", value=inputs.resolution, probability=f"{probability:.3g}")
            )
        return inputs.resolution, probability
    if plain * peak <= HIGHEST_PLAIN_PROBABILITY:
        return 1, plain
    resolution = math.ceil(plain * peak / FINE_PROBABILITY)
    while plain * peak / resolution > FINE_PROBABILITY:
        resolution += 1
    while resolution > 1 and plain * peak / (resolution - 1) <= FINE_PROBABILITY:
        resolution -= 1
    return resolution, plain / resolution


def _window_ticks(inputs: Inputs, resolution: int) -> int:
    records = inputs.window_minutes * 60000 / inputs.record_ms
    if not records * resolution <= MOST_TICKS:
        raise fields.find("window_minutes").refuse(Message.of("errors.too_many_ticks"))
    ticks = numbers.half_up(records) * resolution
    if ticks < 1:
        raise fields.find("window_minutes").refuse(Message.of("errors.window_too_short"))
    return ticks
