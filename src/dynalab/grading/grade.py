"""`dynalab grade`: every submission of a folder, some at a time, and the table of all."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from dynalab.grading import kernels, report, submissions
from dynalab.grading.rows import Row


def grade(
    folder: Path, jobs: int, seconds: float, csv: Path | None = None, html: Path | None = None
) -> int:
    """Grades, prints a line as each is done and the table at the end, and writes the files.

    Returns 0 where every submission was graded to its end, 1 where one was not or there is none
    or a file could not be written, 130 where Ctrl-C ended it.
    """
    paths = submissions.found_in(folder)
    if not paths:
        print(f"dynalab: There is no notebook in {folder}; name the folder that holds them.",
              file=sys.stderr)  # fmt: skip
        return 1
    many = "1 notebook" if len(paths) == 1 else f"{len(paths)} notebooks, {jobs} at a time"
    print(f"Grading {many}", flush=True)
    rows: list[Row] = []
    stopped = False
    try:
        for row in graded(paths, folder, jobs, seconds):
            rows.append(row)
            place = f"[{len(rows):>{len(str(len(paths)))}} of {len(paths)}]"
            print(f"{place} {row.name}: {row.by_state() or row.reasons[0]}", flush=True)
    except KeyboardInterrupt:
        stopped = True
        print("dynalab: Stopped; what follows is what was graded so far.", file=sys.stderr)
    rows.sort(key=lambda row: row.name)
    print(f"\n{report.text(rows)}")
    written = [
        _write(csv, report.as_csv(rows), "utf-8-sig"),  # Excel knows UTF-8 by its mark
        _write(html, report.as_html(rows), "utf-8"),
    ]
    if stopped:
        return 130
    return 0 if all(written) and all(row.graded for row in rows) else 1


def graded(paths: Sequence[Path], folder: Path, jobs: int, seconds: float) -> Iterator[Row]:
    """The rows, each as soon as it is there. Left early, it stops the kernels that still run."""
    stop = threading.Event()
    pool = ThreadPoolExecutor(jobs)
    try:
        todo = [pool.submit(_row, path, folder, seconds, stop) for path in paths]
        for done in as_completed(todo):
            yield done.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _row(path: Path, folder: Path, seconds: float, stop: threading.Event) -> Row:
    row = Row(submissions.name_of(path, folder))
    try:
        submission = submissions.read(path)
        row.lab = submission.lab
        kernels.run(submission, row, seconds, stop.is_set)
    except submissions.NoSubmission as reason:
        row.because(str(reason))
    except Exception as error:  # one submission is a row, whatever it does
        row.because(f"The grader could not go on with it: {type(error).__name__}: {error}")
    return row


def _write(path: Path | None, content: str, encoding: str) -> bool:
    if path is None:
        return True
    try:
        path.write_text(content, encoding=encoding, newline="")
    except OSError as error:
        print(f"dynalab: {path} cannot be written ({error.strerror}); name another file.",
              file=sys.stderr)  # fmt: skip
        return False
    print(f"Written: {path}")
    return True
