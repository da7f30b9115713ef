"""start.py: what it hands on, what it installs and when, and the sentence each trouble gets."""

import ast
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from nbval.plugin import get_sanitize_patterns

import start
from tests.conftest import LONG

REAL_ROOT = Path(__file__).resolve().parent.parent
SOURCE = REAL_ROOT / "start.py"
REAL_INSTALL = start.install


class Project:
    """A small copy of the project in which nothing is installed and nothing is run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.installs: list[list[str]] = []
        self.runs: list[list[str]] = []
        self.environments: list[dict[str, str]] = []
        self.codes: list[int] = []

    def install(self, command: list[str], advice: str = "") -> None:
        self.installs.append(command)
        if "venv" in command:
            self.fill_venv()

    def fill_venv(self, version: str = "", home: str = sys.prefix) -> None:
        python = self.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        version = version or "{}.{}.9".format(*sys.version_info[:2])
        text = f"home = {home}\nversion = {version}\n"
        (self.venv / "pyvenv.cfg").write_text(text, encoding="utf-8")

    def run(self, command: list[str], environment: dict[str, str] | None = None) -> int:
        self.runs.append(command)
        self.environments.append(environment or {})
        return self.codes.pop(0) if self.codes else 0

    def targets(self) -> list[list[str]]:
        """What each run of pytest was given to run, relative to the project."""
        prefix = str(self.root) + os.sep
        return [
            [part.removeprefix(prefix).replace(os.sep, "/") for part in run if prefix in part][1:]
            for run in self.runs
        ]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    root = tmp_path.resolve() / "project"
    for name in ("labs/00_start_here.ipynb", "solutions/00_start_here.ipynb", "tests/test_a.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    for name in ("pyproject.toml", "constraints.txt"):
        (root / name).write_text(f"# {name}\n", encoding="utf-8")
    made = Project(root)
    monkeypatch.setattr(start, "ROOT", root)
    monkeypatch.setattr(start, "VENV", made.venv)
    monkeypatch.setattr(start, "install", made.install)
    monkeypatch.setattr(start, "run", made.run)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.chdir(tmp_path)
    return made


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that start.py printed as an error."""
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


# --- the labs ---


def test_labs_open_at_the_first_notebook_and_ask_nobody(project: Project) -> None:
    assert start.main([]) == 0
    (command,) = project.runs
    assert command[1:3] == ["-m", "jupyterlab"]
    assert Path(command[0]).is_relative_to(project.venv)
    assert "--LabApp.default_url=/lab/tree/labs/00_start_here.ipynb" in command
    assert "--LabApp.extension_manager=readonly" in command
    assert "--LabApp.news_url=None" in command
    assert "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate" in command


def test_options_go_to_jupyterlab(project: Project) -> None:
    start.main(["--no-browser", "--port", "0"])
    assert project.runs[0][-3:] == ["--no-browser", "--port", "0"]


def test_an_option_of_the_learner_replaces_ours(project: Project) -> None:
    start.main(["--LabApp.extension_manager=pypi", "--allow-root"])
    (command,) = project.runs
    assert [part for part in command if "extension_manager" in part] == [
        "--LabApp.extension_manager=pypi"
    ]
    assert command.count("--allow-root") == 1


def test_another_notebook_can_be_named_from_any_folder(project: Project) -> None:
    start.main(["labs/00_start_here.ipynb"])
    assert project.runs[0][-1] == str(project.root / "labs" / "00_start_here.ipynb")
    assert not any("default_url" in part for part in project.runs[0])


def test_settings_of_jupyterlab_say_no_news(project: Project) -> None:
    start.main([])
    path = project.venv / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "@jupyterlab/apputils-extension:notification": {
            "fetchNews": "false",
            "checkForUpdates": False,
        }
    }


def test_the_settings_exist_in_this_jupyterlab() -> None:
    found = importlib.util.find_spec("jupyterlab")
    assert found and found.origin
    for setting, values in start.SETTINGS.items():
        package, _, plugin = setting.partition(":")
        schema = Path(found.origin).parent / "schemas" / package / f"{plugin}.json"
        known = json.loads(schema.read_text(encoding="utf-8"))["properties"]
        assert values.keys() <= known.keys()


