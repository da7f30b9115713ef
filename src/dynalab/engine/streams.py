"""DynamoDB Streams: the records that writes leave behind, and how a reader asks for them.

moto emits a record for a put that changes nothing and answers 404 to account-based
endpoints; DynamoDB writes no record where nothing changed.
"""

from __future__ import annotations

import base64
import copy
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dynalab.engine import capacity
from dynalab.engine.destinations import REGION
from dynalab.engine.errors import Invalid, ResourceNotFoundException
from dynalab.engine.values import Wire

if TYPE_CHECKING:
    from dynalab.engine.tables import Backend, Table

_FIRST_SEQUENCE_NUMBER = 100_000_000_000_000_000_001  # 21 digits, as on AWS: text, not a number
_PAGE_RECORDS = 1_000  # API reference, GetRecords, "Limit"
_PAGE_SHARDS = 100  # API reference, DescribeStream, "Limit"


@dataclass
class Shard:
    """A run of records in order. A closed shard takes no more; its child goes on."""

    id: str
    parent: str | None
    records: list[dict[str, Any]] = field(default_factory=list)
    closed: bool = False


class Shards:
    """The stream of one table."""

    def __init__(self, key_names: list[str], specification: Mapping[str, Any]) -> None:
        self._keys = key_names
        self.view = str(specification.get("StreamViewType", "NEW_AND_OLD_IMAGES"))
        self.shards = [Shard("shardId-00000000000000000001-00000001", None)]
        self._written = 0

    def add(self, before: Wire | None, after: Wire | None, now: float) -> None:
        """Records one write; nothing where the item did not change."""
        if before is after or (before and after and capacity.same_item(before, after)):
            return
        image = after if after is not None else before
        assert image is not None
        record: dict[str, Any] = {
            "ApproximateCreationDateTime": int(now),
            "Keys": {name: image[name] for name in self._keys},
            "SequenceNumber": str(_FIRST_SEQUENCE_NUMBER + self._written),
            "StreamViewType": self.view,
        }
        if after is not None and self.view in ("NEW_IMAGE", "NEW_AND_OLD_IMAGES"):
            record["NewImage"] = after
        if before is not None and self.view in ("OLD_IMAGE", "NEW_AND_OLD_IMAGES"):
            record["OldImage"] = before
        shown = (record["Keys"], record.get("NewImage", {}), record.get("OldImage", {}))
        record["SizeBytes"] = sum(map(capacity.item_size, shown))
        self._written += 1
        name = "INSERT" if before is None else "REMOVE" if after is None else "MODIFY"
        self._taking(json.dumps(image[self._keys[0]])).records.append(
            {
                "eventID": f"{self._written:032x}",
                "eventName": name,
                "eventVersion": "1.1",
                "eventSource": "aws:dynamodb",
                "awsRegion": REGION,
                "dynamodb": record,
            }
        )

    def copy(self) -> Shards:
        other = copy.copy(self)
        other.shards = [replace(shard, records=list(shard.records)) for shard in self.shards]
        return other

    def trace(self) -> tuple[Any, ...]:
        """The records in a form that can be compared: what happened, in order."""
        return tuple(
            (shard.id, shard.closed, tuple(repr(record["dynamodb"]) for record in shard.records))
            for shard in self.shards
        )

    def split(self, into: int = 1) -> None:
        """Closes each open shard; its children take what comes, each of them its share of the keys.

        DynamoDB does so every few hours, and into two where it splits a partition.
        """
        for parent in [shard for shard in self.shards if not shard.closed]:
            parent.closed = True
            for _ in range(into):
                number = len(self.shards) + 1
                self.shards.append(Shard(f"shardId-{number:020d}-{number:08d}", parent.id))

    def _taking(self, partition_key: str) -> Shard:
        """The open shard for a key: down from the first one, so that an item's records are in order
        where parents are read before their children."""
        shard = self.shards[0]
        while shard.closed:
            children = [other for other in self.shards if other.parent == shard.id]
            shard = children[zlib.crc32(f"{shard.id}{partition_key}".encode()) % len(children)]
        return shard

    def shard(self, shard_id: str) -> Shard:
        for shard in self.shards:
            if shard.id == shard_id:
                return shard
        raise ResourceNotFoundException(
            f"Requested resource not found: Shard: {shard_id} not found"
        )


def list_streams(backend: Backend, request: Mapping[str, Any]) -> dict[str, Any]:
    """The streams of all tables or of the one that is named, in one page."""
    named = request.get("TableName")
    found = [
        {
            "StreamArn": _arn(table),
            "TableName": table.name,
            "StreamLabel": table.latest_stream_label,
        }
        for table in _tables(backend)
        if table.shards is not None and named in (None, table.name)
    ]
    return {"Streams": found}


