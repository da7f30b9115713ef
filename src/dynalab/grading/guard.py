"""What a submission may not do in its kernel: reach others, start programs, write your progress.

Python's audit hooks stay for as long as the process does; no code of a submission removes one.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from pathlib import Path
from typing import Any

_LOOKED_UP = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_SENT = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_STARTED = {
    "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "os.system",
    "pty.spawn", "subprocess.Popen", "_winapi.CreateProcess",
}  # fmt: skip
_MOVED = {"os.remove", "os.rename", "os.truncate", "shutil.rmtree"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Refusal(PermissionError):
    """The grader's kernel did not do what a submission asked for; the message says what."""


class Guard:
    """An audit hook; `refused` has what it refused, a sentence each, in order.

    kept: files that may not be written, nor those beside them whose names begin alike.
    """

    def __init__(self, kept: list[Path]) -> None:
        self.refused: list[str] = []
        self._kept = tuple(_in_full(path) for path in kept)
        self._own = {None, "", "localhost", "0.0.0.0", "::", socket.gethostname()}

    def install(self) -> None:
        """From here on, for as long as this process lives."""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _LOOKED_UP:
            self._refuse_host(arguments[0])
        elif event in _SENT and isinstance(arguments[1], tuple):
            self._refuse_host(arguments[1][0])
        elif event in _STARTED:
            self._refuse(f"It tried to start a program{_program(arguments)}.")
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            self._refuse_path(arguments[0])
        elif event in _MOVED:
            for each in arguments[:2]:
                self._refuse_path(each)

    def _refuse_host(self, host: Any) -> None:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if name in self._own:
            return
        try:
            if ipaddress.ip_address(name).is_loopback:
                return
        except ValueError:
            pass
        self._refuse(f"It tried to reach the network ({name}).")

    def _refuse_path(self, path: Any) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        if _in_full(path).startswith(self._kept):
            self._refuse("It tried to write into the progress of the person who grades.")

    def _refuse(self, sentence: str) -> None:
        if sentence not in self.refused:
            self.refused.append(sentence)
        raise Refusal(f"{sentence} The grader does not allow it.")


def _in_full(path: str | bytes | os.PathLike[Any]) -> str:
    # Most file systems of macOS and Windows take a name in any case.
    return os.path.realpath(os.fsdecode(path)).casefold()


def _program(arguments: tuple[Any, ...]) -> str:
    # Windows tells the whole command second, and often nothing first.
    named = [each for each in arguments[:2] if isinstance(each, str | bytes)]
    return f" ({os.fsdecode(named[0])[:60]})" if named else ""
