"""An unlike of exercise 4.1 in every schedule: it dies, meets another, and a post that goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynalab.exercises.counted_posts import (
    DELETED_POST,
    INES,
    MARA,
    POST,
    TOM,
    numbers_of,
    put_liked,
)
from dynalab.exercises.social import TABLE, Post, delete_post
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def hold_unlikes(trial: Trial, unlike: Any) -> str:
    table = trial.table(TABLE)
    put_liked(table, POST, (MARA, TOM, INES))

    def invariant(*users: str) -> Callable[[Outcome], str | None]:
        def holds(outcome: Outcome) -> str | None:
            post = Post.of(outcome.items(TABLE), POST)
            if post.tally != len(post.likers):
                return f"{post.counted()}."
            for client, user in zip("AB", users, strict=False):
                if client in outcome.returned and user in post.likers:
                    return f"{client}'s unlike returned, but the like is still there."
            answers = [outcome.returned[client] for client in "AB" if client in outcome.returned]
            wanted = len(set(users))
            if len(answers) == 2 and answers.count(True) != wanted:
                return f"A returned {answers[0]}, and B returned {answers[1]}."
            return first_raised(outcome)

        return holds

    one = {"A": lambda: unlike(table, POST, MARA)}
    trial.hold(
        trial.explore(one, invariant(MARA), crash=True),
        "The process may die at any point of an unlike",
        "A process can always die between two requests. Which one request carries both writes?",
    )
    trial.hold(
        trial.explore(
            {**one, "B": lambda: unlike(table, POST, TOM)}, invariant(MARA, TOM), crash=True
        ),
        "Two users take their likes back at the same time",
        "A number that you read may be out of date when you write it back. Who else could "
        "subtract for you?",
    )
    return trial.hold(
        trial.explore(
            {**one, "B": lambda: unlike(table, POST, MARA)}, invariant(MARA, MARA), crash=True
        ),
        "The same user takes the same like back on two devices",
        "What you read before a write may have changed when you write. What is evaluated in the "
        "same step as the write?",
    )


def hold_deleted_post(trial: Trial, unlike: Any) -> None:
    table = trial.table(TABLE)
    put_liked(table, DELETED_POST, (MARA,))

    def no_ghost(outcome: Outcome) -> str | None:
        meta = Post.of(outcome.items(TABLE), DELETED_POST).meta
        return (
            None
            if meta is None
            else f"the deleted post is back with nothing but {numbers_of(meta)}."
        )

    trial.hold(
        trial.explore(
            {
                "A": lambda: unlike(table, DELETED_POST, MARA),
                "B": lambda: delete_post(table, DELETED_POST),
            },
            no_ghost,
        ),
        "B deletes the post while A takes its like back",
        "A test before the write may be out of date when you write. Which condition makes the "
        "Update need a post?",
    )
