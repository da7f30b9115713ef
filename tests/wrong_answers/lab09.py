"""Answers to lab 09."""

from __future__ import annotations

import math
from contextlib import suppress
from decimal import Decimal
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

LEAST, MOST = -(2**63), 2**63 - 1


def key_of(user_id: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}"}


def refused(error: ClientError) -> bool:
    return error.response["Error"]["Code"] == "ConditionalCheckFailedException"


def count_in(error: ClientError) -> int:
    return int(error.response.get("Item", {}).get("photoCount", {"N": "0"})["N"])


def read(table: Any, user_id: str) -> dict[str, Any]:
    found: dict[str, Any] = table.get_item(Key=key_of(user_id), ConsistentRead=True)
    return found.get("Item", {})


def make_map(table: Any, user_id: str) -> None:
    table.update_item(
        Key=key_of(user_id),
        UpdateExpression="SET photos = if_not_exists(photos, :empty)",
        ExpressionAttributeValues={":empty": {}},
    )


def put_in(table: Any, user_id: str, photo_id: str, meta: Any, **more: Any) -> Any:
    """The photo and the count, in a map that is there."""
    return table.update_item(
        **{
            "Key": key_of(user_id),
            "UpdateExpression": "SET photos.#photo = :meta ADD photoCount :one",
            "ExpressionAttributeNames": {"#photo": photo_id},
            "ExpressionAttributeValues": {":meta": meta, ":one": 1},
            "ReturnValues": "UPDATED_NEW",
            **more,
        }
    )


NEW_PHOTO = "attribute_exists(photos) AND attribute_not_exists(photos.#photo)"
OLD = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}


# --- 9.1 add_photo --------------------------------------------------------------------------------


