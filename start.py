"""DynaLab's commands: open the labs, run every test, pack for a room without network.

Standard library only, since nothing is installed yet.
"""

import hashlib
import importlib.util
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

WINDOWS = os.name == "nt"

# This file has to parse on an old Python, or that Python could not say this.
if sys.version_info < (3, 11):
    sys.exit(
        "DynaLab needs Python 3.11 or newer and this is Python {}.{}: run start.py with a newer "
        "one, for example {}".format(
            sys.version_info[0],
            sys.version_info[1],
            "py -3.12 start.py" if WINDOWS else "python3.12 start.py",
        )
    )

COMMAND = "py start.py" if WINDOWS else "python3 start.py"
HELP = f"""\
{COMMAND} [options of JupyterLab]    open the labs, e.g. --no-browser --port 8899
{COMMAND} test [options of pytest]   run every test and every notebook, e.g. -k capacity
{COMMAND} pack FOLDER                put every wheel into FOLDER, for rooms without network
{COMMAND} --from FOLDER [options]    the same as the first, installed from such a folder

All first make .venv beside this file and install into it what they need, once."""

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
FIRST_NOTEBOOK = "labs/00_start_here.ipynb"

# JupyterLab asks about news in a pop-up unless its own settings already say never.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}
}
# The same for its server, which then asks nobody even where a learner's own settings say yes.
LAB_FLAGS = [
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK}",
]
# One process more than processors: a test often waits for a kernel, a script or a thread.
PROCESSES = str((os.cpu_count() or 1) + 1)
# The plugin compares what solutions/ show; labs/ are only run, and must be unsolved.
PYTEST = [
    *("--nbval", "--nbval-current-env", "-p", "tests.notebook_cells"),
    *("--nbval-sanitize-with", "tests/nbval_sanitize.cfg", "--ignore", "labs/kept"),
    *("-n", PROCESSES, "--dist", "loadfile"),
]
# No test leaves this machine. Without compiled files some 150 processes would compile all anew.
LEFT_OUT = {"DYNALAB_AWS", "DYNALAB_ENDPOINT", "PYTHONDONTWRITEBYTECODE"}
# What an installer needs to make this project's own package: [build-system] and an editable one's.
BUILD_PACKAGES = ["hatchling>=1.27,<2", "editables"]
INDEX_ADVICE = "make sure that the package index can be reached"
TAKES_A_VALUE = {"-W", "-c", "-k", "-m", "-n", "-o", "-p"}


class Stop(Exception):
    """One sentence that says what is wrong and what to do next."""


