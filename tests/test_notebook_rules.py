"""Each rule of a solution notebook is told when it is broken, and no answer leaks into a lab."""

from collections.abc import Callable
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode, v4

from dynalab.authoring import lab_from_solution
from dynalab.authoring.notebook_rules import leaks, problems
from tests.tiny_notebook import FUNCTION, WIDGET, code, notebook, solution


def test_a_solution_that_keeps_the_rules_has_no_problems() -> None:
    assert problems(solution()) == []


def prose(text: str) -> Callable[[NotebookNode], Any]:
    return lambda book: book.cells.append(v4.new_markdown_cell(text, id="new"))


def shown(text: str, *tags: str) -> Callable[[NotebookNode], Any]:
    return lambda book: book.cells.append(code("show()", "new", *tags, text=text))


def checked(text: str) -> Callable[[NotebookNode], Any]:
    return lambda book: book.cells.append(code('lab.check("1.1", double)', "new", text=text))


def output(kind: str, **fields: Any) -> Callable[[NotebookNode], Any]:
    cell = code("show()", "new")
    cell.outputs = [v4.new_output(kind, **fields)]
    return lambda book: book.cells.append(cell)


@pytest.mark.parametrize(
    ("breaks", "sentence"),
    [
        (lambda book: book.cells[1].update(execution_count=None), "was not run"),
        (lambda book: book.cells[1].update(id="title"), "2 cells have the id title"),
        (lambda book: book.update(nbformat_minor=4), "The format is 4.4"),
        (lambda book: book.metadata.kernelspec.update(name="conda"), "is not python3"),
        (lambda book: book.cells[0].update(source="Prose"), "There are 0 headings of level 1"),
        (lambda book: book.cells[1].metadata.tags.append("later"), "the tag later is not known"),
        (lambda book: book.cells[1].metadata.update(tags=[]), "a tag exercise:1.1 go together"),
        (lambda book: book.cells[2].metadata.update(tags=["exercise:1.1"]), "go together"),
        (checked("1.1 double · incorrect"), "1.1 is stored with incorrect, not correct"),
        (checked("1.1 double · not attempted"), "1.1 is stored with not attempted"),
        (checked("Exercise 1.1 has no check."), "1.1 is stored with no verdict"),
        (prose("# Again"), "There are 2 headings of level 1"),
        (prose("### Deep"), "a heading of level 3 skips a level"),
        (prose("Well done!"), "an exclamation mark"),
        (prose("You simply write."), "“simply” adds nothing"),
        (prose("It is Just one."), "“Just” adds nothing"),
        (prose("Done ✅"), "an emoji"),
        (prose("    # BEGIN SOLUTION"), "has no `# END SOLUTION`"),
        (shown("saved to /tmp/x/y.json"), "holds a path of this machine (/tmp/x)"),
        (shown("in C:\\Users\\me"), "holds a path of this machine"),
        (shown("<object at 0x7f3a2c>"), "holds a memory address (0x7f3a2c)"),
        (shown("at 2026-11-30T09:00:00Z"), "holds a time (2026-11-30T09:00)"),
        (shown("6fa459ea-ee8a-4ca4-894e-db77e160355e"), "holds a random id"),
        (output("error", ename="KeyError", evalue="x", traceback=[]), "stops with KeyError"),
        (output("stream", name="stderr", text="careful"), "writes to stderr"),
        (output("display_data", data=WIDGET), "a widget has no text/plain"),
        (output("display_data", data={"text/html": "<p>"}), "an output has no text/plain"),
        (
            output("display_data", data={"text/plain": "x", "text/html": "0x7f3a2c"}),
            "a memory address",
        ),
    ],
)
def test_each_rule_is_told_when_it_is_broken(
    breaks: Callable[[NotebookNode], Any], sentence: str
) -> None:
    book = nbformat.from_dict(solution())
    breaks(book)
    (problem,) = problems(book)
    assert sentence in problem


@pytest.mark.parametrize(
    "keeps",
    [
        prose("Not `a != b` nor ![a picture](x.png) nor <!-- a comment! -->."),
        prose("```python\n# no heading! simply code\n```"),
        prose("## Two\n\ntext\n\n### Three\n\ntext\n\n## Two again"),
        prose("An adjustment is not filler."),
        shown("3 read units/second, 1/2/3, https://docs.aws.amazon.com/a/b, </td></tr>, 0x10"),
        shown("2026-11-30T09:00:00.000Z", "fixed-times"),
        shown("2026-11-30 is a day"),
        output("display_data", data={"text/plain": "a slider", **WIDGET}),
        output(
            "display_data", data={"text/plain": "x", "text/html": '"data:;base64,/a0/b0xabcdef"'}
        ),
    ],
)
def test_what_only_looks_like_a_broken_rule_is_none(keeps: Callable[[NotebookNode], Any]) -> None:
    book = nbformat.from_dict(solution())
    keeps(book)
    assert problems(book) == []


# --- leaks ----------------------------------------------------------------------------------------


def leaked(*more: NotebookNode) -> list[str]:
    given = solution()
    given.cells += more
    return leaks(given, lab_from_solution(given))


def test_a_lab_that_keeps_its_answers_leaks_nothing() -> None:
    assert leaked() == []


@pytest.mark.parametrize(
    "more",
    [
        code("def again(n):\n    total = n + n  # two of them  make the double", "new"),
        code("x = 1\nhelper  =  double(21)", "new"),
        v4.new_markdown_cell(
            "It is `units = page / 4096 / 2`, then? No: "
            "`page = 1024 * 1024 units = page / 4096 / 2`.",
            id="new",
        ),
    ],
)
def test_a_solution_in_another_cell_is_a_leak(more: NotebookNode) -> None:
    (leak,) = leaked(more)
    assert leak.startswith("Cell 5 (new) of the lab shows")


def test_a_solution_in_an_output_of_the_lab_is_a_leak() -> None:
    lab = lab_from_solution(solution())
    text = "total = n + n  # two of them make the double\n"
    lab.cells[2].outputs = [v4.new_output("stream", name="stdout", text=text)]
    assert len(leaks(solution(), lab)) == 1


def test_a_demo_may_share_a_line_and_not_the_whole() -> None:
    line = "total = n + n  # two of them make the double"
    assert leaked(code(line, "new", "demo")) == []
    (leak,) = leaked(code(f"{line}\nreturn total", "new", "demo"))
    assert "the whole solution of Cell 2 (double)" in leak


def test_an_import_or_a_short_line_is_no_leak() -> None:
    body = FUNCTION.replace(
        "return total", "from boto3.dynamodb.conditions import Key\n    return 1"
    )
    given = notebook(code(body, "double"), code("from boto3.dynamodb.conditions import Key", "new"))
    assert leaks(given, lab_from_solution(given)) == []


def test_every_leak_of_an_unstubbed_notebook_is_found() -> None:
    found = "\n".join(leaks(solution(), solution()))
    for cell_id in ("double", "helper", "units"):
        assert f"({cell_id}) of the lab shows the whole solution" in found
