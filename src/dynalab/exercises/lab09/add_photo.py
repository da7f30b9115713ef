"""Exercise 9.1: a photo and its count in one item, in one request, once for each photo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.engine import limits
from dynalab.exercises.failed_call import failures, goes_on
from dynalab.exercises.given import given
from dynalab.exercises.lab09.add_schedules import (
    hold_fresh,
    hold_lost,
    hold_new_album,
    hold_same_photo,
    hold_swap,
)
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
    photo,
    put_album,
    refuse_raised,
    size_of,
    was_refused,
)
from dynalab.exercises.words import how_it_ended
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial

_FULL = {"PK": f"USER#{ZOE}", "photos": {"p1": photo("p1")}, "photoCount": 1}


def check_add_photo(add_photo: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_album(table, TOM, ["p1"], name="Tom")
    _expect_added(trial, add_photo, table, MARA, "p1", 1, "7c20 has no album yet.")
    _expect_added(trial, add_photo, table, MARA, "p2", 2)
    with trial.bill() as charges:
        _expect_added(trial, add_photo, table, MARA, "p3", 3)
    _expect_added(trial, add_photo, table, MARA, DOTTED, 4)
    _expect_added(trial, add_photo, table, MARA, "size", 5)
    _expect_not_twice(trial, add_photo, table)
    given(table, {"PK": f"USER#{INES}", "name": "Ines"})
    _expect_added(trial, add_photo, table, INES, "p1", 1, "The item of 9a40 has no photos yet.")
    given(table, {"PK": f"USER#{ZOE}", "name": "Zoe", "photos": {}})
    _expect_added(
        trial,
        add_photo,
        table,
        ZOE,
        "p1",
        1,
        "f00d has an empty map photos and no photoCount.",
        "A client that died after it had made the map leaves an album like that. Which number "
        "does a missing count mean?",
    )
    _expect_other_errors_through(trial, add_photo, table)
    extent = hold_new_album(trial, add_photo)
    hold_same_photo(trial, add_photo)
    hold_swap(trial, add_photo)
    hold_lost(trial, add_photo)
    hold_fresh(trial, add_photo)
    _expect_full_told(trial, add_photo)
    return Passed(
        f"Two devices and a new album, deaths included, {extent}: every photo is there, and "
        f"photoCount is their number. A photo with its count costs {bill_text(charges)}.",
        cost_remark(charges, "If the map exists already, one UpdateItem does it all."),
    )


def _expect_added(
    trial: Trial,
    add_photo: Any,
    table: Any,
    user_id: str,
    photo_id: str,
    count: int,
    situation: str = "",
    ask: str = "",
) -> None:
    before = trial.items(TABLE)
    kept = Album.of(before, user_id)
    others = [item for item in before if item["PK"] != f"USER#{user_id}"]
    meta = photo(photo_id)
    with trial.bill() as charges:
        attempt = trial.attempt(add_photo, table, user_id, photo_id, meta)
    refuse_raised(attempt, situation, ask)
    album = Album.of(trial.items(TABLE), user_id)
    text = f"{situation} {attempt.text}".lstrip()
    after = f"{situation} After {attempt.text}".lstrip()
    if [item for item in trial.items(TABLE) if item["PK"] != f"USER#{user_id}"] != others:
        raise Refused(
            f"{text} changed or made another item: {_keys(trial, others)}.",
            f'The album of {user_id} has one item, with the key PK "USER#{user_id}": '
            "where does your key come from?",
        )
    if photo_id not in album.photos:
        _refuse_missing(kept, album, after, charges)
    if album.photos[photo_id] != meta:
        raise Refused(
            f"{after} the photo is stored as {album.photos[photo_id]!r}.",
            "Under the id the map must hold meta as it was given. What does yours store?",
        )
    lost = [name for name in kept.photos if name not in album.photos]
    names = [name for name in (kept.item or {}) if name not in (album.item or {})]
    if lost or names:
        raise Refused(
            f"{after} {' and '.join([*lost, *names])} is gone.",
            "Which kind of write changes one place of an item and leaves the rest as it is?",
        )
    if not album.agrees:
        raise Refused(
            f"{after}: {album.told()}.",
            "The count is an attribute of the same item, photoCount. Which part of a request adds "
            "to it, and does another part, or another request, overwrite it?",
        )
    expect_number(attempt, count, situation)


def _refuse_missing(kept: Album, album: Album, after: str, charges: Sequence[Charge]) -> None:
    """Refused: the photo is not in the map under its id. Why it is not, as far as one can see."""
    if no_write(charges):
        raise Refused(
            f"{after} the item is {left(album)}: the call sent no write.",
            "Which operation changes one place of an item, and creates the item if there is none?",
        )
    if was_refused(charges) and album.photos == kept.photos:
        raise Refused(
            f"{after} the item is {left(album)}: the condition of the update failed.",
            "It asks for a map that does not exist yet: which request makes the map? The photo "
            "goes into it after that."
            if "photos" not in (album.item or {})
            else "The map exists, and the photo is not in it. Which condition is true for a new "
            "photo?",
        )
    if len(album.photos) > len(kept.photos):
        raise Refused(
            f"{after} the map photos holds {' and '.join(album.photos)}.",
            "The photo's place in the map is its id, every character of it. What can you write in "
            "a path in place of any id?",
        )
    raise Refused(
        f"{after} the item is {left(album)}.",
        "The photo belongs in the map photos, under its id. With a placeholder for the id, what "
        "is the whole path?",
    )


def _keys(trial: Trial, others: Sequence[dict[str, Any]]) -> str:
    new = [item for item in trial.items(TABLE) if item not in others]
    return " and ".join(str(item["PK"]) for item in new) or "one is gone"


def _expect_not_twice(trial: Trial, add_photo: Any, table: Any) -> None:
    """The photo p2 comes again, with other metadata."""
    before = Album.of(trial.items(TABLE), MARA)
    attempt = trial.attempt(add_photo, table, MARA, "p2", photo("again"))
    album = Album.of(trial.items(TABLE), MARA)
    situation = "The photo p2 was there already."
    if album.count != before.count:
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt)}, and now there are "
            f"{len(album.photos)} photos, and photoCount is {album.count}.",
            "A photo that is there must not be counted again: which condition is true only for a "
            "new one, in the same step as the write? If you have one, does it look into the map, "
            "at this photo?",
        )
    if album.photos != before.photos:
        raise Refused(
            f"{situation} {attempt.text} wrote new metadata over it.",
            "A late repetition would do that to a photo that was edited since. The docstring says "
            "what happens to a photo that is there: is your whole update under the guard?",
        )
    refuse_raised(attempt, situation)
    expect_number(attempt, 5, situation)


def _expect_full_told(trial: Trial, add_photo: Any) -> None:
    """An album with room for less than this photo: DynamoDB refuses it, and that goes on."""
    table = trial.table(TABLE)
    about = "x" * (limits.ITEM_BYTES - size_of({**_FULL, "about": ""}) - 500)
    given(table, {**_FULL, "about": about})
    situation = "The album of f00d is full: an item holds 400 KB."
    ask = (
        "DynamoDB refuses it by ValidationException, as it does an update whose map is missing. "
        "Which of the two can another request repair? The other goes on to the caller."
    )
    try:
        attempt = trial.attempt(add_photo, table, ZOE, "p2", photo("p2" * 500))
    except Refused as endless:
        raise Refused(f"{situation} {endless.seen}", ask) from None
    if not goes_on(attempt):
        raise Refused(f"{situation} {attempt.text} {how_it_ended(attempt)}.", ask)


def _expect_other_errors_through(trial: Trial, add_photo: Any, table: Any) -> None:
    """Each request of the call is refused in its turn, of a new album and of one with the photo."""
    key = {"PK": f"USER#{MARA}"}
    for start, count in (
        (lambda: table.delete_item(Key=key), 1),
        (lambda: put_album(table, MARA, ["p1", "p7"]), 2),
    ):
        for what, attempt in failures(trial, start, add_photo, table, MARA, "p7", photo("p7")):
            album = Album.of(trial.items(TABLE), MARA)
            if goes_on(attempt) or (attempt.returned == count and "p7" in album.photos):
                continue
            raise Refused(
                f"DynamoDB {what}. {attempt.text} {how_it_ended(attempt)}: {album.told()}.",
                "Which one of DynamoDB's refusals says that the photo is there already, and of "
                "which request? Every other error goes on to the caller.",
            )
