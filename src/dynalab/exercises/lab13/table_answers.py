"""What a table's requests may meet on a bad day, whichever client sends them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.exercises.every_client import answering, refusal
from dynalab.schedules.ending import Endless

_MOST_DENIALS = 40


@contextmanager
def denying(*operations: str) -> Iterator[list[str]]:
    """These operations end in AccessDeniedException; the list names the requests that did."""
    met: list[str] = []

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if operation not in operations:
            return go()
        met.append(operation)
        if len(met) > _MOST_DENIALS:
            raise Endless(
                f"{operation} was refused {_MOST_DENIALS} times, but the answer asked again."
            )
        return refusal("AccessDeniedException")

    with answering(answer):
        yield met


def short_pages(limit: int) -> AbstractContextManager[None]:
    """Queries end after so many items, and say by LastEvaluatedKey that there are more."""
    engine = connect().engine

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        reply = go()
        if operation != "Query" or reply.status != 200:
            return reply
        fewer = {**request, "Limit": min(limit, request.get("Limit", limit))}
        return engine.answer(operation, fewer)

    return answering(answer)