def main(arguments: list[str]) -> int:
    """Run the command that the arguments name; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # Windows may not print each character of a path
            stream.reconfigure(errors="replace")
    try:
        if arguments[:1] in (["-h"], ["--help"]):
            print(HELP)
            return 0
        if arguments[:1] == ["test"]:
            return run_tests(arguments[1:])
        if arguments[:1] == ["pack"]:
            return pack(arguments[1:])
        if arguments[:1] == ["--from"]:
            return open_labs(arguments[2:], folder_of_wheels(arguments[1:2]))
        return open_labs(arguments)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"See that {ROOT} can be written to and run this again ({error}).", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def open_labs(arguments: list[str], wheels: Path | None = None) -> int:
    """Start JupyterLab with the first lab open; the arguments are JupyterLab's own.

    wheels: a folder that `pack` made, where nothing else can be reached.
    """
    need(FIRST_NOTEBOOK)
    paths = [path for path in map(existing, arguments) if path]
    if arguments and not arguments[0].startswith("-") and not existing(arguments[0]):
        raise Stop(f"start.py has no command {arguments[0]!r}: see {COMMAND} --help.")
    port = taken_port(arguments)
    if port:
        raise Stop(f"Port {port} is taken: stop what listens there or choose another --port.")

    python = prepare(wheels=wheels)
    settings = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps(SETTINGS, indent=2), encoding="utf-8")

    flags = LAB_FLAGS[:-1] if paths else LAB_FLAGS[:]
    if getattr(os, "geteuid", lambda: 1)() == 0:
        flags.append("--allow-root")  # in a container everybody is root
    given = {argument.partition("=")[0] for argument in arguments}
    flags = [flag for flag in flags if flag.partition("=")[0] not in given]
    return run([python, "-m", "jupyterlab", *flags, *map(absolute, arguments)])


def run_tests(arguments: list[str]) -> int:
    """Run every test and notebook, or those that the arguments name; the rest is pytest's."""
    need("tests", "solutions", "labs")
    paths: list[str] = []
    options: list[str] = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        is_path = before not in TAKES_A_VALUE and existing(argument)
        (paths if is_path else options).append(argument)
    everything = [str(ROOT / name) for name in ("tests", "solutions", "labs")]
    for before, argument in zip(["", *arguments], arguments, strict=False):
        # What follows an option may be its value; what stands alone can only be a path.
        if not (before.startswith("-") or argument.startswith("-") or existing(argument)):
            raise Stop(f"There is no file or folder {argument}: see {COMMAND} --help.")
    chosen = [absolute(path) for path in paths] or everything
    python = prepare("test")
    # The run starts with nothing solved, whatever this machine's learner has done.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {k: v for k, v in os.environ.items() if k not in LEFT_OUT}
        environment["DYNALAB_PROGRESS"] = str(Path(folder) / "progress.json")
        environment["JUPYTER_PLATFORM_DIRS"] = "1"
        return run([python, "-m", "pytest", *PYTEST, *options, *chosen], environment)


def pack(arguments: list[str]) -> int:
    """Put the wheels of everything that `prepare` installs into a folder, for this system."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise Stop(f"Name one folder: {COMMAND} pack FOLDER.")
    folder = Path(arguments[0]).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise Stop(
            f"{folder} cannot be written to ({error.strerror}): name another one."
        ) from error
    python = prepare()
    print(f"Packing into {folder}: this can take some minutes.", flush=True)
    what = [".", *BUILD_PACKAGES]
    install([python, "-m", "pip", "wheel", "-c", "constraints.txt", "-w", str(folder), *what])
    for own in folder.glob("dynalab-*.whl"):
        own.unlink()  # the project's folder is what gets installed
    print(
        f"{folder} holds what Python {'.'.join(version())} on {sys.platform} needs, in "
        f"{len(list(folder.glob('*.whl')))} wheels. Other systems can add theirs. Hand it out with "
        f"the course; there, without network: {COMMAND} --from FOLDER"
    )
    return 0


def folder_of_wheels(arguments: list[str]) -> Path:
    """The folder that the argument after --from names."""
    folder = Path(arguments[0]).resolve() if arguments else None
    if folder is None or not any(folder.glob("*.whl")):
        raise Stop(f"Name a folder that {COMMAND} pack made: {COMMAND} --from FOLDER.")
    return folder


def version() -> list[str]:
    return [str(part) for part in sys.version_info[:2]]


def prepare(extra: str = "", wheels: Path | None = None) -> str:
    """Make .venv hold what pyproject.toml and constraints.txt ask for; return its Python.

    wheels: the folder to install from, instead of the package index.
    """
    names = ("pyproject.toml", "constraints.txt")
    need(*names)
    inputs = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in names)).hexdigest()
    wanted = {"folder": str(ROOT), "inputs": inputs}
    stamp = VENV / "dynalab.json"
    try:
        found = dict(json.loads(stamp.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        found = {}
    extra_found = found.pop("extra", "")

    python = str(VENV / ("Scripts/python.exe" if WINDOWS else "bin/python"))
    usable = is_usable(python) and found.get("folder", str(ROOT)) == str(ROOT)
    if usable and found == wanted and extra in ("", extra_found):
        return python
    stamp.unlink(missing_ok=True)
    uv = shutil.which("uv")
    if not uv and not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        raise Stop(
            "This Python has no venv module: install it (Debian and Ubuntu: "
            "sudo apt install python3-venv), then run the same command again."
        )
    if not usable:
        remove_venv()
        with_uv = [uv, "venv", "--seed", "--python", sys.executable]
        install([*(with_uv if uv else [sys.executable, "-m", "venv", "--without-pip"]), str(VENV)])
    named = "DynaLab and its tests" if extra else "DynaLab"
    print(f"Installing {named} into .venv: the first time can take some minutes.", flush=True)
    if not uv:
        install([python, "-m", "ensurepip", "--default-pip"])
    pip = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    source = ["--no-index", "--find-links", str(wheels)] if wheels else []
    advice = (
        f"make sure that {wheels} was packed with Python {'.'.join(version())} on a system like "
        "this one"
        if wheels
        else INDEX_ADVICE
    )
    what = f".[{extra}]" if extra else "."
    install([*pip, *source, "-c", "constraints.txt", "-e", what], advice)
    stamp.write_text(json.dumps({**wanted, "extra": extra}), encoding="utf-8")
    return python


def is_usable(python: str) -> bool:
    """True where .venv is whole and was made by this version of Python."""
    try:
        lines = (VENV / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    said = {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}
    said_version = said.get("version") or said.get("version_info", "")  # venv's word, or uv's
    same = said_version.split(".")[:2] == version()
    return same and Path(said.get("home", "")).is_dir() and Path(python).exists()


def remove_venv() -> None:
    """Delete a .venv that cannot be used, if there is one."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        raise Stop("The active .venv cannot be used any more: deactivate it and run this again.")
    if VENV.exists():
        print("Making .venv again: it is broken, was moved, or is another Python's.", flush=True)
        try:
            shutil.rmtree(VENV)
        except OSError as error:
            raise Stop(f"Delete {VENV} and run this again ({error.strerror}).") from error


