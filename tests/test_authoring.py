"""labs/ from solutions/: the generator, on tiny notebooks."""

from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from dynalab import authoring
from dynalab.authoring.markers import NotebookError, stubbed
from dynalab.authoring.notebook_files import METADATA, normalised, read, text_of
from dynalab.authoring.notebook_rules import problems
from dynalab.course import CourseError
from tests.tiny_notebook import FUNCTION, STUB, VALUE, WIDGET, code, notebook, solution, write

# --- marks ----------------------------------------------------------------------------------------


def test_a_function_becomes_a_todo_and_not_implemented() -> None:
    assert stubbed(FUNCTION) == STUB


def test_a_value_becomes_an_ellipsis() -> None:
    assert stubbed(VALUE) == "# TODO: units of one page\nunits = ...\nprint(units)"


def test_a_mark_without_a_text_still_gives_a_todo() -> None:
    source = "def f():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION"
    assert stubbed(source).splitlines()[1] == "    # TODO: your code"


def test_two_functions_in_one_cell_are_both_stubbed() -> None:
    both = f"{FUNCTION}\n\n\n{FUNCTION.replace('double', 'twice')}"
    assert stubbed(both) == f"{STUB}\n\n\n{STUB.replace('double', 'twice')}"


def test_a_cell_without_marks_is_left_as_it_is() -> None:
    assert stubbed("%matplotlib inline\n!ls") == "%matplotlib inline\n!ls"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def f():\n    # BEGIN SOLUTION\n    return 1", "has no `# END SOLUTION`"),
        ("def f():\n    return 1\n    # END SOLUTION", "has no `# BEGIN SOLUTION`"),
        ("    # BEGIN SOLUTION\n    # BEGIN SOLUTION", "stands inside a solution"),
        ("#BEGIN SOLUTION", "is not a mark"),
        ("# begin solution", "is not a mark"),
        ("# END SOLUTION of 1.1", "is not a mark"),
        ("    # BEGIN SOLUTION:", "is not a mark"),
        ("# BEGIN SOLUTION value: x\n# END SOLUTION", "a solution is empty"),
        ("# BEGIN SOLUTION value: x\nprint(3)\n# END SOLUTION", "an assignment to one name"),
        ("# BEGIN SOLUTION value: x\na, b = 1, 2\n# END SOLUTION", "an assignment to one name"),
        ("# BEGIN SOLUTION x\nx = 1\n# END SOLUTION", "would stop Run All"),
        ("if a:\n    # BEGIN SOLUTION\n    pass\n    # END SOLUTION\n  x = 1", "is not Python"),
    ],
)
def test_marks_that_are_not_in_order_are_refused(source: str, sentence: str) -> None:
    with pytest.raises(NotebookError, match=sentence):
        stubbed(source)


def test_an_annotated_value_is_a_value() -> None:
    source = "# BEGIN SOLUTION value: n\nn: int = 3\n# END SOLUTION"
    assert stubbed(source) == "# TODO: n\nn = ..."


# --- lab_from_solution ----------------------------------------------------------------------------


def test_a_lab_has_stubs_and_neither_outputs_nor_counts_nor_solution_cells() -> None:
    lab = authoring.lab_from_solution(solution())
    assert [cell.id for cell in lab.cells] == ["title", "double", "check", "units"]
    assert lab.cells[1].source == STUB
    for cell in lab.cells[1:]:
        assert cell.outputs == []
        assert cell.execution_count is None
    assert lab.cells[1].metadata.tags == ["exercise:1.1"]


def test_the_solution_itself_is_not_changed() -> None:
    given = solution()
    before = text_of(given)
    authoring.lab_from_solution(given)
    assert text_of(given) == before


def test_metadata_is_trimmed_and_valid() -> None:
    given = solution()
    given.metadata.language_info = {"name": "python", "version": "3.13.1"}
    given.metadata.widgets = {"state": {}}
    given.cells[1].metadata.update(execution={"started": "now"}, scrolled=True)
    lab = authoring.lab_from_solution(given, "01_count_on_read")
    assert lab.metadata == {**METADATA, "dynalab": {"solution": "01_count_on_read"}}
    assert lab.cells[1].metadata == {"tags": ["exercise:1.1"]}
    assert (lab.nbformat, lab.nbformat_minor) == (4, 5)
    nbformat.validate(lab)


