"""Exercise 14.3, what has moved between the audits and the repair: it is left alone, and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.exercises.counted_posts import users
from dynalab.exercises.lab14.audited_posts import (
    BEN,
    NOBODY,
    SARA,
    copies_of,
    delete_post,
    put_audited,
    put_profile,
    tallies_of,
)
from dynalab.exercises.lab14.reported_posts import (
    BARE,
    BARE_ORPHAN,
    BOTH,
    HAND,
    HIGH,
    LOW,
    MISSING,
    NAME,
    NO_VERSION,
    ORPHAN,
    POSTS,
    STALE,
    TALLY,
    expect_told,
    metas_of,
    put_posts,
    shown,
)
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Refused, Trial

_SITUATION = "Since the audits some posts have changed, and two were deleted"
_GONE = (
    "The post is gone, and nothing was repaired. An update with only a REMOVE creates no item, "
    "and raises nothing. Which condition fails if there is no item?"
)


def expect_moved_left_alone(trial: Trial, repair_all: Any) -> None:
    """Between the audits and the repair posts moved, and two were deleted; two did not."""
    table = trial.table(TABLE)
    put_posts(table)
    tallies, copies = tallies_of(table, POSTS), copies_of(table, POSTS)
    put_profile(table, SARA, "Zoe", 5)
    put_profile(table, NOBODY, "Nora", 6)
    put_audited(table, HIGH, users(5), copy=("Zoe", 5), likeTally=8, rev=10)
    put_audited(table, STALE, copy=("Zoe", 5))
    put_audited(table, MISSING, users(1), copy=("Zoe", 5))
    put_audited(table, ORPHAN, author=NOBODY, copy=("Nora", 6))
    put_audited(table, NO_VERSION, copy=("Zoe", 5))
    _make_anew(table, BARE)
    delete_post(table, BOTH)
    delete_post(table, BARE_ORPHAN)
    moved = {(HIGH, TALLY), (BARE, TALLY), (BOTH, TALLY), (BOTH, NAME)}
    moved |= {(post_id, NAME) for post_id in (STALE, MISSING, NO_VERSION, ORPHAN, BARE_ORPHAN)}
    before = metas_of(trial)
    attempt = trial.attempt(repair_all, table, tallies, copies)
    after = metas_of(trial)
    for post_id in (BOTH, BARE_ORPHAN):
        if ghost := after.get(post_id):
            raise Refused(
                f"{_SITUATION}. {post_id} was deleted, and is back: {shown(ghost)}.",
                "An update that sets an attribute creates the item if it does not find it. Which "
                "condition fails if there is no item?",
            )
    if attempt.raised is not None:
        raise Refused(
            f"{_SITUATION}. {attempt.text} {how_it_ended(attempt)}.",
            "It is not an error that something changed: say so in the report, and go on with the "
            "others.",
        )
    counted = {row[0]: row[3] for row in tallies}
    for post_id, attribute in sorted(moved):
        _refuse_overwritten(before.get(post_id), after.get(post_id), attribute, counted)
    low, hand = after[LOW], after[HAND]
    if low[TALLY] != 3 or hand[NAME] != "Ben":
        raise Refused(
            f"{_SITUATION}. {LOW} and {HAND} did not, but they were not repaired: {TALLY} "
            f"{low[TALLY]}, {NAME} {hand[NAME]}.",
            "If one post has changed, you must still repair the others.",
        )
    expect_told(
        _SITUATION,
        attempt,
        [(row[0], TALLY, (row[0], TALLY) not in moved) for row in tallies]
        + [(row[0], NAME, (row[0], NAME) not in moved) for row in copies],
        {(BARE_ORPHAN, NAME, True): _GONE},
    )


def _make_anew(table: Any, post_id: str) -> None:
    """The post was deleted with its likes, and made once more: rev starts over."""
    for user_id in users(2):
        table.delete_item(Key={"PK": post_id, "SK": f"LIKE#{user_id}"})
    put_audited(table, post_id, users(1), author=BEN, copy=("Ben", 2))


def _refuse_overwritten(
    before: Any, after: Any, attribute: str, counted: Mapping[str, int]
) -> None:
    if before == after:
        return
    numbers = (TALLY, "rev") if attribute == TALLY else (NAME, "authorNameVersion")
    was = shown({name: before[name] for name in numbers if name in before})
    now = shown({name: after[name] for name in numbers if name in after})
    anew = attribute == TALLY and after[TALLY] != counted[before["PK"]]
    raise Refused(
        f"Since the audits {before['PK']} has changed, to {was}. The repair made it {now}.",
        "That is not the number in the report: it was counted again, or a difference was added. A "
        "post that has changed is left to the next audit: what does your report say about its row?"
        if anew
        else "What was counted at one rev may be wrong at another. Which comparison is true for "
        "one rev only?"
        if attribute == TALLY
        else "What the repair writes is older than what is stored. Which part of an update is "
        "evaluated in the same step as its write, and what could it compare?",
    )
