"""The smallest size that meets a target on enough mornings, and how sure that is.

A morning is asked by itself (`ask`), so mornings may be asked in any order and place, and `document` answers from
whatever mornings there are.
Imports derived, formats, intervals, morning, parallel, replicate, scenario, sized, target and texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from planner import VERSION, parallel, replicate
from planner.derived import derive
from planner.formats import figure, percent
from planner.intervals import Interval, trials_to_decide, wilson
from planner.morning import Morning
from planner.scenario import Scenario
from planner.sized import Sized
from planner.target import Target
from planner.texts import Message

Scope = Literal["replica", "system"]
Met = Mapping[int, bool]
"""Sizes that a morning was tried with, and whether each met the target."""
MOST_MORE = 1_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Parameters
    ----------
    scenario
        The inputs; its seed is that of morning 0.
    designs
        The designs with N.
    target
        What a morning must hold.
    largest
        The largest size that is tried.
    scope
        ``replica``: a morning is one replica's. ``system``: it is good only if it is on all replicas.
    share
        The share of mornings that must be good.
    confidence
        Of the intervals.
    """

    scenario: Scenario
    designs: tuple[Sized, ...]
    target: Target = Target()
    largest: int = 12
    scope: Scope = "replica"
    share: float = 0.95
    confidence: float = 0.95

    @property
    def replicas(self) -> int:
        """Replicas of which a morning consists."""
        return self.scenario.replicas if self.scope == "system" else 1


@dataclass(frozen=True, slots=True)
class Task:
    """One morning of a question: the search for the smallest sizes, or, with `sizes`, these sizes of each design."""

    question: Question
    morning: int
    sizes: tuple[tuple[int, ...], ...] | None = None


def check(question: Question) -> None:
    """PlannerError if the question's inputs make no model."""
    if question.scope == "system":
        replicate.check_replicas(question.scenario)
    for design in question.designs:
        derive(question.scenario.for_design(design.at(1)))


def ask(task: Task) -> tuple[dict[int, bool], ...]:
    """For each design, the sizes that were tried on this morning and whether they met the target."""
    question = task.question
    mornings = [
        Morning(replicate.of_morning(question.scenario, task.morning, replica)) for replica in range(question.replicas)
    ]

    def meets(design: Sized, size: int) -> bool:
        return all(morning.meets(design.at(size), question.target) for morning in mornings)

    if task.sizes is None:
        return tuple(_search(design, question.largest, meets) for design in question.designs)
    return tuple(
        {size: meets(design, size) for size in sizes}
        for design, sizes in zip(question.designs, task.sizes, strict=True)
    )


def _search(design: Sized, largest: int, meets: Callable[[Sized, int], bool]) -> dict[int, bool]:
    tried: dict[int, bool] = {}
    if design.search == "every":
        return {size: meets(design, size) for size in range(1, largest + 1)}
    if design.search == "upward":
        for size in range(1, largest + 1):
            tried[size] = meets(design, size)
            if tried[size]:
                break
        return tried
    fails, good = 0, largest + 1
    while good - fails > 1:
        size = (fails + good) // 2
        tried[size] = meets(design, size)
        fails, good = (fails, size) if tried[size] else (size, good)
    # What bisection leaves out follows from what it tried.
    return {size: size >= good for size in range(1, largest + 1)}


def run(
    question: Question, seeds: int, place: parallel.Place = parallel.HERE, told: parallel.Told | None = None
) -> list[tuple[Met, ...]]:
    """What each of the first `seeds` mornings says, in order; the same wherever it is worked out."""
    found = parallel.run(ask, [Task(question, morning) for morning in range(seeds)], place, told)
    missing = [Task(question, morning, left) for morning, left in enumerate(left_open(question, found)) if any(left)]
    more = dict(zip((task.morning for task in missing), parallel.run(ask, missing, place, told), strict=True))
    return [
        tuple({**one, **other} for one, other in zip(met, more.get(morning, ({},) * len(met)), strict=True))
        for morning, met in enumerate(found)
    ]


def left_open(question: Question, mornings: Sequence[Sequence[Met]]) -> list[tuple[tuple[int, ...], ...]]:
    """For each morning and design, the sizes still to be tried: up to the largest that any morning came to."""
    tops = [max(max(met, default=0) for met in column) for column in zip(*mornings, strict=True)]
    return [
        tuple(
            tuple(size for size in range(1, top + 1) if size not in met) for top, met in zip(tops, found, strict=True)
        )
        for found in mornings
    ]


@dataclass(frozen=True, slots=True)
class Tried:
    """One size of a design over all mornings."""

    size: int
    met: int
    of: int
    interval: Interval

    def document(self) -> dict[str, object]:
        """The row, JSON-ready."""
        return {"size": self.size, "met": self.met, "of": self.of, "interval": list(self.interval)}