def test_a_wrong_mark_names_the_notebook_and_the_cell() -> None:
    given = notebook(code("# END SOLUTION", "stray"))
    with pytest.raises(NotebookError) as refusal:
        authoring.lab_from_solution(given, "01_count_on_read")
    assert str(refusal.value) == (
        "01_count_on_read.ipynb, cell 2 (stray): "
        "`# END SOLUTION` has no `# BEGIN SOLUTION`; add or remove one."
    )


def test_a_mark_in_prose_is_refused_too() -> None:
    given = notebook(v4.new_markdown_cell("Text\n# BEGIN SOLUTION", id="prose"))
    with pytest.raises(NotebookError, match=r"cell 2 \(prose\)"):
        authoring.lab_from_solution(given)


# --- build ----------------------------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "solutions").mkdir()
    write(tmp_path / "solutions" / "01_count_on_read.ipynb", solution())
    return tmp_path


def test_build_writes_the_lab_and_then_has_nothing_to_do(root: Path) -> None:
    assert "+++ labs/01_count_on_read.ipynb as built" in authoring.build(root)
    lab = root / "labs" / "01_count_on_read.ipynb"
    assert read(lab).cells[1].source == STUB
    assert b"\r" not in lab.read_bytes()
    assert authoring.build(root) == ""
    assert authoring.build(root, check=True) == ""


def test_check_shows_what_differs_and_writes_nothing(root: Path) -> None:
    authoring.build(root)
    lab = root / "labs" / "01_count_on_read.ipynb"
    lab.write_text(lab.read_text(encoding="utf-8").replace("Twice n", "Thrice n"), encoding="utf-8")
    before = lab.read_bytes()
    diff = authoring.build(root, check=True)
    assert "Thrice n" in diff and "Twice n" in diff
    assert lab.read_bytes() == before


def test_check_does_not_make_labs(root: Path) -> None:
    assert authoring.build(root, check=True)
    assert not (root / "labs").exists()


def test_a_lab_without_a_solution_is_removed_and_nothing_else(root: Path) -> None:
    write(root / "solutions" / "00_start_here.ipynb", solution())
    authoring.build(root)
    labs = root / "labs"
    (labs / "my_copy.ipynb").write_bytes((labs / "00_start_here.ipynb").read_bytes())
    write(labs / "mine.ipynb", notebook())
    (labs / "notes.txt").write_text("mine", encoding="utf-8")
    (labs / "half.ipynb").write_text("{", encoding="utf-8")
    (root / "solutions" / "00_start_here.ipynb").unlink()
    assert "--- labs/00_start_here.ipynb" in authoring.build(root)
    assert sorted(path.name for path in labs.iterdir()) == [
        "01_count_on_read.ipynb",
        "half.ipynb",
        "mine.ipynb",
        "my_copy.ipynb",
        "notes.txt",
    ]


@pytest.mark.parametrize("has_solution", [True, False])
def test_a_lab_that_was_run_is_neither_overwritten_nor_removed(
    root: Path, has_solution: bool
) -> None:
    authoring.build(root)
    path = root / "labs" / "01_count_on_read.ipynb"
    worked = read(path)
    worked.cells[1].source = "def double(n):\n    return 2 * n"
    worked.cells[1].execution_count = 5
    write(path, worked)
    before = path.read_bytes()
    write(root / "solutions" / "00_start_here.ipynb", solution())
    if not has_solution:
        (root / "solutions" / "01_count_on_read.ipynb").unlink()
    with pytest.raises(NotebookError, match=r"01_count_on_read.ipynb was run since it was built"):
        authoring.build(root)
    assert path.read_bytes() == before
    assert not (root / "labs" / "00_start_here.ipynb").exists()


