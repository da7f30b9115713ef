"""Lab 04, Unlike: a like is taken back once, toggled, counted again, and a drift repaired."""

from __future__ import annotations

from typing import Any

import boto3

from dynalab.check import Exercise, Passed
from dynalab.exercises.counted_posts import (
    AT,
    MARA,
    POST,
    TOM,
    expect_no_such_post,
    how_it_ended,
    like,
    put_liked,
    take_back,
)
from dynalab.exercises.lab04.audit import check_audit
from dynalab.exercises.lab04.repair import check_repair
from dynalab.exercises.lab04.unlike import check_unlike
from dynalab.exercises.social import TABLE, Post, first_raised, tally_equals_likes
from dynalab.exercises.tables import PK_SK
from dynalab.faults.intercept import Call, Fault, client_of, opened
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt, Refused, Trial

TABLES = {TABLE: PK_SK}


# --- 4.2 ------------------------------------------------------------------------------------------


def check_toggle(toggle: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_liked(table, POST, (TOM,))
    for on in (True, False, True):
        _expect_turned(trial, trial.attempt(toggle, table, POST, MARA, AT), on)
    expect_no_such_post(trial, toggle, table, "toggle", AT)
    for on in (False, True):
        _hold_one_tap(trial, toggle, on)
    extents = [_hold_two_taps(trial, toggle, on) for on in (False, True)]
    _expect_rounds(trial, toggle)
    return Passed(
        f"Two devices, deaths included. From not liked: {extents[0]}; from liked: {extents[1]}. "
        "One of the two taps turns the like on, the other off."
    )


def _expect_turned(trial: Trial, attempt: Attempt, on: bool) -> None:
    post = Post.of(trial.items(TABLE), POST)
    was = f"{MARA} {'did not like' if on else 'liked'} {POST}."
    if attempt.raised is not None:
        raise Refused(
            f"{was} {attempt.text} {how_it_ended(attempt)}.",
            "A guard that refuses has told you the state. What do you do with that?",
        )
    if (MARA in post.likers) != on or len(post.likers) != 1 + on:
        raise Refused(
            f"{was} After {attempt.text} the likes are {', '.join(post.likers) or 'none'}.",
            "One call changes the state once. Which of like and unlike did its work here?",
        )
    if post.tally != len(post.likers):
        raise Refused(
            f"{was} After {attempt.text}: {post.counted()}.",
            "like and unlike move the item and the number together. Does your toggle use them?",
        )
    if attempt.returned is not on:
        raise Refused(
            f"{was} {attempt.text} changed that, and returned {attempt.returned!r}.",
            "It returns the new state: True where the user likes the post now.",
        )
    like = trial.item(TABLE, PK=POST, SK=f"LIKE#{MARA}")
    if like is not None and like.get("likedAt") != AT:
        raise Refused(
            f"After {attempt.text} the like's likedAt is {like.get('likedAt')!r}.",
            "Which argument is the time of the like?",
        )


def _hold_one_tap(trial: Trial, toggle: Any, on: bool) -> None:
    table = trial.table(TABLE)
    put_liked(table, POST, (MARA, TOM) if on else (TOM,))
    trial.hold(
        trial.explore(
            {"A": lambda: toggle(table, POST, MARA, AT)}, tally_equals_likes(POST), crash=True
        ),
        f"{MARA} {'likes' if on else 'does not like'} the post, and the process may die at any "
        "point of a tap",
        "like and unlike move the item and the number in one request. Does your toggle use them?",
    )


def _hold_two_taps(trial: Trial, toggle: Any, on: bool) -> str:
    table = trial.table(TABLE)
    put_liked(table, POST, (MARA, TOM) if on else (TOM,))
    state = "likes" if on else "does not like"

    def one_after_the_other(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), POST)
        if post.tally != len(post.likers):
            return f"{post.counted()}."
        if outcome.raised:
            return first_raised(outcome)
        if outcome.died:
            return None
        first, second = outcome.returned["A"], outcome.returned["B"]
        if {first, second} != {True, False}:
            return f"A returned {first}, and B returned {second}; of two taps one turns it on."
        if (MARA in post.likers) is not on:
            return f"after two taps {MARA} {'does not like' if on else 'likes'} the post."
        return None

    clients = {
        "A": lambda: toggle(table, POST, MARA, AT),
        "B": lambda: toggle(table, POST, MARA, AT),
    }
    return trial.hold(
        trial.explore(clients, one_after_the_other, crash=True),
        f"{MARA} {state} the post, and taps on two devices",
        "The state may change between what your call saw and what it writes. "
        "When a guard refuses the second write too, who has been there, and what is the state now?",
    )


