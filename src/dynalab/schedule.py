"""One run of some clients in one chosen order: exactly one thread runs at a time.

A client stops before each of its requests until the conductor has chosen what happens to
it: it is served, its reply is lost, it comes late, or the client dies there.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from botocore.exceptions import ReadTimeoutError

from dynalab.engine.connect import Connection, Go
from dynalab.engine.engine import Reply, Store

Fate: TypeAlias = Literal["served", "dies", "lost request", "lost reply", "late", "lands", "stale"]
MOST_REQUESTS = 200
STALL_SECONDS = 5.0
_URL = "https://dynamodb.invalid/"
_MARKS: dict[Fate, str] = {
    "served": "{}{}",
    "dies": "{}†",
    "lost request": "{}{}×",
    "lost reply": "{}{}~",
    "late": "{}{}…",
    "lands": "…{}{}",
    "stale": "{}{}°",
}


class Stopped(BaseException):
    """Ends a client's thread. No Exception, so that `except Exception` does not catch it."""


class Endless(Stopped):
    """A client that makes requests without end."""


class Unfit(Exception):
    """The clients cannot be explored; the message is one sentence that says why."""


@dataclass(frozen=True)
class Choice:
    """What happens next: the fate of a client's request, numbered from 1 for each client."""

    client: str
    number: int
    fate: Fate

    def __str__(self) -> str:
        return _MARKS[self.fate].format(self.client, self.number)


@dataclass(frozen=True)
class Step:
    """One choice that was carried out, with what was asked and what was answered."""

    choice: Choice
    operation: str
    request: Mapping[str, Any]
    reply: Reply | None


@dataclass
class Client:
    """One client: its thread, the request that it waits with, and how it ended."""

    name: str
    function: Callable[[], Any]
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    thread: threading.Thread | None = None
    pending: tuple[str, Mapping[str, Any], Go] | None = None
    fate: Fate = "served"
    requests: int = 0
    history: tuple[Any, ...] = ()
    finished: bool = False
    died: bool = False
    returned: Any = None
    raised: BaseException | None = None


@dataclass(frozen=True)
class Floating:
    """A request whose client gave up on it, and which has not landed yet."""

    client: str
    number: int
    operation: str
    request: Mapping[str, Any]
    go: Go


class Run:
    """Clients under a conductor. Use as `with run.started():`, then `carry_out` choices."""

    def __init__(self, connection: Connection, clients: Mapping[str, Callable[[], Any]]) -> None:
        self._connection = connection
        self.clients = {name: Client(name, function) for name, function in clients.items()}
        self.floating: list[Floating] = []
        self.steps: list[Step] = []
        self.before_last_write: Store | None = None
        self.keep_before_writes = False
        self._by_thread: dict[int, Client] = {}
        self._parked = threading.Semaphore(0)
        self._ended = False
        self._unfit: Unfit | None = None

    @contextmanager
    def started(self) -> Iterator[None]:
        """Starts every client up to its first request; ends what is left of them afterwards."""
        self._connection.middleware.append(self._gate)
        try:
            for client in self.clients.values():
                self.start(client)
            yield
        finally:
            self._end()
            self._connection.middleware.remove(self._gate)

    def start(self, client: Client) -> None:
        self.clients[client.name] = client
        client.thread = threading.Thread(target=self._live, args=(client,), daemon=True)
        client.thread.start()
        self._await(client)

    def carry_out(self, choice: Choice) -> None:
        """Lets one thing happen, and waits until its client stands at its next request."""
        if choice.fate == "lands":
            self._land(choice)
            return
        client = self.clients[choice.client]
        assert client.pending is not None
        operation, request, _ = client.pending
        client.fate = choice.fate
        self.steps.append(Step(choice, operation, request, None))
        client.go.release()
        self._await(client)

    def _land(self, choice: Choice) -> None:
        for place, late in enumerate(self.floating):
            if (late.client, late.number) == (choice.client, choice.number):
                del self.floating[place]
                self._note_store(late.operation)
                reply = late.go()
                self.steps.append(Step(choice, late.operation, late.request, reply))
                return
        raise Unfit(f"No request {choice} is on its way; start the schedule from the beginning.")

    # --- in the clients' threads ------------------------------------------------------------

    def _live(self, client: Client) -> None:
        self._by_thread[threading.get_ident()] = client
        try:
            client.returned = client.function()
        except Endless as error:
            client.raised = error
        except Stopped:
            pass
        except BaseException as error:
            client.raised = error
        finally:
            client.finished = True
            client.pending = None
            self._parked.release()

    def _gate(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        client = self._by_thread.get(threading.get_ident())
        if client is None:
            self._unfit = Unfit(
                "A thread that a client started made a request; "
                "schedules follow one thread a client, so leave threads out here."
            )
            raise Stopped
        if self._ended or client.died:
            raise Stopped
        client.requests += 1
        if client.requests > MOST_REQUESTS:
            raise Endless(
                f"it made more than {MOST_REQUESTS} requests and was stopped; does its loop end?"
            )
        client.pending = (operation, request, go)
        self._parked.release()
        client.go.acquire()
        client.pending = None
        if self._ended:
            raise Stopped
        return self._meet(client, operation, request, go)

    def _meet(self, client: Client, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        fate = client.fate
        if fate == "dies":
            client.died = True
            raise Stopped
        if fate == "late":
            self.floating.append(Floating(client.name, client.requests, operation, request, go))
        if fate in ("late", "lost request"):
            client.history += (fate,)
            raise ReadTimeoutError(endpoint_url=_URL)
        if fate == "stale" and self.before_last_write is not None:
            reply = self._from_before(operation, request)
        else:
            self._note_store(operation)
            reply = go()
        last = self.steps[-1]
        self.steps[-1] = Step(last.choice, last.operation, last.request, reply)
        if fate == "lost reply":
            client.history += (fate,)
            raise ReadTimeoutError(endpoint_url=_URL)
        client.history += (reply.body,)
        return reply

    def _note_store(self, operation: str) -> None:
        if self.keep_before_writes and not is_read(operation):
            self.before_last_write = self._connection.engine.store.copy()

    def _from_before(self, operation: str, request: Mapping[str, Any]) -> Reply:
        engine = self._connection.engine
        now = engine.store
        assert self.before_last_write is not None
        engine.store = self.before_last_write
        try:
            return engine.answer(operation, request)
        finally:
            engine.store = now

    # --- waiting and ending -------------------------------------------------------------------

    def _await(self, client: Client) -> None:
        parked = self._parked.acquire(timeout=STALL_SECONDS)
        if self._unfit is not None:
            raise self._unfit
        if parked:
            return
        interrupt(client.thread)
        raise Unfit(
            f"{client.name} worked for {STALL_SECONDS:.0f} seconds without a request and was "
            "stopped; does its loop end?"
        )

    def _end(self) -> None:
        self._ended = True
        for client in self.clients.values():
            if client.thread is None:
                continue
            client.go.release()
            client.thread.join(STALL_SECONDS)
            if client.thread.is_alive():
                interrupt(client.thread)


def is_read(operation: str) -> bool:
    return operation in ("GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan") or (
        operation.startswith(("Describe", "List", "GetRecords", "GetShard"))
    )


def interrupt(thread: threading.Thread | None) -> None:
    """Raises Stopped inside a thread that does not come back by itself."""
    if thread is not None and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped)
        )
