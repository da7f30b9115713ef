"""What DynamoDB refuses and moto takes: keys, index keys, sizes, duplicates, reversed ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from moto.dynamodb.models.table import SecondaryIndex

from dynalab.engine import capacity, limits
from dynalab.engine.errors import Invalid
from dynalab.engine.item_collections import Key
from dynalab.engine.projection import Path
from dynalab.engine.tables import Item, Table
from dynalab.engine.values import AttributeValue, Wire, checked, comparable

_INVALID = "One or more parameter values were invalid: "
_NOT_VALID = "One or more parameter values are not valid. "
_EMPTY = "The AttributeValue for a key attribute cannot contain an empty {kind} value. "
_KINDS = {"S": "string", "B": "binary"}


def key_of(table: Table, key: Mapping[str, Any]) -> tuple[Key, dict[str, AttributeValue]]:
    """The key of a Get, Update or Delete: exactly the table's key attributes, of their types."""
    wire = {name: checked(value) for name, value in key.items()}
    types = table.key_types
    if len(wire) > len(table.table_key_attrs):
        raise Invalid("The number of conditions on the keys is invalid")
    for name in table.table_key_attrs:
        if name not in wire or types[name] not in wire[name]:
            raise Invalid("The provided key element does not match the schema")
    _refuse_bad_key_values(table, wire)
    return table.key_of(wire), wire


def item_of(table: Table, wire: Wire) -> tuple[Key, Item]:
    """An item that is to be put, with its key; Invalid where DynamoDB would not take it."""
    types = table.key_types
    for name in table.table_key_attrs:
        if name not in wire:
            raise Invalid(f"{_INVALID}Missing the key {name} in the item")
        if types[name] not in wire[name]:
            raise Invalid(
                f"{_INVALID}Type mismatch for key {name} "
                f"expected: {types[name]} actual: {next(iter(wire[name]))}"
            )
    _refuse_bad_key_values(table, wire)
    _refuse_bad_index_keys(table, wire, types)
    item = Item(wire)
    _refuse_too_large(table, item, item.size, "Item size has exceeded the maximum allowed size")
    return table.key_of(wire), item


def updated_item(table: Table, wire: Wire, weight: int) -> Item:
    """An item as an update leaves it; Invalid where an index key or the size is refused.

    weight: what the update's own actions count against the limit, where keys do not count.
    """
    types = table.key_types
    for index in table.all_indexes():
        for name in index.schema_key_attrs:
            if name not in wire or name in table.table_key_attrs:
                continue
            [(kind, inner)] = wire[name].items()
            if kind != types[name]:
                raise Invalid(
                    "The update expression attempted to update the secondary index key to "
                    "unsupported type"
                )
            if inner == "" and kind in _KINDS:
                raise Invalid(
                    f"{_NOT_VALID}The update expression attempted to update a secondary index key "
                    f"to a value that is not supported. {_EMPTY.format(kind=_KINDS[kind])}"
                )
    item = Item(wire)
    keys = capacity.item_size({name: wire[name] for name in table.table_key_attrs})
    _refuse_too_large(
        table,
        item,
        max(item.size, item.size - keys + weight),
        "Item size to update has exceeded the maximum allowed size",
    )
    return item


def refuse_updated_keys(table: Table, updated: Iterable[tuple[Path, str | None]]) -> None:
    """No update changes a key attribute, or gives an index key another type or a path inside.

    updated: each path that is written, with the type that it gets; None where the item decides.
    """
    types = table.key_types
    for path, kind in updated:
        name = path[0]
        if name in table.table_key_attrs:
            raise Invalid(
                f"{_INVALID}Cannot update attribute {name}. This attribute is part of the key"
            )
        refuse_paths_into_keys(table, [path])
        for index in table.all_indexes():
            if name not in index.schema_key_attrs:
                continue
            if kind is not None and kind != types[name]:
                raise Invalid(_index_type(index, name, types[name], kind))


