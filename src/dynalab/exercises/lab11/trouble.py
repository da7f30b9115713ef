"""Trouble that a request of lab 11 meets for the length of a block, whichever client sends it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import ReadTimeoutError

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.exercises.every_client import answering, cancellation, served


@contextmanager
def conflicting() -> Iterator[list[str]]:
    """The first transaction of writes meets another one; yields the operations that did."""
    hits: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if operation != "TransactWriteItems" or hits:
            return go()
        hits.append(operation)
        return cancellation(request, "TransactionConflict")

    with answering(answer):
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

    with answering(answer):
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

    with answering(answer):
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
        done = {name: writes[: len(writes) // 2] for name, writes in items.items()}
        done = {name: writes for name, writes in done.items() if writes}
        if done:
            reply = connect().engine.answer(operation, {**request, "RequestItems": done})
            if reply.status != 200:
                return reply
        return served({"UnprocessedItems": back})

    with answering(answer):
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
        return served(body)

    with answering(answer):
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
        return served(body)

    with answering(answer):
        yield hits


@contextmanager
def looks_at(word: str) -> Iterator[list[str]]:
    """Yields the operations whose request has this text in it, as they come."""
    seen: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if f'"{word}"' in json.dumps(request):
            seen.append(operation)
        return go()

    with answering(answer):
        yield seen
