"""Tables that cannot be: the key schemas and indexes that CreateTable refuses and moto takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.engine import limits
from dynalab.engine.errors import Invalid

_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
_INVALID = "One or more parameter values were invalid: "


def refuse_impossible_table(request: Mapping[str, Any]) -> None:
    """What CreateTable refuses (Service quotas; Local secondary indexes)."""
    name = request.get("TableName", "")
    if not 3 <= len(name) <= 255:
        raise Invalid(
            "TableName must be at least 3 characters long and at most 255 characters long"
        )
    if not _NAME.fullmatch(name):
        raise Invalid(
            f"1 validation error detected: Value '{name}' at 'tableName' failed to satisfy "
            f"constraint: Member must satisfy regular expression pattern: {_NAME.pattern}"
        )
    schema: Sequence[Mapping[str, str]] = request.get("KeySchema", ())
    _refuse_impossible_schema(schema)
    local = request.get("LocalSecondaryIndexes") or []
    everything = local + (request.get("GlobalSecondaryIndexes") or [])
    names = [index["IndexName"] for index in everything]
    for index_name in names:
        if names.count(index_name) > 1:
            raise Invalid(f"{_INVALID}Duplicate index name: {index_name}")
    if len(local) > limits.LOCAL_INDEXES:
        raise Invalid(
            f"{_INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of "
            f"{limits.LOCAL_INDEXES}"
        )
    if local and len(schema) < 2:
        raise Invalid(
            f"{_INVALID}Table KeySchema does not have a range key, which is required when "
            "specifying a LocalSecondaryIndex"
        )
    for index in local:
        _refuse_impossible_local(index, schema[0]["AttributeName"])
    for index in everything:
        _refuse_impossible_schema(index["KeySchema"])
        _refuse_bad_projection(index)
    included = [(index.get("Projection") or {}).get("NonKeyAttributes", ()) for index in everything]
    if sum(map(len, included)) > limits.INCLUDED_ATTRIBUTES:
        raise Invalid(
            f"{_INVALID}NonKeyAttributes of all indexes together exceed the per-table limit of "
            f"{limits.INCLUDED_ATTRIBUTES}"
        )


def _refuse_impossible_schema(schema: Sequence[Mapping[str, str]]) -> None:
    if not schema or schema[0]["KeyType"] != "HASH":
        raise Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if len(schema) < 2:
        return
    if schema[0]["AttributeName"] == schema[1]["AttributeName"]:
        raise Invalid(
            "Both the Hash Key and the Range Key element in the KeySchema have the same name"
        )
    if schema[1]["KeyType"] != "RANGE":
        raise Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")


def _refuse_impossible_local(index: Mapping[str, Any], partition_key: str) -> None:
    name, schema = index["IndexName"], index["KeySchema"]
    if len(schema) < 2:
        raise Invalid(f"{_INVALID}Index KeySchema does not have a range key for index: {name}")
    if schema[0]["AttributeName"] != partition_key:
        raise Invalid(
            f"{_INVALID}Index KeySchema does not have the same leading hash key as table KeySchema "
            f"for index: {name}. index hash key: {schema[0]['AttributeName']}, "
            f"table hash key: {partition_key}"
        )


def _refuse_bad_projection(index: Mapping[str, Any]) -> None:
    projection = index.get("Projection") or {}
    kind, others = projection.get("ProjectionType"), projection.get("NonKeyAttributes")
    if kind not in ("ALL", "KEYS_ONLY", "INCLUDE"):
        raise Invalid(f"{_INVALID}Unknown ProjectionType: {kind or 'null'}")
    if kind == "INCLUDE" and not others:
        raise Invalid(f"{_INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
    if kind != "INCLUDE" and others:
        raise Invalid(f"{_INVALID}ProjectionType is {kind}, but NonKeyAttributes is specified")
