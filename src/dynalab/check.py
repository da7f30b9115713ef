"""Exercises and verdicts: not attempted, incorrect, or correct; a check never raises."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dynalab.engine.connect import connect
from dynalab.trial import NotAttempted, Refused, Trial

OutcomeWord: TypeAlias = Literal["not attempted", "incorrect", "correct"]
TableDefinitions: TypeAlias = Mapping[str, Mapping[str, Any]]

_PRINTED_LINES = 3


@dataclass(frozen=True)
class Passed:
    """What a check saw of a right answer: the evidence, and a remark where one is due."""

    evidence: str
    remark: str = ""


@dataclass(frozen=True)
class Exercise:
    """One exercise. `check` gets the answer and a Trial; it returns Passed or raises Refused.

    hints: in the order in which they are given. explanation: shown after success.
    value: whether the answer is a value, not a function.
    """

    id: str
    check: Callable[[Any, Trial], Passed]
    hints: tuple[str, ...]
    explanation: str
    value: bool = False


@dataclass(frozen=True)
class Verdict:
    """The outcome of a check, what was done and seen, and a question or the next step."""

    outcome: OutcomeWord
    lines: tuple[str, ...] = ()
    ask: str = ""
    picture: object | None = None


def judge(exercise: Exercise, answer: object, tables: TableDefinitions) -> Verdict:
    """Checks an answer on tables of its own. Nothing that the answer does makes this raise."""
    if answer is ... or answer is None:
        return Verdict("not attempted")
    if not exercise.value and not callable(answer):
        return Verdict(
            "incorrect",
            (f"This check takes the function itself, and got {type(answer).__name__}.",),
            "Leave the parentheses off: the check calls your function.",
        )
    connection = connect()
    printed = _Printed()
    with connection.all_embedded(), connection.engine.scratch(), printed.captured():
        verdict = _judged(exercise, answer, Trial(connection, tables))
    lines = printed.lines()
    return Verdict(verdict.outcome, verdict.lines + lines, verdict.ask, verdict.picture)


def _judged(exercise: Exercise, answer: object, trial: Trial) -> Verdict:
    try:
        passed = exercise.check(answer, trial)
    except NotAttempted:
        return Verdict("not attempted")
    except Refused as refused:
        return Verdict("incorrect", (refused.seen,), refused.ask, refused.picture)
    except Exception as error:
        return Verdict(
            "incorrect",
            (f"The check could not go on with what came back: {type(error).__name__}: {error}.",),
            "Compare what your function returns with its docstring.",
        )
    remark = (f"A remark: {passed.remark}",) if passed.remark else ()
    return Verdict("correct", (passed.evidence, *remark))


@dataclass
class _Printed:
    """What a learner's function prints while it is checked: kept off the page, told in a line."""

    text: io.StringIO = field(default_factory=io.StringIO)

    @contextmanager
    def captured(self) -> Iterator[None]:
        kept, sys.stdout = sys.stdout, self.text
        try:
            yield
        finally:
            sys.stdout = kept

    def lines(self) -> tuple[str, ...]:
        lines = self.text.getvalue().splitlines()
        if not lines:
            return ()
        few = [line[:100] for line in lines[:_PRINTED_LINES]]
        if len(lines) <= _PRINTED_LINES:
            return ("It printed: " + "\n            ".join(few),)
        return (f"It printed {len(lines):,} lines, first: " + "\n            ".join(few),)
