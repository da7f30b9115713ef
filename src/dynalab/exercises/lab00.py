"""Lab 00, Start here: one item put, one item got."""

from __future__ import annotations

from typing import Any

from dynalab.check import Exercise, Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.given import given
from dynalab.exercises.tables import PK_SK
from dynalab.exercises.words import in_read_units
from dynalab.trial import Refused, Trial

TABLES = {"Profiles": PK_SK}


def check_save_profile(save_profile: Any, trial: Trial) -> Passed:
    table = trial.table("Profiles")
    with trial.bill() as charges:
        trial.call(save_profile, table, "7c20", "Mara")
    items = trial.items("Profiles")
    if not items:
        raise Refused(
            "save_profile(table, '7c20', 'Mara') left the table empty.",
            "Which method of the table writes an item?",
        )
    item = items[0]
    for attribute, wanted in (("PK", "USER#7c20"), ("SK", "PROFILE"), ("name", "Mara")):
        if item.get(attribute) != wanted:
            found = f"is {item[attribute]!r}" if attribute in item else "is missing"
            raise Refused(
                f"After save_profile(table, '7c20', 'Mara') the attribute {attribute} {found}.",
                f"The task names it: what does {attribute} hold for this user?",
            )
    trial.call(save_profile, table, "7c20", "Mara K.")
    trial.call(save_profile, table, "2d11", "Tom")
    names = {each["PK"]: each.get("name") for each in trial.items("Profiles")}
    if names != {"USER#7c20": "Mara K.", "USER#2d11": "Tom"}:
        raise Refused(
            f"After two users were saved, one of them twice, the table holds {names}.",
            "Does the key depend on the user, and on nothing else?",
        )
    units = write_units(charges)
    return Passed(f"The item is where it belongs. It cost {units:g} write unit.")


def check_load_name(load_name: Any, trial: Trial) -> Passed:
    table = trial.table("Profiles")
    for number in range(40):
        name = "Mara" if number == 7 else f"Somebody {number}"
        given(table, {"PK": f"USER#{number:04}", "SK": "PROFILE", "name": name})
    with trial.bill() as charges:
        found = trial.call(load_name, table, "0007")
    if isinstance(found, dict):
        raise Refused(
            f"load_name(table, '0007') returned the item {found}.",
            "The task asks for the name alone: which attribute holds it?",
        )
    if found != "Mara":
        asked = any(charge.returned for charge in charges)
        raise Refused(
            f"load_name(table, '0007') returned {found!r}; the stored name is 'Mara'.",
            "Your request found the item. What does your function return?"
            if asked
            else "Your request found nothing. Which key does it ask for?",
        )
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        raise Refused(
            f"The name is right, the bill is not: a Scan read {scans[0].evaluated} items to "
            "find one.",
            "You know the whole key. Which request takes a whole key?",
        )
    missing = trial.call(load_name, table, "9999")
    if missing is not None:
        raise Refused(
            f"There is no user 9999, and load_name returned {missing!r}.",
            "What does the reply of GetItem hold if there is no such item?",
        )
    units = read_units(charges)
    return Passed(
        f"The name if there is a user, None if there is not. A name costs {in_read_units(units)}."
    )


EXERCISES = (
    Exercise(
        "0.1",
        check_save_profile,
        hints=(
            "table.put_item takes one argument, Item: a dict of attributes.",
            'The partition key is the text USER# and then the id: f"USER#{user_id}".',
        ),
        explanation="PutItem writes the whole item under its key, whether or not there was one. A "
        "write is rounded up to whole kilobytes: a small item costs one write unit.",
    ),
    Exercise(
        "0.2",
        check_load_name,
        hints=(
            "table.get_item takes Key: a dict with both key attributes, PK and SK.",
            'The reply is a dict. It has the key "Item" only if the item exists.',
        ),
        explanation="GetItem reads one item by its whole key. Unless you ask for a strongly "
        "consistent read, 4 KB cost half a read unit, also if nothing is found.",
    ),
)
