"""Condition, filter and key condition expressions: moto parses them, this evaluates them.

moto compares Python values, so text against a number raises TypeError and True equals 1.
DynamoDB compares type first: values of different types are unequal, and no order holds.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from moto.dynamodb.comparisons import ConditionExpressionParser
from moto.dynamodb.exceptions import InvalidConditionExpression

from dynalab.engine.errors import Invalid
from dynalab.engine.projection import Path, value_at
from dynalab.engine.values import AttributeValue, Wire, comparable, typed

Values: TypeAlias = Mapping[str, AttributeValue]
Condition: TypeAlias = Callable[["Wire | None", Values], bool]
Operand: TypeAlias = Callable[["Wire | None", Values], "AttributeValue | None"]
Node: TypeAlias = Any  # moto's syntax tree: (nonterminal, kind, text, value, children)

_OPERAND = re.compile(r"(?:[A-Za-z_]|[#:]\w)\w*(?:\.(?:[A-Za-z_]|#\w)\w*|\[[0-9]+\])*", re.ASCII)
_MARKS = (" ", "<", ">", "=", ",", "(", ")")
_ORDERED = ("S", "N", "B")
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class _Misuse(ValueError):
    """A function with operands that it does not take."""


class _SyntaxTree(ConditionExpressionParser):
    """moto's parser, stopped before it turns its tree into comparisons of Python values."""

    def _lex_one_node(self, remaining_expression: str) -> tuple[Node, str]:
        # moto's own pattern takes user-id and 1st for names, and a[10] for a syntax error.
        match = _OPERAND.match(remaining_expression)
        if match is None:
            if not remaining_expression.startswith(_MARKS):
                raise ValueError(
                    f'token: "{remaining_expression[0]}", near: "{remaining_expression}"'
                )
            return super()._lex_one_node(remaining_expression)
        text = match.group()
        node = self.Node(self.Nonterminal.OPERAND, self.Kind.LITERAL, text, text, [])
        return node, remaining_expression[len(text) :]

    def _assert(self, condition: bool, message: str, nodes: Iterable[Node]) -> None:
        if not condition and message.startswith("Wrong"):  # type, or number, of arguments
            function, *rest = nodes
            if "number" in message:
                count = sum(node.nonterminal == self.Nonterminal.OPERAND for node in rest)
                raise _Misuse(
                    "Incorrect number of operands for operator or function; "
                    f"operator or function: {function.value}, number of operands: {count}"
                )
            raise _Misuse(
                "Operator or function requires a document path; "
                f"operator or function: {function.value}"
            )
        super()._assert(condition, message, nodes)

    def _make_op_condition(self, node: Node) -> Any:
        return node

    def _lookup_expression_attribute_value(self, name: str) -> Any:
        return name  # the tree is kept, the values change from request to request


@lru_cache(maxsize=1024)
def syntax_tree(expression: str, names: tuple[tuple[str, str], ...], field: str) -> Node:
    """The syntax tree of an expression; `field` names the parameter in error messages."""
    parser = _SyntaxTree(" ".join(expression.split()), dict(names), {})
    try:
        return parser.parse()
    except InvalidConditionExpression as error:
        raise Invalid(error.exception_msg.replace("ConditionExpression", field, 1)) from None
    except _Misuse as misuse:
        raise Invalid(f"Invalid {field}: {misuse}") from None
    except (ValueError, KeyError, IndexError, AttributeError) as error:
        raise Invalid(f"Invalid {field}: Syntax error; {error}") from None


@lru_cache(maxsize=1024)
def compiled(expression: str, names: tuple[tuple[str, str], ...], field: str) -> Condition:
    """The expression as a function of an item's wire form and the request's values."""
    return _condition(syntax_tree(expression, names, field))


def path_of(node: Node) -> Path:
    """The document path of a PATH node: names, and positions in lists."""
    return tuple(child.value for child in node.children)


def paths_in(node: Node) -> set[Path]:
    """The document paths that an expression names."""
    if node.kind == "PATH":
        return {path_of(node)}
    return set().union(*(paths_in(child) for child in node.children))


