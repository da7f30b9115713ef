"""What DynamoDB refuses in a condition or filter before it looks at any item: wrong operands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dynalab.engine.conditions import Node, path_of, syntax_tree
from dynalab.engine.errors import Invalid
from dynalab.engine.projection import shown
from dynalab.engine.refusals import refuse_bad_range
from dynalab.engine.values import AttributeValue

_TYPES = ("B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M")
_SIZED = tuple(kind for kind in _TYPES if kind not in ("N", "BOOL", "NULL"))
_ORDERING = ("<", "<=", ">", ">=", "BETWEEN")
_ANY = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"  # what DynamoDB calls the type of a path


@lru_cache(maxsize=1024)
def _to_check(
    expression: str, names: tuple[tuple[str, str], ...], field: str
) -> tuple[tuple[str, list[Node]], ...]:
    """The operations whose operands can be wrong, each with its operands."""
    return tuple(_operations(syntax_tree(expression, names, field)))


def _operations(node: Node) -> list[tuple[str, list[Node]]]:
    found = [each for child in node.children for each in _operations(child)]
    if node.kind == "COMPARISON":
        left, comparator, right = node.children
        found.append((comparator.value, [left, right]))
    elif node.kind == "FUNCTION":
        found.append((node.children[0].value, list(node.children[1:])))
    elif node.kind == "BETWEEN":
        found.append(("BETWEEN", list(node.children)))
    return found


def refuse_bad_operands(
    expression: str,
    names: tuple[tuple[str, str], ...],
    values: Mapping[str, AttributeValue],
    field: str,
) -> None:
    """Raises Invalid where an operand is of a wrong type, the same as the other, or out of order.

    moto evaluates such an expression, and finds it false where DynamoDB refuses the request.
    """
    for operation, operands in _to_check(expression, names, field):
        given = [
            values[each.value] if each.kind == "EXPRESSION_ATTRIBUTE_VALUE" else None
            for each in operands
        ]
        _refuse_same_path(operation, operands, field)
        if operation in _ORDERING:
            for value in given:
                _refuse_type(operation, value, ("S", "N", "B"), field)
        if operation == "BETWEEN" and given[1] is not None and given[2] is not None:
            refuse_bad_range(given[1], given[2], field)
        elif operation == "begins_with":
            for value in given:
                _refuse_type(operation, value, ("S", "B"), field)
        elif operation == "size":
            _refuse_type(operation, given[0], _SIZED, field)
        elif operation == "attribute_type":
            _refuse_type(operation, given[1] or {_ANY: None}, ("S",), field)
            _refuse_unknown_type(given[1] or {}, field)


def _refuse_same_path(operation: str, operands: list[Node], field: str) -> None:
    if len(operands) != 2 or any(operand.kind != "PATH" for operand in operands):
        return
    first, second = map(path_of, operands)
    if first == second:
        raise Invalid(
            f"Invalid {field}: The first operand must be distinct from the remaining operands for "
            f"this operator or function; operator: {operation}, first operand: [{shown(first)}]"
        )


def _refuse_type(
    operation: str, value: AttributeValue | None, taken: tuple[str, ...], field: str
) -> None:
    if value is not None and not set(taken) & set(value):
        raise Invalid(
            f"Invalid {field}: Incorrect operand type for operator or function; "
            f"operator or function: {operation}, operand type: {next(iter(value))}"
        )


def _refuse_unknown_type(value: AttributeValue, field: str) -> None:
    if value["S"] not in _TYPES:
        raise Invalid(
            f"Invalid {field}: Invalid attribute type name found; type: {value['S']}, "
            f"valid types: {{{','.join(_TYPES)}}}"
        )
