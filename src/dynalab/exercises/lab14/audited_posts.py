"""Posts with a tally and a copied name, their authors, and what others do to them meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from dynalab.exercises.counted_posts import AT
from dynalab.exercises.given import given
from dynalab.exercises.social import TABLE, put_like

SARA, BEN, NOBODY = "USER#5a2a", "USER#be11", "USER#0ff0"  # authors; the last has no profile

Row = tuple[Any, ...]


# --- what is there ----------------------------------------------------------------------------


def put_profile(table: Any, user_id: str, name: str, version: int) -> None:
    profile = {"PK": user_id, "SK": "PROFILE", "name": name, "nameVersion": version}
    given(table, profile)


def put_audited(
    table: Any,
    post_id: str,
    likers: Sequence[str] = (),
    *,
    author: str = SARA,
    copy: tuple[str, int | None] | None = ("Sara", 1),
    **meta: Any,
) -> None:
    """A post that is right in all: its tally and rev are its likes, unless `meta` has others.

    copy: authorName and authorNameVersion, or None. What is None of these, or of meta, is left out.
    """
    for number, user_id in enumerate(likers):
        put_like(table, post_id, user_id, AT + 10 * number)
    item: dict[str, Any] = {"PK": post_id, "SK": "META", "body": "Hello", "authorId": author}
    if copy is not None:
        item.update(authorName=copy[0], authorNameVersion=copy[1])
    count = len(likers)
    item.update({"likeTally": count, "rev": count, **meta})
    given(table, {name: value for name, value in item.items() if value is not None})


def delete_post(table: Any, post_id: str) -> None:
    table.delete_item(Key={"PK": post_id, "SK": "META"})


# --- what others do meanwhile -----------------------------------------------------------------


def like(table: Any, post_id: str, user_id: str) -> None:
    """A guarded like; nothing where it is there already."""
    item = {"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": AT + 90}
    guard = {"ConditionExpression": "attribute_not_exists(PK)"}
    _with_meta(table, post_id, {"Put": {"TableName": TABLE, "Item": item, **guard}}, 1)


def take_back(table: Any, post_id: str, user_id: str) -> None:
    """A guarded unlike; nothing where there is no like."""
    key = {"PK": post_id, "SK": f"LIKE#{user_id}"}
    guard = {"ConditionExpression": "attribute_exists(PK)"}
    _with_meta(table, post_id, {"Delete": {"TableName": TABLE, "Key": key, **guard}}, -1)


def _with_meta(table: Any, post_id: str, action: dict[str, Any], by: int) -> None:
    update = {
        "TableName": TABLE,
        "Key": {"PK": post_id, "SK": "META"},
        "UpdateExpression": "ADD likeTally :by, rev :one",
        "ConditionExpression": "attribute_exists(PK)",
        "ExpressionAttributeValues": {":by": by, ":one": 1},
    }
    with suppress(table.meta.client.exceptions.TransactionCanceledException):
        table.meta.client.transact_write_items(TransactItems=[action, {"Update": update}])


def edit(table: Any, post_id: str, body: str) -> None:
    """A new body: no rev and no version tells of it."""
    table.update_item(
        Key={"PK": post_id, "SK": "META"},
        UpdateExpression="SET body = :body",
        ConditionExpression="attribute_exists(PK)",
        ExpressionAttributeValues={":body": body},
    )


def rename(table: Any, user_id: str, name: str, version: int, *post_ids: str) -> None:
    """The profile first, then each copy that is there and is not newer."""
    table.update_item(
        Key={"PK": user_id, "SK": "PROFILE"},
        UpdateExpression="SET #n = :name, nameVersion = :version",
        ExpressionAttributeNames={"#n": "name"},
        ExpressionAttributeValues={":name": name, ":version": version},
    )
    for post_id in post_ids:
        with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
            table.update_item(
                Key={"PK": post_id, "SK": "META"},
                UpdateExpression="SET authorName = :name, authorNameVersion = :version",
                ConditionExpression="attribute_exists(PK) AND "
                "(attribute_not_exists(authorNameVersion) OR authorNameVersion < :version)",
                ExpressionAttributeValues={":name": name, ":version": version},
            )


# --- two audits, as the checks of repairs need them -------------------------------------------


def tallies_of(table: Any, post_ids: Sequence[str]) -> list[Row]:
    """What drifted_tallies reports."""
    found = []
    for post_id in post_ids:
        meta = _meta(table, post_id)
        if meta is None:
            continue
        counted = _counted_likes(table, post_id)
        stored = int(meta.get("likeTally", 0))
        if stored != counted:
            found.append((post_id, stored, int(meta["rev"]), counted))
    return found


def _counted_likes(table: Any, post_id: str) -> int:
    """The likes of a post, all pages, strongly consistent."""
    counted = 0
    start: dict[str, Any] = {}
    while True:
        page = table.query(
            Select="COUNT",
            ConsistentRead=True,
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": post_id, ":like": "LIKE#"},
            **start,
        )
        counted += int(page["Count"])
        if "LastEvaluatedKey" not in page:
            return counted
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def copies_of(table: Any, post_ids: Sequence[str]) -> list[Row]:
    """What drifted_copies reports."""
    metas = [meta for post_id in post_ids if (meta := _meta(table, post_id)) is not None]
    profiles = {author: _profile(table, author) for author in {m["authorId"] for m in metas}}
    rows = (drifted_copy(meta, profiles[meta["authorId"]]) for meta in metas)
    return [row for row in rows if row is not None]


def both_of(table: Any, post_id: str) -> tuple[list[Row], list[Row]]:
    """Both reports on one post, for three requests: META, its likes, its author's profile."""
    meta = _meta(table, post_id)
    if meta is None:
        return [], []
    counted = _counted_likes(table, post_id)
    tally = (post_id, int(meta.get("likeTally", 0)), int(meta["rev"]), counted)
    copy = drifted_copy(meta, _profile(table, meta["authorId"]))
    return [tally] if tally[1] != counted else [], [copy] if copy is not None else []


