"""The same bits in CPython and in the tab's interpreter, where NumPy's integers default to 32 bits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from planner import links, plan

FRAGMENTS = [
    "v=1",
    "v=1&designs=shared:1,priority:2,reserved:4:2,chunked:3:500,push:4:random,push:4:jsq,stealing:2,gpm:4:10",
    "v=1&designs=preemptive:2:10:1.2",
    "v=1&k2=7.5&k3=0.9&seed=4294967295",
    "v=1&peak_reads_per_s=0&designs=shared:1,gpm:2:10",
    "v=1&k3=0&designs=shared:1,separate:1:1",
    "v=1&k2=3&peak_reads_per_s=3000&designs=shared:2,priority:3,separate:2:2",
    "v=1&k2=3&tracking_records=3&designs=shared:2,chunked:2:50,gpm:2:10,stealing:2",
    "v=1&k2=4&resolution=7&designs=shared:2,push:3:rr",
    "v=1&k2=10&report_sizes=lognormal:1.5&designs=shared:2,preemptive:2:10",
    "v=1&k2=10&report_sizes=mix:0.9:1000,0.1:21000&reports_profile=0-2:5&reads_profile=1-3:0.25&drain=1",
    "v=1&record_ms=0.7&k2=20&delay_threshold_ms=33.3&replicas=3",
]


PROGRAM = """
import json
from planner import links, plan
json.dumps([plan.run(links.read(fragment).scenario) for fragment in json.loads(given)])
"""


@pytest.fixture(scope="module")
def documents(in_tab: Callable[[str, object], Any]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = in_tab(PROGRAM, FRAGMENTS)
    return found


@pytest.mark.parametrize("place", range(len(FRAGMENTS)), ids=FRAGMENTS)
def test_a_plan_is_the_same_to_the_last_bit(place: int, documents: list[dict[str, object]]) -> None:
    reading = links.read(FRAGMENTS[place])
    assert reading.left_out == ()
    assert documents[place] == json.loads(json.dumps(plan.run(reading.scenario)))
