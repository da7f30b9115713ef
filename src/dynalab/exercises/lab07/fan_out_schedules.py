"""A fan-out of exercise 7.2 in every schedule: it meets another, comes late, loses a follower."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynalab.exercises.lab07.high_scores import (
    ALICE,
    AT,
    BOB,
    CHUCK,
    COPIES,
    Game,
    Player,
    copy_key,
)
from dynalab.exercises.lab07.score_services import unfriend
from dynalab.exercises.words import first_raised, in_words
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def _never_falls(*wanted: int) -> Callable[[Outcome], str | None]:
    """An invariant: once every client is through, each copy is the best score."""

    def invariant(outcome: Outcome) -> str | None:
        player = Player.of(outcome.items)
        done = [
            score for client, score in zip("AB", wanted, strict=False) if client in outcome.returned
        ]
        copies = {friend: item.get("highScore", 0) for friend, item in player.copies.items()}
        if done and min(copies.values()) < max(done):
            return f"copies: {player.copied()}; but {max(done)} was copied to each."
        return first_raised(outcome)

    return invariant


def hold_two_scores(trial: Trial, fan_out: Any) -> str:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10, BOB: None})

    def client(score: int) -> Callable[[], Any]:
        return lambda: fan_out(game.copies, CHUCK, score, [ALICE, BOB])

    clients = {"A": client(30), "B": client(50)}
    return trial.hold(
        trial.explore(clients, _never_falls(30, 50), crash=True),
        "Chuck scores 30, then 50, and both fan out at the same time",
        "What you read of a copy may be out of date when you write it. What is compared in the "
        "same step as the write?",
    )


def hold_late(trial: Trial, fan_out: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})

    def thirty_then_fifty() -> None:
        for score in (30, 50):
            fan_out(game.copies, CHUCK, score, [ALICE])

    trial.hold(
        trial.explore({"A": thirty_then_fifty}, _never_falls(50), late=True),
        "30 is copied, then 50, and one request arrives late",
        "A request that arrives late still carries the old score. Which condition stops it then?",
    )


def hold_unfriended(trial: Trial, fan_out: Any) -> None:
    game = Game.empty(trial)
    game.put(30, {ALICE: 10, BOB: 10}, since=AT)

    def no_copy_back(outcome: Outcome) -> str | None:
        copy = outcome.item(COPIES, **copy_key(CHUCK, BOB))
        return None if copy is None else f"bob's copy is back: {in_words(copy)}."

    clients = {
        "A": lambda: fan_out(game.copies, CHUCK, 30, [ALICE, BOB]),
        "D": lambda: unfriend(game, BOB, CHUCK),
    }
    trial.hold(
        trial.explore(clients, no_copy_back),
        "bob unfriends Chuck while A fans out",
        "A test before the write may be out of date when you write. Which condition makes the "
        "write need the copy?",
    )