def describe_stream(backend: Backend, request: Mapping[str, Any]) -> dict[str, Any]:
    """One page of shards: at most 100, those after ExclusiveStartShardId."""
    table, stream = _stream(backend, request["StreamArn"])
    start = 0
    if "ExclusiveStartShardId" in request:
        start = stream.shards.index(stream.shard(request["ExclusiveStartShardId"])) + 1
    limit = request.get("Limit", _PAGE_SHARDS)
    if limit < 1:
        raise Invalid(_out_of_bounds(limit, "greater than or equal to 1"))
    page = stream.shards[start : start + min(limit, _PAGE_SHARDS)]
    description = {
        "StreamArn": request["StreamArn"],
        "StreamLabel": table.latest_stream_label,
        "StreamStatus": "ENABLED",
        "StreamViewType": stream.view,
        "TableName": table.name,
        "KeySchema": table.schema,
        "Shards": [_described(shard) for shard in page],
    }
    if start + len(page) < len(stream.shards):
        description["LastEvaluatedShardId"] = page[-1].id
    return {"StreamDescription": description}


def _described(shard: Shard) -> dict[str, Any]:
    numbers = [record["dynamodb"]["SequenceNumber"] for record in shard.records]
    spanned = {"StartingSequenceNumber": numbers[0] if numbers else str(_FIRST_SEQUENCE_NUMBER)}
    if shard.closed:
        spanned["EndingSequenceNumber"] = numbers[-1] if numbers else str(_FIRST_SEQUENCE_NUMBER)
    described: dict[str, Any] = {"ShardId": shard.id, "SequenceNumberRange": spanned}
    if shard.parent is not None:
        described["ParentShardId"] = shard.parent
    return described


def get_shard_iterator(backend: Backend, request: Mapping[str, Any]) -> dict[str, Any]:
    """A place in a shard: its first record, behind its last, or at or behind a sequence number."""
    _, shards = _stream(backend, request["StreamArn"])
    shard = shards.shard(request["ShardId"])
    kind = request["ShardIteratorType"]
    if kind == "TRIM_HORIZON":
        position = 0
    elif kind == "LATEST":
        position = len(shard.records)
    else:
        if "SequenceNumber" not in request:
            raise Invalid(f"A SequenceNumber is required with the ShardIteratorType {kind}.")
        position = _position(shard, int(request["SequenceNumber"]), kind)
    return {"ShardIterator": _iterator(request["StreamArn"], shard.id, position)}


def _position(shard: Shard, number: int, kind: str) -> int:
    before = [r for r in shard.records if int(r["dynamodb"]["SequenceNumber"]) < number]
    at = len(before)
    exact = (
        at < len(shard.records) and int(shard.records[at]["dynamodb"]["SequenceNumber"]) == number
    )
    return at + 1 if exact and kind == "AFTER_SEQUENCE_NUMBER" else at


def get_records(backend: Backend, request: Mapping[str, Any]) -> dict[str, Any]:
    """At most 1,000 records from an iterator on, and the next one until a closed shard ends."""
    try:
        arn, shard_id, position = json.loads(base64.b64decode(request["ShardIterator"]))
    except ValueError:
        raise Invalid("Invalid ShardIterator") from None
    _, shards = _stream(backend, arn)
    shard = shards.shard(shard_id)
    limit = request.get("Limit", _PAGE_RECORDS)
    if not 1 <= limit <= _PAGE_RECORDS:
        bound = (
            "greater than or equal to 1" if limit < 1 else f"less than or equal to {_PAGE_RECORDS}"
        )
        raise Invalid(_out_of_bounds(limit, bound))
    end = min(position + limit, len(shard.records))
    answer: dict[str, Any] = {"Records": shard.records[position:end]}
    if not (shard.closed and end == len(shard.records)):
        answer["NextShardIterator"] = _iterator(arn, shard_id, end)
    return answer


def _out_of_bounds(limit: int, bound: str) -> str:
    return (
        f"1 validation error detected: Value '{limit}' at 'limit' failed to satisfy "
        f"constraint: Member must have value {bound}"
    )


def _iterator(arn: str, shard_id: str, position: int) -> str:
    return base64.b64encode(json.dumps([arn, shard_id, position]).encode()).decode("ascii")


def _arn(table: Table) -> str:
    return f"{table.table_arn}/stream/{table.latest_stream_label}"


def _tables(backend: Backend) -> list[Table]:
    return [backend.table(name) for name in backend.tables]


def _stream(backend: Backend, arn: str) -> tuple[Table, Shards]:
    for table in _tables(backend):
        if table.shards is not None and _arn(table) == arn:
            return table, table.shards
    raise ResourceNotFoundException(f"Requested resource not found: Stream: {arn} not found")


STREAM_OPERATIONS: dict[str, Callable[[Backend, Mapping[str, Any]], dict[str, Any]]] = {
    "ListStreams": list_streams,
    "DescribeStream": describe_stream,
    "GetShardIterator": get_shard_iterator,
    "GetRecords": get_records,
}
