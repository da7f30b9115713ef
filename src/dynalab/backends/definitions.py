"""What the arguments of CreateTable tell of a table: its key, and where its indexes are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Definition: TypeAlias = Mapping[str, Any]

INDEXES = ("LocalSecondaryIndexes", "GlobalSecondaryIndexes")


def key_in(item: Mapping[str, Any], definition: Definition) -> dict[str, Any]:
    """The key attributes of an item, which has them."""
    return {each["AttributeName"]: item[each["AttributeName"]] for each in definition["KeySchema"]}