@dataclass(frozen=True, slots=True)
class Answer:
    """The smallest size, if there is one, whether it is sure, and what would make it so."""

    size: int | None
    verdict: Literal["passes", "undecided", "none"]
    reason: Message
    more_seeds: int | None = None


def tried(question: Question, column: Sequence[Met]) -> list[Tried]:
    """Each size that all mornings were tried with, ascending, up to the first that all meet."""
    rows = []
    for size in sorted(set.intersection(*(set(met) for met in column))) if column else []:
        met = sum(found[size] for found in column)
        rows.append(Tried(size, met, len(column), wilson(met, len(column), question.confidence)))
        if met == len(column) and _rises(column):
            break
    return rows


def _rises(column: Sequence[Met]) -> bool:
    """Whether on every morning all sizes from the smallest good one on are good."""
    return all(list(met.values()) == sorted(met.values()) for met in (dict(sorted(one.items())) for one in column))


def smallest(met: Met) -> int | None:
    """The smallest size that met the target on a morning."""
    return min((size for size, good in met.items() if good), default=None)


def answer(question: Question, rows: Sequence[Tried]) -> Answer:
    """The smallest size whose interval lies at or above the asked share, if every smaller one's lies below it."""
    share, confidence = question.share, question.confidence
    passing = [row for row in rows if row.interval[0] >= share]
    open_rows = [row for row in rows if row.interval[0] < share <= row.interval[1]]
    if passing:
        best = passing[0]
        doubtful = [row for row in open_rows if row.size < best.size]
        if doubtful:
            more = trials_to_decide(doubtful[0].met, doubtful[0].of, share, confidence, MOST_MORE)
            return Answer(best.size, "undecided", _reason("smaller_open", best, doubtful[0], share, more), more)
        below = [row for row in rows if row.size < best.size]
        key = "passes" if below else "passes_at_one"
        return Answer(best.size, "passes", _reason(key, best, below[-1] if below else best, share, 0))
    if open_rows:
        likely = [row for row in open_rows if row.met >= share * row.of]
        best = likely[0] if likely else open_rows[-1]
        more = trials_to_decide(best.met, best.of, share, confidence, MOST_MORE)
        return Answer(best.size, "undecided", _reason("open", best, best, share, more), more)
    best = max(rows, key=lambda row: row.met)
    return Answer(None, "none", _reason("none", best, rows[-1], share, 0))


def _reason(key: str, row: Tried, other: Tried, share: float, more: int | None) -> Message:
    return Message.of(
        f"size.reason.{key}",
        size=figure(row.size),
        met=figure(row.met),
        of=figure(row.of),
        low=percent(row.interval[0], 1),
        high=percent(row.interval[1], 1),
        other=figure(other.size),
        other_met=figure(other.met),
        other_low=percent(other.interval[0], 1),
        other_high=percent(other.interval[1], 1),
        share=percent(share, 1),
        more=Message.of("size.more.many", most=figure(MOST_MORE))
        if more is None
        else Message.of("size.more.about", count=figure(more)),
    )


def document(question: Question, mornings: Sequence[Sequence[Met]], language: str = "en") -> dict[str, Any]:
    """The answer as ``size --format json`` prints it, without the ranking."""
    columns = list(zip(*mornings, strict=True))
    return {
        "version": VERSION,
        "target": {
            **question.target.document(question.scenario.delay_threshold_ms),
            "share_of_mornings": question.share,
            "text": question.target.message(question.scenario.delay_threshold_ms).text(language),
        },
        "seeds": len(mornings),
        "confidence": question.confidence,
        "scope": question.scope,
        "designs": [
            _design_document(question, design, column, language)
            for design, column in zip(question.designs, columns, strict=True)
        ],
    }


def _design_document(question: Question, design: Sized, column: Sequence[Met], language: str) -> dict[str, Any]:
    rows = tried(question, column)
    found = answer(question, rows)
    counts = Counter(smallest(met) for met in column)
    reached = {str(size): counts[size] for size in sorted(size for size in counts if size is not None)}
    passing = [row.size for row in rows if row.interval[0] >= question.share]
    return {
        "design": str(design),
        "size_is": design.name,
        "largest_tried": question.largest,
        "search": design.search,
        "search_reason": Message.of(f"size.search.{design.search}").text(language),
        "smallest_by_seed": reached,
        "none_by_seed": counts[None],
        "sizes": [row.document() for row in rows],
        "answer": {
            "size": found.size,
            "verdict": found.verdict,
            "reason": found.reason.text(language),
            "more_seeds": found.more_seeds,
            "largest_passing": max(passing) if passing and design.search == "every" else None,
        },
    }
