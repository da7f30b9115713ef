"""Lab 06, FriendScore: the best friends of a player from a local secondary index."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab06.best_score import check_set_score
from dynalab.exercises.lab06.counted_rank import check_rank_of
from dynalab.exercises.lab06.friend_board import check_leaderboard
from dynalab.exercises.lab06.friend_score_table import check_create_friend_score
from dynalab.exercises.lab06.friend_scores import FRIEND_SCORE, HIGH_SCORE, TABLE
from dynalab.exercises.lab06.ranks import check_ranks
from dynalab.exercises.tables import PK_SK

TABLES = {"Friends": PK_SK, "HighScore": HIGH_SCORE, TABLE: FRIEND_SCORE}

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
