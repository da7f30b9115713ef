"""Answers to lab 11."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import TypeSerializer
from botocore.exceptions import ClientError

CHUNK_BYTES = 400_000


class ChunksMissing(Exception):
    """As the notebook defines it."""


# --- 11.1 inbox_cost --------------------------------------------------------------------------


def each_rounded(messages: int, bytes_each: int) -> float:
    return max(1, messages * math.ceil(bytes_each / 4096)) * 0.5


def strongly(messages: int, bytes_each: int) -> float:
    return max(1, math.ceil(messages * bytes_each / 4096))


def not_rounded(messages: int, bytes_each: int) -> float:
    return messages * bytes_each / 8192


def first_page(messages: int, bytes_each: int) -> float:
    return max(1, math.ceil(min(messages * bytes_each, 1_048_576) / 4096)) * 0.5


def of_a_thousand(messages: int, bytes_each: int) -> float:
    return max(1, math.ceil(messages * bytes_each / 4000)) * 0.5


def nothing_for_nothing(messages: int, bytes_each: int) -> float:
    return math.ceil(messages * bytes_each / 4096) * 0.5


def pages_and_units(messages: int, bytes_each: int) -> Any:
    return 13, 1600


def at_least_one(messages: int, bytes_each: int) -> float:
    return max(1, math.ceil(messages * bytes_each / 4096) / 2)


def what_is_shown(messages: int, bytes_each: int) -> float:
    return math.ceil(messages * 40 / 4096) / 2


def as_a_fraction(messages: int, bytes_each: int) -> Fraction:
    return max(Fraction(1, 2), Fraction(math.ceil(messages * bytes_each / 4096), 2))


def page_by_page(messages: int, bytes_each: int) -> float:
    if messages == 0:
        return 0.5
    on_page = max(1, 1_048_576 // bytes_each)
    units = 0.0
    while messages > 0:
        count = min(messages, on_page)
        units += -(-count * bytes_each // 4096) / 2
        messages -= count
    return units


# --- 11.2 deliver -----------------------------------------------------------------------------


def header(user_id: str, message_id: str, at: int, sender: str, subject: str) -> dict[str, Any]:
    return {
        "PK": f"INBOX#{user_id}",
        "SK": f"MSG#{at:010}#{message_id}",
        "messageId": message_id,
        "sender": sender,
        "subject": subject,
        "sentAt": at,
    }


def text_of(message_id: str, body: str) -> dict[str, Any]:
    return {"PK": f"MESSAGE#{message_id}", "SK": "BODY", "body": body}


def header_first(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))
    bodies.put_item(Item=text_of(message_id, body))


def in_a_transaction(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    items = [
        (inbox.name, header(user_id, message_id, at, sender, subject)),
        (bodies.name, text_of(message_id, body)),
    ]
    actions: Any = [{"Put": {"TableName": name, "Item": item}} for name, item in items]
    inbox.meta.client.transact_write_items(TransactItems=actions)


def in_a_batch(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    put_header = {"PutRequest": {"Item": header(user_id, message_id, at, sender, subject)}}
    inbox.meta.client.batch_write_item(
        RequestItems={
            bodies.name: [{"PutRequest": {"Item": text_of(message_id, body)}}],
            inbox.name: [put_header],
        }
    )


def text_in_both(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    inbox.put_item(Item={**header(user_id, message_id, at, sender, subject), "body": body})


def header_and_then_an_update(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, ""))
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))
    bodies.update_item(
        Key={"PK": f"MESSAGE#{message_id}", "SK": "BODY"},
        UpdateExpression="SET body = :body",
        ExpressionAttributeValues={":body": body},
    )


def errors_swallowed(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    try:
        bodies.put_item(Item=text_of(message_id, body))
        inbox.put_item(Item=header(user_id, message_id, at, sender, subject))
    except ClientError:
        pass


def only_once(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body), ConditionExpression="attribute_not_exists(PK)")
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def without_the_time(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    item = header(user_id, message_id, at, sender, subject)
    inbox.put_item(Item={**item, "SK": f"MSG#{message_id}"})


def without_a_subject(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    inbox.put_item(Item=header(user_id, message_id, at, sender, sender))


def header_twice(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    bodies.put_item(Item=text_of(message_id, body))
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def header_error_swallowed(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    try:
        inbox.put_item(Item=header(user_id, message_id, at, sender, subject))
    except Exception as error:
        print(error)


def body_taken_back(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    try:
        inbox.put_item(Item=header(user_id, message_id, at, sender, subject))
    except Exception:
        bodies.delete_item(Key={"PK": f"MESSAGE#{message_id}", "SK": "BODY"})
        raise


def one_key_for_all(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of("m0001", body))
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def one_inbox_for_all(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    inbox.put_item(Item=header("mara", message_id, at, sender, subject))


def first_message_only(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    condition = Key("PK").eq(f"INBOX#{user_id}")
    if not inbox.query(KeyConditionExpression=condition, ConsistentRead=True)["Count"]:
        inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def time_not_padded(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body))
    item = header(user_id, message_id, at, sender, subject)
    inbox.put_item(Item={**item, "SK": f"MSG#{at}#{message_id}"})


def end_cut_off(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item=text_of(message_id, body[:400_000]))
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def no_item_for_no_text(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    if body:
        bodies.put_item(Item=text_of(message_id, body))
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def batch_reply_ignored(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    put_body = {"PutRequest": {"Item": text_of(message_id, body)}}
    inbox.meta.client.batch_write_item(RequestItems={bodies.name: [put_body]})
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def until_it_works(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    for table, item in (
        (bodies, text_of(message_id, body)),
        (inbox, header(user_id, message_id, at, sender, subject)),
    ):
        while True:
            try:
                table.put_item(Item=item)
            except ClientError:
                continue
            break


def as_bytes(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.put_item(Item={**text_of(message_id, ""), "body": body.encode()})
    inbox.put_item(Item=header(user_id, message_id, at, sender, subject))


def by_client(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    client = inbox.meta.client
    client.put_item(TableName=bodies.name, Item=text_of(message_id, body))
    client.put_item(TableName=inbox.name, Item=header(user_id, message_id, at, sender, subject))


def by_two_batches(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    with bodies.batch_writer() as batch:
        batch.put_item(Item=text_of(message_id, body))
    with inbox.batch_writer() as batch:
        batch.put_item(Item=header(user_id, message_id, at, sender, subject))


def by_updates(
    inbox: Any, bodies: Any, user_id: str, message_id: str, at: int, sender: str, subject: str,
    body: str,
) -> None:  # fmt: skip
    bodies.update_item(
        Key={"PK": f"MESSAGE#{message_id}", "SK": "BODY"},
        UpdateExpression="SET body = :body",
        ExpressionAttributeValues={":body": body},
    )
    inbox.update_item(
        Key={"PK": f"INBOX#{user_id}", "SK": f"MSG#{at:010}#{message_id}"},
        UpdateExpression="SET messageId = :id, sender = :s, subject = :t, sentAt = :at",
        ExpressionAttributeValues={":id": message_id, ":s": sender, ":t": subject, ":at": at},
    )


# --- 11.3 list_inbox --------------------------------------------------------------------------


def inbox_query(inbox: Any, user_id: str, start: Any = None, **options: Any) -> Any:
    if start:
        options["ExclusiveStartKey"] = start
    condition = Key("PK").eq(f"INBOX#{user_id}") & Key("SK").begins_with("MSG#")
    options = {"KeyConditionExpression": condition, "ScanIndexForward": False, **options}
    return inbox.query(**options)


def oldest_first(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start, Limit=limit, ScanIndexForward=True)
    return page["Items"], page.get("LastEvaluatedKey")


def page_turned_round(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start, Limit=limit)
    return page["Items"][::-1], page.get("LastEvaluatedKey")


def everything_sliced(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start)
    return page["Items"][:limit], page.get("LastEvaluatedKey")


def all_pages(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    found: list[Any] = []
    while True:
        page = inbox_query(inbox, user_id, start, Limit=limit)
        found += page["Items"]
        start = page.get("LastEvaluatedKey")
        if not start:
            return found, None


def no_sort_key(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    condition = Key("PK").eq(f"INBOX#{user_id}")
    page = inbox_query(inbox, user_id, start, Limit=limit, KeyConditionExpression=condition)
    return page["Items"], page.get("LastEvaluatedKey")


def filtered(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(
        inbox,
        user_id,
        start,
        Limit=limit,
        KeyConditionExpression=Key("PK").eq(f"INBOX#{user_id}"),
        FilterExpression=Attr("messageId").exists(),
    )
    return page["Items"], page.get("LastEvaluatedKey")


def scanned(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    items = inbox.scan(FilterExpression=Attr("PK").eq(f"INBOX#{user_id}"))["Items"]
    items = [item for item in items if item["SK"].startswith("MSG#")]
    return sorted(items, key=lambda item: item["sentAt"])[::-1][:limit], None


def never_more(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    return inbox_query(inbox, user_id, start, Limit=limit)["Items"], None


def items_alone(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    return inbox_query(inbox, user_id, start, Limit=limit)["Items"]


def start_ignored(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, Limit=limit)
    return page["Items"], page.get("LastEvaluatedKey")


def start_raises(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, Limit=limit, ExclusiveStartKey=start)
    return page["Items"], page.get("LastEvaluatedKey")


def ids_alone(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start, Limit=limit)
    return [item["messageId"] for item in page["Items"]], page.get("LastEvaluatedKey")


def twenty_always(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start, Limit=20)
    return page["Items"], page.get("LastEvaluatedKey")


def projected(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start, Limit=limit, ProjectionExpression="sender, subject")
    return page["Items"], page.get("LastEvaluatedKey")


def page_numbers(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    """Reads all the pages before once more."""
    first = start or 0
    page = inbox_query(inbox, user_id, Limit=limit + first)
    more = first + limit if "LastEvaluatedKey" in page else None
    return page["Items"][first:], more


def empty_after_an_error(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    try:
        page = inbox_query(inbox, user_id, start, Limit=limit)
    except Exception:
        return [], None
    return page["Items"], page.get("LastEvaluatedKey")


def by_low_level(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    more = {} if start is None else {"ExclusiveStartKey": start}
    page = inbox.meta.client.query(
        TableName=inbox.name,
        KeyConditionExpression="#pk = :pk AND begins_with(#sk, :prefix)",
        ExpressionAttributeNames={"#pk": "PK", "#sk": "SK"},
        ExpressionAttributeValues={":pk": f"INBOX#{user_id}", ":prefix": "MSG#"},
        ScanIndexForward=False,
        Limit=limit,
        **more,
    )
    return page["Items"], page.get("LastEvaluatedKey")


def by_last_sort_key(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    """Where the next page starts is a sort key: what is before it in time."""
    between = Key("SK").between("MSG#", start or "MSG#~")
    condition = Key("PK").eq(f"INBOX#{user_id}") & between
    more = 1 if start else 0
    page = inbox_query(
        inbox, user_id, KeyConditionExpression=condition, Limit=limit + more, ConsistentRead=True
    )
    items = page["Items"][more:]
    return items, items[-1]["SK"] if "LastEvaluatedKey" in page else None


def one_more_than_asked(inbox: Any, user_id: str, limit: int = 20, start: Any = None) -> Any:
    page = inbox_query(inbox, user_id, start, Limit=limit + 1)
    items = page["Items"][:limit]
    if len(page["Items"]) <= limit:
        return items, None
    return items, {name: items[-1][name] for name in ("PK", "SK")}


# --- 11.4 open_message ------------------------------------------------------------------------


def body_item(bodies: Any, message: Any, **options: Any) -> Any:
    key = {"PK": f"MESSAGE#{message['messageId']}", "SK": "BODY"}
    return bodies.get_item(Key=key, **options).get("Item")


def eventually(bodies: Any, message: Any) -> Any:
    item = body_item(bodies, message)
    return None if item is None else item["body"]


def must_be_there(bodies: Any, message: Any) -> Any:
    return body_item(bodies, message, ConsistentRead=True)["body"]


def whole_item(bodies: Any, message: Any) -> Any:
    return body_item(bodies, message, ConsistentRead=True)


def empty_for_none(bodies: Any, message: Any) -> Any:
    return (body_item(bodies, message, ConsistentRead=True) or {}).get("body", "")


def scan_for_it(bodies: Any, message: Any) -> Any:
    wanted = Attr("PK").eq(f"MESSAGE#{message['messageId']}")
    items = bodies.scan(FilterExpression=wanted, ConsistentRead=True)["Items"]
    return items[0]["body"] if items else None


def twice_eventually(bodies: Any, message: Any) -> Any:
    item = body_item(bodies, message) or body_item(bodies, message)
    return None if item is None else item["body"]


def none_for_no_text(bodies: Any, message: Any) -> Any:
    item = body_item(bodies, message, ConsistentRead=True)
    return (item or {}).get("body") or None


def none_after_an_error(bodies: Any, message: Any) -> Any:
    try:
        return strongly_read(bodies, message)
    except Exception:
        return None


def asks_for_ever(bodies: Any, message: Any) -> Any:
    while True:
        item = body_item(bodies, message)
        if item is not None:
            return item["body"]


def strongly_read(bodies: Any, message: Any) -> Any:
    item = body_item(bodies, message, ConsistentRead=True)
    return None if item is None else item["body"]


def by_query(bodies: Any, message: Any) -> Any:
    key = Key("PK").eq(f"MESSAGE#{message['messageId']}")
    items = bodies.query(KeyConditionExpression=key, ConsistentRead=True)["Items"]
    return next((item["body"] for item in items), None)


def eventually_then_strongly(bodies: Any, message: Any) -> Any:
    for strong in (False, True):
        item = body_item(bodies, message, ConsistentRead=strong)
        if item is not None:
            return item["body"]
    return None


# --- 11.5 large_put, large_get ----------------------------------------------------------------


def read_header(table: Any, key: str, **options: Any) -> Any:
    reply = table.get_item(Key={"PK": key, "SK": "HEADER"}, ConsistentRead=True, **options)
    return reply.get("Item")


def chunk(key: str, version: str, number: int) -> dict[str, str]:
    return {"PK": key, "SK": f"CHUNK#{version}#{number:04}"}


def parts_of(data: bytes, chunk_bytes: int) -> list[bytes]:
    return [data[at : at + chunk_bytes] for at in range(0, len(data), chunk_bytes)]


def intent(key: str, version: str) -> dict[str, str]:
    return {"PK": key, "SK": f"UPLOAD#{version}"}


def put_parts(table: Any, key: str, version: str, parts: list[bytes]) -> None:
    for number, part in enumerate(parts):
        table.put_item(Item={**chunk(key, version, number), "data": part})


def delete_parts(table: Any, key: str, version: str, count: int) -> None:
    for number in range(int(count)):
        table.delete_item(Key=chunk(key, version, number))


def header_put(table: Any, key: str, version: str, count: int, read: Any) -> dict[str, Any]:
    put: dict[str, Any] = {
        "TableName": table.name,
        "Item": {"PK": key, "SK": "HEADER", "version": version, "chunks": count},
        "ConditionExpression": "attribute_not_exists(PK)",
    }
    if read is not None:
        put["ConditionExpression"] = "version = :read"
        put["ExpressionAttributeValues"] = {":read": read["version"]}
    return put


def intent_delete(table: Any, key: str, version: str) -> dict[str, Any]:
    return {
        "TableName": table.name,
        "Key": intent(key, version),
        "ConditionExpression": "attribute_exists(PK)",
    }


def failed_condition(error: Any) -> bool:
    codes = [reason["Code"] for reason in error.response.get("CancellationReasons", [])]
    return "ConditionalCheckFailed" in codes


def committed(table: Any, *actions: dict[str, Any]) -> bool:
    try:
        table.meta.client.transact_write_items(TransactItems=list(actions))
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if not failed_condition(error):
            raise
        return False
    return True


def put(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """The protocol as it is told."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def chunks_by_query(table: Any, key: str, prefix: str, **options: Any) -> list[bytes]:
    condition = Key("PK").eq(key) & Key("SK").begins_with(prefix)
    found, start = [], {}
    while True:
        page = table.query(KeyConditionExpression=condition, **start, **options)
        found += [bytes(item["data"]) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            return found
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def get(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


# Writers that are wrong. Their reader is `get`.


def next_number(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Version + 1: two writers mix."""
    read = read_header(table, key)
    before = 0 if read is None else int(read["version"].partition("-")[0])
    return put(table, key, data, new_version=lambda: str(before + 1), chunk_bytes=chunk_bytes)


def put_with_header_first(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        return False
    put_parts(table, key, version, parts)
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def in_place(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    parts = parts_of(data, chunk_bytes)
    for number, part in enumerate(parts):
        table.put_item(Item={"PK": key, "SK": f"CHUNK#{number:04}", "data": part})
    header = {"PK": key, "SK": "HEADER", "version": new_version(), "chunks": len(parts)}
    table.put_item(Item=header)
    return True


def old_chunks_first(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    )


def all_other_versions(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    page = table.query(
        KeyConditionExpression=Key("PK").eq(key) & Key("SK").begins_with("CHUNK#"),
        ConsistentRead=True,
    )
    for item in page["Items"]:
        if not item["SK"].startswith(f"CHUNK#{version}#"):
            table.delete_item(Key={"PK": key, "SK": item["SK"]})
    return True


def put_without_condition(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    header = header_put(table, key, version, len(parts), None)
    del header["ConditionExpression"]
    if not committed(table, {"Put": header}, {"Delete": intent_delete(table, key, version)}):
        delete_parts(table, key, version, len(parts))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def deletes_by_a_later_header(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Looks up what to delete once more, right before the commit, without a condition on it."""
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    read = read_header(table, key)
    header = header_put(table, key, version, len(parts), None)
    del header["ConditionExpression"]
    if not committed(table, {"Put": header}, {"Delete": intent_delete(table, key, version)}):
        delete_parts(table, key, version, len(parts))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def no_intent(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    put_parts(table, key, version, parts)
    if not committed(table, {"Put": header_put(table, key, version, len(parts), read)}):
        delete_parts(table, key, version, len(parts))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def intent_after_the_chunks(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    put_parts(table, key, version, parts)
    table.put_item(Item=intent(key, version))
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def intent_stays(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(table, {"Put": header_put(table, key, version, len(parts), read)}):
        delete_parts(table, key, version, len(parts))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def intent_after_the_commit(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    header = header_put(table, key, version, len(parts), read)
    header.pop("TableName")
    try:
        table.put_item(**header)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    table.delete_item(Key=intent(key, version))
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def intent_before_the_commit(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    table.delete_item(Key=intent(key, version))
    if not committed(table, {"Put": header_put(table, key, version, len(parts), read)}):
        delete_parts(table, key, version, len(parts))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def intent_need_not_be_there(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Deletes the intent whether it is there or not: the sweep may have taken it."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": {"TableName": table.name, "Key": intent(key, version)}},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def loser_leaves_its_chunks(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def loser_deletes_what_it_read(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Deletes the current version after a commit that has failed."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    done = committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    )
    if not done:
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        read = read_header(table, key)
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return done


def never_deletes(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    return committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    )


def cleans_up_after_any_error(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Takes a time-out of the commit for a failure, and deletes what may be current by now."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    actions: Any = [
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ]
    try:
        table.meta.client.transact_write_items(TransactItems=actions)
    except Exception as error:
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        if failed_condition_or_none(error):
            return False
        raise
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def failed_condition_or_none(error: Any) -> bool:
    return isinstance(error, ClientError) and failed_condition(error)


def true_whatever_comes(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    actions: Any = [
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ]
    try:
        table.meta.client.transact_write_items(TransactItems=actions)
    except ClientError:
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return True
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def intent_only_once(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """A condition on the intent: its own lost reply is taken for somebody else's intent."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    try:
        table.put_item(Item=intent(key, version), ConditionExpression="attribute_not_exists(PK)")
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def all_in_one_transaction(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Right up to 4 MB, at twice the price."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    puts = [
        {
            "Put": {
                "TableName": table.name,
                "Item": {**chunk(key, version, number), "data": part},
            }
        }
        for number, part in enumerate(parts)
    ]
    header: dict[str, Any] = {"Put": header_put(table, key, version, len(parts), read)}
    if not committed(table, header, *puts):
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def batch_looks_at_nothing(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Ignores UnprocessedItems."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    puts: Any = [
        {"PutRequest": {"Item": {**chunk(key, version, number), "data": part}}}
        for number, part in enumerate(parts)
    ]
    for at in range(0, len(puts), 25):
        table.meta.client.batch_write_item(RequestItems={table.name: puts[at : at + 25]})
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def unpadded(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    for number, part in enumerate(parts):
        table.put_item(Item={"PK": key, "SK": f"CHUNK#{version}#{number}", "data": part})
    return committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    )


def one_item(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    header = {"PK": key, "SK": "HEADER", "version": new_version(), "chunks": 1, "data": data}
    table.put_item(Item=header)
    return True


def returns_nothing(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> None:
    put(table, key, data, new_version=new_version, chunk_bytes=chunk_bytes)


def none_for_empty(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    if not data:
        return True
    return put(table, key, data, new_version=new_version, chunk_bytes=chunk_bytes)


def without_an_import(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    try:
        return put(table, key, data, new_version=new_version, chunk_bytes=chunk_bytes)
    finally:
        Missing(key)  # type: ignore[name-defined]  # noqa: F821


def no_condition_on_a_first_file(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    turn = header_put(table, key, version, len(parts), read)
    if read is None:
        del turn["ConditionExpression"]
    if not committed(
        table,
        {"Put": turn},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def all_chunks_in_one_batch(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    puts: Any = [
        {"PutRequest": {"Item": {**chunk(key, version, number), "data": part}}}
        for number, part in enumerate(parts)
    ]
    asked: Any = {table.name: puts} if puts else {}
    while asked:
        asked = table.meta.client.batch_write_item(RequestItems=asked)["UnprocessedItems"]
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def deletes_in_the_commit(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    gone = []
    if read is not None:
        gone = [chunk(key, read["version"], number) for number in range(int(read["chunks"]))]
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
        *({"Delete": {"TableName": table.name, "Key": each}} for each in gone),
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    return True


def delete_one_page(table: Any, key: str, version: str, **options: Any) -> None:
    condition = Key("PK").eq(key) & Key("SK").begins_with(f"CHUNK#{version}#")
    for item in table.query(KeyConditionExpression=condition, **options)["Items"]:
        table.delete_item(Key={"PK": key, "SK": item["SK"]})


def deletes_one_page(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_one_page(table, key, read["version"], ConsistentRead=True)
    return True


def loser_deletes_one_page(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_one_page(table, key, version)
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def false_for_any_cancellation(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    actions: Any = [
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ]
    try:
        table.meta.client.transact_write_items(TransactItems=actions)
    except table.meta.client.exceptions.TransactionCanceledException:
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def begins_again(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Where another one was first, it replaces that one's file, too."""
    for _ in range(5):
        if put(table, key, data, new_version=new_version, chunk_bytes=chunk_bytes):
            return True
    return False


# Readers that are wrong. Their writer is `put`.


def all_chunks(table: Any, key: str) -> bytes | None:
    """Every chunk under the key, of whatever version."""
    if read_header(table, key) is None:
        return None
    return b"".join(chunks_by_query(table, key, "CHUNK#"))


def without_the_delimiter(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}")
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


def whatever_is_there(table: Any, key: str) -> bytes | None:
    read = read_header(table, key)
    if read is None:
        return None
    return b"".join(chunks_by_query(table, key, f"CHUNK#{read['version']}#"))


def looks_once(table: Any, key: str) -> bytes | None:
    read = read_header(table, key)
    if read is None:
        return None
    found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
    if len(found) != read["chunks"]:
        raise ChunksMissing(key)
    return b"".join(found)


def looks_for_ever(table: Any, key: str) -> bytes | None:
    while True:
        read = read_header(table, key)
        if read is None:
            return None
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
        if len(found) == read["chunks"]:
            return b"".join(found)


def same_header_again(table: Any, key: str) -> bytes | None:
    """Asks for the chunks again, and not for the header."""
    read = read_header(table, key)
    if read is None:
        return None
    for _ in range(5):
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


def none_where_missing(table: Any, key: str) -> bytes | None:
    try:
        return get(table, key)
    except ChunksMissing:
        return None


def another_error(table: Any, key: str) -> bytes | None:
    try:
        return get(table, key)
    except ChunksMissing:
        raise RuntimeError("chunks are missing") from None


def first_page_only(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        condition = Key("PK").eq(key) & Key("SK").begins_with(f"CHUNK#{read['version']}#")
        found = table.query(KeyConditionExpression=condition)["Items"]
        if len(found) == read["chunks"]:
            return b"".join(bytes(item["data"]) for item in found)
    raise ChunksMissing(key)


def as_boto3_has_it(table: Any, key: str) -> Any:
    read = read_header(table, key)
    if read is not None and read["chunks"] == 1:
        item = table.get_item(Key=chunk(key, read["version"], 0)).get("Item")
        if item:
            return item["data"]
    return get(table, key)


def empty_is_none(table: Any, key: str) -> bytes | None:
    return get(table, key) or None


def none_is_empty(table: Any, key: str) -> bytes | None:
    return get(table, key) or b""


def unprocessed_left_out(table: Any, key: str) -> bytes | None:
    read = read_header(table, key)
    if read is None:
        return None
    if not read["chunks"]:
        return b""
    keys = [chunk(key, read["version"], number) for number in range(int(read["chunks"]))]
    reply = table.meta.client.batch_get_item(RequestItems={table.name: {"Keys": keys}})
    found = sorted(reply["Responses"].get(table.name, []), key=lambda item: item["SK"])
    return b"".join(bytes(item["data"]) for item in found)


def header_read_eventually(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = table.get_item(Key={"PK": key, "SK": "HEADER"}).get("Item")
        if read is None:
            return None
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


def looks_three_times(table: Any, key: str) -> bytes | None:
    for _ in range(3):
        read = read_header(table, key)
        if read is None:
            return None
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


def looks_six_times(table: Any, key: str) -> bytes | None:
    for _ in range(6):
        read = read_header(table, key)
        if read is None:
            return None
        found = chunks_by_query(table, key, f"CHUNK#{read['version']}#")
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


def joins_binaries(table: Any, key: str) -> bytes | None:
    read = read_header(table, key)
    if read is None:
        return None
    condition = Key("PK").eq(key) & Key("SK").begins_with(f"CHUNK#{read['version']}#")
    items: Any = table.query(KeyConditionExpression=condition)["Items"]
    return b"".join(item["data"] for item in items)


def as_a_bytearray(table: Any, key: str) -> Any:
    found = get(table, key)
    return None if found is None else bytearray(found)


def in_order_of_the_reply(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        keys = [chunk(key, read["version"], number) for number in range(int(read["chunks"]))]
        found: dict[str, bytes] = {}
        while keys:
            asked: Any = {table.name: {"Keys": keys[:100]}}
            keys = keys[100:]
            reply = table.meta.client.batch_get_item(RequestItems=asked)
            for item in reply["Responses"][table.name]:
                found[item["SK"]] = bytes(item["data"])
            keys += reply["UnprocessedKeys"].get(table.name, {}).get("Keys", [])
        if len(found) == read["chunks"]:
            return b"".join(found.values())
    raise ChunksMissing(key)


def all_keys_in_one_batch(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        keys = [chunk(key, read["version"], number) for number in range(int(read["chunks"]))]
        found: dict[str, bytes] = {}
        while keys:
            asked: Any = {table.name: {"Keys": keys}}
            keys = []
            reply = table.meta.client.batch_get_item(RequestItems=asked)
            for item in reply["Responses"][table.name]:
                found[item["SK"]] = bytes(item["data"])
            keys += reply["UnprocessedKeys"].get(table.name, {}).get("Keys", [])
        if len(found) == read["chunks"]:
            return b"".join(found[each] for each in sorted(found))
    raise ChunksMissing(key)


def unprocessed_thrown_away(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        keys = [chunk(key, read["version"], number) for number in range(int(read["chunks"]))]
        found: dict[str, bytes] = {}
        while keys:
            asked: Any = {table.name: {"Keys": keys[:100]}}
            keys = keys[100:]
            reply = table.meta.client.batch_get_item(RequestItems=asked)
            for item in reply["Responses"][table.name]:
                found[item["SK"]] = bytes(item["data"])
        if len(found) == read["chunks"]:
            return b"".join(found[each] for each in sorted(found))
    raise ChunksMissing(key)


# Right ones, written differently.


def put_by_batches(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """batch_writer for what is many, and the actions of the commit the other way round."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item={**intent(key, version), "chunks": len(parts)})
    with table.batch_writer() as batch:
        for number, part in enumerate(parts):
            batch.put_item(Item={**chunk(key, version, number), "data": part})
    done = committed(
        table,
        {"Delete": intent_delete(table, key, version)},
        {"Put": header_put(table, key, version, len(parts), read)},
    )
    gone = (version, len(parts)) if not done else (read or {}).get("version", "")
    count = len(parts) if not done else int((read or {}).get("chunks", 0))
    with table.batch_writer() as batch:
        for number in range(count):
            name = gone[0] if isinstance(gone, tuple) else gone
            batch.delete_item(Key=chunk(key, name, number))
    if not done:
        table.delete_item(Key=intent(key, version))
    return done


def put_with_an_update(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """An Update of the header; a ConditionExpression on version and chunks; intent first."""
    version = new_version()
    table.put_item(Item=intent(key, version))
    read = read_header(table, key)
    count = 0
    for at in range(0, len(data), chunk_bytes):
        part = data[at : at + chunk_bytes]
        table.put_item(Item={**chunk(key, version, count), "data": bytearray(part)})
        count += 1
    update: dict[str, Any] = {
        "TableName": table.name,
        "Key": {"PK": key, "SK": "HEADER"},
        "UpdateExpression": "SET #v = :new, #c = :count",
        "ConditionExpression": "attribute_not_exists(#v)",
        "ExpressionAttributeNames": {"#v": "version", "#c": "chunks"},
        "ExpressionAttributeValues": {":new": version, ":count": count},
    }
    if read:
        update["ConditionExpression"] = "#v = :old AND #c = :oldCount"
        update["ExpressionAttributeValues"] |= {
            ":old": read["version"],
            ":oldCount": read["chunks"],
        }
    taken = {**intent_delete(table, key, version), "ConditionExpression": "attribute_exists(SK)"}
    try:
        table.meta.client.transact_write_items(
            TransactItems=[{"Update": update}, {"Delete": taken}]
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "TransactionCanceledException":
            raise
        if not failed_condition(error):
            raise
        table.delete_item(Key=intent(key, version))
        delete_parts(table, key, version, count)
        return False
    if read:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def put_one_empty_chunk(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """Whoever stores no bytes stores one empty chunk."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes) or [b""]
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    if not committed(
        table,
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ):
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def get_one_by_one(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        parts = []
        for number in range(int(read["chunks"])):
            reply = table.get_item(Key=chunk(key, read["version"], number), ConsistentRead=True)
            if "Item" not in reply:
                break
            parts.append(reply["Item"]["data"].value)
        else:
            return b"".join(parts)
    raise ChunksMissing(key)


def get_by_batches(table: Any, key: str) -> bytes | None:
    for _ in range(5):
        read = read_header(table, key)
        if read is None:
            return None
        keys = [chunk(key, read["version"], number) for number in range(int(read["chunks"]))]
        found: dict[str, bytes] = {}
        while keys:
            asked: Any = {table.name: {"Keys": keys[:100]}}
            keys = keys[100:]
            reply = table.meta.client.batch_get_item(RequestItems=asked)
            for item in reply["Responses"][table.name]:
                found[item["SK"]] = bytes(item["data"])
            keys += reply["UnprocessedKeys"].get(table.name, {}).get("Keys", [])
        if len(found) == read["chunks"]:
            return b"".join(found[each] for each in sorted(found))
    raise ChunksMissing(key)


def get_strongly_at_last(table: Any, key: str) -> bytes | None:
    for strong in (False, False, False, False, True):
        read = read_header(table, key)
        if read is None:
            return None
        prefix = f"CHUNK#{read['version']}#"
        found = chunks_by_query(table, key, prefix, ConsistentRead=strong)
        if len(found) == read["chunks"]:
            return b"".join(found)
    raise ChunksMissing(key)


def put_with_a_token(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """A ClientRequestToken made of the version, as lab 03 teaches it."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    token = hashlib.sha256(f"{key} {version}".encode()).hexdigest()[:36]
    actions: Any = [
        {"Put": header_put(table, key, version, len(parts), read)},
        {"Delete": intent_delete(table, key, version)},
    ]
    client = table.meta.client
    try:
        client.transact_write_items(TransactItems=actions, ClientRequestToken=token)
    except client.exceptions.TransactionCanceledException as error:
        if not failed_condition(error):
            raise
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def put_by_another_client(
    table: Any, key: str, data: bytes, *, new_version: Any, chunk_bytes: int = CHUNK_BYTES
) -> bool:
    """The commit by a client of its own, with typed values."""
    read = read_header(table, key)
    version, parts = new_version(), parts_of(data, chunk_bytes)
    table.put_item(Item=intent(key, version))
    put_parts(table, key, version, parts)
    client, typed = boto3.client("dynamodb"), TypeSerializer().serialize
    turn = header_put(table, key, version, len(parts), read)
    gone = intent_delete(table, key, version)
    turn["Item"] = {name: typed(value) for name, value in turn["Item"].items()}
    gone["Key"] = {name: typed(value) for name, value in gone["Key"].items()}
    if read is not None:
        turn["ExpressionAttributeValues"] = {":read": typed(read["version"])}
    actions: Any = [{"Put": turn}, {"Delete": gone}]
    try:
        client.transact_write_items(TransactItems=actions)
    except client.exceptions.TransactionCanceledException as error:
        if not failed_condition(error):
            raise
        delete_parts(table, key, version, len(parts))
        table.delete_item(Key=intent(key, version))
        return False
    if read is not None:
        delete_parts(table, key, read["version"], read["chunks"])
    return True


def get_by_strong_query(table: Any, key: str) -> bytes | None:
    attempts = 0
    while attempts < 5:
        attempts += 1
        read = read_header(table, key)
        if not read:
            return None
        first, last = chunk(key, read["version"], 0), chunk(key, read["version"], 9999)
        condition = Key("PK").eq(key) & Key("SK").between(first["SK"], last["SK"])
        items, start = [], None
        while True:
            more: Any = {"ExclusiveStartKey": start} if start else {}
            page = table.query(KeyConditionExpression=condition, ConsistentRead=True, **more)
            items += page["Items"]
            start = page.get("LastEvaluatedKey")
            if start is None:
                break
        if len(items) == int(read["chunks"]):
            return b"".join(item["data"].value for item in items)
    raise ChunksMissing(f"chunks of {key} are missing")


Put = Callable[..., Any]

WRONG: dict[str, list[Any]] = {
    "11.1": [
        (each_rounded, "That rounds up each message"),
        (strongly, "strongly consistent read"),
        (not_rounded, "Can a part of 4 KB be billed"),
        (first_page, "one page of 1 MB"),
        (of_a_thousand, "1,000 or 1,024"),
        (nothing_for_nothing, "It still reads"),
        (pages_and_units, "read units are a number"),
        (at_least_one, "What is the minimum of an eventually consistent one?"),
        (what_is_shown, "But a projection comes after the read"),
    ],
    "11.2": [
        (header_first, "Which of the two items may exist"),
        (header_and_then_an_update, "Mara's inbox lists a message that has no body"),
        (in_a_transaction, "you pay twice for each item"),
        (in_a_batch, "A batch is not a transaction"),
        (text_in_both, "The header holds the text too, so every list of"),
        (errors_swallowed, "Who has to learn that nothing was delivered?"),
        (only_once, "Does a Put of the same item do harm"),
        (without_the_time, "Which one is missing"),
        (without_a_subject, "subject = 'tom'"),
        (header_twice, "Which of your writes is not needed?"),
        (header_error_swallowed, "Who has to learn that nothing was delivered?"),
        (body_taken_back, "A time-out does not mean that nothing happened"),
        (one_key_for_all, "Under which key is its body"),
        (one_inbox_for_all, "which argument goes where"),
        (first_message_only, "which argument goes where"),
        (time_not_padded, "how many digits must a time have"),
        (end_cut_off, "A message without its end"),
        (no_item_for_no_text, "even if it is empty?"),
        (batch_reply_ignored, "What must the reply of a batch say"),
        (until_it_works, "which answer ends its loop"),
        (as_bytes, "as a string"),
    ],
    "11.3": [
        (oldest_first, "Those are the oldest"),
        (page_turned_round, "Where do you change it?"),
        (everything_sliced, "You pay before you slice"),
        (all_pages, "One page is one Query"),
        (no_sort_key, "Which other items does an inbox hold"),
        (filtered, "Limit counts what is evaluated"),
        (scanned, "A Scan read"),
        (never_more, "where a Query stopped?"),
        (items_alone, "a tuple of two"),
        (start_ignored, "the start that the call gives you"),
        (start_raises, "How do you leave a parameter out"),
        (ids_alone, "as they are stored, as dicts"),
        (twenty_always, "Which argument says how long a page is?"),
        (projected, "A projection leaves out what it does not name"),
        (page_numbers, "those of the pages before"),
        (empty_after_an_error, "Mara sees an empty inbox"),
    ],
    "11.4": [
        (eventually, "Which read sees a write that was acknowledged"),
        (twice_eventually, "Which read sees a write that was acknowledged"),
        (must_be_there, "How does a reply of GetItem say so?"),
        (whole_item, "which of its attributes is the text"),
        (empty_for_none, "None says that there is no such body"),
        (scan_for_it, "A Scan read"),
        (none_for_no_text, "a missing item from an empty text?"),
        (none_after_an_error, "Does an error say so"),
        (asks_for_ever, "which answer ends its loop"),
    ],
    "11.5": [
        (put, "needs two functions, and got function"),
        ((next_number, get), "Both make the same version from it"),
        ((put_with_header_first, get), "Which chunks does a reader need before the header changes"),
        ((in_place, get), "The version is not in the keys of the chunks"),
        ((old_chunks_first, get), "Which chunks does a reader need before the header changes"),
        ((all_other_versions, get), "may belong to another writer that is still working?"),
        ((put_without_condition, get), "Nobody died, but this is left over"),
        ((deletes_by_a_later_header, get), "Nobody died, but this is left over"),
        ((no_intent, get), "is still being uploaded"),
        ((intent_after_the_chunks, get), "is still being uploaded"),
        ((intent_stays, get), "Which request completes it?"),
        ((intent_after_the_commit, get), "without a transaction"),
        ((intent_before_the_commit, get), "from when to when"),
        ((intent_need_not_be_there, get), "whether the intent is still there"),
        ((loser_leaves_its_chunks, get), "what does A delete"),
        ((loser_deletes_what_it_read, get), "which does not exist"),
        ((never_deletes, get), "but you pay for it"),
        ((cleans_up_after_any_error, get), "A time-out does not mean that nothing happened"),
        ((true_whatever_comes, get), "who has to learn of any other?"),
        ((intent_only_once, get), "Which of your conditions takes that"),
        ((all_in_one_transaction, get), "A transaction takes 4 MB"),
        ((batch_looks_at_nothing, get), "and still leave some writes undone"),
        ((unpadded, get), "Which of yours differ?"),
        ((one_item, get), "Chunks are"),
        ((returns_nothing, get), "its data is the current one"),
        ((none_for_empty, get), "there is no HEADER"),
        ((without_an_import, get), "NameError"),
        ((put, all_chunks), "Which chunks belong to it?"),
        ((put, without_the_delimiter), "A prefix must end with its delimiter"),
        ((put, whatever_is_there), "How do you know that you have all chunks"),
        ((put, looks_once), "how often do you read it?"),
        ((put, looks_for_ever), "Which condition ends its loop"),
        ((put, same_header_again), "where does it begin again"),
        ((put, none_where_missing), "a part, and without an error"),
        ((put, another_error), "The task names the exception"),
        ((put, first_page_only), "How does a reply say that there is more?"),
        ((put, as_boto3_has_it), "boto3 wraps binary values"),
        ((put, empty_is_none), "How do you tell them apart"),
        ((put, none_is_empty), "How do you tell them apart"),
        ((put, unprocessed_left_out), "How many items can one request take?"),
        ((no_condition_on_a_first_file, get), "Nobody died, but this is left over"),
        ((all_chunks_in_one_batch, get), "How many items can one request take?"),
        ((deletes_in_the_commit, get), "How many items can one request take?"),
        (
            (deletes_one_page, get),
            "What tells you how many chunks the replaced version had?",
        ),
        ((loser_deletes_one_page, get), "What tells you how many chunks A has written?"),
        ((false_for_any_cancellation, get), "who has to learn of any other?"),
        ((begins_again, get), "Who decides what happens to B's file?"),
        ((put, header_read_eventually), "Which of your reads must see the last write?"),
        ((put, looks_three_times), "The task asks for 5 looks in all"),
        ((put, looks_six_times), "The task asks for 5 looks in all"),
        ((put, joins_binaries), "boto3 wraps binary values"),
        ((put, as_a_bytearray), "That is a bytearray"),
        ((put, in_order_of_the_reply), "a BatchGetItem promises no order: where do you sort"),
        ((put, all_keys_in_one_batch), "How many items can one request take?"),
        ((put, unprocessed_thrown_away), "A key that is returned as unprocessed is not missing"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "11.1": [page_by_page, as_a_fraction],
    "11.2": [by_client, by_two_batches, by_updates],
    "11.3": [by_low_level, by_last_sort_key, one_more_than_asked],
    "11.4": [strongly_read, by_query, eventually_then_strongly],
    "11.5": [
        (put, get),
        (put_by_batches, get_by_batches),
        (put_with_an_update, get_one_by_one),
        (put_one_empty_chunk, get_by_strong_query),
        (put_with_a_token, get_strongly_at_last),
        (put_by_another_client, get),
    ],
}
