"""Answers to lab 14."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from decimal import Decimal
from typing import Any

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from dynalab.engine.connect import connect

# --- the notebook's helpers -------------------------------------------------------------------


def plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def sql(statement: str, as_value: Any = plain, **tables: Any) -> list[Any]:
    with closing(sqlite3.connect(":memory:")) as database:
        for name, (columns, items) in tables.items():
            database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
            database.executemany(
                f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})",
                [[as_value(item.get(column)) for column in columns] for item in items],
            )
        return database.execute(statement).fetchall()


def read(table: Any, post_id: str, **options: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    start: dict[str, Any] = {}
    while True:
        page = table.query(KeyConditionExpression=Key("PK").eq(post_id), **options, **start)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


# --- 14.1 drifted_tallies -----------------------------------------------------------------------

META_FIRST = {"ConsistentRead": True, "ScanIndexForward": False}
TALLIES = """
    SELECT posts.PK, COALESCE(likeTally, 0), rev, COUNT(likes.SK)
    FROM posts LEFT JOIN likes ON likes.PK = posts.PK
    GROUP BY posts.PK HAVING COALESCE(likeTally, 0) <> COUNT(likes.SK)
"""


def tallies(
    table: Any,
    post_ids: Any,
    statement: str = TALLIES,
    options: Any = META_FIRST,
    as_value: Any = plain,
    prefix: str = "LIKE#",
) -> list[Any]:
    items = [item for post_id in post_ids for item in read(table, post_id, **options)]
    metas = [item for item in items if item["SK"] == "META"]
    likes = [item for item in items if item["SK"].startswith(prefix)]
    return sql(
        statement,
        as_value,
        posts=(["PK", "likeTally", "rev"], metas),
        likes=(["PK", "SK"], likes),
    )


def tallies_by_sql(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids)


def tallies_by_inner_join(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, TALLIES.replace("LEFT JOIN", "JOIN"))


def tallies_by_count_of_rows(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, TALLIES.replace("COUNT(likes.SK)", "COUNT(*)"))


def tallies_with_null(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, TALLIES.replace("COALESCE(likeTally, 0)", "likeTally"))


def tallies_reporting_null(table: Any, post_ids: Any) -> Any:
    return tallies(
        table, post_ids, TALLIES.replace("COALESCE(likeTally, 0), rev", "likeTally, rev")
    )


def as_text(value: Any) -> Any:
    return None if value is None else str(value)


def as_float(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def tallies_as_text(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, as_value=as_text)


def tallies_as_floats(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, as_value=as_float)


def tallies_as_decimals(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, as_value=lambda value: value)


def tallies_of_all(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, TALLIES[: TALLIES.index("HAVING")])


def tallies_counting_comments(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, prefix="")


def tallies_eventually(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, options={"ScanIndexForward": False})


def tallies_likes_first(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, options={"ConsistentRead": True})


def tallies_of_the_first_page(table: Any, post_ids: Any) -> Any:
    items = []
    for post_id in post_ids:
        items += table.query(KeyConditionExpression=Key("PK").eq(post_id), **META_FIRST)["Items"]
    metas = [item for item in items if item["SK"] == "META"]
    likes = [item for item in items if item["SK"].startswith("LIKE#")]
    return sql(TALLIES, posts=(["PK", "likeTally", "rev"], metas), likes=(["PK", "SK"], likes))


def tallies_by_scan(table: Any, post_ids: Any) -> Any:
    items = table.scan(ConsistentRead=True)["Items"]
    metas = [item for item in items if item["SK"] == "META" and item["PK"] in post_ids]
    likes = [item for item in items if item["SK"].startswith("LIKE#")]
    return sql(TALLIES, posts=(["PK", "likeTally", "rev"], metas), likes=(["PK", "SK"], likes))


def tallies_as_dict(table: Any, post_ids: Any) -> Any:
    return {row[0]: row[1:] for row in tallies(table, post_ids)}


def tallies_in_another_order(table: Any, post_ids: Any) -> Any:
    return [(post, rev, stored, likes) for post, stored, rev, likes in tallies(table, post_ids)]


def tallies_that_repair(table: Any, post_ids: Any) -> Any:
    rows = tallies(table, post_ids)
    for post_id, _, _, counted in rows:
        table.update_item(
            Key={"PK": post_id, "SK": "META"},
            UpdateExpression="SET likeTally = :n",
            ExpressionAttributeValues={":n": counted},
        )
    return rows


def tallies_of_posts_that_exist(table: Any, post_ids: Any) -> Any:
    found = []
    for post_id in post_ids:
        key = {"PK": post_id, "SK": "META"}
        meta = table.get_item(Key=key, ConsistentRead=True)["Item"]
        likes = [i for i in read(table, post_id, ConsistentRead=True) if i["SK"][:5] == "LIKE#"]
        if meta.get("likeTally", 0) != len(likes):
            found.append((post_id, int(meta.get("likeTally", 0)), int(meta["rev"]), len(likes)))
    return found


def tallies_of_all_likes(table: Any, post_ids: Any) -> Any:
    """Without GROUP BY: one row, of the likes of all posts."""
    return tallies(
        table,
        post_ids,
        "SELECT * FROM (SELECT posts.PK, COALESCE(likeTally, 0) AS stored, rev, COUNT(likes.SK) AS "
        "counted FROM posts LEFT JOIN likes ON likes.PK = posts.PK) WHERE stored <> counted",
    )


def tallies_joined_by_sort_key(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, TALLIES.replace("likes.PK = posts.PK", "likes.SK = posts.PK"))


def tallies_misspelt(table: Any, post_ids: Any) -> Any:
    return tallies(table, post_ids, TALLIES.replace("GROUP BY posts.PK", "GROUP BY post.PK"))


def tallies_of_likers(table: Any, post_ids: Any) -> Any:
    """A prefix without its #, so that it takes LIKERS too."""
    return tallies(table, post_ids, prefix="LIKE")


def tallies_as_lists(table: Any, post_ids: Any) -> Any:
    return [list(row) for row in tallies(table, post_ids)]


def tallies_as_set(table: Any, post_ids: Any) -> Any:
    return set(tallies(table, post_ids))


def tallies_by_a_client_of_its_own(table: Any, post_ids: Any) -> Any:
    return tallies(connect().resource().Table(table.name), post_ids)


def tallies_or_nothing(table: Any, post_ids: Any) -> Any:
    try:
        return tallies(table, post_ids)
    except Exception:
        return []


