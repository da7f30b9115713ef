"""What this learner has solved: one small JSON file, read by nobody else.

It holds exercise ids, counts and the answers picked in predictions: no names, no times, no code.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from dynalab.course import folder_with

V = TypeVar("V")

LOCK_PATIENCE = 2.0  # seconds; a lock that stays longer was left by a process that died
_MOMENT = 0.01  # seconds between two tries
_TRIES = 30  # of what Windows refuses for a moment
UNSAVED = (
    "Your progress cannot be saved where it belongs, so it lasts until this kernel stops; "
    "set DYNALAB_PROGRESS to a file that can be written."
)


def default_path() -> Path:
    """Where progress is kept.

    The file that DYNALAB_PROGRESS names, else .dynalab/progress.json beside the nearest labs/
    folder upwards of the working directory, else .dynalab/progress.json in the user's home.
    """
    named = os.environ.get("DYNALAB_PROGRESS")
    if named:
        return Path(named).expanduser()
    return (folder_with("labs") or Path.home()) / ".dynalab" / "progress.json"


@dataclass
class _State:
    """The file's content; a mapping that lacks an id means False or 0."""

    solved: dict[str, bool] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    predictions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_json(cls, text: str) -> _State:
        """Raises ValueError where the text is not what `to_json` writes."""
        raw = json.loads(text)
        if not isinstance(raw, dict):
            raise ValueError("not an object")
        state = cls()
        for name, kind in (("solved", bool), ("tries", int), ("hints", int), ("predictions", str)):
            part = raw.get(name, {})
            if not isinstance(part, dict) or not all(
                type(value) is kind for value in part.values()
            ):
                raise ValueError(f"{name} is malformed")
            setattr(state, name, part)
        return state

    def to_json(self) -> str:
        return json.dumps(vars(self), indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def joined(self, other: _State) -> _State:
        """Both together: solved in either is solved, the higher count wins, `other` answers win."""
        return _State(
            {**self.solved, **other.solved},
            _higher(self.tries, other.tries),
            _higher(self.hints, other.hints),
            {**self.predictions, **other.predictions},
        )


def _higher(one: dict[str, int], two: dict[str, int]) -> dict[str, int]:
    return {key: max(one.get(key, 0), two.get(key, 0)) for key in {**one, **two}}


class Progress:
    """One learner's progress in the file `path` (default: `default_path()`).

    Every change is read, merged and written under a lock, so two kernels lose nothing of each
    other. `notice` is one sentence where the file could not be used, else None: a corrupt file
    is kept beside it as progress.json.broken, and where nothing can be written, progress lasts
    as long as this process. A missing file is a fresh start. No method raises for a file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.notice: str | None = None
        self._state = _State()
        with _locked(self.path):
            self._unsaved = not self._load(unsaved=False)
        # How many hints of an exercise were shown, by exercise id; setting one saves it.
        self.hints_seen: MutableMapping[str, int] = _Kept(self, lambda state: state.hints)
        # The answer picked for a prediction, by the prediction's id; setting one saves it.
        self.predictions: MutableMapping[str, str] = _Kept(self, lambda state: state.predictions)

    def solved(self, exercise_id: str) -> bool:
        """Whether the exercise was ever correct; a later wrong answer does not undo it."""
        return self._state.solved.get(exercise_id, False)

    def tries(self, exercise_id: str) -> int:
        """How many attempts at the exercise were recorded, right and wrong ones."""
        return self._state.tries.get(exercise_id, 0)

    def record(self, exercise_id: str, correct: bool) -> None:
        """Count one attempt, and remember that the exercise is solved where it was correct."""

        def attempt(state: _State) -> None:
            state.tries[exercise_id] = state.tries.get(exercise_id, 0) + 1
            if correct:
                state.solved[exercise_id] = True

        self._change(attempt)

    def forget(self, lab: int) -> None:
        """Everything about one lab: its exercises stand as not attempted."""

        own = (str(lab), f"{lab:02}")  # exercises are "7.1", predictions "07.a"

        def forgotten(state: _State) -> None:
            for part in (state.solved, state.tries, state.hints, state.predictions):
                for key in [key for key in part if key.partition(".")[0] in own]:
                    del part[key]

        self._change(forgotten)

    def join(self, path: Path) -> None:
        """Adds what another progress file says; nothing where it says nothing that is known."""
        try:
            other = _State.from_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return

        def joined(state: _State) -> None:
            vars(state).update(vars(other.joined(state)))

        self._change(joined)

    def _change(self, change: Callable[[_State], None]) -> None:
        """Apply `change` to what the file says now, and write that back."""
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(self.path):
            readable = self._load(self._unsaved)
            change(self._state)
            self._unsaved = not (readable and self._save())

    def _load(self, unsaved: bool) -> bool:
        """Take over what the file says; False where there is a file that cannot be read."""
        try:
            on_disk = _State.from_json(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            on_disk = _State()
        except OSError:
            self.notice = UNSAVED
            return False
        except ValueError:
            self._set_aside()
            return True
        # What is in memory only counts where it could not be saved: else a reset would be undone.
        self._state = self._state.joined(on_disk) if unsaved else on_disk
        return True

    def _save(self) -> bool:
        temporary = self.path.with_name(f"{self.path.name}.{os.getpid()}.tmp")
        try:
            temporary.write_text(self._state.to_json(), encoding="utf-8", newline="\n")
            _retried(lambda: temporary.replace(self.path))
        except OSError:
            self.notice = UNSAVED
            return False
        return True

    def _set_aside(self) -> None:
        broken = self.path.with_name(f"{self.path.name}.broken")
        with suppress(OSError):
            _retried(lambda: self.path.replace(broken))
        self.notice = (
            "Your progress could not be read, so it starts anew; "
            f"the old file is kept as {broken.name}."
        )


class _Kept(MutableMapping[str, V]):
    """A part of the progress as a mapping that is saved whenever an entry is set."""

    def __init__(self, progress: Progress, part: Callable[[_State], dict[str, V]]) -> None:
        self._progress = progress
        self._part = part

    def __getitem__(self, key: str) -> V:
        return self._part(self._progress._state)[key]

    def __setitem__(self, key: str, value: V) -> None:
        self._progress._change(lambda state: self._part(state).__setitem__(key, value))

    def __delitem__(self, key: str) -> None:
        self._progress._change(lambda state: self._part(state).__delitem__(key))

    def __iter__(self) -> Iterator[str]:
        return iter(self._part(self._progress._state))

    def __len__(self) -> int:
        return len(self._part(self._progress._state))


def _retried(move: Callable[[], object]) -> None:
    """Moves or deletes a file, which Windows refuses while another program reads it."""
    for _ in range(_TRIES - 1):
        try:
            move()
            return
        except PermissionError:
            time.sleep(_MOMENT)
    move()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes and threads out of `path`, where a lock file beside it can be made.

    A file created exclusively is a lock on every system. Where none can be made, the disk
    cannot be written either, so nothing needs keeping out.
    """
    lock = path.with_name(f"{path.name}.lock")
    deadline = time.monotonic() + LOCK_PATIENCE
    made = None  # when the lock that is waited for was made
    refusals = 0
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            refusals = 0
            with suppress(OSError):
                found = lock.stat().st_mtime_ns
                if found != made:  # another owner's turn
                    made, deadline = found, time.monotonic() + LOCK_PATIENCE
                elif time.monotonic() > deadline:  # it died: a live one holds it for a moment
                    lock.unlink()
        except PermissionError:  # Windows says so for a moment while a lock is being deleted
            refusals += 1
            if refusals == _TRIES:
                yield
                return
        except OSError:
            yield
            return
        time.sleep(_MOMENT)
    try:
        yield
    finally:
        with suppress(OSError):
            _retried(lock.unlink)
