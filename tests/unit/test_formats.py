"""Numbers are written as each language writes them, and rounded as the golden table is."""

from __future__ import annotations

import pytest

from planner import formats


@pytest.mark.parametrize(
    ("value", "decimals", "english", "turkish"),
    [
        (1234.5678, 2, "1,234.57", "1.234,57"),
        (187459, None, "187,459", "187.459"),
        (0.125001, None, "0.125001", "0,125001"),
        (1 / 3000, None, "0.000333333", "0,000333333"),
        (416.67, None, "416.67", "416,67"),
        (1.5e-9, None, "1.5e-09", "1,5e-09"),
        (0, None, "0", "0"),
        (None, 2, "–", "–"),
    ],
)
def test_numbers(value: float | None, decimals: int | None, english: str, turkish: str) -> None:
    assert formats.number(value, "en", decimals) == english
    assert formats.number(value, "tr", decimals) == turkish


def test_the_percent_sign_stands_where_the_language_puts_it() -> None:
    assert formats.share(0.29015, "en", 2) == "29.02%"
    assert formats.share(0.29015, "tr", 2) == "%29,02"


def test_golden_columns_keep_their_decimals_however_small_the_number() -> None:
    assert formats.named("delayed_share", 0.00001, "en") == "0.0000"
    assert formats.named("wait_max_ms", 9398.4, "en") == "9,398"


def test_a_tiny_derived_number_is_not_shown_as_nothing() -> None:
    assert formats.named("report_seconds", 0.0012, "en") == "0.0012"
    assert formats.named("report_seconds", 3.6, "en") == "3.60"


def test_the_form_holds_exact_numbers_without_groups() -> None:
    assert formats.typed(400000, "tr") == "400000"
    assert formats.typed(416.67, "tr") == "416,67"
    assert formats.typed("auto", "tr") == "auto"


def test_one_has_a_singular_in_english_only() -> None:
    assert formats.count("slots", 1).text("en") == "1 slot"
    assert formats.count("slots", 28).text("en") == "28 slots"
    assert formats.count("slots", 28).text("tr") == "28 yuva"
