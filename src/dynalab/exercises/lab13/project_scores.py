"""Exercise 13.4: the stream of HighScore drives the copies; no flag, no checkpoint, no lock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.engine.operations import READS
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.lab13.ballots import COPIES, FIRST, gone, scored
from dynalab.exercises.lab13.copied_scores import (
    ALICE,
    BOB,
    CHUCK,
    ROSE,
    copies_of,
    put_copies,
    said,
)
from dynalab.exercises.lab13.one_record import (
    CALL,
    expect_copies,
    expect_first_scores,
    expect_nothing_from_others,
)
from dynalab.exercises.lab13.projection_schedules import hold_projections
from dynalab.exercises.lab13.table_answers import denying, short_pages
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import in_read_units, in_write_units
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial

_MANY = 40
_WRITES = ("UpdateItem", "PutItem", "TransactWriteItems", "BatchWriteItem")


def check_project_scores(project_scores: Any, trial: Trial) -> Passed:
    expect_copies(trial, project_scores)
    expect_first_scores(trial, project_scores)
    expect_nothing_from_others(trial, project_scores)
    _expect_best_of_a_batch(trial, project_scores)
    charges = _expect_every_follower(trial, project_scores)
    _expect_errors_through(trial, project_scores)
    extent = hold_projections(trial, project_scores)
    writes = write_units(charges)
    reads = read_units(charges)
    return Passed(
        f"{extent[0].upper()}{extent[1:]} of two projections at once, deaths and redelivery "
        f"included: no copy ever falls, and each is the score in the end. {_MANY} followers: "
        f"{in_write_units(writes)} and {in_read_units(reads)}.",
        _remark(trial, project_scores),
    )


def _remark(trial: Trial, project_scores: Any) -> str:
    """A new name is no new score; who fans it out pays for a refusal at every copy."""
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 30, BOB: 30})
    with trial.bill() as charges:
        trial.call(project_scores, table, [scored(FIRST, CHUCK, 30, before=30, name="Charles")])
    units = write_units(charges)
    if not units:
        return ""
    return (
        f"a record that changed the player's name and not the score cost {in_write_units(units)} "
        "for two copies. OldImage shows that the score is the same."
    )


# --- a batch --------------------------------------------------------------------------------------


def _expect_best_of_a_batch(trial: Trial, project_scores: Any) -> None:
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 10, BOB: 10})
    put_copies(table, ROSE, {ALICE: 5})
    batch = [
        scored(FIRST, CHUCK, 20, before=10),
        scored(FIRST + 1, ROSE, 40, before=5),
        scored(FIRST + 2, CHUCK, 100, before=20),
        scored(FIRST + 3, CHUCK, 100, before=100, name="Charles"),
        gone(FIRST + 4, CHUCK, 100),
        scored(FIRST + 5, CHUCK, 60),
    ]
    with trial.bill() as charges:
        returned = trial.call(project_scores, table, batch)
    found = {user: copies_of(trial.items(COPIES), user) for user in (CHUCK, ROSE)}
    situation = (
        "A batch held Chuck's 20, Rose's 40, Chuck's 100 and a new name of his; then he was "
        "deleted, came back, and scored 60."
    )
    if found != {CHUCK: {ALICE: 100, BOB: 100}, ROSE: {ALICE: 40}}:
        raise Refused(
            f"{situation} Copies of Chuck's score: {said(found[CHUCK])}; of Rose's: "
            f"{said(found[ROSE])}.",
            'The key is PK "USER#Rose". What is her id, letter by letter?'
            if found == {CHUCK: {ALICE: 100, BOB: 100}, ROSE: {ALICE: 5}}
            else "A batch holds records of several players, and several of one player. Which of "
            "them count, and do you compare them as numbers?",
        )
    _expect_a_write_for_each(situation, returned, charges)
    again = trial.call(project_scores, table, batch)
    if again != 0:
        raise Refused(
            f"{situation} The same batch came again, and it returned {again!r}.",
            "It returns how many copies it has changed, and none of them changed. Is an equal "
            "score a lower one?",
        )


def _expect_a_write_for_each(situation: str, returned: Any, charges: Sequence[Charge]) -> None:
    writes = write_units(charges)
    if returned == 3 and writes <= 3:
        return
    twice = returned == 3 and all(
        charge.operation == "TransactWriteItems" for charge in charges if charge.write_units
    )
    raise Refused(
        f"{situation} Three copies must change; it returned {returned!r} and took {writes:g} "
        "write units. Each copy needs one write.",
        "In a transaction each item costs its units twice. Why does one copy need a transaction?"
        if twice
        else "Copy only the best of several scores of one player. When do you know it?",
    )


def _expect_every_follower(trial: Trial, project_scores: Any) -> Sequence[Charge]:
    table = trial.table(COPIES)
    friends = [f"f{number:03}" for number in range(_MANY)]
    put_copies(table, CHUCK, dict.fromkeys(friends, 10))
    with trial.bill() as charges:
        trial.call(project_scores, table, [scored(FIRST, CHUCK, 30, before=10)])
    if any(charge.operation == "Scan" for charge in charges):
        raise Refused(
            "The copies are right, but a Scan read everybody's items for it.",
            "Chuck's followers are under one partition key: which request reads those?",
        )
    with short_pages(7):
        trial.call(project_scores, table, [scored(FIRST + 1, CHUCK, 50, before=30)])
    copies = copies_of(trial.items(COPIES))
    behind = [name for name in friends if copies.get(name) != 50]
    if behind:
        raise Refused(
            f"Chuck has {_MANY} followers. A Query listed them in several pages, and "
            f"{len(behind)} of the copies still have an old score.",
            "How do you see that a page of a Query is not the last?",
        )
    return charges


def _expect_errors_through(trial: Trial, project_scores: Any) -> None:
    for operations, what in ((_WRITES, "the writes"), (READS, "the reads")):
        table = trial.table(COPIES)
        put_copies(table, CHUCK, {ALICE: 10, BOB: 10})
        with denying(*operations) as met:
            attempt = trial.attempt(project_scores, table, [scored(FIRST, CHUCK, 30, before=10)])
        refuse_slip(attempt)
        if met and attempt.raised is None:
            copies = copies_of(trial.items(COPIES))
            raise Refused(
                f"DynamoDB answered {what} with AccessDeniedException. {CALL} returned "
                f"{attempt.returned!r}, and the copies say: {said(copies)}. Its caller believes "
                "that the batch is done, and nobody delivers it again.",
                "A failed condition means that there is nothing to do here. What does any other "
                "error mean, and who has to learn of it?",
            )
