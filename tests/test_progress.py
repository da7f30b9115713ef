"""What a learner has solved is kept, shared between kernels, and never stands in the way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dynalab import progress as module
from dynalab.progress import Progress, default_path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".dynalab" / "progress.json"


def test_a_missing_file_is_a_fresh_start_and_nothing_is_written_yet(path: Path) -> None:
    progress = Progress(path)
    assert not progress.solved("1.1")
    assert progress.tries("1.1") == 0
    assert progress.notice is None
    assert not path.parent.exists()


def test_tries_count_right_and_wrong_and_solved_stays_solved(path: Path) -> None:
    progress = Progress(path)
    for correct in (False, True, False):
        progress.record("1.1", correct)
    for seen in (progress, Progress(path)):
        assert seen.solved("1.1")
        assert seen.tries("1.1") == 3
        assert not seen.solved("1.2")


def test_hints_and_predictions_are_kept(path: Path) -> None:
    progress = Progress(path)
    progress.hints_seen["1.1"] = 2
    progress.predictions["02.a"] = "4 – née"
    again = Progress(path)
    assert again.hints_seen["1.1"] == 2
    assert again.hints_seen.get("1.2", 0) == 0
    assert dict(again.predictions) == {"02.a": "4 – née"}
    del again.predictions["02.a"]
    assert "02.a" not in Progress(path).predictions


def test_the_file_holds_ids_counts_and_answers_and_nothing_else(path: Path) -> None:
    progress = Progress(path)
    progress.record("1.1", True)
    progress.predictions["01.a"] = "The same"
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "hints": {},
        "predictions": {"01.a": "The same"},
        "solved": {"1.1": True},
        "tries": {"1.1": 1},
    }
    assert [file.name for file in path.parent.iterdir()] == ["progress.json"]


def test_two_kernels_lose_nothing_of_each_other(path: Path) -> None:
    one, two = Progress(path), Progress(path)
    one.record("1.1", True)
    two.record("1.2", True)
    two.record("1.1", False)
    one.predictions["01.a"] = "x"
    assert one.solved("1.1") and one.solved("1.2")
    assert one.tries("1.1") == 2
    assert Progress(path).solved("1.1") and Progress(path).solved("1.2")


def test_kernels_that_write_at_the_same_time_lose_no_try(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from dynalab.progress import Progress\n"
        "progress = Progress(Path(sys.argv[1]))\n"
        "for _ in range(40): progress.record('1.1', False)\n"
        "progress.record(sys.argv[2], True)\n"
    )
    kernels = [
        subprocess.Popen([sys.executable, "-c", code, str(path), f"1.{n}"]) for n in (2, 3, 4)
    ]
    assert [kernel.wait(60) for kernel in kernels] == [0, 0, 0]
    progress = Progress(path)
    assert progress.tries("1.1") == 120
    assert all(progress.solved(f"1.{n}") for n in (2, 3, 4))


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"solved": {"1.1": 1}}', '{"tries": {"1.1": "2"}}', '{"hints": 3}', ""]
)
def test_a_corrupt_file_starts_anew_and_is_kept_beside(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    progress = Progress(path)
    assert progress.notice == (
        "Your progress could not be read, so it starts anew; "
        "the old file is kept as progress.json.broken."
    )
    progress.record("1.1", True)
    assert Progress(path).solved("1.1")
    assert path.with_name("progress.json.broken").read_text(encoding="utf-8") == text


def test_a_file_that_is_no_text_is_corrupt(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe\x00")
    assert "starts anew" in str(Progress(path).notice)


def test_a_file_that_breaks_under_a_running_kernel_costs_it_nothing(path: Path) -> None:
    progress = Progress(path)
    progress.record("1.1", True)
    path.write_text("{", encoding="utf-8")
    progress.record("1.2", True)
    assert Progress(path).solved("1.1") and Progress(path).solved("1.2")


def test_progress_that_was_deleted_does_not_come_back(path: Path) -> None:
    progress = Progress(path)
    progress.record("1.1", True)
    path.unlink()
    progress.record("1.2", True)
    assert not Progress(path).solved("1.1")


def test_where_nothing_can_be_written_progress_lasts_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    progress = Progress(tmp_path / "file" / "progress.json")  # its folder cannot be made
    progress.record("1.1", False)
    progress.record("1.1", True)
    progress.predictions["01.a"] = "x"
    assert progress.solved("1.1")
    assert progress.tries("1.1") == 2
    assert progress.predictions["01.a"] == "x"
    assert str(progress.notice).startswith("Your progress cannot be saved where it belongs")


def test_what_could_not_be_saved_is_saved_once_it_can_be(tmp_path: Path) -> None:
    blocker = tmp_path / "folder"
    blocker.write_text("", encoding="utf-8")
    progress = Progress(blocker / "progress.json")
    progress.record("1.1", True)
    blocker.unlink()
    other = Progress(blocker / "progress.json")
    other.record("1.2", True)
    progress.record("1.3", True)
    again = Progress(blocker / "progress.json")
    assert all(again.solved(exercise_id) for exercise_id in ("1.1", "1.2", "1.3"))


def test_a_file_that_cannot_be_read_is_not_overwritten(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Progress(path).record("1.1", True)

    def refused(*_: object, **__: object) -> str:
        raise PermissionError("not yours")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", refused)
        progress = Progress(path)
        progress.record("1.2", True)
    assert progress.solved("1.2")
    assert progress.notice is not None
    assert Progress(path).solved("1.1")
    progress.record("1.3", True)
    assert all(Progress(path).solved(exercise_id) for exercise_id in ("1.1", "1.2", "1.3"))


def test_a_lock_left_by_a_dead_kernel_is_taken_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCK_PATIENCE", 0.05)
    path.parent.mkdir()
    path.with_name("progress.json.lock").touch()
    Progress(path).record("1.1", True)
    assert Progress(path).solved("1.1")
    assert [file.name for file in path.parent.iterdir()] == ["progress.json"]


def test_what_windows_refuses_for_a_moment_is_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does so while a virus scanner or another kernel has the file open."""
    refusals: list[str] = []

    def refused_twice(name: str) -> None:
        original = getattr(Path, name)

        def refuse(self: Path, *arguments: object) -> object:
            if refusals.count(name) < 2:
                refusals.append(name)
                raise PermissionError(13, "Access is denied")
            return original(self, *arguments)

        monkeypatch.setattr(Path, name, refuse)

    refused_twice("replace")
    refused_twice("unlink")
    progress = Progress(path)
    progress.record("1.1", True)
    assert sorted(refusals) == ["replace", "replace", "unlink", "unlink"]
    assert progress.notice is None
    assert Progress(path).solved("1.1")
    assert [file.name for file in path.parent.iterdir()] == ["progress.json"]


