"""A stream that an answer to exercise 13.1 reads, and what it should have read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.engine.streams import Shard
from dynalab.exercises.lab13.ballots import BALLOTS, number_of, put_ballot
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

CALL = "read_stream(streams, arn)"
_WITHOUT_END = (
    "Each answer brings the iterator for the next one, and an open shard has no end: after which "
    "answers do you leave it? And what does a shard wait for if its parent is not listed?"
)
_PAGES = (
    "Every request was a DescribeStream. If an answer is not the last, it has a "
    "LastEvaluatedShardId: what does the next request do with it?"
)
_NO_ITERATOR = (
    "At the end of a shard the answer has no NextShardIterator: what does your loop do then?"
)


@dataclass(frozen=True)
class StreamShard:
    """What a shard of the stream holds: sequence numbers, in order."""

    id: str
    parent: str | None
    closed: bool
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """The answer, and the stream that it reads."""

    trial: Trial
    function: Any
    streams: Any
    asked: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def stream(self, *splits: int) -> str:
        """A new stream: some ballots, a split into so many, more ballots, and so on; its ARN."""
        table = self.trial.table(BALLOTS)
        for part in range(len(splits) + 1):
            for number in range(6):
                put_ballot(table, f"{part}{number}", "ada" if number % 3 else "bob")
            if part < len(splits):
                self.trial.split_shard(BALLOTS, splits[part])
        return str(table.latest_stream_arn)

    def shards(self) -> list[StreamShard]:
        return [
            StreamShard(each.id, each.parent, each.closed, tuple(map(number_of, each.records)))
            for each in self._stored()
        ]

    def disguise(self) -> None:
        """Children get ids below their parents'; numbers rise from 21 digits to 22."""
        stored = self._stored()
        names = {
            shard.id: f"shardId-{len(stored) - place:020d}-{place:08x}"
            for place, shard in enumerate(stored)
        }
        number = 10**21 - 10
        for shard in stored:
            shard.id = names[shard.id]
            shard.parent = None if shard.parent is None else names[shard.parent]
            shard.records = _numbered(shard.records, number)
            number += len(shard.records)

    def share_numbers(self) -> None:
        """All shards but the first number their records alike."""
        first, *others = self._stored()
        after = int(number_of(first.records[-1])) + 1
        for shard in others:
            shard.records = _numbered(shard.records, after)

    def disable(self) -> None:
        """The stream is switched off: its open shards are closed, without children."""
        for shard in self._stored():
            shard.closed = True

    def _stored(self) -> list[Shard]:
        stream = connect().engine.store.backend.table(BALLOTS).shards
        assert stream is not None
        return stream.shards

    def read(self, situation: str, arn: str, **options: Any) -> list[tuple[str, list[str]]]:
        """What the answer reads, as shard and sequence numbers; Refused where it has no form."""
        found = self.read_or_raise(situation, arn, **options)
        if isinstance(found, BaseException):
            raise Refused(f"{situation} {CALL} raised {told(found)}", _why(found))
        return found

    def read_or_raise(
        self, situation: str, arn: str, **options: Any
    ) -> list[tuple[str, list[str]]] | BaseException:
        """The same, or what the answer raised."""
        function = self.function

        @wraps(function)
        def whole(*arguments: Any, **given: Any) -> Any:
            found = function(*arguments, **given)  # a list, or something that yields
            return None if found is None else list(found)

        attempt: Attempt = self._attempt(situation, whole, arn, options)
        if attempt.raised is not None:
            return attempt.raised
        if attempt.returned is None:
            raise Refused(
                f"{situation} {CALL} returned None.",
                "The caller wants pairs, in a list or one after the other. Where do you return or "
                "yield them?",
            )
        return _in_form(situation, attempt.returned)

    def _attempt(self, situation: str, whole: Any, arn: str, options: Mapping[str, Any]) -> Any:
        self.asked.clear()
        middleware = connect().middleware
        middleware.insert(0, self._note)
        try:
            return self.trial.attempt(whole, self.streams, arn, **options)
        except Refused as refused:
            why = refused.seen.partition(" was stopped: ")[2]
            if not why:
                raise
            listing = all(operation == "DescribeStream" for operation, _ in self.asked)
            ask = _PAGES if listing and self.asked else _WITHOUT_END
            raise Refused(f"{situation} {CALL} was stopped: {why}", ask) from None
        finally:
            middleware.remove(self._note)

    def _note(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        self.asked.append((operation, request))
        return go()


def _numbered(records: Sequence[dict[str, Any]], first: int) -> list[dict[str, Any]]:
    return [
        {**record, "dynamodb": {**record["dynamodb"], "SequenceNumber": str(first + place)}}
        for place, record in enumerate(records)
    ]


def _why(error: BaseException) -> str:
    if "NextShardIterator" in str(error) or "ShardIterator" in str(error):
        return _NO_ITERATOR
    if isinstance(error, KeyError):
        return "Not every shard has every field, and not every parent is in the list any more."
    return advice(error)


def _in_form(situation: str, found: Any) -> list[tuple[str, list[str]]]:
    pairs: list[tuple[str, list[str]]] = []
    for pair in found:
        try:
            shard_id, records = pair
            pairs.append((shard_id, [number_of(record) for record in records]))
        except (TypeError, ValueError, KeyError):
            raise Refused(
                f"{situation} An element of what {CALL} returned is {str(pair)[:60]}…",
                "The caller wants pairs: the id of the shard, and the records of one answer as "
                "GetRecords returned them.",
            ) from None
    return pairs


# --- what must be there ---------------------------------------------------------------------------


def expect_each_once(
    situation: str,
    found: Sequence[tuple[str, list[str]]],
    shards: Sequence[StreamShard],
    ask: Callable[[StreamShard], str],
) -> None:
    """Every record of these shards once, under its shard, in order; parents before children."""
    for shard in shards:
        read = [number for shard_id, numbers in found if shard_id == shard.id for number in numbers]
        if len(set(read)) < len(read):
            raise Refused(
                f"{situation} Records of {_name(shard, shards)} came twice, "
                f"{len(read) - len(set(read))} in all.",
                "Each answer brings the iterator for the next one: which one did you use?",
            )
        missing = len(set(shard.numbers) - set(read))
        if missing:
            raise Refused(
                f"{situation} {missing} of the {len(shard.numbers)} records of "
                f"{_name(shard, shards)} were not read.",
                ask(shard),
            )
        if tuple(read) != shard.numbers:
            raise Refused(
                f"{situation} The records of {_name(shard, shards)} came in another order, or "
                "under another shard's id.",
                "In which order does GetRecords return them?",
            )
    strangers = {shard_id for shard_id, numbers in found if numbers} - {
        shard.id for shard in shards
    }
    if strangers:
        raise Refused(
            f"{situation} It also returned records under {sorted(map(str, strangers))[0]}.",
            "To the id of which shard does a record belong?",
        )
    _expect_parents_first(situation, found, shards)


def _expect_parents_first(
    situation: str, found: Sequence[tuple[str, list[str]]], shards: Sequence[StreamShard]
) -> None:
    order = [shard_id for shard_id, numbers in found if numbers]
    last = {shard_id: place for place, shard_id in enumerate(order)}
    for shard in shards:
        if shard.parent in last and shard.id in last and order.index(shard.id) < last[shard.parent]:
            raise Refused(
                f"{situation} Records of {_name(shard, shards)} came before its parent's: for an "
                "item that changed in both, a reader sees the later change first.",
                "You cannot rely on the order of the list, nor on that of the ids, nor on that of "
                "numbers as text. What does a shard say about its origin?",
            )


def _name(shard: StreamShard, shards: Sequence[StreamShard]) -> str:
    """ "the 2nd shard, closed": the ids say nothing to the eye."""
    place = [each.id for each in shards].index(shard.id) + 1
    if len(shards) == 1:
        return "the only shard"
    state = "closed" if shard.closed else "open"
    return f"shard {place} of {len(shards)} ({state}{'' if shard.parent is None else ', a child'})"
