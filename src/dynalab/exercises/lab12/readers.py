"""Readers in threads of their own, whose replies a check holds back and lets go in its order.

Nothing here waits without a bound: what a reader that never comes back waits for is refused.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from botocore.exceptions import ReadTimeoutError

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.schedules.ending import OwnThread, Stopped, interrupt

_LOOK = 0.002  # seconds between two looks at a thread
_STILL_LOOKS = 20  # a thread that is at the same place so often in a row waits for somebody
_STUCK_LOOKS = 600  # … and waits in vain, where nobody is left to wait for
_MOST_SECONDS = 10.0
# Whoever is in here is at work on a request, however slow the machine is.
_AT_WORK = ("botocore", "boto3", str(Path(__file__).parents[2]))
REFUSED, TIMED_OUT = "refused", "timed out"  # how a read fails
_REFUSAL = {
    "__type": "com.amazon.coral.service#AccessDeniedException",
    "Message": "You may not read this table.",
}


class Reader(OwnThread):
    """One call in a thread of its own.

    held: the reply to its request waits until `let_go`. fails: REFUSED, where DynamoDB refuses
    its request; TIMED_OUT, where no reply comes.
    requests: how many it has made. returned, raised: how the call ended.
    """

    def __init__(self, call: Callable[[], Any], *, held: bool, fails: str) -> None:
        super().__init__(self._make_call)
        self.requests = 0
        self.returned: Any = None
        self.raised: BaseException | None = None
        self.over = False
        self._call = call
        self._fails = fails
        self._held = held
        self._begun = False
        self._asked = threading.Event()
        self._may_go = threading.Event()

    def _make_call(self) -> None:
        self._begun = True
        try:
            self.returned = self._call()
        except BaseException as error:
            self.raised = error

    def let_go(self) -> None:
        self._may_go.set()

    @property
    def waits_for_reply(self) -> bool:
        return self._held and self._asked.is_set() and not self._may_go.is_set()

    def answer(self, go: Go) -> Reply:
        """In the reader's own thread: its reply, once it may have it."""
        if self.over:
            raise Stopped
        self.requests += 1
        reply = go()
        if self._held:
            self._asked.set()
            self._may_go.wait(2 * _MOST_SECONDS)
        if self.over:
            raise Stopped
        if self._fails == TIMED_OUT:
            raise ReadTimeoutError(endpoint_url="https://dynamodb.invalid/")
        if self._fails == REFUSED:
            return Reply(400, json.dumps(_REFUSAL).encode("utf-8"))
        return reply

    def ends(self) -> bool:
        """Waits for the end; False where the reader stands still for ever, or nearly."""
        return self._looked_at(_STUCK_LOOKS)

    def rests(self) -> None:
        """Waits until it has ended, waits for its reply, or for another thread."""
        self._looked_at(_STILL_LOOKS)

    def _looked_at(self, still: int) -> bool:
        """Waits for the end; False where it stands still for so many looks, or takes too long."""
        until = time.monotonic() + _MOST_SECONDS
        looks, place = 0, None
        while not self.gone_within(0):
            if self.waits_for_reply or looks >= still or time.monotonic() > until:
                return False
            if place is not None:
                time.sleep(_LOOK)  # a wait takes eight times as long on Windows
            else:
                self.gone_within(_LOOK)
            now = self._place()
            looks = looks + 1 if now is not None and now == place else 0
            place = now
        return True

    def _place(self) -> tuple[int, int] | None:
        """Where in which call it is; None while it is at work on a request, or before it began."""
        frame = sys._current_frames().get(self.ident or 0)
        if frame is None or not self._begun:
            return None
        if any(part in frame.f_code.co_filename for part in _AT_WORK):
            return None
        return id(frame), frame.f_lasti


class Readers:
    """Starts readers; they share the engine with everyone else.

    strangers: how many requests came from a thread that is none of them.
    """

    def __init__(self) -> None:
        self.strangers = 0
        self._all: list[Reader] = []

    def start(self, call: Callable[[], Any], *, held: bool = False, fails: str = "") -> Reader:
        """Starts one, and waits until it rests."""
        reader = Reader(call, held=held, fails=fails)
        self._all.append(reader)
        reader.start()
        reader.rests()
        return reader

    def missing(self) -> int:
        """Lets all go, and counts those that never come back."""
        for reader in self._all:
            reader.let_go()
        for reader in self._all:
            if not reader.ends():
                break  # so long as it was waited for, the others had time too
        return sum(not reader.gone_within(0) for reader in self._all)

    def middleware(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        current = threading.current_thread()
        reader = next((each for each in self._all if each is current), None)
        if reader is None:
            self.strangers += 1
            return go()
        return reader.answer(go)

    def end(self) -> bool:
        """Ends them all; False where a thread is left that nothing ends."""
        for reader in self._all:
            reader.over = True
            reader.let_go()
        for reader in self._all:
            if not reader.gone_within(0.2):
                interrupt(reader)
        return all(reader.gone_within(0) for reader in self._all)


@contextmanager
def readers() -> Iterator[Readers]:
    """Readers for the length of a block. One that outlives it may make no request any more."""
    connection = connect()
    some = Readers()
    connection.middleware.append(some.middleware)
    try:
        yield some
    finally:
        if some.end():
            connection.middleware.remove(some.middleware)
