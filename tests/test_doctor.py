"""The doctor: each line is ok or says what to do, and the exit code is theirs together."""

from __future__ import annotations

import socket
from collections import namedtuple
from importlib import metadata
from pathlib import Path

import pytest

from dynalab import cli, doctor
from dynalab.doctor import Finding, installed, running


def test_a_finding_is_a_line_or_a_line_and_what_to_do() -> None:
    assert str(Finding("Port", "8888 is free")) == "ok   Port      8888 is free"
    assert str(Finding("Port", "none is free", "Stop one.")).splitlines() == [
        "fix  Port      none is free",
        "               Stop one.",
    ]


def test_this_machine_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    """With one real kernel. Who runs these tests has what the labs need."""
    code = cli.main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith(("ok", "fix"))] == [
        "Python", "Packages", "Widgets", "Kernel", "Engine", "Requests", "Port", "Disk", "Progress"
    ]  # fmt: skip
    assert "ok   Kernel    python3 starts, and imports dynalab" in lines
    assert "ok   Engine    an item was put, and got back" in lines
    assert (code == 0) == all(line.startswith("ok") for line in lines)


def test_one_line_to_fix_is_exit_code_1_and_a_look_that_breaks_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> Finding:
        raise RuntimeError("no idea")

    for room, names in (
        (installed, ("packages", "widgets")),
        (running, ("kernel", "engine", "destination", "port", "disk", "progress")),
    ):
        for name in names:
            monkeypatch.setattr(room, name, lambda: Finding("X", "well"))
    assert doctor.examine() == 0
    monkeypatch.setattr(running, "port", broken)
    assert doctor.examine() == 1
    assert "fix  Broken    could not be checked (RuntimeError: no idea)" in capsys.readouterr().out


def test_an_old_python_is_to_be_replaced() -> None:
    assert installed.python((3, 10, 9)).to_do.startswith("Install Python 3.11 or newer")
    assert installed.python((3, 14, 0)).to_do == ""


def test_a_package_that_is_not_as_pinned_is_named(tmp_path: Path) -> None:
    constraints = tmp_path / "constraints.txt"
    found = metadata.version("boto3")
    constraints.write_text(
        "# how it was made\n"
        "boto3==0.1\n"
        f"nbformat=={metadata.version('nbformat')}\n"
        "moto==0.1 ; python_version < '3'\n",
        encoding="utf-8",
    )
    finding = installed.packages(constraints)
    assert finding.seen == f"boto3 is {found}, wanted ==0.1"
    assert "pip install -c constraints.txt -e ." in finding.to_do


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    version = metadata.version

    def without(name: str) -> str:
        if name == "moto":
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", without)
    assert "moto is missing" in installed.packages().seen


def test_what_others_need_in_turn_is_looked_at_too() -> None:
    needed = installed._needed()
    assert {"botocore", "jupyter-server", "py-partiql-parser"} <= set(needed)
    assert "hypothesis" not in needed  # of the tests, not of the labs


def test_pages_without_the_widgets_part_are_to_be_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    import jupyter_core.paths

    monkeypatch.setattr(jupyter_core.paths, "jupyter_path", lambda *_: [])
    assert "jupyterlab_widgets" in installed.widgets().to_do


def test_a_kernel_that_is_not_there_is_to_be_installed() -> None:
    finding = running.kernel("no_such_kernel")
    assert finding.seen == "there is no kernel no_such_kernel"
    assert "-m ipykernel install" in finding.to_do


def test_an_endpoint_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        monkeypatch.setenv("DYNALAB_ENDPOINT", url)
        assert running.destination().seen.startswith(f"nobody answers at {url}")
        listener.listen()
        assert running.destination() == Finding("Requests", f"they go to {url}, which answers")


def test_an_endpoint_that_is_no_url_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNALAB_ENDPOINT", "localhost")
    assert "give a URL such as http://localhost:8000" in running.destination().to_do


def test_aws_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DYNALAB_ENDPOINT", raising=False)
    monkeypatch.setenv("DYNALAB_AWS", "1")
    assert "not tried here" in running.destination().seen


def test_a_port_that_is_taken_is_no_fault_while_the_next_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "_is_free", lambda number: number == 8890)
    assert running.port() == Finding("Port", "8888 is taken; JupyterLab will use 8890")
    monkeypatch.setattr(running, "_is_free", lambda number: False)
    assert "start.py --port" in running.port().to_do


def test_a_port_on_which_somebody_listens_is_not_free() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        assert not running._is_free(listener.getsockname()[1])


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(running.shutil, "disk_usage", lambda _: usage(3_000_000))
    assert running.disk().to_do.startswith("Make room")


def test_progress_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    assert running.progress(tmp_path / "a" / "b" / "progress.json").to_do == ""
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "progress.json").write_text("mine", encoding="utf-8")
    assert running.progress(tmp_path / "progress.json").to_do == ""
    assert (tmp_path / "progress.json").read_text(encoding="utf-8") == "mine"


def test_progress_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    finding = running.progress(tmp_path / "file" / "progress.json")
    assert "cannot be written" in finding.seen
    assert "DYNALAB_PROGRESS" in finding.to_do


def test_the_command_explains_itself_and_takes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["doctor", "--help"])
    assert end.value.code == 0
    assert "Exits with 0 if every line is ok" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit) as end:
        cli.main(["doctor", "now"])
    assert end.value.code == 2
