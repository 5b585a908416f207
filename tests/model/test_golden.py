"""The golden rows at full precision, and the golden sizing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner import plan
from planner.designs import parse
from planner.model import Simulator
from planner.scenario import Scenario

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    return Simulator()


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda row: row["design"])
def test_the_golden_rows_at_full_precision(golden: dict[str, object], simulator: Simulator) -> None:
    row = plan.row(parse(str(golden["design"])), Scenario(), simulator)
    assert {name: row[name] for name in golden} == golden


def test_the_golden_sizing() -> None:
    sizing = plan.run(Scenario())["sizing"]
    assert sizing == {
        "shared": {"slots": 7, "slots_total": 28},
        "separate": {
            "slots": 1,
            "slots_total": 4,
            "workers_at_full_utilisation": 4.0,
            "workers_at_target_utilisation": 6,
        },
    }
