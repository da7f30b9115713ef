"""One run of some clients in one chosen order: exactly one thread runs at a time.

A client stops before each of its requests until the conductor has chosen what happens to
it: it is served, its reply is lost, it comes late, or the client dies there.
"""

from __future__ import annotations

import ctypes
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any

from botocore.exceptions import ReadTimeoutError

from dynalab.engine.connect import Connection, Go
from dynalab.engine.engine import Reply
from dynalab.schedules.bystanders import Bystanders
from dynalab.schedules.choices import Choice
from dynalab.schedules.clients import Client, Floating, Step
from dynalab.schedules.dice import loaded
from dynalab.schedules.replicas import Replicas
from dynalab.schedules.state import anonymous

MOST_REQUESTS = 200  # of one client: beyond them its loop does not end
STALL_SECONDS = 5.0  # without a request: the same
_MOST_REFUSALS = 20  # of a client that was ended: beyond them it catches every exception
_MOMENT = 0.01  # seconds
_MOMENTS = 100
_TIMED_OUT = b"timed out"
_URL = "https://dynamodb.invalid/"


class Stopped(SystemExit):
    """Ends a thread quietly. `except Exception` does not catch it."""


class Endless(Stopped):
    """A client that makes requests without end."""


class Unfit(Exception):
    """The clients cannot be explored; the message is one sentence that says why."""


