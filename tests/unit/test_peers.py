"""SimPy and Ciw, fed the same arrivals, see the very waits that the plain model sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench import in_ciw, in_simpy, load
from tests.bench.load import Load
from tests.model import oracle

WINDOW_TICKS = 400
GOLDEN = json.loads((Path(oracle.__file__).parent / "golden.json").read_text(encoding="utf-8"))


@st.composite
def loads(draw: st.DrawFn) -> Load:
    """Small windows, from idle to hopelessly overloaded; arrivals of both kinds in one tick included."""
    ticks = st.integers(0, WINDOW_TICKS - 1)
    return Load(
        tracking=sorted(draw(st.sets(ticks, max_size=150))),
        reports=sorted(draw(st.sets(ticks, max_size=25))),
        tracking_ticks=draw(st.sampled_from([1, 2, 7])),
        report_ticks=draw(st.sampled_from([1, 5, 40, 300])),
        window_ticks=WINDOW_TICKS,
    )


def told(design: str, load: Load) -> tuple[list[int], list[int]]:
    outcome = oracle.simulate(
        design=design,
        window_ticks=load.window_ticks,
        tracking_ticks=load.tracking_ticks,
        report_ticks=load.report_ticks,
        tracking_arrivals=load.tracking,
        report_arrivals=load.reports,
    )
    return outcome.tracking_waits, outcome.report_spans


@given(
    design=st.sampled_from("shared:1 shared:2 shared:5 separate:1:1 separate:3:2 priority:1 priority:3".split()),
    load=loads(),
)
@settings(max_examples=150, deadline=None)
def test_simpy_sees_the_same_waits(design: str, load: Load) -> None:
    served = in_simpy.simulate(design, load)
    assert (served.tracking_waits, served.report_spans) == told(design, load)


@given(design=st.sampled_from("shared:1 shared:2 shared:5 separate:1:1 separate:3:2".split()), load=loads())
@settings(max_examples=60, deadline=None)
def test_ciw_sees_the_same_waits(design: str, load: Load) -> None:
    served = in_ciw.simulate(design, load)
    assert (served.tracking_waits, served.report_spans) == told(design, load)


def test_simpy_gives_the_golden_row_of_two_shared_slots() -> None:
    served = in_simpy.simulate("shared:2", load.default())
    waits = sorted(served.tracking_waits)
    (row,) = (row for row in GOLDEN if row["design"] == "shared:2")
    assert len(waits) == row["tracking_requests"]
    assert waits[len(waits) * 99 // 100] * load.RECORD_MS == row["wait_p99_ms"]
    assert waits[-1] * load.RECORD_MS == row["wait_max_ms"]
    assert sum(wait * load.RECORD_MS > 100 for wait in waits) == row["delayed"]
    assert len(served.report_spans) == row["reports_started"]


def test_a_design_that_a_peer_does_not_tell_is_refused() -> None:
    for peer in (in_simpy, in_ciw):
        with pytest.raises(ValueError, match="not told"):
            peer.simulate("gpm:2:10", load.default())
