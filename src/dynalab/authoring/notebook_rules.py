"""The rules that every solution notebook keeps, and the proof that a lab gives no answer away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dynalab.authoring.markers import NotebookError, blocks, stubbed
from dynalab.views.widgets import WIDGET

if TYPE_CHECKING:
    from nbformat import NotebookNode

SOLUTION = "solution"  # the cell is not in the lab
DEMO = "demo"  # shows code that shares lines with a solution on purpose: a wrong way, say
FIXED_TIMES = "fixed-times"  # the times in its output are the lab's data, no clock's
KNOWN_TAGS = {SOLUTION, DEMO, FIXED_TIMES, "nbval-ignore-output"}
EXERCISE_TAG = re.compile(r"exercise:(\d+\.\d+)")
CHECKED = re.compile(r"""\blab\.check\(\s*["'](\d+\.\d+)["']""")
VERDICT = re.compile(r"\b(not attempted|incorrect|correct)\b")

# What stands in a notebook's text that is not prose: code, comments, the target of a link.
NOT_PROSE = re.compile(
    r"^ *(```|~~~).*?^ *\1|``.+?``|`[^`\n]*`|<!--.*?-->|!(?=\[)|\]\([^)]*\)",
    re.MULTILINE | re.DOTALL,
)
HEADING = re.compile(r"^(#{1,6})\s+\S", re.MULTILINE)
FILLER = re.compile(r"\b(simply|just|congratulations|as we all know)\b", re.IGNORECASE)
EMOJI = re.compile("[\U0001f000-\U0001faff\u2705\u274c]")

BASE64 = re.compile(r"base64,[A-Za-z0-9+/=\s]+")
ISO_TIME = re.compile(r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
UNSTABLE = {
    "a path of this machine": re.compile(r"(?<![\w.:/<-])/[\w.-]+/[\w.-]+|\b[A-Za-z]:\\\w"),
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{5,}"),
    "a random id": re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"),
}

LINE = 25  # characters; a shorter line of a solution says nothing by itself
BLOCK = 8  # characters; a shorter solution cannot be told from chance


def problems(notebook: NotebookNode) -> list[str]:
    """What a solution notebook does that it must not, a sentence each; none if all is well."""
    return [*_format(notebook), *_prose(notebook), *_cells(notebook), *_verdicts(notebook)]


def _format(notebook: NotebookNode) -> Iterator[str]:
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        yield f"The format is {notebook.nbformat}.{notebook.nbformat_minor}; save it as 4.5."
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "The kernelspec is not python3; choose that kernel."
    counts = Counter(cell.get("id") for cell in notebook.cells)
    for cell_id, count in counts.items():
        if cell_id is None or count > 1:
            yield f"{count} cells have the id {cell_id}; give each its own."


def _prose(notebook: NotebookNode) -> Iterator[str]:
    levels: list[int] = []
    for where, cell in _named(notebook):
        if cell.cell_type != "markdown":
            continue
        prose = NOT_PROSE.sub(" ", cell.source)
        for heading in HEADING.finditer(prose):
            level = len(heading[1])
            if level > (levels[-1] if levels else 0) + 1:
                yield f"{where}: a heading of level {level} skips a level; begin with one less."
            levels.append(level)
        if "!" in prose:
            yield f"{where}: an exclamation mark; end the sentence with a full stop."
        for word in FILLER.finditer(prose):
            yield f"{where}: “{word[0]}” adds nothing; leave it out."
        if EMOJI.search(prose):
            yield f"{where}: an emoji; say it in words."
    if levels.count(1) != 1:
        yield f"There are {levels.count(1)} headings of level 1; write one, the title."


def _cells(notebook: NotebookNode) -> Iterator[str]:
    for where, cell in _named(notebook):
        tags = set(tags_of(cell))
        exercises = {tag for tag in tags if EXERCISE_TAG.fullmatch(tag)}
        for tag in sorted(tags - KNOWN_TAGS - exercises):
            yield f"{where}: the tag {tag} is not known; the tags are in notebook_rules.py."
        try:
            marked = stubbed(cell.source) != cell.source
        except NotebookError as error:
            yield f"{where}: {error}."
        else:
            if marked != bool(exercises):
                yield f"{where}: marks and a tag exercise:1.1 go together; add what is missing."
        if cell.cell_type != "code":
            continue
        if cell.get("execution_count") is None:
            yield f"{where}: it was not run; run `dynalab build --execute`."
        for output in cell.get("outputs", []):
            yield from (f"{where}: {fault}." for fault in _output(output, tags))


def _output(output: NotebookNode, tags: set[str]) -> Iterator[str]:
    if output.output_type == "error":
        yield f"it stops with {output.ename}; catch it and print what it says"
        return
    if output.get("name") == "stderr" and "nbval-ignore-output" not in tags:
        yield "it writes to stderr; a learner takes that for an error"
    data = output.get("data", {})
    if output.output_type != "stream" and "text/plain" not in data:
        what = "a widget" if WIDGET in data else "an output"
        yield f"{what} has no text/plain; a terminal and a screen reader need one"
    text = BASE64.sub("", shown_text(output))
    for what, pattern in UNSTABLE.items():
        if match := pattern.search(text):
            yield f"its output holds {what} ({match[0]}), which is another one next time"
    if FIXED_TIMES not in tags and (match := ISO_TIME.search(text)):
        yield f"its output holds a time ({match[0]}); if it is fixed, tag the cell {FIXED_TIMES}"


def _verdicts(notebook: NotebookNode) -> Iterator[str]:
    """Each exercise is correct in its own solution, where it is checked for the last time."""
    last = {
        exercise: (where, cell)
        for where, cell in _named(notebook)
        if cell.cell_type == "code"
        for exercise in CHECKED.findall(cell.source)
    }
    for exercise, (where, cell) in last.items():
        text = "\n".join(map(shown_text, cell.get("outputs", [])))
        verdict = VERDICT.search(text)
        if cell.get("execution_count") and not (verdict and verdict[0] == "correct"):
            said = verdict[0] if verdict else "no verdict"
            yield f"{where}: {exercise} is stored with {said}, not correct; read what stands there."


def leaks(solution_nb: NotebookNode, lab_nb: NotebookNode) -> list[str]:
    """What the lab shows of the solutions that were taken out of it, a sentence each.

    Looked for, whatever the spaces: each whole solution, and each of its lines that is long
    enough to be telling and no import. A cell tagged `demo` may share lines, not whole solutions.
    """
    found: list[str] = []
    for where, cell in _named(solution_nb):
        if cell.cell_type != "code":
            continue
        whole = [cell.source] if SOLUTION in tags_of(cell) else []
        for code in whole or [block.code for block in blocks(cell.source)]:
            lines = {_squeezed(line) for line in code.split("\n")}
            telling = {line for line in lines if len(line) >= LINE and not _is_import(line)}
            for place, lab_cell in _named(lab_nb):
                outputs = [shown_text(output) for output in lab_cell.get("outputs", [])]
                text = _squeezed("\n".join([lab_cell.source, *outputs]))
                if len(_squeezed(code)) >= BLOCK and _squeezed(code) in text:
                    found.append(f"{place} of the lab shows the whole solution of {where}.")
                elif DEMO not in tags_of(lab_cell):
                    shown = sorted(line for line in telling if line in text)
                    found += [
                        f"{place} of the lab shows `{line}` of the solution in {where}."
                        for line in shown
                    ]
    return found


def _squeezed(code: str) -> str:
    return " ".join(code.split()).rstrip(" ,([{")


def _is_import(line: str) -> bool:
    return line.startswith(("import ", "from "))


def tags_of(cell: NotebookNode) -> list[str]:
    """The tags in a cell's metadata."""
    return list(cell.metadata.get("tags", []))


def shown_text(output: NotebookNode) -> str:
    """All text of a stored output: of a stream, or of each textual form of what was shown."""
    data = output.get("data", {})
    texts = [value for kind, value in sorted(data.items()) if not kind.startswith("image/p")]
    return "\n".join(str(value) for value in [output.get("text", ""), *texts])


def _named(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    for place, cell in enumerate(notebook.cells, 1):
        yield f"Cell {place} ({cell.get('id', 'no id')})", cell
