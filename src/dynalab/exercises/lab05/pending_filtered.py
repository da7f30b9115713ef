"""Exercise 5.1: the pending games by date and filter, all pages, empty ones too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab05.game_lists import (
    evaluated,
    expect_newest_first,
    ids_of,
    refuse_scan,
    refuse_strangers,
)
from dynalab.exercises.lab05.games import GAMES, INES, LARGE, MARA, NOBODY, TOM, minutes, put_game
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial

# Oldest first; ids in no order of time.
_SMALL = (
    ("GAME#0f3a", MARA, "PENDING"),
    ("GAME#d02e", MARA, "ACTIVE"),
    ("GAME#77b0", TOM, "PENDING"),
    ("GAME#a91f", MARA, "PENDING"),
    ("GAME#2d11", MARA, "DONE"),
    ("GAME#9a40", MARA, "PENDING_REVIEW"),
    ("GAME#3c55", MARA, "PENDING"),
    ("GAME#0b01", MARA, "ACTIVE"),
)
_SMALL_WANTED = ["GAME#3c55", "GAME#a91f", "GAME#0f3a"]
# Newest last: three large games that are not pending fill the first page.
_LARGE = ("PENDING", "DONE", "PENDING", "PENDING", "PENDING", "ACTIVE", "DONE", "ACTIVE")
_LARGE_WANTED = ["GAME#0004", "GAME#0003", "GAME#0002", "GAME#0000"]


def check_pending_filtered(pending_filtered: Any, trial: Trial) -> Passed:
    table = trial.table(GAMES)
    for number, (game_id, opponent, status) in enumerate(_SMALL):
        put_game(table, game_id, opponent, status, minutes(number))
    for number, status in enumerate(_LARGE):
        put_game(table, f"GAME#{number:04}", INES, status, minutes(number), board=LARGE)
    call = f"pending_filtered(table, {MARA!r})"
    with trial.bill() as small:
        found = trial.call(pending_filtered, table, MARA)
    refuse_scan(small)
    ids = ids_of(call, found)
    _expect_by_date(call, small)
    refuse_strangers(call, ids, MARA, trial.items(GAMES))
    if missing := [each for each in _SMALL_WANTED if each not in ids]:
        raise Refused(
            f"{call} returned {len(ids)} games; {missing[0]} is pending too, but it is not in the "
            "list.",
            "Which games does your filter keep?",
        )
    expect_newest_first(call, ids, _SMALL_WANTED)
    nothing = trial.call(pending_filtered, table, NOBODY)
    if nothing != []:
        raise Refused(
            f"Nobody plays against {NOBODY}; pending_filtered returned {nothing!r}.",
            "What is the list of no games?",
        )
    large = _expect_all_pages(trial, pending_filtered, table)
    return Passed(
        f"Right on one page and on {len(large)}, the first of them empty. A small bill: "
        f"{evaluated(small)} games read, {len(ids)} returned, {in_read_units(read_units(small))}. "
        f"A large one: {evaluated(large)} read, {len(_LARGE_WANTED)} returned, "
        f"{in_read_units(read_units(large))}.",
        "you filter in Python. The read units are the same, and every game is sent to you first."
        if sum(charge.returned for charge in small) > len(ids)
        else "",
    )


def _expect_by_date(call: str, charges: Sequence[Charge]) -> None:
    indexes = {charge.index for charge in charges if charge.operation == "Query"}
    if "byDate" not in indexes:
        asked = ", ".join(sorted(index or "the table" for index in indexes)) or "no index"
        raise Refused(
            f"{call} asked {asked}.",
            "This exercise measures what a filter costs, for comparison with the next ones. Which "
            "index has a user's games by createdAt?",
        )


def _expect_all_pages(trial: Trial, pending_filtered: Any, table: Any) -> Sequence[Charge]:
    call = f"pending_filtered(table, {INES!r})"
    with trial.bill() as charges:
        found = trial.call(pending_filtered, table, INES)
    ids = ids_of(call, found)
    refuse_strangers(call, ids, INES, trial.items(GAMES))
    if len(ids) < len(_LARGE_WANTED):
        first = charges[0]
        raise Refused(
            f"A user has {len(_LARGE)} games of 300 KB, {len(_LARGE_WANTED)} of them pending; "
            f"{call} returned {len(ids)}, from {len(charges)} "
            f"request{'' if len(charges) == 1 else 's'}. The first page held {first.evaluated} "
            f"games, of which the filter kept {first.returned}.",
            "A page ends at 1 MB of what was read, and the filter comes after that. "
            "What in the reply says that nothing is left to read?",
        )
    expect_newest_first(call, ids, _LARGE_WANTED)
    return charges
