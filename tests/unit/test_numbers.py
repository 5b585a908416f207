"""Numbers as text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import numbers


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_shortest_text_reads_back_as_the_same_number(value: float) -> None:
    assert numbers.parse(numbers.shortest(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_shortest_text_needs_no_escape_in_a_url(value: float) -> None:
    assert set(numbers.shortest(value)) <= set("0123456789.e-")


@given(st.text(max_size=60))
def test_reading_any_text_gives_a_finite_number_or_nothing(text: str) -> None:
    value = numbers.parse(text)
    assert value is None or math.isfinite(value)


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e999", "0x10", "1_000", "١٢", "1,5", "--1", "9" * 41])
def test_what_is_not_a_plain_decimal_is_nothing(text: str) -> None:
    assert numbers.parse(text) is None


@pytest.mark.parametrize(("value", "expected"), [(2.5, 3), (3.5, 4), (2.4999, 2), (-0.5, 0), (0.49999999999999994, 0)])
def test_halves_go_up(value: float, expected: int) -> None:
    assert numbers.half_up(value) == expected


@given(st.text())
def test_a_quoted_value_is_one_short_printable_line(text: str) -> None:
    quoted = numbers.quote(text)
    assert len(quoted) <= 40
    assert quoted.isprintable()