def install(command: list[str], advice: str = INDEX_ADVICE) -> None:
    """Run one command of an installer; what it says is kept in .venv/install.log.

    advice: what the learner can see to where the command fails.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        # A venv refuses pip's --user, which some systems set; Windows' pip would not write UTF-8.
        env={**os.environ, "PIP_USER": "0", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    log = VENV / "install.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(done.stdout, encoding="utf-8")
    if done.returncode:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith("error")]
        cause = (errors or lines[-1:] or ["it said nothing"])[0]
        raise Stop(
            f"The installation failed ({cause}): read {log}, {advice}, "
            "then run the same command again."
        )


def run(command: list[str], environment: dict[str, str] | None = None) -> int:
    """Run a command in the project's folder until it ends by itself; return its exit code."""
    with subprocess.Popen(command, cwd=ROOT, env=environment) as child:
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                pass  # the child got Ctrl-C too, and JupyterLab asks before it stops


def need(*names: str) -> None:
    """Stop where a file or folder of the project is not beside this file."""
    for name in names:
        if not (ROOT / name).exists():
            raise Stop(f"{name} is missing beside start.py: get the whole project again.")


def existing(argument: str) -> Path | None:
    """The file or folder that an argument such as `tests/test_start.py::test_help` names."""
    name = argument.partition("::")[0]
    if not name or name.startswith("-"):
        return None
    return next((base / name for base in (Path.cwd(), ROOT) if (base / name).exists()), None)


def absolute(argument: str) -> str:
    """The same argument, which no longer depends on the current folder if it names a path."""
    path = existing(argument)
    return str(path.resolve()) + "".join(argument.partition("::")[1:]) if path else argument


def taken_port(arguments: list[str]) -> int | None:
    """The port that the arguments ask for, where something on this machine listens there."""
    for name, after in zip(arguments, [*arguments[1:], ""], strict=False):
        flag, equals, value = name.partition("=")
        port = value if equals else after
        if flag in ("--port", "--ServerApp.port") and port.isdecimal():
            try:
                with socket.create_connection(("localhost", int(port)), timeout=1):
                    return int(port)
            except (OSError, OverflowError):
                pass
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
