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
            "table's; its sort key has a type too, in AttributeDefinitions. AttributeDefinitions "
            "names key attributes, and nothing else.",
            "A ProjectionType is KEYS_ONLY, INCLUDE with NonKeyAttributes, or ALL. The keys of "
            "the table and of the index are in every entry.",
        ),
        explanation="An entry holds the table's keys, the index's key and what you include. "
        "Beside the keys a row needs only the name. So a Query never goes back to the table, and "
        "a write of any other attribute does not touch the index. A local index is created with "
        "its table: no request adds one later.",
    ),
    Exercise(
        "6.2",
        check_leaderboard,
        hints=(
            "table.query takes an IndexName. The key condition names the partition key alone.",
            "ScanIndexForward=False reads from the high end, and Limit ends the Query after that "
            "many entries.",
            "Leave ProjectionExpression out, or ask only for what the entries hold (`name` is a "
            "reserved word there). The friend's id is in SK.",
        ),
        explanation="The entries are in the order of the scores, so the ten best are next to each "
        "other. One Query reads them and nothing else, and rounds their sum up once. Friends "
        "without a score have no entry. If friends tie at the last place, some are cut off, and "
        "the index does not promise which.",
    ),
    Exercise(
        "6.3",
        check_ranks,
        hints=(
            "A rank is 1 plus the number of rows with a better score.",
            "The rows are best first: a row's rank is its place, unless it has the same score as "
            "the row above. Then it has the same rank as that row.",
        ),
        explanation="Ranks are not stored: one better score would change the rank of everybody "
        "below it. They come from the order, and the order comes from the index.",
    ),
    Exercise(
        "6.4",
        check_rank_of,
        hints=(
            "How many entries of the index are above the score? Select='COUNT' gives the number.",
            "The key condition may name the index's sort key as well: PK = :user AND "
            "highScore > :score.",
            "If a reply has a LastEvaluatedKey, there is more to read, whatever its Count is: go "
            "on with ExclusiveStartKey, and add.",
        ),
        explanation="The key condition makes the Query begin directly above the score, so it does "
        "not read those below. It still reads everybody ahead. The rank of the best costs the "
        "minimum. The rank of the last one counts all the others.",
    ),
    Exercise(
        "6.5",
        check_set_score,
        hints=(
            "Look at the type first: type(score) is int leaves bool out, isinstance does not.",
            "One update_item: SET highScore = :score. Its condition is true in two cases: there "
            "is no highScore yet, or a lower one.",
            "If there is no item, there is no highScore either. So write attribute_exists(PK) "
            "AND, then the two cases in parentheses.",
            "ConditionalCheckFailedException means that the score did not rise: return False. "
            "Everything else goes on to the caller.",
        ),
        explanation="Compare and set are one step. So the best score stays, whatever the order of "
        "the writes, and it does no harm to send one again. If the key of an index entry changes, "
        "the entry is deleted and put again: 2 write units beside the item's 1. A refused write "
        "is billed too.",
    ),
)
