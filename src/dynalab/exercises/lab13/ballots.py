"""The tables of lab 13, and stream records as boto3 hands them over: ballots and scores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.lab07.high_scores import TABLES as SCORE_TABLES
from dynalab.exercises.tables import PK_SK

BALLOTS, RESULTS, SCORES, COPIES = "Ballots", "Results", "HighScore", "FriendScore"
BALLOT_SORT_KEY = "BALLOT"
SHARD = "shardId-a1b2c3d4"  # short, so that a schedule with it can be read
OTHER_SHARD = "shardId-e5f60718"
AT = 1750636801
FIRST = 100_000_000_000_000_000_001
DIGITS = 40

_STREAM = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}

TABLES: dict[str, dict[str, Any]] = {
    BALLOTS: {**PK_SK, **_STREAM},
    RESULTS: PK_SK,
    SCORES: {**SCORE_TABLES[SCORES], **_STREAM},
    COPIES: PK_SK,
}


def put_ballot(table: Any, voter: str, candidate: str, at: int = AT) -> None:
    """A ballot as voters cast it."""
    key = {"PK": f"BALLOT#2026#VOTER#{voter}", "SK": BALLOT_SORT_KEY}
    given(table, {**key, "candidate": candidate, "votedAt": at})


def inserted(
    number: int, candidate: str, *, at: int = AT, created: int | None = None
) -> dict[str, Any]:
    """The record of a ballot that was cast. created: when DynamoDB wrote it, if not at once."""
    image = _ballot(number, candidate, at)
    return _record("INSERT", number, _key(image), image, None, at if created is None else created)


def modified(number: int, candidate: str) -> dict[str, Any]:
    """The record of a ballot that got another attribute."""
    image = _ballot(number, candidate, AT)
    after = {**image, "checkedBy": {"S": "clerk"}}
    return _record("MODIFY", number, _key(image), after, image, AT)


def removed(number: int, candidate: str) -> dict[str, Any]:
    """The record of a ballot that was deleted."""
    image = _ballot(number, candidate, AT)
    return _record("REMOVE", number, _key(image), None, image, AT)


def cast_for(candidates: Sequence[str], first: int = FIRST) -> list[dict[str, Any]]:
    """A ballot for each of these candidates, their sequence numbers one after the other."""
    return [inserted(first + place, name) for place, name in enumerate(candidates)]


def scored(
    number: int, user_id: str, score: int | None, before: int | None = None, *, name: str = ""
) -> dict[str, Any]:
    """The record of a player's item in HighScore; an INSERT where nothing was there before."""
    old = None if before is None else _player(user_id, before, user_id.title())
    new = _player(user_id, score, name or user_id.title())
    kind = "INSERT" if old is None else "MODIFY"
    return _record(kind, number, {"PK": new["PK"]}, new, old, AT)


def gone(number: int, user_id: str, score: int) -> dict[str, Any]:
    """The record of a player who was deleted."""
    old = _player(user_id, score, user_id.title())
    return _record("REMOVE", number, {"PK": old["PK"]}, None, old, AT)


def number_of(record: Any) -> str:
    """A record's sequence number, as DynamoDB writes it."""
    return str(record["dynamodb"]["SequenceNumber"])


def _ballot(number: int, candidate: str, at: int) -> dict[str, Any]:
    key = {"PK": {"S": f"BALLOT#2026#VOTER#{number:x}"}, "SK": {"S": BALLOT_SORT_KEY}}
    return {**key, "candidate": {"S": candidate}, "votedAt": {"N": str(at)}}


def _player(user_id: str, score: int | None, name: str) -> dict[str, Any]:
    played = {} if score is None else {"score": {"N": str(score)}}
    return {"PK": {"S": f"USER#{user_id}"}, "name": {"S": name}, **played}


def _key(image: dict[str, Any]) -> dict[str, Any]:
    return {name: image[name] for name in ("PK", "SK")}


def _record(
    kind: str, number: int, key: dict[str, Any], new: Any, old: Any, created: int
) -> dict[str, Any]:
    images = {name: image for name, image in (("NewImage", new), ("OldImage", old)) if image}
    return {
        "eventID": f"{number:032x}",
        "eventName": kind,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": {
            "ApproximateCreationDateTime": datetime.fromtimestamp(created, UTC),
            "Keys": key,
            "SequenceNumber": str(number),
            "SizeBytes": 100,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
            **images,
        },
    }
