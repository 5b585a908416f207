"""What the page says about a plan: the form, the chain of formulas, the verdict, the table, the story. No markup.

Sentences are messages whose numbers are written in the reader's language when they are rendered.
Imports derived, designs, fields, formats, links, scenario and texts.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner import designs, fields, formats, links
from planner.derived import FORMULAS, derive
from planner.fields import Field
from planner.formats import count, figure, percent
from planner.scenario import Scenario
from planner.texts import Message

_NAMES = re.compile(r"\{(\w+)\}")
_CLASSES = ("K01", "K02", "assumption", "model")
_SHOWN_FIRST = ("tracking_records", "delay_threshold_ms", "search_max_slots", "search_workers")

METRICS = (
    "tracking_requests",
    "wait_p50_ms",
    "wait_p99_ms",
    "wait_max_ms",
    "delayed",
    "delayed_share",
    "reports_started",
    "reports_arrived",
    "report_mean_s",
)
"""The columns of the designs table between the design and the busy slots, in the order of the golden table."""

MORE = (
    "wait_mean_ms",
    "wait_p90_ms",
    "wait_p95_ms",
    "wait_p99_ms",
    "wait_p999_ms",
    "report_p50_s",
    "report_p95_s",
    "report_p99_s",
    "report_max_s",
    "tracking_unfinished",
    "reports_unfinished",
    "worker_utilisation",
)
"""What is told of one design beside its row in the table."""

EXAMPLES = (
    "shared:6",
    "separate:1:2",
    "priority:2",
    "reserved:4:2",
    "chunked:2:100",
    "preemptive:2:10",
    "push:4:jsq",
    "stealing:4",
    "gpm:2:10",
)
"""One design of each kind, to add to the list with one click."""


@dataclass(frozen=True, slots=True)
class Step:
    """One derived number: `formula` in names, `filled` in numbers, `classes` of the inputs that it rests on."""

    name: str
    value: float
    formula: str
    filled: Message
    classes: tuple[str, ...]


class Filled(Message):
    """A formula with its numbers in place."""

    __slots__ = ()

    def text(self, language: str = "en") -> str:
        """The formula in the number format of `language`."""
        return self.key.format(
            **{name: part.text(language) for name, part in self.params if isinstance(part, Message)}
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer in sentences, and the numbers that it is made of by name."""

    headline: Message
    saving: Message | None
    shared: Message
    separate: Message
    workers: Message
    figures: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Story:
    """Why queries wait although slots are idle: sentences, and the parts of the slots' time that add up to 1."""

    design: str
    sentences: tuple[Message, ...]
    reports: float
    tracking: float

    @property
    def idle(self) -> float:
        """The part of the slots' time in which they hold nothing."""
        return max(0.0, 1 - self.reports - self.tracking)


def form(scenario: Scenario) -> list[tuple[str, list[Field]]]:
    """The fields by class, as the form shows them; of the model's, those that a plan is argued with come first."""
    model = [field for field in fields.FIELDS if field.source == "model"]
    model.sort(key=lambda field: field.name not in _SHOWN_FIRST)
    groups = {name: [field for field in fields.FIELDS if field.source == name] for name in _CLASSES}
    return list({**groups, "model": model}.items())


def changed(scenario: Scenario) -> list[str]:
    """Names of the fields that differ from their defaults."""
    plain = Scenario().document()
    return [name for name, value in scenario.document().items() if value != plain[name]]


def command(scenario: Scenario) -> str:
    """The command line that computes the same plan."""
    words = ["python3", "-m", "planner", "plan"]
    return shlex.join(words if scenario == Scenario() else [*words, "#" + links.write(scenario)])


def chain(scenario: Scenario) -> list[Step]:
    """The derived numbers in the order in which they build on each other."""
    derived = derive(scenario)
    known: dict[str, tuple[Message, tuple[str, ...]]] = {
        field.name: (_input(scenario.value(field.name)), (field.source,)) for field in fields.FIELDS
    }
    known["resolution"] = (figure(derived.resolution), ("model",))
    steps = []
    for name, value in derived.document().items():
        used = _NAMES.findall(FORMULAS[name])
        classes = {source for part in used for source in known[part][1]}
        ordered = tuple(source for source in _CLASSES if source in classes)
        filled = Filled(FORMULAS[name], tuple((part, known[part][0]) for part in used))
        steps.append(Step(name, value, FORMULAS[name].replace("{", "").replace("}", ""), filled, ordered))
        known[name] = (Named(name, value=value), ordered)
    return steps


@dataclass(frozen=True, slots=True)
class Named(formats.Figure):
    """A figure with the decimals of the derived number or metric that it is; its key is the name."""

    def text(self, language: str = "en") -> str:
        """The number in `language`."""
        return formats.named(self.key, self.value, language)


def _input(value: fields.Value) -> Message:
    return figure(0) if isinstance(value, str) else figure(value)