def refuse_paths_into_keys(table: Table, paths: Iterable[Path]) -> None:
    """A key is a scalar: no document path leads into one."""
    for name in [path[0] for path in paths if len(path) > 1]:
        if name in table.table_key_attrs:
            what = "Key"
        elif any(name in index.schema_key_attrs for index in table.all_indexes()):
            what = "IndexKey"
        else:
            continue
        raise Invalid(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' "
            f"are not allowed: {what}: {name}"
        )


def _refuse_too_large(table: Table, item: Item, size: int, message: str) -> None:
    """400 KB for an item, names included; with local indexes, their entries count with it."""
    for index in table.indexes:
        entry = table.entry(index, item.wire)
        size += capacity.item_size(entry) if entry is not None else 0
    if size > limits.ITEM_BYTES:
        raise Invalid(message)


def _refuse_bad_key_values(table: Table, wire: Wire) -> None:
    for name, most, problem in zip(
        table.table_key_attrs,
        (limits.PARTITION_KEY_BYTES, limits.SORT_KEY_BYTES),
        (  # the space that one lacks is missing on AWS too
            "Size of hashkey has exceeded the maximum size limit of",
            "Aggregated size of all range keys has exceeded the size limit of ",
        ),
        strict=False,
    ):
        [(kind, inner)] = wire[name].items()
        if inner == "" and kind in _KINDS:
            raise Invalid(f"{_NOT_VALID}{_EMPTY.format(kind=_KINDS[kind])}Key: {name}")
        if kind != "N" and len(inner) > most // 4 and capacity.value_size(wire[name]) > most:
            raise Invalid(f"{_INVALID}{problem}{most} bytes")


def _refuse_bad_index_keys(table: Table, wire: Wire, types: Mapping[str, str]) -> None:
    for index in table.all_indexes():
        for name in index.schema_key_attrs:
            if name not in wire or name in table.table_key_attrs:
                continue
            [(kind, inner)] = wire[name].items()
            if kind != types[name]:
                raise Invalid(_index_type(index, name, types[name], kind))
            if inner == "" and kind in _KINDS:
                raise Invalid(
                    f"{_NOT_VALID}A value specified for a secondary index key is not supported. "
                    f"{_EMPTY.format(kind=_KINDS[kind])}IndexName: {index.name}, IndexKey: {name}"
                )


def _index_type(index: SecondaryIndex, name: str, wanted: str, kind: str) -> str:
    return (
        f"{_INVALID}Type mismatch for Index Key {name} Expected: {wanted} Actual: {kind} "
        f"IndexName: {index.name}"
    )


# --- batches ----------------------------------------------------------------------------------


def refuse_duplicates(keys: Iterable[tuple[str, Key]]) -> None:
    """A batch names each item once."""
    seen: set[tuple[str, Key]] = set()
    for key in keys:
        if key in seen:
            raise Invalid("Provided list of item keys contains duplicates")
        seen.add(key)


# --- ranges ------------------------------------------------------------------------------------


def refuse_bad_range(low: AttributeValue, high: AttributeValue, field: str) -> None:
    """BETWEEN wants two bounds of one type, the lower first; moto answers others with nothing."""
    [(kind, _)], [(other, _)] = low.items(), high.items()
    if kind != other:
        wanted = "same data type for lower and upper bounds"
    elif kind in ("S", "N", "B") and comparable(low) > comparable(high):
        wanted = "upper bound to be greater than or equal to lower bound"
    else:
        return
    raise Invalid(
        f"Invalid {field}: The BETWEEN operator requires {wanted}; "
        f"lower bound operand: AttributeValue: {_shown(low)}, "
        f"upper bound operand: AttributeValue: {_shown(high)}"
    )


def _shown(value: AttributeValue) -> str:
    [(kind, inner)] = value.items()
    return f"{{{kind}:{inner}}}"
