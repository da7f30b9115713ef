"""The embedded engine: one request in, one reply out, everything under one lock."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from dynalab.engine import query, reads, writes
from dynalab.engine.clock import Clock
from dynalab.engine.constraints import refuse_broken_constraints
from dynalab.engine.control import control
from dynalab.engine.destinations import REGION
from dynalab.engine.errors import HTTPException, Invalid, code_of
from dynalab.engine.ledger import Ledger, consumed_capacity, item_collection_metrics
from dynalab.engine.legacy import modern
from dynalab.engine.operations import DATA_OPERATIONS
from dynalab.engine.shapes import malformation
from dynalab.engine.streams import STREAM_OPERATIONS
from dynalab.engine.tables import Backend
from dynalab.engine.transactions import Tokens, transact_write_items

if TYPE_CHECKING:
    from dynalab.engine.partitions import Partitions

ACCOUNT = "123456789012"  # AWS's own example; a request does not say whose table it names
SCRATCH_TIME = 1_750_000_000.0  # so that whatever is computed in a scratch store repeats

_READS = {
    "GetItem": reads.get_item,
    "BatchGetItem": reads.batch_get_item,
    "TransactGetItems": reads.transact_get_items,
    "Query": query.query,
    "Scan": query.scan,
}
_WRITES = {
    "PutItem": writes.put_item,
    "UpdateItem": writes.update_item,
    "DeleteItem": writes.delete_item,
    "BatchWriteItem": writes.batch_write_item,
}


@dataclass(frozen=True)
class Reply:
    """What goes back to the client: an HTTP status and a JSON body."""

    status: int
    body: bytes


@dataclass
class Store:
    """Everything that a running DynamoDB would remember: tables, streams, tokens, the time."""

    backend: Backend = field(default_factory=lambda: Backend(REGION, ACCOUNT))
    tokens: Tokens = field(default_factory=Tokens)
    clock: Clock = field(default_factory=Clock)
    listeners: list[Callable[[Ledger], None]] = field(default_factory=list)
    partitions: Partitions | None = None  # None: every partition serves whatever comes

    def copy(self, *, touched: bool = False) -> Store:
        """The same contents, free to go another way; items are shared, since none ever changes.

        touched: whether the tables remember the keys that were written so far.
        """
        backend = Backend(REGION, ACCOUNT)
        backend.tables.update(
            (name, self.backend.table(name).copy(touched=touched)) for name in self.backend.tables
        )
        return Store(backend, self.tokens.copy(), self.clock.copy(), self.listeners)


class Engine:
    """DynamoDB in this process. Regions and accounts are not told apart: there is one store.

    The store's `listeners` are called with the ledger of each request of data, once its reply is
    made.
    """

    def __init__(self) -> None:
        self.store = Store()
        self._lock = threading.RLock()

    def answer(self, operation: str, request: Mapping[str, Any], attempt: int = 1) -> Reply:
        """Serves one request, given as the operation's name and its JSON body.

        attempt: how often the client has sent this call, for the meter.
        """
        partitions = self.store.partitions
        if partitions is None or operation not in DATA_OPERATIONS:
            return self._answer(operation, request, attempt)
        with self._lock:
            loads = partitions.loads(operation, request)

        def serve(part: Mapping[str, Any]) -> Reply:
            return self._answer(operation, part, attempt)

        return partitions.answer(operation, request, loads, serve)

    def _answer(self, operation: str, request: Mapping[str, Any], attempt: int) -> Reply:
        with self._lock:
            if operation not in DATA_OPERATIONS:
                return self._manage(operation, request)
            ledger = Ledger(operation, request, attempt=attempt)
            try:
                result = _in_form(operation, request, lambda: self._serve(ledger))
            except HTTPException as error:
                ledger.error = code_of(error)
                reply = _refusal(error)
            else:
                consumed = consumed_capacity(ledger)
                if consumed is not None:
                    result["ConsumedCapacity"] = consumed
                metrics = item_collection_metrics(ledger)
                if metrics is not None:
                    result["ItemCollectionMetrics"] = metrics
                reply = Reply(200, json.dumps(result, separators=(",", ":")).encode("utf-8"))
            for listener in tuple(self.store.listeners):
                listener(ledger)
            return reply

    def _serve(self, ledger: Ledger) -> dict[str, Any]:
        backend, operation = self.store.backend, ledger.operation
        refuse_broken_constraints(operation, ledger.request)
        ledger.request = modern(ledger.request)
        if operation in _READS:
            return _READS[operation](backend, ledger)
        if operation in _WRITES:
            return _WRITES[operation](backend, ledger, self.store.clock())
        return transact_write_items(backend, ledger, self.store.clock(), self.store.tokens)

    def _manage(self, operation: str, request: Mapping[str, Any]) -> Reply:
        backend, serve = self.store.backend, STREAM_OPERATIONS.get(operation)
        try:
            if serve is None:
                return Reply(
                    200, _in_form(operation, request, lambda: control(backend, operation, request))
                )
            result = _in_form(operation, request, lambda: serve(backend, request))
        except HTTPException as error:
            return _refusal(error)
        return Reply(200, json.dumps(result).encode("utf-8"))

    @contextmanager
    def on(self, store: Store) -> Iterator[Store]:
        """Another store for the length of a block; the one before comes back, untouched."""
        with self._lock:
            kept, self.store = self.store, store
        try:
            yield store
        finally:
            with self._lock:
                self.store = kept

    @contextmanager
    def scratch(self) -> Iterator[Store]:
        """An empty store for the length of a block, its clock at a fixed time."""
        with self.on(Store(clock=Clock(at=SCRATCH_TIME))) as store:
            yield store


_Result = TypeVar("_Result")


def _in_form(operation: str, request: Mapping[str, Any], serve: Callable[[], _Result]) -> _Result:
    """Serves a request; one that breaks for its form is refused, with what is wrong about it."""
    try:
        return serve()
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = malformation(operation, request)
        if problem is None:
            raise
        raise Invalid(problem) from error


def _refusal(error: HTTPException) -> Reply:
    body = error.get_body()
    return Reply(error.code or 400, body.encode("utf-8") if isinstance(body, str) else body)
