"""The items that a scenario begins with, put without boto3, which takes ten times as long."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from dynalab.engine.connect import connect
from dynalab.engine.values import Wire

_SERIALIZER = TypeSerializer()


def given(table: Any, *items: Mapping[str, Any]) -> None:
    """Puts items into a boto3 Table of the check, one PutItem each, in this order."""
    connection = connect()
    for item in items:
        reply = connection.answer("PutItem", {"TableName": table.name, "Item": wire_item(item)})
        assert reply.status == 200, reply.body


def wire_item(item: Mapping[str, Any]) -> Wire:
    """An item as a request carries it: {"likes": {"N": "3"}} for {"likes": 3}."""
    return {name: _in_text(_SERIALIZER.serialize(value)) for name, value in item.items()}


def _in_text(value: Any) -> Any:
    """The value with bytes made base64 text, as botocore does. Bytes in a list or a map stay."""
    if "B" in value:
        return {"B": base64.b64encode(value["B"]).decode("ascii")}
    return value
