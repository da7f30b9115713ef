"""Generated expressions: conditions, filters, key conditions, projections and updates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.engine.generated import (
    OPERATORS,
    PLAIN,
    Draw,
    Shape,
    Wire,
    key_values,
    partition_values,
    values,
)


class Wording:
    """Collects the placeholders of one request while its expressions are written."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self._names: dict[str, str] = {}
        self._values: dict[str, Wire] = {}

    def value(self, value: Wire) -> str:
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = value
        return placeholder

    def name(self, name: str) -> str:
        if not self.draw(st.booleans()):
            return name
        placeholder = f"#{name}"
        self._names[placeholder] = name
        return placeholder

    def put_into(self, request: dict[str, Any]) -> None:
        if self._names:
            request["ExpressionAttributeNames"] = self._names
        if self._values:
            request["ExpressionAttributeValues"] = self._values


def path(words: Wording, attributes: Sequence[str] = PLAIN) -> str:
    """A document path: mostly an attribute, sometimes inside a map or a list."""
    name = words.name(words.draw(st.sampled_from(attributes)))
    inside: str = words.draw(st.sampled_from([""] * 9 + [".k0", "[0]", "[1]"]))
    return name + inside


_ORDERED = st.one_of(*(key_values(kind) for kind in "SNB"))


def condition(words: Wording, attributes: Sequence[str], depth: int = 0) -> str:
    """A condition over these attributes, with every comparison, function and connective."""
    draw = words.draw
    kinds = ["compare", "order", "between", "in", "exists", "type", "begins", "contains", "size"]
    if depth < 2:
        kinds += ["and", "or", "not"]
    kind = draw(st.sampled_from(kinds))
    if kind in ("and", "or"):
        left, right = (condition(words, attributes, depth + 1) for _ in range(2))
        return f"({left}) {kind.upper()} ({right})"
    if kind == "not":
        return f"NOT ({condition(words, attributes, depth + 1)})"
    where = path(words, attributes)
    if kind == "compare":
        sign = draw(st.sampled_from(["=", "<>"]))
        return f"{where} {sign} {words.value(draw(values))}"
    if kind == "order":
        sign = draw(st.sampled_from(["<", "<=", ">", ">="]))
        return f"{where} {sign} {words.value(draw(_ORDERED))}"
    if kind == "between":
        type_ = draw(st.sampled_from("SNB"))
        low, high = (words.value(draw(key_values(type_))) for _ in range(2))
        return f"{where} BETWEEN {low} AND {high}"
    if kind == "in":
        options = [words.value(draw(_ORDERED)) for _ in range(draw(st.integers(1, 3)))]
        return f"{where} IN ({', '.join(options)})"
    if kind == "exists":
        return f"{draw(st.sampled_from(['attribute_exists', 'attribute_not_exists']))}({where})"
    if kind == "type":
        types = st.sampled_from(["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"])
        return f"attribute_type({where}, {words.value({'S': draw(types)})})"
    if kind == "begins":
        return f"begins_with({where}, {words.value(draw(key_values(draw(st.sampled_from('SB')))))})"
    if kind == "contains":
        return f"contains({where}, {words.value(draw(_ORDERED))})"
    size = words.value({"N": str(draw(st.sampled_from([0, 1, 2, 3, 90])))})
    return f"size({where}) {draw(st.sampled_from(['=', '<', '>']))} {size}"


def key_condition(words: Wording, schema: Sequence[str], shape: Shape) -> str:
    """One partition key value, and perhaps one of the seven conditions on the sort key."""
    draw = words.draw
    partition, *sort = schema
    values_of = key_values if partition == "sk" else partition_values
    parts = [f"{words.name(partition)} = {words.value(draw(values_of(shape.types[partition])))}"]
    if sort and draw(st.booleans()):
        kind = shape.types[sort[0]]
        name, operator = words.name(sort[0]), draw(st.sampled_from(OPERATORS))
        value = words.value(draw(key_values(kind)))
        if operator == "BETWEEN":
            parts.append(f"{name} BETWEEN {value} AND {words.value(draw(key_values(kind)))}")
        elif operator == "begins_with":
            parts.append(f"begins_with({name}, {value})")
        else:
            parts.append(f"{name} {operator} {value}")
    return " AND ".join(draw(st.permutations(parts)))


def projection(words: Wording, attributes: Sequence[str]) -> str:
    chosen = words.draw(st.lists(st.sampled_from(attributes), min_size=1, max_size=3, unique=True))
    return ", ".join(path(words, [name]) for name in chosen)


def update(words: Wording, shape: Shape) -> str:
    """SET, REMOVE, ADD and DELETE clauses; plain attributes, and at times an index key."""
    draw = words.draw
    names = [*PLAIN, *(name for name in shape.types if name not in shape.schema)]
    targets = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    clauses: dict[str, list[str]] = {}
    for target in targets:
        # dynalite copies by reference: an ADD to what was copied would change the copy too.
        copied = [name for name in PLAIN if name not in targets] or [target]
        clause, action = _action(words, shape, target, copied)
        clauses.setdefault(clause, []).append(action)
    return " ".join(f"{clause} {', '.join(actions)}" for clause, actions in clauses.items())


def _action(words: Wording, shape: Shape, target: str, copied: list[str]) -> tuple[str, str]:
    draw = words.draw
    if target not in PLAIN:
        if draw(st.booleans()):
            return "REMOVE", words.name(target)
        return "SET", f"{words.name(target)} = {words.value(draw(key_values(shape.types[target])))}"
    where = path(words, [target])
    kind = draw(st.sampled_from(["value", "value", "default", "count", "copy", "remove", "append",
                                 "value", "sum", "add", "add to set", "delete"]))  # fmt: skip
    if kind == "remove":
        return "REMOVE", where
    if kind == "add":
        return "ADD", f"{where} {words.value(draw(key_values('N')))}"
    if kind in ("add to set", "delete"):
        members = draw(st.sampled_from([{"SS": ["a", "b"]}, {"NS": ["1", "2"]}, {"SS": ["é"]}]))
        return ("DELETE" if kind == "delete" else "ADD"), f"{where} {words.value(members)}"
    if kind == "value":
        return "SET", f"{where} = {words.value(draw(values))}"
    if kind == "default":
        return "SET", f"{where} = if_not_exists({where}, {words.value(draw(values))})"
    if kind == "sum":
        return "SET", f"{where} = {where} {draw(st.sampled_from('+-'))} {words.value({'N': '1'})}"
    if kind == "count":
        zero, one = words.value({"N": "0"}), words.value({"N": "1"})
        return "SET", f"{where} = if_not_exists({where}, {zero}) + {one}"
    if kind == "append":
        empty, more = words.value({"L": []}), words.value({"L": [{"S": "more"}]})
        return "SET", f"{where} = list_append(if_not_exists({where}, {empty}), {more})"
    return "SET", f"{where} = {path(words, copied)}"