def test_a_missing_notebook_is_a_sentence(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(project.root / "labs")
    assert start.main([]) == 1
    assert sentence(capsys).startswith("labs/00_start_here.ipynb is missing beside start.py")
    assert not project.installs


def test_a_taken_port_is_a_sentence(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for arguments in (["--port", str(port)], [f"--port={port}"]):
            assert start.main(arguments) == 1
            assert sentence(capsys).startswith(f"Port {port} is taken")
    assert not project.runs


def test_an_unknown_command_is_a_sentence(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(["tset"]) == 1
    assert sentence(capsys) == f"start.py has no command 'tset': see {start.COMMAND} --help."
    assert not project.installs


def test_help_prints_every_command_and_installs_nothing(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert f"{start.COMMAND} [" in printed
    assert f"{start.COMMAND} test [" in printed
    assert f"{start.COMMAND} pack FOLDER" in printed
    assert f"{start.COMMAND} --from FOLDER" in printed
    assert not project.installs


# --- the tests ---


def test_one_run_of_pytest_takes_tests_solutions_and_labs(project: Project) -> None:
    assert start.main(["test"]) == 0
    (command,) = project.runs
    assert project.targets() == [["tests", "solutions", "labs"]]
    said = " ".join(command)
    assert "--nbval --nbval-current-env -p tests.notebook_cells --nbval-sanitize-with" in said
    assert said.count(f"-n {start.PROCESSES} --dist loadfile") == 1


def test_a_run_of_the_tests_has_a_progress_of_its_own(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNALAB_PROGRESS", "mine.json")
    start.main(["test"])
    start.main(["test"])
    first, second = (found["DYNALAB_PROGRESS"] for found in project.environments)
    assert len({first, second, "mine.json"}) == 3


def test_what_the_processes_take_first_is_there() -> None:
    tests = [path.as_posix() for path in (REAL_ROOT / "tests").rglob("*.py")]
    for part in set(LONG) - {".ipynb"}:
        assert any(f"tests/{part}" in path for path in tests), part


def test_no_test_leaves_this_machine(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNALAB_AWS", "1")
    monkeypatch.setenv("DYNALAB_ENDPOINT", "http://localhost:1")
    start.main(["test"])
    for found in project.environments:
        assert not found.keys() & {"DYNALAB_AWS", "DYNALAB_ENDPOINT"}
        assert found.keys() >= {"PATH", "DYNALAB_PROGRESS"}


def test_options_go_to_pytest(project: Project) -> None:
    start.main(["test", "-x", "-k", "labs"])
    assert project.targets() == [["tests", "solutions", "labs"]]
    assert "-x -k labs" in " ".join(project.runs[0])


@pytest.mark.parametrize(
    "path", ["tests/test_a.py::test_it", "solutions", "labs/00_start_here.ipynb"]
)
def test_a_path_is_run_alone(project: Project, path: str) -> None:
    start.main(["test", path, "-v"])
    assert project.targets() == [[path]]


@pytest.mark.parametrize("code", [0, 1, 5])
def test_the_code_of_pytest_is_that_of_the_command(project: Project, code: int) -> None:
    project.codes = [code]
    assert start.main(["test"]) == code


def test_a_missing_folder_is_a_sentence_not_a_run_with_fewer_tests(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(project.root / "solutions")
    assert start.main(["test"]) == 1
    assert sentence(capsys).startswith("solutions is missing beside start.py")
    assert not project.runs


# --- what is installed, and when ---


def test_the_first_run_makes_venv_and_installs_with_the_pins(project: Project) -> None:
    start.main([])
    venv, _ensurepip, pip = project.installs
    assert venv[:3] == [sys.executable, "-m", "venv"]
    assert pip[1:] == ["-m", "pip", "install", "-c", "constraints.txt", "-e", "."]


def test_uv_is_used_where_it_is_on_the_path(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: "uv")
    start.main([])
    venv, pip = project.installs
    assert venv[:2] == ["uv", "venv"]
    assert pip[:3] == ["uv", "pip", "install"]
    assert pip[-4:] == ["-c", "constraints.txt", "-e", "."]


def test_a_second_run_calls_no_installer(project: Project) -> None:
    start.main([])
    project.installs.clear()
    start.main([])
    assert project.installs == []


def test_the_test_tools_come_with_the_second_command_only(project: Project) -> None:
    start.main([])
    project.installs.clear()
    start.main(["test"])
    assert project.installs[-1][-1] == ".[test]"
    project.installs.clear()
    start.main([])
    start.main(["test"])
    assert project.installs == []


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_pins_are_installed_into_the_same_venv(project: Project, name: str) -> None:
    start.main([])
    project.installs.clear()
    (project.root / name).write_text("moto==9\n", encoding="utf-8")
    start.main([])
    assert any("-c" in command for command in project.installs)
    assert not any("venv" in command for command in project.installs)


def test_a_venv_that_the_learner_made_is_kept(project: Project) -> None:
    project.fill_venv()
    mine = project.venv / "mine"
    mine.touch()
    start.main([])
    assert mine.exists()
    assert project.installs[-1][-1] == "."


@pytest.mark.parametrize("trouble", ["another Python", "no base Python", "moved", "no python"])
def test_a_venv_that_cannot_be_used_is_made_again(project: Project, trouble: str) -> None:
    start.main([])
    project.installs.clear()
    stale = project.venv / "stale"
    stale.touch()
    if trouble == "another Python":
        project.fill_venv(version="3.10.2")
    elif trouble == "no base Python":
        project.fill_venv(home=str(project.root / "gone"))
    elif trouble == "moved":
        stamp = project.venv / "dynalab.json"
        found = json.loads(stamp.read_text(encoding="utf-8"))
        stamp.write_text(json.dumps({**found, "folder": "elsewhere"}), encoding="utf-8")
    else:
        shutil.rmtree(project.venv / ("Scripts" if os.name == "nt" else "bin"))
    start.main([])
    assert not stale.exists()
    assert any("venv" in command for command in project.installs)


def test_a_stamp_that_cannot_be_read_means_install_again(project: Project) -> None:
    for text in ("", "{", "[1]", "null", '"x"'):
        (project.venv / "dynalab.json").parent.mkdir(exist_ok=True)
        (project.venv / "dynalab.json").write_text(text, encoding="utf-8")
        project.installs.clear()
        assert start.main([]) == 0
        assert project.installs


def test_a_python_without_venv_is_a_sentence(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != "ensurepip" or None)
    assert start.main([]) == 1
    assert "sudo apt install python3-venv" in sentence(capsys)
    assert not project.installs


def test_a_failed_installation_is_a_sentence_and_is_tried_again(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.fill_venv()
    fails = "print('Looking'); print('ERROR: no motto'); print('Bye'); raise SystemExit(1)"
    monkeypatch.setattr(start, "install", lambda *_: REAL_INSTALL([sys.executable, "-c", fails]))
    for _ in range(2):
        assert start.main([]) == 1
        said = sentence(capsys)
        assert "(ERROR: no motto)" in said
        assert str(project.venv / "install.log") in said
    log = (project.venv / "install.log").read_text(encoding="utf-8")
    assert log.splitlines() == ["Looking", "ERROR: no motto", "Bye"]
    assert not project.runs


def test_a_test_file_that_is_not_there_is_named_and_nothing_runs(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["tests/test_nowhere.py"], ["-k", "labs", "tests/test_nowhere.py"]):
        assert start.main(["test", *arguments]) == 1
        assert sentence(capsys).startswith("There is no file or folder tests/test_nowhere.py")
    assert not project.runs


# --- rooms without network ---


def test_pack_makes_a_wheel_of_whatever_is_installed(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def build(command: list[str], advice: str = "") -> None:
        project.install(command)
        if "wheel" in command:
            for name in ("boto3-1.whl", "dynalab-0.1.0.whl"):
                (tmp_path / "wheels" / name).touch()

    monkeypatch.setattr(start, "install", build)
    assert start.main(["pack", "wheels"]) == 0
    wheel = project.installs[-1]
    folder = str(tmp_path / "wheels")
    assert wheel[1:7] == ["-m", "pip", "wheel", "-c", "constraints.txt", "-w"]
    assert wheel[7:] == [folder, ".", *start.BUILD_PACKAGES]
    assert [path.name for path in (tmp_path / "wheels").iterdir()] == ["boto3-1.whl"]
    said = capsys.readouterr().out
    assert f"{folder} holds what Python " in said and "in 1 wheels." in said


def test_a_folder_that_cannot_be_packed_into_is_named_before_anything_is_installed(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").touch()
    assert start.main(["pack", str(tmp_path / "notes.txt")]) == 1
    said = sentence(capsys)
    assert said.startswith(f"{tmp_path / 'notes.txt'} cannot be written to")
    assert not project.installs


def test_the_packages_that_build_the_project_are_packed_too() -> None:
    project = tomllib.loads((REAL_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["build-system"]["requires"]) < set(start.BUILD_PACKAGES)


def test_from_installs_out_of_the_folder_and_asks_no_index(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "boto3-1.whl").touch()
    assert start.main(["--from", str(tmp_path), "--no-browser"]) == 0
    source = ["--no-index", "--find-links", str(tmp_path)]
    assert project.installs[-1][1:] == [
        *("-m", "pip", "install", *source, "-c", "constraints.txt", "-e", ".")
    ]
    assert project.runs[-1][-1] == "--no-browser"


def test_a_folder_that_lacks_a_wheel_says_where_to_pack(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "boto3-1.whl").touch()
    project.fill_venv()
    fails = [sys.executable, "-c", "print('ERROR: no numpy'); raise SystemExit(1)"]

    def install(command: list[str], *advice: str) -> None:
        if "--no-index" in command:
            REAL_INSTALL(fails, *advice)

    monkeypatch.setattr(start, "install", install)
    assert start.main(["--from", str(tmp_path)]) == 1
    said = sentence(capsys)
    assert f"make sure that {tmp_path} was packed with Python" in said
    assert "index" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pack"], f"Name one folder: {start.COMMAND} pack FOLDER."),
        (["pack", "--help"], f"Name one folder: {start.COMMAND} pack FOLDER."),
        (["--from"], f"Name a folder that {start.COMMAND} pack made"),
        (["--from", "nowhere"], f"Name a folder that {start.COMMAND} pack made"),
    ],
)
def test_without_a_folder_it_is_a_sentence(
    project: Project, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(arguments) == 1
    assert sentence(capsys).startswith(said)
    assert not project.installs


def test_a_folder_that_cannot_be_written_is_a_sentence(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_command: list[str], _advice: str = "") -> None:
        raise PermissionError(13, "Permission denied", str(project.venv))

    monkeypatch.setattr(start, "install", refuse)
    assert start.main([]) == 1
    assert sentence(capsys).startswith(f"See that {project.root} can be written to")


# --- the file itself ---


def test_it_parses_on_an_old_python() -> None:
    ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_it_needs_only_the_standard_library() -> None:
    imported = re.findall(r"^(?:import|from) (\w+)", SOURCE.read_text(encoding="utf-8"), re.M)
    assert set(imported) <= set(sys.stdlib_module_names)


def test_an_old_python_is_a_sentence() -> None:
    fake = (
        "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0);"
        f"runpy.run_path({str(SOURCE)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", fake], capture_output=True, encoding="utf-8")
    assert done.returncode == 1
    assert done.stderr.startswith("DynaLab needs Python 3.11 or newer and this is Python 3.10: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_no_command_fails_for_a_character_that_the_console_lacks(
    encoding: str, tmp_path: Path
) -> None:
    folder = str(tmp_path / "Räder → 1")
    code = (
        "import sys, start\n"
        "start.prepare = lambda *_: 'python'\n"
        "start.install = lambda *_: None\n"
        f"for arguments in (['--help'], ['\\u2192'], ['pack', {folder!a}]):\n"
        "    code = start.main(arguments)\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code],
        cwd=REAL_ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        encoding=encoding,
    )
    assert done.returncode == 0, done.stderr
    assert "der ? 1: this can take" in done.stdout


def test_ending_it_ends_what_it_started(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("Windows ends a process without telling it")
    child = "import time; print('up', flush=True); time.sleep(60)"
    code = f"import sys, start; sys.exit(start.run([sys.executable, '-c', {child!r}]))"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=REAL_ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "up\n"
        process.terminate()
        assert process.wait(timeout=30) != 0
        assert process.stdout.read() == ""  # the pipe closes once the child is gone


def test_the_pins_name_versions_and_no_place() -> None:
    lines = (REAL_ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [
        pin for pin in pins if not re.match(r"[a-z0-9][a-z0-9.-]*==[\w.!+]+( ; .+)?$", pin)
    ] == []
    assert not [line for line in lines if "://" in line or "--index" in line or "@" in line]


def test_nbval_ignores_the_bytes_of_a_chart_and_the_stylesheet_and_no_number() -> None:
    config = (REAL_ROOT / "tests" / "nbval_sanitize.cfg").read_text(encoding="utf-8")
    html = (
        "<style>td { width:\n7px }</style>"
        '<img alt="6.5 units" src="data:image/png;base64,iVBO/Rw0+Kg==">'
        "<td>6.5</td><style>a</style>"
    )
    left = html
    for regex, word in get_sanitize_patterns(config):
        left = re.sub(regex, word, left)
    assert left == (
        "<style></style>"
        '<img alt="6.5 units" src="data:image/png;base64,PNG"><td>6.5</td><style></style>'
    )
