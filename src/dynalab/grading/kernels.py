"""One submission in one fresh kernel: its cells in order, and a verdict after each answer."""

from __future__ import annotations

import os
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager

from dynalab.authoring import ELSEWHERE
from dynalab.grading.rows import Row
from dynalab.grading.submissions import Submission
from dynalab.progress import default_path

START_SECONDS = 120.0
CELLS_A_SUBMISSION = 4  # one cell may take that part of a submission's seconds
_MOMENT = 0.25  # seconds
_AFTER_INTERRUPT = 5.0  # seconds

_starting = threading.Lock()  # two kernels that look for free ports at once may find the same


class Ended(Exception):
    """The submission cannot go on; the message is one sentence that says why."""


class NotStarted(Ended):
    """The machine gave no kernel; that is no fault of the submission."""


class _Overtime(Exception):
    """A request took its share of the time, and was interrupted."""


class _Desks(KernelSpecManager):
    """The kernel of the Python that grades, whatever kernels this machine knows."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label = label

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        kept = str(default_path().absolute())
        command = [sys.executable, "-m", "dynalab.grading.desk", self._label, kept]
        return KernelSpec(argv=[*command, "-f", "{connection_file}"], language="python")


def run(submission: Submission, row: Row, seconds: float, stop: Callable[[], bool]) -> None:
    """Fills in the row. seconds: for all cells and verdicts, the kernel's start left out.

    A cell or a verdict that takes a quarter of it is interrupted, and the next one has its turn.
    stop: whether to give up, asked several times a second.
    """
    row.states = {entry.id: "not graded" for entry in submission.lab.exercises}
    try:
        with _kernel(submission.lab.label, stop) as kernel:
            kernel.deadline = time.monotonic() + seconds
            kernel.longest = seconds / CELLS_A_SUBMISSION
            answered_in = submission.answered_in()
            for cell in submission.cells:
                _run_cell(kernel, cell.place, cell.source, row)
                if cell.place in answered_in:
                    kernel.judge(answered_in[cell.place], row)
            asked = {each for ids in answered_in.values() for each in ids}
            kernel.judge([each for each in row.states if each not in asked], row)
    except Ended as ended:
        row.because(str(ended))
    if row.errors:
        cells = "1 cell stops" if row.errors == 1 else f"{row.errors} cells stop"
        row.because(f"In all, {cells} with an error.")


def _run_cell(kernel: _Kernel, place: int, source: str, row: Row) -> None:
    where = f"Cell {place}"
    try:
        content = {"silent": False, "store_history": False, "user_expressions": {}}
        reply = kernel.ask(
            "execute_request",
            {"code": source, **content, "allow_stdin": False, "stop_on_error": False},
            where,
        )
    except _Overtime:
        row.because(f"{where} did not end within {kernel.longest:.0f} seconds.")
        return
    if reply.get("status") == "error":
        row.stopped(where, f"{reply.get('ename')}: {reply.get('evalue')}")


class _Kernel:
    """A running kernel; every request has a limit, and a kernel that died is noticed."""

    def __init__(self, manager: KernelManager, stop: Callable[[], bool]) -> None:
        self._manager = manager
        self._stop = stop
        self._client: Any = manager.blocking_client()
        # Without the channel on which outputs come, nothing that floods it is kept anywhere.
        self._client.start_channels(shell=True, iopub=False, stdin=False, hb=False, control=False)
        self.deadline = time.monotonic() + START_SECONDS
        self.longest = START_SECONDS

    def await_start(self) -> None:
        """Raises NotStarted where the kernel does not answer."""
        try:
            self.ask("kernel_info_request", {}, "The kernel's start")
        except (_Overtime, Ended) as error:
            if self._stop():
                raise
            raise NotStarted from error

    def close(self) -> None:
        self._client.stop_channels()

    def judge(self, ids: list[str], row: Row) -> None:
        """The verdicts on those exercises, into the row."""
        from dynalab.grading.desk import REQUEST

        try:
            reply = self.ask(REQUEST, {"ids": ids}, f"The check of {' and '.join(ids)}")
        except _Overtime:
            row.because(f"The check of {' and '.join(ids)} did not end.")
            return
        for each, (state, said) in reply["verdicts"].items():
            row.states[each] = state
            if said:
                row.because(f"{each}: {said}")
        for note in reply["notes"]:
            row.because(note)

    def ask(self, kind: str, content: dict[str, Any], what: str) -> dict[str, Any]:
        """The content of the reply. Raises _Overtime, or Ended where the kernel is lost."""
        message = self._client.session.msg(kind, content)
        self._client.shell_channel.send(message)
        asked = message["header"]["msg_id"]
        latest = min(self.deadline, time.monotonic() + self.longest)
        reply = self._reply(asked, latest, what)
        if reply is not None:
            return reply
        if time.monotonic() >= self.deadline:
            raise Ended(f"{what} was running when the time was up.")
        self._manager.interrupt_kernel()
        if self._reply(asked, time.monotonic() + _AFTER_INTERRUPT, what) is None:
            raise Ended(f"{what} did not end, and could not be interrupted.")
        raise _Overtime

    def _reply(self, asked: str, latest: float, what: str) -> dict[str, Any] | None:
        while True:
            if self._stop():
                raise Ended("Grading was stopped.")
            try:
                reply = self._client.shell_channel.get_msg(timeout=_MOMENT)
            except queue.Empty:
                if not self._manager.is_alive():
                    raise Ended(f"{what} ended the kernel.") from None
            except ValueError:  # a message that the kernel did not sign
                pass
            else:
                if reply["parent_header"].get("msg_id") == asked:
                    content: dict[str, Any] = reply["content"]
                    return content
            if time.monotonic() >= latest:
                return None


@contextmanager
def _kernel(label: str, stop: Callable[[], bool]) -> Iterator[_Kernel]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "desk").mkdir()  # what the cells write into their working directory goes here
        try:
            manager, kernel = _started(label, folder, stop)
        except NotStarted:  # somebody else may have taken a port between its choice and its use
            manager, kernel = _started(label, folder, stop)
        try:
            yield kernel
        finally:
            kernel.close()
            manager.shutdown_kernel(now=True)


def _started(label: str, folder: Path, stop: Callable[[], bool]) -> tuple[KernelManager, _Kernel]:
    manager = KernelManager(
        kernel_spec_manager=_Desks(label), connection_file=str(folder / "kernel.json")
    )
    said = folder / "said.txt"
    with _starting, said.open("wb") as output:
        options: dict[str, Any] = {"env": _environment(folder), "cwd": str(folder / "desk")}
        manager.start_kernel(**options, stdout=DEVNULL, stderr=output)
    kernel = _Kernel(manager, stop)
    try:
        kernel.await_start()
    except BaseException as error:
        kernel.close()
        manager.shutdown_kernel(now=True)
        if not isinstance(error, NotStarted):
            raise
        lines = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        cause = f" ({lines[-1]})" if lines else ""
        raise NotStarted(f"No kernel came up{cause}; run `dynalab doctor`.") from None
    return manager, kernel


def _environment(folder: Path) -> dict[str, str]:
    """This process's environment, but for what leads elsewhere, to credentials or to progress."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ELSEWHERE and not name.startswith("AWS_")
    }
    kept["DYNALAB_PROGRESS"] = str(folder / "progress.json")
    kept["IPYTHONDIR"] = str(folder / "ipython")
    return kept
