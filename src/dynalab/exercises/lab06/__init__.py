"""Lab 06, FriendScore: the best friends of a player from a local secondary index."""

from __future__ import annotations

from typing import Any

from dynalab.check import Exercise, Passed
from dynalab.exercises.lab06.best_score import check_set_score
from dynalab.exercises.lab06.counted_rank import check_rank_of
from dynalab.exercises.lab06.friend_board import check_leaderboard
from dynalab.exercises.lab06.friend_score_table import check_create_friend_score
from dynalab.exercises.lab06.friend_scores import FRIEND_SCORE, HIGH_SCORE, TABLE
from dynalab.exercises.tables import PK_SK
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

TABLES = {"Friends": PK_SK, "HighScore": HIGH_SCORE, TABLE: FRIEND_SCORE}


# --- 6.3 ------------------------------------------------------------------------------------------

_BOARDS = (
    (),
    (30,),
    (50, 40, 30),
    (50, 50, 30),
    (50, 40, 40, 30),
    (50, 40, 40, 40, 30, 30, 9),
    (0, 0, 0),
)


def check_ranks(ranks: Any, trial: Trial) -> Passed:
    for scores in _BOARDS:
        rows = [(f"p{place}", f"P{place}", score) for place, score in enumerate(scores)]
        with trial.bill() as charges:
            found = _ranks_of(trial, ranks, rows)
        _expect_ranks(found, scores)
        if charges:
            raise Refused(
                f"ranks sent {charges[0].operation} to DynamoDB.",
                "The rows are read and paid for: what do they lack?",
            )
    return Passed(f"{len(_BOARDS)} boards, ties at the top, in the middle and throughout.")


def _ranks_of(trial: Trial, ranks: Any, rows: list[tuple[str, str, int]]) -> Any:
    attempt = trial.attempt(ranks, rows)
    if attempt.raised is not None and not rows:
        raise Refused(
            f"{attempt.text} raised {told(attempt.raised)}",
            "A player may have no friends who have played. What are the ranks of no rows?",
        )
    if attempt.raised is not None:
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    return attempt.returned


def _expect_ranks(found: Any, scores: tuple[int, ...]) -> None:
    wanted = [1 + sum(other > score for other in scores) for score in scores]
    if not isinstance(found, list | tuple):
        raise Refused(
            f"For the scores {_listed(scores)} ranks returned {type(found).__name__}.",
            "It returns a list with one int for each row.",
        )
    if list(found) == wanted and all(type(rank) is int for rank in found):
        return
    raise Refused(
        f"For the scores {_listed(scores)} ranks returned {_listed(found)}.",
        _rank_question(list(found), scores, wanted),
    )


def _rank_question(found: list[Any], scores: tuple[int, ...], wanted: list[int]) -> str:
    if len(found) != len(wanted) or not all(type(rank) is int for rank in found):
        return "One int for each row, in the order of the rows: what does yours hold?"
    if found == list(range(1, len(scores) + 1)):
        return "Two friends with the same score share a rank. How do you tell a tie?"
    if found == [1 + len({other for other in scores if other > score}) for score in scores]:
        return "Two are ahead of the third, though they share a rank. Which rank has the third?"
    if found == [sum(other >= score for other in scores) for score in scores]:
        return "Those who tie share the better rank. Is somebody with the same score ahead?"
    if found == [rank - 1 for rank in wanted]:
        return "Nobody is ahead of the best, and the best has rank 1."
    return "A rank is the number of rows with a better score, and 1."


def _listed(values: Any) -> str:
    return ", ".join(map(str, values)) or "none"


EXERCISES = (
    Exercise(
        "6.1",
        check_create_friend_score,
        hints=(
            "dynamodb.create_table takes KeySchema and AttributeDefinitions for the table, and "
            "LocalSecondaryIndexes, a list of dicts, for its indexes.",
            "An index has an IndexName, a KeySchema and a Projection. Its partition key is the "
            "table's; its sort key has a type too, in AttributeDefinitions. Those name keys, and "
            "nothing else.",
            "A ProjectionType is KEYS_ONLY, INCLUDE with NonKeyAttributes, or ALL. Keys of the "
            "table and of the index are in every entry.",
        ),
        explanation="An entry holds the table's keys, the index's key and what you include. The "
        "name is all that a row needs beside the keys, so a Query never goes back to the table, "
        "and a write of anything else leaves the index alone. A local index is made with its "
        "table or never: no request adds one.",
    ),
    Exercise(
        "6.2",
        check_leaderboard,
        hints=(
            "table.query takes an IndexName. The key condition names the partition key alone.",
            "ScanIndexForward=False reads from the high end, and Limit ends the Query after so "
            "many entries.",
            "Leave ProjectionExpression out, or ask for what the entries hold and nothing else "
            "(`name` is a reserved word there). The friend's id stands in SK.",
        ),
        explanation="The entries stand in the order of the scores, so the ten best are ten "
        "neighbours: one Query reads them and nothing else, and rounds their sum up once. Friends "
        "without a score have no entry. Of those who tie at the edge some are cut off, and the "
        "index does not promise which.",
    ),
    Exercise(
        "6.3",
        check_ranks,
        hints=(
            "A rank is 1 and the number of rows with a better score.",
            "The rows are best first: a row's rank is its place, unless it has the same score as "
            "the row above. Then it has that one's rank.",
        ),
        explanation="Ranks are not stored: one better score would change all that stand below. "
        "They come from the order, and the order comes from the index.",
    ),
    Exercise(
        "6.4",
        check_rank_of,
        hints=(
            "How many entries of the index are above the score? Select='COUNT' gives the number.",
            "The key condition may name the index's sort key as well: PK = :user AND "
            "highScore > :score.",
            "A reply with LastEvaluatedKey has more behind it, whatever its Count is: go on with "
            "ExclusiveStartKey, and add.",
        ),
        explanation="The key condition makes the Query begin right above the score, so those below "
        "are not read. It still reads everybody ahead: the rank of the best costs the minimum, and "
        "that of the last among many friends is a count of them all.",
    ),
    Exercise(
        "6.5",
        check_set_score,
        hints=(
            "Look at the type first: type(score) is int leaves bool out, isinstance does not.",
            "One update_item: SET highScore = :score. Its condition has two ways to hold: there is "
            "no highScore yet, or a lower one.",
            "Where there is no item there is no highScore either. attribute_exists(PK), AND the "
            "two ways in parentheses.",
            "ConditionalCheckFailedException means that nothing rose: return False. Everything "
            "else goes on to the caller.",
        ),
        explanation="Comparing and setting are one step, so the best score stays whatever order "
        "the writes come in, and sending one again does no harm. An index entry whose key moves is "
        "deleted and put: 2 write units beside the item's 1. A refused write is billed too.",
    ),
)
