"""Files in versions and chunks, and the sweep of the notebook, as the checks of 11.5 need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynalab.exercises.given import given

TABLE = "Files"
KEY = "FILE#7c20"
CHUNK = 4  # bytes of a chunk in these checks
OLD, NEW, OTHER = "1750636791-o", "1750636801-a", "1750636811-b"
DUE = 1750637801  # intents from before are old


def version_of(sort_key: str) -> str:
    """The version in CHUNK#<version>#0000 or UPLOAD#<version>; "" where there is none."""
    parts = sort_key.split("#")
    return parts[1] if len(parts) > 1 else ""


@dataclass(frozen=True)
class File:
    """What a table holds under one key. chunks, uploads: sort keys, in order."""

    header: dict[str, Any] | None
    chunks: dict[str, bytes]
    uploads: tuple[str, ...]
    others: tuple[str, ...]

    @classmethod
    def of(cls, items: Sequence[dict[str, Any]], key: str = KEY) -> File:
        mine = {item["SK"]: item for item in items if item["PK"] == key}
        names = sorted(mine)
        known = ("CHUNK#", "UPLOAD#", "HEADER")
        return cls(
            mine.get("HEADER"),
            {n: as_bytes(mine[n].get("data")) for n in names if n.startswith("CHUNK#")},
            tuple(name for name in names if name.startswith("UPLOAD#")),
            tuple(name for name in names if not name.startswith(known)),
        )

    @property
    def version(self) -> str | None:
        return None if self.header is None else str(self.header.get("version"))

    def named(self) -> list[str]:
        """The sort keys of the chunks that the header names."""
        count = 0 if self.header is None else int(self.header.get("chunks", 0))
        return [chunk_key(str(self.version), number)["SK"] for number in range(count)]

    def missing(self) -> list[str]:
        """Those of them that are not there."""
        return [key for key in self.named() if key not in self.chunks]

    def value(self) -> bytes | None:
        """The data that the header names; None where there is none, or a chunk is missing."""
        if self.header is None or self.missing():
            return None
        return b"".join(self.chunks[key] for key in self.named())

    def foreign(self) -> list[str]:
        """The chunks that are not of the header's version."""
        return [key for key in self.chunks if version_of(key) != self.version]

    def said(self) -> str:
        """The sort keys, for a sentence."""
        header = []
        if self.header is not None:
            chunks = self.header.get("chunks")
            header = [f"HEADER (version {self.version}, chunks {chunks})"]
        names = [*self.chunks, *header, *self.uploads, *self.others]
        return ", ".join(names[:6]) + (", …" if len(names) > 6 else "") or "nothing"


def as_bytes(value: Any) -> bytes:
    """A binary as Python has it; boto3 hands out a class of its own. b"" for anything else."""
    try:
        return b"" if isinstance(value, str | int) or value is None else bytes(value)
    except TypeError:
        return b""


def chunk_key(version: str, number: int) -> dict[str, str]:
    return {"PK": KEY, "SK": f"CHUNK#{version}#{number:04}"}


def put_version(table: Any, version: str, data: bytes, *, current: bool, count: int = 0) -> None:
    """The chunks of a version, with its header or, while it is uploaded, its intent.

    count: how many chunks the header claims, where that is another number.
    """
    parts = [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]
    for number, part in enumerate(parts):
        given(table, {**chunk_key(version, number), "data": part})
    if current:
        chunks = count or len(parts)
        header = {"PK": KEY, "SK": "HEADER", "version": version, "chunks": chunks}
        given(table, header)
    else:
        given(table, {"PK": KEY, "SK": f"UPLOAD#{version}"})


def replace_at_once(table: Any, data: bytes, version: str) -> bool:
    """Another writer, who gets by with two requests: one chunk, and all in one transaction."""
    found = table.get_item(Key={"PK": KEY, "SK": "HEADER"}, ConsistentRead=True).get("Item")
    name, gone = table.name, []
    put_header: dict[str, Any] = {
        "TableName": name,
        "Item": {"PK": KEY, "SK": "HEADER", "version": version, "chunks": 1},
        "ConditionExpression": "attribute_not_exists(PK)",
    }
    if found is not None:
        read = found["version"]
        gone = [chunk_key(read, number) for number in range(int(found["chunks"]))]
        put_header["ConditionExpression"] = "version = :read"
        put_header["ExpressionAttributeValues"] = {":read": read}
    put_chunk = {"TableName": name, "Item": {**chunk_key(version, 0), "data": data}}
    try:
        table.meta.client.transact_write_items(
            TransactItems=[
                {"Put": put_header},
                {"Put": put_chunk},
                *({"Delete": {"TableName": name, "Key": key}} for key in gone),
            ]
        )
    except table.meta.client.exceptions.TransactionCanceledException:
        return False
    return True


def sweep(table: Any, key: str, older_than: int) -> list[str]:
    """The sweep of the notebook; returns the sort keys that it deleted."""

    def sort_keys(prefix: str) -> list[str]:
        page = table.query(
            KeyConditionExpression="PK = :key AND begins_with(SK, :prefix)",
            ExpressionAttributeValues={":key": key, ":prefix": prefix},
            ConsistentRead=True,
        )
        return [item["SK"] for item in page["Items"]]

    deleted = []
    chunks, uploads = sort_keys("CHUNK#"), sort_keys("UPLOAD#")
    kept = set()
    for upload in uploads:
        if upload >= f"UPLOAD#{older_than}":
            kept.add(version_of(upload))
            continue
        try:
            table.delete_item(
                Key={"PK": key, "SK": upload}, ConditionExpression="attribute_exists(PK)"
            )
            deleted.append(upload)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            kept.add(version_of(upload))
    header = table.get_item(Key={"PK": key, "SK": "HEADER"}, ConsistentRead=True).get("Item")
    if header is not None:
        kept.add(header["version"])
    for chunk in chunks:
        if version_of(chunk) not in kept:
            table.delete_item(Key={"PK": key, "SK": chunk})
            deleted.append(chunk)
    return deleted
