"""Short calls to an engine of a test's own: values in, replies out, refusals as exceptions."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, TypeAlias

from dynalab.engine.capacity import item_size
from dynalab.engine.clock import Clock
from dynalab.engine.engine import Engine
from dynalab.engine.ledger import Ledger, TableUnits

Wire: TypeAlias = dict[str, Any]
Index: TypeAlias = tuple[str, str, str]


class Refused(Exception):
    """What the engine answered in place of a result."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.body = body
        self.code = body["__type"].rpartition("#")[2]
        self.message = body.get("message", body.get("Message"))
        super().__init__(f"{self.code}: {self.message}")

    @property
    def reasons(self) -> list[dict[str, Any]]:
        return self.body["CancellationReasons"]


def value(thing: Any) -> Wire:
    """A Python value in DynamoDB's wire form; a dict is a map, a set a set of its members' type."""
    if thing is None:
        return {"NULL": True}
    if isinstance(thing, bool):
        return {"BOOL": thing}
    if isinstance(thing, str):
        return {"S": thing}
    if isinstance(thing, int | Decimal):
        return {"N": str(thing)}
    if isinstance(thing, bytes):
        return {"B": base64.b64encode(thing).decode("ascii")}
    if isinstance(thing, list):
        return {"L": [value(member) for member in thing]}
    if isinstance(thing, dict):
        return {"M": item(**thing)}
    members = [value(member) for member in sorted(thing)]
    [kind] = members[0]
    return {kind + "S": [member[kind] for member in members]}


def item(**attributes: Any) -> Wire:
    return {name: value(thing) for name, thing in attributes.items()}


def values(**attributes: Any) -> Wire:
    """ExpressionAttributeValues: `values(n=1)` is {":n": {"N": "1"}}."""
    return {f":{name}": value(thing) for name, thing in attributes.items()}


def padded(size: int, **attributes: Any) -> Wire:
    """An item of exactly this many bytes, filled up by an attribute `fill`."""
    wire = item(**attributes)
    wire["fill"] = {"S": "x" * (size - item_size(wire) - len("fill"))}
    return wire


class Db:
    """One engine, its clock at rest, the ledgers of its requests, and short ways to ask it."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.engine.store.clock = Clock(at=1_750_000_000.0)
        self.ledgers: list[Ledger] = []
        self.engine.store.listeners.append(self.ledgers.append)

    def __call__(self, operation: str, **request: Any) -> dict[str, Any]:
        reply = self.engine.answer(operation, request)
        body = json.loads(reply.body)
        if reply.status != 200:
            raise Refused(reply.status, body)
        return body

    def advance(self, seconds: float) -> None:
        self.engine.store.clock.advance(seconds)

    def billed(self, table: str = "Things") -> TableUnits:
        """What the last request was billed for, whether its reply shows it or not."""
        return self.ledgers[-1].units().get(table, TableUnits())

    # --- tables ---------------------------------------------------------------------------

    def table(
        self,
        name: str = "Things",
        keys: str = "pk:S sk:S",
        local: Iterable[Index] = (),
        global_: Iterable[Index] = (),
        stream: str | None = None,
    ) -> None:
        """Creates a table. An index is ("by_n", "n:N", "INCLUDE a b"); a local one names its sort
        key only."""
        types = dict(part.split(":") for part in keys.split())
        partition = keys.split(":")[0]
        indexes: dict[str, list[dict[str, Any]]] = {
            "LocalSecondaryIndexes": [],
            "GlobalSecondaryIndexes": [],
        }
        for parameter, given in (
            ("LocalSecondaryIndexes", local),
            ("GlobalSecondaryIndexes", global_),
        ):
            for index, schema, projection in given:
                parts = [part.split(":") for part in schema.split()]
                types.update(dict(parts))
                names = [part[0] for part in parts]
                kind, *others = projection.split()
                indexes[parameter].append(
                    {
                        "IndexName": index,
                        "KeySchema": schema_of([partition, *names] if given is local else names),
                        "Projection": {"ProjectionType": kind}
                        | ({"NonKeyAttributes": others} if others else {}),
                    }
                )
        request: dict[str, Any] = {
            "TableName": name,
            "KeySchema": schema_of([part.split(":")[0] for part in keys.split()]),
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": kind} for name, kind in types.items()
            ],
            "BillingMode": "PAY_PER_REQUEST",
            **{parameter: made for parameter, made in indexes.items() if made},
        }
        if stream is not None:
            request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": stream}
        self("CreateTable", **request)

    # --- requests -------------------------------------------------------------------------

    def put(self, wire: Wire, table: str = "Things", **request: Any) -> dict[str, Any]:
        return self("PutItem", TableName=table, Item=wire, **request)

    def get(self, *key: Any, table: str = "Things") -> Wire | None:
        names = self.engine.store.backend.table(table).table_key_attrs
        wire = {name: value(part) for name, part in zip(names, key, strict=True)}
        return self("GetItem", TableName=table, Key=wire, ConsistentRead=True).get("Item")

    def update(
        self, key: Wire, expression: str, table: str = "Things", **request: Any
    ) -> dict[str, Any]:
        """`values` and `names` stand for ExpressionAttributeValues and …Names."""
        for short, parameter in (
            ("values", "ExpressionAttributeValues"),
            ("names", "ExpressionAttributeNames"),
        ):
            if short in request:
                request[parameter] = request.pop(short)
        return self("UpdateItem", TableName=table, Key=key, UpdateExpression=expression, **request)

    def query(self, condition: str, table: str = "Things", **request: Any) -> dict[str, Any]:
        """`v` stands for the ExpressionAttributeValues: query("pk = :p", v={"p": "a"})."""
        given = request.pop("v", None)
        if given is not None:
            request["ExpressionAttributeValues"] = values(**given)
        return self("Query", TableName=table, KeyConditionExpression=condition, **request)

    def pages(self, operation: str, **request: Any) -> Iterator[dict[str, Any]]:
        """Every page of a Query or Scan."""
        while True:
            page = self(operation, **request)
            yield page
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def transact(self, *actions: tuple[str, Wire], **request: Any) -> dict[str, Any]:
        """Actions as ("Put", {...}); the table is Things where none is named."""
        return self(
            "TransactWriteItems",
            TransactItems=[{kind: {"TableName": "Things", **body}} for kind, body in actions],
            **request,
        )


def schema_of(names: list[str]) -> list[dict[str, str]]:
    return [
        {"AttributeName": name, "KeyType": kind}
        for name, kind in zip(names, ("HASH", "RANGE"), strict=False)
    ]