def test_a_lock_that_windows_is_about_to_delete_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusals between turns of others do not add up to going on without a lock."""
    path.parent.mkdir()
    lock = path.with_name("progress.json.lock")
    answers = [PermissionError, FileExistsError] * module._TRIES
    make = os.open

    def refuse(file: Path, flags: int) -> int:
        if answers:
            raise answers.pop()
        return make(file, flags)

    monkeypatch.setattr(module, "_MOMENT", 0)
    monkeypatch.setattr(module.os, "open", refuse)
    with module._locked(path):
        assert lock.exists()


def test_the_locks_of_others_in_turn_are_no_lock_of_a_dead_kernel(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    lock = path.with_name("progress.json.lock")
    lock.touch()
    turns: list[Path] = []

    def next_turn(_seconds: float) -> None:
        turns.append(lock)
        lock.unlink()  # by its owner: nobody else has
        if len(turns) < 5:  # for longer than the patience with one lock
            lock.touch()
            os.utime(lock, ns=(len(turns), len(turns)))

    monkeypatch.setattr(module, "LOCK_PATIENCE", -1)  # the second look at one lock deletes it
    monkeypatch.setattr(module.time, "sleep", next_turn)
    with module._locked(path):
        assert len(turns) == 5


def test_the_environment_says_where_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNALAB_PROGRESS", str(tmp_path / "mine.json"))
    assert default_path() == tmp_path / "mine.json"
    Progress().record("1.1", True)
    assert (tmp_path / "mine.json").is_file()


def test_it_is_kept_beside_labs_and_else_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DYNALAB_PROGRESS", raising=False)
    home, course = tmp_path / "home", tmp_path / "course"
    (course / "labs").mkdir(parents=True)
    home.mkdir()
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.chdir(course / "labs")
    assert default_path() == course.resolve() / ".dynalab" / "progress.json"
    monkeypatch.chdir(home)
    assert default_path() == home / ".dynalab" / "progress.json"
