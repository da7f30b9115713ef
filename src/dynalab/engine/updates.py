"""Update expressions applied: the item after an update is a new one, the one before stays as it is.

moto changes items in place, sums in Python's default context of 28 digits, and answers wrong
types with other messages than DynamoDB, or with none.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from dynalab.engine import limits
from dynalab.engine.errors import Invalid
from dynalab.engine.expressions import Expressions
from dynalab.engine.numbers import CONTEXT, normal
from dynalab.engine.projection import Path, value_at
from dynalab.engine.refusals import refuse_updated_keys
from dynalab.engine.tables import Table
from dynalab.engine.update_syntax import Action, Attribute, Call, Operand, Value, parsed
from dynalab.engine.values import AttributeValue, Wire, checked

_MISSING = "The provided expression refers to an attribute that does not exist in the item"
_WRONG_TYPE = "An operand in the update expression has an incorrect data type"
_BAD_PATH = "The document path provided in the update expression is invalid for update"
_SETS = ("SS", "NS", "BS")
_WORDS = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "BOOL": "BOOLEAN",
    "NULL": "NULL",
    "L": "LIST",
    "M": "MAP",
}


class Update:
    """The UpdateExpression of one request; an update without one only creates the item."""

    def __init__(self, table: Table, expressions: Expressions, request: Mapping[str, Any]) -> None:
        expression = request.get("UpdateExpression")
        self._actions = () if expression is None else parsed(expression, expressions.names)
        self._values = expressions.values
        for action in self._actions:
            self._refuse_wrong_literals(action)
        refuse_updated_keys(
            table, [(action.path, self._kind(action.operand)) for action in self._actions]
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        """The document paths that the expression writes, for UPDATED_NEW and UPDATED_OLD."""
        return tuple(action.path for action in self._actions)

    @property
    def only_takes_away(self) -> bool:
        """Whether it can but remove: then it makes no item where there is none.

        Measured, and tested against DynamoDB by others; an update without actions makes one.
        """
        kinds = {action.kind for action in self._actions}
        return bool(kinds) and kinds <= {"REMOVE", "DELETE"}

    @property
    def weight(self) -> int:
        """Bytes that count against the 400 KB beside the item's own, keys left out (measured)."""
        weight = limits.UPDATE_BYTES if self._actions else 0
        for action in self._actions:
            if action.kind in ("SET", "ADD"):
                weight += limits.UPDATE_WRITE_BYTES
            else:
                weight += limits.UPDATE_REMOVE_BYTES
            if isinstance(action.operand, Call) and action.operand.function in "+-":
                weight += limits.UPDATE_SUM_BYTES
        return weight

    def applied_to(self, wire: Wire) -> dict[str, AttributeValue]:
        """The item after the update. Every operand is taken from the item before it."""
        found = [
            (action, _found(action, self._operand(action.operand, wire), wire))
            for action in self._actions
        ]
        after = {**wire}
        nested = {action.path[0] for action in self._actions if len(action.path) > 1}
        for name in nested:
            after[str(name)] = _copy(after[str(name)])
        lists: dict[int, _Edits] = {}
        for action, value in found:
            container = _container(after, action.path)
            step = action.path[-1]
            if isinstance(container, list):
                edits = lists.setdefault(id(container), _Edits(container))
                edits.add(int(step), value)
            elif value is not None:
                container[step] = value
            else:
                container.pop(step, None)
        for edits in lists.values():
            edits.apply()
        for name in nested:
            after[str(name)] = checked(after[str(name)])
        return after

    # --- operands ---------------------------------------------------------------------------

    def _operand(self, operand: Operand | None, wire: Wire) -> AttributeValue | None:
        if operand is None:
            return None
        if isinstance(operand, Value):
            return self._values[operand.name]
        if isinstance(operand, Attribute):
            value = value_at(wire, operand.path)
            if value is None:
                raise Invalid(_MISSING)
            return value
        first, second = operand.operands
        if operand.function == "if_not_exists":
            there = value_at(wire, first.path) if isinstance(first, Attribute) else None
            return self._operand(second, wire) if there is None else there
        one, two = self._operand(first, wire), self._operand(second, wire)
        kind = "L" if operand.function == "list_append" else "N"
        if one is None or two is None or kind not in one or kind not in two:
            raise Invalid(_WRONG_TYPE)
        if kind == "L":
            return {"L": [*one["L"], *two["L"]]}
        return _sum(operand.function, one, two)

    def _kind(self, operand: Operand | None) -> str | None:
        """The type that an operand has whatever the item holds; None where the item decides."""
        if isinstance(operand, Value):
            return next(iter(self._values[operand.name]))
        if not isinstance(operand, Call):
            return None
        if operand.function == "if_not_exists":
            return self._kind(operand.operands[1])
        return "L" if operand.function == "list_append" else "N"

    def _refuse_wrong_literals(self, action: Action) -> None:
        if action.kind == "SET":
            self._refuse_wrong_operands(action.operand)
        elif action.kind in ("ADD", "DELETE"):
            kind = str(self._kind(action.operand))
            if kind not in _SETS and (kind != "N" or action.kind == "DELETE"):
                raise Invalid(
                    "Invalid UpdateExpression: Incorrect operand type for operator or function; "
                    f"operator: {action.kind}, operand type: {_WORDS[kind]}"
                )

    def _refuse_wrong_operands(self, operand: Operand | None) -> None:
        if not isinstance(operand, Call):
            return
        wanted = {"+": "N", "-": "N", "list_append": "L"}.get(operand.function)
        for inner in operand.operands:
            kind = self._kind(inner) if isinstance(inner, Value) else None
            if wanted is not None and kind not in (None, wanted):
                raise Invalid(
                    "Invalid UpdateExpression: Incorrect operand type for operator or function; "
                    f"operator or function: {operand.function}, operand type: {kind}"
                )
            self._refuse_wrong_operands(inner)


