"""A set_score of exercise 6.5 in every schedule: two scores meet, and a friend goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.lab06.friend_scores import KEY, TABLE, friend_item
from dynalab.exercises.words import first_raised, in_words
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def hold_two_scores(trial: Trial, set_score: Any) -> list[Exploration]:
    table = trial.table(TABLE)

    def best_stays(*scores: int) -> Callable[[Outcome], str | None]:
        def invariant(outcome: Outcome) -> str | None:
            item = outcome.item(TABLE, **KEY) or {}
            stored = item.get("highScore")
            done = [
                score
                for client, score in zip("AB", scores, strict=True)
                if client in outcome.returned
            ]
            if done and (stored is None or stored < max(done)):
                return f"highScore is {stored}, but {max(done)} was scored."
            if len(done) == 2 and not any(outcome.returned.values()):
                return f"highScore is {stored}, but both calls returned False."
            if scores[0] == scores[1] and list(outcome.returned.values()) == [True, True]:
                return f"both scored {stored}, and both calls returned True, but it rose only once."
            if "name" not in item:
                return f"what is left of the copy is {in_words(item)}."
            return first_raised(outcome)

        return invariant

    explorations = []
    for start, one, other in ((None, 30, 50), (20, 30, 30), (20, 30, 50)):
        given(table, friend_item("alice", "bob", start))
        clients = {
            "A": lambda score=one: set_score(table, "alice", "bob", score),
            "B": lambda score=other: set_score(table, "alice", "bob", score),
        }
        explorations.append(trial.explore(clients, best_stays(one, other), crash=True))
        trial.hold(
            explorations[-1],
            f"Two games end at the same time, with {one} and {other}",
            "What you read may be out of date when you write. What is compared in the same step "
            "as the write?",
        )
    return explorations


def hold_unfriended(trial: Trial, set_score: Any) -> None:
    table = trial.table(TABLE)
    given(table, friend_item("alice", "bob", 20))

    def no_ghost(outcome: Outcome) -> str | None:
        item = outcome.item(TABLE, **KEY)
        return None if item is None else f"the copy is back: {in_words(item)}."

    trial.hold(
        trial.explore(
            {
                "A": lambda: set_score(table, "alice", "bob", 30),
                "B": lambda: table.delete_item(Key=KEY),
            },
            no_ghost,
        ),
        "Alice ends the friendship while bob scores",
        "A test before the write may be out of date when you write. Which condition makes the "
        "write need the copy?",
    )