def _condition(node: Node) -> Condition:
    kind, children = node.kind, node.children
    if kind == "AND":
        left, right = map(_condition, children)
        return lambda item, values: left(item, values) and right(item, values)
    if kind == "OR":
        left, right = map(_condition, children)
        return lambda item, values: left(item, values) or right(item, values)
    if kind == "NOT":
        inner = _condition(children[0])
        return lambda item, values: not inner(item, values)
    if kind == "PARENTHESES":
        return _condition(children[0])
    if kind == "COMPARISON":
        return _comparison(children[1].value, _operand(children[0]), _operand(children[2]))
    if kind == "BETWEEN":
        return _between(*map(_operand, children))
    if kind == "IN":
        first, *others = map(_operand, children)
        options = [_comparison("=", first, other) for other in others]
        return lambda item, values: any(option(item, values) for option in options)
    return _function(children[0].value, children[1:])


def _operand(node: Node) -> Operand:
    if node.kind == "PATH":
        path = path_of(node)
        return lambda item, values: None if item is None else value_at(item, path)
    if node.kind == "EXPRESSION_ATTRIBUTE_VALUE":
        name = node.value
        return lambda item, values: values[name]
    measured = _operand(node.children[1])  # size(path) is the only function that is an operand

    def size(item: Wire | None, values: Values) -> AttributeValue | None:
        value = measured(item, values)
        return None if value is None else _size(value)

    return size


def _size(value: AttributeValue) -> AttributeValue | None:
    [(kind, inner)] = value.items()
    if kind == "S":
        return {"N": str(len(inner.encode("utf-8")))}
    if kind == "B":
        return {"N": str(len(comparable(value)))}
    if kind in ("SS", "NS", "BS", "L", "M"):
        return {"N": str(len(inner))}
    return None


def _comparison(symbol: str, left: Operand, right: Operand) -> Condition:
    def compare(item: Wire | None, values: Values) -> bool:
        a, b = left(item, values), right(item, values)
        if symbol == "=":
            return a is not None and b is not None and typed(a) == typed(b)
        if symbol == "<>":
            return a is None or b is None or typed(a) != typed(b)
        return a is not None and b is not None and _in_order(symbol, a, b)

    return compare


def _in_order(symbol: str, a: AttributeValue, b: AttributeValue) -> bool:
    (kind, left), (other, right) = typed(a), typed(b)
    return kind == other and kind in _ORDERED and _ORDERS[symbol](left, right)


def _between(value: Operand, low: Operand, high: Operand) -> Condition:
    at_least, at_most = _comparison(">=", value, low), _comparison("<=", value, high)
    return lambda item, values: at_least(item, values) and at_most(item, values)


def _function(name: str, arguments: list[Node]) -> Condition:
    first, *rest = map(_operand, arguments)
    if name == "attribute_exists":
        return lambda item, values: first(item, values) is not None
    if name == "attribute_not_exists":
        return lambda item, values: first(item, values) is None
    second = rest[0]
    test = {"attribute_type": _has_type, "begins_with": _begins_with, "contains": _contains}[name]

    def holds(item: Wire | None, values: Values) -> bool:
        value, argument = first(item, values), second(item, values)
        return value is not None and argument is not None and test(value, argument)

    return holds


def _has_type(value: AttributeValue, argument: AttributeValue) -> bool:
    return next(iter(value)) == argument.get("S")


def _begins_with(value: AttributeValue, argument: AttributeValue) -> bool:
    (kind, whole), (other, start) = typed(value), typed(argument)
    return kind == other and kind in ("S", "B") and bool(whole.startswith(start))


def _contains(value: AttributeValue, argument: AttributeValue) -> bool:
    (kind, whole), (other, part) = typed(value), typed(argument)
    if kind in ("S", "B"):
        return kind == other and part in whole
    if kind == "L":
        return (other, part) in whole
    return kind == other + "S" and argument[other] in value[kind]
