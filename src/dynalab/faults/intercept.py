"""The way of one client's requests past the faults that are open on it, by botocore's events."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.client import BaseClient
from botocore.httpsession import URLLib3Session
from botocore.utils import get_environ_proxies

_EVENT = "before-send.dynamodb"


class Fault:
    """What a fault did in its block.

    hits: how many requests it hit. attempts: how many requests botocore made in all, its own
    retries counted one by one, of the operations that the fault looks at.
    """

    def __init__(self, act: Act, times: int | None, operations: frozenset[str] | None) -> None:
        self.hits = 0
        self.attempts = 0
        self._act = act
        self._times = times
        self._operations = operations
        self._lock = threading.Lock()

    def claim(self) -> bool:
        """Counts one hit; False where the fault has hit as often as it was asked to."""
        with self._lock:
            if self._times is not None and self.hits >= self._times:
                return False
            self.hits += 1
            return True

    def _watches(self, operation: str) -> bool:
        return self._operations is None or operation in self._operations

    def _note_attempt(self) -> None:
        with self._lock:
            self.attempts += 1

    def __repr__(self) -> str:
        return f"Fault(hits={self.hits}, attempts={self.attempts})"


@dataclass(frozen=True)
class Call:
    """One request of botocore, on its way.

    ask(request) sends it, or another in its place, through the faults of the blocks further
    out, and returns the reply; send(request) goes past all of them.
    """

    operation: str
    request: AWSPreparedRequest
    ask: Callable[[AWSPreparedRequest], AWSResponse]
    send: Callable[[AWSPreparedRequest], AWSResponse]

    @property
    def raw(self) -> bytes:
        assert isinstance(self.request.body, bytes)  # DynamoDB's protocol is JSON
        return self.request.body

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.raw))


# Returns the reply, raises in its place, or returns None to leave the request alone.
Act: TypeAlias = Callable[[Call, Fault], AWSResponse | None]


class _Line:
    """The open faults of one client, the innermost block first."""

    def __init__(self, client: BaseClient) -> None:
        self.handler: Callable[..., Any] = self._before_send
        self.faults: tuple[Fault, ...] = ()
        self._config: Any = client.meta.config
        self._session: URLLib3Session | None = None
        self._lock = threading.Lock()

    def _before_send(
        self, request: AWSPreparedRequest, event_name: str, **_: Any
    ) -> AWSResponse | None:
        """Answers in the service's place, raises, or returns None: then botocore sends it."""
        operation = event_name.rpartition(".")[2]
        faults = [fault for fault in self.faults if fault._watches(operation)]
        for fault in faults:
            fault._note_attempt()
        return self._through(faults, operation, request)

    def _through(
        self, faults: list[Fault], operation: str, request: AWSPreparedRequest
    ) -> AWSResponse | None:
        if not faults:
            return None
        fault, *others = faults
        ask = partial(self._reply, others, operation)
        reply = fault._act(Call(operation, request, ask, self.send), fault)
        return self._through(others, operation, request) if reply is None else reply

    def _reply(
        self, faults: list[Fault], operation: str, request: AWSPreparedRequest
    ) -> AWSResponse:
        reply = self._through(faults, operation, request)
        return self.send(request) if reply is None else reply

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Sends with the client's settings, `verify` apart: events do not show its own session."""
        with self._lock:
            if self._session is None:
                config = self._config
                timeout: Any = (config.connect_timeout, config.read_timeout)
                self._session = URLLib3Session(
                    timeout=timeout,
                    proxies=config.proxies or get_environ_proxies(request.url),
                    proxies_config=config.proxies_config,
                    client_cert=config.client_cert,
                )
        return self._session.send(request)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()


_lines: WeakKeyDictionary[BaseClient, _Line] = WeakKeyDictionary()
_lock = threading.Lock()


@contextmanager
def opened(
    client: BaseClient,
    act: Act,
    *,
    times: int | None = None,
    operations: frozenset[str] | None = None,
) -> Iterator[Fault]:
    """Lets `act` see each request of these operations (None: all) while the block runs."""
    fault = Fault(act, times, operations)
    with _lock:
        line = _lines.get(client)
        if line is None:
            line = _lines[client] = _Line(client)
            client.meta.events.register(_EVENT, line.handler)
        line.faults = (fault, *line.faults)
    try:
        yield fault
    finally:
        with _lock:
            line.faults = tuple(other for other in line.faults if other is not fault)
            if not line.faults:
                client.meta.events.unregister(_EVENT, line.handler)
                del _lines[client]
                line.close()


def client_of(target: object) -> BaseClient:
    """The client behind a Table, or the client itself; TypeError for anything else."""
    meta = getattr(target, "meta", None)
    client = target if isinstance(target, BaseClient) else getattr(meta, "client", None)
    if not isinstance(client, BaseClient) or client.meta.service_model.service_name != "dynamodb":
        raise TypeError(
            f"Give a boto3 Table or a boto3 DynamoDB client, not a {type(target).__name__}."
        )
    return client