def _found(action: Action, operand: AttributeValue | None, wire: Wire) -> AttributeValue | None:
    """What an action leaves at its path; None for nothing."""
    _container(wire, action.path)
    if action.kind in ("SET", "REMOVE") or operand is None:
        return operand
    there = value_at(wire, action.path)
    [kind] = operand
    if there is not None and kind not in there:
        raise Invalid(_WRONG_TYPE)
    if kind == "N":
        return operand if there is None else _sum("+", there, operand)
    members = [] if there is None else there[kind]
    if action.kind == "ADD":
        return {kind: [*members, *(each for each in operand[kind] if each not in members)]}
    left = [each for each in members if each not in operand[kind]]
    return {kind: left} if left else None


def _sum(sign: str, one: AttributeValue, two: AttributeValue) -> AttributeValue:
    left, right = Decimal(one["N"]), Decimal(two["N"])
    total = CONTEXT.add(left, right) if sign == "+" else CONTEXT.subtract(left, right)
    return {"N": normal(str(total))}


def _container(wire: Any, path: Path) -> Any:
    """The item, the map or the list that holds the last step of a path."""
    if len(path) == 1:
        return wire
    parent = value_at(wire, path[:-1])
    container = None if parent is None else parent.get("M" if isinstance(path[-1], str) else "L")
    if container is None:
        raise Invalid(_BAD_PATH)
    return container


def _copy(value: AttributeValue) -> AttributeValue:
    if "M" in value:
        return {"M": {name: _copy(child) for name, child in value["M"].items()}}
    if "L" in value:
        return {"L": [_copy(child) for child in value["L"]]}
    return value


class _Edits:
    """Changes of one list: positions are those before the update, what lies beyond is appended."""

    def __init__(self, elements: list[AttributeValue]) -> None:
        self._elements = elements
        self._values: dict[int, AttributeValue | None] = {}

    def add(self, position: int, value: AttributeValue | None) -> None:
        self._values[position] = value

    def apply(self) -> None:
        elements = dict(enumerate(self._elements)) | self._values
        self._elements[:] = [value for _, value in sorted(elements.items()) if value is not None]