def test_a_notebook_that_the_course_does_not_list_is_refused(root: Path) -> None:
    write(root / "solutions" / "77_other.ipynb", solution())
    with pytest.raises(CourseError, match=r"77_other.ipynb is not in course.toml"):
        authoring.build(root)


def test_without_solutions_there_is_nothing_to_build(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="There is no solutions/ folder"):
        authoring.build(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"worksheets": []}'])
def test_a_file_that_is_no_notebook_is_named(root: Path, text: str) -> None:
    (root / "solutions" / "01_count_on_read.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(NotebookError, match=r"^01_count_on_read.ipynb is not a notebook"):
        authoring.build(root)


# --- solution_of ----------------------------------------------------------------------------------


def test_the_solution_of_an_exercise_is_the_code_between_its_marks(root: Path) -> None:
    assert authoring.solution_of("1.1", root) == (
        "total = n + n  # two of them make the double\nreturn total"
    )
    assert authoring.solution_of("1.2", root).endswith("units = page / 4096 / 2")


def test_solutions_are_found_from_labs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "labs").mkdir()
    monkeypatch.chdir(root / "labs")
    assert "return total" in authoring.solution_of("1.1")


def test_where_there_is_no_solution_a_sentence_says_so(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotebookError, match=r"no solution of 1.3; tag its cell exercise:1.3"):
        authoring.solution_of("1.3", root)
    with pytest.raises(CourseError, match=r"There is no exercise 1.9"):
        authoring.solution_of("1.9", root)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    with pytest.raises(CourseError, match=r"solutions/01_count_on_read.ipynb, which is not here"):
        authoring.solution_of("1.1")


# --- execute --------------------------------------------------------------------------------------


def test_outputs_are_stored_without_who_ran_them_and_when() -> None:
    cell = code("show()", "show")
    cell.execution_count = 17
    cell.metadata.execution = {"iopub.status.busy": "2026-01-01T00:00:00Z"}
    cell.outputs = [
        v4.new_output("stream", name="stdout", text="a"),
        v4.new_output("stream", name="stdout", text="b"),
        v4.new_output("stream", name="stderr", text="c"),
        v4.new_output("execute_result", {"text/plain": "x", **WIDGET}, execution_count=17),
    ]
    given = notebook(cell)
    given.metadata.widgets = {"state": {}}
    stored = normalised(given)
    kept = stored.cells[1]
    assert stored.metadata == METADATA
    assert kept.metadata == {}
    assert kept.execution_count == 1
    assert [(out.get("name"), out.get("text")) for out in kept.outputs[:2]] == [
        ("stdout", "ab"),
        ("stderr", "c"),
    ]
    assert kept.outputs[2].data == {"text/plain": "x"}
    assert kept.outputs[2].execution_count == 1
    assert normalised(stored) == stored
    assert len(given.cells[1].outputs) == 4


def test_a_notebook_is_run_by_a_kernel_with_a_progress_of_its_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNALAB_PROGRESS", str(root / "mine.json"))
    monkeypatch.setenv("DYNALAB_AWS", "1")
    path = root / "solutions" / "01_count_on_read.ipynb"
    source = (
        "import os, pathlib\n"
        f"print(os.environ['DYNALAB_PROGRESS'] == {str(root / 'mine.json')!r})\n"
        "print('DYNALAB_AWS' in os.environ, pathlib.Path.cwd().name)\n"
        "40 + 2"
    )
    book = notebook(code(source, "look"))
    book.cells[1].execution_count = None
    write(path, book)
    authoring.execute(path)
    printed, value = read(path).cells[1].outputs
    assert printed.text == "False\nFalse solutions\n"
    assert value.data == {"text/plain": "42"}
    assert problems(read(path)) == []
    first = path.read_bytes()
    authoring.execute(path)
    assert path.read_bytes() == first

    write(path, notebook(code("1 / 0", "fails")))
    before = path.read_bytes()
    with pytest.raises(NotebookError, match=r"01_count_on_read.ipynb stops with ZeroDivisionError"):
        authoring.execute(path)
    assert path.read_bytes() == before
