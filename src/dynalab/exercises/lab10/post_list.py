"""Exercise 10.2: the newest posts with their authors' names, in one request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.given import given
from dynalab.exercises.lab10.posts import AT, BY_TIME, MARA, TABLE, TOM, post_item, put_profile
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import in_read_units, operations
from dynalab.meter import Charge
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

# post id → when, by whom: the order of ids is not that of times.
_POSTS = {
    f"{number * 37 % 41:02x}{number:02x}": (
        AT + 10 * (number * 7 % 40),
        (MARA, "Mara") if number % 3 else (TOM, "Tom"),
    )
    for number in range(40)
}
_NEWEST = sorted(_POSTS, key=lambda post_id: -_POSTS[post_id][0])


def check_list_posts(list_posts: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_profile(table, MARA, "Mara", 3)
    put_profile(table, TOM, "Tom", 1)
    for post_id, (at, (user_id, name)) in _POSTS.items():
        given(table, post_item(post_id, user_id, name, 3, at, body="x" * 3_000))
    rows, charges = _listed(trial, list_posts, table, 10)
    _expect_rows(rows, 10, charges)
    _expect_one_query(charges, 10)
    for limit in (1, 3, 25, 100):
        more, _ = _listed(trial, list_posts, table, limit)
        _expect_rows(more, limit, charges)
    empty, _ = _listed(trial, list_posts, trial.table(TABLE), 10)
    if empty != []:
        raise Refused(
            f"There are no posts. list_posts(table, 10) returned {empty!r}.",
            "An empty list says so.",
        )
    reads = read_units(charges)
    return Passed(
        f"One Query of {BY_TIME}: {charges[0].evaluated} entries read for 10 rows, {reads:g} read "
        "units, and no profile was read."
    )


def _listed(trial: Trial, list_posts: Any, table: Any, limit: int) -> tuple[Any, list[Charge]]:
    with trial.bill() as charges:
        attempt = trial.attempt(list_posts, table, limit)
    if attempt.raised is None:
        return attempt.returned, charges
    refuse_slip(attempt)
    ask = advice(attempt.raised)
    if "Consistent" in str(attempt.raised):
        ask = (
            "A global index changes a moment after the table. Can a read of it be strongly "
            "consistent?"
        )
    raise Refused(f"{attempt.text} raised {told(attempt.raised)}", ask)


def _expect_rows(rows: Any, limit: int, charges: Sequence[Charge]) -> None:
    call = f"list_posts(table, {limit})"
    if not isinstance(rows, list):
        raise Refused(
            f"{call} returned {type(rows).__name__}.",
            "It returns a list, and each row is (post_id, title, author_name).",
        )
    for row in rows:
        if not isinstance(row, tuple | list) or len(row) != 3:
            raise Refused(
                f"A row of {call} is {row!r}.",
                "Each row is a tuple of three: post id, title, author's name.",
            )
        post_id, title, name = row
        if post_id not in _POSTS:
            raise Refused(
                f"A row of {call} begins with {post_id!r}.",
                "The reader of the row knows nothing about your keys: which part of it is the "
                f"post's id, for example {_NEWEST[0]!r}?",
            )
        if (title, name) != (f"About {post_id}", _POSTS[post_id][1][1]):
            raise Refused(
                f"A row of {call} is {tuple(row)!r}; {post_id} is called 'About {post_id}', and is "
                f"by {_POSTS[post_id][1][1]}.",
                "Which attributes of an entry are the title and the author's name?",
            )
    if not rows:
        read = ", ".join(sorted({charge.index for charge in charges if charge.index}))
        raise Refused(
            f"{call} returned no rows, but there are {len(_POSTS)} posts. It sent "
            f"{operations(charges)} of {read or 'the table'}.",
            "No entry has the key that you asked for. Which index has every post under one key, "
            "and what is that key?",
        )
    found, wanted = [row[0] for row in rows], _NEWEST[:limit]
    if found != wanted:
        raise Refused(
            f"{call} returned {len(found)} rows, first {', '.join(found[:3])}; the "
            f"newest of {len(_POSTS)} posts are {', '.join(wanted[:3])}. It sent "
            f"{operations(charges)}.",
            _row_question(found, wanted, limit),
        )


def _row_question(found: list[str], wanted: list[str], limit: int) -> str:
    if len(found) > limit:
        return "How many rows does `limit` ask for?"
    if found == _NEWEST[::-1][: len(found)]:
        return (
            "A Query reads an index from its low end, unless you ask otherwise. At which end are "
            "the newest posts?"
        )
    if set(found) == set(wanted):
        return "The newest comes first. Which order does the index keep?"
    return (
        "Those are not the newest ones. Which request reads all posts in the order of their times?"
    )


def _expect_one_query(charges: Sequence[Charge], limit: int) -> None:
    reads = read_units(charges)
    sent = f"The rows are right, but they took {operations(charges)}, {in_read_units(reads)}"
    if len(charges) > 1 and all(charge.index == BY_TIME for charge in charges):
        raise Refused(
            f"{sent}: it read {sum(c.evaluated for c in charges)} entries for {limit} rows.",
            "A LastEvaluatedKey says that there is more. Does the caller want more?",
        )
    if len(charges) > 1:
        raise Refused(
            f"{sent}.",
            "An entry of the index holds the title and the author's name. "
            "What else do you have to look up?",
        )
    [charge] = charges
    if charge.index is None:
        raise Refused(
            f"{sent}: it read {charge.evaluated} items of the table, bodies and all.",
            f"Which items does {BY_TIME} hold, and in which order?",
        )
    if charge.evaluated > limit:
        raise Refused(
            f"{sent}: it read {charge.evaluated} entries for {limit} rows.",
            "You pay before you cut the list. Which parameter ends a Query early?",
        )
