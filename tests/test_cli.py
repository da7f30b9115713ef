"""The command line: what it prints, what it exits with, and what it does not load."""

import errno
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from dynalab import cli, course
from dynalab.progress import Progress
from tests.tiny_notebook import notebook, solution, write

README = "<!-- labs -->\n<!-- /labs -->\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def root(home: Path) -> Path:
    (home / "solutions").mkdir()
    write(home / "solutions" / "01_count_on_read.ipynb", solution())
    (home / "README.md").write_text(README, encoding="utf-8")
    return home


def test_the_command_loads_neither_moto_nor_boto3_nor_matplotlib() -> None:
    code = (
        "import sys, dynalab.cli\n"
        "dynalab.cli.main(['list'])\n"
        "print({name.partition('.')[0] for name in sys.modules}"
        " & {'moto', 'boto3', 'botocore', 'matplotlib', 'nbformat', 'nbclient', 'IPython'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_no_command_fails_for_a_character_that_the_console_lacks(
    encoding: str, tmp_path: Path
) -> None:
    folder = tmp_path / "Übung → 1"
    (folder / "old" / "labs").mkdir(parents=True)
    (folder / "old" / "solutions").mkdir()
    (folder / "old" / "labs" / "✓.txt").touch()
    (folder / "solutions").mkdir()
    write(folder / "solutions" / "01_count_on_read.ipynb", solution())
    (folder / "README.md").write_text(README, encoding="utf-8")
    (folder / "✓.ipynb").write_text("→", encoding="utf-8")
    commands = [
        *(["list"], ["progress"], ["next"], ["--help"], ["build", "--check"], ["build"]),
        *(["reset", "1", "--yes"], ["upgrade", "old"], ["clean"], ["grade", "✓.ipynb"]),
        *(["handout", "1", "--to", "→"], ["handout", "1", "--to", "✓.ipynb"], ["doctor"]),
    ]
    code = (
        "import sys; from dynalab import cli\n"
        f"for command in {commands!a}:\n"
        "    try:\n        cli.main(command)\n"
        "    except SystemExit:\n        pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(cli.__file__).parents[2]),
            "PYTHONIOENCODING": encoding,
            "DYNALAB_PROGRESS": str(folder / "progress.json"),
        },
        capture_output=True,
        encoding=encoding,
    )
    assert done.returncode == 0, done.stderr
    assert "? 1" in done.stdout
    assert "labs/?.txt was copied." in done.stdout
    assert "? 1" in done.stdout.partition("Disk")[2]  # the last command came to its end


@pytest.mark.parametrize("command", [[], ["list"], ["progress"], ["serve"], ["clean"], ["build"]])
def test_every_command_explains_itself(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([*command, "--help"])
    assert end.value.code == 0
    assert f"usage: dynalab {' '.join(command)}".rstrip() in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["nope"], "invalid choice: 'nope'"),
        (["list", "more"], "unrecognized arguments: more"),
        (["serve", "--port", "http"], "a port is a number from 0 to 65535, not 'http'"),
        (["serve", "--port", "65536"], "a port is a number from 0 to 65535, not '65536'"),
        (["build", "--check", "--execute"], "not allowed with argument --check"),
    ],
)
def test_a_bad_argument_is_one_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line
    assert "--help`." in line


# --- list, progress -------------------------------------------------------------------------------


def test_list_shows_each_lab_with_minutes_and_state(capsys: pytest.CaptureFixture[str]) -> None:
    Progress().record("1.1", True)
    Progress().record("1.2", False)
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(course.load().labs)
    assert " ".join(lines[1].split()) == "01 Count on read 25 min core 1 of 4 solved"


