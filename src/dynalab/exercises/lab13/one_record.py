"""Exercise 13.4, a record at a time: which copies change, which do not, and what is no score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.lab13.ballots import COPIES, FIRST, gone, scored
from dynalab.exercises.lab13.copied_scores import (
    ALICE,
    BOB,
    CARA,
    CHUCK,
    DAVE,
    ROSE,
    copies_of,
    follower_key,
    put_copies,
    said,
)
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended
from dynalab.meter import Charge
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

CALL = "project_scores(friend_scores, records)"
_FAILED = ("ConditionalCheckFailedException", "TransactionCanceledException")


def expect_copies(trial: Trial, project_scores: Any) -> None:
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 50, CARA: 10, BOB: None})
    put_copies(table, ROSE, {ALICE: 7})
    given(table, follower_key(CHUCK, DAVE))
    batch = [scored(FIRST, CHUCK, 30, before=10)]
    situation = (
        "The copies of Chuck's score said: alice 50, bob none, cara 10; dave is listed and has no "
        "copy. The record says that Chuck's score went from 10 to 30."
    )
    with trial.bill() as charges:
        attempt = trial.attempt(project_scores, table, batch)
    _refuse_without_followers(attempt)
    refuse_slip(attempt)
    copies = copies_of(trial.items(COPIES))
    after = f"{situation} {CALL} {how_it_ended(attempt)}, and they say: {said(copies)}."
    if DAVE in copies:
        raise Refused(
            after,
            "PutItem and UpdateItem create what they do not find, and BatchWriteItem takes no "
            "condition at all. Which condition needs the copy to be there?",
        )
    if copies.get(ALICE) != 50:
        raise Refused(
            after,
            "A record may come again long after a better score. Which condition lets only a "
            "better score pass?",
        )
    if attempt.raised is not None:
        _refuse_raised(situation, attempt)
    _expect_all_copied(trial, after, copies, charges)
    if attempt.returned != 2 or isinstance(attempt.returned, bool):
        raise Refused(f"{after} Two of them changed.", "It returns how many copies it has changed.")


def _refuse_without_followers(attempt: Attempt) -> None:
    if isinstance(attempt.raised, NameError) and attempt.raised.name == "followers_of":
        raise Refused(
            f"{CALL} raised {told(attempt.raised)}",
            "Run the cell that defines followers_of, then check again.",
        )


def _refuse_raised(situation: str, attempt: Attempt) -> None:
    assert attempt.raised is not None
    if attempt.raised_name() in _FAILED:
        raise Refused(
            f"{situation} {CALL} {how_it_ended(attempt)}.",
            "A copy that is higher, or gone, needs no change. This is not an error, and the other "
            "followers are still to do. Where does the loop catch it?",
        )
    ask = advice(attempt.raised)
    if "does not serve" in str(attempt.raised):
        ask = (
            "DynamoDB has this operation, but this engine does not. Which operation on an item "
            "does the same?"
        )
    raise Refused(f"{situation} {CALL} raised {told(attempt.raised)}", ask)


def _expect_all_copied(
    trial: Trial, after: str, copies: dict[str, Any], charges: Sequence[Charge]
) -> None:
    if any(isinstance(score, str) for score in copies.values()):
        raise Refused(
            after,
            'A copy is text now. The record says {"N": "30"}: the letter is the type, and the '
            "number is sent as text. What do you pass to boto3?",
        )
    if (copies.get(BOB), copies.get(CARA)) == (None, 10):
        raise Refused(after, _why_none(charges))
    if copies.get(CARA) != 30:
        raise Refused(
            after,
            "cara's copy was lower, but it is not 30 now. What does the record say about the "
            "player, and who has a copy?",
        )
    if copies.get(BOB) != 30:
        raise Refused(
            after,
            "bob's copy has no highScore. A missing attribute is not lower. Which condition lets "
            "a copy without one pass?",
        )
    items = [item for item in trial.items(COPIES) if item["SK"] == f"FRIEND#{CHUCK}"]
    if any(item.get("name") != "Chuck" for item in items):
        raise Refused(
            f"{after} The name on a copy is gone.",
            "Which operation changes one attribute and leaves the others as they are?",
        )
    if copies_of(trial.items(COPIES), ROSE) != {ALICE: 7}:
        raise Refused(
            f"{after} alice's copy of Rose's score changed too; it said 7.",
            "Both keys identify a copy: on whose list is it, and whose score is it?",
        )


def _why_none(charges: Sequence[Charge]) -> str:
    """What to ask where no copy changed, by what was tried."""
    refused = [charge for charge in charges if charge.error in _FAILED]
    if any(charge.operation == "TransactWriteItems" for charge in refused):
        return (
            "One failed condition cancels a whole transaction, and alice's copy is higher. Do the "
            "other copies need to be in one transaction with hers?"
        )
    if len(refused) == 1:
        return (
            "alice's copy is higher, so its write was refused, and bob's and cara's are still to "
            "do. Where does the loop go on?"
        )
    return (
        "bob's and cara's copies must change. What does the record say about the player, and who "
        "has a copy?"
    )


# --- other records --------------------------------------------------------------------------------


def expect_first_scores(trial: Trial, project_scores: Any) -> None:
    """A player who never played has an item from the first score on: an INSERT."""
    for score in (25, 0):
        table = trial.table(COPIES)
        put_copies(table, CHUCK, {ALICE: None, BOB: None})
        returned = trial.call(project_scores, table, [scored(FIRST, CHUCK, score)])
        copies = copies_of(trial.items(COPIES))
        if copies != {ALICE: score, BOB: score} or returned != 2:
            raise Refused(
                f"Chuck's first score was {score}: an INSERT, and no copy had a highScore. {CALL} "
                f"returned {returned!r}, and the copies say: {said(copies)}.",
                "How do you see that a record has a score, and is 0 a score?"
                if score == 0
                else "Which records have a score, whatever their eventName is?",
            )


def expect_nothing_from_others(trial: Trial, project_scores: Any) -> None:
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 30, BOB: 30})
    batch = [
        gone(FIRST, CHUCK, 30),
        scored(FIRST + 1, CHUCK, None),
        scored(FIRST + 2, CHUCK, 20),
    ]
    for rest, what in (
        (batch[:1], "Chuck's item was removed: a record without NewImage"),
        (batch[1:2], "Chuck's item came back, and has no score yet"),
        (batch[2:], "A record of a score of 20 came; both copies say 30"),
        ([], "A batch without records came"),
    ):
        before = trial.items(COPIES)
        attempt = trial.attempt(project_scores, table, list(rest))
        refuse_slip(attempt)
        if attempt.raised is not None:
            raise Refused(
                f"{what}. {CALL} raised {told(attempt.raised)}",
                "Not every record holds a score. Which part of it can be missing?",
            )
        if trial.items(COPIES) != before or attempt.returned != 0:
            raise Refused(
                f"{what}. {CALL} returned {attempt.returned!r}, and the copies say: "
                f"{said(copies_of(trial.items(COPIES)))}.",
                "There is nothing to change, and nothing is an error.",
            )