def read_and_put(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    album = read(table, user_id) or {**key_of(user_id)}
    photos = album.setdefault("photos", {})
    photos.setdefault(photo_id, meta)
    album["photoCount"] = len(photos)
    table.put_item(Item=album)
    return len(photos)


def put_if_the_count_stayed(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    while True:
        album = read(table, user_id) or {**key_of(user_id)}
        photos = album.setdefault("photos", {})
        if photo_id in photos:
            return len(photos)
        counted = "photoCount" in album
        same = Attr("photoCount").eq(album.get("photoCount"))
        photos[photo_id] = meta
        album["photoCount"] = len(photos)
        try:
            table.put_item(
                Item=album,
                ConditionExpression=same if counted else Attr("photoCount").not_exists(),
            )
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue
        return len(photos)


def count_apart(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    try:
        table.update_item(
            Key=key_of(user_id),
            UpdateExpression="SET photos.#photo = :meta",
            ConditionExpression="attribute_not_exists(photos.#photo)",
            ExpressionAttributeNames={"#photo": photo_id},
            ExpressionAttributeValues={":meta": meta},
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return int(read(table, user_id)["photoCount"])
    reply = table.update_item(
        Key=key_of(user_id),
        UpdateExpression="ADD photoCount :one",
        ExpressionAttributeValues={":one": 1},
        ReturnValues="UPDATED_NEW",
    )
    return int(reply["Attributes"]["photoCount"])


def no_guard(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    return int(put_in(table, user_id, photo_id, meta)["Attributes"]["photoCount"])


def guard_by_reading(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    album = read(table, user_id)
    if photo_id in album.get("photos", {}):
        return int(album["photoCount"])
    make_map(table, user_id)
    return int(put_in(table, user_id, photo_id, meta)["Attributes"]["photoCount"])


def without_a_map(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        reply = put_in(
            table,
            user_id,
            photo_id,
            meta,
            ConditionExpression="attribute_not_exists(photos.#photo)",
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def map_and_photo_at_once(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    reply = put_in(
        table,
        user_id,
        photo_id,
        meta,
        UpdateExpression="SET photos = if_not_exists(photos, :empty), photos.#photo = :meta "
        "ADD photoCount :one",
        ExpressionAttributeValues={":meta": meta, ":one": 1, ":empty": {}},
    )
    return int(reply["Attributes"]["photoCount"])


def map_made_blindly(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    if "photos" not in read(table, user_id):
        table.update_item(
            Key=key_of(user_id),
            UpdateExpression="SET photos = :empty",
            ExpressionAttributeValues={":empty": {}},
        )
    return without_a_map(table, user_id, photo_id, meta)


def id_in_the_path(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    try:
        reply = table.update_item(
            Key=key_of(user_id),
            UpdateExpression=f"SET photos.{photo_id} = :meta ADD photoCount :one",
            ConditionExpression=f"attribute_not_exists(photos.{photo_id})",
            ExpressionAttributeValues={":meta": meta, ":one": 1},
            ReturnValues="UPDATED_NEW",
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def path_in_a_placeholder(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    reply = put_in(
        table,
        user_id,
        photo_id,
        meta,
        UpdateExpression="SET #photo = :meta ADD photoCount :one",
        ExpressionAttributeNames={"#photo": f"photos.{photo_id}"},
    )
    return int(reply["Attributes"]["photoCount"])


def a_list(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    reply = table.update_item(
        Key=key_of(user_id),
        UpdateExpression="SET photos = list_append(if_not_exists(photos, :none), :new) "
        "ADD photoCount :one",
        ExpressionAttributeValues={":none": [], ":new": [{"id": photo_id, **meta}], ":one": 1},
        ReturnValues="UPDATED_NEW",
    )
    return int(reply["Attributes"]["photoCount"])


def guarded(table: Any, user_id: str, photo_id: str, meta: Any) -> Any:
    """The count after the update, or before a refused one, as boto3 gives it."""
    for _ in range(2):
        try:
            reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO, **OLD)
            return reply["Attributes"]["photoCount"]
        except table.meta.client.exceptions.ConditionalCheckFailedException as error:
            if "photos" in error.response.get("Item", {}):
                return Decimal(count_in(error))
            make_map(table, user_id)
    raise RuntimeError("the map is gone again")


def a_decimal(table: Any, user_id: str, photo_id: str, meta: Any) -> Any:
    return guarded(table, user_id, photo_id, meta)


def nothing_returned(table: Any, user_id: str, photo_id: str, meta: Any) -> None:
    guarded(table, user_id, photo_id, meta)


def a_second_read(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    guarded(table, user_id, photo_id, meta)
    return int(read(table, user_id)["photoCount"])


def reckoned(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    before = int(read(table, user_id).get("photoCount", 0))
    guarded(table, user_id, photo_id, meta)
    return before + 1


def none_where_it_is_there(table: Any, user_id: str, photo_id: str, meta: Any) -> Any:
    make_map(table, user_id)
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return None
    return int(reply["Attributes"]["photoCount"])


def refusal_let_out(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO)
    return int(reply["Attributes"]["photoCount"])


def looks_at_an_old_album(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    album = table.get_item(Key=key_of(user_id)).get("Item", {})
    if photo_id in album.get("photos", {}):
        return int(album["photoCount"])
    return int(guarded(table, user_id, photo_id, meta))


def asks_after_the_refusal(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    """The other device may have made the map since: that does not mean that the photo is there."""
    for _ in range(2):
        try:
            reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO)
            return int(reply["Attributes"]["photoCount"])
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            album = read(table, user_id)
            if "photos" in album:
                return int(album.get("photoCount", 0))
            make_map(table, user_id)
    raise RuntimeError("the map is gone again")


def old_count_after_the_refusal(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    if photo_id not in read(table, user_id).get("photos", {}):
        return int(guarded(table, user_id, photo_id, meta))
    return int(table.get_item(Key=key_of(user_id))["Item"]["photoCount"])


def writes_over(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    count = int(guarded(table, user_id, photo_id, meta))
    table.update_item(
        Key=key_of(user_id),
        UpdateExpression="SET photos.#photo = :meta",
        ExpressionAttributeNames={"#photo": photo_id},
        ExpressionAttributeValues={":meta": meta},
    )
    return count


def set_without_start(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    reply = put_in(
        table,
        user_id,
        photo_id,
        meta,
        UpdateExpression="SET photos.#photo = :meta, photoCount = photoCount + :one",
        ConditionExpression=NEW_PHOTO,
    )
    return int(reply["Attributes"]["photoCount"])


def every_error_is_there_already(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    with suppress(ClientError):
        make_map(table, user_id)
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO, **OLD)
    except ClientError as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def album_must_exist(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    reply = put_in(
        table,
        user_id,
        photo_id,
        meta,
        ConditionExpression="attribute_exists(PK) AND attribute_not_exists(photos.#photo)",
    )
    return int(reply["Attributes"]["photoCount"])


def id_inside_the_photo(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    return int(guarded(table, user_id, photo_id, {"id": photo_id, **meta}))


def without_the_prefix(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    table.update_item(
        Key={"PK": user_id},
        UpdateExpression="SET photos = :photos, photoCount = :one",
        ExpressionAttributeValues={":photos": {photo_id: meta}, ":one": 1},
    )
    return 1


def map_first(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    try:
        reply = put_in(
            table,
            user_id,
            photo_id,
            meta,
            ConditionExpression="attribute_not_exists(photos.#photo)",
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def first_photo_at_once(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        table.update_item(
            Key=key_of(user_id),
            UpdateExpression="SET photos = :photos, photoCount = :one",
            ConditionExpression=Attr("photos").not_exists(),
            ExpressionAttributeValues={":photos": {photo_id: meta}, ":one": 1},
        )
        return 1
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return int(guarded(table, user_id, photo_id, meta))


def by_validation_error(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        return without_a_map(table, user_id, photo_id, meta)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationException":
            raise
    make_map(table, user_id)
    return without_a_map(table, user_id, photo_id, meta)


def by_set_and_client(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    client = table.meta.client
    try:
        reply = client.update_item(
            TableName=table.name,
            Key=key_of(user_id),
            UpdateExpression="SET #photos.#photo = :meta, "
            "#count = if_not_exists(#count, :zero) + :one",
            ConditionExpression="attribute_not_exists(#photos.#photo)",
            ExpressionAttributeNames={
                "#photos": "photos",
                "#photo": photo_id,
                "#count": "photoCount",
            },
            ExpressionAttributeValues={":meta": meta, ":one": 1, ":zero": 0},
            ReturnValues="ALL_NEW",
        )
    except ClientError as error:
        if not refused(error):
            raise
        return int(read(table, user_id)["photoCount"])
    return int(reply["Attributes"]["photoCount"])


def by_the_map_as_it_was(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    while True:
        photos = read(table, user_id).get("photos")
        if photos is not None and photo_id in photos:
            return len(photos)
        after = {**(photos or {}), photo_id: meta}
        same = Attr("photos").not_exists() if photos is None else Attr("photos").eq(photos)
        try:
            table.update_item(
                Key=key_of(user_id),
                UpdateExpression="SET photos = :photos, photoCount = :count",
                ConditionExpression=same,
                ExpressionAttributeValues={":photos": after, ":count": len(after)},
            )
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue
        return len(after)


def look_then_guard(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    album = read(table, user_id)
    if photo_id in album.get("photos", {}):
        return int(album["photoCount"])
    return int(guarded(table, user_id, photo_id, meta))


def every_error_after_the_map(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO)
    except ClientError:
        return int(read(table, user_id)["photoCount"])
    return int(reply["Attributes"]["photoCount"])


def two_tries_whatever_it_is(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    for _ in range(2):
        try:
            reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO, **OLD)
            return int(reply["Attributes"]["photoCount"])
        except ClientError as error:
            if "photos" in error.response.get("Item", {}):
                return count_in(error)
            make_map(table, user_id)
    return int(read(table, user_id)["photoCount"])


def old_count_after_the_guard(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return int(table.get_item(Key=key_of(user_id))["Item"]["photoCount"])
    return int(reply["Attributes"]["photoCount"])


def again_while_it_is_invalid(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    while True:
        try:
            return without_a_map(table, user_id, photo_id, meta)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ValidationException":
                raise
            make_map(table, user_id)


def no_map_made(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO, **OLD)
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def nothing_sent(table: Any, user_id: str, photo_id: str, meta: Any) -> None:
    pass


def needs_the_photo(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=THERE, **OLD)
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def id_without_dots(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    return int(guarded(table, user_id, photo_id.replace(".", "_").replace("-", "_"), meta))


def refused_the_second_time(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO, **OLD)
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        if "photos" in error.response.get("Item", {}):
            return count_in(error)
        make_map(table, user_id)
        reply = put_in(table, user_id, photo_id, meta, ConditionExpression=NEW_PHOTO)
    return int(reply["Attributes"]["photoCount"])


def map_of_another_is_taken_for_mine(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        return without_a_map(table, user_id, photo_id, meta)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationException":
            raise
    with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
        table.update_item(
            Key=key_of(user_id),
            UpdateExpression="SET photos = :photos, photoCount = :one",
            ConditionExpression=Attr("photos").not_exists(),
            ExpressionAttributeValues={":photos": {photo_id: meta}, ":one": 1},
        )
    return 1


def adds_to_no_count(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    while True:
        album = read(table, user_id)
        if photo_id in album.get("photos", {}):
            return int(album["photoCount"])
        try:
            if "photos" not in album:
                return first_photo(table, user_id, photo_id, meta)
            count: Any = album.get("photoCount")
            table.update_item(
                Key=key_of(user_id),
                UpdateExpression="SET photos.#photo = :meta, photoCount = :new",
                ConditionExpression="photoCount = :old AND attribute_not_exists(photos.#photo)",
                ExpressionAttributeNames={"#photo": photo_id},
                ExpressionAttributeValues={":meta": meta, ":old": count, ":new": count + 1},
            )
            return int(count) + 1
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue


def first_photo(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    table.update_item(
        Key=key_of(user_id),
        UpdateExpression="SET photos = :photos, photoCount = :one",
        ConditionExpression=Attr("photos").not_exists(),
        ExpressionAttributeValues={":photos": {photo_id: meta}, ":one": 1},
    )
    return 1


def count_set_anew(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    table.update_item(
        Key=key_of(user_id),
        UpdateExpression="SET photos = if_not_exists(photos, :empty), photoCount = :zero",
        ExpressionAttributeValues={":empty": {}, ":zero": 0},
    )
    return without_a_map(table, user_id, photo_id, meta)


def guard_beside_the_map(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    make_map(table, user_id)
    condition = "attribute_not_exists(#photo)"
    reply = put_in(table, user_id, photo_id, meta, ConditionExpression=condition)
    return int(reply["Attributes"]["photoCount"])


def item_put_over(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    try:
        table.put_item(
            Item={**key_of(user_id), "photos": {photo_id: meta}, "photoCount": 1},
            ConditionExpression=Attr("photos").not_exists(),
        )
        return 1
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return without_a_map(table, user_id, photo_id, meta)


def by_a_client_of_its_own(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    client: Any = boto3.client("dynamodb")
    key = {"PK": {"S": f"USER#{user_id}"}}
    client.update_item(
        TableName=table.name,
        Key=key,
        UpdateExpression="SET photos = if_not_exists(photos, :empty)",
        ExpressionAttributeValues={":empty": {"M": {}}},
    )
    try:
        reply = client.update_item(
            TableName=table.name,
            Key=key,
            UpdateExpression="SET photos.#photo = :meta ADD photoCount :one",
            ConditionExpression="attribute_not_exists(photos.#photo)",
            ExpressionAttributeNames={"#photo": photo_id},
            ExpressionAttributeValues={
                ":meta": TypeSerializer().serialize(meta),
                ":one": {"N": "1"},
            },
            ReturnValues="UPDATED_NEW",
            **OLD,
        )
    except client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"]["N"])


def tries_a_throttled_one_again(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    while True:
        try:
            return int(guarded(table, user_id, photo_id, meta))
        except ClientError as error:
            if error.response["Error"]["Code"] != "ThrottlingException":
                raise


def by_legacy_parameters(table: Any, user_id: str, photo_id: str, meta: Any) -> int:
    while True:
        album = read(table, user_id)
        photos = album.get("photos", {})
        if photo_id in photos:
            return int(album["photoCount"])
        reply: Any
        same = {"Value": photos, "Exists": True} if "photos" in album else {"Exists": False}
        try:
            reply = table.update_item(
                Key=key_of(user_id),
                AttributeUpdates={
                    "photos": {"Value": {**photos, photo_id: meta}, "Action": "PUT"},
                    "photoCount": {"Value": 1, "Action": "ADD"},
                },
                Expected={"photos": same},
                ReturnValues="UPDATED_NEW",
            )
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue
        return int(reply["Attributes"]["photoCount"])


# --- 9.2 remove_photo -----------------------------------------------------------------------------


def take_out(table: Any, user_id: str, photo_id: str, **more: Any) -> Any:
    return table.update_item(
        **{
            "Key": key_of(user_id),
            "UpdateExpression": "REMOVE photos.#photo ADD photoCount :less",
            "ExpressionAttributeNames": {"#photo": photo_id},
            "ExpressionAttributeValues": {":less": -1},
            "ReturnValues": "UPDATED_NEW",
            **more,
        }
    )


THERE = "attribute_exists(photos.#photo)"


def removed(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(table, user_id, photo_id, ConditionExpression=THERE, **OLD)
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def unguarded(table: Any, user_id: str, photo_id: str) -> int:
    return int(take_out(table, user_id, photo_id)["Attributes"]["photoCount"])


def a_floor(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(
            table,
            user_id,
            photo_id,
            ConditionExpression="photoCount > :zero",
            ExpressionAttributeValues={":less": -1, ":zero": 0},
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def counts_for_anybody(table: Any, user_id: str, photo_id: str) -> int:
    if photo_id not in read(table, user_id).get("photos", {}):
        reply = table.update_item(
            Key=key_of(user_id),
            UpdateExpression="ADD photoCount :zero",
            ExpressionAttributeValues={":zero": 0},
            ReturnValues="UPDATED_NEW",
        )
        return int(reply["Attributes"]["photoCount"])
    return removed(table, user_id, photo_id)


def in_two_writes(table: Any, user_id: str, photo_id: str) -> int:
    try:
        table.update_item(
            Key=key_of(user_id),
            UpdateExpression="REMOVE photos.#photo",
            ConditionExpression=THERE,
            ExpressionAttributeNames={"#photo": photo_id},
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return int(read(table, user_id).get("photoCount", 0))
    reply = table.update_item(
        Key=key_of(user_id),
        UpdateExpression="ADD photoCount :less",
        ExpressionAttributeValues={":less": -1},
        ReturnValues="UPDATED_NEW",
    )
    return int(reply["Attributes"]["photoCount"])


def remove_and_put(table: Any, user_id: str, photo_id: str) -> int:
    album = read(table, user_id)
    if photo_id not in album.get("photos", {}):
        return int(album.get("photoCount", 0))
    del album["photos"][photo_id]
    album["photoCount"] = len(album["photos"])
    table.put_item(Item=album)
    return len(album["photos"])


def remove_if_read(table: Any, user_id: str, photo_id: str) -> int:
    album = read(table, user_id)
    if photo_id not in album.get("photos", {}):
        return int(album.get("photoCount", 0))
    return unguarded(table, user_id, photo_id)


def missing_is_an_error(table: Any, user_id: str, photo_id: str) -> int:
    reply = take_out(table, user_id, photo_id, ConditionExpression=THERE)
    return int(reply["Attributes"]["photoCount"])


def looks_at_an_old_album_first(table: Any, user_id: str, photo_id: str) -> int:
    album = table.get_item(Key=key_of(user_id)).get("Item", {})
    if photo_id not in album.get("photos", {}):
        return int(album.get("photoCount", 0))
    return removed(table, user_id, photo_id)


def old_count_left(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(table, user_id, photo_id, ConditionExpression=THERE)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        album = table.get_item(Key=key_of(user_id)).get("Item", {})
        return int(album.get("photoCount", 0))
    return int(reply["Attributes"]["photoCount"])


def missing_is_zero(table: Any, user_id: str, photo_id: str) -> int:
    try:
        return missing_is_an_error(table, user_id, photo_id)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return 0


def needs_an_item(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(table, user_id, photo_id, ConditionExpression=THERE, **OLD)
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return int(error.response["Item"]["photoCount"]["N"])
    return int(reply["Attributes"]["photoCount"])


def a_decimal_left(table: Any, user_id: str, photo_id: str) -> Any:
    return take_out(table, user_id, photo_id, ConditionExpression=THERE)["Attributes"]["photoCount"]


def path_with_the_id(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = table.update_item(
            Key=key_of(user_id),
            UpdateExpression=f"REMOVE photos.{photo_id} ADD photoCount :less",
            ConditionExpression=f"attribute_exists(photos.{photo_id})",
            ExpressionAttributeValues={":less": -1},
            ReturnValues="UPDATED_NEW",
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def clears_the_empty_album(table: Any, user_id: str, photo_id: str) -> int:
    count = removed(table, user_id, photo_id)
    if count == 0 and read(table, user_id):
        table.update_item(Key=key_of(user_id), UpdateExpression="REMOVE photos, photoCount")
    return count


def any_error_is_missing(table: Any, user_id: str, photo_id: str) -> int:
    try:
        return removed(table, user_id, photo_id)
    except ClientError:
        return int(read_or_nothing(table, user_id).get("photoCount", 0))


def read_or_nothing(table: Any, user_id: str) -> dict[str, Any]:
    with suppress(ClientError):
        return read(table, user_id)
    return {}


def counted_in_python(table: Any, user_id: str, photo_id: str) -> int:
    album = read(table, user_id)
    if photo_id not in album.get("photos", {}):
        return int(album.get("photoCount", 0))
    reply = take_out(
        table,
        user_id,
        photo_id,
        UpdateExpression="REMOVE photos.#photo SET photoCount = :count",
        ExpressionAttributeValues={":count": len(album["photos"]) - 1},
        ConditionExpression=THERE,
    )
    return int(reply["Attributes"]["photoCount"])


def guard_and_floor(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(
            table,
            user_id,
            photo_id,
            ConditionExpression=f"photoCount >= :one AND {THERE}",
            ExpressionAttributeValues={":less": -1, ":one": 1},
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def by_minus(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(
            table,
            user_id,
            photo_id,
            UpdateExpression="SET photoCount = photoCount - :one REMOVE photos.#photo",
            ExpressionAttributeValues={":one": 1},
            ConditionExpression=THERE,
            ReturnValues="ALL_NEW",
        )
    except ClientError as error:
        if not refused(error):
            raise
        return int(read(table, user_id).get("photoCount", 0))
    return int(reply["Attributes"]["photoCount"])


def old_minus_one(table: Any, user_id: str, photo_id: str) -> int:
    try:
        reply = take_out(
            table, user_id, photo_id, ConditionExpression=THERE, ReturnValues="UPDATED_OLD", **OLD
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"]) - 1


def look_then_remove(table: Any, user_id: str, photo_id: str) -> int:
    album = read(table, user_id)
    if photo_id not in album.get("photos", {}):
        return int(album.get("photoCount", 0))
    return removed(table, user_id, photo_id)


def guard_the_wrong_way_round(table: Any, user_id: str, photo_id: str) -> int:
    try:
        condition = "attribute_not_exists(photos.#photo)"
        reply = take_out(table, user_id, photo_id, ConditionExpression=condition, **OLD)
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"])


def nothing_sent_at_all(table: Any, user_id: str, photo_id: str) -> None: ...


def every_error_after_a_look(table: Any, user_id: str, photo_id: str) -> int:
    album = read(table, user_id)
    if photo_id not in album.get("photos", {}):
        return int(album.get("photoCount", 0))
    try:
        return missing_is_an_error(table, user_id, photo_id)
    except ClientError:
        return int(album["photoCount"]) - 1


def removed_by_a_client_of_its_own(table: Any, user_id: str, photo_id: str) -> int:
    client: Any = boto3.client("dynamodb")
    try:
        reply = client.update_item(
            TableName=table.name,
            Key={"PK": {"S": f"USER#{user_id}"}},
            UpdateExpression="SET photoCount = photoCount - :one REMOVE photos.#photo",
            ConditionExpression=THERE,
            ExpressionAttributeNames={"#photo": photo_id},
            ExpressionAttributeValues={":one": {"N": "1"}},
            ReturnValues="ALL_NEW",
            **OLD,
        )
    except client.exceptions.ConditionalCheckFailedException as error:
        return count_in(error)
    return int(reply["Attributes"]["photoCount"]["N"])


# --- 9.3 increment --------------------------------------------------------------------------------


def need_int(by: Any) -> None:
    if type(by) is not int:
        raise TypeError(f"by is {by!r}, not an int")


def adding(table: Any, key: Any, attribute: str, by: int, **more: Any) -> Any:
    return table.update_item(
        **{
            "Key": key,
            "UpdateExpression": "ADD #a :by",
            "ExpressionAttributeNames": {"#a": attribute},
            "ExpressionAttributeValues": {":by": by},
            "ReturnValues": "UPDATED_NEW",
            **more,
        }
    )


def answered(reply: Any, attribute: str, returning: bool) -> int | None:
    return int(reply["Attributes"][attribute]) if returning else None


def bounded(table: Any, key: Any, attribute: str, by: int, **more: Any) -> Any:
    """The addition under its condition; ValueError or OverflowError where it is refused."""
    if not LEAST <= by <= MOST:
        raise OverflowError(f"{by} does not fit")
    try:
        return adding(
            table,
            key,
            attribute,
            by,
            ConditionExpression="attribute_not_exists(#a) OR #a BETWEEN :low AND :high",
            ExpressionAttributeValues={":by": by, ":low": LEAST - by, ":high": MOST - by},
            **OLD,
            **more,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        if "N" not in error.response["Item"][attribute]:
            raise ValueError(f"{attribute} is no number") from error
        raise OverflowError(f"{attribute} would not fit") from error


def right(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    return answered(bounded(table, key, attribute, by), attribute, returning)


def only_add(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    return answered(adding(table, key, attribute, by), attribute, returning)


def instances_of_int(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    if not isinstance(by, int):
        raise TypeError("an int, please")
    return answered(bounded(table, key, attribute, int(by)), attribute, returning)


def made_an_int(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    return answered(bounded(table, key, attribute, int(by)), attribute, returning)


def always_answers(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    return answered(bounded(table, key, attribute, by), attribute, True)


def never_answers(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    bounded(table, key, attribute, by)


def answers_the_old(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    reply = bounded(table, key, attribute, by, ReturnValues="ALL_OLD")
    return int(reply.get("Attributes", {}).get(attribute, 0)) if returning else None


def answers_a_decimal(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    reply = bounded(table, key, attribute, by)
    return reply["Attributes"][attribute] if returning else None


def answers_from_a_read(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    bounded(table, key, attribute, by)
    if returning:
        return int(table.get_item(Key=key, ConsistentRead=True)["Item"][attribute])
    return None


def name_in_the_expression(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    reply = table.update_item(
        Key=key,
        UpdateExpression=f"ADD {attribute} :by",
        ExpressionAttributeValues={":by": by},
        ReturnValues="UPDATED_NEW",
    )
    return answered(reply, attribute, returning)


def set_needs_a_start(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    reply = adding(table, key, attribute, by, UpdateExpression="SET #a = #a + :by")
    return answered(reply, attribute, returning)


def item_must_exist(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    reply = adding(table, key, attribute, by, ConditionExpression="attribute_exists(PK)")
    return answered(reply, attribute, returning)


def value_of(table: Any, key: Any, attribute: str) -> Any:
    item = table.get_item(Key=key, ConsistentRead=True).get("Item", {})
    return item.get(attribute, 0) if attribute in item else 0


def refuse_by_value(old: Any, by: int) -> None:
    if not isinstance(old, Decimal | int) or isinstance(old, bool):
        raise ValueError("no number")
    if not LEAST <= old + by <= MOST:
        raise OverflowError("too far")


def read_and_set(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    old = value_of(table, key, attribute)
    refuse_by_value(old, by)
    reply = adding(
        table,
        key,
        attribute,
        by,
        UpdateExpression="SET #a = :new",
        ExpressionAttributeValues={":new": int(old) + by},
    )
    return answered(reply, attribute, returning)


def read_and_add(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    refuse_by_value(value_of(table, key, attribute), by)
    return answered(adding(table, key, attribute, by), attribute, returning)


def no_bound(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    try:
        reply = adding(table, key, attribute, by)
    except ClientError as error:
        if "incorrect data type" not in str(error):
            raise
        raise ValueError("no number") from error
    return answered(reply, attribute, returning)


def bound_on_the_old_value(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        reply = adding(
            table,
            key,
            attribute,
            by,
            ConditionExpression="attribute_not_exists(#a) OR #a BETWEEN :low AND :high",
            ExpressionAttributeValues={":by": by, ":low": LEAST, ":high": MOST},
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        if "N" not in error.response["Item"][attribute]:
            raise ValueError("no number") from error
        raise OverflowError("too far") from error
    return answered(reply, attribute, returning)


def upper_bound_only(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    if by > MOST:
        raise OverflowError("too far")
    try:
        reply = adding(
            table,
            key,
            attribute,
            by,
            ConditionExpression="attribute_not_exists(#a) OR #a <= :high",
            ExpressionAttributeValues={":by": by, ":high": MOST - by},
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        if "N" not in error.response["Item"][attribute]:
            raise ValueError("no number") from error
        raise OverflowError("too far") from error
    return answered(reply, attribute, returning)


def nothing_counts_as_fitting(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        reply = adding(
            table,
            key,
            attribute,
            by,
            ConditionExpression="attribute_not_exists(#a) OR #a BETWEEN :low AND :high",
            ExpressionAttributeValues={":by": by, ":low": LEAST - by, ":high": MOST - by},
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        if "N" not in error.response["Item"][attribute]:
            raise ValueError("no number") from error
        raise OverflowError("too far") from error
    return answered(reply, attribute, returning)


def undone_afterwards(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        new = int(adding(table, key, attribute, by)["Attributes"][attribute])
    except ClientError as error:
        if "incorrect data type" not in str(error):
            raise
        raise ValueError("no number") from error
    if not LEAST <= new <= MOST:
        adding(table, key, attribute, -by)
        raise OverflowError("too far")
    return new if returning else None


def every_refusal_is_overflow(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        return answered(bounded(table, key, attribute, by), attribute, returning)
    except ValueError as error:
        raise OverflowError("too far") from error


def refusal_goes_on(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    reply = adding(
        table,
        key,
        attribute,
        by,
        ConditionExpression="attribute_not_exists(#a) OR #a BETWEEN :low AND :high",
        ExpressionAttributeValues={":by": by, ":low": LEAST - by, ":high": MOST - by},
    )
    return answered(reply, attribute, returning)


def every_error_is_a_value_error(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        return answered(bounded(table, key, attribute, by), attribute, returning)
    except ClientError as error:
        raise ValueError("no number") from error


def any_validation_error_is_the_type(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        return answered(bounded(table, key, attribute, by), attribute, returning)
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationException":
            raise ValueError("no number") from error
        raise


def starts_anew(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    try:
        return answered(bounded(table, key, attribute, by), attribute, returning)
    except ValueError:
        reply = adding(
            table,
            key,
            attribute,
            by,
            UpdateExpression="SET #a = :by",
        )
        return answered(reply, attribute, returning)


def by_type_and_messages(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    if isinstance(by, bool) or not isinstance(by, int):
        raise TypeError("an int, please")
    if by < LEAST or by > MOST:
        raise OverflowError("too far")
    missing = "attribute_not_exists(#a)"
    if by >= 0:
        condition, edge = f"{missing} OR #a <= :edge", MOST - by
    else:
        condition, edge = f"{missing} OR #a >= :edge", LEAST - by
    try:
        reply = table.meta.client.update_item(
            TableName=table.name,
            Key=key,
            UpdateExpression="SET #a = if_not_exists(#a, :zero) + :by",
            ConditionExpression=f"{condition} OR NOT attribute_type(#a, :number)",
            ExpressionAttributeNames={"#a": attribute},
            ExpressionAttributeValues={":by": by, ":edge": edge, ":zero": 0, ":number": "N"},
            ReturnValues="ALL_NEW",
        )
    except ClientError as error:
        if refused(error):
            raise OverflowError("too far") from error
        if "incorrect data type" in str(error):
            raise ValueError("no number") from error
        raise
    return int(reply["Attributes"][attribute]) if returning else None


def by_comparing_and_setting(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    while True:
        item = table.get_item(Key=key, ConsistentRead=True).get("Item", {})
        old = item.get(attribute, 0)
        refuse_by_value(old, by)
        new = int(old) + by
        try:
            table.update_item(
                Key=key,
                UpdateExpression="SET #a = :new",
                ConditionExpression="#a = :old OR (attribute_not_exists(#a) AND :old = :zero)",
                ExpressionAttributeNames={"#a": attribute},
                ExpressionAttributeValues={":new": new, ":old": old, ":zero": 0},
            )
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue
        return new if returning else None


def looked_up_after_the_refusal(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False, strong: bool = True
) -> Any:
    need_int(by)
    if not LEAST <= by <= MOST:
        raise OverflowError("too far")
    serializer, deserializer = TypeSerializer(), TypeDeserializer()
    values = {":by": by, ":low": LEAST - by, ":high": MOST - by}
    try:
        reply = adding(
            table,
            key,
            attribute,
            by,
            ConditionExpression="#a BETWEEN :low AND :high OR attribute_not_exists(#a)",
            ExpressionAttributeValues={
                name: deserializer.deserialize(serializer.serialize(value))
                for name, value in values.items()
            },
        )
    except ClientError as error:
        if not refused(error):
            raise
        stored = table.get_item(Key=key, ConsistentRead=strong)["Item"][attribute]
        if isinstance(stored, Decimal):
            raise OverflowError("too far") from error
        raise ValueError("no number") from error
    return answered(reply, attribute, returning)


def looked_up_eventually(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    return looked_up_after_the_refusal(table, key, attribute, by, returning=returning, strong=False)


def whole_item_put(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    while True:
        item = table.get_item(Key=key, ConsistentRead=True).get("Item", dict(key))
        old = item.get(attribute, 0)
        refuse_by_value(old, by)
        new = int(old) + by
        same = Attr(attribute).eq(old) if attribute in item else Attr(attribute).not_exists()
        try:
            table.put_item(Item={**item, attribute: new}, ConditionExpression=same)
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue
        return new if returning else None


def keys_by_name(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    return right(table, {"PK": key["PK"], "SK": key["SK"]}, attribute, by, returning=returning)


def always_the_same_table(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    social = boto3.resource("dynamodb").Table("Social")
    return right(social, key, attribute, by, returning=returning)


def under(condition: str, table: Any, key: Any, attribute: str, by: int, returning: bool) -> Any:
    """An addition under a condition on the name #a and the values :low and :high."""
    need_int(by)
    if not LEAST <= by <= MOST:
        raise OverflowError("by")
    values = {":by": by, ":low": LEAST - by, ":high": MOST - by}
    try:
        reply = adding(
            table,
            key,
            attribute,
            by,
            ConditionExpression=condition,
            ExpressionAttributeValues=values,
            **OLD,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException as error:
        if "N" not in error.response["Item"][attribute]:
            raise ValueError("no number") from error
        raise OverflowError("too far") from error
    return answered(reply, attribute, returning)


def missing_is_refused(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    return under("#a BETWEEN :low AND :high", table, key, attribute, by, returning)


def missing_is_no_number(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    try:
        return missing_is_refused(table, key, attribute, by, returning=returning)
    except KeyError:
        raise ValueError("no number") from None


def missing_item_alone_passes(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    condition = "attribute_not_exists(PK) OR #a BETWEEN :low AND :high"
    return under(condition, table, key, attribute, by, returning)


def item_needed(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    condition = "attribute_exists(PK) AND (attribute_not_exists(#a) OR #a BETWEEN :low AND :high)"
    return under(condition, table, key, attribute, by, returning)


def refused_without_a_word(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    with suppress(KeyError):
        return missing_is_refused(table, key, attribute, by, returning=returning)


def never_down(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    if by < 0:
        raise OverflowError("never down")
    return right(table, key, attribute, by, returning=returning)


def range_before_type(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    if not isinstance(by, str) and not LEAST <= by <= MOST:
        raise OverflowError("by")
    return right(table, key, attribute, by, returning=returning)


def by_a_resource_of_its_own(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    own = boto3.resource("dynamodb").Table(table.name)
    return right(own, key, attribute, by, returning=returning)


def incremented_by_a_client_of_its_own(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    if not LEAST <= by <= MOST:
        raise OverflowError("by")
    client: Any = boto3.client("dynamodb")
    serialize = TypeSerializer().serialize
    values = {":by": by, ":low": LEAST - by, ":high": MOST - by}
    try:
        reply = client.update_item(
            TableName=table.name,
            Key={name: serialize(value) for name, value in key.items()},
            UpdateExpression="ADD #a :by",
            ConditionExpression="attribute_not_exists(#a) OR #a BETWEEN :low AND :high",
            ExpressionAttributeNames={"#a": attribute},
            ExpressionAttributeValues={name: {"N": str(value)} for name, value in values.items()},
            ReturnValues="UPDATED_NEW",
            **OLD,
        )
    except client.exceptions.ConditionalCheckFailedException as error:
        kind = OverflowError if "N" in error.response["Item"][attribute] else ValueError
        raise kind(attribute) from error
    return int(reply["Attributes"][attribute]["N"]) if returning else None


def started_at_zero(
    table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False
) -> Any:
    need_int(by)
    if not LEAST <= by <= MOST:
        raise OverflowError("by")
    table.update_item(
        Key=key,
        UpdateExpression="SET #a = if_not_exists(#a, :zero)",
        ExpressionAttributeNames={"#a": attribute},
        ExpressionAttributeValues={":zero": 0},
    )
    return missing_is_refused(table, key, attribute, by, returning=returning)


def old_plus_by(table: Any, key: Any, attribute: str, by: Any, *, returning: bool = False) -> Any:
    need_int(by)
    reply = bounded(table, key, attribute, by, ReturnValues="UPDATED_OLD")
    return int(reply.get("Attributes", {}).get(attribute, 0)) + by if returning else None


# --- 9.4 break_even -------------------------------------------------------------------------------


def units(size: int) -> int:
    return max(1, -(-size // 1024))


def floor_divided(row_bytes: int, photo_bytes: int) -> int:
    return max(0, (4 * 1024 - row_bytes) // photo_bytes)


def step_by_step(row_bytes: int, photo_bytes: int) -> int:
    photos = 0
    while units(row_bytes + (photos + 1) * photo_bytes) <= 4:
        photos += 1
    return photos


def never_below_zero(row_bytes: int, photo_bytes: int) -> int:
    return (4096 - row_bytes) // photo_bytes


def by_the_size_before(row_bytes: int, photo_bytes: int) -> int:
    photos = 0
    while units(row_bytes + photos * photo_bytes) <= 4:
        photos += 1
    return photos


def rounded_up(row_bytes: int, photo_bytes: int) -> int:
    return max(0, math.ceil((4096 - row_bytes) / photo_bytes))


def thousands(row_bytes: int, photo_bytes: int) -> int:
    return max(0, (4000 - row_bytes) // photo_bytes)


def without_the_row(row_bytes: int, photo_bytes: int) -> int:
    return 4096 // photo_bytes


def a_float(row_bytes: int, photo_bytes: int) -> float:
    return max(0.0, (4096 - row_bytes) / photo_bytes)


def a_whole_float(row_bytes: int, photo_bytes: int) -> float:
    return float(floor_divided(row_bytes, photo_bytes))


def by_the_whole_bill(row_bytes: int, photo_bytes: int) -> int:
    photos = paid = 0
    while paid <= 4 * photos:
        photos += 1
        paid += units(row_bytes + photos * photo_bytes)
    return photos


def as_many_as_fit(row_bytes: int, photo_bytes: int) -> int:
    return (409_600 - row_bytes) // photo_bytes


def four_is_too_much(row_bytes: int, photo_bytes: int) -> int:
    photos = 0
    while row_bytes + (photos + 1) * photo_bytes < 4096:
        photos += 1
    return photos


def by_the_read_unit(row_bytes: int, photo_bytes: int) -> int:
    photos = 0
    while -(-(row_bytes + (photos + 1) * photo_bytes) // 4096) <= 4:
        photos += 1
    return photos


def one_too_few(row_bytes: int, photo_bytes: int) -> int:
    return max(0, (4096 - row_bytes) // photo_bytes - 1)


def raises_for_a_large_row(row_bytes: int, photo_bytes: int) -> int:
    if row_bytes > 4096:
        raise ValueError("too large")
    return (4096 - row_bytes) // photo_bytes


def gives_up_at_a_thousand(row_bytes: int, photo_bytes: int) -> int | None:
    for photos in range(1000):
        if row_bytes + (photos + 1) * photo_bytes > 4096:
            return photos
    return None


WRONG = {
    "9.1": [
        (read_and_put, "is gone"),
        (put_if_the_count_stayed, "did not change the count"),
        (count_apart, "a process can die between two writes"),
        (no_guard, "must not be counted again"),
        (guard_by_reading, "Two devices add the same photo"),
        (without_a_map, "Does the map exist"),
        (map_and_photo_at_once, "may change a place only once. It cannot change"),
        (map_made_blindly, "photos p2, photoCount 2"),
        (id_in_the_path, "IMG-0042.jpg"),
        (path_in_a_placeholder, "what is the whole path?"),
        (a_list, "belongs in the map photos"),
        (a_decimal, "How do you convert it to an int?"),
        (nothing_returned, "Which parameters ask for them?"),
        (a_second_read, "A returned 2, and B returned 2"),
        (reckoned, "It differs by one"),
        (none_where_it_is_there, "was there already. "),
        (refusal_let_out, "which of the cases in the docstring"),
        (looks_at_an_old_album, "Another device added p3, and then"),
        (asks_after_the_refusal, "p2 is gone"),
        (old_count_after_the_refusal, "a read that may be old"),
        (writes_over, "wrote new metadata over it"),
        (set_without_start, "Which way of adding starts at 0?"),
        (every_error_is_there_already, "ThrottlingException"),
        (album_must_exist, "which of the cases in the docstring"),
        (id_inside_the_photo, "Under the id the map must hold meta"),
        (without_the_prefix, "where does your key come from?"),
        (every_error_after_the_map, "ThrottlingException to request 2"),
        (two_tries_whatever_it_is, "Every other error goes on"),
        (old_count_after_the_guard, "a read that may be old"),
        (again_while_it_is_invalid, "an item holds 400 KB"),
        (no_map_made, "which request makes the map?"),
        (nothing_sent, "sent no write"),
        (needs_the_photo, "for a new photo?"),
        (id_without_dots, "IMG_0042_jpg"),
        (refused_the_second_time, "The condition worked"),
        (map_of_another_is_taken_for_mine, "is your photo in it?"),
        (adds_to_no_count, "Which number does a missing count mean?"),
        (count_set_anew, "overwrite it?"),
        (guard_beside_the_map, "does it look into the map"),
        (item_put_over, "has no photos yet. After item_put_over("),
    ],
    "9.2": [
        (unguarded, "REMOVE succeeds all the same"),
        (a_floor, "A floor at zero does not prevent that"),
        (counts_for_anybody, "made an item"),
        (in_two_writes, "either may die"),
        (remove_and_put, "Two devices remove two photos"),
        (remove_if_read, "What you read before a write may be gone"),
        (missing_is_an_error, "A failed condition is an answer"),
        (looks_at_an_old_album_first, "added p2, and then"),
        (old_count_left, "added p3, and then"),
        (missing_is_zero, "the count is 3"),
        (needs_an_item, "KeyError"),
        (
            a_decimal_left,
            "How do you convert it to an int?",
        ),
        (path_with_the_id, "IMG-0042.jpg"),
        (clears_the_empty_album, "Do you need to remove an empty map?"),
        (any_error_is_missing, "ThrottlingException to request 1"),
        (counted_in_python, "What you read before a write may be gone"),
        (guard_the_wrong_way_round, "Is your condition the wrong way round?"),
        (nothing_sent_at_all, "sent no write"),
        (every_error_after_a_look, "Every other error goes on"),
    ],
    "9.3": [
        (only_add, "`by` is"),
        (instances_of_int, "True is one"),
        (made_an_int, "a float"),
        (always_answers, "The value is returned only if the caller asks for it"),
        (never_answers, "holds no attributes unless you ask"),
        (answers_the_old, "that is the old value"),
        (answers_a_decimal, "boto3 reads every Number as a Decimal"),
        (answers_from_a_read, "Can the update itself return"),
        (name_in_the_expression, "reserved keyword"),
        (set_needs_a_start, "Which way of adding starts at 0?"),
        (item_must_exist, "There is no item ROOM#lobby META yet"),
        (read_and_set, "Who else could add for you?"),
        (read_and_add, "views is 2**63 - 2, and two clients add 1"),
        (no_bound, "DynamoDB has 38 digits and no such bound"),
        (bound_on_the_old_value, "What must be true of the stored number"),
        (upper_bound_only, "stored -2**63 - 1"),
        (nothing_counts_as_fitting, "what tests it?"),
        (undone_afterwards, "Between an addition and its reversal"),
        (every_refusal_is_overflow, "not a number, raise ValueError"),
        (looked_up_eventually, "a read that may be old"),
        (refusal_goes_on, "not a number, raise ValueError"),
        (every_error_is_a_value_error, "ThrottlingException"),
        (any_validation_error_is_the_type, "The key lacks its sort key"),
        (starts_anew, "An attribute that is not a number is not a counter"),
        (whole_item_put, "B's edit is gone"),
        (keys_by_name, "no sort key"),
        (always_the_same_table, "no sort key"),
        (missing_is_refused, "does your condition let it pass"),
        (missing_is_no_number, "does your condition let it pass"),
        (missing_item_alone_passes, "does your condition let it pass"),
        (item_needed, "does your condition let it pass"),
        (refused_without_a_word, "does your condition let it pass"),
        (never_down, "Which of your tests refuses it?"),
        (range_before_type, "1e+30"),
    ],
    "9.4": [
        (never_below_zero, "fewer than 0 photos?"),
        (by_the_size_before, "is billed by the item before or after it, whichever is larger"),
        (rounded_up, "One too many"),
        (thousands, "1,000 or 1,024"),
        (without_the_row, "the item holds more than photos"),
        (a_float, "do you round a part of one up or down?"),
        (a_whole_float, "how do you convert it to an int?"),
        (by_the_whole_bill, "What does the *next* photo cost?"),
        (as_many_as_fit, "how many fit into an item"),
        (four_is_too_much, "exactly 4,096 bytes"),
        (by_the_read_unit, "what does a write of that size cost"),
        (one_too_few, "One too few"),
        (raises_for_a_large_row, "Every album has an answer"),
        (gives_up_at_a_thousand, "break_even(100, 1) returned None"),
    ],
}

RIGHT = {
    "9.1": [
        map_first,
        first_photo_at_once,
        by_validation_error,
        by_set_and_client,
        by_the_map_as_it_was,
        look_then_guard,
        by_a_client_of_its_own,
        tries_a_throttled_one_again,
        by_legacy_parameters,
    ],
    "9.2": [
        removed,
        guard_and_floor,
        by_minus,
        old_minus_one,
        look_then_remove,
        removed_by_a_client_of_its_own,
    ],
    "9.3": [
        right,
        by_type_and_messages,
        by_comparing_and_setting,
        looked_up_after_the_refusal,
        by_a_resource_of_its_own,
        incremented_by_a_client_of_its_own,
        started_at_zero,
        old_plus_by,
    ],
    "9.4": [floor_divided, step_by_step],
}