@pytest.mark.usefixtures("root")
def test_list_says_which_labs_are_not_written_yet(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("not written yet")
    assert lines[1].endswith("0 of 4 solved")


def test_progress_shows_each_exercise(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Progress().record("1.1", False)
    Progress().record("1.1", True)
    Progress().record("1.2", False)
    assert cli.main(["progress"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "1.1 count_likes solved, 2 tries" in lines
    assert "1.2 count_cost not solved, 1 try" in lines
    assert "2.3 no such post not attempted" in lines
    assert lines[-1] == f"Kept in {home / 'progress.json'}"


def test_a_corrupt_progress_is_told_on_stderr(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "progress.json").write_text("{", encoding="utf-8")
    assert cli.main(["list"]) == 0
    assert "starts anew" in capsys.readouterr().err


def test_what_cannot_be_written_is_one_sentence_that_names_it(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "labs").write_text("a file where a folder belongs", encoding="utf-8")
    assert cli.main(["reset", "01", "--yes"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"dynalab: {root / 'labs'}")
    assert line.endswith("see that it can be read and written, then run the same command again.")


@pytest.mark.parametrize("command", ["list", "progress", "next"])
def test_outside_of_a_course_it_is_said_whose_progress_is_shown(
    command: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("DYNALAB_PROGRESS")
    monkeypatch.setattr(Path, "home", lambda: home)
    assert cli.main([command]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    kept = home / ".dynalab" / "progress.json"
    assert line.startswith(f"There is no labs/ folder here or above, so this is {kept};")
    (home / "labs").mkdir()
    assert cli.main([command]) == 0
    assert capsys.readouterr().err == ""


def test_a_course_without_its_solutions_is_told_so(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "labs").mkdir()
    for arguments in (["reset", "01", "--yes"], ["upgrade", "."], ["handout", "1"]):
        assert cli.main(arguments) == 1
        assert "This course has no solutions/ folder" in capsys.readouterr().err


# --- build ----------------------------------------------------------------------------------------


def test_build_writes_labs_and_the_table(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["build"]) == 0
    assert (root / "labs" / "01_count_on_read.ipynb").is_file()
    assert "| 01 |" in (root / "README.md").read_text(encoding="utf-8")
    assert cli.main(["build", "--check"]) == 0
    assert capsys.readouterr().err == ""


def test_build_names_the_labs_that_have_no_notebook_yet(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["build"]) == 0
    said = capsys.readouterr().out
    assert "Lab 02 has no notebook yet; write solutions/02_transactional_tally.ipynb." in said
    assert "Lab 01 " not in said


def test_check_prints_the_diff_says_what_differs_and_fails(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["build", "--check"]) == 1
    captured = capsys.readouterr()
    assert "+++ labs/01_count_on_read.ipynb as built" in captured.out
    assert captured.err.splitlines() == [
        "dynalab: labs/ is not what solutions/ gives; run `dynalab build`.",
        "dynalab: README.md's table of labs differs from course.toml; run `dynalab build`.",
    ]
    assert not (root / "labs").exists()
    assert (root / "README.md").read_text(encoding="utf-8") == README


def test_a_broken_rule_fails_the_build(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = solution()
    book.cells[0].source += " Well done!"
    write(root / "solutions" / "01_count_on_read.ipynb", book)
    assert cli.main(["build"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("dynalab: solutions/01_count_on_read.ipynb: Cell 1 (title): an exclam")


def test_an_answer_that_leaks_fails_the_build(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = solution()
    book.cells[1].source += "\n\n\nhelper = double(21)"  # what a cell tagged `solution` holds
    write(root / "solutions" / "01_count_on_read.ipynb", book)
    assert cli.main(["build"]) == 1
    assert "of the lab shows the whole solution" in capsys.readouterr().err


def test_execute_runs_the_named_labs_and_stores_their_outputs(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dynalab import authoring

    write(root / "solutions" / "00_start_here.ipynb", notebook())
    ran: list[str] = []
    monkeypatch.setattr(authoring, "execute", lambda path: ran.append(path.name))
    assert cli.main(["build", "--execute", "1"]) == 0
    assert ran == ["01_count_on_read.ipynb"]
    assert cli.main(["build", "--execute"]) == 0
    assert ran[1:] == ["00_start_here.ipynb", "01_count_on_read.ipynb"]
    assert cli.main(["build"]) == 0
    assert len(ran) == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["build", "--execute", "99"], "dynalab: There is no lab 99; the labs are"),
        (
            ["build", "--execute", "2"],
            "dynalab: There is no solutions/02_transactional_tally.ipynb",
        ),
    ],
)
@pytest.mark.usefixtures("root")
def test_a_lab_that_cannot_be_run_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(sentence)


def test_build_outside_the_course_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["build"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("dynalab: There is no solutions/ folder here or above")


# --- serve ----------------------------------------------------------------------------------------


def served(monkeypatch: pytest.MonkeyPatch, error: BaseException | None = None) -> list[object]:
    calls: list[object] = []

    def serve(host: str, port: int) -> None:
        calls.append((host, port))
        if error:
            raise error

    import dynalab.engine

    server = types.ModuleType("dynalab.engine.server")
    server.serve = serve  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "dynalab.engine.server", server)
    monkeypatch.setattr(dynalab.engine, "server", server, raising=False)
    return calls


def test_serve_listens_where_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = served(monkeypatch)
    assert cli.main(["serve"]) == 0
    assert cli.main(["serve", "--host", "0.0.0.0", "--port", "9000"]) == 0
    assert calls == [("127.0.0.1", 8000), ("0.0.0.0", 9000)]


def test_ctrl_c_is_how_serve_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch, KeyboardInterrupt())
    assert cli.main(["serve"]) == 0


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            OSError(errno.EADDRINUSE, "Address already in use"),
            "dynalab: port 8000 is taken; choose another one with --port.",
        ),
        (
            OSError(errno.EACCES, "Permission denied"),
            "dynalab: cannot listen on 127.0.0.1:8000 (Permission denied); see --host and --port.",
        ),
    ],
)
def test_a_port_that_cannot_be_had_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: OSError,
    sentence: str,
) -> None:
    served(monkeypatch, error)
    assert cli.main(["serve"]) == 1
    assert capsys.readouterr().err.splitlines() == [sentence]


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    """`dynalab list | head -3`: the pipe closes before all of it is written."""
    command = [sys.executable, "-m", "dynalab", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
