"""Answers to lab 10."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import Any

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError


class NoSuchUser(Exception):
    """As the notebook defines it."""


class Overtaken(Exception):
    """As the notebook defines it."""


def profile_key(user_id: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}", "SK": "PROFILE"}


def profile_of(table: Any, user_id: str, **options: Any) -> Any:
    options = {"ConsistentRead": True, **options}
    profile = table.get_item(Key=profile_key(user_id), **options).get("Item")
    if profile is None:
        raise NoSuchUser(user_id)
    return profile


# --- 10.1 new_post ------------------------------------------------------------------------------


def a_post(profile: Any, post_id: str, title: str, body: str, tags: Any, at: Any) -> Any:
    user_id = profile["PK"].removeprefix("USER#")
    return {
        "PK": f"POST#{post_id}",
        "SK": "META",
        "title": title,
        "body": body,
        "tags": tags,
        "author": {"id": user_id, "tier": profile["tier"]},
        "authorName": profile["name"],
        "authorNameVersion": profile["nameVersion"],
        "createdAt": at,
        "GSI1PK": "POST",
        "GSI2PK": f"AUTHOR#{user_id}",
    }


def put_once(table: Any, item: Any) -> None:
    with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
        table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")


def varied(change: Any, name: str) -> Any:
    """new_post, with a change to the item before it is put."""

    def new_post(
        table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
    ) -> None:
        profile = profile_of(table, user_id)
        item = a_post(profile, post_id, title, body, tags, at)
        put_once(table, {**item, **change(profile, item)})

    new_post.__name__ = name
    return new_post


def without(*names: str) -> Any:
    def new_post(
        table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
    ) -> None:
        item = a_post(profile_of(table, user_id), post_id, title, body, tags, at)
        put_once(table, {key: value for key, value in item.items() if key not in names})

    new_post.__name__ = f"without_{'_'.join(names)}"
    return new_post


whole_profile = varied(lambda profile, item: {"author": profile}, "whole_profile")
name_in_the_map = varied(
    lambda profile, item: {"author": {**item["author"], "name": profile["name"]}},
    "name_in_the_map",
)
only_the_id = varied(lambda profile, item: {"author": item["author"]["id"]}, "only_the_id")
version_one = varied(lambda profile, item: {"authorNameVersion": 1}, "version_one")
tags_as_text = varied(lambda profile, item: {"tags": json.dumps(item["tags"])}, "tags_as_text")
tags_as_set = varied(lambda profile, item: {"tags": set(item["tags"])}, "tags_as_set")
post_in_the_index_key = varied(
    lambda profile, item: {"GSI1PK": item["PK"]}, "post_in_the_index_key"
)
user_in_the_index_key = varied(
    lambda profile, item: {"GSI2PK": profile["PK"]}, "user_in_the_index_key"
)
time_as_text = varied(lambda profile, item: {"createdAt": str(item["createdAt"])}, "time_as_text")
another_key = varied(lambda profile, item: {"SK": "POST"}, "another_key")


def tags_as_items(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    put_once(table, a_post(profile_of(table, user_id), post_id, title, body, tags, at))
    for tag in tags:
        table.put_item(Item={"PK": f"POST#{post_id}", "SK": f"TAG#{tag}"})


def written_over(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    table.put_item(Item=a_post(profile_of(table, user_id), post_id, title, body, tags, at))


def exists_raises(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    item = a_post(profile_of(table, user_id), post_id, title, body, tags, at)
    table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")


def looked_first(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    key = {"PK": f"POST#{post_id}", "SK": "META"}
    if "Item" not in table.get_item(Key=key, ConsistentRead=True):
        table.put_item(Item=a_post(profile_of(table, user_id), post_id, title, body, tags, at))


def two_reads(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    item = a_post(profile_of(table, user_id), post_id, title, body, tags, at)
    item["authorNameVersion"] = profile_of(table, user_id)["nameVersion"]
    put_once(table, item)


def nobody_is_anonymous(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    nobody = {**profile_key(user_id), "name": "?", "nameVersion": 0, "tier": "none"}
    profile = table.get_item(Key=profile_key(user_id)).get("Item", nobody)
    put_once(table, a_post(profile, post_id, title, body, tags, at))


def nobody_is_a_key_error(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    profile = table.get_item(Key=profile_key(user_id))["Item"]
    put_once(table, a_post(profile, post_id, title, body, tags, at))


def swallows_everything_put(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    item = a_post(profile_of(table, user_id), post_id, title, body, tags, at)
    with suppress(Exception):
        table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")


def swallows_client_errors(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    item = a_post(profile_of(table, user_id), post_id, title, body, tags, at)
    with suppress(ClientError):
        table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")


def whatever_is_nobody(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    try:
        profile = table.get_item(Key=profile_key(user_id))["Item"]
        put_once(table, a_post(profile, post_id, title, body, tags, at))
    except Exception:
        raise NoSuchUser(user_id) from None


def unread_is_nobody(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    try:
        profile = table.get_item(Key=profile_key(user_id))["Item"]
    except Exception:
        raise NoSuchUser(user_id) from None
    put_once(table, a_post(profile, post_id, title, body, tags, at))


def where_it_is_there(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    item = a_post(profile_of(table, user_id), post_id, title, body, tags, at)
    with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
        table.put_item(Item=item, ConditionExpression="attribute_exists(PK)")


def puts_nothing(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    return None


tags_in_order = varied(lambda profile, item: {"tags": sorted(item["tags"])}, "tags_in_order")


def eventually(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    profile = profile_of(table, user_id, ConsistentRead=False)
    put_once(table, {**a_post(profile, post_id, title, body, tags, at), "authorId": user_id})


def by_client(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    client = table.meta.client
    profile = client.get_item(TableName=table.name, Key=profile_key(user_id)).get("Item")
    if not profile:
        raise NoSuchUser
    try:
        client.put_item(
            TableName=table.name,
            Item=a_post(profile, post_id, title, body, tags, at),
            ConditionExpression="attribute_not_exists(#key)",
            ExpressionAttributeNames={"#key": "SK"},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise


def checked_in_a_transaction(
    table: Any, post_id: str, user_id: str, title: str, body: str, tags: list[str], at: int
) -> None:
    while True:
        profile = profile_of(table, user_id)
        same = {
            "TableName": table.name,
            "Key": profile_key(user_id),
            "ConditionExpression": "nameVersion = :version",
            "ExpressionAttributeValues": {":version": profile["nameVersion"]},
        }
        put = {
            "TableName": table.name,
            "Item": a_post(profile, post_id, title, body, tags, at),
            "ConditionExpression": "attribute_not_exists(PK)",
        }
        try:
            table.meta.client.transact_write_items(
                TransactItems=[{"ConditionCheck": same}, {"Put": put}]
            )
        except table.meta.client.exceptions.TransactionCanceledException as error:
            reasons = [reason["Code"] for reason in error.response["CancellationReasons"]]
            if reasons[1] == "ConditionalCheckFailed":
                return
            if reasons[0] != "ConditionalCheckFailed":
                raise
        else:
            return


# --- 10.2 list_posts ----------------------------------------------------------------------------


def newest(table: Any, **options: Any) -> Any:
    return table.query(
        IndexName="GSI1",
        KeyConditionExpression=Key("GSI1PK").eq("POST"),
        **{"ScanIndexForward": False, **options},
    )


def row_of(entry: Any) -> tuple[str, str, str]:
    return entry["PK"].removeprefix("POST#"), entry["title"], entry["authorName"]


def by_scan(table: Any, limit: int) -> Any:
    posts = table.scan(FilterExpression=Attr("SK").eq("META"))["Items"]
    posts.sort(key=lambda post: -post["createdAt"])
    return [row_of(post) for post in posts[:limit]]


def cut_afterwards(table: Any, limit: int) -> Any:
    return [row_of(entry) for entry in newest(table)["Items"]][:limit]


def oldest_first(table: Any, limit: int) -> Any:
    entries = newest(table, ScanIndexForward=True, Limit=limit)["Items"]
    return [row_of(entry) for entry in entries]


def oldest_turned_around(table: Any, limit: int) -> Any:
    entries = newest(table, ScanIndexForward=True, Limit=limit)["Items"]
    return [row_of(entry) for entry in reversed(entries)]


def with_look_ups(table: Any, limit: int) -> Any:
    rows = []
    for entry in newest(table, Limit=limit)["Items"]:
        key = {"PK": entry["PK"], "SK": "META"}
        post = table.get_item(Key=key)["Item"]
        profile = table.get_item(Key=profile_key(post["author"]["id"]))["Item"]
        rows.append((entry["PK"].removeprefix("POST#"), entry["title"], profile["name"]))
    return rows


def strongly(table: Any, limit: int) -> Any:
    return [row_of(entry) for entry in newest(table, Limit=limit, ConsistentRead=True)["Items"]]


def with_prefix(table: Any, limit: int) -> Any:
    entries = newest(table, Limit=limit)["Items"]
    return [(entry["PK"], entry["title"], entry["authorName"]) for entry in entries]


def of_the_other_index(table: Any, limit: int) -> Any:
    page = table.query(
        IndexName="GSI2",
        KeyConditionExpression=Key("GSI2PK").eq("POST"),
        ScanIndexForward=False,
        Limit=limit,
    )
    return [row_of(entry) for entry in page["Items"]]


def as_items(table: Any, limit: int) -> Any:
    return newest(table, Limit=limit)["Items"]


def turned_over(table: Any, limit: int) -> Any:
    entries = newest(table, Limit=limit)["Items"]
    return [(post_id, name, title) for post_id, title, name in map(row_of, entries)]


def every_page(table: Any, limit: int) -> Any:
    rows: list[Any] = []
    start: dict[str, Any] = {}
    while True:
        page = newest(table, Limit=limit, **start)
        rows += map(row_of, page["Items"])
        if "LastEvaluatedKey" not in page:
            return rows[:limit]
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def until_enough(table: Any, limit: int) -> Any:
    rows: list[Any] = []
    start: dict[str, Any] = {}
    while len(rows) < limit:
        page = newest(table, Limit=limit - len(rows), **start)
        rows += map(row_of, page["Items"])
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    return rows


def list_by_client(table: Any, limit: int) -> Any:
    page = table.meta.client.query(
        TableName=table.name,
        IndexName="GSI1",
        KeyConditionExpression="GSI1PK = :post AND createdAt > :zero",
        ExpressionAttributeValues={":post": "POST", ":zero": 0},
        ProjectionExpression="PK, title, authorName",
        ScanIndexForward=False,
        Limit=limit,
    )
    return [[entry["PK"][5:], entry["title"], entry["authorName"]] for entry in page["Items"]]


# --- 10.3 plan_rename ---------------------------------------------------------------------------


def entries_of(table: Any, user_id: str) -> list[Any]:
    entries: list[Any] = []
    start: dict[str, Any] = {}
    while True:
        page = table.query(
            IndexName="GSI2",
            KeyConditionExpression=Key("GSI2PK").eq(f"AUTHOR#{user_id}"),
            **start,
        )
        entries += page["Items"]
        if "LastEvaluatedKey" not in page:
            return entries
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def post_changes(entries: Any, new_name: str, version: Any) -> list[Any]:
    return [
        {
            "item": {"PK": entry["PK"], "SK": entry["SK"]},
            "old": entry["authorName"],
            "new": new_name,
            "version": version,
        }
        for entry in entries
    ]


def head(profile: Any, new_name: str) -> tuple[Any, list[Any]]:
    """The version of a plan, and the profile's change where there is one."""
    version = profile["nameVersion"]
    if profile["name"] == new_name:
        return version, []
    key = {"PK": profile["PK"], "SK": profile["SK"]}
    change = {"item": key, "old": profile["name"], "new": new_name, "version": version + 1}
    return version + 1, [change]


