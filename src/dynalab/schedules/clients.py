"""The parts of a run: its clients, the steps that were taken, and what is still on its way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply
from dynalab.schedules.choices import Choice, Fate


@dataclass(frozen=True)
class Step:
    """One choice that was carried out, with what was asked and what was answered."""

    choice: Choice
    operation: str
    request: Mapping[str, Any]
    reply: Reply | None


@dataclass(eq=False)
class Client:
    """One client: its thread, the request that it waits with, and how it ended.

    go: what it waits on before each request. history: the replies that it got. refusals: its
    requests after it was ended; asleep: it made so many of them that it sleeps for ever.
    """

    name: str
    function: Callable[[], Any]
    go: SimpleQueue[None] = field(default_factory=SimpleQueue)
    thread: threading.Thread | None = None
    pending: tuple[str, Mapping[str, Any], Go] | None = None
    fate: Fate = "served"
    requests: int = 0
    refusals: int = 0
    asleep: bool = False
    history: tuple[bytes, ...] = ()
    finished: bool = False
    died: bool = False
    returned: Any = None
    raised: BaseException | None = None


@dataclass(frozen=True)
class Floating:
    """A request whose client gave up on it, and which has not landed yet. text: what it asks."""

    client: str
    number: int
    operation: str
    request: Mapping[str, Any]
    text: str
    go: Go
