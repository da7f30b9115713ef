"""INSTRUCTORS.md knows every lab, its minutes, and quotes what the cards say."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from dynalab import course

PAGE = (Path(__file__).parents[1] / "INSTRUCTORS.md").read_text(encoding="utf-8")
LABS = course.load().labs


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_each_lab_has_its_minutes_its_questions_and_what_its_cards_say(lab: course.Lab) -> None:
    head = f"### {lab.label} {lab.title} ({lab.minutes} min)\n"
    assert head in PAGE, f"INSTRUCTORS.md needs a part {head.strip()!r}; see CONTRIBUTING.md"
    part = PAGE.partition(head)[2].partition("\n### ")[0]
    assert "\nAim: " in part and "\nAsk: " in part
    answers = import_module(f"tests.wrong_answers.lab{lab.label}")
    words = [said for wrong in answers.WRONG.values() for _, said in wrong]
    quotes = re.findall("“([^”]+)”", part)
    assert len(quotes) >= 3
    assert [quote for quote in quotes if quote not in words] == []
