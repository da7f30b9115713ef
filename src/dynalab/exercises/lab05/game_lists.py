"""What can be wrong with a list of pending games, and with its bill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.exercises.bills import read_units
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.trial import Refused


def ids_of(call: str, found: Any) -> list[str]:
    """The ids of the games in a list that came back. Refused where it is no list of games."""
    if isinstance(found, Mapping):
        raise Refused(
            f"{call} returned a dict with {', '.join(list(found)[:4])}.",
            "A reply holds one page, and more than its items. Which part does your caller want?",
        )
    if not isinstance(found, list | tuple):
        raise Refused(
            f"{call} returned {'None' if found is None else type(found).__name__}.",
            "The docstring promises a list of games.",
        )
    for game in found:
        if not isinstance(game, Mapping) or "PK" not in game:
            raise Refused(
                f"{call} returned a list with {_short(game)} in it.",
                "A game is the whole item, as Query returns it.",
            )
        if not isinstance(game["PK"], str):
            raise Refused(
                f"{call} returned typed items: the first has the PK {game['PK']!r}.",
                "table.query returns plain Python values. Which client did you use?",
            )
    ids = [game["PK"] for game in found]
    twice = next((each for each in ids if ids.count(each) > 1), None)
    if twice is not None:
        raise Refused(
            f"{call} returned {twice} twice.",
            "Where does each page begin, and which pages did you add?",
        )
    return ids


def refuse_strangers(
    call: str, ids: Sequence[str], opponent: str, items: Sequence[dict[str, Any]]
) -> None:
    """Refused where one of the games is another user's, or not pending."""
    known = {item["PK"]: item for item in items}
    for game_id in ids:
        game = known.get(game_id, {})
        if game.get("opponent") != opponent:
            raise Refused(
                f"{call} returned {game_id}, a game against {game.get('opponent', 'nobody')}.",
                "Which part of the key condition says whose games are asked for?",
            )
        status = game["status"]
        if status == "PENDING":
            continue
        if status.startswith("PENDING"):
            raise Refused(
                f"{call} returned {game_id}, whose status is {status}.",
                "Its text begins with PENDING too. Where does a status end in a composite key?",
            )
        raise Refused(
            f"{call} returned {game_id}, whose status is {status}.",
            "Which condition leaves out what is not pending?",
        )


def expect_newest_first(call: str, ids: Sequence[str], wanted: Sequence[str]) -> None:
    """Refused where the right games stand in another order."""
    if list(ids) == list(wanted):
        return
    if list(ids) == list(reversed(wanted)):
        raise Refused(
            f"{call} returned the right games, the oldest first.",
            "A Query reads an index from the low end unless you ask otherwise. Which argument of "
            "query does that?",
        )
    raise Refused(
        f"{call} returned the right games, but not in order of time: {', '.join(ids[:4])}, …",
        "Which index has these games in order of time?",
    )


def refuse_scan(charges: Sequence[Charge]) -> None:
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        raise Refused(
            f"A Scan read {evaluated(scans)} items, the games of all users: {read_units(scans):g} "
            "read units.",
            "Which request reads the games of one opponent?",
        )


def refuse_waste(call: str, ids: Sequence[str], charges: Sequence[Charge], extra: int = 0) -> None:
    """Refused where more than `extra` games were read and not returned."""
    refuse_scan(charges)
    if evaluated(charges) <= len(ids) + extra:
        return
    indexes = ", ".join(sorted({charge.index or "the table" for charge in charges}))
    raise Refused(
        f"{call} returned the right {len(ids)}, but read {evaluated(charges)} games of {indexes} "
        f"for them: {in_read_units(read_units(charges))}.",
        "You pay for what is read, also if it is filtered or cut off later. "
        + (
            "What can the key condition select, and where does DynamoDB stop reading?"
            if indexes == "byStatusDate"
            else "In which index are these games next to each other, with no others between them?"
        ),
    )


def evaluated(charges: Sequence[Charge]) -> int:
    """How many items the requests read, returned or not."""
    return sum(charge.evaluated for charge in charges)


def _short(value: Any) -> str:
    return f"{type(value).__name__} {str(value)[:40]!r}"
