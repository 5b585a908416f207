"""The text catalogue: every sentence a person reads, by language and key.

Owns reading ``templates/text/<language>/*.json``; knows no sentence itself. Imports nothing of the planner.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "tr")
TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence by its key in the catalogue, with the values that fill it."""

    key: str
    params: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, key: str, **params: object) -> Message:
        """The message `key`, its placeholders filled from `params`."""
        return cls(key, tuple(params.items()))

    def text(self, language: str = "en") -> str:
        """The sentence in `language`; nested messages are worded in the same language."""
        values = {name: value.text(language) if isinstance(value, Message) else value for name, value in self.params}
        return lookup(language, self.key).format(**values)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of `language`, nested keys joined by dots."""
    texts: dict[str, str] = {}
    for path in sorted((TEMPLATES / "text" / language).glob("*.json")):
        texts.update(_flatten(json.loads(path.read_text(encoding="utf-8")), ""))
    return texts


def lookup(language: str, key: str) -> str:
    """The text under `key`; a missing key is a defect of the catalogue and raises KeyError."""
    return catalogue(language)[key]


def _flatten(node: Mapping[str, object], prefix: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in node.items():
        if isinstance(value, dict):
            pairs.extend(_flatten(value, f"{prefix}{name}."))
        else:
            pairs.append((prefix + name, str(value)))
    return pairs
