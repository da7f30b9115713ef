"""What grading says of one submission: a state per exercise, and the reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from dynalab.course import Lab

State: TypeAlias = Literal["correct", "incorrect", "not attempted", "not graded"]
STATES: tuple[State, ...] = ("correct", "incorrect", "not attempted", "not graded")

_ERRORS_TOLD = 3
_LONGEST = 240  # characters of one reason


@dataclass
class Row:
    """One submission. states: by exercise id. reasons: why it is not all correct, in order."""

    name: str
    lab: Lab | None = None
    states: dict[str, State] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    errors: int = 0  # cells that stopped with an error

    @property
    def solved(self) -> int:
        return list(self.states.values()).count("correct")

    @property
    def graded(self) -> bool:
        """Whether every exercise of its lab has a verdict."""
        return bool(self.states) and "not graded" not in self.states.values()

    @property
    def score(self) -> str:
        return f"{self.solved} of {len(self.states)}" if self.states else "not graded"

    def by_state(self) -> str:
        """The exercises, said once a state: "correct 2.1 2.2 · not attempted 2.3"."""
        parts = []
        for state in STATES:
            ids = [each for each, found in self.states.items() if found == state]
            if ids:
                parts.append(" ".join([state, *ids]))
        return " · ".join(parts)

    def stopped(self, where: str, error: str) -> None:
        """Counts a cell that stopped with an error; the first few are told."""
        self.errors += 1
        if self.errors <= _ERRORS_TOLD:
            self.because(f"{where} stops with {error}")

    def because(self, reason: str) -> None:
        """Adds a reason, on one line and without what would steer a terminal; each only once."""
        reason = one_line(reason)
        if reason not in self.reasons:
            self.reasons.append(reason)


def one_line(text: str) -> str:
    """A text of unknown origin as one line of characters that can be seen."""
    line = "".join(each if each.isprintable() else " " for each in text)
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