def tallies_counted_by_dynamodb(table: Any, post_ids: Any) -> Any:
    """META by itself, then a COUNT of the likes, page after page."""
    rows = []
    for post_id in post_ids:
        key = {"PK": post_id, "SK": "META"}
        meta = table.get_item(Key=key, ConsistentRead=True).get("Item")
        if meta is None:
            continue
        condition = Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#")
        counted, start = 0, {}
        while True:
            page = table.query(
                KeyConditionExpression=condition, Select="COUNT", ConsistentRead=True, **start
            )
            counted += page["Count"]
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        stored = int(meta.get("likeTally", 0))
        if stored != counted:
            rows.append((post_id, stored, int(meta["rev"]), counted))
    return rows


def tallies_looked_at_twice(table: Any, post_ids: Any) -> Any:
    """META before the likes and after them: counted where its rev is the same."""
    rows = []
    for post_id in post_ids:
        while True:
            key = {"PK": post_id, "SK": "META"}
            before = table.get_item(Key=key, ConsistentRead=True).get("Item")
            items = read(table, post_id, ConsistentRead=True)
            after = next((item for item in items if item["SK"] == "META"), None)
            if before is None or after is None:
                break
            if before["rev"] == after["rev"]:
                counted = sum(item["SK"].startswith("LIKE#") for item in items)
                stored = int(after.get("likeTally", 0))
                if stored != counted:
                    rows.append((post_id, stored, int(after["rev"]), counted))
                break
    return rows


def tallies_with_decimals(table: Any, post_ids: Any) -> Any:
    return [
        (post_id, Decimal(stored), Decimal(rev), counted)
        for post_id, stored, rev, counted in tallies_by_python(table, post_ids)
    ]


def tallies_by_python(table: Any, post_ids: Any) -> Any:
    """Lab 04's audit, with no SQL."""
    return list(tallies_one_by_one(table, post_ids))


def tallies_one_by_one(table: Any, post_ids: Any) -> Any:
    for post_id in post_ids:
        key = {"PK": post_id, "SK": "META"}
        meta = table.get_item(Key=key, ConsistentRead=True).get("Item")
        if meta is None:
            continue
        likes = [i for i in read(table, post_id, ConsistentRead=True) if i["SK"][:5] == "LIKE#"]
        if meta.get("likeTally", 0) != len(likes):
            yield post_id, int(meta.get("likeTally", 0)), int(meta["rev"]), len(likes)


def tallies_by_subquery(table: Any, post_ids: Any) -> Any:
    return tallies(
        table,
        post_ids,
        "SELECT * FROM (SELECT PK, IFNULL(likeTally, 0) AS stored, rev, "
        "(SELECT COUNT(*) FROM likes WHERE likes.PK = posts.PK) AS counted FROM posts) "
        "WHERE stored <> counted",
    )


# --- 14.2 drifted_copies -----------------------------------------------------------------------

COPIES = """
    SELECT posts.PK,
           CASE WHEN profiles.PK IS NULL THEN 'orphaned'
                WHEN authorName IS NULL THEN 'missing' ELSE 'stale' END,
           authorNameVersion, name, nameVersion
    FROM posts LEFT JOIN profiles ON profiles.PK = posts.authorId
    WHERE authorName IS NOT name OR authorNameVersion IS NOT nameVersion
"""
STRONG = {"ConsistentRead": True}


def item_of(table: Any, partition_key: str, sort_key: str, **options: Any) -> Any:
    return table.get_item(Key={"PK": partition_key, "SK": sort_key}, **options).get("Item")


def metas_of(table: Any, post_ids: Any, **options: Any) -> list[Any]:
    return [meta for post_id in post_ids if (meta := item_of(table, post_id, "META", **options))]


def profiles_of(table: Any, authors: Any, **options: Any) -> list[Any]:
    return [p for author in sorted(authors) if (p := item_of(table, author, "PROFILE", **options))]


def copies_in(metas: Any, profiles: Any, statement: str = COPIES, as_value: Any = plain) -> Any:
    return sql(
        statement,
        as_value,
        posts=(["PK", "authorId", "authorName", "authorNameVersion"], metas),
        profiles=(["PK", "name", "nameVersion"], profiles),
    )


def copies(
    table: Any,
    post_ids: Any,
    statement: str = COPIES,
    meta: Any = STRONG,
    profile: Any = STRONG,
    as_value: Any = plain,
) -> Any:
    metas = metas_of(table, post_ids, **meta)
    profiles = profiles_of(table, {item["authorId"] for item in metas}, **profile)
    return copies_in(metas, profiles, statement, as_value)


def copies_by_sql(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids)


def copies_by_inner_join(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, COPIES.replace("LEFT JOIN", "JOIN"))


def copies_by_not_equal(table: Any, post_ids: Any) -> Any:
    return copies(
        table,
        post_ids,
        COPIES.replace("IS NOT name", "<> name").replace("Version IS NOT", "Version <>"),
    )


def copies_by_older_version(table: Any, post_ids: Any) -> Any:
    return copies(
        table,
        post_ids,
        COPIES[: COPIES.index("WHERE authorName IS NOT")]
        + "WHERE authorNameVersion < nameVersion OR (authorName IS NULL) <> (name IS NULL)",
    )


def copies_by_name(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, COPIES.replace("OR authorNameVersion IS NOT nameVersion", ""))


def copies_older_as_text(table: Any, post_ids: Any) -> Any:
    statement = COPIES.replace(
        "OR authorNameVersion IS NOT nameVersion", "AND authorNameVersion < nameVersion"
    )
    where = statement.index("WHERE authorName IS NOT")
    odd = "authorName IS NOT name AND (authorName IS NULL OR name IS NULL)"
    older = "OR authorNameVersion < nameVersion OR authorNameVersion = nameVersion AND "
    rows = copies(
        table,
        post_ids,
        f"{statement[:where]} WHERE {odd} {older} authorName <> name",
        as_value=as_text,
    )
    return [(*row[:2], as_int(row[2]), row[3], as_int(row[4])) for row in rows]


def as_int(value: Any) -> Any:
    return None if value is None else int(value)


def copies_all_text(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, as_value=as_text)


def copies_all_stale(table: Any, post_ids: Any) -> Any:
    return [(post, "stale", *rest) for post, _, *rest in copies(table, post_ids)]


def copies_kinds_mixed_up(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, COPIES.replace("profiles.PK IS NULL", "authorName IS NOT NULL"))


def copies_missing_first(table: Any, post_ids: Any) -> Any:
    """Posts without copy and without profile are reported as missing."""
    statement = COPIES.replace(
        "WHERE authorName IS NOT", "WHERE authorName IS NULL OR authorName IS NOT"
    )
    return copies(table, post_ids, statement)


def copies_eventual_posts(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, meta={})


def copies_eventual_profiles(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, profile={})


