"""Exercise 4.1: an unlike takes one like away, once, and says whether it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.counted_posts import (
    AT,
    DELETED_POST,
    INES,
    MARA,
    OTHER_POST,
    POST,
    TOM,
    expect_no_such_post,
    numbers_of,
    put_liked,
)
from dynalab.exercises.lab04.unlike_schedules import hold_deleted_post, hold_unlikes
from dynalab.exercises.social import TABLE, Post, put_like
from dynalab.exercises.words import how_it_ended, in_read_units, in_words, in_write_units
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial


def check_unlike(unlike: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_liked(table, POST, (MARA, TOM, INES))
    with trial.bill() as charges:
        attempt = trial.attempt(unlike, table, POST, MARA)
    remarks = [_expect_taken_back(trial, attempt), _one_request_is_enough(charges)]
    _expect_second_is_false(trial, unlike, table)
    _expect_false_without_likes(trial, unlike, table)
    expect_no_such_post(trial, unlike, table, "unlike")
    _expect_orphan_left_alone(trial, unlike, table)
    _expect_conflict_is_no_answer(trial, unlike, table)
    remarks.append(_expect_drift_not_hidden(trial, unlike))
    extent = hold_unlikes(trial, unlike)
    hold_deleted_post(trial, unlike)
    units = write_units(charges)
    return Passed(
        f"{extent[0].upper()}{extent[1:]} of two devices, deaths included: one True, one False, "
        f"and the tally equals the likes. An unlike costs {in_write_units(units)}.",
        " ".join(filter(None, remarks)),
    )


def _expect_taken_back(trial: Trial, attempt: Attempt) -> str:
    """The first unlike of three likes; the remark on rev."""
    text = attempt.text
    if attempt.raised is not None:
        raise Refused(
            f"{text} {how_it_ended(attempt)}.",
            f"The post exists and {MARA} likes it. What did DynamoDB refuse?",
        )
    post = Post.of(trial.items(TABLE), POST)
    if post.meta is None or post.is_ghost:
        raise Refused(
            f"After {text} the post's META is {in_words(post.meta)}: its body is lost.",
            "Which action changes one attribute of an item and leaves the others as they are?",
        )
    if MARA in post.likers:
        raise Refused(
            f"After {text} the like of {MARA} is still there: {post.counted()}.",
            "A like is an item. Which action of a transaction takes an item away?",
        )
    if len(post.likers) != 2:
        raise Refused(
            f"Three users liked the post. After {text}: {post.counted()}.",
            "Which whole key has the like that must be deleted?",
        )
    if post.tally != 2:
        raise Refused(
            f"Three users liked the post. After {text}: {post.counted()}.",
            "The tally is on META, in likeTally. Which part of your request subtracts one from it?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{text} deleted the like, but returned {attempt.returned!r}.",
            "The caller wants to know whether there was a like to take back: True or False.",
        )
    rev = post.meta.get("rev", 0)
    if rev < 3:
        raise Refused(
            f"META's rev was 3. After {text} it is {rev}: so a like and its unlike leave rev as "
            "it was, and nobody can see that anything happened.",
            "rev counts changes, not likes. Does it rise or fall when a like is taken back?",
        )
    if rev == 3:
        return "META's rev did not change. Exercise 4.4 needs rev to rise at every like and unlike."
    return ""


def _one_request_is_enough(charges: Sequence[Charge]) -> str:
    if len(charges) == 1:
        return ""
    operations = " and ".join(charge.operation for charge in charges)
    reads = read_units(charges)
    extra = f", {in_read_units(reads)} on top" if reads else ""
    return (
        f"it took {len(charges)} requests: {operations}{extra}. The condition tells you the same "
        "as a read before it, and it is never out of date."
    )


def _expect_second_is_false(trial: Trial, unlike: Any, table: Any) -> None:
    """The same user takes the same like back again."""
    before = trial.items(TABLE)
    again = trial.attempt(unlike, table, POST, MARA)
    post = Post.of(trial.items(TABLE), POST)
    if post.tally != 2:
        for _ in range(3):
            trial.attempt(unlike, table, POST, MARA)
        raise Refused(
            f"{MARA} took one like back and asked again. {again.text} {how_it_ended(again)}, and "
            f"the tally went from 2 to {post.tally}. {_after_three_more(trial)}",
            "Which condition is true while the like is there, and fails the second time?",
        )
    if again.raised is not None:
        raise Refused(
            f"{MARA} took one like back and asked again. {again.text} {how_it_ended(again)}.",
            "A missing like is not an error here. Which reason, at which place, says that the "
            "like is missing?",
        )
    if again.returned is not False:
        raise Refused(
            f"{MARA} took one like back and asked again. {again.text} returned "
            f"{again.returned!r}, but took nothing back.",
            "If an item is missing, DynamoDB's delete succeeds all the same. How do you learn "
            "that it was missing?",
        )
    if trial.items(TABLE) != before:
        raise Refused(
            f"{again.text} returned False, but the table changed.",
            "Which of your writes has no condition?",
        )


def _after_three_more(trial: Trial) -> str:
    post = Post.of(trial.items(TABLE), POST)
    if post.tally < 0:
        return (
            f"Three taps later: {post.counted()}. A successful DeleteItem does not mean that "
            "there was an item."
        )
    return (
        f"Three taps later: {post.counted()}. A floor at zero keeps the number from looking "
        "impossible, but it is as wrong as before."
    )


def _expect_false_without_likes(trial: Trial, unlike: Any, table: Any) -> None:
    """Nobody likes the post: a floor on the tally fails together with the guard on the like."""
    put_liked(table, OTHER_POST, (), rev=2)
    attempt = trial.attempt(unlike, table, OTHER_POST, MARA)
    post = Post.of(trial.items(TABLE), OTHER_POST)
    if post.tally != 0:
        raise Refused(
            f"Nobody likes {OTHER_POST}. After {attempt.text}: {post.counted()}.",
            "Which condition keeps the tally unchanged if there is no like?",
        )
    if attempt.returned is not False:
        raise Refused(
            f"{OTHER_POST} exists, nobody likes it, and its tally is 0. {attempt.text} "
            f"{how_it_ended(attempt)}.",
            "Nothing is wrong with this post: it has no like, so the answer is False. If your "
            "condition on META also tests the number, how do you tell a tally of 0 from a missing "
            "post?",
        )


def _expect_orphan_left_alone(trial: Trial, unlike: Any, table: Any) -> None:
    """The post was deleted, its likes were not: a subtraction would bring META back."""
    put_like(table, DELETED_POST, MARA, AT)
    attempt = trial.attempt(unlike, table, DELETED_POST, MARA)
    post = Post.of(trial.items(TABLE), DELETED_POST)
    situation = f"The post {DELETED_POST} was deleted, and {MARA}'s like of it is still there."
    if post.meta is not None:
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt)} and left a post with nothing but "
            f"{numbers_of(post.meta)}.",
            "ADD creates a missing item and starts at 0. Which condition makes the Update need a "
            "post?",
        )
    if attempt.raised_name() != "NoSuchPost" or not post.likers:
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt)}, and the like is "
            f"{'still there' if post.likers else 'gone'}.",
            "If the post is missing, the docstring promises NoSuchPost, and nothing written. Are "
            "both of your writes in one request?",
        )


def _expect_conflict_is_no_answer(trial: Trial, unlike: Any, table: Any) -> None:
    """Another transaction is under way on an item: that says nothing about like or post."""
    for codes in (("TransactionConflict",), ("None", "TransactionConflict")):
        with cancelling(table, *codes) as fault:
            attempt = trial.attempt(unlike, table, POST, TOM)
        if not fault.hits or TOM not in Post.of(trial.items(TABLE), POST).likers:
            return  # a client of the learner's own, or one that tried again
        if attempt.raised is None or attempt.raised_name() == "NoSuchPost":
            raise Refused(
                f"{TOM} likes {POST}. Another transaction was working on one of the items, so "
                f"this one was cancelled with TransactionConflict, and {attempt.text} "
                f"{how_it_ended(attempt)}.",
                "A transaction is cancelled for more than one reason. Which Code, at which place, "
                "means what you told your caller?",
            )


def _expect_drift_not_hidden(trial: Trial, unlike: Any) -> str:
    """One like, tally 0: an earlier like was not counted. The remark on a floor that lies."""
    table = trial.table(TABLE)
    put_liked(table, POST, (MARA,), tally=0, rev=2)
    attempt = trial.attempt(unlike, table, POST, MARA)
    post = Post.of(trial.items(TABLE), POST)
    situation = (
        f"This post had drifted: 1 like, likeTally 0. {attempt.text} {how_it_ended(attempt)}"
    )
    if attempt.raised is not None:
        if post.tally != 0 or not post.likers:
            raise Refused(
                f"{situation}, and then: {post.counted()}.",
                "If a call raises, its caller expects that nothing was written. Are both of your "
                "writes in one request?",
            )
        if attempt.raised_name() != "NoSuchPost":
            return ""
        return (
            "on a post with 1 like and likeTally 0 it raised NoSuchPost. The post exists. The "
            "condition on its number failed, and the person on call has to know that."
        )
    if post.likers:
        raise Refused(
            f"{situation}, and the like is still there.",
            "There was a like. If a condition on the tally stopped you, that is a drift, and "
            "somebody has to learn of it: how does an error leave your function?",
        )
    if post.tally == 0:
        raise Refused(
            f"{situation}, and now: {post.counted()}. The floor made the drift look like a tally "
            "that was always right.",
            "What would a tally of -1 have told the owner of this table?",
        )
    return ""
