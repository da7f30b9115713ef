"""The expressions of one request: their names and values, which must be known and all be used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dynalab.engine import conditions, operands, projection, update_syntax
from dynalab.engine.errors import Invalid
from dynalab.engine.projection import Path
from dynalab.engine.refusals import refuse_paths_into_keys
from dynalab.engine.tables import Table
from dynalab.engine.values import AttributeValue, Wire, checked

_PLACEHOLDERS = re.compile(r"[#:][A-Za-z0-9_]+")
_KEY = re.compile(r"^[#:][A-Za-z0-9_]+$")


class Expressions:
    """Reads a request's expressions in turn, then tells whether a placeholder was left over."""

    def __init__(self, request: Mapping[str, Any], *fields: str) -> None:
        self._request = request
        names = request.get("ExpressionAttributeNames")
        values = request.get("ExpressionAttributeValues")
        present = [field for field in fields if request.get(field) is not None]
        self.names: tuple[tuple[str, str], ...] = self._checked_names(names, present)
        self.values: dict[str, AttributeValue] = self._checked_values(values, fields, present)
        used: set[str] = set()
        for field in present:
            used.update(self._used(field))
        self._refuse_unused(used)

    def _checked_names(self, names: Any, present: list[str]) -> tuple[tuple[str, str], ...]:
        if names is None:
            return ()
        if not present:
            raise Invalid("ExpressionAttributeNames can only be specified when using expressions")
        if not names:
            raise Invalid("ExpressionAttributeNames must not be empty")
        _refuse_bad_keys("ExpressionAttributeNames", names, "#")
        return tuple(sorted(names.items()))

    def _checked_values(
        self, values: Any, fields: tuple[str, ...], present: list[str]
    ) -> dict[str, AttributeValue]:
        takers = [field for field in fields if field != "ProjectionExpression"]
        if values is None or not takers:  # GetItem has no such parameter: it is not looked at
            return {}
        if not set(takers) & set(present):
            verb = "are" if len(takers) > 1 else "is"
            raise Invalid(
                "ExpressionAttributeValues can only be specified when using expressions: "
                f"{' and '.join(takers)} {verb} null"
            )
        if not values:
            raise Invalid("ExpressionAttributeValues must not be empty")
        _refuse_bad_keys("ExpressionAttributeValues", values, ":")
        result = {}
        for name, value in values.items():
            try:
                result[name] = checked(value)
            except Invalid as error:
                raise Invalid(
                    "ExpressionAttributeValues contains invalid value: "
                    f"{error.exception_msg} for key {name}"
                ) from None
        return result

    def _used(self, field: str) -> set[str]:
        expression = self._request[field]
        if not expression.strip():
            raise Invalid(f"Invalid {field}: The expression can not be empty;")
        used = set(_PLACEHOLDERS.findall(expression))
        known = dict(self.names)
        for name in sorted(used):
            if name.startswith("#") and name not in known:
                raise Invalid(
                    f"Invalid {field}: An expression attribute name used in the document path "
                    f"is not defined; attribute name: {name}"
                )
            if name.startswith(":") and name not in self.values:
                raise Invalid(
                    f"Invalid {field}: An expression attribute value used in expression "
                    f"is not defined; attribute value: {name}"
                )
        self._refuse_bad_syntax(field, expression)
        return used

    def _refuse_bad_syntax(self, field: str, expression: str) -> None:
        """Every expression is read before a placeholder that is left over is told."""
        if field == "UpdateExpression":
            update_syntax.parsed(expression, self.names)
        elif field == "ProjectionExpression":
            projection.parsed(expression, self.names)
        else:
            conditions.syntax_tree(expression, self.names, field)

    def _refuse_unused(self, used: set[str]) -> None:
        for parameter, given in (
            ("ExpressionAttributeNames", dict(self.names)),
            ("ExpressionAttributeValues", self.values),
        ):
            left = [name for name in given if name not in used]
            if left:
                raise Invalid(
                    f"Value provided in {parameter} unused in expressions: "
                    f"keys: {{{', '.join(left)}}}"
                )

    def holds(self, field: str, item: Wire | None) -> bool:
        """Whether the item, or its absence, satisfies the expression; True where there is none."""
        expression = self._request.get(field)
        if expression is None:
            return True
        return conditions.compiled(expression, self.names, field)(item, self.values)

    def parse(self, field: str) -> None:
        """Raises Invalid for a bad syntax or operand, also where no item is there to be tested."""
        expression = self._request.get(field)
        if expression is not None:
            conditions.compiled(expression, self.names, field)
            operands.refuse_bad_operands(expression, self.names, self.values, field)

    def filtered_paths(self) -> set[Path]:
        """The document paths that the FilterExpression looks at."""
        expression = self._request.get("FilterExpression")
        if expression is None:
            return set()
        return conditions.paths_in(
            conditions.syntax_tree(expression, self.names, "FilterExpression")
        )

    def paths(self, table: Table) -> tuple[Path, ...] | None:
        """The paths of the ProjectionExpression; None where whole items are asked for."""
        expression = self._request.get("ProjectionExpression")
        if expression is None:
            return None
        paths = projection.parsed(expression, self.names)
        refuse_paths_into_keys(table, paths)
        return paths


def _refuse_bad_keys(parameter: str, given: Mapping[str, Any], sign: str) -> None:
    for name in given:
        if not (name.startswith(sign) and _KEY.match(name)):
            raise Invalid(f'{parameter} contains invalid key: Syntax error; key: "{name}"')
