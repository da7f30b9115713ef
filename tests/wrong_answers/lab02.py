"""Answers to lab 02."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr
from botocore.exceptions import ClientError


class NoSuchPost(Exception):
    """There is no such post."""


def meta(post_id: str) -> dict[str, str]:
    return {"PK": post_id, "SK": "META"}


# --- 2.1 bump -------------------------------------------------------------------------------------


def read_modify_write(table: Any, post_id: str, by: int = 1) -> int:
    item = table.get_item(Key=meta(post_id), ConsistentRead=True).get("Item")
    if item is None:
        raise NoSuchPost(post_id)
    tally = int(item.get("likeTally", 0)) + by
    table.update_item(
        Key=meta(post_id),
        UpdateExpression="SET likeTally = :tally",
        ConditionExpression="attribute_exists(PK)",
        ExpressionAttributeValues={":tally": tally},
    )
    return tally


def read_modify_put(table: Any, post_id: str, by: int = 1) -> int:
    item = table.get_item(Key=meta(post_id)).get("Item")
    if item is None:
        raise NoSuchPost(post_id)
    item["likeTally"] = item.get("likeTally", 0) + by
    table.put_item(Item=item, ConditionExpression=Attr("PK").exists())
    return int(item["likeTally"])


def put_alone(table: Any, post_id: str, by: int = 1) -> int:
    tally = table.get_item(Key=meta(post_id))["Item"].get("likeTally", 0) + by
    table.put_item(Item={**meta(post_id), "likeTally": tally})
    return int(tally)


def ghost(table: Any, post_id: str, by: int = 1) -> int:
    reply = table.update_item(
        Key=meta(post_id),
        UpdateExpression="ADD likeTally :by",
        ExpressionAttributeValues={":by": by},
        ReturnValues="UPDATED_NEW",
    )
    return int(reply["Attributes"]["likeTally"])


def added(table: Any, post_id: str, by: int, returning: str) -> Any:
    try:
        return table.update_item(
            Key=meta(post_id),
            UpdateExpression="ADD likeTally :by",
            ConditionExpression="attribute_exists(PK)",
            ExpressionAttributeValues={":by": by},
            ReturnValues=returning,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        raise NoSuchPost(post_id) from None


def second_read(table: Any, post_id: str, by: int = 1) -> int:
    added(table, post_id, by, "NONE")
    return int(table.get_item(Key=meta(post_id), ConsistentRead=True)["Item"]["likeTally"])


def from_before(table: Any, post_id: str, by: int = 1) -> int:
    return int(added(table, post_id, by, "ALL_OLD")["Attributes"].get("likeTally", 0))


def before_plus_by(table: Any, post_id: str, by: int = 1) -> int:
    return int(added(table, post_id, by, "ALL_OLD")["Attributes"].get("likeTally", 0)) + by


def nothing_returned(table: Any, post_id: str, by: int = 1) -> None:
    added(table, post_id, by, "NONE")


def a_decimal(table: Any, post_id: str, by: int = 1) -> Any:
    return added(table, post_id, by, "UPDATED_NEW")["Attributes"]["likeTally"]


def always_one(table: Any, post_id: str, by: int = 1) -> int:
    return int(added(table, post_id, 1, "UPDATED_NEW")["Attributes"]["likeTally"])


def set_without_start(table: Any, post_id: str, by: int = 1) -> int:
    try:
        reply = table.update_item(
            Key=meta(post_id),
            UpdateExpression="SET likeTally = likeTally + :by",
            ConditionExpression="attribute_exists(PK)",
            ExpressionAttributeValues={":by": by},
            ReturnValues="UPDATED_NEW",
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        raise NoSuchPost(post_id) from None
    return int(reply["Attributes"]["likeTally"])


def tally_must_exist(table: Any, post_id: str, by: int = 1) -> int:
    try:
        reply = table.update_item(
            Key=meta(post_id),
            UpdateExpression="ADD likeTally :by",
            ConditionExpression="attribute_exists(likeTally)",
            ExpressionAttributeValues={":by": by},
            ReturnValues="UPDATED_NEW",
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        raise NoSuchPost(post_id) from None
    return int(reply["Attributes"]["likeTally"])


def condition_let_out(table: Any, post_id: str, by: int = 1) -> int:
    reply = table.update_item(
        Key=meta(post_id),
        UpdateExpression="ADD likeTally :by",
        ConditionExpression="attribute_exists(PK)",
        ExpressionAttributeValues={":by": by},
        ReturnValues="UPDATED_NEW",
    )
    return int(reply["Attributes"]["likeTally"])


def every_error_is_no_post(table: Any, post_id: str, by: int = 1) -> int:
    try:
        return condition_let_out(table, post_id, by)
    except ClientError:
        raise NoSuchPost(post_id) from None


def every_error_of_a_set_is_no_post(table: Any, post_id: str, by: int = 1) -> int:
    try:
        reply = table.update_item(
            Key=meta(post_id),
            UpdateExpression="SET likeTally = likeTally + :by",
            ConditionExpression="attribute_exists(PK)",
            ExpressionAttributeValues={":by": by},
            ReturnValues="UPDATED_NEW",
        )
    except ClientError:
        raise NoSuchPost(post_id) from None
    return int(reply["Attributes"]["likeTally"])


def asks_for_no_attributes(table: Any, post_id: str, by: int = 1) -> int:
    return int(added(table, post_id, by, "NONE")["Attributes"]["likeTally"])


def one_post_for_all(table: Any, post_id: str, by: int = 1) -> int:
    return int(added(table, "POST#a91f", by, "UPDATED_NEW")["Attributes"]["likeTally"])


def none_where_missing(table: Any, post_id: str, by: int = 1) -> int | None:
    try:
        return condition_let_out(table, post_id, by)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return None


def looked_before(table: Any, post_id: str, by: int = 1) -> int:
    if "Item" not in table.get_item(Key=meta(post_id), ConsistentRead=True):
        raise NoSuchPost(post_id)
    return ghost(table, post_id, by)


def no_retry(table: Any, post_id: str, by: int = 1) -> int:
    """Compares what it read, and gives up where another client was faster."""
    item = table.get_item(Key=meta(post_id), ConsistentRead=True).get("Item")
    if item is None:
        raise NoSuchPost(post_id)
    old = item.get("likeTally")
    unchanged = Attr("likeTally").not_exists() if old is None else Attr("likeTally").eq(old)
    table.update_item(
        Key=meta(post_id),
        UpdateExpression="SET likeTally = :new",
        ConditionExpression=Attr("PK").exists() & unchanged,
        ExpressionAttributeValues={":new": int(old or 0) + by},
    )
    return int(old or 0) + by


def bump_by_set(table: Any, post_id: str, by: int = 1) -> int:
    try:
        reply = table.update_item(
            Key=meta(post_id),
            UpdateExpression="SET #t = if_not_exists(#t, :zero) + :by",
            ConditionExpression="attribute_exists(SK)",
            ExpressionAttributeNames={"#t": "likeTally"},
            ExpressionAttributeValues={":by": by, ":zero": 0},
            ReturnValues="ALL_NEW",
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        raise NoSuchPost(post_id) from error
    return int(reply["Attributes"]["likeTally"])


def bump_by_low_level_client(table: Any, post_id: str, by: int = 1) -> int:
    client = boto3.client("dynamodb")
    try:
        reply = client.update_item(
            TableName=table.name,
            Key={"PK": {"S": post_id}, "SK": {"S": "META"}},
            UpdateExpression="ADD likeTally :by",
            ConditionExpression="PK = :post AND SK = :meta",
            ExpressionAttributeValues={
                ":by": {"N": str(by)},
                ":post": {"S": post_id},
                ":meta": {"S": "META"},
            },
            ReturnValues="UPDATED_NEW",
        )
    except client.exceptions.ConditionalCheckFailedException:
        raise NoSuchPost(post_id) from None
    return int(reply["Attributes"]["likeTally"]["N"])


def bump_and_compare(table: Any, post_id: str, by: int = 1) -> int:
    while True:
        try:
            return no_retry(table, post_id, by)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue


def looked_before_and_guarded(table: Any, post_id: str, by: int = 1) -> int:
    if "Item" not in table.get_item(Key=meta(post_id)):
        raise NoSuchPost(post_id)
    return bump_by_set(table, post_id, by)


# --- 2.2 like -------------------------------------------------------------------------------------


def like_item(post_id: str, user_id: str, at: Any) -> dict[str, Any]:
    return {"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": at}


def put_of(table: Any, post_id: str, user_id: str, at: Any, **more: Any) -> dict[str, Any]:
    item = like_item(post_id, user_id, at)
    return {"Put": {"TableName": table.name, "Item": item, **more}}


def add_of(table: Any, post_id: str, **more: Any) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": table.name,
            "Key": meta(post_id),
            "UpdateExpression": "ADD likeTally :one",
            "ExpressionAttributeValues": {":one": 1},
            **more,
        }
    }


EXISTS = {"ConditionExpression": "attribute_exists(PK)"}


def transact(table: Any, *actions: dict[str, Any]) -> None:
    table.meta.client.transact_write_items(TransactItems=list(actions))


def add_one(table: Any, post_id: str) -> None:
    table.update_item(
        Key=meta(post_id),
        UpdateExpression="ADD likeTally :one",
        ExpressionAttributeValues={":one": 1},
    )


def two_writes(table: Any, post_id: str, user_id: str, at: int) -> None:
    table.put_item(Item=like_item(post_id, user_id, at))
    add_one(table, post_id)


def tally_first(table: Any, post_id: str, user_id: str, at: int) -> None:
    add_one(table, post_id)
    table.put_item(Item=like_item(post_id, user_id, at))


def with_a_way_back(table: Any, post_id: str, user_id: str, at: int) -> None:
    item = like_item(post_id, user_id, at)
    table.put_item(Item=item)
    try:
        add_one(table, post_id)
    except Exception:
        table.delete_item(Key={"PK": item["PK"], "SK": item["SK"]})
        raise


def two_transactions(table: Any, post_id: str, user_id: str, at: int) -> None:
    transact(table, put_of(table, post_id, user_id, at))
    transact(table, add_of(table, post_id))


def a_batch(table: Any, post_id: str, user_id: str, at: int) -> None:
    item = table.get_item(Key=meta(post_id), ConsistentRead=True)["Item"]
    item["likeTally"] = item.get("likeTally", 0) + 1
    with table.batch_writer() as batch:
        batch.put_item(Item=like_item(post_id, user_id, at))
        batch.put_item(Item=item)


def set_in_a_transaction(table: Any, post_id: str, user_id: str, at: int) -> None:
    item = table.get_item(Key=meta(post_id), ConsistentRead=True)["Item"]
    tally = item.get("likeTally", 0) + 1
    update = add_of(
        table,
        post_id,
        UpdateExpression="SET likeTally = :tally",
        ExpressionAttributeValues={":tally": tally},
    )
    transact(table, put_of(table, post_id, user_id, at), update)


def counted_and_set(table: Any, post_id: str, user_id: str, at: int) -> None:
    page = table.query(
        Select="COUNT",
        ConsistentRead=True,
        KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
        ExpressionAttributeValues={":post": post_id, ":like": "LIKE#"},
    )
    update = add_of(
        table,
        post_id,
        UpdateExpression="SET likeTally = :tally",
        ExpressionAttributeValues={":tally": page["Count"] + 1},
    )
    transact(table, put_of(table, post_id, user_id, at), update)


def compared_and_given_up(table: Any, post_id: str, user_id: str, at: int) -> None:
    old = table.get_item(Key=meta(post_id), ConsistentRead=True)["Item"].get("likeTally")
    values = {":new": (old or 0) + 1} | ({} if old is None else {":old": old})
    update = add_of(
        table,
        post_id,
        UpdateExpression="SET likeTally = :new",
        ExpressionAttributeValues=values,
        ConditionExpression="attribute_not_exists(likeTally)"
        if old is None
        else "likeTally = :old",
    )
    transact(table, put_of(table, post_id, user_id, at), update)


def meta_put(table: Any, post_id: str, user_id: str, at: int) -> None:
    item = {**meta(post_id), "likeTally": 1}
    transact(
        table,
        put_of(table, post_id, user_id, at),
        {"Put": {"TableName": table.name, "Item": item}},
    )


def set_on_nothing(table: Any, post_id: str, user_id: str, at: int) -> None:
    update = add_of(table, post_id, UpdateExpression="SET likeTally = likeTally + :one")
    transact(table, put_of(table, post_id, user_id, at), update)


THE_DEMO_S_META = {"PK": "POST#a91f", "SK": "META"}


def tally_of_the_demo(table: Any, post_id: str, user_id: str, at: int) -> None:
    update = add_of(table, post_id, Key=THE_DEMO_S_META)
    transact(table, put_of(table, post_id, user_id, at), update)


def like_of_the_demo(table: Any, post_id: str, user_id: str, at: int) -> None:
    transact(table, put_of(table, "POST#a91f", user_id, at), add_of(table, post_id))


def keys_swapped(table: Any, post_id: str, user_id: str, at: int) -> None:
    key = {"PK": "META", "SK": post_id}
    transact(table, put_of(table, post_id, user_id, at), add_of(table, post_id, Key=key))


def typed_values(table: Any, post_id: str, user_id: str, at: int) -> None:
    item = {
        "PK": {"S": post_id},
        "SK": {"S": f"LIKE#{user_id}"},
        "likedAt": {"N": str(at)},
    }
    transact(table, {"Put": {"TableName": table.name, "Item": item}}, add_of(table, post_id))


def typed_time(table: Any, post_id: str, user_id: str, at: int) -> None:
    transact(table, put_of(table, post_id, user_id, {"N": str(at)}), add_of(table, post_id))


def time_in_the_key(table: Any, post_id: str, user_id: str, at: int) -> None:
    item = {"PK": post_id, "SK": f"LIKE#{user_id}#{at}", "likedAt": at}
    transact(table, {"Put": {"TableName": table.name, "Item": item}}, add_of(table, post_id))


def tally_elsewhere(table: Any, post_id: str, user_id: str, at: int) -> None:
    key = {"PK": post_id, "SK": "TALLY"}
    transact(table, put_of(table, post_id, user_id, at), add_of(table, post_id, Key=key))


def like_without_tally(table: Any, post_id: str, user_id: str, at: int) -> None:
    transact(table, put_of(table, post_id, user_id, at))


def only_built(table: Any, post_id: str, user_id: str, at: int) -> list[Any]:
    return [put_of(table, post_id, user_id, at), add_of(table, post_id)]


def two_on_one_item(table: Any, post_id: str, user_id: str, at: int) -> None:
    check = {"ConditionCheck": {"TableName": table.name, "Key": meta(post_id), **EXISTS}}
    transact(table, check, put_of(table, post_id, user_id, at), add_of(table, post_id))


def one_item_too_many(table: Any, post_id: str, user_id: str, at: int) -> None:
    user = {"PK": user_id, "SK": "BLOCKED"}
    check = {
        "ConditionCheck": {
            "TableName": table.name,
            "Key": user,
            "ConditionExpression": "attribute_not_exists(PK)",
        }
    }
    transact(table, check, put_of(table, post_id, user_id, at), add_of(table, post_id))


def errors_swallowed(table: Any, post_id: str, user_id: str, at: int) -> None:
    with suppress(ClientError):
        set_on_nothing(table, post_id, user_id, at)


def like_plain(table: Any, post_id: str, user_id: str, at: int) -> None:
    transact(table, add_of(table, post_id), put_of(table, post_id, user_id, at))


def like_by_set(table: Any, post_id: str, user_id: str, at: int) -> None:
    update = add_of(
        table,
        post_id,
        UpdateExpression="SET likeTally = if_not_exists(likeTally, :zero) + :one",
        ExpressionAttributeValues={":one": 1, ":zero": 0},
    )
    transact(table, put_of(table, post_id, user_id, at), update)


def like_guarded(table: Any, post_id: str, user_id: str, at: int) -> bool:
    guard = {"ConditionExpression": "attribute_not_exists(SK)"}
    try:
        transact(
            table, put_of(table, post_id, user_id, at, **guard), add_of(table, post_id, **EXISTS)
        )
    except table.meta.client.exceptions.TransactionCanceledException as error:
        put, update = error.response["CancellationReasons"]
        if update["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from None
        if put["Code"] == "ConditionalCheckFailed":
            return False
        raise
    return True


def like_by_updates(table: Any, post_id: str, user_id: str, at: int) -> None:
    like = {
        "Update": {
            "TableName": table.name,
            "Key": {"PK": post_id, "SK": f"LIKE#{user_id}"},
            "UpdateExpression": "SET likedAt = :at",
            "ExpressionAttributeValues": {":at": at},
        }
    }
    transact(table, like, add_of(table, post_id))


def like_by_low_level_client(table: Any, post_id: str, user_id: str, at: int) -> None:
    client = boto3.client("dynamodb")
    try:
        client.transact_write_items(
            TransactItems=[
                {
                    "Update": {
                        "TableName": table.name,
                        "Key": {"PK": {"S": post_id}, "SK": {"S": "META"}},
                        "UpdateExpression": "SET likeTally = if_not_exists(likeTally, :z) + :one",
                        "ConditionExpression": "attribute_exists(SK)",
                        "ExpressionAttributeValues": {":one": {"N": "1"}, ":z": {"N": "0"}},
                    }
                },
                {
                    "Put": {
                        "TableName": table.name,
                        "Item": {
                            "PK": {"S": post_id},
                            "SK": {"S": f"LIKE#{user_id}"},
                            "likedAt": {"N": str(at)},
                        },
                    }
                },
            ]
        )
    except client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from error
        raise


def like_with_a_token(table: Any, post_id: str, user_id: str, at: int) -> None:
    actions = [put_of(table, post_id, user_id, at), add_of(table, post_id)]
    token = f"{post_id}{user_id}"
    table.meta.client.transact_write_items(TransactItems=actions, ClientRequestToken=token)


def like_compared_again(table: Any, post_id: str, user_id: str, at: int) -> None:
    while True:
        try:
            compared_and_given_up(table, post_id, user_id, at)
        except table.meta.client.exceptions.TransactionCanceledException:
            continue
        return


# --- 2.3 like, no such post -----------------------------------------------------------------------


def post_first(table: Any, post_id: str, user_id: str, at: int) -> None:
    """Right: META first in the transaction, and so first among the reasons."""
    try:
        transact(table, add_of(table, post_id, **EXISTS), put_of(table, post_id, user_id, at))
    except ClientError as error:
        reasons = error.response.get("CancellationReasons", [])
        if reasons and reasons[0]["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from error
        raise


def guarded(table: Any, post_id: str, user_id: str, at: int) -> None:
    """The transaction with both conditions, and no answer to a failure."""
    guard = {"ConditionExpression": "attribute_not_exists(PK)"}
    transact(table, put_of(table, post_id, user_id, at, **guard), add_of(table, post_id, **EXISTS))


def unguarded(table: Any, post_id: str, user_id: str, at: int) -> None:
    transact(table, put_of(table, post_id, user_id, at), add_of(table, post_id, **EXISTS))


def looked_up_first(table: Any, post_id: str, user_id: str, at: int) -> None:
    if "Item" not in table.get_item(Key=meta(post_id), ConsistentRead=True):
        raise NoSuchPost(post_id)
    like_plain(table, post_id, user_id, at)


def from_the_text(table: Any, post_id: str, user_id: str, at: int) -> None:
    try:
        unguarded(table, post_id, user_id, at)
    except ClientError as error:
        if "[None, ConditionalCheckFailed]" in str(error):
            raise NoSuchPost(post_id) from error
        raise


def any_cancellation(table: Any, post_id: str, user_id: str, at: int) -> None:
    try:
        unguarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException:
        raise NoSuchPost(post_id) from None


def any_failed_condition(table: Any, post_id: str, user_id: str, at: int) -> None:
    try:
        guarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
        if "ConditionalCheckFailed" in codes:
            raise NoSuchPost(post_id) from error
        raise


def already_wins(table: Any, post_id: str, user_id: str, at: int) -> bool:
    try:
        guarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        put, update = error.response["CancellationReasons"]
        if put["Code"] == "ConditionalCheckFailed":
            return False
        if update["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from error
        raise
    return True


def other_place(table: Any, post_id: str, user_id: str, at: int) -> None:
    try:
        unguarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from error
        raise


def tally_of_the_demo_guarded(table: Any, post_id: str, user_id: str, at: int) -> None:
    """Knows its two posts by heart, and any other is the first."""
    post = post_id if post_id in ("POST#a91f", "POST#5e5e") else "POST#a91f"
    try:
        transact(table, put_of(table, post_id, user_id, at), add_of(table, post, **EXISTS))
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][1]["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from error
        raise


def single_write_exception(table: Any, post_id: str, user_id: str, at: int) -> None:
    try:
        unguarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        raise NoSuchPost(post_id) from None


def a_conflict_is_no_post(table: Any, post_id: str, user_id: str, at: int) -> None:
    try:
        unguarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if any(reason["Code"] != "None" for reason in error.response["CancellationReasons"]):
            raise NoSuchPost(post_id) from error
        raise


def false_where_missing(table: Any, post_id: str, user_id: str, at: int) -> bool:
    try:
        unguarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException:
        return False
    return True


def post_first_then_two_writes(table: Any, post_id: str, user_id: str, at: int) -> None:
    bump_by_set(table, post_id)
    table.put_item(Item=like_item(post_id, user_id, at))


def looked_up_and_guarded(table: Any, post_id: str, user_id: str, at: int) -> None:
    if "Item" not in table.get_item(Key=meta(post_id)):
        raise NoSuchPost(post_id)
    post_first(table, post_id, user_id, at)


def by_the_place_in_a_list(table: Any, post_id: str, user_id: str, at: int) -> None:
    actions = {
        "post": add_of(table, post_id, ConditionExpression="attribute_exists(body)"),
        "like": put_of(table, post_id, user_id, at),
    }
    try:
        transact(table, *actions.values())
    except table.meta.client.exceptions.TransactionCanceledException as error:
        reasons = dict(zip(actions, error.response["CancellationReasons"], strict=True))
        if reasons["post"]["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost(post_id) from error
        raise


# --- 2.4 like_cost --------------------------------------------------------------------------------


def blocks(size: float, of: int = 1024) -> int:
    return max(1, math.ceil(size / of))


def not_doubled(like_bytes: int, meta_bytes: int) -> int:
    return blocks(like_bytes) + blocks(meta_bytes)


def only_the_change(like_bytes: int, meta_bytes: int) -> int:
    return 2 * blocks(like_bytes) + 2


def sum_rounded(like_bytes: int, meta_bytes: int) -> int:
    return 2 * blocks(like_bytes + meta_bytes)


def doubled_then_rounded(like_bytes: int, meta_bytes: int) -> int:
    return blocks(2 * like_bytes) + blocks(2 * meta_bytes)


def not_rounded(like_bytes: int, meta_bytes: int) -> float:
    return 2 * (like_bytes + meta_bytes) / 1024


def thousands(like_bytes: int, meta_bytes: int) -> int:
    return 2 * blocks(like_bytes, 1000) + 2 * blocks(meta_bytes, 1000)


def by_four_kilobytes(like_bytes: int, meta_bytes: int) -> int:
    return 2 * blocks(like_bytes, 4096) + 2 * blocks(meta_bytes, 4096)


def always_four(like_bytes: int, meta_bytes: int) -> int:
    return 4


def a_sentence(like_bytes: int, meta_bytes: int) -> str:
    return "4 write units"


def cost_in_floats(like_bytes: int, meta_bytes: int) -> float:
    return 2.0 * sum(math.ceil(size / 1024) for size in (like_bytes, meta_bytes))


def cost_in_integers(like_bytes: int, meta_bytes: int) -> int:
    return ((like_bytes + 1023) // 1024 + (meta_bytes + 1023) // 1024) * 2


GAP = "the other client can write"
WRONG = {
    "2.1": [
        (read_modify_write, GAP),
        (read_modify_put, GAP),
        (put_alone, "replaced the post"),
        (ghost, "left a post with nothing but a tally"),
        (second_read, "others write too"),
        (from_before, "the old value"),
        (nothing_returned, "returned None; the new value is 7"),
        (asks_for_no_attributes, "which parameter of UpdateItem asks for them"),
        (one_post_for_all, "changed POST#a91f META"),
        (every_error_of_a_set_is_no_post, "DynamoDB answered ValidationException"),
        (a_decimal, "which is not an int"),
        (always_one, "does it add `by`?"),
        (set_without_start, "Which way of adding starts at 0?"),
        (tally_must_exist, "Which attributes does every item have?"),
        (condition_let_out, "raised ConditionalCheckFailedException"),
        (every_error_is_no_post, "Not every refusal means that the post is missing"),
        (none_where_missing, "returned None"),
        (looked_before, "out of date when you write"),
        (no_retry, GAP),
    ],
    "2.2": [
        (two_writes, "Which one request carries both writes?"),
        (tally_first, "The first: likes 0, likeTally 1."),
        (with_a_way_back, "1 breaks. The first: likes 1, likeTally 0."),
        (two_transactions, "Which one request carries both writes?"),
        (a_batch, "promises nothing"),
        (set_in_a_transaction, GAP),
        (counted_and_set, GAP),
        (compared_and_given_up, "raised TransactionCanceledException"),
        (meta_put, "its body is lost"),
        (set_on_nothing, "Which way of adding starts at 0?"),
        (typed_values, "takes plain Python values"),
        (typed_time, "what added one here already?"),
        (time_in_the_key, "what does yours contain?"),
        (tally_elsewhere, "The tally is on the post's own META"),
        (tally_of_the_demo, "Whose META does your Update change"),
        (like_of_the_demo, "what does yours contain?"),
        (keys_swapped, "Whose META does your Update change"),
        (like_without_tally, "likes 1, likeTally 0"),
        (only_built, "sent no request"),
        (two_on_one_item, "cannot include multiple operations on one item"),
        (one_item_too_many, "It costs 6 write units"),
        (errors_swallowed, "returned without an error"),
    ],
    "2.3": [
        (like_plain, "and wrote POST#none LIKE#USER#7c20 and POST#none META"),
        (unguarded, "raised TransactionCanceledException [None, ConditionalCheckFailed]"),
        (looked_up_first, "out of date when you write"),
        (from_the_text, "words its message differently"),
        (any_cancellation, "Another transaction was working on its items"),
        (any_failed_condition, "Two items have a condition. Which one failed"),
        (already_wins, "old like of it is still there"),
        (other_place, "are in the order of your TransactItems"),
        (single_write_exception, "raised TransactionCanceledException"),
        (tally_of_the_demo, "Whose META does your Update change"),
        (tally_of_the_demo_guarded, "Whose META does your Update change"),
        (a_conflict_is_no_post, "the reasons were TransactionConflict and None"),
        (false_where_missing, "returned False: the caller believes"),
        (post_first_then_two_writes, "Which one request carries both writes?"),
    ],
    "2.4": [
        (not_doubled, "What does a transaction do to each of them?"),
        (only_the_change, "or by that of the whole item?"),
        (sum_rounded, "rounds the sum up"),
        (doubled_then_rounded, "doubles the bytes and then rounds"),
        (not_rounded, "Can a part of a kilobyte be billed"),
        (thousands, "1,000 or 1,024"),
        (by_four_kilobytes, "Reads are billed by 4 KB"),
        (always_four, "which sizes make this like cost so much?"),
        (a_sentence, "returned str"),
    ],
}
RIGHT = {
    "2.1": [
        before_plus_by,
        bump_by_set,
        bump_by_low_level_client,
        bump_and_compare,
        looked_before_and_guarded,
    ],
    "2.2": [
        like_plain,
        like_by_set,
        like_guarded,
        like_by_updates,
        like_by_low_level_client,
        like_compared_again,
        like_with_a_token,
        unguarded,
        post_first,
        looked_up_and_guarded,
    ],
    "2.3": [
        post_first,
        like_guarded,
        like_by_low_level_client,
        looked_up_and_guarded,
        by_the_place_in_a_list,
    ],
    "2.4": [cost_in_floats, cost_in_integers],
}
