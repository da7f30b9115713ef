"""Lab 02, The transactional tally: a like and its count land together, or not at all."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab02.bump import check_bump
from dynalab.exercises.lab02.like import check_like
from dynalab.exercises.lab02.like_cost import check_like_cost
from dynalab.exercises.lab02.no_such_post import check_like_no_such_post
from dynalab.exercises.social import TABLE
from dynalab.exercises.tables import PK_SK

TABLES = {TABLE: PK_SK}


EXERCISES = (
    Exercise(
        "2.1",
        check_bump,
        hints=(
            "table.update_item with ADD adds to a number, and starts at 0 if there is none.",
            "A condition on a key attribute tells whether the item exists: attribute_exists(PK). "
            "If it fails, boto3 raises "
            "table.meta.client.exceptions.ConditionalCheckFailedException.",
            "ReturnValues='UPDATED_NEW' puts the changed attributes, with their new values, into "
            "reply['Attributes'].",
        ),
        explanation="DynamoDB applies the writes of one item one after the other, so no client "
        "can get in between reading and adding. The condition is part of that step, and so is the "
        "value in the reply.",
    ),
    Exercise(
        "2.2",
        check_like,
        hints=(
            "table.meta.client.transact_write_items takes TransactItems: a list of dicts such as "
            "{'Put': {...}} and {'Update': {...}}.",
            "Each action names its TableName (table.name). A Put has an Item; an Update has a Key, "
            "an UpdateExpression and ExpressionAttributeValues, as update_item does.",
            "The Put writes the like. The Update adds one to likeTally on META, with ADD.",
        ),
        explanation="All actions of a transaction are carried out together, or none is. So there "
        "is never a like that is stored and not counted. DynamoDB does the addition, so two "
        "transactions cannot overwrite each other's number.",
    ),
    Exercise(
        "2.3",
        check_like_no_such_post,
        hints=(
            "An action of a transaction may have a ConditionExpression. Which item must be there?",
            "Catch table.meta.client.exceptions.TransactionCanceledException as error; "
            "error.response['CancellationReasons'] has one dict for each of your actions.",
            "Look at the reason at META's place only. Raise NoSuchPost if its Code is "
            "ConditionalCheckFailed. Let every other error go on, with a bare raise.",
        ),
        explanation="The reasons are in the order of the actions, 'None' for an action that did "
        "not fail. Look at META's place first: then a missing post wins, whatever else failed. "
        "Conflicts and throttles also cancel a transaction, and they say nothing about the post.",
    ),
    Exercise(
        "2.4",
        check_like_cost,
        hints=(
            "Round each item's bytes up to whole kilobytes of 1,024 bytes first: -(-n // 1024).",
            "An update is billed by the size of the whole item, before or after it, whichever is "
            "larger.",
            "A transaction writes everything twice: once to prepare, once to commit.",
        ),
        explanation="Each item is rounded up by itself, and the sum is doubled. The tally has a "
        "few bytes, but a like pays for the whole item that holds the tally.",
    ),
)
