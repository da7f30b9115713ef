"""Every check refuses the wrong answers that people give, in the right words, and no right one."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dynalab import course, exercises
from dynalab.check import Verdict, judge

ROOT = Path(__file__).parents[1]


def modules() -> Iterator[tuple[course.Lab, Any, Any]]:
    for lab in course.load().labs:
        if not lab.available(ROOT):
            continue
        answers = import_module(f"tests.wrong_answers.lab{lab.label}")
        yield lab, exercises.load(lab.label), answers


def cases(kind: str) -> Iterator[Any]:
    for _, module, answers in modules():
        for exercise in module.EXERCISES:
            for case in getattr(answers, kind).get(exercise.id, []):
                answer = case[0] if kind == "WRONG" else case
                yield pytest.param(module, exercise, case, id=f"{exercise.id}-{name_of(answer)}")


def name_of(answer: Any) -> str:
    """An answer's name in a test's id; some exercises take two functions, or name them."""
    if isinstance(answer, tuple):
        return "+".join(map(name_of, answer))
    if isinstance(answer, dict):
        return "+".join(f"{name}={name_of(each)}" for name, each in answer.items())
    return getattr(answer, "__name__", repr(answer)[:40])


def verdict_of(module: Any, exercise: Any, answer: Any) -> tuple[Verdict, str]:
    verdict = judge(exercise, answer, module.TABLES)
    return verdict, "\n".join([*verdict.lines, verdict.ask])


@pytest.mark.parametrize(("module", "exercise", "case"), list(cases("WRONG")))
def test_a_wrong_answer_is_refused_with_the_right_words(
    module: Any, exercise: Any, case: Any
) -> None:
    answer, words = case
    verdict, text = verdict_of(module, exercise, answer)
    assert verdict.outcome == "incorrect", text
    assert words in text
    assert "!" not in text


@pytest.mark.parametrize(("module", "exercise", "answer"), list(cases("RIGHT")))
def test_a_right_answer_written_differently_is_accepted(
    module: Any, exercise: Any, answer: Any
) -> None:
    verdict, text = verdict_of(module, exercise, answer)
    assert verdict.outcome == "correct", text


def test_every_exercise_has_wrong_answers_hints_and_an_explanation() -> None:
    for lab, module, answers in modules():
        assert [each.id for each in module.EXERCISES] == [each.id for each in lab.exercises]
        for exercise in module.EXERCISES:
            assert len(answers.WRONG[exercise.id]) >= 2, exercise.id
            assert exercise.hints and exercise.explanation
        assert not set(answers.WRONG) - {each.id for each in module.EXERCISES}
        assert not set(answers.RIGHT) - {each.id for each in module.EXERCISES}
