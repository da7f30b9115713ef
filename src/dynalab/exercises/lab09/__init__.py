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
            "Its condition has two parts: the map is there, and the photo is not in it. "
            'ReturnValues="UPDATED_NEW" tells the new count.',
            'Where the condition fails, ReturnValuesOnConditionCheckFailure="ALL_OLD" puts the '
            'item into error.response["Item"], in the typed form. It has photos: the photo is '
            "there, and so is the count. It has none, or there is no item at all: make the map, "
            "and try the first update once more.",
            "Another device may make the map at the same moment: if_not_exists(photos, :empty) "
            "leaves it as it is.",
        ),
        explanation="Writes of one item are applied one after the other, each as a whole. So photo "
        "and count need no transaction, and the condition makes each photo count once: on two "
        "devices, and when boto3 sends the request again. Making the map is a request of its own, "
        "since an expression may not change a map and a place in it. An empty map that a dead "
        "client leaves behind does no harm.",
    ),
    Exercise(
        "9.2",
        check_remove_photo,
        hints=(
            "REMOVE takes the path out of the map, ADD with -1 takes one off the count, in one "
            "update_item.",
            "attribute_exists on the photo's path is the guard. It is false where there is no map, "
            "and where there is no item.",
            "Where the condition fails, the item that came with the error holds the count, in the "
            "typed form. There may be no item, or no count in it: that is 0.",
        ),
        explanation="The guard fails where the photo is gone, so nothing is subtracted twice, and "
        "the count cannot fall below zero: it is the number of photos. A floor at zero would keep "
        "the number from looking impossible, and let it be wrong.",
    ),
    Exercise(
        "9.3",
        check_increment,
        hints=(
            "type(by) is int is False for True, for 1.0 and for a Decimal.",
            "old + by fits if old is between -2**63 - by and 2**63 - 1 - by. BETWEEN is a "
            "condition; an attribute that is not there has attribute_not_exists, and then `by` is "
            "the sum, which you can test before you send anything.",
            "A comparison with a text is false, so the same condition refuses it. "
            'ReturnValuesOnConditionCheckFailure="ALL_OLD" brings the item: is the attribute '
            '{"N": …}?',
            "Use a placeholder for the attribute's name: views is a reserved word, and a dot "
            "would be a step into a map.",
        ),
        explanation="The bound is tested in the same step as the addition, so no second client can "
        "come between them. DynamoDB compares numbers with numbers: a text fails the same "
        "condition, and the item that comes with the refusal tells which of the two it was. "
        "A stored 1.5 passes, as no condition asks whether a number is whole. And ADD is not "
        "idempotent: where each one must count once, it needs a guard.",
    ),
    Exercise(
        "9.4",
        check_break_even,
        hints=(
            "With n photos in it, one more makes the item row_bytes + (n + 1) * photo_bytes.",
            "A write costs more than 4 units once that is more than 4 * 1,024 bytes.",
            "How many photos fit into 4 * 1,024 - row_bytes bytes? With so many in the album, the "
            "next one is dearer. Fewer than none there cannot be.",
        ),
        explanation="DynamoDB bills an update by the whole item, the larger of before and after, "
        "whatever changed. So one more photo costs more with every photo, and all of them together "
        "grow with the square of their number. A transaction pays for two small items each time.",
    ),
)