def copies_profiles_first(table: Any, post_ids: Any) -> Any:
    metas = metas_of(table, post_ids, **STRONG)
    profiles = profiles_of(table, {meta["authorId"] for meta in metas}, **STRONG)
    return copies_in(metas_of(table, post_ids, **STRONG), profiles)


def copies_by_query(table: Any, post_ids: Any) -> Any:
    items = [item for post_id in post_ids for item in read(table, post_id, **STRONG)]
    metas = [item for item in items if item["SK"] == "META"]
    profiles = profiles_of(table, {meta["authorId"] for meta in metas}, **STRONG)
    return copies_in(metas, profiles)


def copies_by_scan(table: Any, post_ids: Any) -> Any:
    items = table.scan(ConsistentRead=True)["Items"]
    metas = [item for item in items if item["SK"] == "META" and item["PK"] in post_ids]
    return copies_in(metas, [item for item in items if item["SK"] == "PROFILE"])


def copies_that_need_every_post(table: Any, post_ids: Any) -> Any:
    metas = [
        table.get_item(Key={"PK": post_id, "SK": "META"}, **STRONG)["Item"] for post_id in post_ids
    ]
    return copies_in(metas, profiles_of(table, {m["authorId"] for m in metas}, **STRONG))


def batch(table: Any, keys: Any, *, bounded: bool = True, again: bool = True) -> list[Any]:
    found: list[Any] = []
    keys = list(keys)
    while keys:
        some, keys = (keys[:100], keys[100:]) if bounded else (keys, [])
        request = {table.name: {"Keys": some, "ConsistentRead": True}}
        while request:
            reply = table.meta.client.batch_get_item(RequestItems=request)
            found += reply["Responses"].get(table.name, [])
            request = reply["UnprocessedKeys"] if again else {}
    return found


def copies_by_batch(table: Any, post_ids: Any, **options: Any) -> Any:
    metas = batch(table, [{"PK": post_id, "SK": "META"} for post_id in post_ids], **options)
    authors = {meta["authorId"] for meta in metas}
    keys = [{"PK": author, "SK": "PROFILE"} for author in authors]
    return copies_in(metas, batch(table, keys, **options))


def copies_by_one_batch(table: Any, post_ids: Any) -> Any:
    return copies_by_batch(table, post_ids, bounded=False)


def copies_by_batch_served_in_part(table: Any, post_ids: Any) -> Any:
    return copies_by_batch(table, post_ids, again=False)


def row_of(meta: Any, profile: Any, number: Any = int) -> list[Any]:
    """What is reported of one post: a row, or none."""
    name, version = meta.get("authorName"), meta.get("authorNameVersion")
    version = None if version is None else number(version)
    if profile is None:
        return [] if name is None else [(meta["PK"], "orphaned", version, None, None)]
    source = profile["name"], number(profile["nameVersion"])
    kind = "missing" if name is None else "stale"
    return [] if (name, version) == source else [(meta["PK"], kind, version, *source)]


def copies_by_python(table: Any, post_ids: Any, number: Any = int) -> Any:
    """Each author's profile once a post: right, and dearer."""
    rows = []
    for meta in metas_of(table, post_ids, **STRONG):
        rows += row_of(meta, item_of(table, meta["authorId"], "PROFILE", **STRONG), number)
    return rows


def copies_post_by_post(table: Any, post_ids: Any) -> Any:
    """META, then its author at once, and again for each post."""
    rows = []
    for post_id in post_ids:
        for meta in metas_of(table, [post_id], **STRONG):
            rows += row_of(meta, item_of(table, meta["authorId"], "PROFILE", **STRONG))
    return rows


def copies_with_known_profiles(table: Any, post_ids: Any) -> Any:
    """One loop; a profile that was read for an earlier post serves the later ones."""
    rows, known = [], {}
    for post_id in post_ids:
        for meta in metas_of(table, [post_id], **STRONG):
            author = meta["authorId"]
            if author not in known:
                known[author] = item_of(table, author, "PROFILE", **STRONG)
            rows += row_of(meta, known[author])
    return rows


def copies_as_decimals(table: Any, post_ids: Any) -> Any:
    return copies_by_python(table, post_ids, lambda number: number)


def copies_as_generator(table: Any, post_ids: Any) -> Any:
    yield from copies(table, post_ids)


def copies_as_lists(table: Any, post_ids: Any) -> Any:
    return [list(row) for row in copies(table, post_ids)]


def copies_with_zero_for_none(table: Any, post_ids: Any) -> Any:
    """A copy without a version is told with 0; a missing one with None."""
    zero = "CASE WHEN authorName IS NOT NULL THEN COALESCE(authorNameVersion, 0) END, name,"
    return copies(table, post_ids, COPIES.replace("authorNameVersion, name,", zero))


def copies_by_version_not_equal(table: Any, post_ids: Any) -> Any:
    return copies(table, post_ids, COPIES.replace("Version IS NOT", "Version <>"))


def copies_joined_by_name(table: Any, post_ids: Any) -> Any:
    statement = COPIES.replace("profiles.PK = posts.authorId", "profiles.name = posts.authorName")
    return copies(table, post_ids, statement)


def copies_of_known_authors(table: Any, post_ids: Any) -> Any:
    """The three authors of the front page."""
    known = "USER#5a2a", "USER#be11", "USER#0ff0"
    return copies_in(metas_of(table, post_ids, **STRONG), profiles_of(table, known, **STRONG))


def copies_or_nothing(table: Any, post_ids: Any) -> Any:
    try:
        return copies(table, post_ids)
    except Exception:
        return []


def copies_by_transactions(table: Any, post_ids: Any) -> Any:
    client = table.meta.client

    def got(keys: Any) -> list[Any]:
        found: list[Any] = []
        gets = [{"Get": {"TableName": table.name, "Key": key}} for key in keys]
        for start in range(0, len(gets), 100):
            reply = client.transact_get_items(TransactItems=gets[start : start + 100])
            found += [each["Item"] for each in reply["Responses"] if each.get("Item")]
        return found

    metas = got([{"PK": post_id, "SK": "META"} for post_id in post_ids])
    authors = {meta["authorId"] for meta in metas}
    return copies_in(metas, got([{"PK": author, "SK": "PROFILE"} for author in authors]))


# --- 14.3 repair_all ---------------------------------------------------------------------------

NAMES = "SET authorName = :name, authorNameVersion = :version"
NOT_NEWER = (
    "attribute_exists(PK) AND (attribute_not_exists(authorNameVersion) "
    "OR authorNameVersion <= :version)"
)


