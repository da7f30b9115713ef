"""Generated tables, items and requests, in DynamoDB's wire form, to send to two engines alike."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st

from dynalab.engine.sizes import item_size

Wire: TypeAlias = dict[str, Any]
Draw: TypeAlias = Callable[..., Any]
Request: TypeAlias = tuple[str, dict[str, Any]]

TABLE = "Generated"
PLAIN = ("v1", "v2", "v3", "v4")  # attributes that are no key of anything
OPERATORS = ("=", "<", "<=", ">", ">=", "BETWEEN", "begins_with")


def binary(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


# Few values, so that requests meet (partition keys have only the first two of them); close to
# each other, so that their order matters.
_KEYS: dict[str, list[str]] = {
    "S": ["a", "ab", "b", "é", "z￿", "z😀"],
    "N": ["-12", "-1.5", "-1", "0", "0.015", "1", "2", "10", "150"],
    "B": [binary(raw) for raw in (b"\x00", b"\x01a", b"a", b"ab", b"b", b"\xff\xff", b"\xff")],
}
# No sum of these takes more than 38 digits, which dynalite would keep.
_NUMBERS = ["0", "1", "-1", "3", "1.50", "42", "-0.25", "1E+3", "1234567", "9" * 34, "1e-20"]
_EXACT = [1023, 1024, 1025, 2048, 2049, 4095, 4096, 4097, 8192]
_LENGTHS = [1000, 90, 4080, 0, 1, 2040, 3, 1015, 1024, 4096, 9000]


# --- tables ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Index:
    name: str
    schema: tuple[str, ...]
    local: bool
    projection: dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """A table with its indexes: key attributes, and the type of each."""

    schema: tuple[str, ...]
    indexes: tuple[Index, ...]
    types: dict[str, str]

    def create(self) -> dict[str, Any]:
        """The CreateTable request."""
        request: dict[str, Any] = {
            "TableName": TABLE,
            "KeySchema": _elements(self.schema),
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": kind} for name, kind in self.types.items()
            ],
            "BillingMode": "PAY_PER_REQUEST",
        }
        for local, parameter in (
            (True, "LocalSecondaryIndexes"),
            (False, "GlobalSecondaryIndexes"),
        ):
            described = [
                {
                    "IndexName": index.name,
                    "KeySchema": _elements(index.schema),
                    "Projection": index.projection,
                }
                for index in self.indexes
                if index.local == local
            ]
            if described:
                request[parameter] = described
        return request

    def index(self, name: str | None) -> Index | None:
        return next((index for index in self.indexes if index.name == name), None)


def _elements(schema: tuple[str, ...]) -> list[dict[str, str]]:
    return [
        {"AttributeName": name, "KeyType": kind}
        for name, kind in zip(schema, ("HASH", "RANGE"), strict=False)
    ]


_PROJECTIONS: list[dict[str, Any]] = [
    {"ProjectionType": "KEYS_ONLY"},
    {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["v1", "v3"]},
    {"ProjectionType": "ALL"},
]


@st.composite
def shapes(draw: Draw) -> Shape:
    """A simple or composite key of S, N and B; up to two local and two global indexes."""
    kinds = st.sampled_from("SNB")
    schema = draw(st.sampled_from([("pk", "sk"), ("pk", "sk"), ("pk", "sk"), ("pk",)]))
    local = [("pk", "l1"), ("pk", "l2")] if len(schema) == 2 else []
    wide = [("g",), ("g", "h"), ("h", "pk"), schema[::-1]]
    chosen = [
        (keys, is_local)
        for possible, is_local in ((local, True), (wide, False))
        if possible
        for keys in draw(st.lists(st.sampled_from(possible), max_size=2, unique=True))
    ]
    indexes = tuple(
        Index(f"by-{number}-{'-'.join(keys)}", keys, is_local, draw(st.sampled_from(_PROJECTIONS)))
        for number, (keys, is_local) in enumerate(chosen)
    )
    names = dict.fromkeys([*schema, *(name for index in indexes for name in index.schema)])
    return Shape(schema, indexes, {name: draw(kinds) for name in names})


# --- values and items -----------------------------------------------------------------------


def key_values(kind: str) -> st.SearchStrategy[Wire]:
    return st.sampled_from(_KEYS[kind]).map(lambda value: {kind: value})


def _long(letters: str, lengths: list[int]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(letters), st.sampled_from(lengths)).map(
        lambda drawn: drawn[0] * drawn[1]
    )


_numbers = st.one_of(
    st.sampled_from(_NUMBERS),
    st.integers(-(10**12), 10**12).map(str),
    st.decimals(-1000, 1000, allow_nan=False, places=3).map(str),
)
_small: st.SearchStrategy[Wire] = st.one_of(
    st.sampled_from(_KEYS["S"]).map(lambda text: {"S": text}),
    st.sampled_from(_NUMBERS).map(lambda number: {"N": number}),
    st.sampled_from(_KEYS["B"]).map(lambda text: {"B": text}),
    st.booleans().map(lambda truth: {"BOOL": truth}),
    st.just({"NULL": True}),
)
_sets: st.SearchStrategy[Wire] = st.one_of(
    st.lists(st.sampled_from(_KEYS["S"]), min_size=1, max_size=4, unique=True).map(
        lambda members: {"SS": members}
    ),
    st.lists(st.sampled_from(_KEYS["N"]), min_size=1, max_size=4, unique=True).map(
        lambda members: {"NS": members}
    ),
    st.lists(st.sampled_from(_KEYS["B"]), min_size=1, max_size=4, unique=True).map(
        lambda members: {"BS": members}
    ),
)
values: st.SearchStrategy[Wire] = st.one_of(
    _long("xy", _LENGTHS).map(lambda text: {"S": text}),
    _small,
    st.sampled_from(_LENGTHS).map(lambda length: {"B": binary(b"\x07" * length)}),
    _sets,
    _long("é日😀", [1, 3, 90]).map(lambda text: {"S": text}),  # sized otherwise by dynalite
    _numbers.map(lambda number: {"N": number}),
    st.lists(st.one_of(_small, _sets), max_size=3).map(lambda members: {"L": members}),
    st.dictionaries(st.sampled_from(["k0", "k1", "ключ"]), _small, max_size=3).map(
        lambda members: {"M": members}
    ),
)


def partition_values(kind: str) -> st.SearchStrategy[Wire]:
    return st.sampled_from(_KEYS[kind][:2]).map(lambda value: {kind: value})


def _attribute(shape: Shape, name: str) -> st.SearchStrategy[Wire]:
    partitions = {shape.schema[0], *(index.schema[0] for index in shape.indexes)}
    few = name in partitions and name != "sk"
    return partition_values(shape.types[name]) if few else key_values(shape.types[name])


def keys(shape: Shape) -> st.SearchStrategy[Wire]:
    return st.fixed_dictionaries({name: _attribute(shape, name) for name in shape.schema})


@st.composite
def items(draw: Draw, shape: Shape) -> Wire:
    """Items with all keys of the table, some keys of indexes, and some plain attributes.

    Two of three are padded to a size at, or a byte beside, the next unit.
    """
    item: Wire = draw(
        st.fixed_dictionaries(
            {name: _attribute(shape, name) for name in shape.schema},
            optional={
                **{n: _attribute(shape, n) for n in shape.types if n not in shape.schema},
                **dict.fromkeys(PLAIN, values),
            },
        )
    )
    size = draw(st.sampled_from([*_EXACT, *_EXACT, *[0] * len(_EXACT)]))
    if size:
        item["v1"] = {"S": ""}
        item["v1"] = {"S": "x" * max(0, size - item_size(item))}
    return item
