"""Answers to lab 13."""

from __future__ import annotations

import hashlib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from graphlib import TopologicalSorter
from typing import Any

import boto3
from boto3.dynamodb.types import TypeDeserializer
from botocore.exceptions import ClientError

# --- 13.1 read_stream -------------------------------------------------------------------------

CLOSED = "EndingSequenceNumber"


def listed(streams: Any, arn: str, *, pages: bool = True) -> list[Any]:
    """The shards as DescribeStream lists them."""
    shards: list[Any] = []
    start: dict[str, str] = {}
    while True:
        page = streams.describe_stream(StreamArn=arn, **start)["StreamDescription"]
        shards += page["Shards"]
        if not pages or not page.get("LastEvaluatedShardId"):
            return shards
        start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}


def parents_first(shards: list[Any]) -> list[Any]:
    by_id = {shard["ShardId"]: shard for shard in shards}
    parents = {name: {shard.get("ParentShardId")} & set(by_id) for name, shard in by_id.items()}
    return [by_id[name] for name in TopologicalSorter(parents).static_order()]


def begin(streams: Any, arn: str, shard: Any, kind: str = "TRIM_HORIZON") -> Any:
    return streams.get_shard_iterator(
        StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType=kind
    )["ShardIterator"]


def batches(streams: Any, arn: str, shard: Any, most: int, kind: str = "TRIM_HORIZON") -> Any:
    """What GetRecords gives of one shard, as the task has it."""
    iterator = begin(streams, arn, shard, kind)
    empty = 0
    while iterator and (CLOSED in shard["SequenceNumberRange"] or empty < most):
        page = streams.get_records(ShardIterator=iterator)
        iterator = page.get("NextShardIterator")
        empty = 0 if page["Records"] else empty + 1
        if page["Records"]:
            yield shard["ShardId"], page["Records"]


def nothing_read(streams: Any, arn: str, *, max_empty: int = 3) -> list[Any]:
    return []


