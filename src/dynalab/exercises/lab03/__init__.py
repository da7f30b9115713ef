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
            "A condition on a missing item: attribute_not_exists of any attribute that every "
            "item has, a key attribute for one.",
            "except table.meta.client.exceptions.TransactionCanceledException as error: then "
            'error.response["CancellationReasons"] has one entry an action, each with a Code.',
            "Only ConditionalCheckFailed of the like means False, and only that of META means "
            "NoSuchPost. Everything else goes on to the caller: raise.",
        ),
        explanation="The like's own key says who and what, so the condition on it is tested "
        "against exactly the like that would be counted twice. Test and write are one step.",
    ),
    Exercise(
        "3.2",
        check_classify,
        hints=(
            "Only a ClientError has the response that you want, a dict: isinstance(error, "
            "ClientError). A time-out is none, and nor is a bug.",
            'The code stands in response["Error"]["Code"], the reasons of a cancelled '
            'transaction in response["CancellationReasons"], by position.',
            "Look for a failed condition first, META's before the like's. Then for a reason that "
            "no attempt would change. What is left passes by itself.",
        ),
        explanation="A failed condition is an answer about the data, and it stays one whatever "
        "the other items met. Conflicts, throttles and time-outs say nothing about the data.",
    ),
    Exercise(
        "3.3",
        check_like_surely,
        hints=(
            "for attempt in range(attempts), and in it one try around one transact_write_items.",
            "Draw the token before the loop: str(uuid.uuid4()). Hand it over as "
            "ClientRequestToken; then boto3 draws none of its own.",
            "classify(error) says what to do. Where it says retry, the last attempt raises, and "
            "the others pause.",
            "A pause with full jitter: rng.uniform(0, cap), and the cap doubles each time.",
        ),
        explanation="All attempts are one request to DynamoDB, since they share a token: it is "
        "carried out once, and each repetition is told of that success. The guard answers "
        "everybody else.",
    ),
    Exercise(
        "3.4",
        check_like_once,
        hints=(
            "This is your like of 3.1, and transact_write_items takes ClientRequestToken.",
            "IdempotentParameterMismatchException is another error than "
            "TransactionCanceledException: let it pass.",
            "Keep the condition on the like: it is what is left after ten minutes.",
        ),
        explanation="The token stands for one request, body included, for ten minutes. The like "
        "stands for one user and one post for as long as it is stored. They guard against "
        "different things, so a request has both.",
    ),
)
