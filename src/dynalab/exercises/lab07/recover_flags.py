"""Exercise 7.5: what dead writers have left half-done is found and finished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab07.high_scores import ALICE, AT, BOB, CARA, FLAGS, Game, Player, chuck
from dynalab.exercises.lab07.recovery_schedules import DUE, hold_recoveries
from dynalab.exercises.lab07.score_services import begin, copies_throttled, followers_of, unfriend
from dynalab.exercises.words import how_it_ended, in_read_units, in_words
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial

_BYSTANDERS = 40
_DORA, _EMIL = "dora", "emil"


def check_recover(recover: Any, trial: Trial) -> Passed:
    game = _after_deaths(trial)
    with trial.bill() as charges:
        attempt = _recovered(trial, recover, game)
    _refuse_scan(charges)
    _expect_recovered(trial, attempt)
    _expect_others_left_alone(trial, attempt)
    _expect_again_is_nothing(trial, recover, game)
    _expect_unfriended_stay_away(trial, recover)
    extent = hold_recoveries(trial, recover)
    _expect_flag_stays_up(trial, recover)
    _expect_overtaken_counts_nothing(trial, recover)
    reads = read_units(charges)
    return Passed(
        f"Two recoveries at once, deaths included, {extent}; beside a slow writer, beside a new "
        "score, on an index that is behind: every copy is the high score, and no flag is left. "
        f"Two players recovered among {_BYSTANDERS + 3}: {in_read_units(reads)}.",
        _remark(charges),
    )


def _recovered(trial: Trial, recover: Any, game: Game) -> Attempt:
    return trial.attempt(recover, game.scores, game.copies, followers_of(game), DUE)


def _after_deaths(trial: Trial) -> Game:
    """Chuck's and Dora's writers died; Emil's is at work; nobody else has a flag."""
    game = Game.empty(trial)
    game.put(50, {ALICE: 50, BOB: 10, CARA: None}, since=AT)
    game.put_score(_DORA, 7, since=AT + 20, flag=FLAGS[1])
    game.put_copy(_DORA, ALICE, None)
    game.put_score(_EMIL, 9, since=DUE + 10)
    game.put_copy(_EMIL, ALICE, 8)
    for number in range(_BYSTANDERS):
        game.put_score(f"u{number:02}", 5)
    return game


def _refuse_scan(charges: Sequence[Charge]) -> None:
    scans = [charge for charge in charges if charge.operation == "Scan" and not charge.index]
    if scans:
        items, units = sum(charge.evaluated for charge in scans), read_units(scans)
        raise Refused(
            f"recover reads every item of a table: a Scan of {items} items, "
            f"{in_read_units(units)}, and only three of them have a flag. With a million "
            "players it reads a million items.",
            "Which index holds only the players whose flag is up?",
        )


def _expect_recovered(trial: Trial, attempt: Attempt) -> None:
    player, dora = chuck(trial), Player.of(trial.items, _DORA)
    situation = (
        "HighScore 50 with its flag; copies: alice 50, bob 10, cara none. "
        f"{attempt.text} {how_it_ended(attempt)}"
    )
    if attempt.raised is not None:
        raise Refused(
            f"{situation}.", "In which reply is something missing that you expected there?"
        )
    if player.score != 50:
        raise Refused(
            f"{situation}, and then: {player.said()}.",
            "The copies are compared with the score. Who may change it?",
        )
    if any("name" not in item for item in player.copies.values()):
        raise Refused(
            f"{situation}, and what is left of a copy is: "
            f"{in_words(next(dict(i) for i in player.copies.values() if 'name' not in i))}.",
            "fan_out changes one attribute of a copy that exists. Did you use it?",
        )
    if player.stale():
        raise Refused(
            f"{situation}, and then: {player.said()}.",
            "Which score is to be copied, from which item, and to whom?",
        )
    if player.flag:
        raise Refused(
            f"{situation}, and then: {player.said()}. Every later recovery finds him again.",
            "The copies are done. Which step says so?",
        )
    if dora.stale() or dora.flag:
        raise Refused(
            f"Dora's writer died, too; her flag is {FLAGS[1]}. {attempt.text} "
            f"{how_it_ended(attempt)}, and then: {dora.said()}.",
            f"The flags are {' and '.join(FLAGS)}, and more than one player can have one. Which "
            "players does the given query find?",
        )


