"""Document paths and projections: which parts of an item a reply shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

from dynalab.engine.errors import Invalid
from dynalab.engine.values import AttributeValue, Wire

Path: TypeAlias = tuple["str | int", ...]

_RESERVED = frozenset(ReservedKeywords.get_reserved_keywords())
_STEP = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*|#[0-9A-Za-z_]+)(?P<positions>(\[\d+\])*)$")
_TOKEN = re.compile(r"[#:]?[A-Za-z0-9_]+|\S")


@lru_cache(maxsize=1024)
def parsed(expression: str, names: tuple[tuple[str, str], ...]) -> tuple[Path, ...]:
    """The document paths of a ProjectionExpression, names put in for their placeholders."""
    known = dict(names)
    paths = tuple(_path(text.strip(), known) for text in expression.split(","))
    for number, path in enumerate(paths):
        for other in paths[:number]:
            shared = min(len(path), len(other))
            if path[:shared] == other[:shared]:
                raise Invalid(
                    "Invalid ProjectionExpression: Two document paths overlap with each other; "
                    "must remove or rewrite one of these paths; "
                    f"path one: [{shown(other)}], path two: [{shown(path)}]"
                )
    return paths


def shown(path: Path) -> str:
    """A path as DynamoDB's messages have it, without the brackets around it."""
    return ", ".join(f"[{step}]" if isinstance(step, int) else step for step in path)


def _path(text: str, names: Mapping[str, str]) -> Path:
    steps: list[str | int] = []
    for part in text.split("."):
        match = _STEP.match(part)
        if match is None:
            tokens = list(_TOKEN.finditer(part))
            token = tokens[0].group() if tokens else "<EOF>"
            near = part[tokens[0].start() : tokens[:2][-1].end()] if tokens else text
            raise Invalid(
                f'Invalid ProjectionExpression: Syntax error; token: "{token}", near: "{near}"'
            )
        steps.append(_name(match["name"], names))
        steps.extend(int(position) for position in re.findall(r"\d+", match["positions"]))
    return tuple(steps)


def _name(name: str, names: Mapping[str, str]) -> str:
    if name.startswith("#"):
        return names[name]
    if is_reserved(name):
        raise Invalid(
            "Invalid ProjectionExpression: Attribute name is a reserved keyword; "
            f"reserved keyword: {name}"
        )
    return name


def is_reserved(name: str) -> bool:
    """Whether a name needs a placeholder (Reserved words in DynamoDB)."""
    return name.upper() in _RESERVED


def value_at(item: Wire, path: Path) -> AttributeValue | None:
    """The attribute value at a document path, or None where there is none."""
    value = item.get(path[0])  # type: ignore[arg-type]  # a path starts with a name
    for step in path[1:]:
        if value is None:
            return None
        value = _child(value, step)
    return value


def _child(value: AttributeValue, step: str | int) -> AttributeValue | None:
    if isinstance(step, str):
        children: Any = value.get("M", {})
        return children.get(step)  # type: ignore[no-any-return]
    elements = value.get("L", [])
    return elements[step] if step < len(elements) else None


def project(item: Wire, paths: Iterable[Path]) -> dict[str, AttributeValue]:
    """The parts of an item at these paths, nested as they are in the item.

    Elements of one list close up: `a[0], a[2]` gives a list of two.
    """
    result: dict[str, Any] = {}
    for path in paths:
        value = value_at(item, path)
        if value is not None:
            _place(result, path, value)
    return {name: _closed_up(tree) for name, tree in result.items()}


class _Positions(dict[int, Any]):
    """The elements of a list that were asked for, by their positions."""


def _place(tree: dict[Any, Any], path: Path, value: AttributeValue) -> None:
    for step, following in pairwise(path):
        empty: dict[Any, Any] = _Positions() if isinstance(following, int) else {}
        tree = tree.setdefault(step, empty)
    tree[path[-1]] = _Leaf(value)


class _Leaf:
    """A value as the item holds it, told apart from the branches that lead to it."""

    __slots__ = ("value",)

    def __init__(self, value: AttributeValue) -> None:
        self.value = value


def _closed_up(tree: Any) -> AttributeValue:
    if isinstance(tree, _Leaf):
        return tree.value
    if isinstance(tree, _Positions):
        return {"L": [_closed_up(tree[position]) for position in sorted(tree)]}
    return {"M": {name: _closed_up(branch) for name, branch in tree.items()}}
