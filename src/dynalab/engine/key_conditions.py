"""KeyConditionExpression: one partition key value, and a range of sort keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from moto.dynamodb.models.table import SecondaryIndex

from dynalab.engine.conditions import Node, path_of, syntax_tree
from dynalab.engine.errors import Invalid
from dynalab.engine.expressions import Expressions
from dynalab.engine.item_collections import Key
from dynalab.engine.tables import Table
from dynalab.engine.values import AttributeValue, comparable

_FIELD = "KeyConditionExpression"
_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class _Top:
    """Greater than every key, so that (x, TOP) ends the entries that begin with x."""

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return True

    def __ge__(self, other: object) -> bool:
        return True


_TOP = _Top()


@dataclass(frozen=True)
class KeyCondition:
    """A partition key value and the bounds of the order after it; None is open."""

    partition: Any
    low: Key | None = None
    high: Key | None = None
    inclusive: tuple[bool, bool] = (True, True)

    def holds(self, order: Key) -> bool:
        """Whether a place within the partition is inside the bounds."""
        after_low = (
            self.low is None or order > self.low or (self.inclusive[0] and order == self.low)
        )
        before_high = (
            self.high is None or order < self.high or (self.inclusive[1] and order == self.high)
        )
        return after_low and before_high


def key_condition(
    table: Table, index: SecondaryIndex | None, expressions: Expressions, expression: str
) -> KeyCondition:
    """The condition of a Query; Invalid with DynamoDB's message for what it cannot be.

    moto takes two conditions on the sort key and a range whose bounds are reversed.
    """
    schema = table.table_key_attrs if index is None else index.schema_key_attrs
    expressions.parse(_FIELD)
    parts = _parts(syntax_tree(expression, expressions.names, _FIELD), expressions)
    _refuse_filter_on_key(schema, expressions)
    partition_key, *sort_keys = schema
    if partition_key not in parts:
        raise Invalid(f"Query condition missed key schema element: {partition_key}")
    operator, [value] = parts[partition_key][0], parts[partition_key][1][:1]
    if operator != "=":
        raise Invalid("Query key condition not supported")
    others = [name for name in parts if name != partition_key]
    if others and (not sort_keys or others != sort_keys[:1]):
        missed = sort_keys[0] if sort_keys else None
        raise Invalid(
            f"Query condition missed key schema element: {missed}"
            if missed
            else "Query key condition not supported"
        )
    _refuse_types(table, {partition_key: [value], **{n: parts[n][1] for n in others}})
    if not others:
        return KeyCondition(comparable(value))
    return _ranged(comparable(value), *parts[others[0]])


def _parts(node: Node, expressions: Expressions) -> dict[str, tuple[str, list[AttributeValue]]]:
    """Each key attribute with its operator and values."""
    if node.kind == "PARENTHESES":
        return _parts(node.children[0], expressions)
    if node.kind == "AND":
        left, right = (_parts(child, expressions) for child in node.children)
        if set(left) & set(right):
            raise Invalid("KeyConditionExpressions must only contain one condition per key")
        return {**left, **right}
    if node.kind in ("OR", "NOT", "IN"):
        raise Invalid(f"Invalid operator used in {_FIELD}: {node.kind}")
    operator, operands = _operator(node)
    if operator == "<>":
        raise Invalid(f"Invalid operator used in {_FIELD}: <>")
    paths = [operand for operand in operands if operand.kind == "PATH"]
    if any(operand.kind == "FUNCTION" for operand in operands):
        raise Invalid("KeyConditionExpressions cannot contain nested operations")
    if not paths:
        raise Invalid(f"Invalid condition in {_FIELD}: No key attribute specified")
    if len(paths) > 1:
        raise Invalid(
            f"Invalid condition in {_FIELD}: Multiple attribute names used in one condition"
        )
    if operands[0].kind != "PATH":
        if operator not in _MIRRORED:
            raise Invalid(
                f"Invalid condition in {_FIELD}: {operator} operator must have the key attribute "
                "as its first operand"
            )
        operator, operands = _MIRRORED[operator], operands[::-1]
    path = path_of(operands[0])
    if len(path) > 1:
        raise Invalid("KeyConditionExpressions cannot have conditions on nested attributes")
    values = [expressions.values[operand.value] for operand in operands[1:]]
    return {str(path[0]): (operator, values)}


def _operator(node: Node) -> tuple[str, list[Node]]:
    if node.kind == "COMPARISON":
        left, comparator, right = node.children
        return comparator.value, [left, right]
    if node.kind == "BETWEEN":
        return "BETWEEN", list(node.children)
    name = node.children[0].value
    if name != "begins_with":
        raise Invalid(f"Invalid operator used in {_FIELD}: {name}")
    return name, list(node.children[1:])


def _refuse_types(table: Table, values: dict[str, list[AttributeValue]]) -> None:
    types = table.key_types
    for name, given in values.items():
        for value in given:
            if types[name] not in value:
                raise Invalid(
                    "One or more parameter values were invalid: "
                    "Condition parameter type does not match schema type"
                )
            if "" in (value.get("S"), value.get("B")):
                raise Invalid(
                    "One or more parameter values are not valid. The AttributeValue for a key "
                    f"attribute cannot contain an empty string value. Key: {name}"
                )


def _refuse_filter_on_key(schema: list[str], expressions: Expressions) -> None:
    for name in {path[0] for path in expressions.filtered_paths()}:
        if name in schema:
            raise Invalid(
                "Filter Expression can only contain non-primary key attributes: "
                f"Primary key attribute: {name}"
            )


def _ranged(partition: Any, operator: str, values: list[AttributeValue]) -> KeyCondition:
    bound = comparable(values[0])
    if operator == "=":
        return KeyCondition(partition, (bound,), (bound, _TOP))
    if operator == "<":
        return KeyCondition(partition, None, (bound,), (True, False))
    if operator == "<=":
        return KeyCondition(partition, None, (bound, _TOP))
    if operator == ">":
        return KeyCondition(partition, (bound, _TOP), None, (False, True))
    if operator == ">=":
        return KeyCondition(partition, (bound,), None)
    if operator == "BETWEEN":
        return KeyCondition(partition, (bound,), (comparable(values[1]), _TOP))
    after = _next_prefix(bound)
    high = None if after is None else (after,)
    return KeyCondition(partition, (bound,), high, (True, False))


def _next_prefix(prefix: Any) -> Any:
    """The first key after every key that begins with this; None where there is none."""
    if isinstance(prefix, bytes):
        trimmed = prefix.rstrip(b"\xff")
        return trimmed[:-1] + bytes([trimmed[-1] + 1]) if trimmed else None
    trimmed_text = prefix.rstrip("\U0010ffff")
    if not trimmed_text:
        return None
    return trimmed_text[:-1] + chr(ord(trimmed_text[-1]) + 1)
