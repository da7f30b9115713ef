"""Tables that cannot be: the key schemas and indexes that CreateTable refuses and moto takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.engine import limits
from dynalab.engine.errors import Invalid

_INVALID = "One or more parameter values were invalid: "


def refuse_impossible_table(request: Mapping[str, Any]) -> None:
    """What CreateTable refuses (Service quotas; Local secondary indexes)."""
    name = request.get("TableName", "")
    if not 3 <= len(name) <= 255:
        raise Invalid(
            "TableName must be at least 3 characters long and at most 255 characters long"
        )
    schema: Sequence[Mapping[str, str]] = request.get("KeySchema", ())
    if not schema or schema[0]["KeyType"] != "HASH":
        raise Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if len(schema) == 2 and schema[1]["KeyType"] != "RANGE":
        raise Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
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
        _refuse_bad_projection(index)


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
        raise Invalid(f"{_INVALID}Unknown ProjectionType: {kind}")
    if kind == "INCLUDE" and not others:
        raise Invalid(f"{_INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
    if kind != "INCLUDE" and others:
        raise Invalid(f"{_INVALID}ProjectionType is {kind}, but NonKeyAttributes is specified")
