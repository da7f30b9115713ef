"""What a store holds that the rest of a run depends on, in a form that can be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dynalab.engine.engine import Store

_MILLISECONDS = 3  # places of a second: backoffs add up in another order, and floats differ then


def contents(store: Store, base: Store) -> frozenset[Any]:
    """The items that differ from those at the start, and the stream records."""
    changed: list[Any] = []
    for name in store.backend.tables:
        table = store.backend.table(name)
        started = base.backend.table(name).stored if name in base.backend.tables else {}
        for key in table.touched:
            item, was = table.stored.get(key), started.get(key)
            wire = None if item is None else item.wire
            if wire != (None if was is None else was.wire):
                changed.append((name, key, None if wire is None else written(wire)))
        if table.shards is not None:
            changed.append((name, table.shards.trace()))
    return frozenset(changed)


def memory(store: Store, base: Store, names: Mapping[str, str]) -> tuple[Any, ...]:
    """The time that has passed, and the ClientRequestTokens that DynamoDB would know again.

    names: token → what it is called here, whatever it was drawn as.
    """
    start = base.clock()
    return (
        round(store.clock() - start, _MILLISECONDS),
        frozenset(
            (names.get(token, token), body, round(at - start, _MILLISECONDS))
            for token, body, at in store.tokens.trace()
        ),
    )


def anonymous(request: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A request as text, its ClientRequestToken under the name that it has here."""
    token = request.get("ClientRequestToken")
    if token is None:
        return written(request)
    return written({**request, "ClientRequestToken": names.get(token, token)})


def written(value: Mapping[str, Any]) -> str:
    """The same text for the same value, whatever the order of its names."""
    return json.dumps(value, sort_keys=True)