def drifted_copy(meta: Mapping[str, Any], profile: Mapping[str, Any] | None) -> Row | None:
    """The row that reports a post's copy; None where it agrees with its profile."""
    name, copied = meta.get("authorName"), meta.get("authorNameVersion")
    copied = None if copied is None else int(copied)
    if profile is None:
        return None if name is None else (meta["PK"], "orphaned", copied, None, None)
    source = profile["name"], int(profile["nameVersion"])
    if name is None:
        return (meta["PK"], "missing", None, *source)
    return None if (name, copied) == source else (meta["PK"], "stale", copied, *source)


def _meta(table: Any, post_id: str) -> dict[str, Any] | None:
    return _item(table, post_id, "META")


def _profile(table: Any, user_id: str) -> dict[str, Any] | None:
    return _item(table, user_id, "PROFILE")


def _item(table: Any, partition_key: str, sort_key: str) -> dict[str, Any] | None:
    key = {"PK": partition_key, "SK": sort_key}
    item: dict[str, Any] | None = table.get_item(Key=key, ConsistentRead=True).get("Item")
    return item


# --- what is wrong with the items -------------------------------------------------------------


def drifts(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """A phrase for each tally and each copy that is not what it should be, and for ghosts."""
    profiles = {item["PK"]: item for item in items if item["SK"] == "PROFILE"}
    found = []
    for meta in (item for item in items if item["SK"] == "META"):
        post_id = meta["PK"]
        if "body" not in meta:
            found.append(f"{post_id} is a post with nothing but {_attributes(meta)}")
            continue
        likes = sum(i["PK"] == post_id and i["SK"].startswith("LIKE#") for i in items)
        stored = meta.get("likeTally", 0)
        if stored != likes:
            found.append(f"{post_id} has likes {likes}, likeTally {stored}")
        profile = profiles.get(meta["authorId"])
        if (row := drifted_copy(meta, profile)) is not None:
            found.append(f"{post_id}: {in_words(row, meta)}")
    return found


def in_words(row: Row, meta: Mapping[str, Any]) -> str:
    """ "the copy is Sara, version 1, and the profile Sarah, version 2"."""
    _, kind, copied, name, version = row
    copy = "missing" if kind == "missing" else f"{meta['authorName']}, version {copied}"
    source = "gone" if kind == "orphaned" else f"{name}, version {version}"
    return f"the copy is {copy}, and the profile {source}"


def _attributes(meta: Mapping[str, Any]) -> str:
    names = [name for name in meta if name not in ("PK", "SK")]
    return " and ".join(names) or "its key"
