"""Trouble on every road to DynamoDB, whichever client takes it: for the length of a block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import ReadTimeoutError

from dynalab.engine.connect import Go, Middleware, connect
from dynalab.engine.engine import Reply

_TYPE = "com.amazonaws.dynamodb.v20120810#"


@contextmanager
def _between(answer: Middleware) -> Iterator[None]:
    middleware = connect().middleware
    middleware.append(answer)
    try:
        yield
    finally:
        middleware.remove(answer)


@contextmanager
def conflicting() -> Iterator[list[str]]:
    """The first transaction of writes meets another one; yields the operations that did."""
    hits: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if operation != "TransactWriteItems" or hits:
            return go()
        hits.append(operation)
        others = [{"Code": "None"}] * (len(request["TransactItems"]) - 1)
        message = "Transaction is ongoing for the item."
        reasons = [{"Code": "TransactionConflict", "Message": message}, *others]
        codes = ", ".join(reason["Code"] for reason in reasons)
        body = {
            "__type": f"{_TYPE}TransactionCanceledException",
            "Message": "Transaction cancelled, please refer cancellation reasons for specific "
            f"reasons [{codes}]",
            "CancellationReasons": reasons,
        }
        return Reply(400, json.dumps(body).encode("utf-8"))

    with _between(answer):
        yield hits


@contextmanager
def losing_replies(matches: Callable[[str, Mapping[str, Any]], bool]) -> Iterator[list[str]]:
    """Each request that matches is served, and its reply never comes; yields what was hit."""
    hits: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        reply = go()
        if not matches(operation, request):
            return reply
        hits.append(operation)
        raise ReadTimeoutError(endpoint_url="https://dynamodb.us-east-1.amazonaws.com")

    with _between(answer):
        yield hits


@contextmanager
def before_transaction(act: Callable[[], None]) -> Iterator[list[str]]:
    """`act` happens right before the first transaction of writes; yields all of them."""
    hits: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if operation == "TransactWriteItems":
            hits.append(operation)
            if len(hits) == 1:
                act()
        return go()

    with _between(answer):
        yield hits


@contextmanager
def handing_writes_back() -> Iterator[None]:
    """The first BatchWriteItem is served by half, rounded down; the rest is handed back."""
    hits: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if operation != "BatchWriteItem" or hits:
            return go()
        hits.append(operation)
        items = request["RequestItems"]
        back = {name: writes[len(writes) // 2 :] for name, writes in items.items()}
        served = {name: writes[: len(writes) // 2] for name, writes in items.items()}
        served = {name: writes for name, writes in served.items() if writes}
        if served:
            reply = connect().engine.answer(operation, {**request, "RequestItems": served})
            if reply.status != 200:
                return reply
        return Reply(200, json.dumps({"UnprocessedItems": back}).encode("utf-8"))

    with _between(answer):
        yield


@contextmanager
def handing_keys_back() -> Iterator[None]:
    """Each BatchGetItem of two keys or more is served by half; the rest is handed back."""

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        reply = go()
        if operation != "BatchGetItem" or reply.status != 200:
            return reply
        body = json.loads(reply.body)
        for name, part in request["RequestItems"].items():
            back = part["Keys"][(len(part["Keys"]) + 1) // 2 :]
            if back:
                body["UnprocessedKeys"][name] = {**part, "Keys": back}
                items = body["Responses"].get(name, [])
                body["Responses"][name] = [item for item in items if not _is_one(item, back)]
        return Reply(200, json.dumps(body).encode("utf-8"))

    with _between(answer):
        yield


def _is_one(item: Mapping[str, Any], keys: list[Mapping[str, Any]]) -> bool:
    return any(all(item.get(name) == value for name, value in key.items()) for key in keys)


@contextmanager
def out_of_order() -> Iterator[list[str]]:
    """BatchGetItem promises no order: the items come back in the other one; yields what was hit."""
    hits: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        reply = go()
        if operation != "BatchGetItem" or reply.status != 200:
            return reply
        hits.append(operation)
        body = json.loads(reply.body)
        body["Responses"] = {name: items[::-1] for name, items in body["Responses"].items()}
        return Reply(200, json.dumps(body).encode("utf-8"))

    with _between(answer):
        yield hits


@contextmanager
def looks_at(word: str) -> Iterator[list[str]]:
    """Yields the operations whose request has this text in it, as they come."""
    seen: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if f'"{word}"' in json.dumps(request):
            seen.append(operation)
        return go()

    with _between(answer):
        yield seen
