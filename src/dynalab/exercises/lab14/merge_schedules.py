"""A merge of exercise 14.4 in every schedule: it dies, meets taps, an audit, and its like."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from dynalab.exercises.counted_posts import LARGE, MARA, POST, TOM, make_large, users
from dynalab.exercises.lab14.audited_posts import like, put_audited, take_back, tallies_of
from dynalab.exercises.social import TABLE, Post
from dynalab.exercises.words import extent_of, first_raised
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

OLD, NEW = MARA, TOM


def hold_merges(trial: Trial, merge: Any) -> str:
    """How much was tried; Refused at the first schedule that fails."""
    _hold_up_to_date(trial, merge)
    tried = [*_hold_deaths(trial, merge), *_hold_other_taps(trial, merge)]
    tried += [_hold_twice(trial, merge), _hold_audited(trial, merge)]
    tried.append(_hold_repaired(trial, merge))
    return extent_of(tried)


def _hold_up_to_date(trial: Trial, merge: Any) -> None:
    """One client likes as the old account, and merges it; nobody else writes."""
    table = trial.table(TABLE)
    put_audited(table, POST, users(1))

    def like_then_merge() -> Any:
        like(table, POST, OLD)
        return merge(table, POST, OLD, NEW)

    trial.hold(
        trial.explore({"A": like_then_merge}, _merged, stale=True),
        f"A like of {OLD} is stored, then its account is merged, and nobody else writes",
        "A read that is not strongly consistent may not show the last write. Which of your reads "
        "are like that?",
    )


def _agrees(outcome: Outcome) -> str | None:
    post = Post.of(outcome.items(TABLE), POST)
    if post.tally != len(post.likers):
        return f"{post.counted()}."
    return first_raised(outcome)


def _taken_over(outcome: Outcome) -> str | None:
    if OLD in Post.of(outcome.items(TABLE), POST).likers and "A" in outcome.returned:
        return f"merge returned {outcome.returned['A']}, but {OLD} still likes the post."
    return _agrees(outcome)


def _merged(outcome: Outcome) -> str | None:
    post = Post.of(outcome.items(TABLE), POST)
    if OLD in post.likers or NEW not in post.likers:
        return f"the likes are {', '.join(post.likers) or 'none'}."
    return _agrees(outcome)


def _hold_deaths(trial: Trial, merge: Any) -> list[Exploration]:
    return [_hold_death(trial, merge, (OLD,)), _hold_death(trial, merge, (OLD, NEW))]


def _hold_death(trial: Trial, merge: Any, likers: tuple[str, ...]) -> Exploration:
    table = trial.table(TABLE)
    put_audited(table, POST, (*likers, *users(1)))
    who = f"{' and '.join(likers)} {'likes' if len(likers) == 1 else 'like'} the post"

    def call() -> Any:
        return merge(table, POST, OLD, NEW)

    trial.hold(
        trial.explore({"A": call}, _agrees, crash=True),
        f"{who}. The process may die at any point of a merge",
        "A process can die between two requests. After which of them is the tally wrong, and "
        "which functions of the service change a like and its number together?",
    )
    exploration = trial.explore({"A": call}, _merged, call)
    trial.hold(
        exploration,
        f"{who}. The process may die at any point of a merge, and merges again",
        "The like is lost, and the second merge finds nothing to take over. Which must you do "
        "first: write the new like, or delete the old one?",
    )
    return exploration


def _hold_other_taps(trial: Trial, merge: Any) -> list[Exploration]:
    """The new account taps meanwhile: what a look found is out of date when the write comes."""
    tried = []
    for likers, change, what in (
        ((OLD, *users(1)), like, "likes"),
        ((OLD, NEW, *users(1)), take_back, "takes back its like of"),
    ):
        table = trial.table(TABLE)
        put_audited(table, POST, likers)
        clients = {
            "A": partial(merge, table, POST, OLD, NEW),
            "B": partial(change, table, POST, NEW),
        }
        exploration = trial.explore(clients, _taken_over)
        trial.hold(
            exploration,
            f"{NEW} {what} the post, while A merges {OLD} into it",
            "What you read before a write may be gone when you write. What is evaluated in the "
            "same step as the write?",
        )
        tried.append(exploration)
    return tried


def _hold_twice(trial: Trial, merge: Any) -> Exploration:
    table = trial.table(TABLE)
    put_audited(table, POST, (OLD, NEW, *users(1)))

    def call() -> Any:
        return merge(table, POST, OLD, NEW)

    exploration = trial.explore({"A": call, "B": call}, _merged)
    trial.hold(
        exploration,
        "The same merge runs twice at the same time",
        "Both find the old like. Which condition lets only one of them delete it?",
    )
    return exploration


def _hold_audited(trial: Trial, merge: Any) -> Exploration:
    """The likes fill two pages, and a like moves from the second to the first."""
    table = trial.table(TABLE)
    put_audited(table, LARGE, users(5))
    make_large(table)

    def agrees(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), LARGE)
        if post.tally != len(post.likers):
            return f"{post.counted()}."
        return first_raised(outcome)

    exploration = trial.explore(
        {
            "A": lambda: _audit_and_repair(table, LARGE),
            "B": lambda: merge(table, LARGE, "USER#0005", "USER#0000"),
        },
        agrees,
    )
    trial.hold(
        exploration,
        "An audit reads META, then two pages of likes, and repairs if rev has not changed. "
        "Meanwhile B merges an account of the second page into one that is on the first",
        "There are as many likes as before, but the audit counted one too few: the like moved to "
        "a page that was read already. What could have told the repair?",
    )
    return exploration


def _hold_repaired(trial: Trial, merge: Any) -> Exploration:
    """A tally that was wrong before, and two likes that become one."""
    table = trial.table(TABLE)
    put_audited(table, POST, (OLD, NEW, *users(1)), likeTally=5)

    def stays_or_goes(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), POST)
        left = post.tally - len(post.likers)
        if left not in (0, 2):
            return f"{post.counted()}: the drift was 2, and is {left} now."
        return first_raised(outcome)

    clients = {
        "A": lambda: _audit_and_repair(table, POST),
        "B": lambda: merge(table, POST, OLD, NEW),
    }
    exploration = trial.explore(clients, stays_or_goes)
    trial.hold(
        exploration,
        "The tally was wrong before. An audit counts, and repairs if rev has not changed. "
        "Meanwhile B merges two likes into one",
        "The repair wrote a count from before the merge. What could have told it that a like is "
        "gone?",
    )
    return exploration


def _audit_and_repair(table: Any, post_id: str) -> None:
    for _, _, rev, counted in tallies_of(table, [post_id]):
        with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
            table.update_item(
                Key={"PK": post_id, "SK": "META"},
                UpdateExpression="SET likeTally = :counted ADD rev :one",
                ConditionExpression="rev = :rev",
                ExpressionAttributeValues={":counted": counted, ":rev": rev, ":one": 1},
            )
