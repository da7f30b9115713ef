"""Answers to lab 00."""

from __future__ import annotations

from typing import Any


def key_without_prefix(table: Any, user_id: str, name: str) -> None:
    table.put_item(Item={"PK": user_id, "SK": "PROFILE", "name": name})


def sort_key_forgotten(table: Any, user_id: str, name: str) -> None:
    table.put_item(Item={"PK": f"USER#{user_id}", "name": name})


def name_in_the_key(table: Any, user_id: str, name: str) -> None:
    table.put_item(Item={"PK": f"USER#{user_id}", "SK": f"PROFILE#{name}", "name": name})


def reserved_word(table: Any, user_id: str, name: str) -> None:
    table.update_item(
        Key={"PK": f"USER#{user_id}", "SK": "PROFILE"},
        UpdateExpression="SET name = :name",
        ExpressionAttributeValues={":name": name},
    )


def only_built(table: Any, user_id: str, name: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}", "SK": "PROFILE", "name": name}


def saved_by_update(table: Any, user_id: str, name: str) -> None:
    table.update_item(
        Key={"PK": f"USER#{user_id}", "SK": "PROFILE"},
        UpdateExpression="SET #n = :name",
        ExpressionAttributeNames={"#n": "name"},
        ExpressionAttributeValues={":name": name},
    )


def saved_by_client(table: Any, user_id: str, name: str) -> None:
    table.meta.client.put_item(
        TableName=table.name,
        Item={"PK": f"USER#{user_id}", "SK": "PROFILE", "name": name},
    )


def missing_user_raises(table: Any, user_id: str) -> Any:
    return table.get_item(Key={"PK": f"USER#{user_id}", "SK": "PROFILE"})["Item"]["name"]


def whole_item(table: Any, user_id: str) -> Any:
    return table.get_item(Key={"PK": f"USER#{user_id}", "SK": "PROFILE"}).get("Item")


def half_a_key(table: Any, user_id: str) -> Any:
    return table.get_item(Key={"PK": f"USER#{user_id}"}).get("Item", {}).get("name")


def scanned(table: Any, user_id: str) -> Any:
    for item in table.scan()["Items"]:
        if item["PK"] == f"USER#{user_id}":
            return item["name"]
    return None


def printed(table: Any, user_id: str) -> None:
    print(table.get_item(Key={"PK": f"USER#{user_id}", "SK": "PROFILE"})["Item"]["name"])


def another_key(table: Any, user_id: str) -> Any:
    return table.get_item(Key={"PK": user_id, "SK": "PROFILE"}).get("Item", {}).get("name")


def empty_text_for_nobody(table: Any, user_id: str) -> Any:
    reply = table.get_item(Key={"PK": f"USER#{user_id}", "SK": "PROFILE"})
    return reply.get("Item", {}).get("name", "")


def loaded_by_query(table: Any, user_id: str) -> Any:
    page = table.query(
        KeyConditionExpression="PK = :user AND SK = :profile",
        ExpressionAttributeValues={":user": f"USER#{user_id}", ":profile": "PROFILE"},
    )
    return page["Items"][0]["name"] if page["Items"] else None


def loaded_strongly(table: Any, user_id: str) -> Any:
    key = {"PK": f"USER#{user_id}", "SK": "PROFILE"}
    return table.get_item(Key=key, ConsistentRead=True).get("Item", {}).get("name")


WRONG = {
    "0.1": [
        (key_without_prefix, "the attribute PK is '7c20'"),
        (sort_key_forgotten, "Missing the key SK"),
        (name_in_the_key, "the attribute SK is 'PROFILE#Mara'"),
        (reserved_word, "reserved keyword: name"),
        (only_built, "left the table empty"),
        ("Mara", "takes the function itself"),
    ],
    "0.2": [
        (missing_user_raises, "KeyError: 'Item'"),
        (whole_item, "returned the item"),
        (half_a_key, "does not match the schema"),
        (scanned, "a Scan read 40 items"),
        (empty_text_for_nobody, "no user 9999"),
        (printed, "What does your function return"),
        (another_key, "Which key does it ask for"),
    ],
}
RIGHT = {
    "0.1": [saved_by_update, saved_by_client],
    "0.2": [loaded_by_query, loaded_strongly],
}
