"""The models answer alike in CPython and in the tab's interpreter, time zones included."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from planner.ops import inputs
from planner.ops.load import Load
from planner.scenario import Scenario

ASKED: list[tuple[str, dict[str, object]]] = [
    ("pool", {"dispatch": "pull,push,prefetch:2", "sizes": "lognormal:1.5", "jobs": 300}),
    ("pool", {"sizes": "mix:0.9:100,0.1:2100", "jobs": 50}),
    ("limits", {}),
    ("supervise", {"crash_probability": 0.2, "jobs": 500, "attempts": 4, "backoff_ms": 10, "jitter": "full"}),
    ("supervise", {"visibility_ms": 30}),
    ("shutdown", {"sizes": "lognormal:1", "chunk_ms": 30}),
    ("recurring", {"time_zone": "Europe/Berlin", "schedules": "30 2 * * *;*/15 * * * *;every:7"}),
    ("recurring", {"time_zone": "America/New_York", "month": "2026-03", "sizes": "lognormal:1"}),
    ("broker", {}),
    ("audit", {"concurrency": 100}),
    ("settings", {}),
]


PROGRAM = """
import json
from importlib import import_module
from planner.ops import inputs
from planner.ops.load import Load
from planner.scenario import Scenario
def answer(model, values):
    module = import_module("planner.ops." + model)
    return module.report(inputs.build(module.Inputs, values), Load.of(Scenario())).document("tr")
json.dumps([answer(*question) for question in json.loads(given)])
"""


@pytest.fixture(scope="module")
def documents(in_tab: Callable[[str, object], Any]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = in_tab(PROGRAM, ASKED)
    return found


@pytest.mark.parametrize("place", range(len(ASKED)), ids=[f"{name}-{n}" for n, (name, _) in enumerate(ASKED)])
def test_an_answer_is_the_same_to_the_last_bit(place: int, documents: list[dict[str, object]]) -> None:
    name, values = ASKED[place]
    model = import_module(f"planner.ops.{name}")
    report = model.report(inputs.build(model.Inputs, values), Load.of(Scenario()))
    assert documents[place] == json.loads(json.dumps(report.document("tr")))