def older(entries: Any, version: Any) -> list[Any]:
    return [entry for entry in entries if entry["authorNameVersion"] < version]


def counted_up_at_once(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    version, plan = head(profile, new_name)
    table.update_item(
        Key=profile_key(user_id),
        UpdateExpression="ADD nameVersion :one",
        ExpressionAttributeValues={":one": 1},
    )
    return plan + post_changes(older(entries_of(table, user_id), version), new_name, version)


def by_another_name(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    other = [entry for entry in entries_of(table, user_id) if entry["authorName"] != new_name]
    return plan + post_changes(other, new_name, version)


def by_the_present_name(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    version, plan = head(profile, new_name)
    same = [each for each in entries_of(table, user_id) if each["authorName"] == profile["name"]]
    return plan + post_changes(same, new_name, version)


def every_post(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    return plan + post_changes(entries_of(table, user_id), new_name, version)


def of_everybody_with_that_name(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    version, plan = head(profile, new_name)
    entries = newest(table, FilterExpression=Attr("authorName").begins_with("Mara"))["Items"]
    return plan + post_changes(older(entries, version), new_name, version)


def planned_by_scan(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    posts = table.scan(FilterExpression=Attr("GSI2PK").eq(f"AUTHOR#{user_id}"))["Items"]
    return plan + post_changes(older(posts, version), new_name, version)


def first_page(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    page = table.query(
        IndexName="GSI2", KeyConditionExpression=Key("GSI2PK").eq(f"AUTHOR#{user_id}")
    )
    return plan + post_changes(older(page["Items"], version), new_name, version)


def profile_eventually(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id, ConsistentRead=False), new_name)
    return plan + post_changes(older(entries_of(table, user_id), version), new_name, version)


def posts_only(table: Any, user_id: str, new_name: str) -> Any:
    version, _ = head(profile_of(table, user_id), new_name)
    return post_changes(older(entries_of(table, user_id), version), new_name, version)


def profile_last(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    return post_changes(older(entries_of(table, user_id), version), new_name, version) + plan


def always_one_more(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    version, plan = profile["nameVersion"] + 1, head(profile, new_name)[1]
    return plan + post_changes(older(entries_of(table, user_id), version), new_name, version)


def profile_every_time(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    version = profile["nameVersion"] + 1
    key, old = profile_key(user_id), profile["name"]
    plan = [{"item": key, "old": old, "new": new_name, "version": version}]
    return plan + post_changes(older(entries_of(table, user_id), version), new_name, version)


def version_of_the_copies(table: Any, user_id: str, new_name: str) -> Any:
    profile, entries = profile_of(table, user_id), entries_of(table, user_id)
    version = max((entry["authorNameVersion"] for entry in entries), default=0) + 1
    plan = [{**change, "version": version} for change in head(profile, new_name)[1]]
    return plan + post_changes(older(entries, version), new_name, version)


def version_of_the_profile_now(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    plan = [{**each, "version": profile["nameVersion"]} for each in head(profile, new_name)[1]]
    changes = post_changes(entries_of(table, user_id), new_name, profile["nameVersion"])
    return plan + changes


def keys_of_the_index(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    changes = post_changes(entries_of(table, user_id), new_name, version)
    for change in changes:
        change["item"] = {**change["item"], "GSI2PK": f"AUTHOR#{user_id}"}
    return plan + changes


def as_tuples(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    plan += post_changes(older(entries_of(table, user_id), version), new_name, version)
    return [(change["item"], change["old"], change["new"]) for change in plan]


def as_generator(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    yield from plan
    yield from post_changes(older(entries_of(table, user_id), version), new_name, version)


def old_name_of_the_profile(table: Any, user_id: str, new_name: str) -> Any:
    profile = profile_of(table, user_id)
    version, plan = head(profile, new_name)
    changes = post_changes(older(entries_of(table, user_id), version), new_name, version)
    return plan + [{**change, "old": profile["name"]} for change in changes]


def plan_for_nobody(table: Any, user_id: str, new_name: str) -> Any:
    profile = table.get_item(Key=profile_key(user_id), ConsistentRead=True).get("Item")
    if profile is None:
        return []
    version, plan = head(profile, new_name)
    return plan + post_changes(older(entries_of(table, user_id), version), new_name, version)


def stops_at_an_empty_page(table: Any, user_id: str, new_name: str, forward: bool = True) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    start: dict[str, Any] = {}
    while True:
        page = table.query(
            IndexName="GSI2",
            KeyConditionExpression=Key("GSI2PK").eq(f"AUTHOR#{user_id}"),
            FilterExpression=Attr("authorNameVersion").lt(version),
            ScanIndexForward=forward,
            **start,
        )
        plan += post_changes(page["Items"], new_name, version)
        if not page["Items"] or "LastEvaluatedKey" not in page:
            return plan
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def stops_at_an_empty_page_from_the_end(table: Any, user_id: str, new_name: str) -> Any:
    return stops_at_an_empty_page(table, user_id, new_name, forward=False)


def last_page_left_out(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    pages = table.meta.client.get_paginator("query").paginate(
        TableName=table.name,
        IndexName="GSI2",
        KeyConditionExpression=Key("GSI2PK").eq(f"AUTHOR#{user_id}"),
    )
    *most, last = [page["Items"] for page in pages]
    entries = [entry for page in most or [last] for entry in page]
    return plan + post_changes(older(entries, version), new_name, version)


def unread_is_nobody_to_plan_for(table: Any, user_id: str, new_name: str) -> Any:
    try:
        profile = table.get_item(Key=profile_key(user_id), ConsistentRead=True)["Item"]
    except Exception:
        raise NoSuchUser(user_id) from None
    version, plan = head(profile, new_name)
    return plan + post_changes(older(entries_of(table, user_id), version), new_name, version)


def each_post_eventually(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    changes = post_changes(older(entries_of(table, user_id), version), new_name, version)
    for change in changes:
        change["old"] = table.get_item(Key=change["item"])["Item"]["authorName"]
    return plan + changes


def version_as_text_in_the_plan(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    plan = plan + post_changes(older(entries_of(table, user_id), version), new_name, version)
    return [{**change, "version": str(change["version"])} for change in plan]


def index_first(table: Any, user_id: str, new_name: str) -> Any:
    entries = entries_of(table, user_id)
    version, plan = head(profile_of(table, user_id), new_name)
    return plan + list(reversed(post_changes(older(entries, version), new_name, int(version))))


def each_post_strongly(table: Any, user_id: str, new_name: str) -> Any:
    version, plan = head(profile_of(table, user_id), new_name)
    posts = []
    for entry in entries_of(table, user_id):
        key = {"PK": entry["PK"], "SK": entry["SK"]}
        reply = table.get_item(Key=key, ConsistentRead=True)
        posts += [reply["Item"]] if "Item" in reply else []
    changes = post_changes(older(posts, version), new_name, version)
    return plan + [{**change, "kind": "post"} for change in changes]


def by_paginator(table: Any, user_id: str, new_name: str) -> Any:
    client = table.meta.client
    reply = client.transact_get_items(
        TransactItems=[{"Get": {"TableName": table.name, "Key": profile_key(user_id)}}]
    )
    profile = reply["Responses"][0].get("Item")
    if not profile:
        raise NoSuchUser
    version, plan = head(profile, new_name)
    pages = client.get_paginator("query").paginate(
        TableName=table.name,
        IndexName="GSI2",
        KeyConditionExpression="GSI2PK = :author",
        FilterExpression="authorNameVersion < :version",
        ExpressionAttributeValues={":author": f"AUTHOR#{user_id}", ":version": version},
    )
    for page in pages:
        plan += post_changes(page["Items"], new_name, version)
    return plan


# --- 10.4 apply_rename --------------------------------------------------------------------------

OLDER = "#version < :version"


def is_profile(change: Any) -> bool:
    return bool(change["item"]["SK"] == "PROFILE")


def parts_of(change: Any, condition: str | None = OLDER) -> dict[str, Any]:
    """An update's parts. Values that the condition does not use are left out."""
    prefix = ("name", "nameVersion") if is_profile(change) else ("authorName", "authorNameVersion")
    values = {":new": change["new"], ":version": change["version"]}
    if ":old" in (condition or ""):
        values[":old"] = change["old"]
    if ":before" in (condition or ""):
        values[":before"] = change["version"] - 1
    return {
        "Key": change["item"],
        "UpdateExpression": "SET #name = :new, #version = :version",
        "ExpressionAttributeNames": dict(zip(("#name", "#version"), prefix, strict=True)),
        "ExpressionAttributeValues": values,
        **({} if condition is None else {"ConditionExpression": condition}),
    }


def updated(table: Any, change: Any, condition: str | None = OLDER) -> bool:
    try:
        table.update_item(**parts_of(change, condition))
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def has_it(table: Any, change: Any) -> bool:
    """Whether the profile has the plan's own name and version."""
    profile = table.get_item(Key=change["item"], ConsistentRead=True)["Item"]
    return bool((profile["name"], profile["nameVersion"]) == (change["new"], change["version"]))


def with_conditions(post: str | None, profile: str | None, name: str) -> Any:
    """apply_rename, with these conditions."""

    def apply_rename(table: Any, plan: list[Any]) -> int:
        changed = 0
        for change in plan:
            done = updated(table, change, profile if is_profile(change) else post)
            if is_profile(change) and not done and not has_it(table, change):
                raise Overtaken
            changed += done and not is_profile(change)
        return changed

    apply_rename.__name__ = name
    return apply_rename


NEW_OR_OLDER = f"attribute_not_exists(#version) OR {OLDER}"
old_name = with_conditions("#name = :old", "#name = :old", "old_name")
old_name_on_posts = with_conditions("#name = :old", OLDER, "old_name_on_posts")
unconditional = with_conditions(None, OLDER, "unconditional")
where_it_exists = with_conditions("attribute_exists(PK)", OLDER, "where_it_exists")
unconditional_profile = with_conditions(OLDER, None, "unconditional_profile")
exactly_one_less = with_conditions("#version = :before", OLDER, "exactly_one_less")
new_or_older = with_conditions(NEW_OR_OLDER, OLDER, "new_or_older")
not_newer = with_conditions("NOT #version >= :version", OLDER, "not_newer")
as_new_as = with_conditions("#version <= :version", OLDER, "as_new_as")
another_name = with_conditions("#name <> :new", OLDER, "another_name")
guarded_right = with_conditions(
    f"attribute_exists(SK) AND {OLDER}", "#version = :before", "guarded"
)


def name_alone(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        name = "name" if is_profile(change) else "authorName"
        with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
            table.update_item(
                Key=change["item"],
                UpdateExpression="SET #name = :new",
                ConditionExpression="#name = :old",
                ExpressionAttributeNames={"#name": name},
                ExpressionAttributeValues={":new": change["new"], ":old": change["old"]},
            )
            changed += not is_profile(change)
    return changed


def by_put(table: Any, plan: list[Any]) -> int:
    with table.batch_writer() as batch:
        for change in plan:
            name = "name" if is_profile(change) else "authorName"
            batch.put_item(
                Item={
                    **change["item"],
                    name: change["new"],
                    f"{name}Version": change["version"],
                }
            )
    return len(plan) - 1


def posts_before_the_profile(table: Any, plan: list[Any]) -> int:
    changed = sum(updated(table, change) for change in plan if not is_profile(change))
    for change in filter(is_profile, plan):
        if not updated(table, change) and not has_it(table, change):
            raise Overtaken
    return changed


def goes_on_anyway(table: Any, plan: list[Any]) -> int:
    changed = [change for change in plan if updated(table, change)]
    return sum(not is_profile(change) for change in changed)


def returns_when_overtaken(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        done = updated(table, change)
        if is_profile(change) and not done and not has_it(table, change):
            return 0
        changed += done and not is_profile(change)
    return changed


def always_overtaken(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        done = updated(table, change)
        if is_profile(change) and not done:
            raise Overtaken
        changed += done and not is_profile(change)
    return changed


def same_version_is_mine(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        done = updated(table, change)
        if is_profile(change) and not done:
            profile = table.get_item(Key=change["item"], ConsistentRead=True)["Item"]
            if profile["nameVersion"] != change["version"]:
                raise Overtaken
        changed += done and not is_profile(change)
    return changed


def stops_at_a_refusal(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        done = updated(table, change)
        if not done and is_profile(change) and not has_it(table, change):
            raise Overtaken
        if not done and not is_profile(change):
            break
        changed += done and not is_profile(change)
    return changed


def refusal_goes_out(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        if not is_profile(change):
            table.update_item(**parts_of(change))
            changed += 1
        elif not updated(table, change) and not has_it(table, change):
            raise Overtaken
    return changed


def in_one_transaction(table: Any, plan: list[Any]) -> int:
    actions = [{"Update": {"TableName": table.name, **parts_of(change)}} for change in plan]
    if not plan:
        return 0
    try:
        table.meta.client.transact_write_items(TransactItems=actions)
    except table.meta.client.exceptions.TransactionCanceledException:
        return 0
    return len(plan) - 1


def swallows_everything(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        try:
            table.update_item(**parts_of(change))
            changed += not is_profile(change)
        except ClientError:
            if is_profile(change) and not has_it(table, change):
                raise Overtaken from None
    return changed


def counts_the_profile(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        done = updated(table, change)
        if not done and is_profile(change) and not has_it(table, change):
            raise Overtaken
        changed += done
    return changed


def counts_the_plan(table: Any, plan: list[Any]) -> int:
    guarded_right(table, plan)
    return sum(not is_profile(change) for change in plan)


def reads_then_writes(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        item = table.get_item(Key=change["item"], ConsistentRead=True).get("Item")
        version = "nameVersion" if is_profile(change) else "authorNameVersion"
        if item is None:
            if is_profile(change):
                raise Overtaken
            continue
        if item[version] < change["version"]:
            updated(table, change, None)
            changed += not is_profile(change)
        elif is_profile(change) and not is_own(item, change):
            raise Overtaken
    return changed


def posts_read_then_written(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        if is_profile(change):
            if not updated(table, change) and not has_it(table, change):
                raise Overtaken
            continue
        item = table.get_item(Key=change["item"], ConsistentRead=True).get("Item")
        if item and item["authorNameVersion"] < change["version"]:
            changed += updated(table, change, None)
    return changed


def uses_up_the_plan(table: Any, plan: list[Any]) -> int:
    changed = 0
    while plan:
        change = plan.pop(0)
        changed += updated(table, change) and not is_profile(change)
    return changed


def version_as_text(table: Any, plan: list[Any]) -> int:
    return goes_on_anyway(table, [{**each, "version": str(each["version"])} for each in plan])


def with_update(expression: str, name: str) -> Any:
    """apply_rename, with this in its updates beside the two that belong there."""

    def apply_rename(table: Any, plan: list[Any]) -> int:
        changed = 0
        for change in plan:
            parts = parts_of(change)
            try:
                table.update_item(
                    **{**parts, "UpdateExpression": f"{parts['UpdateExpression']}{expression}"}
                )
                changed += not is_profile(change)
            except table.meta.client.exceptions.ConditionalCheckFailedException:
                if is_profile(change) and not has_it(table, change):
                    raise Overtaken from None
        return changed

    apply_rename.__name__ = name
    return apply_rename


removes_tags = with_update(" REMOVE tags", "removes_tags")
sets_the_time = with_update(", createdAt = :version", "sets_the_time")


def put_whole(table: Any, plan: list[Any], profile_alone: bool = False) -> int:
    changed = 0
    for change in plan:
        if profile_alone and not is_profile(change):
            changed += updated(table, change)
            continue
        name = "name" if is_profile(change) else "authorName"
        item = table.get_item(Key=change["item"], ConsistentRead=True).get("Item")
        if item is None:
            if is_profile(change):
                raise Overtaken
            continue
        try:
            table.put_item(
                Item={**item, name: change["new"], f"{name}Version": change["version"]},
                ConditionExpression=Attr(f"{name}Version").lt(change["version"]),
            )
            changed += not is_profile(change)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            if is_profile(change) and not has_it(table, change):
                raise Overtaken from None
    return changed


def put_profile_whole(table: Any, plan: list[Any]) -> int:
    return put_whole(table, plan, profile_alone=True)


only_another_name = with_conditions(
    f"{OLDER} AND #name <> :new", f"{OLDER} AND #name <> :new", "only_another_name"
)


def skips_the_same_name(table: Any, plan: list[Any]) -> int:
    return int(guarded_right(table, [each for each in plan if each["old"] != each["new"]]))


def own_where(is_own: Any, name: str, strongly: bool = True) -> Any:
    """apply_rename, with another idea of when a refused profile is the plan's own."""

    def apply_rename(table: Any, plan: list[Any]) -> int:
        changed = 0
        for change in plan:
            done = updated(table, change)
            if is_profile(change) and not done:
                reply = table.get_item(Key=change["item"], ConsistentRead=strongly)
                if not is_own(reply.get("Item", {}), change):
                    raise Overtaken
            changed += done and not is_profile(change)
        return changed

    apply_rename.__name__ = name
    return apply_rename


def is_own(profile: Any, change: Any) -> bool:
    found = profile.get("name"), profile.get("nameVersion")
    return found == (change["new"], change["version"])


own_by_its_name = own_where(
    lambda profile, change: profile.get("name") == change["new"], "own_by_its_name"
)
own_by_its_name_or_newer = own_where(
    lambda profile, change: (
        profile.get("name") == change["new"] and profile["nameVersion"] >= change["version"]
    ),
    "own_by_its_name_or_newer",
)
own_by_a_weak_read = own_where(is_own, "own_by_a_weak_read", strongly=False)
a_gone_profile_is_overtaken = own_where(is_own, "a_gone_profile_is_overtaken")


def trouble_is_overtaken(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        try:
            done = updated(table, change)
        except ClientError:
            if is_profile(change):
                raise Overtaken from None
            raise
        if is_profile(change) and not done and not has_it(table, change):
            raise Overtaken
        changed += done and not is_profile(change)
    return changed


def name_then_version(table: Any, plan: list[Any]) -> int:
    """The name by itself, then both, each under the version's guard."""
    changed = 0
    for change in plan:
        parts = parts_of(change)
        try:
            table.update_item(**{**parts, "UpdateExpression": "SET #name = :new"})
            table.update_item(**parts)
            changed += not is_profile(change)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            if is_profile(change) and not has_it(table, change):
                raise Overtaken from None
    return changed


def done_where_it_is_mine(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        done = updated(table, change)
        if is_profile(change) and not done:
            if has_it(table, change):
                return 0
            raise Overtaken
        changed += done and not is_profile(change)
    return changed


def author_name_everywhere(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in plan:
        parts = parts_of(change)
        parts["ExpressionAttributeNames"] = {"#name": "authorName", "#version": "authorNameVersion"}
        try:
            table.update_item(**parts)
            changed += not is_profile(change)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            if is_profile(change) and not has_it(table, change):
                raise Overtaken from None
    return changed


def looks_again_after_each_post(table: Any, plan: list[Any]) -> int:
    """A right answer that asks for more than it needs."""
    changed = 0
    for change in plan:
        done = updated(table, change)
        if is_profile(change):
            if not done and not has_it(table, change):
                raise Overtaken
            continue
        table.get_item(Key=profile_key("7c20"), ConsistentRead=True)
        changed += done
    return changed


def own_in_the_condition(table: Any, plan: list[Any]) -> int:
    """The profile is written again where it is this plan's own."""
    mine = f"{OLDER} OR (#version = :version AND #name = :new)"
    changed = 0
    for change in plan:
        done = updated(table, change, mine if is_profile(change) else OLDER)
        if is_profile(change) and not done:
            raise Overtaken
        changed += done and not is_profile(change)
    return changed


def the_old_way(table: Any, plan: list[Any]) -> int:
    """AttributeUpdates and Expected."""
    changed = 0
    for change in plan:
        name = "name" if is_profile(change) else "authorName"
        older_one = {"ComparisonOperator": "LT", "AttributeValueList": [change["version"]]}
        try:
            table.update_item(
                Key=change["item"],
                AttributeUpdates={
                    name: {"Value": change["new"], "Action": "PUT"},
                    f"{name}Version": {"Value": change["version"], "Action": "PUT"},
                },
                Expected={f"{name}Version": older_one},
            )
            changed += not is_profile(change)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            if is_profile(change) and not has_it(table, change):
                raise Overtaken from None
    return changed


def transactions_of_a_hundred(table: Any, plan: list[Any]) -> int:
    """The posts in transactions, without those that are refused."""
    client = table.meta.client
    posts = [change for change in plan if not is_profile(change)]
    for change in filter(is_profile, plan):
        if not updated(table, change) and not has_it(table, change):
            raise Overtaken
    changed = 0
    for start in range(0, len(posts), 100):
        some = posts[start : start + 100]
        while some:
            actions = [{"Update": {"TableName": table.name, **parts_of(each)}} for each in some]
            try:
                client.transact_write_items(TransactItems=actions)
            except client.exceptions.TransactionCanceledException as error:
                codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
                if "ConditionalCheckFailed" not in codes:
                    raise
                some = [each for each, code in zip(some, codes, strict=True) if code == "None"]
            else:
                changed += len(some)
                break
    return changed


def by_all_old(table: Any, plan: list[Any]) -> int:
    changed = 0
    for change in sorted(plan, key=is_profile, reverse=True):
        try:
            table.meta.client.update_item(
                TableName=table.name,
                **parts_of(change),
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            stood = error.response.get("Item", {})
            own = {"S": change["new"]}, {"N": str(change["version"])}
            if is_profile(change) and (stood["name"], stood["nameVersion"]) != own:
                raise Overtaken from error
        else:
            changed += not is_profile(change)
    return changed


def each_in_a_transaction(table: Any, plan: list[Any]) -> int:
    """Each post together with a check that the profile still has the plan's version."""
    changed, client = 0, table.meta.client
    for change in plan:
        if is_profile(change):
            if not updated(table, change) and not has_it(table, change):
                raise Overtaken
            own = change
            continue
        actions = [{"Update": {"TableName": table.name, **parts_of(change)}}]
        if is_profile(plan[0]):
            check = {
                "TableName": table.name,
                "Key": own["item"],
                "ConditionExpression": "nameVersion = :version",
                "ExpressionAttributeValues": {":version": own["version"]},
            }
            actions.append({"ConditionCheck": check})
        try:
            client.transact_write_items(TransactItems=actions)
            changed += 1
        except client.exceptions.TransactionCanceledException as error:
            codes = {reason["Code"] for reason in error.response["CancellationReasons"]}
            if not codes <= {"None", "ConditionalCheckFailed"}:
                raise
    return changed


# --- 10.5 rename_cost ---------------------------------------------------------------------------


def table_alone(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * math.ceil(post_bytes / 1024)


def one_index(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (math.ceil(post_bytes / 1024) + math.ceil(entry_bytes / 1024))


def out_and_in(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (math.ceil(post_bytes / 1024) + 4 * math.ceil(entry_bytes / 1024))


def as_large_as_the_post(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * 3 * math.ceil(post_bytes / 1024)


def one_each(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * 3


def rounded_once(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * math.ceil((post_bytes + 2 * entry_bytes) / 1024)


def rounded_all_together(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return math.ceil(posts * (post_bytes + 2 * entry_bytes) / 1024)


def transactions(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return 2 * posts * (math.ceil(post_bytes / 1024) + 2 * math.ceil(entry_bytes / 1024))


def thousand(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (math.ceil(post_bytes / 1000) + 2 * math.ceil(entry_bytes / 1000))


def four_kilobytes(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (math.ceil(post_bytes / 4096) + 2 * math.ceil(entry_bytes / 4096))


def at_least_one_post(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return max(1, posts) * (math.ceil(post_bytes / 1024) + 2 * math.ceil(entry_bytes / 1024))


def one_more(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (post_bytes // 1024 + 1 + 2 * (entry_bytes // 1024 + 1))


def entries_of_one(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (math.ceil(post_bytes / 1024) + 2)


def as_text(posts: int, post_bytes: int, entry_bytes: int) -> Any:
    return f"{by_ceil(posts, post_bytes, entry_bytes)} units"


def by_ceil(posts: int, post_bytes: int, entry_bytes: int) -> float:
    return posts * (math.ceil(post_bytes / 1024) + 2 * math.ceil(entry_bytes / 1024))


def by_loop(posts: int, post_bytes: int, entry_bytes: int) -> float:
    units = 0.0
    for _ in range(posts):
        for size in (post_bytes, entry_bytes, entry_bytes):
            units += (size + 1023) // 1024
    return units


WRONG: dict[str, list[Any]] = {
    "10.1": [
        (whole_profile, "followers"),
        (name_in_the_map, "a map of id and tier"),
        (only_the_id, "a map of id and tier"),
        (without("author"), "author is None"),
        (without("authorName"), "authorName is 'not there'"),
        (without("authorNameVersion"), "authorNameVersion is not there"),
        (without("GSI1PK"), "GSI1PK is not there"),
        (without("GSI2PK"), "GSI2PK is not there"),
        (without("tags"), "tags is 'not there'"),
        (without("body"), "What is the post's body"),
        (version_one, "The profile's nameVersion is 3"),
        (tags_as_text, "keeps the order, and may be empty"),
        (tags_as_set, "keeps the order, and may be empty"),
        (tags_as_items, "wrote more than the post"),
        (post_in_the_index_key, "GSI1PK is POST#a91f"),
        (user_in_the_index_key, "GSI2PK is USER#7c20"),
        (time_as_text, "ValidationException"),
        (another_key, "no item with PK POST#a91f and SK META"),
        (written_over, "wrote over it"),
        (exists_raises, "finds its own post"),
        (looked_first, "carries the old name"),
        (two_reads, "from the same read"),
        (nobody_is_anonymous, "stored a post"),
        (nobody_is_a_key_error, "names the exception"),
        (swallows_everything_put, "throttled every write to a post"),
        (swallows_client_errors, "throttled every write to a post"),
        (whatever_is_nobody, "throttled every write to a post"),
        (unread_is_nobody, "throttled every read"),
        (where_it_is_there, "Your write was refused"),
        (puts_nothing, "it sent no request"),
        (tags_in_order, "in which order"),
    ],
    "10.2": [
        (by_scan, "bodies and all"),
        (cut_afterwards, "ends a Query early"),
        (oldest_first, "At which end are the newest posts?"),
        (oldest_turned_around, "not the newest ones"),
        (with_look_ups, "What else do you have to look up"),
        (strongly, "a moment after the table"),
        (with_prefix, "knows nothing about your keys"),
        (as_items, "tuple of three"),
        (of_the_other_index, "Which index has every post under one key"),
        (turned_over, "are the title and the author's name"),
        (every_page, "Does the caller want more"),
    ],
    "10.3": [
        (counted_up_at_once, "wrote to the table"),
        (by_another_name, "by its name, or by its version"),
        (by_the_present_name, "by its name, or by its version"),
        (every_post, "is up to date"),
        (of_everybody_with_that_name, "called Mara too"),
        (planned_by_scan, "Which index has only hers?"),
        (first_page, "A page ends at 1 MB"),
        (profile_eventually, "sees the last write"),
        (posts_only, "What changes the profile"),
        (profile_last, "Which change must come first?"),
        (always_one_more, "keeps its number"),
        (profile_every_time, "make every copy out of date again"),
        (version_of_the_copies, "has a number of its own"),
        (version_of_the_profile_now, "has a number of its own"),
        (keys_of_the_index, "the key of the table, and no more"),
        (as_tuples, "a dict with item, old, new and version"),
        (as_generator, "A plan is a list"),
        (old_name_of_the_profile, "post says now"),
        (plan_for_nobody, "There is no user f00d"),
        (stops_at_an_empty_page, "may be empty and not be the last"),
        (stops_at_an_empty_page_from_the_end, "may be empty and not be the last"),
        (last_page_left_out, "A page ends at 1 MB"),
        (unread_is_nobody_to_plan_for, "throttled every read"),
        (each_post_eventually, "has the name and its version already"),
        (version_as_text_in_the_plan, "as a text"),
    ],
    "10.4": [
        (old_name, "you took that for done"),
        (old_name_on_posts, "you took that for done"),
        (name_alone, "From which number will the next plan count?"),
        (by_put, "leaves the rest"),
        (unconditional, "refuses a change that is done already"),
        (new_or_older, "create what they do not find"),
        (not_newer, "create what they do not find"),
        (where_it_exists, "refuses a change that is done already"),
        (as_new_as, "refuses a change that is done already"),
        (another_name, "create what they do not find"),
        (unconditional_profile, "is gone"),
        (exactly_one_less, "by one or by two"),
        (posts_before_the_profile, "This plan may not use that version"),
        (goes_on_anyway, "This plan may not use that version"),
        (same_version_is_mine, "This plan may not use that version"),
        (returns_when_overtaken, "Which exception says so"),
        (always_overtaken, "is the name of this version the plan's own?"),
        (stops_at_a_refusal, "can one refusal undo the other writes?"),
        (refusal_goes_out, "refused because the name is there already?"),
        (in_one_transaction, "can one refusal undo the other writes?"),
        (swallows_everything, "who has to learn of it?"),
        (counts_the_profile, "the profile is not a post"),
        (counts_the_plan, "what do you count then"),
        (reads_then_writes, "Which write decides"),
        (posts_read_then_written, "Lind overwrote Berg after a read"),
        (uses_up_the_plan, "changed what it was given"),
        (version_as_text, "What are its attributes called"),
        (put_whole, "others have written meanwhile"),
        (put_profile_whole, "others have written meanwhile"),
        (removes_tags, "leaves the rest"),
        (sets_the_time, "leaves the rest"),
        (only_another_name, "must take the new version too"),
        (skips_the_same_name, "must take the new version too"),
        (own_by_its_name, "another rename"),
        (own_by_its_name_or_newer, "another rename"),
        (own_by_a_weak_read, "Which read sees the last write"),
        (trouble_is_overtaken, "who has to learn of it?"),
        (name_then_version, "How many writes"),
        (done_where_it_is_mine, "Which posts are still to do"),
        (author_name_everywhere, "does a profile have it"),
    ],
    "10.5": [
        (table_alone, "the table's share"),
        (one_index, "counts one index"),
        (out_and_in, "Is authorName a key"),
        (as_large_as_the_post, "as large as the post"),
        (one_each, "by which size is it billed"),
        (rounded_once, "each by itself"),
        (rounded_all_together, "rounds all posts up together"),
        (transactions, "units of transactions"),
        (thousand, "1,000 or 1,024"),
        (four_kilobytes, "billed by 4 KB"),
        (at_least_one_post, "Without posts"),
        (one_more, "fill a unit exactly"),
        (entries_of_one, "however large"),
        (as_text, "write units are a number"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "10.1": [
        varied(lambda profile, item: {}, "plainly"),
        eventually,
        by_client,
        checked_in_a_transaction,
    ],
    "10.2": [until_enough, list_by_client],
    "10.3": [index_first, each_post_strongly, by_paginator],
    "10.4": [
        with_conditions(OLDER, OLDER, "plainly"),
        guarded_right,
        by_all_old,
        each_in_a_transaction,
        a_gone_profile_is_overtaken,
        looks_again_after_each_post,
        own_in_the_condition,
        the_old_way,
        transactions_of_a_hundred,
    ],
    "10.5": [by_ceil, by_loop],
}
