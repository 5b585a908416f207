"""Both languages say the same things: the same keys, the same placeholders, no key that nobody uses."""

from __future__ import annotations

import re
import string

import pytest

from planner.texts import LANGUAGES, TEMPLATES, Message, catalogue


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_keys() -> None:
    english, turkish = (set(catalogue(language)) for language in LANGUAGES)
    assert english - turkish == set()
    assert turkish - english == set()


def test_both_languages_fill_in_the_same_values() -> None:
    english, turkish = (catalogue(language) for language in LANGUAGES)
    different = {key for key in english if key in turkish and placeholders(english[key]) != placeholders(turkish[key])}
    assert different == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_carries_markup(language: str) -> None:
    for key, text in catalogue(language).items():
        assert text.strip() or key.startswith(("units.none", "derived.")), key
        assert not re.search(r"<[a-z/]", text), key


def test_templates_hold_no_words_of_their_own() -> None:
    for path in TEMPLATES.rglob("*.html"):
        plain = re.sub(r"{[{%].*?[%}]}|<[^>]*>|&\w+;", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"[^\W\d_]{3,}", plain), path.name


def test_a_sentence_within_a_sentence_has_the_same_language() -> None:
    bounds = Message.of("errors.bounds_closed", low=1)
    assert Message.of("errors.allowed_integer", bounds=bounds).text("tr") == "bir tam sayı, en az 1"
