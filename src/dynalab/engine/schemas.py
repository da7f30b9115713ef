"""Tables that cannot be: the key schemas and indexes that CreateTable refuses and moto takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.engine import limits
from dynalab.engine.constraints import refuse, refuse_bad_table_name, word_problem
from dynalab.engine.errors import Invalid, ResourceNotFoundException
from dynalab.engine.tables import Table

_INVALID = "One or more parameter values were invalid: "


def refuse_impossible_table(request: Mapping[str, Any]) -> None:
    """What CreateTable refuses (Service quotas; Local secondary indexes)."""
    refuse_bad_table_name(request)
    _refuse_unknown_words(request)
    schema: Sequence[Mapping[str, str]] = request.get("KeySchema", ())
    _refuse_impossible_schema(schema, of_table=True)
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
        _refuse_impossible_schema(index["KeySchema"], of_table=False)
        _refuse_bad_projection(index)
    included = [(index.get("Projection") or {}).get("NonKeyAttributes", ()) for index in everything]
    if sum(map(len, included)) > limits.INCLUDED_ATTRIBUTES:
        raise Invalid(
            f"{_INVALID}NonKeyAttributes of all indexes together exceed the per-table limit of "
            f"{limits.INCLUDED_ATTRIBUTES}"
        )


def _refuse_unknown_words(request: Mapping[str, Any]) -> None:
    problems = []
    for parameter, field, allowed in (
        ("attributeDefinitions", "attributeType", ("B", "N", "S")),
        ("keySchema", "keyType", ("HASH", "RANGE")),
    ):
        members = request.get(parameter[0].upper() + parameter[1:]) or ()
        for place, member in enumerate(members, 1):
            word = member.get(field[0].upper() + field[1:])
            if word not in allowed:
                problems.append(word_problem(word, f"{parameter}.{place}.member.{field}", allowed))
    refuse(problems)


def refuse_impossible_index_updates(table: Table, request: Mapping[str, Any]) -> None:
    """What UpdateTable refuses of global indexes, where moto fails or obeys."""
    existing = {index.name for index in table.all_indexes()}
    defined = [each["AttributeName"] for each in request.get("AttributeDefinitions") or ()]
    defined = defined or [each["AttributeName"] for each in table.attr]
    for update in request.get("GlobalSecondaryIndexUpdates") or ():
        removed = update.get("Delete", update.get("Update"))
        if removed is not None and removed["IndexName"] not in existing:
            raise ResourceNotFoundException("Requested resource not found")
        made = update.get("Create")
        if made is None:
            continue
        if made["IndexName"] in existing:
            raise Invalid(
                f"{_INVALID}Attempting to create an index which already exists: {made['IndexName']}"
            )
        unknown = [
            each["AttributeName"]
            for each in made["KeySchema"]
            if each["AttributeName"] not in defined
        ]
        if unknown:
            raise Invalid(
                f"{_INVALID}Some index key attributes are not defined in AttributeDefinitions. "
                f"Keys: [{', '.join(unknown)}], AttributeDefinitions: [{', '.join(defined)}]"
            )


def _refuse_impossible_schema(schema: Sequence[Mapping[str, str]], of_table: bool) -> None:
    if not schema or schema[0]["KeyType"] != "HASH":
        raise Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if len(schema) < 2:
        return
    if schema[0]["AttributeName"] == schema[1]["AttributeName"]:
        raise Invalid(
            "Invalid KeySchema: Some index key attribute have no definition"
            if of_table
            else "Both the Hash Key and the Range Key element in the KeySchema have the same name"
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
