"""Exercise 2.1, bump: an addition that no other client can come between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab02.posts import (
    GONE,
    NEW,
    NONE,
    OLD,
    empty_table,
    hold_deleted_post,
    keys,
    more_than_one,
    refusal,
)
from dynalab.exercises.social import TABLE, Post, put_post
from dynalab.exercises.words import first_raised, in_words
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial


def check_bump(bump: Any, trial: Trial) -> Passed:
    table = empty_table(trial)
    put_post(table, OLD, likeTally=6)
    put_post(table, NEW)
    with trial.bill() as charges:
        value = _bumped(trial, bump, table, OLD)
    _expect_value(trial, "bump(table, 'POST#a91f')", value, 6, 7)
    for by, before, after in ((5, 7, 12), (-2, 12, 10)):
        value = _bumped(trial, bump, table, OLD, by=by)
        _expect_value(trial, f"bump(table, 'POST#a91f', by={by})", value, before, after)
    _expect_start_at_zero(trial, bump, table)
    _expect_no_ghost(trial, trial.attempt(bump, table, NONE))
    _expect_other_errors_through(trial, bump, table)
    extent = _hold_two_bumps(trial, bump)
    hold_deleted_post(trial, bump, "bump")
    units = write_units(charges)
    return Passed(
        f"Two clients, {extent}: the tally is exact, and no two calls returned the same value. A "
        f"bump costs {units:g} write unit.",
        more_than_one(
            charges, "One UpdateItem can add, test the condition and return the new value."
        ),
    )


def _bumped(trial: Trial, bump: Any, table: Any, post_id: str, **by: int) -> Any:
    """What bump returns; a reply that was not asked to hold attributes gets its own question."""
    before = trial.items(TABLE)
    attempt = trial.attempt(bump, table, post_id, **by)
    expect_own_post(trial, attempt, post_id, before)
    if attempt.raised is None:
        return attempt.returned
    ask = advice(attempt.raised)
    if isinstance(attempt.raised, KeyError) and attempt.raised.args == ("Attributes",):
        ask = "Your reply holds no attributes; which parameter of UpdateItem asks for them?"
    raise Refused(f"{attempt.text} raised {told(attempt.raised)}", ask)


def expect_own_post(
    trial: Trial, attempt: Attempt, post_id: str, before: Sequence[dict[str, Any]]
) -> None:
    """No META changed but that of post_id."""
    others = [
        item
        for item in trial.items(TABLE)
        if item not in before and item["PK"] != post_id and "likeTally" in item
    ]
    if others:
        raise Refused(
            f"{attempt.text} changed {keys(others)}.",
            "Whose META does your Update change, and where does its key come from?",
        )


def _expect_value(trial: Trial, text: str, value: Any, before: int, after: int) -> None:
    post = Post.of(trial.items(TABLE), OLD)
    if post.meta is None or post.is_ghost:
        raise Refused(
            f"{text} replaced the post: what is left of it is {in_words(post.meta)}.",
            "Which operation changes one attribute and leaves the others as they are?",
        )
    if post.tally != after:
        raise Refused(
            f"The likeTally of {OLD} was {before}. After {text} it is {post.tally}.",
            "Does your update add to the stored number, and does it add `by`?",
        )
    if value is None:
        raise Refused(
            f"{text} counted right, but returned None; the new value is {after}.",
            "UpdateItem's reply holds no attributes unless you ask. "
            "Which of its parameters asks for them?",
        )
    if value == before:
        raise Refused(
            f"{text} returned {value!r}, which is the old value; the new one is {after}.",
            "UpdateItem can return the old value or the new one. Which did you ask for?",
        )
    if value != after:
        raise Refused(
            f"{text} returned {value!r}; the tally is now {after}.",
            "Which part of the reply is the number?",
        )
    if type(value) is not int:
        raise Refused(
            f"{text} returned {value!r}, which is not an int. boto3 reads every Number as a "
            "Decimal.",
            "How do you convert it to an int?",
        )


def _expect_start_at_zero(trial: Trial, bump: Any, table: Any) -> None:
    before = trial.items(TABLE)
    with trial.bill() as charges:
        attempt = trial.attempt(bump, table, NEW)
    expect_own_post(trial, attempt, NEW, before)
    tally = Post.of(trial.items(TABLE), NEW).tally
    if attempt.raised is None and attempt.returned == 1 and tally == 1:
        return
    refusals = [charge.error for charge in charges if charge.error]
    if attempt.raised_name() == "NoSuchPost" and "ValidationException" in refusals:
        raise Refused(
            f"{NEW} exists and was never liked, so it has no likeTally yet. DynamoDB answered "
            f"ValidationException, and {attempt.text} raised NoSuchPost.",
            "Which of DynamoDB's errors says that the post is missing? And which number should "
            "your update add to here?",
        )
    came = refusal(attempt) if attempt.raised else f"returned {attempt.returned!r}"
    raise Refused(
        f"{NEW} exists and was never liked, so it has no likeTally yet. {attempt.text} {came}, "
        f"and its likeTally is {tally}.",
        "Your condition asks for an attribute that this post does not have yet. Which attributes "
        "does every item have?"
        if attempt.raised_name() == "NoSuchPost"
        else "The first like makes it 1. Which way of adding starts at 0?",
    )


def _expect_no_ghost(trial: Trial, attempt: Attempt) -> None:
    meta = Post.of(trial.items(TABLE), NONE).meta
    if meta is not None:
        came = "raised" if attempt.raised else "returned"
        what = attempt.raised_name() or repr(attempt.returned)
        raise Refused(
            f"There is no post {NONE}. {attempt.text} {came} {what} and left a post with nothing "
            f"but a tally: {in_words(meta)}.",
            "UpdateItem creates what it does not find, unless a condition forbids it. Which "
            "condition is true for every item that exists, and false for one that does not?",
        )
    if attempt.raised is None:
        raise Refused(
            f"There is no post {NONE}, and {attempt.text} returned {attempt.returned!r}.",
            "The caller has to learn of it: the docstring says from which exception.",
        )
    if attempt.raised_name() != "NoSuchPost":
        raise Refused(
            f"There is no post {NONE}. {attempt.text} wrote nothing, which is right, and raised "
            f"{attempt.raised_name()}.",
            "Your caller knows posts, not conditions: where can you turn that error into "
            "NoSuchPost?",
        )


def _expect_other_errors_through(trial: Trial, bump: Any, table: Any) -> None:
    """A tally that is a text makes DynamoDB refuse the addition, and the post is there."""
    put_post(table, GONE, likeTally="5")
    attempt = trial.attempt(bump, table, GONE)
    if attempt.raised_name() == "NoSuchPost":
        raise Refused(
            f"The post {GONE} exists, and its likeTally is the text '5'. DynamoDB cannot add to a "
            f"text (ValidationException). {attempt.text} raised NoSuchPost.",
            "Not every refusal means that the post is missing. Which exception does?",
        )


def _hold_two_bumps(trial: Trial, bump: Any) -> str:
    table = empty_table(trial)
    put_post(table, NEW)
    clients = {"A": lambda: bump(table, NEW), "B": lambda: bump(table, NEW)}

    def exact(outcome: Outcome) -> str | None:
        tally = Post.of(outcome.items(TABLE), NEW).tally
        return first_raised(outcome) or (None if tally == 2 else f"likeTally {tally}, not 2.")

    def distinct(outcome: Outcome) -> str | None:
        one, other = outcome.returned["A"], outcome.returned["B"]
        return None if {one, other} == {1, 2} else f"A returned {one}, and B returned {other}."

    trial.hold(
        trial.explore(clients, exact),
        "Two clients bump the same post",
        "Between your read and your write the other client can write. Who else could add for you?",
    )
    return trial.hold(
        trial.explore(clients, distinct),
        "Two clients bump the same post, and the tally is right",
        "Between an update and the read that follows it, others write too. Can the update itself "
        "return the new value?",
    )
