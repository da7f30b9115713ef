"""A lab's tables carried from a server into the embedded engine for a block, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from dynalab.backends.definitions import INDEXES, Definition, key_in
from dynalab.backends.own_tables import described, names_of_tables
from dynalab.engine.connect import Connection
from dynalab.engine.engine import Store

Item: TypeAlias = dict[str, Any]  # in the form of the low-level client
Held: TypeAlias = dict[str, Item]  # by key, as text

_KEPT = {"AttributeDefinitions", "KeySchema", "StreamSpecification"}
_INDEX = {"IndexName", "KeySchema", "Projection"}


@contextmanager
def carried(connection: Connection, client: Any, *, back: bool) -> Iterator[Store]:
    """The server's tables of this lab, in a store of the embedded engine that answers everything.

    Schedules, storms and partitions need an engine that can be stopped and counted. client: a
    low-level one. back: whether what the block changed is written to the server at its end.
    """
    definitions = {name: _definition(client, name) for name in names_of_tables(client)}
    before = {name: _held(client, name, definitions[name]) for name in definitions}
    with connection.engine.scratch() as store, connection.all_embedded():
        for name, items in before.items():
            client.create_table(TableName=name, **definitions[name])
            for item in items.values():
                client.put_item(TableName=name, Item=item)
        yield store
        there = set(client.list_tables()["TableNames"]) & set(definitions)
        after = {name: _held(client, name, definitions[name]) for name in there}
    for name, items in after.items() if back else ():
        _write(client, name, definitions[name], before[name], items)


def _definition(client: Any, name: str) -> dict[str, Any]:
    """What CreateTable takes for such a table."""
    table = described(client, name) or {}
    definition = {member: table[member] for member in _KEPT if table.get(member)}
    for member in INDEXES:
        if table.get(member):
            definition[member] = [{part: index[part] for part in _INDEX} for index in table[member]]
    return {**definition, "BillingMode": "PAY_PER_REQUEST"}


def _held(client: Any, name: str, definition: Definition) -> Held:
    pages = client.get_paginator("scan").paginate(TableName=name, ConsistentRead=True)
    items = [item for page in pages for item in page["Items"]]
    return {json.dumps(key_in(item, definition), default=repr): item for item in items}


def _write(client: Any, name: str, definition: Definition, before: Held, after: Held) -> None:
    for place, item in after.items():
        if before.get(place) != item:
            client.put_item(TableName=name, Item=item)
    for place, item in before.items():
        if place not in after:
            client.delete_item(TableName=name, Key=key_in(item, definition))
