"""Lab 09, One row, one request: a count inside the item that it counts."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab09 import albums
from dynalab.exercises.lab09.add_photo import check_add_photo
from dynalab.exercises.lab09.break_even import check_break_even
from dynalab.exercises.lab09.increment import check_increment
from dynalab.exercises.lab09.remove_photo import check_remove_photo
from dynalab.exercises.social import TABLE as SOCIAL
from dynalab.exercises.tables import PK_SK

TABLES = {albums.TABLE: albums.DEFINITION, SOCIAL: PK_SK}

EXERCISES = (
    Exercise(
        "9.1",
        check_add_photo,
        hints=(
            "One update_item: SET puts the photo at photos.#photo, where #photo stands for its id, "
            "and ADD adds 1 to photoCount.",
            "Its condition has two parts: the map exists, and the photo is not in it. "
            'ReturnValues="UPDATED_NEW" returns the new count.',
            'If the condition fails, ReturnValuesOnConditionCheckFailure="ALL_OLD" puts the item '
            'into error.response["Item"], in the typed form. If it has photos, the photo is '
            "there, and so is the count. If it has none, or there is no item, make the map, and "
            "try the first update again.",
            "Another device may make the map at the same moment: if_not_exists(photos, :empty) "
            "leaves an existing map as it is.",
        ),
        explanation="Writes of one item are applied one after the other, each as a whole. So "
        "photo and count need no transaction. The condition makes each photo count once: on two "
        "devices, and when boto3 sends the request again. The map needs a request of its own, "
        "because one expression may not change a map and a place in it. If a client dies and "
        "leaves an empty map, it does no harm.",
    ),
    Exercise(
        "9.2",
        check_remove_photo,
        hints=(
            "In one update_item, REMOVE takes the path out of the map, and ADD with -1 subtracts "
            "one from the count.",
            "attribute_exists on the photo's path is the guard. It is false if there is no map, "
            "and if there is no item.",
            "If the condition fails, the item that came with the error holds the count, in the "
            "typed form. If there is no item, or no count in it, the count is 0.",
        ),
        explanation="The guard fails if the photo is gone, so nothing is subtracted twice. The "
        "count is the number of photos, so it cannot fall below zero. With a floor at zero the "
        "number would look possible and still be wrong.",
    ),
    Exercise(
        "9.3",
        check_increment,
        hints=(
            "type(by) is int is False for True, for 1.0 and for a Decimal.",
            "old + by fits if old is between -2**63 - by and 2**63 - 1 - by. BETWEEN tests that "
            "in a condition. For a missing attribute use attribute_not_exists. Then `by` is the "
            "sum, and you can test it before you send anything.",
            "A comparison with a text is false, so the same condition refuses it. "
            'ReturnValuesOnConditionCheckFailure="ALL_OLD" brings the item: is the attribute '
            '{"N": …}?',
            "Use a placeholder for the attribute's name: views is a reserved word, and a dot "
            "means a step into a map.",
        ),
        explanation="The bound is tested in the same step as the addition, so no other client can "
        "come between them. DynamoDB compares numbers only with numbers: a text fails the same "
        "condition, and the item that comes with the refusal tells which of the two it was. A "
        "stored 1.5 passes, because no condition can test whether a number is whole. ADD is not "
        "idempotent: if each call must count once, it needs a guard.",
    ),
    Exercise(
        "9.4",
        check_break_even,
        hints=(
            "With n photos in it, one more makes the item row_bytes + (n + 1) * photo_bytes.",
            "A write costs more than 4 units if that is more than 4 * 1,024 bytes.",
            "How many photos fit into 4 * 1,024 - row_bytes bytes? With that many in the album, "
            "the next one costs more. The number cannot be below 0.",
        ),
        explanation="DynamoDB bills an update by the size of the whole item, before or after it, "
        "whichever is larger. So each photo makes the next one cost more, and the cost of all of "
        "them grows with the square of their number. With a transaction you pay for two small "
        "items each time.",
    ),
)
