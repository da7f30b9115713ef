"""Exercise 10.5: what a rename costs, with the share of both indexes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dynalab.check import Passed
from dynalab.engine import capacity
from dynalab.exercises.bills import write_units
from dynalab.exercises.given import given, wire_item
from dynalab.exercises.lab10.posts import AT, INCLUDED, MARA, TABLE, UNLISTED, post_item
from dynalab.exercises.lab10.rename_services import applied, post_change
from dynalab.exercises.words import in_write_units
from dynalab.trial import Refused, Trial

_POSTS = 50
# posts, post_bytes, entry_bytes; the order tells the usual mistakes apart.
_COSTS = (
    (3, 4_500, 3_100),
    (0, 300, 200),
    (1, 300, 200),
    (50, 300, 200),
    (50, 2_500, 200),
    (50, 1_010, 200),
    (50, 1_024, 200),
    (50, 1_025, 200),
    (7, 5_000, 1_024),
    (7, 5_000, 1_025),
    (1_000, 40_000, 3_000),
)


def check_rename_cost(rename_cost: Any, trial: Trial) -> Passed:
    for posts, post_bytes, entry_bytes in _COSTS:
        _expect_cost(trial, rename_cost, posts, post_bytes, entry_bytes)
    listed, sizes = _measured(trial, TABLE)
    unlisted, _ = _measured(trial, UNLISTED)
    cost = trial.call(rename_cost, _POSTS, *sizes)
    if cost != listed:
        raise Refused(
            f"{_POSTS} posts of {sizes[0]:,} bytes, entries of {sizes[1]}: the meter says "
            f"{in_write_units(listed)}, rename_cost says {cost}.",
            "What is rounded up, and how often?",
        )
    return Passed(
        f"All sizes agree. Measured: {_POSTS} posts of {sizes[0]:,} bytes cost {listed:g} write "
        f"units, and {unlisted:g} in a table without the two indexes."
    )


def _measured(trial: Trial, name: str) -> tuple[float, tuple[int, int]]:
    """Write units of renaming 50 posts in this table; the size of a post and of its entry."""
    table = trial.table(name)
    ids = [f"{number:04}" for number in range(_POSTS)]
    for number, post_id in enumerate(ids):
        given(table, post_item(post_id, MARA, "Mara", 3, AT + 10 * number, body="x" * 2_000))
    with trial.bill() as charges:
        applied(table, [post_change(post_id, "Mara", "Lind", 4) for post_id in ids])
    item = wire_item(post_item(ids[0], MARA, "Lind", 4, AT, body="x" * 2_000))
    entry = {"PK", "SK", "GSI2PK", "createdAt", *INCLUDED}
    sizes = (
        capacity.item_size(item),
        capacity.item_size({key: value for key, value in item.items() if key in entry}),
    )
    return write_units(charges), sizes


def _expect_cost(
    trial: Trial, rename_cost: Any, posts: int, post_bytes: int, entry_bytes: int
) -> None:
    table, entry = capacity.write_units(post_bytes), capacity.write_units(entry_bytes)
    wanted = posts * (table + 2 * entry)
    cost = trial.call(rename_cost, posts, post_bytes, entry_bytes)
    if isinstance(cost, bool) or not isinstance(cost, int | float | Decimal):
        raise Refused(
            f"rename_cost({posts}, {post_bytes}, {entry_bytes}) returned {type(cost).__name__}; "
            "write units are a number.",
            "Return how many units all updates cost.",
        )
    if cost != wanted:
        raise Refused(
            f"rename_cost({posts:_}, {post_bytes:_}, {entry_bytes:_}) returned {cost}; DynamoDB "
            f"bills {wanted:g}.",
            _question(float(cost), posts, post_bytes, entry_bytes),
        )


def _question(cost: float, posts: int, post_bytes: int, entry_bytes: int) -> str:
    table, entry = capacity.write_units(post_bytes), capacity.write_units(entry_bytes)
    if not posts:
        return (
            "Without posts there is no copy to change. How much does an update cost that nobody "
            "makes?"
        )
    if cost == posts * table:
        return (
            "That is the table's share. Each index holds a copy of authorName as well: what does "
            "DynamoDB do with the entries when it changes?"
        )
    if cost == posts * (table + entry):
        return "That counts one index. A post has an entry in how many?"
    if cost == posts * (table + 2):
        return (
            "That counts one unit for each entry, however large it is. By which size is an entry "
            "billed?"
        )
    if cost == posts * (table + 4 * entry):
        return (
            "An entry is deleted and put again if the index's key changes. Is authorName a key of "
            "an index?"
        )
    if cost == 2 * posts * (table + 2 * entry):
        return "Those are the units of transactions. Which updates does your plan make?"
    if cost == posts * 3 * table:
        return "An entry has the attributes that its index includes. Is it as large as the post?"
    if cost == posts * 3:
        return "An update changes a few bytes of a large item: by which size is it billed?"
    if cost == posts * capacity.write_units(post_bytes + 2 * entry_bytes):
        return "That adds the sizes and rounds once. How many things are written, each by itself?"
    if cost in (
        capacity.write_units(posts * post_bytes) + 2 * capacity.write_units(posts * entry_bytes),
        capacity.write_units(posts * (post_bytes + 2 * entry_bytes)),
    ):
        return "That rounds all posts up together. How many requests are there?"
    if cost == posts * (post_bytes // 1024 + 1 + 2 * (entry_bytes // 1024 + 1)):
        return "1,024 bytes fill a unit exactly. Do they need a second one?"
    if cost == posts * (-(-post_bytes // 1000) + 2 * -(-entry_bytes // 1000)):
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    if cost == posts * (-(-post_bytes // 4096) + 2 * -(-entry_bytes // 4096)):
        return "Reads are billed by 4 KB. By how many bytes are writes billed?"
    if cost == posts * (table + 2 * entry) + 1:
        return "Do not count the profile's own write: the docstring asks only for the copies."
    return "What is written for one post, and to what is each of these writes rounded up?"
