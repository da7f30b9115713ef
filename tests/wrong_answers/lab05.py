"""Answers to lab 05."""

from __future__ import annotations

import math
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import TypeDeserializer
from botocore.exceptions import ClientError

MILLISECOND = timedelta(milliseconds=1)


class NoSuchGame(Exception):
    """There is no game with this id."""


def right_status_date(status: str, when: datetime) -> str:
    if "#" in status or when.utcoffset() is None:
        raise ValueError(status, when)
    text = when.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
    return f"{status}#{text}Z"


def all_pages(table: Any, **request: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    page: dict[str, Any] = {}
    while not found or "LastEvaluatedKey" in page:
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if page else {}
        page = table.query(**request, **start)
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
    return found


def by(index: str, condition: Any, **more: Any) -> dict[str, Any]:
    return {"IndexName": index, "KeyConditionExpression": condition, **more}


def against(opponent: str) -> Any:
    return Key("opponent").eq(opponent)


def pending_of(opponent: str, prefix: str = "PENDING#") -> Any:
    return against(opponent) & Key("statusDate").begins_with(prefix)


IS_PENDING: dict[str, Any] = {"FilterExpression": Attr("status").eq("PENDING")}
NEWEST = {"ScanIndexForward": False}


# --- 5.1 pending_filtered ---------------------------------------------------------------------


def filter_first_page(table: Any, opponent: str) -> Any:
    return table.query(**by("byDate", against(opponent), **IS_PENDING, **NEWEST))["Items"]


def until_an_empty_page(table: Any, opponent: str) -> Any:
    found: list[Any] = []
    request = by("byDate", against(opponent), **IS_PENDING, **NEWEST)
    page = table.query(**request)
    while page["Items"]:
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        page = table.query(**request, ExclusiveStartKey=page["LastEvaluatedKey"])
    return found


def filter_oldest_first(table: Any, opponent: str) -> Any:
    return all_pages(table, **by("byDate", against(opponent), **IS_PENDING))


def filter_by_prefix(table: Any, opponent: str) -> Any:
    pending = Attr("statusDate").begins_with("PENDING")
    request = by("byDate", against(opponent), FilterExpression=pending, **NEWEST)
    return all_pages(table, **request)


def filter_forgotten(table: Any, opponent: str) -> Any:
    return all_pages(table, **by("byDate", against(opponent), **NEWEST))


def filter_in_a_scan(table: Any, opponent: str) -> Any:
    page = table.scan(FilterExpression=Attr("opponent").eq(opponent) & Attr("status").eq("PENDING"))
    return sorted(page["Items"], key=lambda game: game["createdAt"], reverse=True)


def filter_not_needed(table: Any, opponent: str) -> Any:
    return all_pages(table, **by("byStatusDate", pending_of(opponent), **NEWEST))


def filter_reserved_word(table: Any, opponent: str) -> Any:
    return table.query(
        IndexName="byDate",
        KeyConditionExpression="opponent = :who",
        FilterExpression="status = :pending",
        ExpressionAttributeValues={":who": opponent, ":pending": "PENDING"},
    )["Items"]


def filter_the_reply(table: Any, opponent: str) -> Any:
    return table.query(**by("byDate", against(opponent), **IS_PENDING, **NEWEST))


def filter_ids_only(table: Any, opponent: str) -> Any:
    return [game["PK"] for game in right_filtered(table, opponent)]


def filter_a_generator(table: Any, opponent: str) -> Any:
    return (game for game in right_filtered(table, opponent))


def filter_consistent(table: Any, opponent: str) -> Any:
    request = by("byDate", against(opponent), **IS_PENDING, **NEWEST)
    return all_pages(table, **request, ConsistentRead=True)


def right_filtered(table: Any, opponent: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    start: dict[str, Any] = {}
    while True:
        page = table.query(
            IndexName="byDate",
            KeyConditionExpression="opponent = :who",
            FilterExpression="#s = :pending",
            ExpressionAttributeNames={"#s": "status"},
            ExpressionAttributeValues={":who": opponent, ":pending": "PENDING"},
            ScanIndexForward=False,
            **start,
        )
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            return found
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def filtered_by_paginator(table: Any, opponent: str) -> Any:
    pages = table.meta.client.get_paginator("query").paginate(
        TableName=table.name, **by("byDate", against(opponent), **IS_PENDING, **NEWEST)
    )
    return [game for page in pages for game in page["Items"]]


def filtered_in_python(table: Any, opponent: str) -> Any:
    games, start = [], {}
    while True:
        page = table.query(**by("byDate", against(opponent)), **start)
        games += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    return [game for game in reversed(games) if game["status"] == "PENDING"]


def filtered_with_small_pages(table: Any, opponent: str) -> Any:
    request = by("byDate", against(opponent), **NEWEST, Limit=2)
    request["FilterExpression"] = Attr("statusDate").begins_with("PENDING#")
    found, page = [], {"LastEvaluatedKey": None}
    while "LastEvaluatedKey" in page:
        start = {"ExclusiveStartKey": last} if (last := page["LastEvaluatedKey"]) else {}
        page = table.query(**request, **start)
        found += page["Items"]
    return found


def filtered_by_low_level_client(table: Any, opponent: str) -> Any:
    pages = (
        boto3.client("dynamodb")
        .get_paginator("query")
        .paginate(
            TableName=table.name,
            IndexName="byDate",
            KeyConditionExpression="opponent = :who",
            FilterExpression="#s = :pending",
            ExpressionAttributeNames={"#s": "status"},
            ExpressionAttributeValues={":who": {"S": opponent}, ":pending": {"S": "PENDING"}},
            ScanIndexForward=False,
        )
    )
    plain = TypeDeserializer().deserialize
    return [{k: plain(v) for k, v in game.items()} for page in pages for game in page["Items"]]


def filtered_typed(table: Any, opponent: str) -> Any:
    return boto3.client("dynamodb").query(
        TableName=table.name,
        IndexName="byDate",
        KeyConditionExpression="opponent = :who",
        ExpressionAttributeValues={":who": {"S": opponent}},
    )["Items"]


# --- 5.2 status_date ------------------------------------------------------------------------------


def checked(status: str, when: datetime) -> datetime:
    if "#" in status:
        raise ValueError(status)
    if when.tzinfo is None:
        raise ValueError(when)
    return when.astimezone(UTC)


def date_as_it_comes(status: str, when: datetime) -> str:
    return f"{status}#{checked(status, when).isoformat().replace('+00:00', 'Z')}"


def date_six_digits(status: str, when: datetime) -> str:
    return f"{status}#{checked(status, when):%Y-%m-%dT%H:%M:%S.%fZ}"


def date_with_offset(status: str, when: datetime) -> str:
    return f"{status}#{checked(status, when).isoformat(timespec='milliseconds')}"


def date_local(status: str, when: datetime) -> str:
    checked(status, when)
    return f"{status}#{when.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def date_relabelled(status: str, when: datetime) -> str:
    checked(status, when)
    text = when.replace(tzinfo=UTC).isoformat(timespec="milliseconds")
    return f"{status}#{text.replace('+00:00', 'Z')}"


def date_with_its_zone(status: str, when: datetime) -> str:
    checked(status, when)
    text = when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f"{status}#{text}"


def date_unpadded_milliseconds(status: str, when: datetime) -> str:
    utc = checked(status, when)
    return f"{status}#{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000}Z"


def date_rounded(status: str, when: datetime) -> str:
    utc = checked(status, when)
    return f"{status}#{utc:%Y-%m-%dT%H:%M:%S}.{round(utc.microsecond / 1000):03}Z"


def date_by_floats(status: str, when: datetime) -> str:
    milliseconds = int(checked(status, when).timestamp() * 1000)
    seconds, rest = divmod(milliseconds, 1000)
    utc = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    return f"{status}#{utc.isoformat(timespec='seconds')}.{rest:03}Z"


def date_by_fraction(status: str, when: datetime) -> str:
    utc = checked(status, when)
    fraction = int(utc.timestamp() % 1 * 1000)
    text = utc.replace(tzinfo=None).isoformat(timespec="seconds")
    return f"{status}#{text}.{fraction:03}Z"


def date_by_milliseconds(status: str, when: datetime) -> str:
    milliseconds = math.floor(checked(status, when).timestamp() * 1000)
    utc = datetime(1970, 1, 1) + milliseconds * MILLISECOND
    return f"{status}#{utc.isoformat(timespec='milliseconds')}Z"


def date_short_year(status: str, when: datetime) -> str:
    utc = checked(status, when)
    rest = f"{utc:%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03}Z"
    return f"{status}#{utc.year}-{rest}"


def date_with_a_space(status: str, when: datetime) -> str:
    utc = checked(status, when).replace(tzinfo=None)
    return f"{status}#{utc.isoformat(' ', timespec='milliseconds')}Z"


def date_without_status(status: str, when: datetime) -> str:
    return right_status_date(status, when).partition("#")[2]


def date_naive(status: str, when: datetime) -> str:
    if "#" in status:
        raise ValueError(status)
    utc = when.astimezone(UTC).replace(tzinfo=None)
    return f"{status}#{utc.isoformat(timespec='milliseconds')}Z"


def date_any_status(status: str, when: datetime) -> str:
    return f"{status}#{right_status_date('', when)[1:]}"


def date_type_error(status: str, when: datetime) -> str:
    if "#" in status or when.tzinfo is None:
        raise TypeError(status, when)
    return right_status_date(status, when)


def date_epoch(status: str, when: datetime) -> str:
    return f"{status}#{int(checked(status, when).timestamp() * 1000):015}"


def date_only_utc_taken(status: str, when: datetime) -> str:
    if when.tzinfo is not UTC:
        raise ValueError("UTC only")
    return right_status_date(status, when)


def date_by_parts(status: str, when: datetime) -> str:
    offset = when.utcoffset()
    if offset is None or "#" in status:
        raise ValueError(status, when)
    utc = when.replace(tzinfo=None) - offset
    return (
        f"{status}#{utc.year:04}-{utc.month:02}-{utc.day:02}T{utc.hour:02}:{utc.minute:02}:"
        f"{utc.second:02}.{utc.microsecond // 1000:03}Z"
    )


def date_by_cutting(status: str, when: datetime) -> str:
    utc = checked(status, when)
    text = utc.replace(tzinfo=None).isoformat(timespec="microseconds")
    return "#".join((status, text[:-3] + "Z"))


# --- 5.3 pending ----------------------------------------------------------------------------------


def no_delimiter(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    return table.query(**by("byStatusDate", pending_of(opponent, "PENDING"), **NEWEST), **some)[
        "Items"
    ]


def limit_with_a_filter(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    return table.query(**by("byDate", against(opponent), **IS_PENDING, **NEWEST), **some)["Items"]


def sliced_filter(table: Any, opponent: str, limit: int | None = None) -> Any:
    return right_filtered(table, opponent)[:limit]


def prefix_and_filter(table: Any, opponent: str, limit: int | None = None) -> Any:
    request = by("byStatusDate", pending_of(opponent, "PENDING"), **IS_PENDING, **NEWEST)
    return all_pages(table, **request)[:limit]


def sorted_by_status(table: Any, opponent: str, limit: int | None = None) -> Any:
    condition = against(opponent) & Key("status").eq("PENDING")
    games = all_pages(table, **by("byStatus", condition))
    return sorted(games, key=lambda game: game["createdAt"], reverse=True)[:limit]


def limited_then_sorted(table: Any, opponent: str, limit: int | None = None) -> Any:
    condition = against(opponent) & Key("status").eq("PENDING")
    some = {} if limit is None else {"Limit": limit}
    games = table.query(**by("byStatus", condition), **some)["Items"]
    return sorted(games, key=lambda game: game["createdAt"], reverse=True)


def limited_then_reversed(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    return table.query(**by("byStatusDate", pending_of(opponent)), **some)["Items"][::-1]


def reversed_then_sliced(table: Any, opponent: str, limit: int | None = None) -> Any:
    return all_pages(table, **by("byStatusDate", pending_of(opponent)))[::-1][:limit]


def sliced_only(table: Any, opponent: str, limit: int | None = None) -> Any:
    return all_pages(table, **by("byStatusDate", pending_of(opponent), **NEWEST))[:limit]


def oldest_first(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    return table.query(**by("byStatusDate", pending_of(opponent)), **some)["Items"]


def first_page(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    return table.query(**by("byStatusDate", pending_of(opponent), **NEWEST), **some)["Items"]


def limit_on_each_page(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    found: list[Any] = []
    page: dict[str, Any] = {"LastEvaluatedKey": None}
    while "LastEvaluatedKey" in page and (limit is None or len(found) < limit):
        start = {"ExclusiveStartKey": last} if (last := page["LastEvaluatedKey"]) else {}
        page = table.query(**by("byStatusDate", pending_of(opponent), **NEWEST), **some, **start)
        found += page["Items"]
    return found


def limit_as_page_size(table: Any, opponent: str, limit: int | None = None) -> Any:
    some = {} if limit is None else {"Limit": limit}
    return all_pages(table, **by("byStatusDate", pending_of(opponent), **NEWEST), **some)


def scanned(table: Any, opponent: str, limit: int | None = None) -> Any:
    return filter_in_a_scan(table, opponent)[:limit]


def everybody(table: Any, opponent: str, limit: int | None = None) -> Any:
    games = table.scan(IndexName="byStatusDate")["Items"]
    return [game for game in games if game["statusDate"].startswith("PENDING#")][:limit]


def never_none(table: Any, opponent: str, limit: int | None = None) -> Any:
    return right_pending(table, opponent, limit) or None


def right_pending(table: Any, opponent: str, limit: int | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    request = by("byStatusDate", pending_of(opponent), **NEWEST)
    while limit is None or len(found) < limit:
        if limit is not None:
            request["Limit"] = limit - len(found)
        page = table.query(**request)
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    return found


def pending_by_range(table: Any, opponent: str, limit: int | None = None) -> Any:
    condition = against(opponent) & Key("statusDate").between("PENDING#", "PENDING#9999-99")
    request = by("byStatusDate", condition, **NEWEST)
    some = {} if limit is None else {"Limit": limit}
    page = table.query(**request, **some)
    found = page["Items"]
    while "LastEvaluatedKey" in page and (limit is None or len(found) < limit):
        page = table.query(**request, **some, ExclusiveStartKey=page["LastEvaluatedKey"])
        found += page["Items"]
    return found if limit is None else found[:limit]


def pending_by_paginator(table: Any, opponent: str, limit: int | None = None) -> Any:
    pages = table.meta.client.get_paginator("query").paginate(
        TableName=table.name,
        **by("byStatusDate", pending_of(opponent), **NEWEST),
        PaginationConfig={"MaxItems": limit, "PageSize": limit},
    )
    return [game for page in pages for game in page["Items"]]


def pending_newest_by_key_conditions(table: Any, opponent: str, limit: int | None = None) -> Any:
    """By words in place of conditions."""
    start: dict[str, Any] = {}
    found: list[Any] = []
    while True:
        if limit is not None:
            start["Limit"] = limit - len(found)
        page = table.query(
            IndexName="byStatusDate",
            Select="ALL_PROJECTED_ATTRIBUTES",
            KeyConditionExpression="#o = :o AND begins_with(#k, :p)",
            ExpressionAttributeNames={"#o": "opponent", "#k": "statusDate"},
            ExpressionAttributeValues={":o": opponent, ":p": "PENDING#"},
            ScanIndexForward=False,
            **start,
        )
        found.extend(page["Items"])
        if len(found) == limit or not page.get("LastEvaluatedKey"):
            return found
        start["ExclusiveStartKey"] = page["LastEvaluatedKey"]


# --- 5.4 pending_between --------------------------------------------------------------------------


def between(table: Any, opponent: str, low: str, high: str) -> list[dict[str, Any]]:
    condition = against(opponent) & Key("statusDate").between(low, high)
    return all_pages(table, **by("byStatusDate", condition, **NEWEST))


def refuse_reversed(start: datetime, end: datetime) -> None:
    if pending_key(end) < pending_key(start):
        raise ValueError(start, end)


def pending_key(when: datetime) -> str:
    return right_status_date("PENDING", when)


def end_included(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    return between(table, opponent, pending_key(start), pending_key(end))


def start_left_out(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    if start == end:
        return []
    low, high = pending_key(start + MILLISECOND), pending_key(end - MILLISECOND)
    return between(table, opponent, low, high) if low <= high else []


def a_second_before_the_end(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    low, high = pending_key(start), pending_key(end - timedelta(seconds=1))
    return between(table, opponent, low, high) if low <= high else []


def never_empty(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    return between(table, opponent, pending_key(start), pending_key(end - MILLISECOND))


def empty_where_reversed(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    if end <= start:
        pending_key(start)
        return []
    return between(table, opponent, pending_key(start), pending_key(end - MILLISECOND))


def dynamodb_says_so(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    if end == start:
        return []
    return between(table, opponent, pending_key(start), pending_key(end - MILLISECOND))


def compared_as_text(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    if end.isoformat() < start.isoformat():
        raise ValueError(start, end)
    return right_between(table, opponent, start, end)


def interval_in_python(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    low, high = pending_key(start), pending_key(end)
    games = right_pending(table, opponent)
    return [game for game in games if low <= game["statusDate"] < high]


def interval_by_date(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    if start == end:
        pending_key(start)
        return []
    low, high = (pending_key(each)[8:] for each in (start, end - MILLISECOND))
    condition = against(opponent) & Key("createdAt").between(low, high)
    return all_pages(table, **by("byDate", condition, **IS_PENDING, **NEWEST))


def from_the_start_on(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    condition = against(opponent) & Key("statusDate").gte(pending_key(start))
    games = all_pages(table, **by("byStatusDate", condition, **NEWEST))
    high = pending_key(end)
    return [game for game in games if game["statusDate"] < high]


def two_conditions(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    condition = (
        against(opponent)
        & Key("statusDate").gte(pending_key(start))
        & Key("statusDate").lt(pending_key(end))
    )
    return all_pages(table, **by("byStatusDate", condition, **NEWEST))


def zone_taken_for_granted(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    start, end = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in (start, end))
    return right_between(table, opponent, start, end)


def interval_first_page(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    low, high = pending_key(start), pending_key(end)
    if low == high:
        return []
    condition = against(opponent) & Key("statusDate").between(low, pending_key(end - MILLISECOND))
    return table.query(**by("byStatusDate", condition, **NEWEST))["Items"]


def interval_oldest_first(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    return right_between(table, opponent, start, end)[::-1]


def same_instant_alone(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    refuse_reversed(start, end)
    if start == end:
        return []
    return between(table, opponent, pending_key(start), pending_key(end - MILLISECOND))


def reversed_by_microseconds(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    if end < start:
        raise ValueError(start, end)
    return right_between(table, opponent, start, end)


def right_between(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    low, high = pending_key(start), pending_key(end)
    refuse_reversed(start, end)
    if low == high:
        return []
    return between(table, opponent, low, pending_key(end - MILLISECOND))


def end_taken_out_again(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    low, high = pending_key(start), pending_key(end)
    if high < low:
        raise ValueError(start, end)
    found = between(table, opponent, low, high)
    return [game for game in found if game["statusDate"] < high]


def end_filtered_out(table: Any, opponent: str, start: datetime, end: datetime) -> Any:
    low, high = pending_key(start), pending_key(end)
    if high < low:
        raise ValueError(start, end)
    condition = against(opponent) & Key("statusDate").between(low, high)
    before = Attr("createdAt").lt(high.partition("#")[2])
    return all_pages(table, **by("byStatusDate", condition, FilterExpression=before, **NEWEST))


# --- 5.5 accept -----------------------------------------------------------------------------------


def accepted(
    table: Any,
    game_id: str,
    when: datetime,
    condition: Any = None,
    expression: str = "SET #s = :active, statusDate = :since",
) -> None:
    values = {":active": "ACTIVE"}
    if ":since" in expression:
        values[":since"] = right_status_date("ACTIVE", when)
    condition = Attr("status").eq("PENDING") if condition is None else condition
    table.update_item(
        Key={"PK": game_id},
        UpdateExpression=expression,
        ConditionExpression=condition,
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues=values,
    )


def exists(table: Any, game_id: str) -> None:
    if "Item" not in table.get_item(Key={"PK": game_id}, ConsistentRead=True):
        raise NoSuchGame(game_id)


def answered(table: Any, game_id: str, when: datetime, **how: Any) -> bool:
    try:
        accepted(table, game_id, when, **how)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        exists(table, game_id)
        return False
    return True


def accept_status_alone(table: Any, game_id: str, when: datetime) -> bool:
    return answered(table, game_id, when, expression="SET #s = :active")


def accept_in_two_updates(table: Any, game_id: str, when: datetime) -> bool:
    if not answered(table, game_id, when, expression="SET #s = :active"):
        return False
    table.update_item(
        Key={"PK": game_id},
        UpdateExpression="SET statusDate = :since",
        ExpressionAttributeValues={":since": right_status_date("ACTIVE", when)},
    )
    return True


def accept_since_created(table: Any, game_id: str, when: datetime) -> bool:
    item = table.get_item(Key={"PK": game_id}).get("Item")
    if item is None:
        raise NoSuchGame(game_id)
    created = datetime.fromisoformat(item["createdAt"].replace("Z", "+00:00"))
    return answered(table, game_id, created)


def accept_now(table: Any, game_id: str, when: datetime) -> bool:
    return answered(table, game_id, datetime(2031, 1, 1, tzinfo=UTC))


def accept_looked_first(table: Any, game_id: str, when: datetime) -> bool:
    item = table.get_item(Key={"PK": game_id}, ConsistentRead=True).get("Item")
    if item is None:
        raise NoSuchGame(game_id)
    if item["status"] != "PENDING":
        return False
    accepted(table, game_id, when, condition=Attr("PK").exists())
    return True


def accept_without_condition(table: Any, game_id: str, when: datetime) -> bool:
    exists(table, game_id)
    accepted(table, game_id, when, condition=Attr("PK").exists())
    return True


def accept_unguarded(table: Any, game_id: str, when: datetime) -> bool:
    item = table.get_item(Key={"PK": game_id}, ConsistentRead=True).get("Item", {})
    if item.get("status", "PENDING") != "PENDING":
        return False
    accepted(table, game_id, when, condition=Attr("PK").exists() | Attr("PK").not_exists())
    return True


def accept_by_put(table: Any, game_id: str, when: datetime) -> bool:
    item = table.get_item(Key={"PK": game_id}, ConsistentRead=True).get("Item")
    if item is None:
        raise NoSuchGame(game_id)
    item |= {"status": "ACTIVE", "statusDate": right_status_date("ACTIVE", when)}
    try:
        table.put_item(Item=item, ConditionExpression=Attr("status").eq("PENDING"))
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def accept_by_new_item(table: Any, game_id: str, when: datetime) -> bool:
    item = {
        "PK": game_id,
        "status": "ACTIVE",
        "statusDate": right_status_date("ACTIVE", when),
    }
    try:
        table.put_item(Item=item, ConditionExpression=Attr("status").eq("PENDING"))
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        exists(table, game_id)
        return False
    return True


def accept_by_prefix(table: Any, game_id: str, when: datetime) -> bool:
    return answered(table, game_id, when, condition=Attr("statusDate").begins_with("PENDING"))


def accept_false_for_all(table: Any, game_id: str, when: datetime) -> bool:
    try:
        accepted(table, game_id, when)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def accept_no_such_game_for_all(table: Any, game_id: str, when: datetime) -> bool:
    try:
        accepted(table, game_id, when)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        raise NoSuchGame(game_id) from None
    return True


def accept_swallows(table: Any, game_id: str, when: datetime) -> bool:
    try:
        accepted(table, game_id, when)
    except ClientError:
        with suppress(ClientError):
            exists(table, game_id)
        return False
    return True


def accept_asks_and_says_false(table: Any, game_id: str, when: datetime) -> bool:
    try:
        accepted(table, game_id, when)
    except ClientError:
        exists(table, game_id)
        return False
    return True


def accept_without_an_import(table: Any, game_id: str, when: datetime) -> bool:
    try:
        accepted(table, game_id, when)
    except BotoError:  # noqa: F821
        return False
    return True


def accept_returns_nothing(table: Any, game_id: str, when: datetime) -> None:
    answered(table, game_id, when)


def accept_reserved_word(table: Any, game_id: str, when: datetime) -> bool:
    table.update_item(
        Key={"PK": game_id},
        UpdateExpression="SET status = :active",
        ExpressionAttributeValues={":active": "ACTIVE"},
    )
    return True


def accept_old_image(table: Any, game_id: str, when: datetime) -> bool:
    try:
        table.update_item(
            Key={"PK": game_id},
            UpdateExpression="SET statusDate = :since, #s = :active",
            ConditionExpression="begins_with(statusDate, :pending)",
            ExpressionAttributeNames={"#s": "status"},
            ExpressionAttributeValues={
                ":since": right_status_date("ACTIVE", when),
                ":active": "ACTIVE",
                ":pending": "PENDING#",
            },
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        if not error.response.get("Item"):
            raise NoSuchGame(game_id) from error
        return False
    return True


def accept_read_first_and_guarded(table: Any, game_id: str, when: datetime) -> bool:
    item = table.get_item(Key={"PK": game_id}).get("Item")
    if item is None:
        raise NoSuchGame(game_id)
    if item["status"] != "PENDING":
        return False
    try:
        accepted(table, game_id, when, condition=Attr("statusDate").eq(item["statusDate"]))
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def accept_by_low_level_client(table: Any, game_id: str, when: datetime) -> bool:
    client = boto3.client("dynamodb")
    try:
        client.update_item(
            TableName=table.name,
            Key={"PK": {"S": game_id}},
            UpdateExpression="SET #s = :active, statusDate = :since",
            ConditionExpression="#s = :pending",
            ExpressionAttributeNames={"#s": "status"},
            ExpressionAttributeValues={
                ":active": {"S": "ACTIVE"},
                ":since": {"S": right_status_date("ACTIVE", when)},
                ":pending": {"S": "PENDING"},
            },
        )
    except client.exceptions.ConditionalCheckFailedException:
        if "Item" not in client.get_item(TableName=table.name, Key={"PK": {"S": game_id}}):
            raise NoSuchGame(game_id) from None
        return False
    return True


def accept_in_a_transaction(table: Any, game_id: str, when: datetime) -> bool:
    client = table.meta.client
    update = {
        "TableName": table.name,
        "Key": {"PK": game_id},
        "UpdateExpression": "SET #s = :active, statusDate = :since",
        "ConditionExpression": "#s = :pending",
        "ExpressionAttributeNames": {"#s": "status"},
        "ExpressionAttributeValues": {
            ":active": "ACTIVE",
            ":since": right_status_date("ACTIVE", when),
            ":pending": "PENDING",
        },
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    try:
        client.transact_write_items(TransactItems=[{"Update": update}])
    except client.exceptions.TransactionCanceledException as error:
        [reason] = error.response["CancellationReasons"]
        if reason["Code"] != "ConditionalCheckFailed":
            raise
        if "Item" not in reason:
            raise NoSuchGame(game_id) from error
        return False
    return True


# --- 5.6 move -------------------------------------------------------------------------------------


def keys(opponent: str, game_id: str, created_at: datetime, when: datetime) -> Any:
    return tuple(
        {"PK": opponent, "SK": f"{right_status_date(status, at)}#{game_id}"}
        for status, at in (("PENDING", created_at), ("ACTIVE", when))
    )


def read(table: Any, key: dict[str, str]) -> dict[str, Any] | None:
    item: dict[str, Any] | None = table.get_item(Key=key, ConsistentRead=True).get("Item")
    return item


def moved(item: dict[str, Any], new: dict[str, str]) -> dict[str, Any]:
    return {**item, **new, "status": "ACTIVE", "version": item["version"] + 1}


def delete_of(table: Any, key: dict[str, str], **guard: Any) -> dict[str, Any]:
    return {"Delete": {"TableName": table.name, "Key": key, **guard}}


def put_of(table: Any, item: dict[str, Any], **guard: Any) -> dict[str, Any]:
    return {"Put": {"TableName": table.name, "Item": item, **guard}}


def seen(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "ConditionExpression": "version = :seen",
        "ExpressionAttributeValues": {":seen": item["version"]},
    }


EXISTS = {"ConditionExpression": "attribute_exists(PK)"}


def transacted(table: Any, *actions: dict[str, Any]) -> bool:
    """False where a condition failed."""
    client = table.meta.client
    try:
        client.transact_write_items(TransactItems=list(actions))
    except client.exceptions.TransactionCanceledException as error:
        codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
        if "ConditionalCheckFailed" not in codes:
            raise
        return False
    return True


def move_by_update(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    table.update_item(
        Key=old,
        UpdateExpression="SET SK = :new",
        ExpressionAttributeValues={":new": new["SK"]},
    )
    return True


def move_put_then_delete(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    table.put_item(Item=moved(item, new))
    table.delete_item(Key=old)
    return True


def move_delete_then_put(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    item = table.delete_item(Key=old, ReturnValues="ALL_OLD").get("Attributes")
    if item is None:
        return False
    table.put_item(Item=moved(item, new))
    return True


def move_in_a_batch(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    with table.batch_writer() as batch:
        batch.put_item(Item=moved(item, new))
        batch.delete_item(Key=old)
    return True


def move_unguarded(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    return transacted(table, delete_of(table, old), put_of(table, moved(item, new)))


def move_if_it_exists(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    return transacted(table, delete_of(table, old, **EXISTS), put_of(table, moved(item, new)))


def move_if_still_pending(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    guard = {
        "ConditionExpression": "#s = :pending",
        "ExpressionAttributeNames": {"#s": "status"},
        "ExpressionAttributeValues": {":pending": "PENDING"},
    }
    return transacted(table, delete_of(table, old, **guard), put_of(table, moved(item, new)))


def move_guards_the_put(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    guard = {"ConditionExpression": "attribute_not_exists(PK)"}
    return transacted(table, delete_of(table, old), put_of(table, moved(item, new), **guard))


def move_gives_up(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    return transacted(table, delete_of(table, old, **seen(item)), put_of(table, moved(item, new)))


def move_raises(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    actions = [delete_of(table, old, **seen(item)), put_of(table, moved(item, new))]
    table.meta.client.transact_write_items(TransactItems=actions)
    return True


def move_new_item(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    fresh = {**new, "status": "ACTIVE", "version": item["version"] + 1}
    return transacted(table, delete_of(table, old, **seen(item)), put_of(table, fresh))


def move_key_alone(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    item = {**item, **new, "version": item["version"] + 1}
    return transacted(table, delete_of(table, old), put_of(table, item))


def move_same_version(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    item = {**item, **new, "status": "ACTIVE"}
    return transacted(table, delete_of(table, old, **seen(item)), put_of(table, item))


def move_loses_the_id(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    new = {**new, "SK": right_status_date("ACTIVE", when)}
    return transacted(table, delete_of(table, old, **seen(item)), put_of(table, moved(item, new)))


def move_keeps_the_old(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    if (item := read(table, old)) is None:
        return False
    table.put_item(Item=moved(item, new))
    return True


def move_makes_one_up(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    item = read(table, old) or {"version": 0, "board": "", "chat": []}
    return transacted(table, delete_of(table, old), put_of(table, moved(item, new)))


def move_any_cancellation_is_false(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    try:
        return right_move(table, opponent, game_id, created_at, when)
    except table.meta.client.exceptions.TransactionCanceledException:
        return False


def move_until_it_works(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    while True:
        with suppress(Exception):
            return right_move(table, opponent, game_id, created_at, when)


def move_reads_what_was(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    while (item := table.get_item(Key=old).get("Item")) is not None:
        put = put_of(table, moved(item, new))
        if transacted(table, put, delete_of(table, old, **seen(item))):
            return True
    return False


def move_returns_nothing(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> None:
    right_move(table, opponent, game_id, created_at, when)


def right_move(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    while (item := read(table, old)) is not None:
        put = put_of(table, moved(item, new))
        if transacted(table, put, delete_of(table, old, **seen(item))):
            return True
    return False


def move_with_two_guards(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    for _ in range(5):
        item = table.get_item(Key=old).get("Item") or read(table, old)
        if not item:
            return False
        guard = {"ConditionExpression": "attribute_not_exists(SK)"}
        if transacted(
            table,
            delete_of(table, old, **seen(item)),
            put_of(table, moved(item, new), **guard),
        ):
            return True
    raise RuntimeError("the game changes all the time")


def move_compares_everything(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    old, new = keys(opponent, game_id, created_at, when)
    while (item := read(table, old)) is not None:
        names = {f"#{n}": name for n, name in enumerate(item)}
        values = {f":{n}": value for n, value in enumerate(item.values())}
        guard = {
            "ConditionExpression": " AND ".join(f"#{n} = :{n}" for n in range(len(item))),
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values,
        }
        if transacted(table, delete_of(table, old, **guard), put_of(table, moved(item, new))):
            return True
    return False


def move_by_low_level_client(
    table: Any, opponent: str, game_id: str, created_at: datetime, when: datetime
) -> bool:
    client = boto3.client("dynamodb")
    old, new = (
        {name: {"S": text} for name, text in key.items()}
        for key in keys(opponent, game_id, created_at, when)
    )
    while True:
        reply = client.get_item(TableName=table.name, Key=old, ConsistentRead=True)
        if "Item" not in reply:
            return False
        item, version = reply["Item"], reply["Item"]["version"]
        later = {"N": str(int(version["N"]) + 1)}
        fresh = {**item, **new, "status": {"S": "ACTIVE"}, "version": later}
        guard = {
            "ConditionExpression": "version = :v",
            "ExpressionAttributeValues": {":v": version},
        }
        if transacted_by(client, delete_of(table, old, **guard), put_of(table, fresh)):
            return True


def transacted_by(client: Any, *actions: dict[str, Any]) -> bool:
    try:
        client.transact_write_items(TransactItems=list(actions))
    except client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] != "ConditionalCheckFailed":
            raise
        return False
    return True


WRONG = {
    "5.1": [
        (filter_first_page, "nothing is left to read"),
        (until_an_empty_page, "nothing is left to read"),
        (filter_oldest_first, "the oldest first"),
        (filter_by_prefix, "whose status is PENDING_REVIEW"),
        (filter_forgotten, "Which condition leaves out what is not pending?"),
        (filter_in_a_scan, "A Scan read"),
        (filter_not_needed, "asked byStatusDate"),
        (filter_reserved_word, "Which parameter says what #s means?"),
        (filter_the_reply, "returned a dict"),
        (filter_ids_only, "with str 'GAME#3c55' in it"),
        (filter_a_generator, "returned generator"),
        (filter_consistent, "Consistent reads are not supported"),
        (filtered_typed, "returned typed items"),
    ],
    "5.2": [
        (date_as_it_comes, "A point sorts before a Z"),
        (date_six_digits, "How many digits must the milliseconds always have here?"),
        (date_with_offset, "What does isoformat write in its place?"),
        (date_local, "What is that instant in UTC?"),
        (date_relabelled, "What is that instant in UTC?"),
        (date_with_its_zone, "so it is sorted by local time"),
        (date_unpadded_milliseconds, "How many digits must the milliseconds always have here?"),
        (date_rounded, "Cut the milliseconds off, do not round them"),
        (date_by_floats, "in the same millisecond"),
        (date_by_fraction, "A float cannot hold every one of them exactly"),
        (date_short_year, "How many digits does that year have"),
        (date_with_a_space, "how does the docstring write it?"),
        (date_without_status, "Status, then #"),
        (date_naive, "a datetime without a zone"),
        (date_any_status, "gets three parts"),
        (date_type_error, "from which exception"),
        (date_epoch, "how does the docstring write it?"),
        (date_only_utc_taken, "What else do you refuse?"),
    ],
    "5.3": [
        (no_delimiter, "Where does a status end in a composite key?"),
        (limit_with_a_filter, "before any filter"),
        (sliced_filter, "but read 48 games of byDate"),
        (prefix_and_filter, "but read 24 games of byStatusDate"),
        (sorted_by_status, "but read 12 games of byStatus"),
        (limited_then_sorted, "At which end are the newest games?"),
        (limited_then_reversed, "At which end are the newest games?"),
        (reversed_then_sliced, "where does DynamoDB stop reading?"),
        (sliced_only, "where does DynamoDB stop reading?"),
        (oldest_first, "the oldest first"),
        (first_page, "That is the first page"),
        (limit_on_each_page, "Each page has a Limit of its own"),
        (limit_as_page_size, "limit is the largest number of games that the caller wants"),
        (scanned, "A Scan read"),
        (everybody, "A Scan read"),
        (never_none, "pending returned None"),
    ],
    "5.4": [
        (end_included, "BETWEEN includes both of its bounds"),
        (start_left_out, "The start is in"),
        (a_second_before_the_end, "the last key before the end"),
        (never_empty, "In which case do you need no request?"),
        (empty_where_reversed, "An empty list looks like an answer"),
        (dynamodb_says_so, "before DynamoDB does"),
        (compared_as_text, "do not say which instant is earlier"),
        (interval_in_python, "where does DynamoDB stop reading?"),
        (interval_by_date, "games of byDate"),
        (from_the_start_on, "but read 24 games of byStatusDate"),
        (two_conditions, "must only contain one condition per key"),
        (zone_taken_for_granted, "accepted them"),
        (interval_first_page, "That is the first page"),
        (interval_oldest_first, "the oldest first"),
        (same_instant_alone, "in the same millisecond"),
    ],
    "5.5": [
        (accept_status_alone, "What changes together with the status?"),
        (accept_in_two_updates, "How many updates does it take"),
        (accept_since_created, "Since when is it active?"),
        (accept_now, "of which instant?"),
        (accept_looked_first, "in the same step as the write"),
        (accept_without_condition, "The second call changes nothing"),
        (accept_unguarded, "UpdateItem creates what it does not find"),
        (accept_by_put, "Which operation names only what it changes?"),
        (accept_by_new_item, "other attributes are lost"),
        (accept_by_prefix, "PENDING_REVIEW begins with PENDING too"),
        (accept_false_for_all, "How can you learn which it was?"),
        (accept_no_such_game_for_all, "another call was faster"),
        (accept_swallows, "says that the condition failed?"),
        (accept_asks_and_says_false, "says that the condition failed?"),
        (accept_without_an_import, "in the line: except BotoError"),
        (accept_returns_nothing, "returned None"),
        (accept_reserved_word, "Which parameter says what #s means?"),
    ],
    "5.6": [
        (move_by_update, "Which two actions move an item to another key?"),
        (move_put_then_delete, "Which one request carries the delete and the put?"),
        (move_delete_then_put, "Which one request carries the delete and the put?"),
        (move_in_a_batch, "it takes no condition"),
        (move_unguarded, "What did B's update change"),
        (move_if_it_exists, "What did B's update change"),
        (move_if_still_pending, "What did B's update change"),
        (move_guards_the_put, "What did B's update change"),
        (move_gives_up, "A returned False, and the game is PENDING"),
        (move_raises, "A raised TransactionCanceledException"),
        (move_new_item, "other attributes are lost"),
        (move_key_alone, "Where else is the status stored?"),
        (move_same_version, "Each change adds one to it"),
        (move_loses_the_id, "and its own id"),
        (move_keeps_the_old, "What happens to the item at the old key?"),
        (move_makes_one_up, "A Put creates an item in any case"),
        (move_any_cancellation_is_false, "cancelled with TransactionConflict"),
        (move_until_it_works, "Which of DynamoDB's refusals is a reason to read again"),
        (move_reads_what_was, "Which read is never out of date?"),
        (move_returns_nothing, "returned None"),
    ],
}
RIGHT = {
    "5.1": [
        right_filtered,
        filtered_by_paginator,
        filtered_in_python,
        filtered_with_small_pages,
        filtered_by_low_level_client,
    ],
    "5.2": [right_status_date, date_by_parts, date_by_cutting, date_by_milliseconds],
    "5.3": [
        right_pending,
        pending_by_range,
        pending_by_paginator,
        pending_newest_by_key_conditions,
    ],
    "5.4": [right_between, reversed_by_microseconds, end_taken_out_again, end_filtered_out],
    "5.5": [
        answered,
        accept_old_image,
        accept_read_first_and_guarded,
        accept_by_low_level_client,
        accept_in_a_transaction,
    ],
    "5.6": [
        right_move,
        move_with_two_guards,
        move_compares_everything,
        move_by_low_level_client,
    ],
}
