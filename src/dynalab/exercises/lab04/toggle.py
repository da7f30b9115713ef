"""Exercise 4.2: a tap turns a like on or off, once, and says which."""

from __future__ import annotations

from typing import Any

import boto3

from dynalab.check import Passed
from dynalab.exercises.counted_posts import (
    AT,
    MARA,
    POST,
    TOM,
    expect_no_such_post,
    like,
    put_liked,
    take_back,
)
from dynalab.exercises.social import TABLE, Post, tally_equals_likes
from dynalab.exercises.words import first_raised, how_it_ended
from dynalab.faults.intercept import Call, Fault, client_of, opened
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt, Refused, Trial


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
            "If a guard refuses, you know the state. What do you do then?",
        )
    if (MARA in post.likers) != on or len(post.likers) != 1 + on:
        raise Refused(
            f"{was} After {attempt.text} the likes are {', '.join(post.likers) or 'none'}.",
            "One call changes the state once. Which of like and unlike changed it here?",
        )
    if post.tally != len(post.likers):
        raise Refused(
            f"{was} After {attempt.text}: {post.counted()}.",
            "like and unlike move the item and the number together. Does your toggle use them?",
        )
    if attempt.returned is not on:
        raise Refused(
            f"{was} {attempt.text} changed that, and returned {attempt.returned!r}.",
            "It returns the new state: True if the user likes the post now.",
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
        "The state may change between your call's read and its write. If a guard refuses the "
        "second write too, what did the other device do, and what is the state now?",
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
            "How many rounds does your loop make, and what has this call changed if no round "
            "succeeded?",
        )
