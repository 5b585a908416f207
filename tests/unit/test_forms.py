"""What is typed is read as its writer meant it, or refused; nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import fields, formats, forms
from planner.errors import PlannerError
from planner.scenario import Scenario


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("report_share", "0,5", 0.5),
        ("report_share", "0.5", 0.5),
        ("report_share", "50 %", 0.5),
        ("report_share", "%50", 0.5),
        ("record_ms", "1.2 ms", 1.2),
        ("record_ms", "1200 µs", 1.2),
        ("record_ms", "1.2 ms/record", 1.2),
        ("delay_threshold_ms", "0.1 s", 100),
        ("window_minutes", "0.5 h", 30),
        ("window_minutes", "30 dk", 30),
        ("peak_reads_per_s", "416,67 /s", 416.67),
        ("shipments_per_day", "400k", 400000),
        ("shipments_per_day", "400 bin", 400000),
        ("shipments_per_day", "0.4M", 400000),
        ("shipments_per_day", "400 000", 400000),
        ("shipments_per_day", "4e5", 400000),
        ("shipments_per_day", "1.234.567,5", 1234567.5),
        ("shipments_per_day", "1,234,567.5", 1234567.5),
        ("resolution", "auto", "auto"),
        ("resolution", "otomatik", "auto"),
        ("drain", "1", 1),
        ("report_sizes", "lognormal:1.5", "lognormal:1.5"),
    ],
)
def test_both_languages_read_what_can_mean_one_thing_only(name: str, text: str, value: object) -> None:
    for language in ("en", "tr"):
        assert forms.read_value(fields.find(name), text, language) == value


def test_the_groups_of_a_language_are_its_own() -> None:
    assert forms.read_value(fields.find("sellers"), "4,000", "en") == 4000
    assert forms.read_value(fields.find("sellers"), "4.000", "tr") == 4000
    assert forms.read_value(fields.find("peak_reads_per_s"), "1.234", "en") == 1.234
    assert forms.read_value(fields.find("peak_reads_per_s"), "1,234", "tr") == 1.234


@pytest.mark.parametrize(("text", "language"), [("1,234", "en"), ("1.234", "tr"), ("416.670", "tr")])
def test_what_can_mean_two_things_is_refused_with_both(text: str, language: str) -> None:
    with pytest.raises(PlannerError) as refused:
        forms.read_value(fields.find("peak_reads_per_s"), text, language)
    assert refused.value.problem.key == "errors.ambiguous"


@pytest.mark.parametrize(
    "text",
    ["", "  ", "abc", "1.2.3", "1,23,4", "--5", "1.2 parsec", "5 %", "1e999", "∞", "１２", "1" * 90, "5k m", "0x1"],
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        forms.read_value(fields.find("record_ms"), text, "en")


def test_every_bad_field_is_named_at_once() -> None:
    reading = forms.read({"sellers": "abc", "report_share": "2", "seed": "-1"}, "nonsense", "en")
    assert [error.field for error in reading.errors] == ["sellers", "report_share", "seed", "designs"]


def test_a_bad_override_is_the_list_of_designs_that_is_wrong() -> None:
    (error,) = forms.read({}, "shared:2@report_share=7", "en").errors
    assert error.field == "designs"


def test_a_filled_in_form_reads_back() -> None:
    shown = Scenario().with_values({"record_ms": 0.1, "peak_reads_per_s": 1234.5, "drain": 1, "designs": ["gpm:2:10"]})
    for language in ("en", "tr"):
        texts = forms.values(shown, language)
        assert forms.read(texts, texts.pop("designs"), language).scenario == shown


@given(st.floats(min_value=1e-6, max_value=1e15), st.sampled_from(["en", "tr"]))
def test_every_number_reads_back_exactly(value: float, language: str) -> None:
    field = fields.find("record_ms")
    assert forms.read_value(field, formats.typed(value, language), language) == value