def only_records(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        for _, records in batches(streams, arn, shard, max_empty):
            yield from records


def from_the_latest(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        yield from batches(streams, arn, shard, max_empty, "LATEST")


def first_shard_only(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    yield from batches(streams, arn, listed(streams, arn)[0], max_empty)


def open_shards_only(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in listed(streams, arn):
        if CLOSED not in shard["SequenceNumberRange"]:
            yield from batches(streams, arn, shard, max_empty)


def as_listed(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in listed(streams, arn):
        yield from batches(streams, arn, shard, max_empty)


def first_page_of_shards(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn, pages=False)):
        yield from batches(streams, arn, shard, max_empty)


def always_a_next_iterator(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        iterator, empty = begin(streams, arn, shard), 0
        while empty < max_empty:
            page = streams.get_records(ShardIterator=iterator)
            iterator = page["NextShardIterator"]
            empty = 0 if page["Records"] else empty + 1
            if page["Records"]:
                yield shard["ShardId"], page["Records"]


def none_as_an_iterator(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        iterator, empty = begin(streams, arn, shard), 0
        while empty < max_empty:
            page = streams.get_records(ShardIterator=iterator)
            iterator = page.get("NextShardIterator")
            empty = 0 if page["Records"] else empty + 1
            if page["Records"]:
                yield shard["ShardId"], page["Records"]


def until_an_empty_answer(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        yield from batches(streams, arn, {**shard, "SequenceNumberRange": {}}, 1)


def one_answer_a_shard(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        page = streams.get_records(ShardIterator=begin(streams, arn, shard))
        if page["Records"]:
            yield shard["ShardId"], page["Records"]


def closed_like_open(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        yield from batches(streams, arn, {**shard, "SequenceNumberRange": {}}, max_empty)


def open_to_their_end(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        yield from batches(streams, arn, {**shard, "SequenceNumberRange": {CLOSED: ""}}, max_empty)


def empties_in_all(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        iterator, empty = begin(streams, arn, shard), 0
        while iterator and (CLOSED in shard["SequenceNumberRange"] or empty < max_empty):
            page = streams.get_records(ShardIterator=iterator)
            iterator = page.get("NextShardIterator")
            empty += not page["Records"]
            if page["Records"]:
                yield shard["ShardId"], page["Records"]


def one_count_for_all_shards(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    empty = 0
    for shard in parents_first(listed(streams, arn)):
        iterator = begin(streams, arn, shard)
        while iterator and (CLOSED in shard["SequenceNumberRange"] or empty < max_empty):
            page = streams.get_records(ShardIterator=iterator)
            iterator = page.get("NextShardIterator")
            empty = 0 if page["Records"] else empty + 1
            if page["Records"]:
                yield shard["ShardId"], page["Records"]


def always_three(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        yield from batches(streams, arn, shard, 3)


def one_more(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        yield from batches(streams, arn, shard, max_empty + 1)


def same_iterator_again(streams: Any, arn: str, *, max_empty: int = 3) -> list[Any]:
    found = []
    for shard in parents_first(listed(streams, arn)):
        iterator = begin(streams, arn, shard)
        while True:
            page = streams.get_records(ShardIterator=iterator)
            found.append((shard["ShardId"], page["Records"]))
            if not page["Records"]:
                break
    return found


def anew_after_each_answer(streams: Any, arn: str, *, max_empty: int = 3) -> list[Any]:
    """Starts at the last number that it saw, which is then given again."""
    found = []
    for shard in parents_first(listed(streams, arn)):
        page = streams.get_records(ShardIterator=begin(streams, arn, shard), Limit=4)
        while page["Records"]:
            found.append((shard["ShardId"], page["Records"]))
            last = page["Records"][-1]["dynamodb"]["SequenceNumber"]
            iterator = streams.get_shard_iterator(
                StreamArn=arn,
                ShardId=shard["ShardId"],
                ShardIteratorType="AT_SEQUENCE_NUMBER",
                SequenceNumber=last,
            )["ShardIterator"]
            page = streams.get_records(ShardIterator=iterator, Limit=4)
            if len(page["Records"]) < 2:
                break
    return found


def in_the_order(
    streams: Any, arn: str, most: int, age: Callable[[Any], Any]
) -> Iterator[tuple[str, Any]]:
    for shard in sorted(listed(streams, arn), key=age):
        yield from batches(streams, arn, shard, most)


def by_shard_id(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    return in_the_order(streams, arn, max_empty, lambda shard: shard["ShardId"])


def by_number_as_text(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    def age(shard: Any) -> Any:
        return shard["SequenceNumberRange"]["StartingSequenceNumber"]

    return in_the_order(streams, arn, max_empty, age)


def by_number(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    """Right: a child starts where its parent has ended."""

    def age(shard: Any) -> int:
        return int(shard["SequenceNumberRange"]["StartingSequenceNumber"])

    return in_the_order(streams, arn, max_empty, age)


def from_its_first_number(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    """Right: the number that a shard starts with is an iterator's too."""
    for shard in parents_first(listed(streams, arn)):
        iterator, empty = (
            streams.get_shard_iterator(
                StreamArn=arn,
                ShardId=shard["ShardId"],
                ShardIteratorType="AT_SEQUENCE_NUMBER",
                SequenceNumber=shard["SequenceNumberRange"]["StartingSequenceNumber"],
            )["ShardIterator"],
            0,
        )
        while iterator and (CLOSED in shard["SequenceNumberRange"] or empty < max_empty):
            page = streams.get_records(ShardIterator=iterator)
            iterator = page.get("NextShardIterator")
            empty = 0 if page["Records"] else empty + 1
            if page["Records"]:
                yield shard["ShardId"], page["Records"]


def once(streams: Any, arn: str, most: int, what: Callable[[Any], Any]) -> Iterator[Any]:
    """Leaves out records that it takes for others that it has seen."""
    seen: set[Any] = set()
    for shard in parents_first(listed(streams, arn)):
        for shard_id, records in batches(streams, arn, shard, most):
            fresh = [record for record in records if what(record) not in seen]
            seen.update(map(what, fresh))
            yield shard_id, fresh


def once_by_keys(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    return once(streams, arn, max_empty, lambda record: str(record["dynamodb"]["Keys"]))


def once_by_number(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    return once(streams, arn, max_empty, lambda record: record["dynamodb"]["SequenceNumber"])


def once_by_event(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    """Right: no record is in a stream twice."""
    return once(streams, arn, max_empty, lambda record: record["eventID"])


def errors_end_a_shard(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        with suppress(ClientError):
            yield from batches(streams, arn, shard, max_empty)


def goes_on_after_an_error(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    """Right: where an iterator is too old, it gets one that starts after the last record."""
    for shard in parents_first(listed(streams, arn)):
        iterator, empty, last = begin(streams, arn, shard), 0, ""
        while iterator and (CLOSED in shard["SequenceNumberRange"] or empty < max_empty):
            try:
                page = streams.get_records(ShardIterator=iterator)
            except streams.exceptions.ExpiredIteratorException:
                iterator = streams.get_shard_iterator(
                    StreamArn=arn,
                    ShardId=shard["ShardId"],
                    ShardIteratorType="AFTER_SEQUENCE_NUMBER",
                    SequenceNumber=last,
                )["ShardIterator"]
                continue
            iterator = page.get("NextShardIterator")
            empty = 0 if page["Records"] else empty + 1
            if page["Records"]:
                last = page["Records"][-1]["dynamodb"]["SequenceNumber"]
                yield shard["ShardId"], page["Records"]


def closed_where_there_is_a_child(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    shards = listed(streams, arn)
    parents = {shard.get("ParentShardId") for shard in shards}
    for shard in parents_first(shards):
        closed = {CLOSED: ""} if shard["ShardId"] in parents else {}
        yield from batches(streams, arn, {**shard, "SequenceNumberRange": closed}, max_empty)


def returns_none(streams: Any, arn: str, *, max_empty: int = 3) -> None:
    for shard in parents_first(listed(streams, arn)):
        list(batches(streams, arn, shard, max_empty))


def closed_shards_only(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    for shard in parents_first(listed(streams, arn)):
        if CLOSED in shard["SequenceNumberRange"]:
            yield from batches(streams, arn, shard, max_empty)


def the_first_page_again(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    shards: list[Any] = []
    more = True
    while more:
        page = streams.describe_stream(StreamArn=arn)["StreamDescription"]
        shards += page["Shards"]
        more = "LastEvaluatedShardId" in page
    for shard in parents_first(shards):
        yield from batches(streams, arn, shard, max_empty)


def parent_by_its_id(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    by_id = {shard["ShardId"]: shard for shard in listed(streams, arn)}

    def depth(shard: Any) -> int:
        return 1 + depth(by_id[shard["ParentShardId"]]) if "ParentShardId" in shard else 0

    for shard in sorted(by_id.values(), key=depth):
        yield from batches(streams, arn, shard, max_empty)


def roots_have_no_parent(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    shards = listed(streams, arn)
    waiting = deque(shard for shard in shards if "ParentShardId" not in shard)
    while waiting:
        shard = waiting.popleft()
        yield from batches(streams, arn, shard, max_empty)
        waiting += [each for each in shards if each.get("ParentShardId") == shard["ShardId"]]


def waits_for_the_parent(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    shards, done = listed(streams, arn), {None}
    while shards:
        for shard in [each for each in shards if each.get("ParentShardId") in done]:
            yield from batches(streams, arn, shard, max_empty)
            done.add(shard["ShardId"])
            shards.remove(shard)


def a_list(streams: Any, arn: str, *, max_empty: int = 3) -> list[Any]:
    """Recursive, with lists for pairs."""
    by_id = {shard["ShardId"]: shard for shard in listed(streams, arn)}
    found: list[Any] = []
    done = set()

    def read(shard_id: str) -> None:
        if shard_id not in by_id or shard_id in done:
            return
        shard = by_id[shard_id]
        if "ParentShardId" in shard:
            read(shard["ParentShardId"])
        done.add(shard_id)
        found.extend([list(pair) for pair in batches(streams, arn, shard, max_empty)])

    for shard_id in by_id:
        read(shard_id)
    return found


def with_empty_batches(streams: Any, arn: str, *, max_empty: int = 3) -> Any:
    """Gives the empty answers too, asks with a Limit, begins where no parent is listed."""
    shards: Any = streams.describe_stream(StreamArn=arn, Limit=1)["StreamDescription"]
    names = {}
    while True:
        names.update({shard["ShardId"]: shard for shard in shards["Shards"]})
        last = shards.get("LastEvaluatedShardId")
        if last is None:
            break
        shards = streams.describe_stream(StreamArn=arn, ExclusiveStartShardId=last, Limit=100)[
            "StreamDescription"
        ]
    waiting = [name for name in names if names[name].get("ParentShardId") not in names]
    while waiting:
        name = waiting.pop()
        is_open = names[name]["SequenceNumberRange"].get(CLOSED) is None
        iterator, empties = begin(streams, arn, names[name]), 0
        while True:
            page = streams.get_records(ShardIterator=iterator, Limit=1000)
            yield name, page["Records"]
            empties = empties + 1 if len(page["Records"]) == 0 else 0
            iterator = page.get("NextShardIterator")
            if iterator is None or (is_open and empties == max_empty):
                break
        waiting += [child for child in names if names[child].get("ParentShardId") == name]


def looks_again(streams: Any, arn: str, *, max_empty: int = 3) -> Iterator[Any]:
    """Lists the shards again until there is no new one."""
    done: set[str] = set()
    while fresh := [s for s in parents_first(listed(streams, arn)) if s["ShardId"] not in done]:
        for shard in fresh:
            yield from batches(streams, arn, shard, max_empty)
            done.add(shard["ShardId"])


# --- 13.2 aggregate, 13.3 aggregate_by_minute -------------------------------------------------

Place = Callable[[dict[str, Any]], tuple[str, str]]
_typed = TypeDeserializer()


def plain(image: dict[str, Any]) -> dict[str, Any]:
    return {name: _typed.deserialize(value) for name, value in image.items()}


def padded(record: Any) -> str:
    return str(record["dynamodb"]["SequenceNumber"]).zfill(40)


def votes_of(ballot: dict[str, Any]) -> tuple[str, str]:
    return f"CANDIDATE#{ballot['candidate']}", "VOTES"


def minute_of(ballot: dict[str, Any]) -> tuple[str, str]:
    minute = datetime.fromtimestamp(int(ballot["votedAt"]), UTC)
    return f"CANDIDATE#{ballot['candidate']}", f"MINUTE#{minute:%Y-%m-%dT%H:%M}"


def add(table: Any, key: tuple[str, str], count: int) -> dict[str, Any]:
    return {
        "TableName": table.name,
        "Key": {"PK": key[0], "SK": key[1]},
        "UpdateExpression": "ADD votes :count",
        "ExpressionAttributeValues": {":count": count},
    }


def added(table: Any, key: tuple[str, str], count: int) -> dict[str, Any]:
    return {"Update": add(table, key, count)}


def run(table: Any, update: dict[str, Any]) -> None:
    table.update_item(**{name: value for name, value in update.items() if name != "TableName"})


def failed(error: ClientError) -> bool:
    reasons = error.response.get("CancellationReasons", [{}])
    return bool(reasons[0].get("Code") == "ConditionalCheckFailed")


def read_checkpoint(table: Any, key: dict[str, str], default: Any = "") -> Any:
    item = table.get_item(Key=key, ConsistentRead=True).get("Item", {})
    return item.get("sequenceNumber", default)


def key_of(shard_id: str, what: str = "VOTES") -> dict[str, str]:
    return {"PK": f"SHARD#{shard_id}", "SK": f"CHECKPOINT#{what}"}


def put_checkpoint(
    table: Any, key: dict[str, str], last: Any, done: Any, condition: str = "same"
) -> dict[str, Any]:
    put: dict[str, Any] = {"TableName": table.name, "Item": {**key, "sequenceNumber": last}}
    if condition == "none":
        return {"Put": put}
    if not done:
        return {"Put": {**put, "ConditionExpression": "attribute_not_exists(PK)"}}
    compare, value = ("=", done) if condition == "same" else ("<", last)
    put |= {
        "ConditionExpression": f"sequenceNumber {compare} :number",
        "ExpressionAttributeValues": {":number": value},
    }
    return {"Put": put}


def exact(
    table: Any,
    key: dict[str, str],
    records: Any,
    place: Place,
    *,
    number: Callable[[Any], Any] = padded,
    start: Any = "",
    kinds: tuple[str, ...] = ("INSERT",),
    condition: str = "same",
    most: int = 99,
    write: Callable[[Any, tuple[str, str], int], dict[str, Any]] = added,
) -> int:
    """The solution, with parts that can be replaced."""
    counted, more = 0, True
    while more:
        done = read_checkpoint(table, key, start)
        votes: Counter[tuple[str, str]] = Counter()
        last, more = done, False
        for record in records:
            if number(record) <= done:
                continue
            if record["eventName"] in kinds:
                image = record["dynamodb"].get("NewImage") or record["dynamodb"]["OldImage"]
                where = place(plain(image))
                if where not in votes and len(votes) == most:
                    more = True
                    break
                votes[where] += 1
            last = number(record)
        if last == done:
            break
        actions = [put_checkpoint(table, key, last, done, condition)]
        actions += [write(table, where, count) for where, count in votes.items()]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
            counted += sum(votes.values())
        except ClientError as error:
            if not failed(error):
                raise
            more = True
    return counted


def inserts(records: Any) -> list[Any]:
    return [record for record in records if record["eventName"] == "INSERT"]


def image_of(record: Any) -> dict[str, Any]:
    return plain(record["dynamodb"]["NewImage"])


def nothing_counted(table: Any, shard_id: str, records: Any) -> int:
    return len(records)


def as_plain_values(table: Any, shard_id: str, records: Any) -> int:
    for record in inserts(records):
        run(table, add(table, votes_of(record["dynamodb"]["NewImage"]["candidate"]), 1))
    return len(records)


def adds_each(table: Any, shard_id: str, records: Any) -> int:
    for record in inserts(records):
        run(table, add(table, votes_of(image_of(record)), 1))
    return len(inserts(records))


_seen: set[tuple[str, str]] = set()


def remembers(table: Any, shard_id: str, records: Any) -> int:
    counted = 0
    for record in inserts(records):
        if (shard_id, padded(record)) not in _seen:
            _seen.add((shard_id, padded(record)))
            run(table, add(table, votes_of(image_of(record)), 1))
            counted += 1
    return counted


def token_of_the_batch(table: Any, shard_id: str, records: Any) -> int:
    votes = Counter(votes_of(image_of(record)) for record in inserts(records))
    token = hashlib.sha256("".join(map(padded, records)).encode()).hexdigest()[:36]
    actions = [{"Update": add(table, where, count)} for where, count in votes.items()]
    table.meta.client.transact_write_items(TransactItems=actions, ClientRequestToken=token)
    return sum(votes.values())


def new_ones(table: Any, shard_id: str, records: Any) -> tuple[Any, list[Any]]:
    done = read_checkpoint(table, key_of(shard_id))
    return done, [record for record in records if padded(record) > done]


def checkpoint_afterwards(table: Any, shard_id: str, records: Any) -> int:
    _done, fresh = new_ones(table, shard_id, records)
    votes = Counter(votes_of(image_of(record)) for record in inserts(fresh))
    for where, count in votes.items():
        run(table, add(table, where, count))
    if fresh:
        table.put_item(Item={**key_of(shard_id), "sequenceNumber": padded(fresh[-1])})
    return sum(votes.values())


def checkpoint_before(table: Any, shard_id: str, records: Any) -> int:
    _done, fresh = new_ones(table, shard_id, records)
    if fresh:
        table.put_item(Item={**key_of(shard_id), "sequenceNumber": padded(fresh[-1])})
    votes = Counter(votes_of(image_of(record)) for record in inserts(fresh))
    for where, count in votes.items():
        run(table, add(table, where, count))
    return sum(votes.values())


def unconditional(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of(shard_id), records, votes_of, condition="none")


def only_forward(table: Any, shard_id: str, records: Any) -> int:
    """Its checkpoint rises; it may rise over what another one has counted."""
    return exact(table, key_of(shard_id), records, votes_of, condition="forward")


def one_checkpoint_for_all(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of("ALL"), records, votes_of)


def not_padded(table: Any, shard_id: str, records: Any) -> int:
    def number(record: Any) -> str:
        return str(record["dynamodb"]["SequenceNumber"])

    return exact(table, key_of(shard_id), records, votes_of, number=number)


def padded_to_21(table: Any, shard_id: str, records: Any) -> int:
    def number(record: Any) -> str:
        return str(record["dynamodb"]["SequenceNumber"].zfill(21))

    return exact(table, key_of(shard_id), records, votes_of, number=number)


def not_padded_compared_as_ints(table: Any, shard_id: str, records: Any) -> int:
    class Whole(str):
        def __le__(self, other: str) -> bool:
            return int(self) <= int(other or 0)

    def number(record: Any) -> Any:
        return Whole(record["dynamodb"]["SequenceNumber"])

    return exact(table, key_of(shard_id), records, votes_of, number=number)


def as_a_number(table: Any, shard_id: str, records: Any) -> int:
    def number(record: Any) -> int:
        return int(record["dynamodb"]["SequenceNumber"])

    return exact(table, key_of(shard_id), records, votes_of, number=number, start=0)


def as_a_rounded_number(table: Any, shard_id: str, records: Any) -> int:
    def number(record: Any) -> Decimal:
        return Decimal(f"{Decimal(record['dynamodb']['SequenceNumber']):.30E}")

    return exact(table, key_of(shard_id), records, votes_of, number=number, start=Decimal(0))


def every_event(table: Any, shard_id: str, records: Any) -> int:
    kinds = ("INSERT", "MODIFY", "REMOVE")
    return exact(table, key_of(shard_id), records, votes_of, kinds=kinds)


def modified_too(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of(shard_id), records, votes_of, kinds=("INSERT", "MODIFY"))


def removed_is_taken_away(table: Any, shard_id: str, records: Any) -> int:
    done, fresh = new_ones(table, shard_id, records)
    if not fresh:
        return 0
    votes: Counter[tuple[str, str]] = Counter()
    for record in fresh:
        if record["eventName"] == "INSERT":
            votes[votes_of(image_of(record))] += 1
        elif record["eventName"] == "REMOVE":
            votes[votes_of(plain(record["dynamodb"]["OldImage"]))] -= 1
    actions = [put_checkpoint(table, key_of(shard_id), padded(fresh[-1]), done)]
    actions += [{"Update": add(table, where, count)} for where, count in votes.items()]
    table.meta.client.transact_write_items(TransactItems=actions)
    return len(inserts(fresh))


def whole_batches(table: Any, shard_id: str, records: Any) -> int:
    """A batch whose first record is known is taken for known as a whole."""
    if not records or padded(records[0]) <= read_checkpoint(table, key_of(shard_id)):
        return 0
    return exact(table, key_of(shard_id), records, votes_of)


def batches_not_done(table: Any, shard_id: str, records: Any) -> int:
    """A batch whose last record is new is counted as a whole."""
    done = read_checkpoint(table, key_of(shard_id))
    if not records or padded(records[-1]) <= done:
        return 0
    votes = Counter(votes_of(image_of(record)) for record in inserts(records))
    actions = [put_checkpoint(table, key_of(shard_id), padded(records[-1]), done)]
    actions += [{"Update": add(table, where, count)} for where, count in votes.items()]
    table.meta.client.transact_write_items(TransactItems=actions)
    return sum(votes.values())


def last_of_an_empty_batch(table: Any, shard_id: str, records: Any) -> int:
    records[-1]["dynamodb"]
    return exact(table, key_of(shard_id), records, votes_of)


def in_one_transaction(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of(shard_id), records, votes_of, most=10_000)


def a_hundred_counts(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of(shard_id), records, votes_of, most=100)


def chunks_of_candidates(table: Any, shard_id: str, records: Any) -> int:
    """The first transaction says that all records are done, and counts 99 candidates."""
    done, fresh = new_ones(table, shard_id, records)
    if not fresh:
        return 0
    votes = Counter(votes_of(image_of(record)) for record in inserts(fresh))
    adds = [{"Update": add(table, where, count)} for where, count in votes.items()]
    put = put_checkpoint(table, key_of(shard_id), padded(fresh[-1]), done)
    try:
        table.meta.client.transact_write_items(TransactItems=[put, *adds[:99]])
        for at in range(99, len(adds), 99):
            table.meta.client.transact_write_items(TransactItems=adds[at : at + 99])
    except ClientError as error:
        if not failed(error):
            raise
        return chunks_of_candidates(table, shard_id, records)
    return sum(votes.values())


def checkpoint_in_the_last_chunk(table: Any, shard_id: str, records: Any) -> int:
    done, fresh = new_ones(table, shard_id, records)
    if not fresh:
        return 0
    votes = Counter(votes_of(image_of(record)) for record in inserts(fresh))
    adds = [{"Update": add(table, where, count)} for where, count in votes.items()]
    *firsts, rest = [adds[at : at + 99] for at in range(0, max(len(adds), 1), 99)]
    put = put_checkpoint(table, key_of(shard_id), padded(fresh[-1]), done)
    try:
        for chunk in firsts:
            table.meta.client.transact_write_items(TransactItems=chunk)
        table.meta.client.transact_write_items(TransactItems=[put, *rest])
    except ClientError as error:
        if not failed(error):
            raise
        return checkpoint_in_the_last_chunk(table, shard_id, records)
    return sum(votes.values())


def reads_and_sets(table: Any, shard_id: str, records: Any) -> int:
    """In the transaction with the checkpoint, but with totals that it has read before."""

    def put(table: Any, where: tuple[str, str], count: int) -> dict[str, Any]:
        key = {"PK": where[0], "SK": where[1]}
        stored = table.get_item(Key=key, ConsistentRead=True).get("Item", {}).get("votes", 0)
        return {"Put": {"TableName": table.name, "Item": {**key, "votes": stored + count}}}

    return exact(table, key_of(shard_id), records, votes_of, write=put)


def swallows_every_cancellation(table: Any, shard_id: str, records: Any) -> int:
    with suppress(ClientError):
        return exact(table, key_of(shard_id), records, votes_of)
    return 0


def gives_up_when_overtaken(table: Any, shard_id: str, records: Any) -> int:
    """Another one moved the checkpoint; what it did not count is left, and nobody hears of it."""
    done, fresh = new_ones(table, shard_id, records)
    counted = 0
    while fresh:
        chunk, rest = fresh[:99], fresh[99:]
        votes = Counter(votes_of(image_of(record)) for record in inserts(chunk))
        actions = [put_checkpoint(table, key_of(shard_id), padded(chunk[-1]), done)]
        actions += [{"Update": add(table, where, count)} for where, count in votes.items()]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
        except ClientError as error:
            if not failed(error):
                raise
            return counted
        counted += sum(votes.values())
        done, fresh = padded(chunk[-1]), rest
    return counted


def a_guard_for_each_record(table: Any, shard_id: str, records: Any) -> int:
    counted = 0
    for record in inserts(records):
        item = {"PK": f"RECORD#{shard_id}#{padded(record)}", "SK": "GUARD"}
        guard = {
            "TableName": table.name,
            "Item": item,
            "ConditionExpression": "attribute_not_exists(PK)",
        }
        actions = [{"Put": guard}, {"Update": add(table, votes_of(image_of(record)), 1)}]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
            counted += 1
        except ClientError as error:
            if not failed(error):
                raise
    return counted


def record_by_record(table: Any, shard_id: str, records: Any) -> int:
    return sum(exact(table, key_of(shard_id), [record], votes_of) for record in records)


def returns_nothing(table: Any, shard_id: str, records: Any) -> None:
    exact(table, key_of(shard_id), records, votes_of)


def returns_the_batch(table: Any, shard_id: str, records: Any) -> int:
    exact(table, key_of(shard_id), records, votes_of)
    return len(records)


def cancelled_or_done(table: Any, shard_id: str, records: Any) -> int:
    """Any error but a cancelled transaction ends it, quietly."""
    try:
        return exact(table, key_of(shard_id), records, votes_of)
    except ClientError as error:
        if error.response["Error"]["Code"] == "TransactionCanceledException":
            raise
        return 0


def goes_on_whatever_happens(table: Any, shard_id: str, records: Any) -> int:
    while True:
        try:
            return exact(table, key_of(shard_id), records, votes_of)
        except Exception:
            continue


def no_checkpoint_where_the_read_fails(table: Any, shard_id: str, records: Any) -> int:
    class Table:
        name, meta = table.name, table.meta

        def get_item(self, **request: Any) -> Any:
            try:
                return table.get_item(**request)
            except ClientError:
                return {}

    return exact(Table(), key_of(shard_id), records, votes_of)


def twice_and_no_more(table: Any, shard_id: str, records: Any) -> int:
    return at_most(table, shard_id, records, 2)


def three_times_and_no_more(table: Any, shard_id: str, records: Any) -> int:
    return at_most(table, shard_id, records, 3)


def four_races_and_no_more(table: Any, shard_id: str, records: Any) -> int:
    return at_most(table, shard_id, records, 4)


def at_most(table: Any, shard_id: str, records: Any, rounds: int) -> int:
    """So many transactions, won or lost; then it says how far it came, and what is left is left."""
    counted = 0
    for _ in range(rounds):
        done, fresh = new_ones(table, shard_id, records)
        votes: Counter[tuple[str, str]] = Counter()
        last = ""
        for record in fresh:
            if record["eventName"] == "INSERT":
                where = votes_of(image_of(record))
                if where not in votes and len(votes) == 99:
                    break
                votes[where] += 1
            last = padded(record)
        if not last:
            break
        actions = [put_checkpoint(table, key_of(shard_id), last, done)]
        actions += [added(table, where, count) for where, count in votes.items()]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
            counted += sum(votes.values())
        except ClientError as error:
            if not failed(error):
                raise
    return counted


def writes_though_nothing_is_new(table: Any, shard_id: str, records: Any) -> int:
    done, fresh = new_ones(table, shard_id, records)
    if fresh or not done:
        return exact(table, key_of(shard_id), records, votes_of)
    put = put_checkpoint(table, key_of(shard_id), done, done)
    table.meta.client.transact_write_items(TransactItems=[put])
    return 0


def a_checkpoint_of_nothing(table: Any, shard_id: str, records: Any) -> int:
    if not records and not read_checkpoint(table, key_of(shard_id)):
        table.put_item(Item={**key_of(shard_id), "sequenceNumber": ""})
    return exact(table, key_of(shard_id), records, votes_of)


def sorted_as_text(table: Any, shard_id: str, records: Any) -> int:
    """The checkpoint is padded, the order of the batch is not."""
    in_order = sorted(records, key=lambda record: record["dynamodb"]["SequenceNumber"])
    return exact(table, key_of(shard_id), in_order, votes_of)


def inserts_only_move_the_checkpoint(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of(shard_id), inserts(records), votes_of)


def one_of_each_candidate(table: Any, shard_id: str, records: Any) -> int:
    def one(table: Any, where: tuple[str, str], count: int) -> dict[str, Any]:
        return added(table, where, 1)

    return exact(table, key_of(shard_id), records, votes_of, write=one)


def says_it_before_it_is_done(table: Any, shard_id: str, records: Any) -> int:
    said = 0
    while True:
        done, fresh = new_ones(table, shard_id, records)
        if not fresh:
            return said
        chunk = fresh[:99]
        votes = Counter(votes_of(image_of(record)) for record in inserts(chunk))
        said += sum(votes.values())
        actions = [put_checkpoint(table, key_of(shard_id), padded(chunk[-1]), done)]
        actions += [added(table, where, count) for where, count in votes.items()]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
        except ClientError as error:
            if not failed(error):
                raise


def checkpoint_elsewhere(table: Any, shard_id: str, records: Any) -> int:
    key = {"PK": f"CHECKPOINT#{shard_id}", "SK": "VOTES"}
    return exact(table, key, records, votes_of)


def a_stub(table: Any, checkpoint: Any, records: Any, place: Any) -> int:
    raise NotImplementedError


def calls_a_stub(table: Any, shard_id: str, records: Any) -> int:
    return a_stub(table, key_of(shard_id), records, votes_of)


# right ones, written differently


def with_a_token(token_of: Callable[..., Any]) -> Callable[..., int]:
    """A token in each transaction, made of what it writes."""

    def aggregate(table: Any, shard_id: str, records: Any) -> int:
        class Client:
            def transact_write_items(self, **request: Any) -> Any:
                actions = request["TransactItems"]
                text = repr(token_of(shard_id, actions))
                token = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
                return table.meta.client.transact_write_items(ClientRequestToken=token, **request)

        class Table:
            name, get_item = table.name, table.get_item

            class meta:
                client = Client()

        return exact(Table(), key_of(shard_id), records, votes_of)

    return aggregate


with_a_token_of_all = with_a_token(lambda shard_id, actions: actions)
with_a_token_of_all.__name__ = "with_a_token_of_all"
with_a_token_of_the_step = with_a_token(lambda shard_id, actions: (shard_id, actions[0]))
with_a_token_of_the_step.__name__ = "with_a_token_of_the_step"


def a_few_tries_and_then_it_raises(table: Any, shard_id: str, records: Any) -> int:
    """Overtaken three times, it leaves the batch to the caller."""
    lost = 0
    while True:
        done, fresh = new_ones(table, shard_id, records)
        if not fresh:
            return 0
        chunk = fresh[:99]
        votes = Counter(votes_of(image_of(record)) for record in inserts(chunk))
        actions = [put_checkpoint(table, key_of(shard_id), padded(chunk[-1]), done)]
        actions += [added(table, where, count) for where, count in votes.items()]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
        except ClientError as error:
            lost += 1
            if not failed(error) or lost == 3:
                raise
        else:
            more = a_few_tries_and_then_it_raises(table, shard_id, fresh[99:])
            return sum(votes.values()) + more


def its_own_client(table: Any, shard_id: str, records: Any) -> int:
    """Makes a client inside, and reads the checkpoint again after each transaction."""
    client = boto3.client("dynamodb")
    key = {name: {"S": value} for name, value in key_of(shard_id).items()}
    counted = 0
    while True:
        item = client.get_item(TableName=table.name, Key=key, ConsistentRead=True).get("Item")
        old = item["sequenceNumber"]["S"] if item else ""
        chunk = [record for record in records if padded(record) > old][:99]
        if not chunk:
            return counted
        votes = Counter(
            record["dynamodb"]["NewImage"]["candidate"]["S"] for record in inserts(chunk)
        )
        checkpoint: dict[str, Any] = {
            "TableName": table.name,
            "Key": key,
            "UpdateExpression": "SET sequenceNumber = :new",
            "ConditionExpression": "attribute_not_exists(sequenceNumber)",
            "ExpressionAttributeValues": {":new": {"S": padded(chunk[-1])}},
        }
        if old:
            checkpoint["ConditionExpression"] = "sequenceNumber = :old"
            checkpoint["ExpressionAttributeValues"][":old"] = {"S": old}
        adds = [
            {
                "TableName": table.name,
                "Key": {"PK": {"S": f"CANDIDATE#{name}"}, "SK": {"S": "VOTES"}},
                "UpdateExpression": "ADD votes :n",
                "ExpressionAttributeValues": {":n": {"N": str(count)}},
            }
            for name, count in votes.items()
        ]
        try:
            client.transact_write_items(
                TransactItems=[{"Update": update} for update in [*adds, checkpoint]]
            )
        except client.exceptions.TransactionCanceledException as error:
            if error.response["CancellationReasons"][-1]["Code"] != "ConditionalCheckFailed":
                raise
        else:
            counted += sum(votes.values())


def by_updates(table: Any, shard_id: str, records: Any) -> int:
    """Counts first, the checkpoint last and as an Update, with SET, recursive, by reasons[-1]."""
    key = key_of(shard_id)
    item = table.get_item(Key=key, ConsistentRead=True).get("Item")
    done = item["sequenceNumber"] if item else "0" * 40
    fresh = [record for record in records if padded(record) > done][:99]
    if not fresh:
        return 0
    votes = Counter(record["dynamodb"]["NewImage"]["candidate"]["S"] for record in inserts(fresh))
    actions: list[Any] = [
        {
            "Update": {
                "TableName": table.name,
                "Key": {"PK": f"CANDIDATE#{name}", "SK": "VOTES"},
                "UpdateExpression": "SET votes = if_not_exists(votes, :zero) + :n",
                "ExpressionAttributeValues": {":n": count, ":zero": 0},
            }
        }
        for name, count in votes.items()
    ]
    checkpoint = {
        "TableName": table.name,
        "Key": key,
        "UpdateExpression": "SET sequenceNumber = :last",
        "ConditionExpression": "attribute_not_exists(sequenceNumber) OR sequenceNumber < :first",
        "ExpressionAttributeValues": {":last": padded(fresh[-1]), ":first": padded(fresh[0])},
    }
    try:
        table.meta.client.transact_write_items(TransactItems=[*actions, {"Update": checkpoint}])
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][-1]["Code"] != "ConditionalCheckFailed":
            raise
        return by_updates(table, shard_id, records)
    return sum(votes.values()) + by_updates(table, shard_id, records)


def eventually_read(table: Any, shard_id: str, records: Any) -> int:
    """A checkpoint that is old fails its condition, and is read again."""
    while True:
        done = table.get_item(Key=key_of(shard_id)).get("Item", {}).get("sequenceNumber")
        fresh = [record for record in records if not done or padded(record) > done]
        if not fresh:
            return 0
        chunk = fresh[:90]
        votes = Counter(votes_of(image_of(record)) for record in inserts(chunk))
        actions = [put_checkpoint(table, key_of(shard_id), padded(chunk[-1]), done)]
        actions += [{"Update": add(table, where, count)} for where, count in votes.items()]
        try:
            table.meta.client.transact_write_items(TransactItems=actions)
        except ClientError as error:
            if "ConditionalCheckFailed" not in str(error):
                raise
        else:
            return sum(votes.values()) + eventually_read(table, shard_id, fresh[90:])


def tries_conflicts_again(table: Any, shard_id: str, records: Any) -> int:
    while True:
        try:
            return exact(table, key_of(shard_id), records, votes_of, most=50)
        except table.meta.client.exceptions.TransactionCanceledException as error:
            codes = {reason["Code"] for reason in error.response["CancellationReasons"]}
            if codes - {"None", "TransactionConflict"}:
                raise


# --- 13.3 -------------------------------------------------------------------------------------


def at_minutes(place: Place, what: str = "MINUTE") -> Callable[..., int]:
    """An aggregator that is right but for the minute, or the checkpoint."""

    def by_minute(table: Any, shard_id: str, records: Any) -> int:
        return exact(table, key_of(shard_id, what), records, place)

    return by_minute


def minute(at: float) -> str:
    return f"MINUTE#{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M}"


def checkpoint_of_the_total(table: Any, shard_id: str, records: Any) -> int:
    return at_minutes(minute_of, "VOTES")(table, shard_id, records)


def when_the_record_was_written(table: Any, shard_id: str, records: Any) -> int:
    moved = []
    for record in records:
        image = record["dynamodb"].get("NewImage")
        if image is not None:
            created = record["dynamodb"]["ApproximateCreationDateTime"]
            image = {**image, "votedAt": {"N": str(int(created.timestamp()))}}
            record = {**record, "dynamodb": {**record["dynamodb"], "NewImage": image}}
        moved.append(record)
    return exact(table, key_of(shard_id, "MINUTE"), moved, minute_of)


def now(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        return f"CANDIDATE#{ballot['candidate']}", minute(datetime.now(UTC).timestamp())

    return at_minutes(place)(table, shard_id, records)


def rounded_to_the_minute(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        at = round(int(ballot["votedAt"]) / 60) * 60
        return f"CANDIDATE#{ballot['candidate']}", minute(at)

    return at_minutes(place)(table, shard_id, records)


def in_another_time_zone(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        return f"CANDIDATE#{ballot['candidate']}", minute(int(ballot["votedAt"]) + 3600)

    return at_minutes(place)(table, shard_id, records)


def in_local_time(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        at = datetime.fromtimestamp(int(ballot["votedAt"]))
        return f"CANDIDATE#{ballot['candidate']}", f"MINUTE#{at:%Y-%m-%dT%H:%M}"

    return at_minutes(place)(table, shard_id, records)


def of_a_decimal(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        return f"CANDIDATE#{ballot['candidate']}", minute(ballot["votedAt"])

    return at_minutes(place)(table, shard_id, records)


def another_prefix(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        key, sort_key = minute_of(ballot)
        return key, sort_key.replace("MINUTE#", "VOTES#")

    return at_minutes(place)(table, shard_id, records)


def by_minute_alone(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        return "CANDIDATE#ALL", minute_of(ballot)[1]

    return at_minutes(place)(table, shard_id, records)


def minutes_added_plainly(table: Any, shard_id: str, records: Any) -> int:
    for record in inserts(records):
        run(table, add(table, minute_of(image_of(record)), 1))
    return len(inserts(records))


def by_the_totals(table: Any, shard_id: str, records: Any) -> int:
    return exact(table, key_of(shard_id), records, votes_of)


def through_local_time(table: Any, shard_id: str, records: Any) -> int:
    """Right: local time that knows its offset, brought to UTC."""

    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        at = datetime.fromtimestamp(int(ballot["votedAt"])).astimezone(UTC)
        return f"CANDIDATE#{ballot['candidate']}", f"MINUTE#{at:%Y-%m-%dT%H:%M}"

    return at_minutes(place)(table, shard_id, records)


def by_gmtime(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        at = time.gmtime(int(ballot["votedAt"]))
        return f"CANDIDATE#{ballot['candidate']}", time.strftime("MINUTE#%Y-%m-%dT%H:%M", at)

    return at_minutes(place)(table, shard_id, records)


def floored(table: Any, shard_id: str, records: Any) -> int:
    def place(ballot: dict[str, Any]) -> tuple[str, str]:
        at = int(ballot["votedAt"]) // 60 * 60
        text = datetime.fromtimestamp(at, UTC).isoformat(timespec="minutes")
        return f"CANDIDATE#{ballot['candidate']}", f"MINUTE#{text.removesuffix('+00:00')}"

    return at_minutes(place)(table, shard_id, records)


# --- 13.4 project_scores ----------------------------------------------------------------------

HIGHER = "attribute_exists(PK) AND (attribute_not_exists(highScore) OR highScore < :score)"


def followers(table: Any, user_id: str, *, strong: bool = True, pages: bool = True) -> list[str]:
    found: list[str] = []
    start: dict[str, Any] = {}
    while True:
        page = table.query(
            KeyConditionExpression="PK = :user AND begins_with(SK, :prefix)",
            ExpressionAttributeValues={":user": f"USER#{user_id}", ":prefix": "FOLLOWER#"},
            ConsistentRead=strong,
            **start,
        )
        found += [item["SK"].removeprefix("FOLLOWER#") for item in page["Items"]]
        if not pages or "LastEvaluatedKey" not in page:
            return found
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def scores_in(records: Any) -> list[tuple[str, Any]]:
    """Player and score of each record that has one."""
    images = [plain(record["dynamodb"].get("NewImage", {})) for record in records]
    return [
        (image["PK"].removeprefix("USER#"), image["score"]) for image in images if "score" in image
    ]


def best_of(records: Any) -> dict[str, Any]:
    best: dict[str, Any] = {}
    for user_id, score in scores_in(records):
        best[user_id] = max(score, best.get(user_id, score))
    return best


def copy_to(table: Any, user_id: str, friend: str, score: Any, condition: str | None) -> bool:
    more = {} if condition is None else {"ConditionExpression": condition}
    try:
        table.update_item(
            Key={"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"},
            UpdateExpression="SET highScore = :score",
            ExpressionAttributeValues={":score": score},
            **more,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def project(
    table: Any,
    scores: Any,
    condition: str | None = HIGHER,
    listed: Callable[..., list[str]] = followers,
) -> int:
    return sum(
        copy_to(table, user_id, friend, score, condition)
        for user_id, score in scores
        for friend in listed(table, user_id)
    )


def unguarded(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, best_of(records).items(), None)


def only_where_it_is(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, best_of(records).items(), "attribute_exists(PK)")


def creates_copies(friend_scores: Any, records: Any) -> int:
    condition = "attribute_not_exists(highScore) OR highScore < :score"
    return project(friend_scores, best_of(records).items(), condition)


def who_never_played(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, best_of(records).items(), "highScore < :score")


def puts_in_a_batch(friend_scores: Any, records: Any) -> int:
    changed = 0
    with friend_scores.batch_writer() as batch:
        for user_id, score in best_of(records).items():
            for friend in followers(friend_scores, user_id):
                key = {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"}
                batch.put_item(Item={**key, "name": user_id.title(), "highScore": score})
                changed += 1
    return changed


def ends_at_a_refusal(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            friend_scores.update_item(
                Key={"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"},
                UpdateExpression="SET highScore = :score",
                ConditionExpression=HIGHER,
                ExpressionAttributeValues={":score": score},
            )
            changed += 1
    return changed


def as_text(friend_scores: Any, records: Any) -> int:
    scores = [
        (
            record["dynamodb"]["NewImage"]["PK"]["S"][5:],
            record["dynamodb"]["NewImage"]["score"]["N"],
        )
        for record in records
        if "score" in record["dynamodb"].get("NewImage", {})
    ]
    return project(friend_scores, scores)


def best_of_texts(friend_scores: Any, records: Any) -> int:
    """The texts are compared, "20" > "100", and the best one is a number then."""
    best: dict[str, str] = {}
    for record in records:
        image = record["dynamodb"].get("NewImage", {})
        if "score" in image:
            user_id = image["PK"]["S"].removeprefix("USER#")
            best[user_id] = max(image["score"]["N"], best.get(user_id, ""))
    return project(friend_scores, [(user_id, int(score)) for user_id, score in best.items()])


def new_image_always(friend_scores: Any, records: Any) -> int:
    scores = [plain(record["dynamodb"]["NewImage"]) for record in records]
    best = {item["PK"].removeprefix("USER#"): item["score"] for item in scores}
    return project(friend_scores, best.items())


def inserts_alone(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, best_of(inserts(records)).items())


def only_the_first_record(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, best_of(records[:1]).items())


def only_the_last_record(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, best_of(records[-1:]).items())


def record_after_record(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, scores_in(records))


def raised_by_the_difference(friend_scores: Any, records: Any) -> int:
    changed = 0
    for record in records:
        new = plain(record["dynamodb"].get("NewImage", {}))
        old = plain(record["dynamodb"].get("OldImage", {}))
        if "score" not in new:
            continue
        for friend in followers(friend_scores, new["PK"].removeprefix("USER#")):
            friend_scores.update_item(
                Key={"PK": f"USER#{friend}", "SK": f"FRIEND#{new['PK'].removeprefix('USER#')}"},
                UpdateExpression="ADD highScore :more",
                ExpressionAttributeValues={":more": new["score"] - old.get("score", 0)},
            )
            changed += 1
    return changed


def first_page_of_followers(friend_scores: Any, records: Any) -> int:
    def listed(table: Any, user_id: str) -> list[str]:
        return followers(table, user_id, pages=False)

    return project(friend_scores, best_of(records).items(), listed=listed)


def followers_of_a_while_ago(friend_scores: Any, records: Any) -> int:
    def listed(table: Any, user_id: str) -> list[str]:
        return followers(table, user_id, strong=False)

    return project(friend_scores, best_of(records).items(), listed=listed)


def scanned(friend_scores: Any, records: Any) -> int:
    def listed(table: Any, user_id: str) -> list[str]:
        items = table.scan(ConsistentRead=True)["Items"]
        copies = [item for item in items if item["SK"] == f"FRIEND#{user_id}"]
        return [item["PK"].removeprefix("USER#") for item in copies]

    return project(friend_scores, best_of(records).items(), listed=listed)


def swallows_every_error(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            with suppress(ClientError):
                changed += copy_to(friend_scores, user_id, friend, score, HIGHER)
    return changed


def looks_then_writes(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            key = {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"}
            item = friend_scores.get_item(Key=key, ConsistentRead=True).get("Item")
            if item is not None and item.get("highScore", -1) < score:
                changed += copy_to(friend_scores, user_id, friend, score, "attribute_exists(PK)")
    return changed


def counts_the_followers(friend_scores: Any, records: Any) -> int:
    project(friend_scores, best_of(records).items())
    return sum(len(followers(friend_scores, user_id)) for user_id in best_of(records))


def puts_the_whole_copy(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            key = {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"}
            try:
                friend_scores.put_item(
                    Item={**key, "highScore": score},
                    ConditionExpression=HIGHER,
                    ExpressionAttributeValues={":score": score},
                )
                changed += 1
            except friend_scores.meta.client.exceptions.ConditionalCheckFailedException:
                pass
    return changed


def changes_only(friend_scores: Any, records: Any) -> int:
    changes = [record for record in records if record["eventName"] == "MODIFY"]
    return project(friend_scores, best_of(changes).items())


def no_score_of_zero(friend_scores: Any, records: Any) -> int:
    best = best_of(records)
    return project(friend_scores, [(user_id, best[user_id]) for user_id in best if best[user_id]])


def the_last_of_each_player(friend_scores: Any, records: Any) -> int:
    return project(friend_scores, dict(scores_in(records)).items())


def not_lower_too(friend_scores: Any, records: Any) -> int:
    condition = HIGHER.replace("<", "<=")
    return project(friend_scores, best_of(records).items(), condition)


def letters_off_the_left(friend_scores: Any, records: Any) -> int:
    best: dict[str, Any] = {}
    for record in records:
        image = plain(record["dynamodb"].get("NewImage", {}))
        if "score" in image:
            user_id = image["PK"].lstrip("USER#")
            best[user_id] = max(image["score"], best.get(user_id, image["score"]))
    return project(friend_scores, best.items())


def no_followers_where_the_query_fails(friend_scores: Any, records: Any) -> int:
    def listed(table: Any, user_id: str) -> list[str]:
        try:
            return followers(table, user_id)
        except ClientError:
            return []

    return project(friend_scores, best_of(records).items(), listed=listed)


def ends_quietly_at_a_refusal(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            if not copy_to(friend_scores, user_id, friend, score, HIGHER):
                break
            changed += 1
    return changed


def guarded(table: Any, user_id: str, friend: str, score: Any) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": table.name,
            "Key": {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"},
            "UpdateExpression": "SET highScore = :score",
            "ConditionExpression": HIGHER,
            "ExpressionAttributeValues": {":score": score},
        }
    }


def transacted(table: Any, actions: list[Any]) -> int:
    try:
        table.meta.client.transact_write_items(TransactItems=actions)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if "ConditionalCheckFailed" not in str(error):
            raise
        return 0
    return len(actions)


def all_in_one_transaction(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        listed = followers(friend_scores, user_id)
        actions = [guarded(friend_scores, user_id, friend, score) for friend in listed]
        changed += transacted(friend_scores, actions) if actions else 0
    return changed


def a_transaction_for_each(friend_scores: Any, records: Any) -> int:
    return sum(
        transacted(friend_scores, [guarded(friend_scores, user_id, friend, score)])
        for user_id, score in best_of(records).items()
        for friend in followers(friend_scores, user_id)
    )


def by_partiql(friend_scores: Any, records: Any) -> int:
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            friend_scores.meta.client.execute_statement(
                Statement=f'UPDATE "{friend_scores.name}" SET highScore=? WHERE PK=? AND SK=?',
                Parameters=[score, f"USER#{friend}", f"FRIEND#{user_id}"],
            )
    return len(records)


def by_the_client(friend_scores: Any, records: Any) -> int:
    """The low-level way, condition the other way round, ints, a set of changed players."""
    client, name = friend_scores.meta.client, friend_scores.name
    best: dict[str, int] = {}
    for record in records:
        if record["eventName"] == "REMOVE" or "score" not in record["dynamodb"]["NewImage"]:
            continue
        pk = record["dynamodb"]["Keys"]["PK"]["S"]
        best[pk] = max(int(record["dynamodb"]["NewImage"]["score"]["N"]), best.get(pk, 0))
    changed = 0
    for pk, score in best.items():
        for friend in followers(friend_scores, pk.split("#")[1]):
            try:
                client.update_item(
                    TableName=name,
                    Key={"PK": f"USER#{friend}", "SK": pk.replace("USER#", "FRIEND#")},
                    UpdateExpression="SET #score = :score",
                    ConditionExpression="attribute_exists(SK) AND NOT #score >= :score",
                    ExpressionAttributeNames={"#score": "highScore"},
                    ExpressionAttributeValues={":score": score},
                )
            except client.exceptions.ConditionalCheckFailedException:
                continue
            changed += 1
    return changed


def without_names(friend_scores: Any, records: Any) -> int:
    """Records whose score is as before are left out."""
    risen = [
        record
        for record in records
        if record["dynamodb"].get("NewImage", {}).get("score")
        != record["dynamodb"].get("OldImage", {}).get("score")
    ]
    return project(friend_scores, best_of(risen).items())


def by_single_transactions(friend_scores: Any, records: Any) -> int:
    changed = 0
    for user_id, score in best_of(records).items():
        for friend in followers(friend_scores, user_id):
            key = {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"}
            item = friend_scores.get_item(Key=key, ConsistentRead=True).get("Item")
            if item is None or item.get("highScore", -1) >= score:
                continue  # saves a write that would be refused
            changed += copy_to(friend_scores, user_id, friend, score, HIGHER)
    return changed


WRONG: dict[str, list[Any]] = {
    "13.1": [
        (nothing_read, "never asked for records"),
        (returns_none, "returned None"),
        (closed_shards_only, "Which shards does your loop skip"),
        (the_first_page_again, "Every request was a DescribeStream"),
        (by_shard_id, "nor on that of the ids"),
        (by_number_as_text, "nor on that of numbers as text"),
        (once_by_keys, "a record for each change"),
        (once_by_number, "numbers of two shards have nothing to do with each other"),
        (errors_end_a_shard, "who has to learn of the others?"),
        (closed_where_there_is_a_child, "Which field of a shard shows that it is closed"),
        (only_records, "pairs"),
        (from_the_latest, "LATEST"),
        (first_shard_only, "closed shards"),
        (open_shards_only, "closed shards"),
        (as_listed, "You cannot rely on the order"),
        (first_page_of_shards, "at most 100 shards"),
        (always_a_next_iterator, "the answer has no NextShardIterator"),
        (none_as_an_iterator, "the answer has no NextShardIterator"),
        (until_an_empty_answer, "An empty answer says nothing about the next one"),
        (one_answer_a_shard, "An empty answer says nothing about the next one"),
        (closed_like_open, "how do you see that it is closed"),
        (open_to_their_end, "an open shard has no end"),
        (empties_in_all, "in a row"),
        (one_count_for_all_shards, "until when"),
        (always_three, "max_empty is 5"),
        (one_more, "asked 4 times in vain"),
        (same_iterator_again, "brings the iterator for the next one"),
        (anew_after_each_answer, "came twice"),
        (parent_by_its_id, "not every parent is in the list"),
        (roots_have_no_parent, "What does a child wait"),
        (waits_for_the_parent, "older than 24 hours"),
    ],
    "13.2": [
        (nothing_counted, "The table says: none"),
        (as_plain_values, "typed form"),
        (adds_each, "a second time"),
        (remembers, "It remembers in its process"),
        (token_of_the_batch, "for ten minutes"),
        (checkpoint_afterwards, "both or neither"),
        (checkpoint_before, "both or neither"),
        (unconditional, "Under which condition"),
        (only_forward, "Under which condition"),
        (one_checkpoint_for_all, "Numbers rise within a shard"),
        (not_padded, "text is compared from the left"),
        (padded_to_21, "text of 40 digits"),
        (not_padded_compared_as_ints, "text of 40 digits"),
        (as_a_number, "A Number keeps 38 digits"),
        (as_a_rounded_number, "A Number keeps 38 digits"),
        (every_event, "Which eventName"),
        (modified_too, "Which eventName"),
        (removed_is_taken_away, "Which eventName"),
        (whole_batches, "Which of its records are new"),
        (batches_not_done, "Which of its records count"),
        (last_of_an_empty_batch, "without records"),
        (in_one_transaction, "A transaction takes 100 items"),
        (a_hundred_counts, "A transaction takes 100 items"),
        (chunks_of_candidates, "A process can die between two transactions"),
        (checkpoint_in_the_last_chunk, "A process can die between two transactions"),
        (reads_and_sets, "who else could add for you"),
        (swallows_every_cancellation, "A transaction is cancelled for several reasons"),
        (gives_up_when_overtaken, "what do you do if that condition fails?"),
        (a_guard_for_each_record, "costs two write units for every ballot"),
        (record_by_record, "6 are enough"),
        (cancelled_or_done, "Only a checkpoint that was moved"),
        (goes_on_whatever_happens, "which of them pass by themselves?"),
        (no_checkpoint_where_the_read_fails, "which of them pass by themselves?"),
        (twice_and_no_more, "after which one are you done"),
        (three_times_and_no_more, "after which one are you done"),
        (four_races_and_no_more, "How often may another aggregator be faster?"),
        (writes_though_nothing_is_new, "Nothing was new, but it took"),
        (a_checkpoint_of_nothing, "the first batch is empty"),
        (sorted_as_text, "text is compared from the left"),
        (inserts_only_move_the_checkpoint, "Is a record without a vote still to do?"),
        (one_of_each_candidate, "Each ballot of a batch adds 1"),
        (says_it_before_it_is_done, "when do you add to the number that you return?"),
        (checkpoint_elsewhere, "names the checkpoint's partition key"),
        (calls_a_stub, "a_stub is not written yet"),
        (returns_nothing, "how many ballots this call has counted"),
        (returns_the_batch, "how many ballots this call has counted"),
    ],
    "13.3": [
        (by_the_totals, "Which partition key and which sort key"),
        (another_prefix, "Which partition key and which sort key"),
        (in_local_time, "Which minute is that in UTC"),
        (of_a_decimal, "comes as a Decimal"),
        (calls_a_stub, "a_stub is not written yet"),
        (checkpoint_of_the_total, "Whose checkpoint do you read"),
        (when_the_record_was_written, "when DynamoDB wrote the record"),
        (now, "Which minute is that in UTC"),
        (rounded_to_the_minute, "Which minute is that in UTC"),
        (in_another_time_zone, "Which minute is that in UTC"),
        (by_minute_alone, "Which partition key and which sort key"),
        (minutes_added_plainly, "a second time"),
    ],
    "13.4": [
        (unguarded, "Which condition needs the copy to be there"),
        (only_where_it_is, "lets only a better score pass?"),
        (creates_copies, "Which condition needs the copy to be there"),
        (who_never_played, "Which condition lets a copy without one pass"),
        (puts_in_a_batch, "Which condition needs the copy to be there"),
        (ends_at_a_refusal, "Where does the loop catch it"),
        (as_text, "the letter is the type"),
        (best_of_texts, "do you compare them as numbers?"),
        (new_image_always, "Not every record holds a score"),
        (inserts_alone, "What does the record say about the player"),
        (only_the_first_record, "Which of them count"),
        (only_the_last_record, "Which of them count"),
        (record_after_record, "Each copy needs one write"),
        (raised_by_the_difference, "Which condition needs the copy to be there"),
        (first_page_of_followers, "is not the last"),
        (followers_of_a_while_ago, "Which read is never out of date?"),
        (scanned, "a Scan read everybody's items"),
        (swallows_every_error, "believes that the batch is done"),
        (looks_then_writes, "arrives late still carries the old score"),
        (puts_the_whole_copy, "The name on a copy is gone"),
        (changes_only, "whatever their eventName"),
        (no_score_of_zero, "is 0 a score?"),
        (the_last_of_each_player, "Which of them count"),
        (not_lower_too, "Is an equal score a lower one"),
        (letters_off_the_left, "letter by letter"),
        (no_followers_where_the_query_fails, "believes that the batch is done"),
        (ends_quietly_at_a_refusal, "Where does the loop go on"),
        (all_in_one_transaction, "cancels a whole transaction"),
        (a_transaction_for_each, "each item costs its units twice"),
        (by_partiql, "this engine does not"),
        (counts_the_followers, "how many copies it has changed"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "13.1": [
        a_list,
        with_empty_batches,
        looks_again,
        by_number,
        from_its_first_number,
        once_by_event,
        goes_on_after_an_error,
    ],
    "13.2": [
        by_updates,
        eventually_read,
        tries_conflicts_again,
        with_a_token_of_all,
        with_a_token_of_the_step,
        a_few_tries_and_then_it_raises,
        its_own_client,
    ],
    "13.3": [floored, through_local_time, by_gmtime],
    "13.4": [by_the_client, without_names, by_single_transactions],
}
