"""Inputs, scenarios and the design grammar."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import designs, fields, scenario
from planner.errors import PlannerError
from planner.scenario import Scenario

NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20), st.floats(), st.booleans(), st.text(max_size=8), st.none(), st.lists(st.integers())
)


def test_every_default_passes_its_own_check() -> None:
    for field in fields.FIELDS:
        assert field.check(field.default) == field.default


@pytest.mark.parametrize("field", fields.FIELDS, ids=lambda field: field.name)
@given(value=NUMBERS)
def test_a_field_takes_a_value_within_its_bounds_or_says_why_not(field: fields.Field, value: object) -> None:
    try:
        accepted = field.check(value)
    except PlannerError as refused:
        error = refused
    else:
        assert isinstance(accepted, str) or (accepted == value and field.low <= accepted <= field.high)
        return
    assert error.field == field.name
    assert "allowed: " in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sellers", 0),
        ("sellers", 1.5),
        ("sellers", True),
        ("report_share", 1.0000001),
        ("record_ms", 0),
        ("seed", 2**32),
        ("seed", -1),
        ("resolution", "fine"),
        ("target_utilisation", 0),
        ("search_max_slots", 257),
        ("peak_reads_per_s", float("nan")),
        ("window_minutes", float("inf")),
    ],
)
def test_values_just_outside_are_refused(name: str, value: object) -> None:
    with pytest.raises(PlannerError) as caught:
        Scenario().with_values({name: value})
    assert caught.value.field == name


def test_an_alias_is_the_field() -> None:
    assert Scenario().with_values({"k3": 0.25}).report_share == 0.25


def test_a_field_and_its_alias_together_are_refused() -> None:
    with pytest.raises(PlannerError, match="twice"):
        Scenario().with_values({"k3": 0.25, "report_share": 0.25})


def test_a_document_makes_the_scenario_that_wrote_it() -> None:
    changed = Scenario().with_values({"k2": 12.5, "designs": ["gpm:3:2.5", "shared:2@seed=7;tracking_records=2"]})
    assert scenario.from_document(json.loads(json.dumps(changed.document()))) == changed


def test_a_saved_plan_is_its_scenario() -> None:
    changed = Scenario().with_values({"seed": 5})
    assert scenario.from_document({"version": 1, "scenario": changed.document(), "designs": []}) == changed


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"nul",
        b"\xff\xfe",
        b'{"sellers": 1, "sellers": 2}',
        b'{"nobody": 1}',
        b'{"version": 2}',
        b"[" * 9999,
    ],
)
def test_a_document_that_is_no_scenario_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(PlannerError) as caught:
        scenario.from_bytes(data, 1 << 20)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=200))
def test_no_bytes_make_anything_but_a_scenario_or_a_planner_error(data: bytes) -> None:
    with contextlib.suppress(PlannerError):
        assert isinstance(scenario.from_bytes(data, 1 << 20), Scenario)


@pytest.mark.parametrize(
    "text",
    [
        "shared:2",
        "separate:2:2",
        "priority:4",
        "reserved:4:2",
        "chunked:2:100",
        "preemptive:2:10",
        "preemptive:2:0.5:1.2",
        "push:4:rr",
        "push:4:random",
        "push:4:jsq",
        "stealing:4",
        "gpm:2:10",
        "shared:2@report_share=0.25",
        "shared:2@sellers=10;seed=3",
    ],
)
def test_a_design_is_written_as_it_is_read(text: str) -> None:
    assert str(designs.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("preemptive:2:10:0", "preemptive:2:10"),
        ("preemptive:2:10.0", "preemptive:2:10"),
        ("shared:2@k3=0.250", "shared:2@report_share=0.25"),
        ("shared:2@seed=3;sellers=10", "shared:2@sellers=10;seed=3"),
        ("shared:02", "shared:2"),
    ],
)
def test_one_design_has_one_text(text: str, canonical: str) -> None:
    assert str(designs.parse(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shared",
        "shared:",
        "shared:0",
        "shared:-1",
        "shared:1.5",
        "shared:2:2",
        "separate:2",
        "push:2:lifo",
        "preemptive:2:0",
        "shared:2@",
        "shared:2@k3",
        "shared:2@k3=2",
        "shared:2@designs=shared:1",
        "shared:2@search_workers=1",
        "shared:2@k3=0.1;report_share=0.1",
        "shared:99999",
        "x" * 500,
    ],
)
def test_what_is_no_design_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        designs.parse(text)


@given(st.text(alphabet="sharedpriogm:@=;.0123456789-k", max_size=30))
def test_any_text_is_a_design_or_a_planner_error(text: str) -> None:
    try:
        design = designs.parse(text)
    except PlannerError:
        return
    assert designs.parse(str(design)) == design