def _expect_others_left_alone(trial: Trial, attempt: Attempt) -> None:
    emil = Player.of(trial.items, _EMIL)
    if emil.stale() != {ALICE: 8} or not emil.flag:
        raise Refused(
            f"Emil's flag went up after older_than: his writer is still at work. {attempt.text} "
            f"{how_it_ended(attempt)}, and his flag is {'up' if emil.flag else 'off'}, alice's "
            f"copy {emil.copies[ALICE].get('highScore')}.",
            "It does no harm, but with many writers it is a lot of needless work. Which flags are "
            "old enough?",
        )
    if attempt.returned != 2 or isinstance(attempt.returned, bool):
        raise Refused(
            f"Chuck's and Dora's flags came off, no other. {attempt.text} {how_it_ended(attempt)}.",
            "It returns how many flags this call took off. Which step tells you?",
        )


def _expect_again_is_nothing(trial: Trial, recover: Any, game: Game) -> None:
    before = [chuck(trial), Player.of(trial.items, _DORA)]
    attempt = _recovered(trial, recover, game)
    after = [chuck(trial), Player.of(trial.items, _DORA)]
    if attempt.raised is not None or after != before or attempt.returned != 0:
        raise Refused(
            f"Everything is recovered. Called again: {attempt.text} {how_it_ended(attempt)}, and "
            f"then: {after[0].said()}.",
            "No flag is old enough. What is left to do, and what to count?",
        )


def _expect_unfriended_stay_away(trial: Trial, recover: Any) -> None:
    game = Game.empty(trial)
    game.put(50, {ALICE: 50, BOB: 10}, since=AT)

    def listed_before(user_id: str) -> list[str]:
        unfriend(game, BOB, user_id)
        return [ALICE, BOB]

    attempt = trial.attempt(recover, game.scores, game.copies, listed_before, DUE)
    player = chuck(trial)
    if attempt.raised is not None or player.strangers() or player.flag:
        raise Refused(
            f"bob unfriended Chuck while the recovery was working. {attempt.text} "
            f"{how_it_ended(attempt)}, and then: {player.said()}; copies there: "
            f"{', '.join(player.copies)}.",
            "A copy that is gone needs no change, and must not come back. Which of your functions "
            "knows that?",
        )


def _expect_flag_stays_up(trial: Trial, recover: Any) -> None:
    """A copy that could not be written is not done, and the next recovery has to find it."""
    game = Game.empty(trial)
    game.put(50, {ALICE: 10}, since=AT)
    with copies_throttled(game):
        attempt = _recovered(trial, recover, game)
    player = chuck(trial)
    throttled = f"DynamoDB throttled every write to FriendScore. {attempt.text} "
    if player.stale() and not player.flag:
        raise Refused(
            f"{throttled}{how_it_ended(attempt).partition(':')[0]}, and then: {player.said()}.",
            "The copies are not done, and no other recovery will look for them. In which one case "
            "may the flag come off?",
        )
    if player.stale() and attempt.raised is None:
        raise Refused(
            f"{throttled}{how_it_ended(attempt)}, and then: {player.said()}.",
            "A failed condition means that there is nothing to do. Who has to learn of any other "
            "error?",
        )


def _expect_overtaken_counts_nothing(trial: Trial, recover: Any) -> None:
    """The flag that it found gives way to another one, which it must not count."""
    game = Game.empty(trial)
    game.put(30, {ALICE: 10}, since=AT)

    def overtaken(user_id: str) -> list[str]:
        begin(game, user_id, 50, DUE + 10)
        return [ALICE]

    attempt = trial.attempt(recover, game.scores, game.copies, overtaken, DUE)
    if chuck(trial).flag and attempt.returned != 0:
        raise Refused(
            f"Chuck scored 50 while the recovery was working on 30. {attempt.text} "
            f"{how_it_ended(attempt)}, and the flag of 50 is still up.",
            "It returns how many flags this call took off. Which step tells you?",
        )


def _remark(charges: Sequence[Charge]) -> str:
    reads = sum(charge.read_units for charge in charges if charge.operation == "GetItem")
    if reads <= 2:
        return ""
    return f"the GetItem requests took {in_read_units(reads)}; two players had a flag."
