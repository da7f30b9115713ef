"""Photos added on two devices, and sent twice: all there, and counted once each."""

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
    photo,
    put_album,
    swap,
)
from dynalab.exercises.words import first_raised
from dynalab.schedules.exploration import Schedule
from dynalab.schedules.outcome import Outcome
from dynalab.schedules.replicas import is_read
from dynalab.trial import Trial

_TWICE = "Each of your writes may come twice. Which condition makes the second one harmless?"


def _all_there(
    added: dict[str, str], *, always: Sequence[str] = ()
) -> Callable[[Outcome], str | None]:
    """The photos of calls that returned are there, and no others; the count is their number.

    added: client → the photo that it adds. always: photos that must be there whatever happens.
    """

    def invariant(outcome: Outcome) -> str | None:
        album = album_of(outcome)
        if not album.agrees:
            return f"{album.told()}."
        wanted = {*always, *(added[name] for name in outcome.returned if name in added)}
        if missing := sorted(wanted - set(album.photos)):
            return f"{album.told()}: {' and '.join(missing)} is gone."
        if strange := sorted(set(album.photos) - {*always, *added.values()}):
            return f"{album.told()}: {' and '.join(strange)} is back."
        return first_raised(outcome)

    return invariant


def hold_new_album(trial: Trial, add_photo: Any) -> str:
    table = trial.table(TABLE)
    clients = {
        "A": lambda: add_photo(table, MARA, "p1", photo("p1")),
        "B": lambda: add_photo(table, MARA, "p2", photo("p2")),
    }

    there = _all_there({"A": "p1", "B": "p2"})

    def counted(outcome: Outcome) -> str | None:
        both = outcome.returned
        broken = there(outcome)
        if broken is None and len(both) == 2 and set(both.values()) != {1, 2}:
            return f"the album is right, A returned {both['A']}, and B returned {both['B']}."
        return broken

    found = trial.explore(clients, counted, crash=True)
    return trial.hold(
        found,
        "Two devices add the first two photos of an album, and either may die",
        asking(found, _ask_of_new_album(found.failure)),
    )


def _ask_of_new_album(failure: Schedule | None) -> str:
    if failure is not None and (failure.broken or "").startswith("the album is right"):
        return (
            "Between an update and the read that follows it, others write too. Can the update "
            "itself return the new count?"
        )
    reads = failure is None or any(is_read(step.operation) for step in failure.steps)
    if failure is None or failure.outcome.died or reads:
        return (
            "What you have read may be out of date when you write, and a process can die between "
            "two writes. What can one UpdateItem change, and what does it test in the same step?"
        )
    return (
        "Nobody read, and nobody died: the other device's write came between yours. If one of "
        "yours is refused because the map exists by now, is your photo in it?"
    )


def hold_same_photo(trial: Trial, add_photo: Any) -> None:
    table = trial.table(TABLE)
    put_album(table, MARA, ["p1"])
    clients = {name: lambda: add_photo(table, MARA, "p2", photo("p2")) for name in "AB"}

    def once(outcome: Outcome) -> str | None:
        both = outcome.returned
        broken = _all_there({"A": "p2", "B": "p2"}, always=["p1"])(outcome)
        if broken is None and not outcome.died and set(both.values()) != {2}:
            return f"A returned {both.get('A')}, and B returned {both.get('B')}; there are 2."
        return broken

    found = trial.explore(clients, once, crash=True)
    trial.hold(
        found,
        "Two devices add the same photo",
        asking(
            found,
            "What you read before a write may be out of date when you write. What is evaluated in "
            "the same step as the write?",
        ),
    )


def hold_swap(trial: Trial, add_photo: Any) -> None:
    """The count is the same before and after: a condition on it alone sees nothing."""
    table = trial.table(TABLE)
    put_album(table, MARA, ["p1", "p2"])

    def both(outcome: Outcome) -> str | None:
        broken = _all_there({"A": "p3"}, always=["p2", "p4"])(outcome)
        if broken is None and "name" not in (album_of(outcome).item or {}):
            return "the album's name, which B has set, is gone."
        return broken

    clients = {
        "A": lambda: add_photo(table, MARA, "p3", photo("p3")),
        "B": lambda: swap(table, "p1", "p4"),
    }
    trial.hold(
        trial.explore(clients, both),
        "A adds p3, while B puts p4 in the place of p1 and names the album",
        "B's change did not change the count. What does your write replace, and does it need to "
        "write more than one photo and the count?",
    )


def hold_lost(trial: Trial, add_photo: Any) -> None:
    table = trial.table(TABLE)
    for start in ((), ("p1",)):
        if start:
            put_album(table, MARA, start)
        found = trial.explore(
            {"A": lambda: add_photo(table, MARA, "p2", photo("p2"))},
            _all_there({"A": "p2"}, always=start),
            lost=True,
            late=True,
        )
        trial.hold(
            found,
            "A request or its reply is lost or late, and boto3 sends it again",
            asking(found, _TWICE),
        )
    clients = {
        "A": lambda: add_photo(table, MARA, "p2", photo("p2")),
        "B": lambda: add(table, "p3"),
    }
    found = trial.explore(clients, _all_there({"A": "p2"}, always=["p1", "p3"]), lost=True)
    trial.hold(found, "A reply is lost, while another device adds p3", asking(found, _TWICE))


def hold_fresh(trial: Trial, add_photo: Any) -> None:
    """A read that is not strongly consistent may be answered from before the last write."""
    table = trial.table(TABLE)
    changes: dict[str, Callable[[], None]] = {
        "Another device added p3": lambda: add(table, "p3"),
        "Another device put p4 in the place of p2": lambda: swap(table, "p2", "p4"),
    }

    def counted(outcome: Outcome) -> str | None:
        album, returned = album_of(outcome), outcome.returned.get("A")
        if broken := first_raised(outcome):
            return broken
        if "p2" in album.photos and returned == album.count:
            return None
        return f"{album.told()}, and the call returned {returned}."

    for what, change in changes.items():
        put_album(table, MARA, ["p1", "p2"])

        def added(change: Callable[[], None] = change) -> Any:
            change()
            return add_photo(table, MARA, "p2", photo("p2"))

        trial.hold(
            trial.explore({"A": added}, counted, stale=True),
            f"{what}, and then add_photo adds p2, by a read that may be old",
            OLD_READ,
        )
