"""Exercise 14.1: tallies that disagree with their likes, found by a join over rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.counted_posts import AT, LARGE, MARA, make_large, users
from dynalab.exercises.given import given
from dynalab.exercises.lab14.audited_posts import Row, put_audited
from dynalab.exercises.lab14.reports import (
    called,
    expect_errors_through,
    refuse_a_raise,
    refuse_no_int,
    refuse_strangers,
    refuse_writes_and_scans,
    rows_of,
)
from dynalab.exercises.lab14.tally_schedules import hold_in_order, hold_up_to_date
from dynalab.exercises.social import TABLE, put_like
from dynalab.exercises.words import in_read_units
from dynalab.trial import Refused, Trial

NAME = "drifted_tallies"
SHAPE = "post_id, stored, rev, counted"

_NEVER, _TEN, _BARE_FINE = "POST#0001", "POST#0010", "POST#0003"
_EMPTY, _ONE = "POST#e000", "POST#e001"  # drifted, and nobody likes them
_BARE, _GONE = "POST#0b0b", "POST#90e0"
_NO_LIKES = 3  # items of a collection beside its likes: META, a comment, LIKERS
_FINE = {"POST#a91f": 3, _NEVER: 0, _TEN: 10}
_DRIFTED = {
    "POST#77b0": (7, 9, 4),
    "POST#0c3d": (9, 14, 10),
    "POST#5e5e": (-2, 8, 4),
    _EMPTY: (2, 4, 0),
    _ONE: (1, 3, 0),
}
_COUNTS_ROWS = (
    "A left join keeps the post in one row, with NULL for the like. COUNT(*) counts rows. "
    "What counts likes?"
)


def check_drifted_tallies(drifted_tallies: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    _put_posts(table)
    asked = [*_FINE, *_DRIFTED]
    with trial.bill() as charges:
        rows = rows_of(NAME, called(trial, drifted_tallies, table, asked), SHAPE)
    refuse_writes_and_scans(NAME, charges)
    refuse_strangers(NAME, rows, asked)
    _expect_rows(rows)
    expect_errors_through(trial, drifted_tallies, table, asked)
    _expect_bare(trial, drifted_tallies, table)
    _expect_gone_left_out(trial, drifted_tallies, table)
    _expect_large(trial, drifted_tallies, table)
    with trial.bill() as small:
        nothing = rows_of(NAME, trial.call(drifted_tallies, table, list(_FINE)), SHAPE)
    if nothing:
        raise Refused(
            f"All posts agree; {NAME} reports {list(nothing.values())}.",
            "Which two numbers does your query compare, and which rows does it keep?",
        )
    hold_up_to_date(trial, drifted_tallies)
    extent = hold_in_order(trial, drifted_tallies)
    units = read_units(small)
    posts = len(_FINE)
    remark = ""
    if units > 2 * posts:
        remark = f"three small posts cost {in_read_units(units)}; one read unit for each is enough."
    return Passed(
        f"All drifts found, and nothing else. Beside likes and unlikes, {extent}: a row is true "
        f"as long as META keeps its rev. {posts} small posts cost {in_read_units(units)}.",
        remark,
    )


def _put_posts(table: Any) -> None:
    for post_id, likes in _FINE.items():
        put_audited(table, post_id, users(likes))
    for post_id, (tally, rev, likes) in _DRIFTED.items():
        put_audited(table, post_id, users(likes), likeTally=tally, rev=rev)
    for post_id in ("POST#a91f", _NEVER, "POST#0c3d"):
        given(table, {"PK": post_id, "SK": "COMMENT#0001", "body": "Nice"})
        given(table, {"PK": post_id, "SK": "LIKERS", "names": ["Mara", "Tom"]})
    put_audited(table, "POST#none-asked", users(2), likeTally=5)


def _expect_rows(rows: Mapping[str, Row]) -> None:
    _refuse_likes_of_all(rows)
    for post_id, likes in _FINE.items():
        if post_id in rows:
            _refuse_fine(rows[post_id], likes)
    if not set(rows) & {_EMPTY, _ONE}:
        raise Refused(
            f"{_EMPTY} has likeTally 2, {_ONE} has likeTally 1, and nobody likes either. "
            f"{NAME} reports neither.",
            "An inner join has a row for each post *with* a like. "
            "Which join keeps the post that has none?",
        )
    if _ONE not in rows:
        raise Refused(
            f"{_ONE} has likeTally 1, and nobody likes it, but {NAME} does not report it.",
            _COUNTS_ROWS,
        )
    for post_id, wanted in _DRIFTED.items():
        if post_id not in rows:
            tally, _, likes = wanted
            raise Refused(
                f"{post_id} has likeTally {tally} and {likes} likes, but {NAME} does not report "
                "it.",
                "A drift can go both ways, and below zero. When are two numbers not equal?",
            )
        _expect_row(rows[post_id], wanted)


def _refuse_likes_of_all(rows: Mapping[str, Row]) -> None:
    likes = [*_FINE.values(), *(numbers[2] for numbers in _DRIFTED.values())]
    for row in rows.values():
        if isinstance(row[3], int) and row[3] > max(likes) + _NO_LIKES:
            raise Refused(
                f"{NAME} reports {row}. No post in post_ids has more than {max(likes)} likes; "
                f"together they have {sum(likes)}.",
                "Which rows does your COUNT count, and which clause makes a group for each post?",
            )


def _refuse_fine(row: Row, likes: int) -> None:
    post_id, stored, rev, counted = row
    refuse_no_int(NAME, row, stored, rev, counted)
    if stored == counted:
        ask = (
            "A report names only the posts whose numbers disagree. Which condition leaves the "
            "others out?"
        )
    elif not likes and counted == 1:
        ask = f"Nobody likes it. {_COUNTS_ROWS}"
    elif counted < likes:
        ask = "A like is in its post's collection. What does your join compare?"
    else:
        ask = (
            "The collection of a post holds more than likes: META, COMMENT#0001 and LIKERS here. "
            "What do the sort keys of likes begin with?"
        )
    raise Refused(f"{post_id} has {likes} likes, and likeTally {likes}; {NAME} reports {row}.", ask)


def _expect_row(row: Row, wanted: tuple[int, int, int]) -> None:
    post_id, *numbers = row
    refuse_no_int(NAME, row, *numbers)
    if tuple(numbers) == wanted:
        return
    stored, rev, counted = numbers
    likes = wanted[2]
    if post_id == LARGE and counted != likes:
        ask = "Its likes are larger than one page of 1 MB. What does a reply say about the rest?"
    elif post_id in (_EMPTY, _ONE) and counted == 1:
        ask = _COUNTS_ROWS
    elif (stored, rev) == wanted[:2] and likes < counted <= likes + _NO_LIKES:
        ask = "META, or a comment, was counted too. What do the sort keys of likes begin with?"
    elif sorted(map(int, numbers)) == sorted(wanted):
        ask = f"The order is ({SHAPE})."
    else:
        ask = "Which of the three comes from META, and which from counting?"
    tally, was, _ = wanted
    raise Refused(
        f"{post_id} has likeTally {tally}, rev {was} and {likes} likes; {NAME} reports {row}.", ask
    )


def _expect_bare(trial: Trial, drifted_tallies: Any, table: Any) -> None:
    """META without a likeTally: a column that is NULL, or not there at all."""
    put_audited(table, _BARE, users(2), likeTally=None)
    put_audited(table, _BARE_FINE, (), likeTally=None)
    situation = f"{_BARE} has 2 likes and no likeTally; {_BARE_FINE} has neither."
    for asked in ([_BARE, _BARE_FINE], [*_FINE, _BARE, _BARE_FINE]):
        attempt = trial.attempt(drifted_tallies, table, asked)
        refuse_a_raise(
            attempt,
            situation,
            "None of these items has the attribute. Which columns does your table get, and what "
            "do they hold for a missing attribute?",
        )
        rows = rows_of(NAME, attempt.returned, SHAPE)
        if _BARE not in rows:
            raise Refused(
                f"{situation} {NAME} reports neither.",
                "NULL <> 2 is not true: it is NULL, and the row is gone. Which number does a "
                "missing tally mean, and what puts it there?",
            )
        if rows[_BARE][1] is None:
            raise Refused(
                f"{situation} {NAME} reports {rows[_BARE]}.",
                "A repair needs a number. Which one does a missing tally mean?",
            )
        _expect_row(rows[_BARE], (0, 2, 2))
        if _BARE_FINE in rows:
            raise Refused(
                f"{situation} {NAME} reports {rows[_BARE_FINE]}.",
                "Nobody likes it, and a missing tally means 0: do its two numbers disagree?",
            )


def _expect_gone_left_out(trial: Trial, drifted_tallies: Any, table: Any) -> None:
    """Posts without META: one was deleted, and a like is left; of one there is nothing."""
    put_like(table, _GONE, MARA, AT)
    asked = [_GONE, "POST#77b0", "POST#nothing"]
    attempt = trial.attempt(drifted_tallies, table, asked)
    refuse_a_raise(
        attempt,
        f"{_GONE} was deleted since somebody listed the posts; a like of it is left.",
        "In which reply is something missing that you expected there?",
    )
    rows = rows_of(NAME, attempt.returned, SHAPE)
    if set(rows) != {"POST#77b0"}:
        raise Refused(
            f"Asked about {', '.join(asked)}, of which only POST#77b0 has a META, {NAME} reports "
            f"{sorted(map(str, rows)) or 'nothing'}.",
            "Without META there is no tally to compare with, but the others are still there. "
            "Which rows does your join start from?",
        )
    if rows_of(NAME, trial.call(drifted_tallies, table, []), SHAPE):
        raise Refused(
            f"Asked about no post, {NAME} reports rows.",
            "Whose rows are they? A report is only about the posts in post_ids.",
        )


def _expect_large(trial: Trial, drifted_tallies: Any, table: Any) -> None:
    put_audited(table, LARGE, users(5), likeTally=2, rev=8)
    make_large(table)
    attempt = trial.attempt(drifted_tallies, table, [LARGE])
    ask = "On which page is META if the likes fill more than 1 MB?"
    refuse_a_raise(attempt, "Smaller posts went well.", ask)
    rows = rows_of(NAME, attempt.returned, SHAPE)
    if LARGE not in rows:
        raise Refused(f"{LARGE} has likeTally 2 and 5 large likes; {NAME} reports nothing.", ask)
    _expect_row(rows[LARGE], (2, 8, 5))
