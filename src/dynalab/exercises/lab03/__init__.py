"""Lab 03, Double-count guards: a like counts once, however often its request is sent."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab03.classify import check_classify
from dynalab.exercises.lab03.like import check_like
from dynalab.exercises.lab03.like_once import check_like_once
from dynalab.exercises.lab03.like_surely import check_like_surely
from dynalab.exercises.social import TABLE
from dynalab.exercises.tables import PK_SK

TABLES = {TABLE: PK_SK}

EXERCISES = (
    Exercise(
        "3.1",
        check_like,
        hints=(
            "The Put of the like takes a ConditionExpression. It is tested in the same step as "
            "the write, on the item with the very same key.",
            "A condition on a missing item: attribute_not_exists of an attribute that every item "
            "has, for example a key attribute.",
            "except table.meta.client.exceptions.TransactionCanceledException as error: then "
            'error.response["CancellationReasons"] has one entry for each action, each with a '
            "Code.",
            "Only ConditionalCheckFailed of the like means False, and only that of META means "
            "NoSuchPost. Everything else goes on to the caller: raise.",
        ),
        explanation="The like's own key says who likes what. So the condition on it is tested "
        "against exactly the like that must not be counted twice. Test and write are one step.",
    ),
    Exercise(
        "3.2",
        check_classify,
        hints=(
            "Only a ClientError has the response that you need, a dict: isinstance(error, "
            "ClientError). A time-out is not a ClientError, nor is a bug.",
            'The code is in response["Error"]["Code"], the reasons of a cancelled transaction in '
            'response["CancellationReasons"], by position.',
            "Look for a failed condition first, META's before the like's. Then look for a reason "
            "that another attempt would not change. The rest passes by itself.",
        ),
        explanation="A failed condition is an answer about the data, and it stays one, whatever "
        "happened to the other items. Conflicts, throttles and time-outs say nothing about the "
        "data.",
    ),
    Exercise(
        "3.3",
        check_like_surely,
        hints=(
            "for attempt in range(attempts), and in it one try around one transact_write_items.",
            "Draw the token before the loop: str(uuid.uuid4()). Pass it as ClientRequestToken. "
            "Then boto3 does not draw one.",
            "classify(error) says what to do. If it says retry, the last attempt raises, and the "
            "others pause.",
            "A pause with full jitter: rng.uniform(0, cap), and the cap doubles each time.",
        ),
        explanation="All attempts are one request to DynamoDB, because they share a token. It is "
        "carried out once, and each repetition gets the same success as its reply. The guard "
        "answers all other requests.",
    ),
    Exercise(
        "3.4",
        check_like_once,
        hints=(
            "This is your like of 3.1, and transact_write_items takes ClientRequestToken.",
            "IdempotentParameterMismatchException is not a TransactionCanceledException: let it "
            "go on to the caller.",
            "Keep the condition on the like: after ten minutes it is the only guard.",
        ),
        explanation="The token stands for one request with its body, for ten minutes. The like "
        "stands for one user and one post, as long as it is stored. They protect against "
        "different things, so a request needs both.",
    ),
)
