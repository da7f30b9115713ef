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
            "table.update_item with ADD adds to a number, and starts at 0 where there is none.",
            "A condition on a key attribute tells whether the item is there: attribute_exists(PK). "
            "Where it fails, boto3 raises table.meta.client.exceptions."
            "ConditionalCheckFailedException.",
            "ReturnValues='UPDATED_NEW' puts the changed attributes, as they are now, into "
            "reply['Attributes'].",
        ),
        explanation="DynamoDB applies the writes of one item one after the other, so no client can "
        "stand between reading and adding. The condition is part of that step, and so is the "
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
        explanation="All actions of a transaction land together, or none does, so there is no "
        "point at which a like exists that nobody counted. The addition happens in DynamoDB, so "
        "two transactions cannot overwrite each other's number.",
    ),
    Exercise(
        "2.3",
        check_like_no_such_post,
        hints=(
            "An action of a transaction may have a ConditionExpression. Which item must be there?",
            "Catch table.meta.client.exceptions.TransactionCanceledException as error; "
            "error.response['CancellationReasons'] has one dict for each of your actions.",
            "Look at the reason at META's place only. Raise NoSuchPost where its Code is "
            "ConditionalCheckFailed; let everything else go on with a bare raise.",
        ),
        explanation="Reasons stand in the order of the actions, 'None' for the innocent ones. "
        "Looking at META's place first makes a missing post win over whatever else failed. "
        "Conflicts and throttles cancel too, and they say nothing about the post.",
    ),
    Exercise(
        "2.4",
        check_like_cost,
        hints=(
            "Round each item's bytes up to whole kilobytes of 1,024 bytes first: -(-n // 1024).",
            "An update is billed by the whole item, as it is before or after, whichever is larger.",
            "A transaction writes everything twice: once to prepare, once to commit.",
        ),
        explanation="Each item is rounded up by itself, and the sum is doubled. The tally weighs a "
        "few bytes; what a like pays for is the item that the tally stands on.",
    ),
)
