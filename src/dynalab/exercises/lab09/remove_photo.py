"""Exercise 9.2: a photo and its place in the count go together, and never twice."""

from __future__ import annotations

from functools import partial
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.failed_call import failures, goes_on
from dynalab.exercises.given import given
from dynalab.exercises.lab09.albums import (
    DOTTED,
    INES,
    MARA,
    TABLE,
    TOM,
    ZOE,
    Album,
    bill_text,
    cost_remark,
    expect_number,
    left,
    no_write,
    put_album,
    refuse_raised,
    was_refused,
)
from dynalab.exercises.lab09.remove_schedules import (
    hold_fresh,
    hold_lost,
    hold_others,
    hold_same_photo,
    hold_two_photos,
)
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Refused, Trial

_GUARD = (
    "If the place is missing, REMOVE succeeds all the same. Which condition is true while the "
    "photo is there, and fails the second time?"
)


def check_remove_photo(remove_photo: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_album(table, TOM, ["p1", "p2"], name="Tom")
    put_album(table, MARA, ["p1", "p2", DOTTED, "p4"], name="Mara")
    with trial.bill() as charges:
        _expect_removed(trial, remove_photo, table, MARA, "p2", 3)
    _expect_nothing_to_remove(trial, remove_photo, table, MARA, "p2", 3, "p2 was removed before.")
    _expect_removed(trial, remove_photo, table, MARA, DOTTED, 2)
    _expect_nothing_to_remove(
        trial, remove_photo, table, INES, "p1", 0, "9a40 has no album, and no item."
    )
    given(table, {"PK": f"USER#{ZOE}", "name": "Zoe"})
    _expect_nothing_to_remove(
        trial, remove_photo, table, ZOE, "p1", 0, "The item of f00d has no photos."
    )
    for photo_id, count in (("p1", 1), ("p4", 0)):
        _expect_removed(trial, remove_photo, table, MARA, photo_id, count)
    _expect_nothing_to_remove(
        trial, remove_photo, table, MARA, "p4", 0, "The last photo, p4, was removed before."
    )
    _expect_other_errors_through(trial, remove_photo, table)
    extent = hold_same_photo(trial, remove_photo)
    hold_two_photos(trial, remove_photo)
    hold_others(trial, remove_photo)
    hold_lost(trial, remove_photo)
    hold_fresh(trial, remove_photo)
    return Passed(
        f"Two devices and one photo, deaths included, {extent}: photoCount is the number of "
        f"photos. A photo costs {bill_text(charges)}.",
        cost_remark(charges, "One UpdateItem can test, remove, subtract and return the new count."),
    )


def _expect_removed(
    trial: Trial, remove_photo: Any, table: Any, user_id: str, photo_id: str, count: int
) -> None:
    before = Album.of(trial.items(TABLE), user_id)
    tom = Album.of(trial.items(TABLE), TOM)
    with trial.bill() as charges:
        attempt = trial.attempt(remove_photo, table, user_id, photo_id)
    refuse_raised(attempt, f"{photo_id} is in the album.")
    album = Album.of(trial.items(TABLE), user_id)
    if Album.of(trial.items(TABLE), TOM) != tom:
        raise Refused(
            f"{attempt.text} changed the album of {TOM}.", "Which item does your key name?"
        )
    if photo_id in album.photos and no_write(charges):
        raise Refused(
            f"After {attempt.text} the item is {left(album)}: the call sent no write.",
            "Which part of an update expression removes something, and what is the whole path of "
            "this photo?",
        )
    if photo_id in album.photos and was_refused(charges):
        raise Refused(
            f"{photo_id} is in the album. {attempt.text} {how_it_ended(attempt)}, and the item is "
            f"{left(album)}: the condition of the update failed.",
            "The photo is there, so it must be removed. Is your condition the wrong way round?",
        )
    if photo_id in album.photos:
        raise Refused(
            f"After {attempt.text} the item is {left(album)}.",
            "The photo is still in the map. Which part of an update expression removes something, "
            "and what is the whole path of this photo?",
        )
    lost = [name for name in before.photos if name not in (*album.photos, photo_id)]
    attributes = [name for name in (before.item or {}) if name not in (album.item or {})]
    gone = [name for name in attributes if album.photos or name not in ("photos", "photoCount")]
    if lost or gone:
        raise Refused(
            f"After {attempt.text} {' and '.join([*lost, *gone])} is gone too.",
            "Which kind of write changes one place of an item and leaves the rest as it is?",
        )
    if not album.agrees:
        raise Refused(
            f"After {attempt.text}: {album.told()}.",
            "The count is an attribute of the same item, photoCount. Which part of the request "
            "subtracts one from it?",
        )
    expect_number(attempt, count, "")


def _expect_nothing_to_remove(
    trial: Trial,
    remove_photo: Any,
    table: Any,
    user_id: str,
    photo_id: str,
    count: int,
    situation: str,
) -> None:
    before = Album.of(trial.items(TABLE), user_id)
    attempt = trial.attempt(remove_photo, table, user_id, photo_id)
    album = Album.of(trial.items(TABLE), user_id)
    text = f"{situation} {attempt.text} {how_it_ended(attempt)}"
    if album.item is not None and before.item is None:
        raise Refused(
            f"{text} and made an item: {left(album)}.",
            "UpdateItem creates what it does not find, unless a condition forbids it. "
            "Which condition needs the photo to be there?",
        )
    if album.count != before.count:
        if len(album.photos) == len(before.photos) and album.count >= 0 and before.count > 0:
            raise Refused(
                f"{text}, and photoCount went from {before.count} to {album.count}; there are "
                f"{len(album.photos)} photos. A floor at zero does not prevent that.",
                _GUARD,
            )
        raise Refused(
            f"{text}, and now: {album.told()}.",
            _GUARD,
        )
    if album != before:
        raise Refused(
            f"{text}, and the item is {left(album)}.",
            "There was nothing to remove. Which of your writes has no condition?",
        )
    refuse_raised(attempt, situation)
    expect_number(attempt, count, situation)


def _expect_other_errors_through(trial: Trial, remove_photo: Any, table: Any) -> None:
    """Each request of the call is refused in its turn, where the photo is and where it is not."""
    for photo_ids in (["p1", "p2"], ["p1"]):
        start = partial(put_album, table, MARA, photo_ids)
        for what, attempt in failures(trial, start, remove_photo, table, MARA, "p2"):
            album = Album.of(trial.items(TABLE), MARA)
            if goes_on(attempt) or (attempt.returned == 1 and "p2" not in album.photos):
                continue
            raise Refused(
                f"DynamoDB {what}. {attempt.text} {how_it_ended(attempt)}: {album.told()}.",
                "Which one of DynamoDB's refusals says that there is no such photo? Every other "
                "error goes on to the caller.",
            )
