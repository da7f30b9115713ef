"""Exercise 7.2: a score goes to every copy that is there and lower, and to no other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.given import given
from dynalab.exercises.lab07.fan_out_schedules import hold_late, hold_two_scores, hold_unfriended
from dynalab.exercises.lab07.high_scores import (
    ALICE,
    AT,
    BOB,
    CARA,
    CHUCK,
    COPIES,
    DAVE,
    Game,
    Player,
    chuck,
    copy_key,
)
from dynalab.exercises.lab07.score_services import copies_throttled
from dynalab.exercises.words import how_it_ended, in_read_units, in_words, in_write_units
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial

_EVE, _FAY, _MANY = "eve", "fay", 120
# In the order of the list; dave had a copy when the followers were listed.
_COPIES: dict[str, int | None] = {ALICE: 10, CARA: 50, _EVE: 10, BOB: None, _FAY: 30}
_SITUATION = "The copies said: alice 10, cara 50, eve 10, bob none, fay 30; dave has none."
_LISTED = [ALICE, CARA, DAVE, _EVE, BOB, _FAY]


def check_fan_out(fan_out: Any, trial: Trial) -> Passed:
    game = Game.empty(trial)
    game.put(30, _COPIES, since=AT)
    game.put_copy("bob", ALICE, 7)
    attempt = trial.attempt(fan_out, game.copies, CHUCK, 30, list(_LISTED))
    _refuse_batches(trial, attempt)
    _expect_copied(trial, attempt)
    _expect_nothing_left_to_do(trial, fan_out, game)
    charges = _expect_many(trial, fan_out)
    _expect_throttle_through(trial, fan_out)
    extent = hold_two_scores(trial, fan_out)
    hold_late(trial, fan_out)
    hold_unfriended(trial, fan_out)
    units = write_units(charges)
    return Passed(
        f"Scores 30 and 50 fan out at once, deaths included, {extent}: no copy ever falls. "
        f"{_MANY} followers: {in_write_units(units)}.",
        _remark(charges),
    )


def _remark(charges: Sequence[Charge]) -> str:
    reads = read_units(charges)
    writes = write_units(charges)
    if not reads and writes <= _MANY:
        return ""
    extra = f"{in_read_units(reads)} and " if reads else ""
    return (
        f"{_MANY} followers took {len(charges)} requests, {extra}{in_write_units(writes)}. One "
        "conditional UpdateItem for each compares and sets for 1 write unit."
    )


def _refuse_batches(trial: Trial, attempt: Attempt) -> None:
    """A put knows nothing of what it replaces: shown on the copy that was higher, or gone."""
    cara, dave = (_copy(trial, friend) for friend in (CARA, DAVE))
    if dave is not None:
        raise Refused(
            f"dave has unfriended Chuck after the followers were listed. {attempt.text} "
            f"{how_it_ended(attempt)} and made him a copy again: {in_words(dave)}.",
            "PutItem and UpdateItem create what they do not find, and BatchWriteItem takes no "
            "condition at all. Which condition needs the copy to be there?",
        )
    if cara is None or cara.get("highScore") != 50:
        raise Refused(
            f"cara's copy said 50. {attempt.text} {how_it_ended(attempt)}, and it says "
            f"{(cara or {}).get('highScore', 'nothing')} now: an older score has overwritten a "
            "newer one.",
            "Chuck may have scored again since this call began, and a retry may be late. Which "
            "condition lets only a better score pass?",
        )


def _copy(trial: Trial, friend: str) -> dict[str, Any] | None:
    return trial.item(COPIES, **copy_key(CHUCK, friend))


def _expect_copied(trial: Trial, attempt: Attempt) -> None:
    player = chuck(trial)
    situation = f"{_SITUATION} {attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        raise Refused(
            f"{situation}, and then they said: {player.copied()}.",
            "A copy that is higher, or gone, needs no change. This is not an error, and the other "
            "followers are still to do. Where does the loop catch it?"
            if attempt.raised_name()
            in ("ConditionalCheckFailedException", "TransactionCanceledException")
            else "What did DynamoDB refuse?",
        )
    for friend in _COPIES:
        item = player.copies.get(friend, {})
        if item.get("name") != "Chuck":
            raise Refused(
                f"{situation}, and what is left of {friend}'s copy is: {in_words(dict(item))}.",
                "Which operation changes one attribute and leaves the others as they are?",
            )
    if player.stale().keys() - {CARA}:
        _refuse_left_out(situation, player)
    other = trial.item(COPIES, **copy_key("bob", ALICE)) or {}
    if other.get("highScore") != 7:
        raise Refused(
            f"{situation}, and alice's copy of bob's score is {other.get('highScore')}; it was 7.",
            "Both keys identify a copy: on whose list is it, and whose score is it?",
        )
    if attempt.returned != 3 or isinstance(attempt.returned, bool):
        raise Refused(
            f"{situation}, and then they said: {player.copied()}. Three of them changed.",
            "It returns how many copies this call has changed. A condition that failed counts 0. "
            "And is a copy that says 30 already lower than 30?",
        )


def _refuse_left_out(situation: str, player: Player) -> None:
    text = f"{situation}, and then they said: {player.copied()}."
    left = player.stale().keys()
    if ALICE in left:
        raise Refused(
            text,
            "alice's copy was lower, and it still is. On whose list is a copy, and whose score is "
            "it? And can a refusal for one follower undo the writes for the others?",
        )
    if _EVE in left:
        raise Refused(
            text,
            "cara and dave come before eve in the list, and their writes were refused. Does one "
            "refusal end the loop?",
        )
    raise Refused(
        text,
        "bob's copy has no highScore, because Chuck had none when it was made. A missing "
        "attribute is not lower. Which condition lets a copy without one pass?",
    )


def _expect_nothing_left_to_do(trial: Trial, fan_out: Any, game: Game) -> None:
    before = trial.items(COPIES)
    for listed in (list(_LISTED), []):
        attempt = trial.attempt(fan_out, game.copies, CHUCK, 30, listed)
        if attempt.raised is not None or attempt.returned != 0 or trial.items(COPIES) != before:
            raise Refused(
                f"No copy is lower than 30 any more. {attempt.text} {how_it_ended(attempt)}, and "
                f"the copies say: {chuck(trial).copied()}.",
                "There is nothing to change, and nothing is an error. What do you count, and when?",
            )


def _expect_many(trial: Trial, fan_out: Any) -> list[Charge]:
    game = Game.empty(trial)
    followers = [f"f{number:03}" for number in range(_MANY)]
    for friend in followers:
        given(game.copies, {**copy_key(CHUCK, friend), "name": "Chuck", "highScore": 10})
    with trial.bill() as charges:
        changed = trial.call(fan_out, game.copies, CHUCK, 30, followers)
    items = trial.items(COPIES)
    done = sum(item.get("highScore") == 30 for item in items)
    if done < _MANY:
        raise Refused(
            f"Chuck has {_MANY} followers, all with a copy of 10. fan_out returned {changed!r}, "
            f"and {done} copies say 30.",
            "How many writes can one request carry, and what happened to the others?",
        )
    if changed != _MANY:
        raise Refused(
            f"Chuck has {_MANY} followers, all with a copy of 10. All of them say 30 now, but "
            f"fan_out returned {changed!r}.",
            "It returns how many copies this call has changed.",
        )
    return charges


def _expect_throttle_through(trial: Trial, fan_out: Any) -> None:
    game = Game.empty(trial)
    game.put(30, {ALICE: 10, BOB: 10}, since=AT)
    with copies_throttled(game):
        attempt = trial.attempt(fan_out, game.copies, CHUCK, 30, [ALICE, BOB])
    if attempt.raised is None and chuck(trial).stale():
        raise Refused(
            f"Both copies said 10, and DynamoDB answered ThrottlingException. {attempt.text} "
            f"returned {attempt.returned!r}, and the copies say: {chuck(trial).copied()}. Its "
            "caller takes the flag off now.",
            "A failed condition means that there is nothing to do here. What does any other error "
            "mean, and who has to learn of it?",
        )