def written(
    table: Any, post_id: str, expression: str, condition: str | None, **values: Any
) -> bool:
    names = {f":{name}": value for name, value in values.items()}
    options: dict[str, Any] = {"ExpressionAttributeValues": names} if names else {}
    if condition:
        options["ConditionExpression"] = condition
    try:
        table.update_item(Key={"PK": post_id, "SK": "META"}, UpdateExpression=expression, **options)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def tally_by_rev(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return written(
        table,
        post_id,
        "SET likeTally = :counted ADD rev :one",
        "rev = :rev",
        counted=counted,
        rev=rev,
        one=1,
    )


def copy_not_newer(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind == "orphaned":
        return orphan_as_seen(table, post_id, copied)
    return written(table, post_id, NAMES, NOT_NEWER, name=name, version=version)


REMOVE = "REMOVE authorName, authorNameVersion"


def orphan_as_seen(table: Any, post_id: str, copied: Any) -> bool:
    if copied is None:
        bare = "attribute_exists(PK) AND attribute_not_exists(authorNameVersion)"
        return written(table, post_id, REMOVE, bare)
    return written(table, post_id, REMOVE, "authorNameVersion = :copied", copied=copied)


def repairing(tally: Any = tally_by_rev, copy: Any = copy_not_newer) -> Any:
    def repair_all(table: Any, tallies: Any, copies: Any) -> Any:
        report = [(row[0], "likeTally", tally(table, *row)) for row in tallies]
        return report + [(row[0], "authorName", copy(table, *row)) for row in copies]

    return repair_all


def named(name: str, function: Any) -> Any:
    function.__name__ = name
    return function


def tally_over_all(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return written(
        table,
        post_id,
        "SET likeTally = :n ADD rev :one",
        "attribute_exists(PK)",
        n=counted,
        one=1,
    )


def tally_by_value(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return written(
        table,
        post_id,
        "SET likeTally = :n ADD rev :one",
        "likeTally = :stored OR (attribute_not_exists(likeTally) AND attribute_exists(PK))",
        n=counted,
        one=1,
        stored=stored,
    )


def tally_leaving_rev(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return written(table, post_id, "SET likeTally = :n", "rev = :rev", n=counted, rev=rev)


def tally_by_rev_and_value(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return written(
        table,
        post_id,
        "SET likeTally = :n ADD rev :one",
        "rev = :rev AND likeTally = :stored",
        n=counted,
        rev=rev,
        stored=stored,
        one=1,
    )


def tally_looked_at(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    meta = item_of(table, post_id, "META", **STRONG)
    if meta is None or meta["rev"] != rev:
        return False
    return tally_over_all(table, post_id, stored, rev, counted)


def tally_by_put(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    try:
        table.put_item(
            Item={"PK": post_id, "SK": "META", "likeTally": counted, "rev": rev + 1},
            ConditionExpression=Attr("rev").eq(rev),
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def tally_or_any_error(table: Any, *row: Any) -> bool:
    try:
        return tally_by_rev(table, *row)
    except ClientError:
        return False


def tally_or_raise(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    table.update_item(
        Key={"PK": post_id, "SK": "META"},
        UpdateExpression="SET likeTally = :n ADD rev :one",
        ConditionExpression=Attr("rev").eq(rev),
        ExpressionAttributeValues={":n": counted, ":one": 1},
    )
    return True


def copy_with(condition: str | None, orphan: str | None = None) -> Any:
    """orphan: another condition than that of orphan_as_seen."""

    def copy(table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any) -> bool:
        if kind == "orphaned" and orphan is None:
            return orphan_as_seen(table, post_id, copied)
        if kind == "orphaned":
            values = {"copied": copied} if orphan and ":copied" in orphan else {}
            return written(table, post_id, REMOVE, orphan, **values)
        values = {"name": name, "version": version}
        if condition and ":copied" in condition:
            values["copied"] = copied
        return written(table, post_id, NAMES, condition, **values)

    return copy


def copy_name_only(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind == "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    expression = "SET authorName = :name"
    return written(table, post_id, expression, NOT_NEWER, name=name, version=version)


def copy_of_nobody(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    """An orphan keeps its name, and is told as done."""
    if kind == "orphaned":
        return True
    return copy_not_newer(table, post_id, kind, copied, name, version)


def tally_then_rev(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    """The number first, rev in a request of its own."""
    done = written(table, post_id, "SET likeTally = :n", "rev = :rev", n=counted, rev=rev)
    return done and written(table, post_id, "ADD rev :one", "attribute_exists(PK)", one=1)


def copy_looked_at(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind == "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    meta = item_of(table, post_id, "META", **STRONG)
    if meta is None or meta.get("authorNameVersion", 0) > version:
        return False
    condition = "attribute_exists(PK)"
    return written(table, post_id, NAMES, condition, name=name, version=version)


def orphan_looked_at(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind != "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    meta = item_of(table, post_id, "META", **STRONG)
    if meta is None or meta.get("authorNameVersion") != copied:
        return False
    return written(table, post_id, REMOVE, "attribute_exists(PK)")


def orphan_without_a_post(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    """An update that only removes succeeds where there is no post."""
    if kind == "orphaned" and copied is None:
        return written(table, post_id, REMOVE, "attribute_not_exists(authorNameVersion)")
    return copy_not_newer(table, post_id, kind, copied, name, version)


def orphan_by_deletion(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind != "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    table.delete_item(Key={"PK": post_id, "SK": "META"})
    return True


def orphan_without_letters(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind != "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    expression = "SET authorName = :none REMOVE authorNameVersion"
    return written(table, post_id, expression, "attribute_exists(PK)", none="")


def put_back(table: Any, post_id: str, condition: Any, **attributes: Any) -> bool:
    """META read, changed and put, where a condition holds."""
    meta = item_of(table, post_id, "META", **STRONG)
    if meta is None:
        return False
    try:
        table.put_item(Item={**meta, **attributes}, ConditionExpression=condition)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def tally_put_back(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return put_back(table, post_id, Attr("rev").eq(rev), likeTally=counted, rev=rev + 1)


def copy_put_back(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind == "orphaned":
        return orphan_as_seen(table, post_id, copied)
    version_is = Attr("authorNameVersion")
    not_newer = Attr("PK").exists() & (version_is.not_exists() | version_is.lte(version))
    return put_back(table, post_id, not_newer, authorName=name, authorNameVersion=version)


def tally_and_rev_by_two(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    values = {"n": counted, "rev": rev, "two": 2}
    return written(table, post_id, "SET likeTally = :n ADD rev :two", "rev = :rev", **values)


def tally_up_to_rev(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    values = {"n": counted, "rev": rev, "one": 1}
    return written(table, post_id, "SET likeTally = :n ADD rev :one", "rev <= :rev", **values)


def tally_as_float(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    return tally_by_rev(table, post_id, stored, rev, float(counted))  # type: ignore[arg-type]


def tally_counted_anew(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    """One that has moved is audited again, and repaired at once."""
    done = tally_by_rev(table, post_id, stored, rev, counted)
    again = [] if done else tallies_by_python(table, [post_id])
    return tally_by_rev(table, *again[0]) if again else done


def tally_by_difference(table: Any, post_id: str, stored: int, rev: int, counted: int) -> bool:
    values = {"by": counted - stored, "one": 1}
    expression = "ADD likeTally :by, rev :one"
    return written(table, post_id, expression, "attribute_exists(PK)", **values)


def post_looked_for(
    table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any
) -> bool:
    if kind == "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    if item_of(table, post_id, "META", **STRONG) is None:
        return False
    condition = "attribute_not_exists(authorNameVersion) OR authorNameVersion <= :version"
    return written(table, post_id, NAMES, condition, name=name, version=version)


def copy_by_rev(table: Any, tallies: Any, copies: Any) -> Any:
    """One revision for everything: the tally's repair moves it before the name's turn."""
    revs = {}
    for row in copies:
        revs[row[0]] = (item_of(table, row[0], "META", **STRONG) or {}).get("rev", -1)
    report = [(row[0], "likeTally", tally_by_rev(table, *row)) for row in tallies]
    for post_id, kind, copied, name, version in copies:
        if kind == "orphaned":
            done = copy_not_newer(table, post_id, kind, copied, name, version)
        else:
            rev = revs[post_id]
            done = written(table, post_id, NAMES, "rev = :rev", name=name, version=version, rev=rev)
        report.append((post_id, "authorName", done))
    return report


def copies_by_comparing_none() -> Any:
    return copy_with("authorNameVersion = :copied")


def copy_as_seen(table: Any, post_id: str, kind: str, copied: Any, name: Any, version: Any) -> bool:
    if kind == "orphaned":
        return copy_not_newer(table, post_id, kind, copied, name, version)
    if copied is None:
        condition = "attribute_exists(PK) AND attribute_not_exists(authorNameVersion)"
        return written(table, post_id, NAMES, condition, name=name, version=version)
    condition = "authorNameVersion = :copied"
    return written(table, post_id, NAMES, condition, name=name, version=version, copied=copied)


def repair_by_transactions(table: Any, tallies: Any, copies: Any) -> Any:
    """Low level: a transaction a row, and the profile checked beside the copy."""
    client = table.meta.client
    report: list[Any] = []

    def sent(*actions: Any) -> bool:
        try:
            client.transact_write_items(TransactItems=list(actions))
        except client.exceptions.TransactionCanceledException as error:
            codes = {reason["Code"] for reason in error.response["CancellationReasons"]}
            if codes <= {"None", "ConditionalCheckFailed"}:
                return False
            raise
        return True

    def update(post_id: str, expression: str, condition: str, **values: Any) -> Any:
        return {
            "Update": {
                "TableName": table.name,
                "Key": {"PK": post_id, "SK": "META"},
                "UpdateExpression": expression,
                "ConditionExpression": condition,
                "ExpressionAttributeValues": {f":{n}": v for n, v in values.items()},
            }
        }

    for post_id, _, rev, counted in tallies:
        expression = "SET likeTally = :n, rev = rev + :one"
        done = sent(update(post_id, expression, "rev = :rev", n=counted, rev=rev, one=1))
        report.append([post_id, "likeTally", done])
    for post_id, kind, copied, name, version in copies:
        if kind == "orphaned" and copied is None:
            bare = update(post_id, REMOVE, "authorName > :v", v=" ")
            bare["Update"]["ConditionExpression"] += " AND attribute_not_exists(authorNameVersion)"
            done = sent(bare)
        elif kind == "orphaned":
            done = sent(update(post_id, REMOVE, "authorNameVersion = :v", v=copied))
        else:
            meta = item_of(table, post_id, "META", **STRONG) or {"authorId": "-"}
            check = {
                "ConditionCheck": {
                    "TableName": table.name,
                    "Key": {"PK": meta["authorId"], "SK": "PROFILE"},
                    "ConditionExpression": "nameVersion = :v",
                    "ExpressionAttributeValues": {":v": version},
                }
            }
            values = {"name": name, "version": version}
            done = sent(update(post_id, NAMES, "attribute_exists(SK)", **values), check)
        report.append([post_id, "authorName", done])
    return report


def repair_that_reports_less(table: Any, tallies: Any, copies: Any) -> Any:
    return [row for row in repairing()(table, tallies, copies) if row[2]]


def repair_that_counts(table: Any, tallies: Any, copies: Any) -> Any:
    return len(repairing()(table, tallies, copies))


def repair_without_unversioned(table: Any, tallies: Any, copies: Any) -> Any:
    """Leaves out the copies that have a name and no version."""
    copies = [row for row in copies if row[1] != "stale" or row[2] is not None]
    return repairing()(table, tallies, copies)


def repair_one_by_one(table: Any, tallies: Any, copies: Any) -> Any:
    yield from repairing()(table, tallies, copies)


def repair_by_a_client_of_its_own(table: Any, tallies: Any, copies: Any) -> Any:
    return repairing()(connect().resource().Table(table.name), tallies, copies)


def repair_or_none(table: Any, tallies: Any, copies: Any) -> Any:
    return repairing()(table, tallies, copies) if tallies or copies else None


def repair_without_report(table: Any, tallies: Any, copies: Any) -> Any:
    repairing()(table, tallies, copies)


def repair_all_at_once(table: Any, tallies: Any, copies: Any) -> Any:
    """Everything in one transaction, a post with two rows twice."""
    actions = [
        {
            "Update": {
                "TableName": table.name,
                "Key": {"PK": row[0], "SK": "META"},
                "UpdateExpression": "ADD rev :one",
                "ExpressionAttributeValues": {":one": 1},
            }
        }
        for row in [*tallies, *copies]
    ]
    done = sent_once(table, *actions)
    return [(row[0], "likeTally", done) for row in [*tallies, *copies]]


def repair_with_conditions(table: Any, tallies: Any, copies: Any) -> Any:
    """boto3's conditions, rev by SET, and the guards asked of other attributes."""

    def done(post_id: str, expression: str, condition: Any, **values: Any) -> bool:
        options = {"ExpressionAttributeValues": {f":{n}": v for n, v in values.items()}}
        try:
            table.update_item(
                Key={"PK": post_id, "SK": "META"},
                UpdateExpression=expression,
                ConditionExpression=condition,
                **(options if values else {}),
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True

    report = []
    for post_id, _, rev, counted in tallies:
        expression = "SET likeTally = :n, rev = rev + :one"
        report.append(
            (post_id, "likeTally", done(post_id, expression, Attr("rev").eq(rev), n=counted, one=1))
        )
    version_is = Attr("authorNameVersion")
    for post_id, kind, copied, name, version in copies:
        if kind == "orphaned":
            bare = Attr("authorName").exists() & version_is.not_exists()
            ok = done(post_id, REMOVE, bare if copied is None else version_is.eq(copied))
        else:
            newest = Attr("authorId").exists() & ~version_is.gt(version)
            ok = done(post_id, NAMES, newest, name=name, version=version)
        report.append((post_id, "authorName", ok))
    return report


def repair_in_one_transaction(table: Any, tallies: Any, copies: Any) -> Any:
    """All or nothing: one row that has moved keeps the others from being repaired."""
    client = table.meta.client
    actions: list[Any] = []
    for post_id, _, rev, counted in tallies:
        actions.append(
            {
                "Update": {
                    "TableName": table.name,
                    "Key": {"PK": post_id, "SK": "META"},
                    "UpdateExpression": "SET likeTally = :n ADD rev :one",
                    "ConditionExpression": "rev = :rev",
                    "ExpressionAttributeValues": {":n": counted, ":rev": rev, ":one": 1},
                }
            }
        )
    done = True
    if actions:
        try:
            client.transact_write_items(TransactItems=actions)
        except client.exceptions.TransactionCanceledException:
            done = False
    report = [(row[0], "likeTally", done) for row in tallies]
    return report + [(row[0], "authorName", copy_not_newer(table, *row)) for row in copies]


# --- 14.4 the service --------------------------------------------------------------------------


class NoSuchPost(Exception):
    """There is no post with this id."""


def tapped(table: Any, post_id: str, like: Any, by: int) -> bool:
    update = {
        "TableName": table.name,
        "Key": {"PK": post_id, "SK": "META"},
        "UpdateExpression": "ADD likeTally :by, rev :one",
        "ConditionExpression": "attribute_exists(PK)",
        "ExpressionAttributeValues": {":by": by, ":one": 1},
    }
    return sent_once(table, like, {"Update": update})


def sent_once(table: Any, *actions: Any) -> bool:
    client = table.meta.client
    try:
        client.transact_write_items(TransactItems=list(actions))
    except client.exceptions.TransactionCanceledException as error:
        codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
        if set(codes) <= {"None", "ConditionalCheckFailed"}:
            return False
        raise
    return True


def like_key(post_id: str, user_id: str) -> dict[str, str]:
    return {"PK": post_id, "SK": f"LIKE#{user_id}"}


def put_of(table: Any, item: Any, guard: str | None = "attribute_not_exists(PK)") -> Any:
    condition = {"ConditionExpression": guard} if guard else {}
    return {"Put": {"TableName": table.name, "Item": item, **condition}}


def delete_of(table: Any, key: Any, guard: str | None = "attribute_exists(PK)") -> Any:
    condition = {"ConditionExpression": guard} if guard else {}
    return {"Delete": {"TableName": table.name, "Key": key, **condition}}


def like(table: Any, post_id: str, user_id: str, at: int) -> bool:
    item = {**like_key(post_id, user_id), "likedAt": at}
    return tapped(table, post_id, put_of(table, item), 1)


def unlike(table: Any, post_id: str, user_id: str) -> bool:
    return tapped(table, post_id, delete_of(table, like_key(post_id, user_id)), -1)


def old_like(table: Any, post_id: str, user_id: str) -> Any:
    return table.get_item(Key=like_key(post_id, user_id), ConsistentRead=True).get("Item")


def rev_up(table: Any, post_id: str) -> Any:
    return {
        "Update": {
            "TableName": table.name,
            "Key": {"PK": post_id, "SK": "META"},
            "UpdateExpression": "ADD rev :one",
            "ConditionExpression": "attribute_exists(PK)",
            "ExpressionAttributeValues": {":one": 1},
        }
    }


def merge_as_it_was(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    item = {**old, **like_key(post_id, new_id), "mergedFrom": old_id}
    return sent_once(table, delete_of(table, like_key(post_id, old_id)), put_of(table, item, None))


def merge_by_like_and_unlike(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    like(table, post_id, new_id, old["likedAt"])
    unlike(table, post_id, old_id)
    return True


def merge_unlike_first(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = old_like(table, post_id, old_id)
    if old is None or not unlike(table, post_id, old_id):
        return False
    like(table, post_id, new_id, old["likedAt"])
    return True


def merge_with_another_time(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    if old_like(table, post_id, old_id) is None:
        return False
    like(table, post_id, new_id, 1750636801)
    return unlike(table, post_id, old_id)


def merge_without_a_look(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    like(table, post_id, new_id, 1750636801)
    return unlike(table, post_id, old_id)


def merge_without_rev(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    """The guard is right; where nothing is to be subtracted, rev stays."""
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    item = {**old, **like_key(post_id, new_id)}
    moved = sent_once(table, delete_of(table, like_key(post_id, old_id)), put_of(table, item))
    return moved or unlike(table, post_id, old_id)


def merge_by_transaction(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    item = {**old, **like_key(post_id, new_id), "mergedFrom": old_id}
    delete = delete_of(table, like_key(post_id, old_id))
    moved = sent_once(table, put_of(table, item), rev_up(table, post_id), delete)
    return moved or unlike(table, post_id, old_id)


def move_of(table: Any, old: Any, post_id: str, old_id: str, new_id: str) -> list[Any]:
    """The like changes its account, where the new one has none."""
    item = {**old, **like_key(post_id, new_id), "mergedFrom": old_id}
    return [
        delete_of(table, like_key(post_id, old_id)),
        put_of(table, item),
        rev_up(table, post_id),
    ]


def one_less(table: Any, post_id: str, expression: str, **values: int) -> Any:
    update = rev_up(table, post_id)
    update["Update"]["UpdateExpression"] = expression
    update["Update"]["ExpressionAttributeValues"] = {f":{n}": v for n, v in values.items()}
    return update


def is_there(table: Any, key: Any) -> Any:
    condition = {"ConditionExpression": "attribute_exists(PK)"}
    return {"ConditionCheck": {"TableName": table.name, "Key": key, **condition}}


def merging(
    expression: str = "ADD likeTally :minus, rev :one", times: int = 20, **values: int
) -> Any:
    """A loop of two transactions: a move, or one like less where the new account has its own."""
    values = values or {"minus": -1, "one": 1}

    def merge_in_a_loop(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
        for _ in range(times):
            old = old_like(table, post_id, old_id)
            if old is None:
                return False
            if sent_once(table, *move_of(table, old, post_id, old_id, new_id)):
                return True
            gone = delete_of(table, like_key(post_id, old_id))
            there = is_there(table, like_key(post_id, new_id))
            if sent_once(table, gone, there, one_less(table, post_id, expression, **values)):
                return True
        raise RuntimeError("too busy")

    return merge_in_a_loop


def merge_by_looking(table: Any, post_id: str, old_id: str, new_id: str, times: int = 20) -> bool:
    """Looks at both likes, and writes where both are as they were seen; else looks again."""
    for _ in range(times):
        old = old_like(table, post_id, old_id)
        if old is None:
            return False
        if old_like(table, post_id, new_id) is None:
            actions = move_of(table, old, post_id, old_id, new_id)
        else:
            actions = [
                delete_of(table, like_key(post_id, old_id)),
                is_there(table, like_key(post_id, new_id)),
                one_less(table, post_id, "ADD likeTally :minus, rev :one", minus=-1, one=1),
            ]
        if sent_once(table, *actions):
            return True
    return False


def merge_tried_once(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    return merge_by_looking(table, post_id, old_id, new_id, times=1)


def merge_with_a_stale_look(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = table.get_item(Key=like_key(post_id, old_id)).get("Item")
    if old is None:
        return False
    like(table, post_id, new_id, old["likedAt"])
    return unlike(table, post_id, old_id)


def merge_or_false(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    try:
        return merge_by_like_and_unlike(table, post_id, old_id, new_id)
    except Exception:
        return False


def merge_or_false_where_it_writes(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    try:
        like(table, post_id, new_id, old["likedAt"])
        return unlike(table, post_id, old_id)
    except ClientError:
        return False


def merge_table_last(post_id: str, old_id: str, new_id: str, table: Any) -> bool:
    return merge_by_like_and_unlike(table, post_id, old_id, new_id)


def merge_by_a_client_of_its_own(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    mine = connect().resource().Table(table.name)
    return merge_by_like_and_unlike(mine, post_id, old_id, new_id)


def merge_always_true(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    merge_by_like_and_unlike(table, post_id, old_id, new_id)
    return True


def merge_after_a_look(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    """Looks whether the new account likes the post, then writes without a guard."""
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    if old_like(table, post_id, new_id):
        return unlike(table, post_id, old_id)
    item = {**old, **like_key(post_id, new_id)}
    delete = delete_of(table, like_key(post_id, old_id))
    return sent_once(table, put_of(table, item, None), rev_up(table, post_id), delete)


def merge_that_only_refuses(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    item = {**old, **like_key(post_id, new_id)}
    delete = delete_of(table, like_key(post_id, old_id))
    return sent_once(table, put_of(table, item), rev_up(table, post_id), delete)


def merge_that_always_subtracts(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    if merge_as_it_was(table, post_id, old_id, new_id):
        table.update_item(
            Key={"PK": post_id, "SK": "META"},
            UpdateExpression="ADD likeTally :minus, rev :one",
            ExpressionAttributeValues={":minus": -1, ":one": 1},
        )
        return True
    return False


def merge_in_two_steps(table: Any, post_id: str, old_id: str, new_id: str) -> bool:
    """The put of a look, then a delete by itself, then a number by itself."""
    old = old_like(table, post_id, old_id)
    if old is None:
        return False
    with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
        table.put_item(
            Item={**old, **like_key(post_id, new_id)},
            ConditionExpression=Attr("PK").not_exists(),
        )
        table.delete_item(Key=like_key(post_id, old_id))
        table.update_item(
            Key={"PK": post_id, "SK": "META"},
            UpdateExpression="ADD rev :one",
            ExpressionAttributeValues={":one": 1},
        )
        return True
    return unlike(table, post_id, old_id)


def unguarded_repair(table: Any, tallies: Any, copies: Any) -> Any:
    return repairing(tally_over_all)(table, tallies, copies)


WRONG: dict[str, list[Any]] = {
    "14.1": [
        (tallies_by_inner_join, "Which join keeps the post that has none"),
        (tallies_by_count_of_rows, "What counts likes"),
        (tallies_with_null, "NULL <> 2 is not true"),
        (tallies_reporting_null, "A repair needs a number"),
        (tallies_as_text, "loaded as text"),
        (tallies_as_floats, "boto3 does not accept a float"),
        (tallies_as_decimals, "ProgrammingError"),
        (tallies_of_all, "Which condition leaves the others out"),
        (tallies_counting_comments, "more than likes"),
        (tallies_eventually, "not strongly consistent"),
        (tallies_likes_first, "sort keys put LIKE#… before META"),
        (tallies_of_the_first_page, "larger than one page"),
        (tallies_by_scan, "but you have paid for them"),
        (tallies_as_dict, "a list of tuples"),
        (tallies_in_another_order, "The order is (post_id, stored, rev, counted)"),
        (tallies_that_repair, "An audit only reads"),
        (tallies_of_posts_that_exist, "was deleted since"),
        (tallies_of_all_likes, "Which rows does your COUNT count"),
        (tallies_joined_by_sort_key, "What does your join compare"),
        (tallies_misspelt, "This is SQLite's message about your statement"),
        (tallies_of_likers, "more than likes"),
        (tallies_one_by_one, "a generator"),
        (tallies_as_set, "which is not a list"),
        (tallies_as_lists, "A row is a tuple"),
        (tallies_with_decimals, "is a Decimal"),
        (tallies_or_nothing, "could not read"),
    ],
    "14.2": [
        (copies_by_inner_join, "Which join keeps the post that has none"),
        (copies_by_not_equal, "NULL <> 'Sara' is not true"),
        (copies_by_older_version, "Which of the two do your readers see"),
        (copies_by_name, "A late writer of version 2 could"),
        (copies_older_as_text, "As text, 9 comes after 12"),
        (copies_all_text, "loaded as text"),
        (copies_all_stale, "Which of the two is missing"),
        (copies_kinds_mixed_up, "A CASE takes the first WHEN"),
        (copies_missing_first, "When is a post orphaned"),
        (copies_eventual_posts, "not strongly consistent"),
        (copies_eventual_profiles, "not strongly consistent"),
        (copies_profiles_first, "Which do you read first"),
        (copies_by_query, "their likes were read, too"),
        (copies_by_scan, "but you have paid for them"),
        (copies_that_need_every_post, "was deleted since"),
        (copies_by_one_batch, "A batch takes 100 keys"),
        (copies_by_batch_served_in_part, "Where are the unprocessed keys?"),
        (copies_with_known_profiles, "after which of them"),
        (copies_as_decimals, "is a Decimal"),
        (copies_as_generator, "a generator"),
        (copies_as_lists, "A row is a tuple"),
        (copies_with_zero_for_none, "or None if there is none"),
        (copies_by_version_not_equal, "Does a copy without a version agree with the profile?"),
        (copies_joined_by_name, "Which column of META names its author"),
        (copies_of_known_authors, "Whose profiles did you read"),
        (copies_or_nothing, "could not read"),
    ],
    "14.3": [
        (named("tallies_unguarded", repairing(tally_over_all)), "is true for one rev only?"),
        (named("tallies_by_value", repairing(tally_by_value)), "A, B, A"),
        (named("rev_left_alone", repairing(tally_leaving_rev)), "A repair is a change"),
        (named("rev_and_value", repairing(tally_by_rev_and_value)), "META has no likeTally"),
        (
            named("looks_before", repairing(tally_looked_at)),
            "Which attribute of META never returns",
        ),
        (named("puts_meta", repairing(tally_by_put)), "lost or changed"),
        (named("any_error", repairing(tally_or_any_error)), "the condition failed"),
        (
            named("raises", repairing(tally_or_raise)),
            "It is not an error that something changed",
        ),
        (
            named("copies_unguarded", repairing(copy=copy_with(None))),
            "creates the item if it does not",
        ),
        (
            named("copies_where_a_post_is", repairing(copy=copy_with("attribute_exists(PK)"))),
            "What the repair writes is older",
        ),
        (
            named("only_lower", repairing(copy=copy_with(NOT_NEWER.replace("<=", "<")))),
            "an equal one, or a higher one?",
        ),
        (
            named(
                "no_ghost_guard",
                repairing(
                    copy=copy_with(
                        "attribute_not_exists(authorNameVersion) OR authorNameVersion <= :version"
                    )
                ),
            ),
            "creates the item if it does not find it",
        ),
        (
            named("compares_none", repairing(copy=copies_by_comparing_none())),
            "What does your condition say about a missing one?",
        ),
        (
            named(
                "orphans_unguarded",
                repairing(copy=copy_with(NOT_NEWER, "attribute_exists(PK)")),
            ),
            "What the repair writes is older",
        ),
        (
            named("name_only", repairing(copy=copy_name_only)),
            "You wrote the name without its version",
        ),
        (
            named("keeps_orphans", repairing(copy=copy_of_nobody)),
            "Which action removes attributes?",
        ),
        (named("rev_later", repairing(tally_then_rev)), "there was only one drift"),
        (named("copy_looked_at", repairing(copy=copy_looked_at)), "renames its author again"),
        (named("orphan_looked_at", repairing(copy=orphan_looked_at)), "can you recognise it?"),
        (named("post_looked_for", repairing(copy=post_looked_for)), "B deletes the post while"),
        (copy_by_rev, "one of your repairs prevented the other"),
        (repair_that_reports_less, "Give one for each row of the audits"),
        (repair_that_counts, "It returns a list"),
        (repair_in_one_transaction, "must still repair the others"),
        (
            named(
                "orphan_compares_none",
                repairing(copy=copy_with(NOT_NEWER, "authorNameVersion = :copied")),
            ),
            "It has no version to compare with",
        ),
        (repair_without_unversioned, "It has no version to compare with"),
        (
            named("orphan_without_a_post", repairing(copy=orphan_without_a_post)),
            "An update with only a REMOVE creates no item",
        ),
        (named("orphan_by_deletion", repairing(copy=orphan_by_deletion)), "only its copy should"),
        (
            named("orphan_without_letters", repairing(copy=orphan_without_letters)),
            "it has authorName ''",
        ),
        (named("tally_put_back", repairing(tally_put_back)), "the edit is lost"),
        (named("copy_put_back", repairing(copy=copy_put_back)), "the edit is lost"),
        (named("rev_by_two", repairing(tally_and_rev_by_two)), "rev counts changes"),
        (named("up_to_rev", repairing(tally_up_to_rev)), "is true for one rev only?"),
        (named("as_float", repairing(tally_as_float)), "boto3 does not accept a float"),
        (named("counted_anew", repairing(tally_counted_anew)), "it was counted again"),
        (named("by_difference", repairing(tally_by_difference)), "a difference was added"),
        (repair_one_by_one, "a generator"),
        (repair_or_none, "For two empty reports return an empty list"),
        (repair_without_report, "where do you fill it?"),
        (repair_all_at_once, "takes each item only once"),
    ],
    "14.4": [
        (merge_by_like_and_unlike, "a dict of one name and one function"),
        ({"like": like}, "It is not like"),
        ({"edit": like}, "It is not edit"),
        ({"ban": unlike}, "It is not ban"),
        ({"like": like, "merge": merge_by_like_and_unlike}, "one function lets"),
        ({"fuse": merge_by_like_and_unlike}, "no function 'fuse'"),
        ({"merge": "like"}, "gives str for merge"),
        ({"merge": merge_as_it_was}, "two likes have become one"),
        ({"merge": merge_that_always_subtracts}, "What happened to the tally?"),
        ({"merge": merge_that_only_refuses}, "How often does she like it after the merge?"),
        ({"merge": merge_without_a_look}, "likedAt went from"),
        ({"merge": merge_with_another_time}, "Since when does the user like"),
        ({"merge": merge_unlike_first}, "Which must you do first"),
        ({"merge": merge_in_two_steps}, "A process can die between two requests"),
        ({"merge": merge_after_a_look}, "evaluated in the same step as the write"),
        ({"merge": merge_without_rev}, "the like moved to a page that was read already"),
        ({"merge": merging("ADD likeTally :minus", minus=-1)}, "The tally was wrong before"),
        (
            {"merge": merging("ADD likeTally :minus, rev :minus", minus=-1)},
            "Must rev rise or fall?",
        ),
        ({"merge": merge_tried_once}, "USER#7c20 still likes the post"),
        ({"merge": merge_with_a_stale_look}, "not strongly consistent"),
        ({"merge": merge_or_false}, "answered every request with ThrottlingException"),
        ({"merge": merge_or_false_where_it_writes}, "answered TransactWriteItems with Throttling"),
        ({"merge": merge_table_last}, "in this order"),
        ({"merge": merge_always_true}, "Nothing was written"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "14.1": [
        tallies_by_sql,
        tallies_by_python,
        tallies_by_subquery,
        tallies_counted_by_dynamodb,
        tallies_looked_at_twice,
        tallies_by_a_client_of_its_own,
    ],
    "14.2": [
        copies_by_sql,
        copies_by_batch,
        copies_by_python,
        copies_post_by_post,
        copies_by_transactions,
    ],
    "14.3": [
        named("by_rev_and_version", repairing()),
        named("as_seen", repairing(copy=copy_as_seen)),
        repair_by_transactions,
        repair_with_conditions,
        repair_by_a_client_of_its_own,
    ],
    "14.4": [
        {"merge": merge_by_like_and_unlike},
        {"merge": merge_by_transaction},
        {"merge": merging()},
        {"merge": merge_by_looking},
        {"merge": merge_by_a_client_of_its_own},
    ],
}