def _expect_rounds(trial: Trial, toggle: Any) -> None:
    """Another device is faster six times: each transaction finds the other state than it needs."""
    table = trial.table(TABLE)
    put_liked(table, POST, (TOM,))
    other = boto3.resource("dynamodb").Table(TABLE)  # a client whose requests nobody watches

    def faster(call: Call, fault: Fault) -> None:
        likes = any("Put" in action for action in call.body["TransactItems"])
        liked = trial.item(TABLE, PK=POST, SK=f"LIKE#{MARA}") is not None
        if fault.hits < 6 and fault.claim() and likes is not liked:
            (like if likes else take_back)(other, POST, MARA)

    writes = frozenset({"TransactWriteItems"})
    with opened(client_of(table), faster, operations=writes) as fault:
        attempt = trial.attempt(toggle, table, POST, MARA, AT)
    liked = MARA in Post.of(trial.items(TABLE), POST).likers
    if fault.hits and attempt.returned is not liked:
        raise Refused(
            f"{MARA}'s other device was faster, {fault.hits} times in a row. {attempt.text} "
            f"{how_it_ended(attempt)}.",
            "How many rounds does your loop make, and what has this call changed where none of "
            "them got through?",
        )


EXERCISES = (
    Exercise(
        "4.1",
        check_unlike,
        hints=(
            "A transaction of two actions, as in like: a Delete where like has a Put, and an "
            "Update of META.",
            "Each action has a condition of its own: the like has to be there, and so has the "
            "post. attribute_exists(PK) says so of either.",
            "Two ADDs stand in one expression, with a comma: ADD likeTally :minus, rev :one.",
            "Catch TransactionCanceledException. Look at META's reason first, then at the like's; "
            "a bare raise for everything else.",
        ),
        explanation="The condition on the like makes the delete and the subtraction happen once, "
        "however often somebody taps. The tally cannot go below zero by itself, because each "
        "subtraction has a like that was counted. A floor would only keep quiet where one was not.",
    ),
    Exercise(
        "4.2",
        check_toggle,
        hints=(
            "like returns False where the like is there already: then it is to be taken back.",
            "unlike can return False too: somebody has been there between your two calls. "
            "What is the state then, and what would turn it?",
            "Two answers of False mean: try again. A loop around both ends as soon as one is True.",
        ),
        explanation="Each of like and unlike changes the state once or not at all, and says which. "
        "The loop ends with the first True, so every call changes the state exactly once, and "
        "two calls look as if one had come after the other.",
    ),
    Exercise(
        "4.3",
        check_audit,
        hints=(
            "For each post: one get_item of META, then a Query with Select='COUNT', all pages.",
            "Both take ConsistentRead=True.",
            "META first. Then whatever lands during the count has raised rev above the one that "
            "you hold.",
        ),
        explanation="rev was read before the count. If META still has that rev later, nothing "
        "landed in between, and the count is what it was. Counted first, a like can slip in "
        "before META is read, and rev looks up to date while the count is not.",
    ),
    Exercise(
        "4.4",
        check_repair,
        hints=(
            "One update_item of META: SET likeTally = :counted ADD rev :one.",
            "Its ConditionExpression compares rev with the rev that the audit saw.",
            "ConditionalCheckFailedException means that META moved: return False. "
            "Everything else goes on.",
        ),
        explanation="rev only rises, so one that is unchanged means that nothing happened since "
        "the audit read it. A stored value that is unchanged means no such thing: it may have "
        "gone away and come back.",
    ),
)
