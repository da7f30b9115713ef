"""Exercise 6.2: a leaderboard in one request, from the index alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab06.friend_scores import FEW, INDEX, MANY, best, few_and_many, some
from dynalab.exercises.words import in_read_units, operations
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial


def check_leaderboard(leaderboard: Any, trial: Trial) -> Passed:
    table = few_and_many(trial)
    call = "leaderboard(table, 'alice')"
    with trial.bill() as small:
        rows = trial.call(leaderboard, table, "alice")
    _expect_shape(call, rows)
    _expect_friends(call, rows, small)
    _expect_rows(call, rows, FEW, 10)
    with trial.bill() as charges:
        rows = trial.call(leaderboard, table, "vera")
    _expect_shape("leaderboard(table, 'vera')", rows)
    _expect_rows("leaderboard(table, 'vera')", rows, MANY, 10)
    units = _expect_one_query(charges)
    for user, top, scores in (("alice", 3, FEW), ("alice", 2, FEW), ("vera", 25, MANY)):
        rows = trial.call(leaderboard, table, user, top=top)
        _expect_shape(f"leaderboard(table, {user!r}, top={top})", rows)
        _expect_rows(f"leaderboard(table, {user!r}, top={top})", rows, scores, top)
    nobody = trial.call(leaderboard, table, "nobody")
    if nobody != []:
        raise Refused(
            f"A user without friends has no leaderboard; leaderboard(table, 'nobody') returned "
            f"{nobody!r}.",
            "An empty list says so.",
        )
    remark = ""
    if units > 0.5:
        remark = (
            "a strongly consistent read costs twice as much. A local index can give you one, if a "
            "player must see the latest score."
        )
    read = charges[0].evaluated
    return Passed(
        f"One Query: of {len(MANY)} friends it read {read} entries of {INDEX}, for "
        f"{in_read_units(units)}, and fetched nothing.",
        remark,
    )


def _expect_shape(call: str, rows: Any) -> None:
    if not isinstance(rows, list):
        raise Refused(
            f"{call} returned {type(rows).__name__}.",
            "It returns a list, and each row is (friend, name, score).",
        )
    for row in rows:
        if not isinstance(row, tuple | list) or len(row) != 3:
            raise Refused(
                f"A row of {call} is {row!r}.",
                "Each row is a tuple of three: friend, name, score.",
            )
        friend, _, score = row
        if not isinstance(friend, str) or "#" in friend:
            raise Refused(
                f"The friend in a row of {call} is {friend!r}.",
                "The reader of the row knows nothing about your keys: which part of it is the id?",
            )
        if type(score) is not int:
            raise Refused(
                f"{friend}'s score in {call} is {score!r}, which is not an int. boto3 reads every "
                "Number as a Decimal."
                if score is not None
                else f"{friend} is in {call} with the score None, but never played.",
                "How do you convert it to an int?"
                if score is not None
                else "Who is in an index, and who is not?",
            )


def _expect_friends(call: str, rows: Sequence[Any], charges: Sequence[Charge]) -> None:
    strangers = [friend for friend, _, _ in rows if friend not in FEW]
    if strangers and all(friend.lower() in FEW for friend in strangers):
        raise Refused(
            f"A row of {call} is {tuple(rows[0])!r}.",
            "The three parts are friend, name and score, in this order.",
        )
    if strangers:
        raise Refused(
            f"{call} shows {some(strangers[:3])}, but alice has no such friend. It sent "
            f"{operations(charges)}.",
            "Which request reads the items of one partition key, and no others?",
        )


def _expect_rows(
    call: str, rows: Sequence[Any], scores: Mapping[str, int | None], top: int
) -> None:
    """Best first; which of those who tie at the edge are there is open, and so is their order."""
    found, wanted = [score for _, _, score in rows], best(scores)[:top]
    if found != wanted:
        raise Refused(
            f"The scores of {call} are {some(found)}; the friends' best are {some(wanted)}.",
            _row_question(found, wanted, scores),
        )
    friends = [friend for friend, _, _ in rows]
    if len(set(friends)) < len(friends):
        raise Refused(
            f"The friends of {call} are {', '.join(friends)}: one of them appears twice.",
            "Does each row come from one item?",
        )
    for friend, name, score in rows:
        if name != friend.capitalize() or scores.get(friend) != score:
            raise Refused(
                f"A row of {call} is {(friend, name, score)!r}; {friend} is called "
                f"{friend.capitalize()} and has {scores.get(friend)}.",
                "Do the three parts of a row come from the same item?",
            )


def _row_question(found: list[int], wanted: list[int], scores: Mapping[str, int | None]) -> str:
    everybody = best(scores)
    if not found:
        return "The user has friends who have played: which partition key do you query?"
    if found == everybody[::-1][: len(wanted)]:
        return (
            "A Query reads an index from its low end, unless you ask otherwise. Which end do you "
            "need here?"
        )
    if found == sorted(wanted, key=str, reverse=True) and found != wanted:
        return "That is the order of texts. As which type must scores be compared?"
    if set(wanted) - set(found) == {0}:
        return "A score of 0 is a score. How do you tell it from a missing one?"
    if len(found) > len(wanted):
        return "How many rows does `top` ask for?"
    if found == sorted(found, reverse=True):
        return (
            "Those are sorted, but they are not the best. Which friends did your request read "
            "first, and in which order does it read?"
        )
    return "The best comes first. Which order does the index keep?"


def _expect_one_query(charges: Sequence[Charge]) -> float:
    """The read units of a request that read ten entries of the index and nothing else."""
    units = read_units(charges)
    if len(charges) > 1:
        raise Refused(
            f"The rows are right, but they took {len(charges)} requests: "
            f"{operations(charges)}, {in_read_units(units)}.",
            "The entries of the index hold a friend's id, name and score. "
            "What else do you have to ask for?",
        )
    [charge] = charges
    if charge.evaluated > 10 and units > 1:
        reads = "the table's items" if charge.index is None else f"the entries of {INDEX}"
        raise Refused(
            f"The rows are right, but the {charge.operation} read {charge.evaluated} of {reads} "
            f"for them: {in_read_units(units)}.",
            "You pay before you sort and cut. "
            + (
                "Which request reads the entries of one partition key, in their order?"
                if charge.operation == "Scan"
                else "What holds these friends in the order of their scores already?"
                if charge.index is None
                else "Which parameter ends a Query early?"
            ),
        )
    if units > 1:
        raise Refused(
            f"The rows are right, but they cost {in_read_units(units)}: {INDEX} was read once, and "
            "then each friend's whole item was fetched from the table, rounded up by itself.",
            "You asked for something that the entries do not hold. What do you get if you do not "
            "ask for certain attributes?",
        )
    return units
