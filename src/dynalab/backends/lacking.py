"""What a server cannot do that a lab needs: found out once, as the lab is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from dynalab.backends.definitions import INDEXES, Definition, key_in
from dynalab.engine.connect import Connection, NotServed

Tables: TypeAlias = Mapping[str, Definition]  # name → the arguments of CreateTable

_VALUES = {"S": "-", "N": "0", "B": b"-"}

# The labs whose cells write or read in transactions; the tests compare it with the notebooks.
TRANSACTIONS = frozenset({"02", "03", "04", "05", "07", "08", "09", "11", "13", "14"})


def lacking(connection: Connection, client: Any, label: str, tables: Tables) -> str | None:
    """One sentence about what this lab's cells will miss here, or None where nothing is.

    tables: the lab's, already made, and empty. One that has a stream needs streams, one that has
    an index is about the units of its writes.
    """
    if connection.embedded or connection.destination.aws:
        return None
    indexed = [name for name in tables if {*INDEXES} & {*tables[name]}]
    streams = [name for name in tables if "StreamSpecification" in tables[name]]
    missing = []
    if label in TRANSACTIONS and not _has_transactions(client, *next(iter(tables.items()))):
        missing.append("transactions")
    if streams and not _has_streams(streams[0]):
        missing.append("streams")
    if indexed and not _bills_indexes(client, indexed[0], tables[indexed[0]]):
        missing.append("bills for indexes")
    if not missing:
        return None
    return (
        f"{connection.endpoint} has no {_and_no(missing)}: cells that need them end early, "
        "by no mistake of yours; checks and schedules run on the embedded engine."
    )


def _and_no(things: list[str]) -> str:
    *others, last = things
    return f"{', no '.join(others)} and no {last}" if others else last


def _has_transactions(client: Any, name: str, definition: Definition) -> bool:
    get = {"TableName": name, "Key": key_in(_item(definition), definition)}
    try:
        client.transact_get_items(TransactItems=[{"Get": get}])
    except NotServed:
        return False
    return True


def _has_streams(name: str) -> bool:
    import boto3

    try:
        return bool(boto3.client("dynamodbstreams").list_streams(TableName=name)["Streams"])
    except NotServed:
        return False


def _bills_indexes(client: Any, name: str, definition: Definition) -> bool:
    """Asks by an item that every index has, which goes again."""
    item = _item(definition)
    bill = client.put_item(TableName=name, Item=item, ReturnConsumedCapacity="INDEXES")
    client.delete_item(TableName=name, Key=key_in(item, definition))
    return bool({*INDEXES} & {*bill.get("ConsumedCapacity", {})})


def _item(definition: Definition) -> dict[str, Any]:
    """An item that has every attribute which is a key somewhere."""
    attributes = definition["AttributeDefinitions"]
    kinds = {each["AttributeName"]: each["AttributeType"] for each in attributes}
    return {name: {kind: _VALUES[kind]} for name, kind in kinds.items()}
