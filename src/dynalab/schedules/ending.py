"""How the thread of a learner's code is ended, where it has no end or nobody needs it any more."""

from __future__ import annotations

import ctypes
import threading

STALL_SECONDS = 5.0  # without a request: beyond them a loop does not end


class Stopped(SystemExit):
    """Ends a thread quietly. `except Exception` does not catch it."""


class Endless(Stopped):
    """A client that makes requests without end."""


class Unfit(Exception):
    """The clients cannot be explored; the message is one sentence that says why."""


def interrupt(thread: threading.Thread | None) -> None:
    """Raises Stopped inside a thread that does not come back by itself."""
    if thread is not None and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped)
        )
