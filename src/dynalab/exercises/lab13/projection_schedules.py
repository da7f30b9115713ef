"""Exercise 13.4 in every schedule: projections die, meet, come late, and friends come and go."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab13.ballots import COPIES, FIRST, scored
from dynalab.exercises.lab13.copied_scores import (
    ALICE,
    BOB,
    CHUCK,
    DAVE,
    all_say,
    befriend,
    put_copies,
    unfriend,
)
from dynalab.trial import Trial


def hold_projections(trial: Trial, project_scores: Any) -> str:
    """How much two projections at once were tried; Refused at the first schedule that fails."""
    _hold_unfriended(trial, project_scores)
    _hold_new_friend(trial, project_scores)
    _hold_late(trial, project_scores)
    return _hold_two(trial, project_scores)


def _hold_unfriended(trial: Trial, project_scores: Any) -> None:
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 10, BOB: 10})
    batch = [scored(FIRST, CHUCK, 30, before=10)]
    clients = {
        "A": lambda: project_scores(table, batch),
        "D": lambda: unfriend(table, CHUCK, BOB),
    }
    trial.hold(
        trial.explore(clients, all_say(30, ALICE)),
        "bob unfriends Chuck meanwhile",
        "A test before the write may be out of date when you write. Which condition makes the "
        "write need the copy?",
    )


def _hold_new_friend(trial: Trial, project_scores: Any) -> None:
    """dave copied 10, and then Chuck scored 30: the list of the record's followers has him."""
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 10})
    batch = [scored(FIRST, CHUCK, 30, before=10)]

    def befriend_and_project() -> Any:
        befriend(table, CHUCK, DAVE, 10)
        return project_scores(table, batch)

    trial.hold(
        trial.explore({"A": befriend_and_project}, all_say(30, ALICE, DAVE), stale=True),
        "dave befriended Chuck and copied his 10, then Chuck scored 30, and a read may not show "
        "dave yet",
        "dave is in the list, but the read did not see him. Which read is never out of date?",
    )


def _hold_late(trial: Trial, project_scores: Any) -> None:
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 10})

    def thirty_then_fifty() -> None:
        project_scores(table, [scored(FIRST, CHUCK, 30, before=10)])
        project_scores(table, [scored(FIRST + 1, CHUCK, 50, before=30)])

    trial.hold(
        trial.explore({"A": thirty_then_fifty}, all_say(50, ALICE), late=True),
        "Records of 30 and of 50 come, and one request arrives late",
        "A request that arrives late still carries the old score. Which condition stops it then?",
    )


def _hold_two(trial: Trial, project_scores: Any) -> str:
    table = trial.table(COPIES)
    put_copies(table, CHUCK, {ALICE: 10, BOB: None})
    batch = [scored(FIRST, CHUCK, 30, before=10), scored(FIRST + 1, CHUCK, 50, before=30)]

    def deliver() -> Any:
        return project_scores(table, batch)

    clients = {"A": deliver, "B": lambda: project_scores(table, batch[:1])}
    return trial.hold(
        trial.explore(clients, all_say(50, ALICE, BOB), deliver),
        "A got the records of 30 and 50, B that of 30 again, and either may die; then both are "
        "delivered again",
        "What you read of a copy may be out of date when you write it. What is compared in the "
        "same step as the write?",
    )
