"""What an aggregator has counted, beside what it should have: for exercises 13.2 and 13.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from dynalab.exercises.lab13.ballots import DIGITS, RESULTS, SHARD, number_of
from dynalab.trial import Refused, Trial

Records: TypeAlias = Sequence[dict[str, Any]]
Counted: TypeAlias = dict[tuple[str, str], Any]


@dataclass(frozen=True)
class Counting:
    """An aggregator: the name of its function, its checkpoint's sort key, and what it counts by.

    place: candidate and votedAt of a ballot → the key of the item that counts it.
    """

    name: str
    checkpoint: str
    place: Callable[[str, int], tuple[str, str]]

    @property
    def call(self) -> str:
        return f"{self.name}(table, shard_id, records)"

    def expected(self, *batches: Records) -> Counted:
        """Each ballot that was cast, once, however often its record comes."""
        cast = {
            number_of(record): self.place_of(record)
            for batch in batches
            for record in batch
            if record["eventName"] == "INSERT"
        }
        return dict(Counter(cast.values()))

    def place_of(self, record: Mapping[str, Any]) -> tuple[str, str]:
        image = record["dynamodb"]["NewImage"]
        return self.place(image["candidate"]["S"], int(image["votedAt"]["N"]))


def counted(items: Sequence[dict[str, Any]]) -> Counted:
    """The votes of every item that is no checkpoint, as whole numbers where they are."""
    found: Counted = {}
    for item in items:
        if str(item["PK"]).startswith("CANDIDATE#"):
            votes = item.get("votes", 0)
            whole = isinstance(votes, Decimal) and votes == int(votes)
            found[item["PK"], item["SK"]] = int(votes) if whole else votes
    return {place: votes for place, votes in found.items() if votes != 0}


def said(votes: Counted) -> str:
    """ "ada VOTES 3, bob VOTES 2"; the first few."""
    shown = [
        f"{key.removeprefix('CANDIDATE#')} {sort_key} {count}"
        for (key, sort_key), count in sorted(votes.items(), key=str)
    ]
    return (", ".join(shown[:4]) + (", …" if len(shown) > 4 else "")) or "none"


def compared(votes: Counted, wanted: Counted) -> str:
    """What the table says, and what it should say: for a sentence; of many, only what is wrong."""
    if len(wanted) <= 4:
        return f"The table says: {said(votes)}; it should say: {said(wanted)}."
    places = sorted(votes.keys() | wanted.keys())
    wrong = [place for place in places if votes.get(place, 0) != wanted.get(place, 0)]
    key, sort_key = wrong[0]
    return (
        f"{len(wrong)} of {len(wanted)} counts are wrong, for example {key} {sort_key}: it says "
        f"{votes.get(wrong[0], 0)}, and should say {wanted.get(wrong[0], 0)}."
    )


def checkpoint_of(
    items: Sequence[dict[str, Any]], counting: Counting, shard_id: str = SHARD
) -> dict[str, Any] | None:
    key = (f"SHARD#{shard_id}", counting.checkpoint)
    return next((item for item in items if (item["PK"], item["SK"]) == key), None)


def expect_checkpoint_at(
    trial: Trial, counting: Counting, record: Mapping[str, Any], situation: str
) -> None:
    """Refused where there is a checkpoint that is padded, and says another record than this."""
    item = checkpoint_of(trial.items(RESULTS), counting)
    says = "" if item is None else str(item.get("sequenceNumber"))
    if len(says) == DIGITS and says != padded(record):
        raise Refused(
            f"{situation} The last record, a {record['eventName']}, was "
            f"{_short(number_of(record))}, and the checkpoint says {_short(says)}.",
            "It says which record is the last one done. Is a record without a vote still to do?",
        )


def padded(record: Mapping[str, Any]) -> str:
    """A record's sequence number as a checkpoint holds it."""
    return number_of(record).zfill(DIGITS)


def told(numbers: Records) -> str:
    """The sequence numbers of a batch, the last digits of long ones: "…001 to …005"."""
    names = [_short(number_of(record)) for record in numbers]
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _short(number: str) -> str:
    return number if len(number) <= 10 else f"…{number[-3:]}"


def results(trial: Trial) -> Counted:
    """What the Results table of a check counts now."""
    return counted(trial.items(RESULTS))
