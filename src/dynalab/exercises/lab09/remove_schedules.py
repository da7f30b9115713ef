"""Photos removed on two devices and sent twice: gone, and counted off once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dynalab.exercises.lab09.albums import (
    MARA,
    OLD_READ,
    TABLE,
    add,
    album_of,
    asking,
    left,
    put_album,
    swap,
)
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

_TWICE = "The write may come twice. Which condition makes the second one harmless?"


def _removed(
    gone: dict[str, str], kept: Sequence[str], *, counts: Sequence[set[int]] = ()
) -> Callable[[Outcome], str | None]:
    """What calls that returned have removed is not there, `kept` is; the count agrees.

    counts: what the calls may return together, where all of them do.
    """

    def invariant(outcome: Outcome) -> str | None:
        album = album_of(outcome)
        if not album.agrees:
            return f"{album.told()}."
        if missing := [photo_id for photo_id in kept if photo_id not in album.photos]:
            return f"{album.told()}: {' and '.join(missing)} is gone too."
        for client, photo_id in gone.items():
            if client in outcome.returned and photo_id in album.photos:
                return f"{client} returned, and {photo_id} is still there: {album.told()}."
        answers = [outcome.returned[name] for name in gone if name in outcome.returned]
        if counts and len(answers) == len(gone) and set(answers) not in counts:
            return f"{album.told()}, and the calls returned {' and '.join(map(str, answers))}."
        return first_raised(outcome)

    return invariant


def hold_same_photo(trial: Trial, remove_photo: Any) -> str:
    table = trial.table(TABLE)
    put_album(table, MARA, ["p1", "p2", "p3"])
    clients = {name: lambda: remove_photo(table, MARA, "p2") for name in "AB"}
    return trial.hold(
        trial.explore(
            clients,
            _removed({"A": "p2", "B": "p2"}, ["p1", "p3"], counts=[{2}]),
            crash=True,
        ),
        "The same photo is removed on two devices, and either may die",
        "What you read before a write may be gone when you write, and a process can die between "
        "two writes. What can one UpdateItem test and change in one step?",
    )


def hold_two_photos(trial: Trial, remove_photo: Any) -> None:
    table = trial.table(TABLE)
    put_album(table, MARA, ["p1", "p2", "p3"])
    clients = {
        "A": lambda: remove_photo(table, MARA, "p1"),
        "B": lambda: remove_photo(table, MARA, "p2"),
    }
    trial.hold(
        trial.explore(clients, _removed({"A": "p1", "B": "p2"}, ["p3"], counts=[{1, 2}])),
        "Two devices remove two photos of three",
        "Between two of your requests, others write. Can the update itself subtract, and return "
        "the new count?",
    )


def hold_others(trial: Trial, remove_photo: Any) -> None:
    """Another device adds, swaps, or deletes the whole album meanwhile."""
    table = trial.table(TABLE)
    put_album(table, MARA, ["p1"])
    one = {"A": lambda: remove_photo(table, MARA, "p1")}
    trial.hold(
        trial.explore({**one, "B": lambda: add(table, "p3")}, _added_or_refused("p3")),
        "A removes the last photo, while B adds p3",
        "An album that was empty when you looked may not be empty when you write. Do you need to "
        "remove an empty map?",
    )
    put_album(table, MARA, ["p1", "p2"])
    trial.hold(
        trial.explore({**one, "B": lambda: swap(table, "p2", "p4")}, _removed({"A": "p1"}, ["p4"])),
        "A removes p1, while B puts p4 in the place of p2",
        "B's change did not change the count. What does your write replace, and does it need to "
        "write more than one photo and the count?",
    )
    put_album(table, MARA, ["p1"])
    trial.hold(
        trial.explore(
            {**one, "B": lambda: table.delete_item(Key={"PK": f"USER#{MARA}"})},
            lambda outcome: (
                None
                if album_of(outcome).item is None
                else f"the deleted album is back: {left(album_of(outcome))}."
            ),
        ),
        "B deletes the whole album while A removes a photo",
        "A test before the write may be out of date when you write. Which condition makes the "
        "write need the photo?",
    )


def _added_or_refused(photo_id: str) -> Callable[[Outcome], str | None]:
    def invariant(outcome: Outcome) -> str | None:
        kept = [photo_id] if "B" in outcome.returned else []
        broken = _removed({"A": "p1"}, kept)(outcome)
        if "B" in outcome.raised:
            return f"B found no map to put {photo_id} into."
        return broken

    return invariant


def hold_lost(trial: Trial, remove_photo: Any) -> None:
    table = trial.table(TABLE)
    put_album(table, MARA, ["p1", "p2", "p3"])
    one = {"A": lambda: remove_photo(table, MARA, "p2")}
    twice = _removed({"A": "p2"}, ["p1", "p3"], counts=[{2}])
    found = trial.explore(one, twice, lost=True, late=True)
    trial.hold(
        found,
        "A request or its reply is lost or late, and boto3 sends it again",
        asking(found, _TWICE),
    )
    both = {**one, "B": lambda: add(table, "p4")}
    found = trial.explore(both, _removed({"A": "p2"}, ["p1", "p3", "p4"]), lost=True)
    trial.hold(found, "A reply is lost, while another device adds p4", asking(found, _TWICE))


def hold_fresh(trial: Trial, remove_photo: Any) -> None:
    """A read that is not strongly consistent may be answered from before the last write."""
    table = trial.table(TABLE)

    def counted(outcome: Outcome) -> str | None:
        album, returned = album_of(outcome), outcome.returned.get("A")
        if broken := first_raised(outcome):
            return broken
        if "p2" not in album.photos and returned == album.count:
            return None
        return f"{album.told()}, and the call returned {returned}."

    for added in ("p2", "p3"):
        put_album(table, MARA, ["p1"])

        def removed(added: str = added) -> Any:
            add(table, added)
            return remove_photo(table, MARA, "p2")

        trial.hold(
            trial.explore({"A": removed}, counted, stale=True),
            f"Another device added {added}, and then remove_photo removes p2, by a read that may "
            "be old",
            OLD_READ,
        )