def verdict(scenario: Scenario, sizing: Mapping[str, Mapping[str, Any]]) -> Verdict:
    """The unit of scaling of both designs, in sentences."""
    shared, separate = sizing["shared"], sizing["separate"]
    full, target = separate["workers_at_full_utilisation"], separate["workers_at_target_utilisation"]
    found = {(True, True): "both", (True, False): "shared", (False, True): "separate", (False, False): "neither"}
    which = found[shared["slots"] is not None, separate["slots"] is not None]
    headline = Message.of(
        f"verdict.{which}",
        threshold=figure(scenario.delay_threshold_ms),
        shared=count("slots", shared["slots_total"]),
        separate=count("slots", separate["slots_total"]),
        workers=count("workers", target),
        most=figure(scenario.search_max_slots),
    )
    spare = (shared["slots_total"] or 0) - (separate["slots_total"] or 0)
    saving = Message.of("verdict.saving", spare=count("slots", spare)) if which == "both" and spare > 0 else None
    return Verdict(
        headline,
        saving,
        _unit(scenario, shared, "shared"),
        _unit(scenario, separate, "separate"),
        Message.of(
            "verdict.workers",
            seconds=figure(derive(scenario).worker_seconds),
            window=figure(scenario.window_minutes * 60),
            full=Named("workers_at_full_utilisation", value=full),
            utilisation=percent(scenario.target_utilisation, 0),
            target=count("workers", target),
        ),
        {
            "shared_slots": shared["slots"],
            "shared_slots_total": shared["slots_total"],
            "separate_slots": separate["slots"],
            "separate_slots_total": separate["slots_total"],
            "workers_at_full_utilisation": full,
            "workers_at_target_utilisation": target,
        },
    )


def _unit(scenario: Scenario, found: Mapping[str, Any], kind: str) -> Message:
    if found["slots"] is None:
        return Message.of("verdict.no_size", most=figure(scenario.search_max_slots))
    replicas = count("replicas", scenario.replicas)
    return Message.of(f"verdict.unit_{kind}", slots=count("slots", found["slots"]), replicas=replicas)


def meaning(text: str) -> Message:
    """A design in words: its kind and what its arguments are; overrides speak for themselves."""
    design = designs.parse(text)
    arguments = zip(designs.KINDS[design.kind], design.arguments, strict=True)
    parts = [Message.of(f"arguments.{spec.name}", value=_argument(value)) for spec, value in arguments]
    whole = parts[0]
    for part in parts[1:]:
        whole = Message.of("arguments.and", first=whole, then=part)
    return Message.of("arguments.design", kind=Message.of(f"kinds.{design.kind}.name"), arguments=whole)


def _argument(value: float | int | str) -> object:
    return value if isinstance(value, str) else figure(value)


def story(scenario: Scenario, rows: Sequence[Mapping[str, Any]]) -> Story | None:
    """The row whose queries wait most although its slots have time to spare; None if no row is like that."""
    told = [row for row in rows if row["delayed"] and _busy(row) < 1 and not designs.parse(row["design"]).workers]
    if not told:
        return None
    row = max(told, key=lambda row: float(row["delayed_share"]))
    design = designs.parse(row["design"])
    seen = scenario.for_design(design)
    derived = derive(seen)
    window_s = derived.window_ticks * derived.tick_ms / 1000
    busy = row["slot_utilisation"]
    capacity = design.slots * window_s
    sentences = [
        Message.of(
            "story.busy",
            design=row["design"],
            reports=count("reports", row["reports_started"]),
            report_seconds=Named("report_seconds", value=derived.report_seconds),
            held=figure(busy["reports"] * capacity, 0),
            capacity=figure(capacity, 0),
            slots=count("slots", design.slots),
            reports_share=percent(busy["reports"], 1),
            tracking_share=percent(busy["tracking"], 1),
            one_slot=percent(busy["tracking"] * design.slots, 1),
            total=percent(_busy(row), 1),
        ),
        Message.of(
            "story.waits",
            share=percent(row["delayed_share"]),
            threshold=figure(seen.delay_threshold_ms),
            p99=figure(row["wait_p99_ms"], 0),
            longest=figure(row["wait_max_ms"], 0),
        ),
        Message.of("story.reason", slots=count("slots", design.slots), ratio=figure(derived.length_ratio)),
    ]
    return Story(row["design"], (*sentences, *_price(scenario, rows)), busy["reports"], busy["tracking"])


def jam(wait: Mapping[str, Any]) -> Message:
    """The longest wait in a sentence; its numbers are seconds and milliseconds."""
    return Message.of(
        "why.jam_text",
        came=figure(wait["arrival_s"], 2),
        started=figure(wait["start_s"], 2),
        wait=figure(wait["wait_ms"], 1),
        ahead=count("queries", wait["queries_ahead"]),
    )


def _price(scenario: Scenario, rows: Sequence[Mapping[str, Any]]) -> list[Message]:
    """What separate queues cost, if the list has a design with them."""
    for row in rows:
        design = designs.parse(row["design"])
        if design.workers and not row["delayed"] and row["report_mean_s"]:
            alone = derive(scenario.for_design(design)).report_seconds
            price = Message.of(
                "story.price",
                design=row["design"],
                mean=figure(row["report_mean_s"], 2),
                alone=Named("report_seconds", value=alone),
                workers=count("workers", design.workers),
            )
            return [price]
    return []


def _busy(row: Mapping[str, Any]) -> float:
    return float(row["slot_utilisation"]["tracking"] + row["slot_utilisation"]["reports"])
