"""The marks around a solution in a notebook's cell, and the stub that a learner finds instead.

    def like(table, post_id, user_id, at):
        \"\"\"Record a like and count it: both, or neither.\"\"\"
        # BEGIN SOLUTION one transact_write_items call with a Put and an Update
        ...
        # END SOLUTION

becomes the same function with `# TODO: one transact_write_items …` and `raise
NotImplementedError`. A value that the learner works out is marked with `value:`, and its block
ends with the assignment:

    # BEGIN SOLUTION value: the read units of one page
    units = 8192 / 4096
    # END SOLUTION

becomes `# TODO: the read units of one page` and `units = ...`.
"""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass

from dynalab.course import CourseError

BEGIN = re.compile(r"(?P<indent>[ \t]*)# BEGIN SOLUTION(?: (?P<text>.*))?")
END = re.compile(r"[ \t]*# END SOLUTION\s*")
# Whatever looks like a mark but is none would be shown to learners, the solution with it.
ALMOST = re.compile(r"\b(BEGIN|END)[ _-]*SOLUTION", re.IGNORECASE)
VALUE = "value:"


class NotebookError(CourseError):
    """One sentence that names a notebook, a cell, and what to change in it."""


@dataclass(frozen=True)
class Block:
    """The lines of one solution, without its marks; `todo` is the text after the first mark."""

    indent: str
    todo: str
    is_value: bool
    code: str

    def stub(self) -> list[str]:
        """The lines that stand in for the solution. Raises NotebookError."""
        todo = f"{self.indent}# TODO: {self.todo or 'your code'}"
        if self.is_value:
            return [todo, f"{self.indent}{self._assigned()} = ..."]
        if not self.indent:
            raise NotebookError(
                "a solution outside a function would stop Run All; mark a value with "
                "`# BEGIN SOLUTION value: …`, or tag the whole cell `solution`"
            )
        return [todo, f"{self.indent}raise NotImplementedError"]

    def _assigned(self) -> str:
        match ast.parse(self.code).body:
            case [*_, ast.Assign(targets=[ast.Name(id=name)])]:
                return name
            case [*_, ast.AnnAssign(target=ast.Name(id=name))]:
                return name
        raise NotebookError("a value's solution ends with an assignment to one name; add it")


def split(source: str) -> list[str | Block]:
    """A cell's lines outside solutions, and its solutions, in order. Raises NotebookError."""
    parts: list[str | Block] = []
    begin: re.Match[str] | None = None
    body: list[str] = []
    for line in source.split("\n"):
        if match := BEGIN.fullmatch(line):
            if begin:
                raise NotebookError("`# BEGIN SOLUTION` stands inside a solution; end that first")
            begin, body = match, []
        elif END.fullmatch(line):
            if not begin:
                raise NotebookError("`# END SOLUTION` has no `# BEGIN SOLUTION`; add or remove one")
            parts.append(_block(begin, body))
            begin = None
        elif ALMOST.search(line):
            raise NotebookError(
                f"`{line.strip()}` is not a mark; write `# BEGIN SOLUTION` or `# END SOLUTION`"
            )
        elif begin:
            body.append(line)
        else:
            parts.append(line)
    if begin:
        raise NotebookError("`# BEGIN SOLUTION` has no `# END SOLUTION`; add it")
    return parts


def _block(begin: re.Match[str], body: list[str]) -> Block:
    todo = (begin["text"] or "").strip()
    code = textwrap.dedent("\n".join(body)).strip("\n")
    if not code.strip():
        raise NotebookError("a solution is empty; write it between its marks")
    is_value = todo.startswith(VALUE)
    return Block(begin["indent"], todo.removeprefix(VALUE).strip(), is_value, code)


def blocks(source: str) -> list[Block]:
    """The solutions in a cell. Raises NotebookError."""
    return [part for part in split(source) if isinstance(part, Block)]


def stubbed(source: str) -> str:
    """The cell as a learner finds it. Raises NotebookError, also where that is no Python."""
    parts = split(source)
    if all(isinstance(part, str) for part in parts):
        return source
    lines: list[str] = []
    try:
        for part in parts:
            lines += part.stub() if isinstance(part, Block) else [part]
        ast.parse("\n".join(lines))
    except SyntaxError as error:
        raise NotebookError(
            f"the cell with its solution taken out is not Python ({error.msg}); move the marks"
        ) from None
    return "\n".join(lines)
