"""Exercise 2.2, like: the like and the tally, both or neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.engine import capacity
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab02.bump import expect_own_post
from dynalab.exercises.lab02.posts import (
    AT,
    MARA,
    OLD,
    OTHER,
    TOM,
    empty_table,
    more_than_one,
    reasons,
    refusal,
)
from dynalab.exercises.social import TABLE, Post, put_post, tally_equals_likes
from dynalab.exercises.words import first_raised, in_words, in_write_units
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial


def check_like(like: Any, trial: Trial) -> Passed:
    charges = expect_like(trial, like)
    extent = hold_both_or_neither(trial, like)
    units = _expect_four_units(charges)
    return Passed(
        f"Two clients, {extent}, deaths included: the tally equals the likes. A like costs "
        f"{in_write_units(units)}: two items, each rounded up, then doubled.",
        more_than_one(charges, "A like needs one."),
    )


def expect_like(trial: Trial, like: Any) -> list[Charge]:
    """One like of a post without a tally, then one of another user; the charges of the first."""
    table = empty_table(trial)
    put_post(table, OLD)
    before = trial.items(TABLE)
    with trial.bill() as charges:
        first = trial.attempt(like, table, OLD, MARA, AT)
    _refuse_batch(charges)
    expect_own_post(trial, first, OLD, before)
    _refuse_error(first)
    _expect_items(trial, first, charges, {MARA: AT})
    second = trial.attempt(like, table, OLD, TOM, AT + 10)
    _refuse_error(second)
    _expect_items(trial, second, charges, {MARA: AT, TOM: AT + 10})
    put_post(table, OTHER)
    before = trial.items(TABLE)
    elsewhere = trial.attempt(like, table, OTHER, TOM, AT + 20)
    expect_own_post(trial, elsewhere, OTHER, before)
    _refuse_error(elsewhere)
    _expect_items(trial, elsewhere, charges, {TOM: AT + 20}, OTHER)
    return charges


def _refuse_batch(charges: Sequence[Charge]) -> None:
    if any(charge.operation == "BatchWriteItem" for charge in charges):
        raise Refused(
            "like sent a BatchWriteItem. A batch saves round trips and promises nothing. It may "
            "write one item and return the other as unprocessed. It can put and delete, but not "
            "add.",
            "Which request writes all of several items, or none of them?",
        )


def _refuse_error(attempt: Attempt) -> None:
    if attempt.raised is None:
        return
    if "does not exist in the item" in f"{attempt.raised} {reasons(attempt)}":
        raise Refused(
            f"{OLD} exists and was never liked, so it has no likeTally yet. {attempt.text} "
            f"{refusal(attempt)}: an attribute that does not exist in the item.",
            "The first like makes it 1. Which way of adding starts at 0?",
        )
    if "Type mismatch for key" in str(attempt.raised) or "MAP" in str(attempt.raised):
        raise Refused(
            f"{attempt.text} raised {told(attempt.raised)}",
            "table.meta.client takes plain Python values and adds the types for you. What does "
            "your request hold instead?",
        )
    raise Refused(
        f"{attempt.text} raised {told(attempt.raised)}",
        advice(attempt.raised) or "Run it in a cell of its own: at which line does it stop?",
    )


def _expect_items(
    trial: Trial,
    attempt: Attempt,
    charges: Sequence[Charge],
    likes: dict[str, int],
    post_id: str = OLD,
) -> None:
    items = [item for item in trial.items(TABLE) if post_id == OLD or item["PK"] == post_id]
    post = Post.of(items, post_id)
    if not charges:
        raise Refused(
            f"{attempt.text} sent no request.",
            "You have built the request: which method of table.meta.client sends it?",
        )
    if all(charge.error for charge in charges):
        raise Refused(
            f"DynamoDB refused the request ({charges[0].error}), but {attempt.text} returned "
            "without an error.",
            "Nobody can correct an error that is kept silent: what does the exception say?",
        )
    user_id, at = list(likes.items())[-1]
    like = trial.item(TABLE, PK=post_id, SK=f"LIKE#{user_id}")
    if like is None:
        others = [item["SK"] for item in items if item["SK"] != "META"]
        raise Refused(
            f"After {attempt.text} there is no item with the key {post_id}, LIKE#{user_id}. "
            f"Beside its META the post has {', '.join(others) or 'nothing'}.",
            "The docstring gives the key of a like: what does yours contain?",
        )
    if like.get("likedAt") != at:
        typed = isinstance(like.get("likedAt"), dict)
        raise Refused(
            f"After {attempt.text} the like's likedAt is {like.get('likedAt')!r}, not {at}.",
            "table.meta.client adds types to plain values: what added one here already?"
            if typed
            else "Which argument is the time of the like?",
        )
    if post.meta is None or post.is_ghost:
        raise Refused(
            f"After {attempt.text} the post's META is {in_words(post.meta)}: its body is lost.",
            "Which action changes one attribute of an item and leaves the others as they are?",
        )
    if post.tally != len(likes):
        raise Refused(
            f"After {attempt.text}: {post.counted()}.",
            "The tally is on the post's own META, in likeTally. Which part of your request adds "
            "to it, and with which key?",
        )
    if len(items) != len(likes) + 1:
        keys = {"META", *(f"LIKE#{user}" for user in likes)}
        extra = [item["SK"] for item in items if item["SK"] not in keys]
        raise Refused(
            f"{attempt.text} also wrote {', '.join(extra)}.",
            "A like is one item and one number. What is the other item for?",
        )


def hold_both_or_neither(trial: Trial, like: Any) -> str:
    table = empty_table(trial)
    put_post(table, OLD)
    agrees = tally_equals_likes(OLD)

    def invariant(outcome: Outcome) -> str | None:
        likers = Post.of(outcome.items(TABLE), OLD).likers
        for client, user in (("A", MARA), ("B", TOM)):
            if client in outcome.returned and user not in likers:
                return f"{client}'s like returned, but its item is not stored."
        return agrees(outcome) or first_raised(outcome)

    clients = {
        "A": lambda: like(table, OLD, MARA, AT),
        "B": lambda: like(table, OLD, TOM, AT + 10),
    }
    trial.hold(
        trial.explore({"A": clients["A"]}, invariant, crash=True),
        "The process may die at any point of a like",
        "A process can always die between two requests. Which one request carries both writes?",
    )
    return trial.hold(
        trial.explore(clients, invariant, crash=True),
        "Two users like the same post at the same time, and either may die",
        "Between your read and your write the other client can write, also if you write by a "
        "transaction. Who else could add for you?",
    )


def _expect_four_units(charges: Sequence[Charge]) -> float:
    units = write_units(charges)
    wanted = 2 * capacity.write_units(1, transactional=True)
    if units != wanted:
        raise Refused(
            f"The like holds in every schedule. It costs {in_write_units(units)}, and {wanted:g} "
            "are enough.",
            "You pay twice for each item that a transaction names, also for one that it only "
            "checks. Which of yours is not needed?",
        )
    return units
