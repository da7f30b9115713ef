"""Requests of the years before expressions, said as expressions: Expected, QueryFilter and so on.

Each condition becomes an expression with placeholders that no caller can have chosen, so the
rest of the engine knows one language only (API reference, "Legacy Conditional Parameters").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dynalab.engine.errors import Invalid

_EXPRESSIONS = (
    "ProjectionExpression",
    "UpdateExpression",
    "ConditionExpression",
    "FilterExpression",
    "KeyConditionExpression",
)
_PLACEHOLDERS = ("ExpressionAttributeNames", "ExpressionAttributeValues")
_CONDITIONS = {
    "Expected": "ConditionExpression",
    "KeyConditions": "KeyConditionExpression",
    "QueryFilter": "FilterExpression",
    "ScanFilter": "FilterExpression",
}
_OTHERS = ("AttributesToGet", "AttributeUpdates", "ConditionalOperator")
_LEGACY = frozenset({*_CONDITIONS, *_OTHERS})
_COMPARISONS = {"EQ": "=", "NE": "<>", "LE": "<=", "LT": "<", "GE": ">=", "GT": ">"}
_OPERATORS = {
    **{name: f"{{path}} {symbol} {{0}}" for name, symbol in _COMPARISONS.items()},
    "NOT_NULL": "attribute_exists({path})",
    "NULL": "attribute_not_exists({path})",
    "CONTAINS": "contains({path}, {0})",
    "NOT_CONTAINS": "NOT contains({path}, {0})",
    "BEGINS_WITH": "begins_with({path}, {0})",
    "BETWEEN": "{path} BETWEEN {0} AND {1}",
}
_COUNTS = {"NOT_NULL": 0, "NULL": 0, "BETWEEN": 2}


def modern(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same request without legacy parameters; itself where it has none.

    Raises Invalid where it mixes them with expressions, or where one has no such meaning.
    """
    parts = request.get("RequestItems")
    if not isinstance(parts, Mapping):
        return _modern(request)
    # of a batch of reads each table's part is a request; a batch of writes has lists
    said = {
        name: _modern(part) if isinstance(part, Mapping) else part for name, part in parts.items()
    }
    same = all(said[name] is part for name, part in parts.items())
    return request if same else {**request, "RequestItems": said}


def _modern(request: Mapping[str, Any]) -> Mapping[str, Any]:
    if _LEGACY.isdisjoint(request):
        return request
    old = sorted(_LEGACY.intersection(request))
    new = [name for name in _EXPRESSIONS if name in request]
    if new:
        raise Invalid(
            "Can not use both expression and non-expression parameters in the same request: "
            f"Non-expression parameters: {{{', '.join(old)}}} "
            f"Expression parameters: {{{', '.join(new)}}}"
        )
    for name in _PLACEHOLDERS:
        if name in request:
            raise Invalid(f"{name} can only be specified when using expressions")
    return _Translation(request).request()


class _Translation:
    """One request on its way, with the placeholders that it needs."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._old = request
        self._names: dict[str, str] = {}
        self._values: dict[str, Any] = {}

    def request(self) -> dict[str, Any]:
        said = {name: value for name, value in self._old.items() if name not in _LEGACY}
        operator = self._old.get("ConditionalOperator", "AND")
        for parameter, field in _CONDITIONS.items():
            conditions = self._old.get(parameter)
            if conditions:
                # the order of the keys and the ConditionalOperator have no say over a key condition
                joint = "AND" if parameter == "KeyConditions" else operator
                tests = [self._condition(name, each) for name, each in conditions.items()]
                said[field] = f" {joint} ".join(tests)
        if "AttributesToGet" in self._old:
            said["ProjectionExpression"] = self._projection(self._old["AttributesToGet"])
        if self._old.get("AttributeUpdates"):
            said["UpdateExpression"] = self._update(self._old["AttributeUpdates"])
        if self._names:
            said["ExpressionAttributeNames"] = self._names
        if self._values:
            said["ExpressionAttributeValues"] = self._values
        return said

    def _name(self, attribute: str) -> str:
        placeholder = f"#legacy{len(self._names)}"
        self._names[placeholder] = attribute
        return placeholder

    def _value(self, value: Any) -> str:
        placeholder = f":legacy{len(self._values)}"
        self._values[placeholder] = value
        return placeholder

    def _projection(self, attributes: list[str]) -> str:
        if not attributes:
            raise Invalid(
                "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1"
            )
        for name in attributes:
            if attributes.count(name) > 1:
                raise Invalid(
                    "One or more parameter values were invalid: Duplicate value in attribute name: "
                    f"{name}"
                )
        return ", ".join(map(self._name, attributes))

    def _condition(self, attribute: str, condition: Mapping[str, Any]) -> str:
        if "ComparisonOperator" not in condition:
            return self._expectation(attribute, condition)
        operator = condition["ComparisonOperator"]
        operands = condition.get("AttributeValueList") or [
            condition[name] for name in ("Value",) if name in condition
        ]
        wanted = _COUNTS.get(operator, 1)
        if len(operands) != wanted if operator != "IN" else not operands:
            raise Invalid(
                "One or more parameter values were invalid: Invalid number of argument(s) for the "
                f"{operator} ComparisonOperator"
            )
        path = self._name(attribute)
        values = [self._value(operand) for operand in operands]
        if operator == "IN":
            return f"{path} IN ({', '.join(values)})"
        if operator not in _OPERATORS:
            known = ", ".join([*_OPERATORS, "IN"])
            raise Invalid(
                f"1 validation error detected: Value '{operator}' at 'comparisonOperator' failed "
                f"to satisfy constraint: Member must satisfy enum value set: [{known}]"
            )
        return _OPERATORS[operator].format(*values, path=path)

    def _expectation(self, attribute: str, condition: Mapping[str, Any]) -> str:
        """Expected's first form: a value that must be there, or Exists: False."""
        exists = condition.get("Exists", True)
        if exists is ("Value" not in condition):
            problem = (
                "Value must be provided when Exists is true"
                if exists
                else "Value cannot be used when Exists is false"
            )
            raise Invalid(
                f"One or more parameter values were invalid: {problem} for Attribute: {attribute}"
            )
        path = self._name(attribute)
        if not exists:
            return f"attribute_not_exists({path})"
        return f"{path} = {self._value(condition['Value'])}"

    def _update(self, updates: Mapping[str, Mapping[str, Any]]) -> str:
        sections: dict[str, list[str]] = {}
        for section, action in self._actions(updates):
            sections.setdefault(section, []).append(action)
        return " ".join(f"{section} {', '.join(actions)}" for section, actions in sections.items())

    def _actions(self, updates: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        for attribute, update in updates.items():
            action = update.get("Action", "PUT")
            if action not in ("ADD", "PUT", "DELETE"):
                raise Invalid(
                    f"1 validation error detected: Value '{action}' at 'attributeUpdates."
                    f"{attribute}.member.action' failed to satisfy constraint: Member must satisfy "
                    "enum value set: [ADD, PUT, DELETE]"
                )
            if "Value" in update:
                path, value = self._name(attribute), self._value(update["Value"])
                yield (
                    ("SET", f"{path} = {value}") if action == "PUT" else (action, f"{path} {value}")
                )
            elif action == "DELETE":
                yield "REMOVE", self._name(attribute)
            else:
                raise Invalid(
                    "One or more parameter values were invalid: Only DELETE action is allowed when "
                    "no attribute value is specified"
                )
