"""Which attributes a Query or Scan shows: what Select allows, and what an index lacks."""

from __future__ import annotations

from typing import Any

from moto.dynamodb.models.table import SecondaryIndex

from dynalab.engine.errors import Invalid
from dynalab.engine.projection import Path
from dynalab.engine.tables import Table


def _projected(table: Table, index: SecondaryIndex) -> set[str] | None:
    """The attributes that an index holds; None where it holds them all."""
    kind = index.projection.get("ProjectionType")
    if kind == "ALL":
        return None
    others = index.projection.get("NonKeyAttributes", []) if kind == "INCLUDE" else []
    return {*table.table_key_attrs, *index.schema_key_attrs, *others}


def fetches(
    table: Table,
    index: SecondaryIndex,
    request: Any,
    paths: tuple[Path, ...] | None,
) -> bool:
    """Whether a local index must get whole items from the table; moto never does."""
    held = _projected(table, index)
    if held is None or not table.is_local(index):
        return False
    if request.get("Select") == "ALL_ATTRIBUTES":
        return True
    return paths is not None and any(path[0] not in held for path in paths)


def refuse_select(
    table: Table,
    index: SecondaryIndex | None,
    request: Any,
    paths: tuple[Path, ...] | None,
) -> None:
    """Invalid where Select, the paths and what the index holds do not go together."""
    select = request.get("Select")
    if select == "SPECIFIC_ATTRIBUTES" and paths is None:
        raise Invalid(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES"
        )
    if select not in (None, "SPECIFIC_ATTRIBUTES") and paths is not None:
        what = "only the Count" if select == "COUNT" else select
        raise Invalid(f"Cannot specify the ProjectionExpression when choosing to get {what}")
    if select == "ALL_PROJECTED_ATTRIBUTES" and index is None:
        raise Invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
    if index is None or table.is_local(index):
        return
    if request.get("ConsistentRead"):
        raise Invalid("Consistent reads are not supported on global secondary indexes")
    held = _projected(table, index)
    if held is None:
        return
    if select == "ALL_ATTRIBUTES":
        raise Invalid(
            "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
            f"supported for global secondary index {index.name} because its projection type is "
            "not ALL"
        )
    missing = sorted({str(path[0]) for path in paths or () if path[0] not in held})
    if missing:
        raise Invalid(
            "One or more parameter values were invalid: Global secondary index "
            f"{index.name} does not project [{', '.join(missing)}]"
        )
