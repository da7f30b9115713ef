"""Trouble on one boto3 client, for the length of a block: lost replies, throttles, a crash.

Each function takes a boto3 Table or client. A Table stands for its client, which it shares with
the other tables of its resource. A request is what botocore sends: its own retries are requests
too. The block gets a `Fault` that counts. Blocks nest: the innermost sees a request first, and
the others see what it sends on. After a block, however it ends, the client is as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.client import BaseClient
from botocore.exceptions import HTTPClientError, ReadTimeoutError

from dynalab.engine.operations import DATA_OPERATIONS, READS, TRANSACTIONS, WRITES
from dynalab.faults import canned_replies as canned
from dynalab.faults.intercept import Call, Fault, client_of, opened
from dynalab.faults.partial_batches import partly_served

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.service_resource import Table

    Target: TypeAlias = DynamoDBClient | Table

Block: TypeAlias = AbstractContextManager[Fault]

_EVENTUAL = READS - TRANSACTIONS  # unless asked to be strong
_CONFLICTING = TRANSACTIONS | WRITES - {"BatchWriteItem"}


class Crashed(BaseException):
    """The process died. No Exception, so that `except Exception` does not bring it back to life."""


def lost_request(target: Target, *, times: int | None = 1, operation: str | None = None) -> Block:
    """The first `times` requests (None: all) never arrive; boto3 times out and tries again.

    operation: DynamoDB's name, "UpdateItem" for one; None for every operation.
    """

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if fault.claim():
            raise _timeout(call)
        return None

    client = client_of(target)
    return opened(client, act, times=_times(times), operations=_only(client, operation))


def lost_reply(target: Target, *, times: int | None = 1, operation: str | None = None) -> Block:
    """The first `times` requests (None: all) are served, but boto3 times out and sends them again.

    An ADD with one lost reply therefore lands twice; with all replies lost it lands once for each
    attempt that boto3 makes, and raises. operation: as for lost_request.
    """

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if fault.claim():
            call.ask(call.request)
            raise _timeout(call)
        return None

    client = client_of(target)
    return opened(client, act, times=_times(times), operations=_only(client, operation))


def late_request(target: Target, *, operation: str | None = None) -> Block:
    """The first request times out at the client, and lands after its retry was answered.

    The retry is the next answered request with the same operation and body (ClientRequestToken
    aside), sent by boto3 or by the application. Without one the request lands when the block
    ends. Nobody gets its reply, and no other fault touches it. operation: as for lost_request.
    """
    client = client_of(target)
    return _late(client, _only(client, operation))


@contextmanager
def _late(client: BaseClient, operations: frozenset[str] | None) -> Iterator[Fault]:
    underway: list[Call] = []

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if fault.claim():
            underway.append(call)
            raise _timeout(call)
        if all(_intent(call) != _intent(late) for late in tuple(underway)):
            return None
        reply = call.ask(call.request)
        land()
        return reply

    def land() -> None:
        with suppress(IndexError, HTTPClientError):  # landed in another thread, or nobody is there
            late = underway.pop()
            late.send(late.request)

    with opened(client, act, times=1, operations=operations) as fault:
        try:
            yield fault
        finally:
            land()


def stale_read(target: Target, *, times: int | None = 1) -> Block:
    """`times` eventually consistent reads (None: all) are answered from before the last write.

    Before each write of this client, every such read that the block has made is made once more
    (it is billed) and its answer kept. After a write that succeeded, or timed out, the same read
    gets that answer, and is not sent. The same read has the same operation and parameters; one
    that the block makes for the first time after the write goes through, as nobody knows its
    answer from before. GetItem, Query, Scan and BatchGetItem are eventually consistent unless
    ConsistentRead is set (for any table of the batch); on a global secondary index they always
    are. Strong and transactional reads go through, and so does PartiQL.
    """
    known: dict[tuple[str, bytes], AWSPreparedRequest] = {}
    before: dict[tuple[str, bytes], AWSResponse] = {}

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if call.operation in WRITES:
            return write(call)
        if _is_strong(call):
            return None
        read = call.operation, call.raw
        known[read] = call.request
        return before[read] if read in before and fault.claim() else None

    def write(call: Call) -> AWSResponse:
        kept = {read: call.send(request) for read, request in tuple(known.items())}
        changed = True
        try:
            reply = call.ask(call.request)
            changed = reply.status_code == 200
            return reply
        finally:
            if changed:
                before.clear()
                before.update((read, got) for read, got in kept.items() if got.status_code == 200)

    return opened(client_of(target), act, times=_times(times), operations=_EVENTUAL | WRITES)


def crash(target: Target, *, after: int) -> Block:
    """The process dies after `after` requests: the next one raises Crashed and is not sent.

    So does each one after it: what is dead does not write in a `finally` either.
    """
    _whole("after", after, least=0)
    numbers = count()

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if next(numbers) < after:
            return None
        fault.claim()
        raise Crashed(f"The process died before its request {after + 1}.")

    return opened(client_of(target), act)


def conflict(target: Target, *, times: int | None = 1) -> Block:
    """The first `times` requests (None: all) meet another transaction on their item.

    TransactWriteItems and TransactGetItems are cancelled with TransactionConflict for their first
    item; PutItem, UpdateItem and DeleteItem get TransactionConflictException. boto3 tries none of
    them again. Other operations go through.
    """

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        return canned.conflict(call) if fault.claim() else None

    return opened(client_of(target), act, times=_times(times), operations=_CONFLICTING)


def throttle(target: Target, *, times: int | None = 1, operation: str | None = None) -> Block:
    """The first `times` reads or writes of items (None: all) meet a hot key.

    They get ThrottlingException, which boto3 tries again; a transaction is cancelled with
    ThrottlingError for its first item, which boto3 does not. operation: as for lost_request.
    """
    client = client_of(target)
    operations = _only(client, operation) or DATA_OPERATIONS
    if not operations <= DATA_OPERATIONS:
        raise ValueError(f"{operation} is not throttled by a key; give a read or write of items.")
    region = client.meta.region_name

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        return canned.throttled(call, region) if fault.claim() else None

    return opened(client, act, times=_times(times), operations=operations)


def unprocessed(target: Target, *, keep: int, times: int | None = 1) -> Block:
    """The first `times` batches (None: all) of more than `keep` entries are served in part.

    Their first `keep` entries are, in the order of the request; the rest comes back in
    UnprocessedItems (BatchWriteItem) or UnprocessedKeys (BatchGetItem). With keep=0 all come
    back. boto3 does not send them again by itself; its `batch_writer` does, with no pause and no
    bound.
    """
    client = client_of(target)
    return partly_served(client, _whole("keep", keep, least=0), _times(times))


def _timeout(call: Call) -> ReadTimeoutError:
    return ReadTimeoutError(endpoint_url=call.request.url)


def _intent(call: Call) -> tuple[str, dict[str, Any]]:
    """What tells a retry from another request: an application's retry may have a new token."""
    body = {name: value for name, value in call.body.items() if name != "ClientRequestToken"}
    return call.operation, body


def _is_strong(call: Call) -> bool:
    parts = [call.body, *call.body.get("RequestItems", {}).values()]
    return any(part.get("ConsistentRead") for part in parts)


def _times(times: object) -> int | None:
    return None if times is None else _whole("times", times, least=1)


def _whole(name: str, number: object, least: int) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"`{name}` is {number!r}; give an int.")
    if number < least:
        raise ValueError(f"`{name}` is {number}; give at least {least}.")
    return number


def _only(client: BaseClient, operation: str | None) -> frozenset[str] | None:
    if operation is None:
        return None
    if operation not in client.meta.service_model.operation_names:
        name = client.meta.method_to_api_mapping.get(str(operation), "UpdateItem")
        raise ValueError(f"DynamoDB has no operation {operation!r}; give a name such as {name!r}.")
    return frozenset({operation})