class Run:
    """Clients under a conductor. Use as `with run.started():`, then `carry_out` choices.

    watch: called after each step.
    """

    def __init__(
        self,
        connection: Connection,
        clients: Mapping[str, Callable[[], Any]],
        replicas: Replicas,
        watch: Callable[[], None],
    ) -> None:
        self.clients = {name: Client(name, function) for name, function in clients.items()}
        self.replicas = replicas
        self.floating: list[Floating] = []
        self.steps: list[Step] = []
        self.tokens: dict[str, str] = {}  # each ClientRequestToken → the request it came with first
        self._middleware = connection.middleware
        self._watch = watch
        self._bystanders = Bystanders()
        # A queue in C hands over in half the time of threading.Semaphore.
        self._parked: SimpleQueue[None] = SimpleQueue()
        self._ended = False
        self._unfit: Unfit | None = None

    @contextmanager
    def started(self) -> Iterator[None]:
        """Starts every client up to its first request; ends what is left of them afterwards.

        Raises Unfit, in the block or after it, where a client cannot be conducted.
        """
        self._middleware.append(self._gate)
        try:
            with loaded(self._is_client):
                for client in self.clients.values():
                    self.start(client)
                yield
        finally:
            if self._end():  # else what is left would reach the tables that come back
                self._middleware.remove(self._gate)
        if self._unfit is not None:
            raise self._unfit

    def _is_client(self, thread: threading.Thread) -> bool:
        return any(client.thread is thread for client in self.clients.values())

    def start(self, client: Client) -> None:
        """Lets a client live, up to its first request."""
        self.clients[client.name] = client
        client.thread = threading.Thread(target=self._live, args=(client,), daemon=True)
        self._go_on(client, client.thread.start)

    def carry_out(self, choice: Choice) -> None:
        """Lets one thing happen, and waits until its client stands at its next request."""
        if choice.fate == "lands":
            self._land(choice)
        else:
            client = self.clients[choice.client]
            assert client.pending is not None
            operation, request, _ = client.pending
            client.fate = choice.fate
            self.steps.append(Step(choice, operation, request, None))
            self._go_on(client, lambda: client.go.put(None))
        self._watch()

    def _land(self, choice: Choice) -> None:
        [late] = (
            f for f in self.floating if (f.client, f.number) == (choice.client, choice.number)
        )
        self.floating.remove(late)
        reply = self.replicas.fresh(late.operation, late.request, late.go)
        self.steps.append(Step(choice, late.operation, late.request, reply))

    # --- in the clients' threads ------------------------------------------------------------

    def _live(self, client: Client) -> None:
        try:
            client.returned = client.function()
        except Stopped:
            pass
        except BaseException as error:
            client.raised = error
        finally:
            client.finished = True
            client.pending = None
            self._parked.put(None)

    def _gate(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        thread = threading.current_thread()
        client = next((c for c in self.clients.values() if c.thread is thread), None)
        if client is None:
            return self._gate_for_others(thread, go)
        if self._ended or client.died:
            self._refuse(client)
        client.requests += 1
        if client.requests > MOST_REQUESTS:
            self._unfit = Unfit(
                f"{client.name} made more than {MOST_REQUESTS} requests and was stopped; "
                "does its loop end?"
            )
            self._parked.put(None)
            raise Endless
        if "ClientRequestToken" in request:
            name = f"{client.name}{client.requests}"
            self.tokens.setdefault(request["ClientRequestToken"], name)
        client.pending = (operation, request, go)
        self._parked.put(None)
        client.go.get()
        client.pending = None
        if self._ended:
            self._refuse(client)
        return self._meet(client, operation, request, go)

    def _gate_for_others(self, thread: threading.Thread, go: Go) -> Reply:
        """An invariant may read; a thread that a client started may do nothing."""
        if self._bystanders.may_ask(thread):
            return go()
        self._unfit = Unfit(
            "A thread that a client started made a request; "
            "schedules follow one thread a client, so leave threads out here."
        )
        raise Stopped

    def _refuse(self, client: Client) -> None:
        client.refusals += 1
        if client.refusals == _MOST_REFUSALS:
            self._unfit = Unfit(
                f"{client.name} went on after its end: something in it catches every exception; "
                "write `except Exception`, or name the error that you mean."
            )
            client.asleep = True
            self._parked.put(None)
            threading.Event().wait()  # nothing ends such a thread
        raise Stopped

    def _meet(self, client: Client, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        fate = client.fate
        if fate == "dies":
            client.died = True
            raise Stopped
        if fate == "late":
            text = anonymous(request, self.tokens)
            late = Floating(client.name, client.requests, operation, request, text, go)
            self.floating.append(late)
        if fate in ("late", "lost request"):
            client.history += (_TIMED_OUT,)
            raise ReadTimeoutError(endpoint_url=_URL)
        if fate == "stale":
            reply = self.replicas.stale(operation, request)
        else:
            reply = self.replicas.fresh(operation, request, go)
        self.steps[-1] = replace(self.steps[-1], reply=reply)
        if fate == "lost reply":
            client.history += (_TIMED_OUT,)
            raise ReadTimeoutError(endpoint_url=_URL)
        client.history += (reply.body,)
        return reply

    # --- waiting and ending -------------------------------------------------------------------

    def _go_on(self, client: Client, start: Callable[[], None]) -> None:
        """Lets a client run to its next request, or to its end."""
        # Whoever draws, boto3's backoff and its request tokens for two, draws alike in each run.
        random.seed(f"{client.name}{client.requests}")
        start()
        try:
            self._parked.get(timeout=STALL_SECONDS)
        except Empty:
            interrupt(client.thread)
            raise self._unfit or Unfit(
                f"{client.name} worked for {STALL_SECONDS:g} seconds without a request and was "
                "stopped; does its loop end?"
            ) from None
        if self._unfit is not None:
            raise self._unfit

    def _end(self) -> bool:
        """Ends the clients' threads, and those that they started; whether all are gone."""
        self._ended = True
        for client in self.clients.values():
            client.go.put(None)
            for moment in range(2 * _MOMENTS):
                if client.thread is None or client.asleep or not client.thread.is_alive():
                    break
                if moment >= _MOMENTS:
                    interrupt(client.thread)
                client.thread.join(_MOMENT)
        asleep = {client.thread for client in self.clients.values() if client.asleep}
        return self._bystanders.gone_within(_MOMENTS * _MOMENT, asleep)


def interrupt(thread: threading.Thread | None) -> None:
    """Raises Stopped inside a thread that does not come back by itself."""
    if thread is not None and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped)
        )
