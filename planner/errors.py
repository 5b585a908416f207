"""The one family of errors for bad input: which field, what is wrong, what is allowed.

Raised where the fact is known, worded once in the catalogue, shown alike by the command line and the page.
"""

from __future__ import annotations

from planner.texts import Message


class PlannerError(ValueError):
    """Bad input, in one sentence.

    Parameters
    ----------
    field
        Name of the input at fault, as in the scenario (or the command-line option).
    problem
        What is wrong with it.
    allowed
        What would have been accepted.
    """

    def __init__(self, field: str, problem: Message, allowed: Message) -> None:
        super().__init__(field, problem, allowed)
        self.field = field
        self.problem = problem
        self.allowed = allowed

    def sentence(self, language: str = "en") -> str:
        """The complaint without the field's name, on one line."""
        message = Message.of("errors.sentence", problem=self.problem, allowed=self.allowed)
        return " ".join(message.text(language).split())

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence()}"
