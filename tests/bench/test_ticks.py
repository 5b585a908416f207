"""The JavaScript peer computes what the planner computes, or its speed would say nothing."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench import node
from tests.model import oracle

GOLDEN = json.loads((Path(oracle.__file__).parent / "golden.json").read_text(encoding="utf-8"))


def test_the_javascript_peer_gives_the_golden_rows() -> None:
    assert [node.timed(row["design"])["rows"][0] for row in GOLDEN] == GOLDEN


def test_its_plan_has_the_seven_rows_and_both_sizes() -> None:
    answer = node.timed("plan")
    assert [row["delayed"] for row in answer["rows"]] == [54392, 3088, 0, 15204, 293, 0, 0]
    assert (answer["shared"], answer["separate"]) == (7, 1)
