"""The kernel in which a submission runs: an IPython kernel that also judges, when it is asked.

Run as `python -m dynalab.grading.desk LAB PROGRESS -f CONNECTION_FILE`; the file PROGRESS is the
instructor's, and stays as it is. A `judge_request` {"ids": […]} is answered by a `judge_reply`
{"verdicts": {id: [state, sentence]}, "notes": […]}.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from dynalab import course, exercises, tutor
from dynalab.check import Verdict, judge
from dynalab.engine.connect import connect
from dynalab.grading.guard import Guard
from dynalab.grading.seal import Seal
from dynalab.views.head import Note

REQUEST = "judge_request"
REPLY = "judge_reply"

# What the learner's code did, in the words of the checks. Other lines may hold a right value.
_ERROR = re.compile(
    r"\braised\b|\bstopped\b|could not go on|The check calls|takes the function itself"
)


def main() -> None:
    """Becomes the kernel that the command line asks for."""
    label, kept = sys.argv[1:3]
    sys.argv[1:3] = []
    Desk.label, Desk.kept = label, [Path(kept), Path.home() / ".dynalab" / "progress.json"]
    IPKernelApp.launch_instance(kernel_class=Desk)


class Desk(IPythonKernel):
    """A kernel with everything at hand that a verdict needs, from before the first cell."""

    label = ""
    kept: list[Path] = []  # noqa: RUF012

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        shell: Any = self.shell
        self._namespace: dict[str, Any] = shell.user_ns
        self._exercises = exercises.load(self.label)
        self._connection = connect()
        # The checks in the notebook would take as long again, and their verdicts are not read.
        tutor.Tutor.check = _unjudged  # type: ignore[method-assign]
        # Nobody looks at what is displayed, so no picture is drawn.
        shell.display_formatter.active_types = ["text/plain"]
        shell.ask_exit = _exit  # exit() would end the kernel some cells later
        self._judge = judge
        self._changed: list[str] = []
        self._seal = Seal()
        self._guard = Guard(self.kept)
        self._guard.install()
        self.shell_handlers[REQUEST] = self._answer

    def _answer(self, stream: Any, ident: Any, parent: Any) -> None:
        verdicts = {each: self._verdict(each) for each in parent["content"]["ids"]}
        changes = [f"It changed {name}; it was judged without that." for name in self._changed]
        notes = [*self._guard.refused, *changes[:3]]
        content = {"verdicts": verdicts, "notes": notes}
        session: Any = self.session
        session.send(stream, REPLY, content, parent, ident=ident)

    def _verdict(self, exercise_id: str) -> tuple[str, str]:
        self._changed += [each for each in self._seal.mend() if each not in self._changed]
        entry = course.load().exercise(exercise_id)
        exercise = next((e for e in self._exercises.EXERCISES if e.id == exercise_id), None)
        if exercise is None:
            return "not graded", "it has no check in this version of DynaLab."
        names = entry.names
        missing = [name for name in names if name not in self._namespace]
        if missing:
            return "not attempted", f"nothing is called {' or '.join(missing)}."
        values = tuple(self._namespace[name] for name in names)
        try:
            with self._alone():
                answer = values if len(names) > 1 else values[0]
                verdict = self._judge(exercise, answer, self._exercises.TABLES)
        except KeyboardInterrupt:
            return "not graded", "its check did not come to an end in time."
        except BaseException as error:
            return "not graded", f"its check was ended by {type(error).__name__}."
        return verdict.outcome, _said(verdict)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Without the middleware that a cell may have left on the road of the requests."""
        left = self._connection.middleware[:]
        self._connection.middleware.clear()
        try:
            yield
        finally:
            self._connection.middleware[:] = left


def _unjudged(self: tutor.Tutor, exercise_id: str, answer: object) -> Note:
    return Note("The grader judges this answer.")


def _exit() -> NoReturn:
    raise SystemExit("exit() was called")


def _said(verdict: Verdict) -> str:
    """The learner's own error, and the check's question; never a line that may hold a value."""
    if verdict.outcome != "incorrect":
        return ""
    errors = [line for line in verdict.lines[:1] if _ERROR.search(line)]
    return " ".join([*errors, verdict.ask]).strip() or "it does something else than its task says."


if __name__ == "__main__":
    main()
