"""The course's metadata, its lookups, and the README's table."""

from pathlib import Path

import pytest

from dynalab import course

LAB = """
[[lab]]
number = 7
slug = "07_flags"
title = "Flags"
minutes = 75
needs = []
part = "core"
you_will = "keep many items true."
exercises = [{ id = "7.1", name = "begin" }, { id = "7.2", name = "begin", title = "again" }]
"""


@pytest.mark.parametrize("number", [1, "1", "01", "01_count_on_read"])
def test_a_lab_is_found_by_its_number_in_any_spelling(number: int | str) -> None:
    lab = course.load().lab(number)
    assert (lab.number, lab.notebook, lab.minutes) == (1, "01_count_on_read.ipynb", 25)


@pytest.mark.parametrize("number", [99, "99", "x", -1, "", "1.1"])
def test_an_unknown_lab_is_answered_by_the_labs_there_are(number: int | str) -> None:
    last = course.load().labs[-1].label
    with pytest.raises(course.CourseError) as refusal:
        course.load().lab(number)
    assert str(refusal.value) == f"There is no lab {number}; the labs are 00–{last}."


def test_an_exercise_knows_its_function_and_its_title() -> None:
    found = course.load().exercise("2.3")
    assert (found.id, found.name, found.title) == ("2.3", "like", "no such post")
    assert course.load().exercise("1.1").title == "count_likes"
    assert course.load().lab_of("3.4").number == 3


def test_an_unknown_exercise_is_answered_by_those_of_its_lab() -> None:
    with pytest.raises(course.CourseError) as refusal:
        course.load().exercise("1.9")
    assert str(refusal.value) == "There is no exercise 1.9; lab 01 has 1.1, 1.2, 1.3, 1.4."


@pytest.mark.parametrize("exercise_id", ["99.1", "1", "like", "", "01.1"])
def test_an_exercise_of_no_lab_is_answered_by_the_labs(exercise_id: str) -> None:
    with pytest.raises(course.CourseError, match=r"^There is no exercise .*; the labs are 00–"):
        course.load().exercise(exercise_id)


def test_every_lab_comes_after_what_it_needs_and_has_exercises() -> None:
    seen: set[int] = set()
    for lab in course.load().labs:
        assert set(lab.needs) <= seen
        assert lab.exercises
        assert lab.you_will.endswith(".")
        assert all(entry.name.isidentifier() for entry in lab.exercises)
        seen.add(lab.number)


def test_a_new_lab_is_one_block() -> None:
    (lab,) = course.parse(LAB).labs
    assert (lab.label, lab.part, lab.needs) == ("07", "core", ())
    assert [entry.title for entry in lab.exercises] == ["begin", "again"]


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('slug = "07_flags"', 'slug = "flags"', "the slug flags does not begin with 07_"),
        ("needs = []", "needs = [3]", "it needs a lab that does not stand above it"),
        ('part = "core"', 'part = "main"', "the part is core or further, not main"),
        ('id = "7.2"', 'id = "7.3"', "the exercise ids are 7.1, 7.2, in this order"),
    ],
)
def test_a_mistake_in_course_toml_is_named_with_its_lab(
    right: str, wrong: str, sentence: str
) -> None:
    with pytest.raises(course.CourseError) as refusal:
        course.parse(LAB.replace(right, wrong))
    assert str(refusal.value) == f"course.toml, lab 07: {sentence}."


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("minutes", "hours", "there is no minutes"),
        ("needs = []\n", "", "there is no needs"),
        ("needs = []\n", "needs = []\nhours = 1\n", "no key is called hours"),
        ("needs = []", "needs = 1", "needs is a list of numbers, exercises is a list of tables"),
        ('id = "7.2", name', 'id = "7.2", nam', "there is no name"),
    ],
)
def test_a_missing_or_unknown_key_is_named(right: str, wrong: str, sentence: str) -> None:
    with pytest.raises(course.CourseError) as refusal:
        course.parse(LAB.replace(right, wrong))
    assert str(refusal.value) == f"course.toml, lab 7: {sentence}."


def test_a_file_that_is_no_toml_is_named_with_its_line() -> None:
    with pytest.raises(course.CourseError, match=r"course\.toml is no TOML: .*line 2"):
        course.parse("[[lab]]\nminutes = 15 min\n")


def test_a_lab_may_not_stand_twice() -> None:
    with pytest.raises(course.CourseError, match="lab 07: it stands after lab 07"):
        course.parse(LAB + LAB)


def test_the_table_has_a_row_for_each_lab() -> None:
    rows = course.load().table().splitlines()[2:]
    assert len(rows) == len(course.load().labs)
    assert rows[1].startswith("| 01 | [Count on read](labs/01_count_on_read.ipynb) | 25 | 00 |")


def test_the_table_links_only_to_labs_that_are_available(tmp_path: Path) -> None:
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "00_start_here.ipynb").touch()
    rows = course.load().table(tmp_path).splitlines()[2:]
    assert "[Start here](labs/00_start_here.ipynb)" in rows[0]
    assert "| Count on read |" in rows[1]


def test_the_readme_gets_its_table_and_keeps_the_rest(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- labs -->\nstale row\n<!-- /labs -->\nafter\n", encoding="utf-8")
    assert course.sync_readme(tmp_path)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- labs -->\n\n| Lab |")
    assert text.endswith("|\n\n<!-- /labs -->\nafter\n")
    assert "stale row" not in text
    assert not course.sync_readme(tmp_path)
    assert not course.sync_readme(tmp_path, check=True)


def test_a_readme_that_differs_fails_the_check_and_is_left_alone(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("<!-- labs -->\nstale row\n<!-- /labs -->\n", encoding="utf-8")
    with pytest.raises(course.CourseError, match=r"differs from course.toml; run `dynalab build`"):
        course.sync_readme(tmp_path, check=True)
    assert "stale row" in readme.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["none", "<!-- labs -->", "<!-- /labs -->\n<!-- labs -->\n"])
def test_a_readme_without_both_markers_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    with pytest.raises(course.CourseError, match="needs the lines <!-- labs -->"):
        course.sync_readme(tmp_path)


def test_the_course_is_found_from_any_folder_below_it(tmp_path: Path) -> None:
    deep = tmp_path / "labs" / "deeper"
    deep.mkdir(parents=True)
    assert course.folder_with("labs", deep) == tmp_path.resolve()
    assert course.folder_with("no such folder", deep) is None
