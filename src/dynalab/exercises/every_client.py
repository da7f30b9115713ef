"""Replies that a check gives in DynamoDB's place, whichever client asks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dynalab.engine.connect import Middleware, connect
from dynalab.engine.engine import Reply
from dynalab.exercises.canned_errors import cancelled_body, error_body


@contextmanager
def answering(answer: Middleware) -> Iterator[None]:
    """Lets `answer` reply to each request of the block, or pass it on.

    It stands next to the engine: what counts or bounds requests sees these all the same.
    """
    middleware = connect().middleware
    middleware.append(answer)
    try:
        yield
    finally:
        middleware.remove(answer)


def refusal(code: str, message: str = "This is what DynamoDB says.") -> Reply:
    """The reply to a request that DynamoDB refuses as a whole, with this code."""
    return _in_json(400, error_body(code, message=message))


def cancellation(request: Mapping[str, Any], code: str) -> Reply:
    """The reply to a transaction that its first item cancels, for this reason."""
    others = ["None"] * (len(request["TransactItems"]) - 1)
    return _in_json(400, cancelled_body(code, *others))


def served(body: Mapping[str, Any]) -> Reply:
    """The reply to a request that DynamoDB carried out."""
    return _in_json(200, body)


def _in_json(status: int, body: Mapping[str, Any]) -> Reply:
    return Reply(status, json.dumps(body).encode("utf-8"))
