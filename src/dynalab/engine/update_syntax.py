"""Update expressions, read into actions: SET, REMOVE, ADD and DELETE, each on a document path.

moto stops at parentheses, takes `a + b + c`, and overlooks paths that overlap in a list or
under a placeholder. The grammar is that of Expressions.UpdateExpressions.html.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn, TypeAlias

from dynalab.engine.errors import Invalid
from dynalab.engine.projection import Path, is_reserved, shown


@dataclass(frozen=True)
class Value:
    """An expression attribute value, by its placeholder."""

    name: str


@dataclass(frozen=True)
class Attribute:
    """What the item holds at a document path."""

    path: Path


@dataclass(frozen=True)
class Call:
    """A function, or a sum: `+` and `-` are functions of two operands."""

    function: str
    operands: tuple[Operand, ...]


Operand: TypeAlias = Value | Attribute | Call


@dataclass(frozen=True)
class Action:
    """One change: its section's name, the path that it changes, and what SET, ADD, DELETE take."""

    kind: str
    path: Path
    operand: Operand | None = None


_TOKEN = re.compile(r"\s*([#:]?[A-Za-z0-9_]+|\S)")
_NAME = re.compile(r"#[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*")
_SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")
_FUNCTIONS = ("if_not_exists", "list_append")


@lru_cache(maxsize=1024)
def parsed(expression: str, names: tuple[tuple[str, str], ...]) -> tuple[Action, ...]:
    """The actions of an expression in its own order, names put in for their placeholders.

    Raises Invalid with DynamoDB's message for what cannot be read or contradicts itself.
    """
    actions = _Parser(expression, dict(names)).actions()
    for number, action in enumerate(actions):
        for other in actions[:number]:
            _refuse_meeting(other.path, action.path)
    return actions


class _Parser:
    """Reads one expression from left to right."""

    def __init__(self, expression: str, names: dict[str, str]) -> None:
        self._expression = expression
        self._names = names
        self._tokens = list(_TOKEN.finditer(expression))
        self._at = 0

    def actions(self) -> tuple[Action, ...]:
        found: list[Action] = []
        sections: set[str] = set()
        while self._at < len(self._tokens):
            kind = self._token().upper()
            if kind not in _SECTIONS:
                self._stop()
            if kind in sections:
                raise _invalid(
                    f'The "{kind}" section can only be used once in an update expression;'
                )
            sections.add(kind)
            self._at += 1
            found.append(self._action(kind))
            while self._token() == ",":
                self._at += 1
                found.append(self._action(kind))
        return tuple(found)

    def _action(self, kind: str) -> Action:
        path = self._path()
        if kind == "REMOVE":
            return Action(kind, path)
        if kind == "SET":
            self._expect("=")
            return Action(kind, path, self._sum())
        if not self._token().startswith(":"):
            self._stop()
        return Action(kind, path, Value(self._next()))

    def _sum(self) -> Operand:
        left = self._operand()
        if self._token() not in ("+", "-"):
            return left
        return Call(self._next(), (left, self._operand()))

    def _operand(self) -> Operand:
        token = self._token()
        if token == "(":
            self._at += 1
            inner = self._sum()
            self._expect(")")
            return inner
        if token.startswith(":"):
            return Value(self._next())
        if self._token(1) == "(" and _NAME.fullmatch(token):
            return self._call(self._next())
        return Attribute(self._path())

    def _call(self, function: str) -> Call:
        self._expect("(")
        operands = [self._operand()]
        while self._token() == ",":
            self._at += 1
            operands.append(self._operand())
        self._expect(")")
        if function not in _FUNCTIONS:
            raise _invalid(f"Invalid function name; function: {function}")
        if len(operands) != 2:
            raise _invalid(
                "Incorrect number of operands for operator or function; "
                f"operator or function: {function}, number of operands: {len(operands)}"
            )
        if function == "if_not_exists" and not isinstance(operands[0], Attribute):
            raise _invalid(
                f"Operator or function requires a document path; operator or function: {function}"
            )
        return Call(function, tuple(operands))

    def _path(self) -> Path:
        steps: list[str | int] = [self._name()]
        while self._token() in (".", "["):
            if self._next() == ".":
                steps.append(self._name())
                continue
            if not self._token().isdecimal():
                self._stop()
            steps.append(int(self._next()))
            self._expect("]")
        return tuple(steps)

    def _name(self) -> str:
        token = self._token()
        if not _NAME.fullmatch(token):
            self._stop()
        self._at += 1
        if token.startswith("#"):
            return self._names[token]
        if is_reserved(token):
            raise _invalid(f"Attribute name is a reserved keyword; reserved keyword: {token}")
        return token

    def _token(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at][1] if at < len(self._tokens) else ""

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _expect(self, token: str) -> None:
        if self._token() != token:
            self._stop()
        self._at += 1

    def _stop(self) -> NoReturn:
        around = self._tokens[max(0, self._at - 1) : self._at + 2]
        near = self._expression[around[0].start(1) : around[-1].end(1)] if around else ""
        raise _invalid(f'Syntax error; token: "{self._token() or "<EOF>"}", near: "{near}"')


def _invalid(problem: str) -> Invalid:
    return Invalid(f"Invalid UpdateExpression: {problem}")


def _refuse_meeting(one: Path, two: Path) -> None:
    """Two actions may not change the same place, nor take one place for a list and for a map."""
    for step, other in zip(one, two, strict=False):
        if type(step) is not type(other):
            how = "conflict"
            break
        if step != other:
            return
    else:
        how = "overlap"
    raise _invalid(
        f"Two document paths {how} with each other; must remove or rewrite one of these paths; "
        f"path one: [{shown(one)}], path two: [{shown(two)}]"
    )
