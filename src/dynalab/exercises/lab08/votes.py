"""Candidates, shards and votes of the Votes table, as the checks of lab 08 need them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dynalab.exercises.given import given

TABLE = "Votes"
SORT_KEY = "VOTES"

_SHARD = re.compile(r"CANDIDATE#(?P<candidate>[^#]+)#(?P<number>\d\d|[1-9]\d\d+)")


def shard_key(candidate: str, number: int) -> str:
    """The partition key of one shard: CANDIDATE#ada#07."""
    return f"CANDIDATE#{candidate}#{number:02}"


def put_votes(table: Any, candidate: str, votes: dict[int, int]) -> None:
    """Shards with so many votes each."""
    for number, count in votes.items():
        given(table, {"PK": shard_key(candidate, number), "SK": SORT_KEY, "votes": count})


def put_number(table: Any, candidate: str, shards: int) -> None:
    """The candidate's META, with the number of shards."""
    given(table, {"PK": f"CANDIDATE#{candidate}", "SK": "META", "shards": shards})


def votes_by_shard(items: Sequence[dict[str, Any]], candidate: str) -> dict[int, int]:
    """Shard number → votes, of the items whose keys are those of this candidate's shards."""
    found: dict[int, int] = {}
    for item in items:
        match = _SHARD.fullmatch(str(item["PK"]))
        if match and match["candidate"] == candidate and item["SK"] == SORT_KEY:
            votes = item.get("votes")
            whole = isinstance(votes, Decimal) and votes == int(votes)
            found[int(match["number"])] = int(votes) if whole and votes is not None else 0
    return found


def keys_of(items: Sequence[dict[str, Any]]) -> str:
    """The keys of a few items, for a sentence."""
    keys = [f"{item['PK']} {item['SK']}" for item in items[:3]]
    return ", ".join(keys) + (", …" if len(items) > 3 else "")


def ballot_key(ballot: str, voter: str) -> dict[str, str]:
    """Where the ballot of one voter is: under a partition key of its own."""
    return {"PK": f"BALLOT#{ballot}#VOTER#{voter}", "SK": "BALLOT"}


def ballots_of(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ballots among some items, wherever their keys put them."""
    return [item for item in items if str(item["PK"]).startswith("BALLOT#")]
