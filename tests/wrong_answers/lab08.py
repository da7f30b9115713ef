"""Answers to lab 08."""

from __future__ import annotations

import hashlib
import itertools
import math
import random
import time
import zlib
from contextlib import suppress
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError


class NoSuchCandidate(Exception):
    """As the notebook defines it."""


class Unread(Exception):
    """A shard that could not be read."""


def add(table: Any, key: str, sort_key: str = "VOTES", **more: Any) -> None:
    table.update_item(
        Key={"PK": key, "SK": sort_key},
        UpdateExpression="ADD votes :one",
        ExpressionAttributeValues={":one": 1},
        **more,
    )


# --- 8.1 vote ---------------------------------------------------------------------------------


def one_counter(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}")


def shard_in_the_sort_key(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}", f"VOTES#{rng.randrange(shards):02}")


def shard_in_an_attribute(table: Any, candidate: str, shards: int, rng: Any) -> None:
    table.update_item(
        Key={"PK": f"CANDIDATE#{candidate}", "SK": "VOTES"},
        UpdateExpression="ADD votes :one SET #shard = :shard",
        ExpressionAttributeNames={"#shard": "shard"},
        ExpressionAttributeValues={":one": 1, ":shard": rng.randrange(shards)},
    )


def shard_of_the_candidate(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{zlib.crc32(candidate.encode()) % shards:02}")


def from_one(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{rng.randint(1, shards):02}")


def never_the_first(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{rng.randrange(min(1, shards - 1), shards):02}")


def one_digit(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{rng.randrange(shards)}")


def as_wide_as_the_last(table: Any, candidate: str, shards: int, rng: Any) -> None:
    width = 3 if shards > 100 else 2
    add(table, f"CANDIDATE#{candidate}#{rng.randrange(shards):0{width}}")


def another_sort_key(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{rng.randrange(shards):02}", "META")


def put_over(table: Any, candidate: str, shards: int, rng: Any) -> None:
    key = f"CANDIDATE#{candidate}#{rng.randrange(shards):02}"
    table.put_item(Item={"PK": key, "SK": "VOTES", "votes": 1})


def an_item_for_each_vote(table: Any, candidate: str, shards: int, rng: Any) -> None:
    key = f"CANDIDATE#{candidate}#{rng.randrange(shards):02}"
    table.put_item(Item={"PK": key, "SK": f"VOTE#{rng.random()}", "votes": 1})


def not_from_rng(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{random.randrange(shards):02}")


_turn = itertools.count()


def in_turn(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{next(_turn) % shards:02}")


def read_then_write(table: Any, candidate: str, shards: int, rng: Any) -> None:
    key = {"PK": f"CANDIDATE#{candidate}#{rng.randrange(shards):02}", "SK": "VOTES"}
    votes = table.get_item(Key=key, ConsistentRead=True).get("Item", {}).get("votes", 0)
    table.put_item(Item={**key, "votes": votes + 1})


def in_a_transaction(table: Any, candidate: str, shards: int, rng: Any) -> None:
    update = {
        "TableName": table.name,
        "Key": {"PK": f"CANDIDATE#{candidate}#{rng.randrange(shards):02}", "SK": "VOTES"},
        "UpdateExpression": "ADD votes :one",
        "ExpressionAttributeValues": {":one": 1},
    }
    table.meta.client.transact_write_items(TransactItems=[{"Update": update}])


def skewed(table: Any, candidate: str, shards: int, rng: Any) -> None:
    number = 0 if rng.random() < 0.6 else rng.randrange(shards)
    add(table, f"CANDIDATE#{candidate}#{number:02}")


def by_set(table: Any, candidate: str, shards: int, rng: Any) -> None:
    number = str(int(rng.random() * shards)).zfill(2)
    table.update_item(
        Key={"PK": f"CANDIDATE#{candidate}#{number}", "SK": "VOTES"},
        UpdateExpression="SET votes = if_not_exists(votes, :zero) + :one",
        ExpressionAttributeValues={":one": 1, ":zero": 0},
    )


def by_client(table: Any, candidate: str, shards: int, rng: Any) -> Any:
    reply = table.meta.client.update_item(
        TableName=table.name,
        Key={
            "PK": f"CANDIDATE#{candidate}#{rng.choice(range(shards)):02d}",
            "SK": "VOTES",
        },
        UpdateExpression="ADD #votes :one",
        ExpressionAttributeNames={"#votes": "votes"},
        ExpressionAttributeValues={":one": 1},
        ReturnValues="UPDATED_NEW",
    )
    return reply["Attributes"]["votes"]


def by_randint(table: Any, candidate: str, shards: int, rng: Any) -> None:
    add(table, f"CANDIDATE#{candidate}#{rng.randint(0, shards - 1):0>2}")


# --- 8.2 total --------------------------------------------------------------------------------


def keys_of(candidate: str, numbers: Any) -> list[dict[str, str]]:
    names = [each if isinstance(each, str) else f"{each:02}" for each in numbers]
    return [{"PK": f"CANDIDATE#{candidate}#{name}", "SK": "VOTES"} for name in names]


def batch(table: Any, keys: Any) -> tuple[int, list[Any]]:
    reply = table.meta.client.batch_get_item(RequestItems={table.name: {"Keys": keys}})
    found = sum(item["votes"] for item in reply["Responses"][table.name])
    return int(found), reply["UnprocessedKeys"].get(table.name, {}).get("Keys", [])


def unprocessed_ignored(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    keys = keys_of(candidate, range(shards))
    return sum(batch(table, keys[at : at + 100])[0] for at in range(0, shards, 100))


def one_batch(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return batch(table, keys_of(candidate, range(shards)))[0]


def first_hundred(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return batch(table, keys_of(candidate, range(min(shards, 100))))[0]


def whole_hundreds(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    keys = keys_of(candidate, range(shards))
    if shards < 100:
        return batch(table, keys)[0]
    return sum(batch(table, keys[at : at + 100])[0] for at in range(0, shards - 99, 100))


def with_three_digits(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    width = 3 if shards > 100 else 2
    numbers = [f"{number:0{width}}" for number in range(shards)]
    return patient(table, candidate, numbers, attempts, sleep, last=raise_unread)


def without_the_first(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return batch(table, keys_of(candidate, range(1, shards + 1)))[0]


def until_a_gap(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    for key in keys_of(candidate, range(shards)):
        reply = table.get_item(Key=key)
        if "Item" not in reply:
            break
        votes += int(reply["Item"]["votes"])
    return votes


def gap_raises(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    keys = keys_of(candidate, range(shards))
    return int(sum(table.get_item(Key=key)["Item"]["votes"] for key in keys))


def scanned(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    wanted = Attr("PK").begins_with(f"CANDIDATE#{candidate}#")
    return int(sum(item["votes"] for item in table.scan(FilterExpression=wanted)["Items"]))


def the_items(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> Any:
    keys = keys_of(candidate, range(shards))
    return table.meta.client.batch_get_item(RequestItems={table.name: {"Keys": keys}})


def patient(
    table: Any, candidate: str, shards: Any, attempts: int, sleep: Any, *, last: Any
) -> int:
    """The solution, but for what happens at the end of the attempts. shards: a number, or names."""
    votes = 0
    numbers = range(shards) if isinstance(shards, int) else shards
    for at in range(0, len(numbers), 100):
        left: Any = keys_of(candidate, numbers[at : at + 100])
        for attempt in range(attempts):
            found, left = batch(table, left)
            votes += found
            if not left:
                break
            if attempt < attempts - 1:
                sleep(0.05 * 2**attempt)
        else:
            last()
    return votes


def gives_up_quietly(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return patient(table, candidate, shards, attempts, sleep, last=lambda: None)


def for_ever(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    for at in range(0, shards, 100):
        left: Any = keys_of(candidate, range(at, min(at + 100, shards)))
        while left:
            found, left = batch(table, left)
            votes += found
            sleep(0.05)
    return votes


def at_once(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return patient(table, candidate, shards, attempts, lambda seconds: None, last=raise_unread)


def always_as_long(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return patient(table, candidate, shards, attempts, lambda _: sleep(0.1), last=raise_unread)


def raise_unread() -> None:
    raise Unread


def one_attempt_less(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return patient(table, candidate, shards, attempts - 1, sleep, last=raise_unread)


def one_attempt_more(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    return patient(table, candidate, shards, attempts + 1, sleep, last=raise_unread)


def starts_anew(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    """Forgets what it has read when it asks for the rest."""
    votes = 0
    for at in range(0, shards, 100):
        left: Any = keys_of(candidate, range(at, min(at + 100, shards)))
        for attempt in range(attempts):
            found, left = batch(table, left)
            if not left:
                break
            sleep(0.05 * 2**attempt)
        votes += found
    return votes


def pause_after_the_last(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    for at in range(0, shards, 100):
        left: Any = keys_of(candidate, range(at, min(at + 100, shards)))
        for attempt in range(attempts):
            found, left = batch(table, left)
            votes += found
            if not left:
                break
            sleep(0.05 * 2**attempt)
        if left:
            raise Unread
    return votes


def error_is_zero(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    for key in keys_of(candidate, range(shards)):
        try:
            votes += int(table.get_item(Key=key).get("Item", {}).get("votes", 0))
        except ClientError:
            continue
    return votes


def shard_by_shard(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> Any:
    keys = keys_of(candidate, range(shards))
    return sum(table.get_item(Key=key).get("Item", {}).get("votes", 0) for key in keys)


def by_a_client_of_its_own(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> Any:
    return shard_by_shard(boto3.resource("dynamodb").Table(table.name), candidate, shards)


def by_queries(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    for number in range(shards):
        page = table.query(
            KeyConditionExpression=Key("PK").eq(f"CANDIDATE#{candidate}#{number:02}")
        )
        votes += sum(int(item["votes"]) for item in page["Items"])
    return votes


def by_strong_batches(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    keys = keys_of(candidate, range(shards))
    for at in range(0, len(keys), 50):
        asked: Any = {table.name: {"Keys": keys[at : at + 50], "ConsistentRead": True}}
        tries = 0
        while asked:
            if tries == attempts:
                raise TimeoutError("some shards could not be read")
            if tries:
                sleep(random.random() * 2**tries + 0.01)
            reply = table.meta.client.batch_get_item(RequestItems=asked)
            votes += sum(int(item["votes"]) for item in reply["Responses"].get(table.name, []))
            asked = reply.get("UnprocessedKeys")
            tries += 1
    return votes


def by_transactions(
    table: Any, candidate: str, shards: int, *, attempts: int = 5, sleep: Any = time.sleep
) -> int:
    votes = 0
    keys = keys_of(candidate, range(shards))
    for at in range(0, len(keys), 100):
        gets: Any = [{"Get": {"TableName": table.name, "Key": key}} for key in keys[at : at + 100]]
        reply = table.meta.client.transact_get_items(TransactItems=gets)
        votes += sum(int(each["Item"]["votes"]) for each in reply["Responses"] if "Item" in each)
    return votes


# --- 8.3 shards_needed ------------------------------------------------------------------------


def rounded_down(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    return max(1, int(peak_per_second * (1 + headroom) * units_per_vote / 1000))


def not_rounded(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> float:
    return max(1.0, peak_per_second * (1 + headroom) * units_per_vote / 1000)


def a_float(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> float:
    return max(1, -(-peak_per_second * (1 + headroom) * units_per_vote // 1000))


def none_for_nobody(
    peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0
) -> int:
    return math.ceil(peak_per_second * (1 + headroom) * units_per_vote / 1000)


def no_headroom(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    return max(1, math.ceil(peak_per_second * units_per_vote / 1000))


def times_headroom(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    factor = headroom if headroom else 1
    return max(1, math.ceil(peak_per_second * factor * units_per_vote / 1000))


def units_ignored(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    return max(1, math.ceil(peak_per_second * (1 + headroom) / 1000))


def by_read_units(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    return max(1, math.ceil(peak_per_second * (1 + headroom) * units_per_vote / 3000))


def one_too_many(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    return 1 + int(peak_per_second * (1 + headroom) * units_per_vote // 1000)


def in_integers(peak_per_second: float, units_per_vote: float = 1, headroom: float = 0.0) -> int:
    thousandths = round(peak_per_second * units_per_vote * (1 + headroom) * 1000)
    return max(1, -(-thousandths // 1_000_000))


# --- 8.4 grow and total_now -------------------------------------------------------------------


def set_number(table: Any, candidate: str, shards: int, **condition: Any) -> None:
    table.update_item(
        Key={"PK": f"CANDIDATE#{candidate}", "SK": "META"},
        UpdateExpression="SET shards = :shards",
        ExpressionAttributeValues={":shards": shards},
        **condition,
    )


RISING = "attribute_not_exists(shards) OR shards < :shards"


def grown(table: Any, candidate: str, shards: int) -> None:
    with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
        set_number(table, candidate, shards, ConditionExpression=RISING)


def summed(table: Any, candidate: str) -> int:
    key = {"PK": f"CANDIDATE#{candidate}", "SK": "META"}
    meta = table.get_item(Key=key, ConsistentRead=True).get("Item")
    if meta is None:
        raise NoSuchCandidate
    return gives_up_quietly(table, candidate, int(meta["shards"]))


def whatever_comes(table: Any, candidate: str, shards: int) -> None:
    set_number(table, candidate, shards)


def put_number(table: Any, candidate: str, shards: int) -> None:
    table.put_item(Item={"PK": f"CANDIDATE#{candidate}", "SK": "META", "shards": shards})


def whatever_happens(table: Any, candidate: str, shards: int) -> None:
    with suppress(Exception):
        set_number(table, candidate, shards, ConditionExpression=RISING)


def grown_without_an_import(table: Any, candidate: str, shards: int) -> None:
    try:
        set_number(table, candidate, shards, ConditionExpression=RISING)
    except BotoError:  # noqa: F821
        return


def raises_when_high(table: Any, candidate: str, shards: int) -> None:
    set_number(table, candidate, shards, ConditionExpression=RISING)


def looks_first(table: Any, candidate: str, shards: int) -> None:
    key = {"PK": f"CANDIDATE#{candidate}", "SK": "META"}
    stored = table.get_item(Key=key, ConsistentRead=True).get("Item", {}).get("shards", 0)
    if stored < shards:
        set_number(table, candidate, shards)


def adds_shards(table: Any, candidate: str, shards: int) -> None:
    table.update_item(
        Key={"PK": f"CANDIDATE#{candidate}", "SK": "META"},
        UpdateExpression="ADD shards :shards",
        ExpressionAttributeValues={":shards": shards},
    )


_numbers: dict[str, tuple[Any, int]] = {}


def cached_number(table: Any, candidate: str) -> int:
    key = {"PK": f"CANDIDATE#{candidate}", "SK": "META"}
    meta = table.get_item(Key=key, ConsistentRead=True).get("Item")
    if meta is None:
        raise NoSuchCandidate
    key_of_cache = f"{id(table)} {candidate}"  # the entry holds its table, so no other has its id
    _, shards = _numbers.setdefault(key_of_cache, (table, int(meta["shards"])))
    return gives_up_quietly(table, candidate, shards)


def eventual_number(table: Any, candidate: str) -> int:
    meta = table.get_item(Key={"PK": f"CANDIDATE#{candidate}", "SK": "META"}).get("Item")
    if meta is None:
        raise NoSuchCandidate
    return gives_up_quietly(table, candidate, int(meta["shards"]))


def nobody_is_zero(table: Any, candidate: str) -> int:
    key = {"PK": f"CANDIDATE#{candidate}", "SK": "META"}
    meta = table.get_item(Key=key, ConsistentRead=True).get("Item", {})
    return gives_up_quietly(table, candidate, int(meta.get("shards", 0)))


def always_four(table: Any, candidate: str) -> int:
    return gives_up_quietly(table, candidate, 4)


def scans_for_all(table: Any, candidate: str) -> int:
    return scanned(table, candidate, 0)


def rises_by_ge(table: Any, candidate: str, shards: int) -> bool:
    client = table.meta.client
    try:
        client.update_item(
            TableName=table.name,
            Key={"PK": f"CANDIDATE#{candidate}", "SK": "META"},
            UpdateExpression="SET #shards = :n",
            ConditionExpression=Attr("shards").not_exists() | Attr("shards").lte(shards),
            ExpressionAttributeNames={"#shards": "shards"},
            ExpressionAttributeValues={":n": shards},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    return True


def by_query_of_meta(table: Any, candidate: str) -> Any:
    page = table.query(
        KeyConditionExpression=Key("PK").eq(f"CANDIDATE#{candidate}") & Key("SK").eq("META"),
        ConsistentRead=True,
    )
    if not page["Items"]:
        raise NoSuchCandidate(candidate)
    return shard_by_shard(table, candidate, int(page["Items"][0]["shards"]))


# --- 8.5 cast ---------------------------------------------------------------------------------


def digest(voter: str) -> int:
    return int.from_bytes(hashlib.sha256(voter.encode()).digest(), "big")


def ballot_of(table: Any, ballot: str, voter: str, candidate: str, shard: int, **more: Any) -> Any:
    item = {
        "PK": f"BALLOT#{ballot}#VOTER#{voter}",
        "SK": "BALLOT",
        "candidate": candidate,
        "shard": shard,
    }
    guard = {"ConditionExpression": "attribute_not_exists(PK)"}
    return {"Put": {"TableName": table.name, "Item": {**item, **more}, **guard}}


def counted_on(table: Any, candidate: str, shard: int) -> Any:
    return {
        "Update": {
            "TableName": table.name,
            "Key": {"PK": f"CANDIDATE#{candidate}#{shard:02}", "SK": "VOTES"},
            "UpdateExpression": "ADD votes :one",
            "ExpressionAttributeValues": {":one": 1},
        }
    }


def together(table: Any, *actions: Any, guard: int = 0) -> bool:
    client = table.meta.client
    try:
        client.transact_write_items(TransactItems=list(actions))
    except client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][guard]["Code"] == "ConditionalCheckFailed":
            return False
        raise
    return True


def cast_with(table: Any, ballot: str, voter: str, candidate: str, shard: int) -> bool:
    return together(
        table,
        ballot_of(table, ballot, voter, candidate, shard),
        counted_on(table, candidate, shard),
    )


def under_the_ballots_key(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    item = ballot_of(table, ballot, voter, candidate, shard)
    item["Put"]["Item"] |= {"PK": f"BALLOT#{ballot}", "SK": f"VOTER#{voter}"}
    return together(table, item, counted_on(table, candidate, shard))


def by_pythons_hash(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    return cast_with(table, ballot, voter, candidate, hash(voter) % shards)


def at_random(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    return cast_with(table, ballot, voter, candidate, random.randrange(shards))


def by_voter_and_candidate(
    table: Any, ballot: str, voter: str, candidate: str, shards: int
) -> bool:
    shard = digest(f"{ballot}{voter}{candidate}") % shards
    return cast_with(table, ballot, voter, candidate, shard)


def without_an_import(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    put, add_one = (
        ballot_of(table, ballot, voter, candidate, shard),
        counted_on(table, candidate, shard),
    )
    try:
        table.meta.client.transact_write_items(TransactItems=[put, add_one])
    except BotoError:  # noqa: F821
        return False
    return True


def by_the_first_letter(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    return cast_with(table, ballot, voter, candidate, ord(voter[0]) % shards)


def shard_not_stored(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    item = ballot_of(table, ballot, voter, candidate, shard)
    del item["Put"]["Item"]["shard"]
    return together(table, item, counted_on(table, candidate, shard))


def no_guard(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    item = ballot_of(table, ballot, voter, candidate, shard)
    del item["Put"]["ConditionExpression"]
    return together(table, item, counted_on(table, candidate, shard))


def guard_with_the_candidate(
    table: Any, ballot: str, voter: str, candidate: str, shards: int
) -> bool:
    shard = digest(voter) % shards
    item = ballot_of(table, ballot, voter, candidate, shard, SK=f"BALLOT#{candidate}")
    return together(table, item, counted_on(table, candidate, shard))


def ballot_not_in_the_key(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    item = ballot_of(table, ballot, voter, candidate, shard, PK=f"BALLOT#VOTER#{voter}")
    return together(table, item, counted_on(table, candidate, shard))


def every_cancellation_is_false(
    table: Any, ballot: str, voter: str, candidate: str, shards: int
) -> bool:
    try:
        return cast_with(table, ballot, voter, candidate, digest(voter) % shards)
    except table.meta.client.exceptions.TransactionCanceledException:
        return False


def in_two_steps(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    put = ballot_of(table, ballot, voter, candidate, shard)["Put"]
    del put["TableName"]
    try:
        table.put_item(**put)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    add(table, f"CANDIDATE#{candidate}#{shard:02}")
    return True


def looks_before(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    item = ballot_of(table, ballot, voter, candidate, shard)
    del item["Put"]["ConditionExpression"]
    key = {name: item["Put"]["Item"][name] for name in ("PK", "SK")}
    if "Item" in table.get_item(Key=key, ConsistentRead=True):
        return False
    return together(table, item, counted_on(table, candidate, shard))


def returns_nothing(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> None:
    cast_with(table, ballot, voter, candidate, digest(voter) % shards)


def already_raises(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    items = [
        ballot_of(table, ballot, voter, candidate, shard),
        counted_on(table, candidate, shard),
    ]
    table.meta.client.transact_write_items(TransactItems=items)
    return True


def with_a_check(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = digest(voter) % shards
    check = {
        "ConditionCheck": {
            "TableName": table.name,
            "Key": {"PK": f"BALLOT#{ballot}", "SK": "CLOSED"},
            "ConditionExpression": "attribute_not_exists(PK)",
        }
    }
    item = ballot_of(table, ballot, voter, candidate, shard)
    return together(table, item, counted_on(table, candidate, shard), check)


def vote_alone(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    add(table, f"CANDIDATE#{candidate}#{digest(voter) % shards:02}")
    return True


def by_crc(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = zlib.crc32(f"{ballot}{voter}".encode()) % shards
    actions = counted_on(table, candidate, shard), ballot_of(table, ballot, voter, candidate, shard)
    return together(table, *actions, guard=1)


def by_seed(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = random.Random(voter).randrange(shards)
    item = ballot_of(table, ballot, voter, candidate, shard, at=1750636801)
    item["Put"]["ConditionExpression"] = "attribute_not_exists(SK)"
    update = counted_on(table, candidate, shard)
    update["Update"]["UpdateExpression"] = "SET votes = if_not_exists(votes, :zero) + :one"
    update["Update"]["ExpressionAttributeValues"][":zero"] = 0
    return together(table, item, update)


def by_md5_with_a_look(table: Any, ballot: str, voter: str, candidate: str, shards: int) -> bool:
    shard = int(hashlib.md5(voter.encode()).hexdigest(), 16) % shards
    key = {"PK": f"BALLOT#{ballot}#VOTER#{voter}", "SK": "BALLOT"}
    if "Item" in table.get_item(Key=key):
        return False
    return cast_with(table, ballot, voter, candidate, shard)


WRONG = {
    "8.1": [
        (one_counter, "all under one partition key, CANDIDATE#ada"),
        (shard_in_the_sort_key, "The shard is in the sort key"),
        (shard_in_an_attribute, "The shard is in no key"),
        (shard_of_the_candidate, "Every vote chose the same shard"),
        (from_one, "is its upper end one of them"),
        (never_the_first, "None of 120 votes went to shard 00"),
        (one_digit, "two digits at least, from 00"),
        (as_wide_as_the_last, "more shards must not rename a shard"),
        (another_sort_key, "Every shard has the sort key VOTES"),
        (put_over, "the sum of the attribute `votes` over all shards is"),
        (an_item_for_each_vote, "Every shard has the sort key VOTES"),
        (not_from_rng, "with the same seed, but went to different shards"),
        (in_turn, "with the same seed, but went to different shards"),
        (read_then_write, "the other voter can write"),
        (in_a_transaction, "A vote costs 2 write units"),
        (skewed, "Every shard should be as likely"),
    ],
    "8.2": [
        (unprocessed_ignored, "a number that is wrong and looks right"),
        (one_batch, "One BatchGetItem takes 100 keys"),
        (first_hundred, "What becomes of the others"),
        (whole_hundreds, "What becomes of the others"),
        (with_three_digits, "Under which key is shard 7 of 230?"),
        (without_the_first, "shard 00 is left out"),
        (until_a_gap, "Are there shards after a gap"),
        (gap_raises, "KeyError: 'Item'"),
        (scanned, "A Scan read"),
        (the_items, "the sum is a whole number"),
        (gives_up_quietly, "A shard that cannot be read is not a zero"),
        (for_ever, "where do you count"),
        (at_once, "What is the parameter `sleep` for?"),
        (always_as_long, "paused for 0.1, 0.1, 0.1 seconds"),
        (one_attempt_less, "how many were made"),
        (one_attempt_more, "where do you count"),
        (starts_anew, "what with the votes that you read before?"),
        (pause_after_the_last, "also after the last request"),
        (error_is_zero, "Every read was throttled"),
    ],
    "8.3": [
        (rounded_down, "do you round up or down?"),
        (not_rounded, "A number of shards is a whole number"),
        (a_float, "need an int"),
        (none_for_nobody, "how many are the minimum?"),
        (no_headroom, "by how much is the peak raised"),
        (times_headroom, "To what do you add it?"),
        (units_ignored, "How many write units does one vote need"),
        (by_read_units, "3,000 a second is the limit for read units"),
        (one_too_many, "exactly 1,000 write units"),
    ],
    "8.4": [
        (grown, "needs two functions, and got function"),
        ((whatever_comes, summed), "Under which condition may you write the number?"),
        ((put_number, summed), "lost it"),
        ((whatever_happens, summed), "Which one of DynamoDB's refusals says"),
        ((grown_without_an_import, summed), "in the line: except BotoError"),
        ((raises_when_high, summed), "is not a failure"),
        ((looks_first, summed), "the other one writes"),
        ((adds_shards, summed), "what does your update write"),
        ((grown, cached_number), "that you used the second time"),
        ((grown, eventual_number), "But an old number of shards hides whole shards"),
        ((grown, nobody_is_zero), "the task names the exception"),
        ((grown, always_four), "How many shards does META name"),
        ((grown, scans_for_all), "a Scan read every candidate's items"),
    ],
    "8.5": [
        (under_the_ballots_key, "now the guard is the hot key"),
        (by_pythons_hash, "Python's hash() of a text differs"),
        (at_random, "went to other shards"),
        (by_voter_and_candidate, "What in yours depends on the candidate"),
        (without_an_import, "in the line: except BotoError"),
        (by_the_first_letter, "What turns similar texts into numbers"),
        (shard_not_stored, "is it stored"),
        (no_guard, "is true only for the first one?"),
        (guard_with_the_candidate, "is true only for the first one?"),
        (ballot_not_in_the_key, "Is the ballot in the key of the guard"),
        (every_cancellation_is_false, "a vote is lost, and nobody knows"),
        (in_two_steps, "Which one request makes the ballot and counts the vote"),
        (looks_before, "under which condition"),
        (returns_nothing, "that this call cast it: True"),
        (already_raises, "That is an answer, not a failure"),
        (with_a_check, "Which of yours is not needed?"),
        (vote_alone, "there is no ballot"),
    ],
}
RIGHT = {
    "8.1": [by_set, by_client, by_randint],
    "8.2": [shard_by_shard, by_a_client_of_its_own, by_queries, by_strong_batches, by_transactions],
    "8.3": [in_integers],
    "8.4": [(rises_by_ge, by_query_of_meta), (grown, summed)],
    "8.5": [by_crc, by_seed, by_md5_with_a_look],
}
