"""A recovery of exercise 7.5 in every schedule: it dies, comes twice, meets writers, reads late."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab07.high_scores import ALICE, AT, BOB, CHUCK, DAVE, Game, findable, settled
from dynalab.exercises.lab07.score_services import (
    befriend_having_read,
    begin,
    copy_to,
    finish,
    followers_of,
    record_at_once,
)
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

DUE = AT + 1000  # flags from before are recovered


def hold_recoveries(trial: Trial, recover: Any) -> str:
    """How much two recoveries at once were tried; Refused at the first schedule that fails."""
    _hold_death(trial, recover)
    _hold_behind(trial, recover)
    _hold_stale_index(trial, recover)
    _hold_new_score(trial, recover)
    _hold_new_friend(trial, recover)
    _hold_slow_writer(trial, recover)
    _hold_better_copies(trial, recover)
    return _hold_two(trial, recover)


def _call(recover: Any, game: Game, *followers: str) -> Any:
    """A recovery of players with these followers; the list takes no request."""

    def followers_of(user_id: str) -> list[str]:
        return list(followers)

    return lambda: recover(game.scores, game.copies, followers_of, DUE)


def _hold_death(trial: Trial, recover: Any) -> None:
    game = Game.empty(trial)
    game.put(50, {ALICE: 10, BOB: None}, since=AT)
    call = _call(recover, game, ALICE, BOB)
    trial.hold(
        trial.explore({"P": call}, settled, call),
        "The recovery dies at any point, and comes again",
        "It can die as the writer did. What must stay until the last copy is done?",
    )


def _hold_behind(trial: Trial, recover: Any) -> None:
    """50 has overtaken 30, and the replicas do not know it yet."""
    game = Game.empty(trial)
    game.put(30, {ALICE: 30}, since=AT)
    call = _call(recover, game, ALICE)

    def begin_and_recover() -> Any:
        begin(game, CHUCK, 50, AT + 10)
        return call()

    trial.hold(
        trial.explore({"P": begin_and_recover}, settled, stale=True),
        "The writer of 50 dies after its first write, and a read may not show that write yet",
        "It found the player, and then worked with the old score. Which read sees the last write, "
        "and on which table is it possible?",
    )


def _hold_stale_index(trial: Trial, recover: Any) -> None:
    """The index still lists a player whose writer has finished."""
    game = Game.empty(trial)
    game.put(30, {ALICE: 30}, since=AT)
    call = _call(recover, game, ALICE)

    def finish_and_recover() -> Any:
        finish(game, CHUCK, 30)
        return call()

    def unharmed(outcome: Outcome) -> str | None:
        answer = outcome.returned.get("P")
        if answer not in (None, 0):
            return f"recover returned {answer!r}, but the flag was off before."
        return first_raised(outcome) or settled(outcome)

    trial.hold(
        trial.explore({"P": finish_and_recover}, unharmed, stale=True),
        "Chuck's writer has finished, and the index may still list him",
        "The index is a moment late. What do you do if the item has no flag any more?",
    )


def _hold_new_score(trial: Trial, recover: Any) -> None:
    game = Game.empty(trial)
    game.put(30, {ALICE: 10}, since=AT)
    call = _call(recover, game, ALICE)
    clients = {"P": call, "B": lambda: begin(game, CHUCK, 50, AT + 10)}
    trial.hold(
        trial.explore(clients, _whole, call, crash=False),
        "Chuck scores 50 while P recovers 30; the writer of 50 gets no further, and a second "
        "recovery comes",
        "A new flag is up, and P takes it for the one that it found. How does P know for which "
        "score it works?",
    )


def _hold_new_friend(trial: Trial, recover: Any) -> None:
    """dave is new, with a copy of 30; a list of followers from before does not have him."""
    game = Game.empty(trial)
    game.put(30, {}, since=AT)

    def befriend_and_begin() -> None:
        befriend_having_read(game, DAVE, CHUCK, 30)
        begin(game, CHUCK, 50, AT + 10)

    clients = {
        "P": lambda: recover(game.scores, game.copies, followers_of(game), DUE),
        "B": befriend_and_begin,
    }
    trial.hold(
        trial.explore(clients, findable, crash=False),
        "While P recovers, dave befriends Chuck and copies his 30; then Chuck scores 50, and its "
        "writer gets no further",
        "dave is not in the list that P has, and 50 is never copied to him. Did P read the list "
        "before or after the score that it copies?",
    )


def _hold_better_copies(trial: Trial, recover: Any) -> None:
    game = Game.empty(trial)
    game.put(30, {ALICE: 10}, since=AT)
    call = _call(recover, game, ALICE)
    clients = {"P": call, "B": lambda: record_at_once(game, CHUCK, 50, ALICE)}
    trial.hold(
        trial.explore(clients, _whole, call, crash=False),
        "Chuck scores 50 while P recovers 30, and B writes it with its copies in one transaction",
        "P still writes the score that it has read. Which condition stops it at a copy that is "
        "better by then?",
    )


def _hold_slow_writer(trial: Trial, recover: Any) -> None:
    game = Game.empty(trial)
    game.put(30, {ALICE: 10}, since=AT)

    def slow_writer() -> None:
        copy_to(game, CHUCK, ALICE, 30)
        finish(game, CHUCK, 30)

    trial.hold(
        trial.explore({"P": _call(recover, game, ALICE), "W": slow_writer}, _whole),
        "The writer was only slow, and goes on beside the recovery",
        "Both do the same work. Which of your writes changes something again if it is done a "
        "second time?",
    )


def _hold_two(trial: Trial, recover: Any) -> str:
    game = Game.empty(trial)
    game.put(30, {ALICE: 10}, since=AT)
    call = _call(recover, game, ALICE)
    return trial.hold(
        trial.explore({"P": call, "Q": call}, _whole, call),
        "Two recoveries find the same flag",
        "Both do the same work. Which of your writes changes something again if it is done a "
        "second time?",
    )


def _whole(outcome: Outcome) -> str | None:
    return settled(outcome) or first_raised(outcome)
