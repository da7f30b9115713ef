"""Exercise 5.3: pending games by composite key, all of them or the newest few."""

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
    refuse_waste,
)
from dynalab.exercises.lab05.games import GAMES, INES, LARGE_PENDING, MARA, NOBODY, put_many_games
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial


def check_pending(pending: Any, trial: Trial) -> Passed:
    table = trial.table(GAMES)
    wanted = [each for each, _ in put_many_games(table)]
    call = f"pending(table, {MARA!r})"
    with trial.bill() as charges:
        found = trial.call(pending, table, MARA)
    refuse_scan(charges)
    ids = ids_of(call, found)
    refuse_strangers(call, ids, MARA, trial.items(GAMES))
    if len(ids) < len(wanted):
        raise Refused(
            f"{MARA} has {len(wanted)} pending games; {call} returned {len(ids)}.",
            "Which games does your key condition leave out?",
        )
    expect_newest_first(call, ids, wanted)
    limits = (3, 1, len(wanted), len(wanted) + 30)
    limited = [_expect_limited(trial, pending, table, wanted, limit) for limit in limits]
    for each in ((call, ids, charges), *limited):
        refuse_waste(*each)
    read, few = evaluated(charges), evaluated(limited[0][2])
    if (nothing := trial.call(pending, table, NOBODY)) != []:
        raise Refused(
            f"Nobody plays against {NOBODY}; pending returned {nothing!r}.",
            "What is the list of no games?",
        )
    pages = _expect_all_pages(trial, pending, table)
    return Passed(
        f"Newest first. All of them: {read} games read, {len(ids)} returned, "
        f"{in_read_units(read_units(charges))}. The newest three: {few} read. Five games of 300 KB "
        f"come in {pages} pages."
    )


def _expect_limited(
    trial: Trial, pending: Any, table: Any, wanted: Sequence[str], limit: int
) -> tuple[str, Sequence[str], Sequence[Charge]]:
    """The call, the ids that came back, and the bill."""
    call = f"pending(table, {MARA!r}, limit={limit})"
    with trial.bill() as charges:
        found = trial.call(pending, table, MARA, limit=limit)
    ids = ids_of(call, found)
    refuse_strangers(call, ids, MARA, trial.items(GAMES))
    some = list(wanted[:limit])
    if len(ids) < len(some):
        read = evaluated(charges)
        raise Refused(
            f"{MARA} has {len(wanted)} pending games; {call} returned {len(ids)}, and read {read}.",
            "Limit is how many games a page reads, before any filter. "
            "What does your page read that you do not want?"
            if read > len(ids)
            else "Why does your loop end before it has enough games?",
        )
    if len(ids) > len(some):
        raise Refused(
            f"{call} returned {len(ids)} games.",
            "limit is the largest number of games that the caller wants.",
        )
    if set(ids) != set(some):
        raise Refused(
            f"{call} returned {', '.join(ids[:3])}; the newest are {', '.join(some[:3])}.",
            "A page begins at one end of the index, and Limit cuts it off before you see the "
            "rest. At which end are the newest games?",
        )
    expect_newest_first(call, ids, some)
    return call, ids, charges


def _expect_all_pages(trial: Trial, pending: Any, table: Any) -> int:
    """How many requests it took to bring games of more than 1 MB."""
    requests = 0
    for limit in (None, 4):
        options = {} if limit is None else {"limit": limit}
        call = f"pending(table, {INES!r}{'' if limit is None else f', limit={limit}'})"
        with trial.bill() as charges:
            ids = ids_of(call, trial.call(pending, table, INES, **options))
        requests = max(requests, len(charges))
        wanted = LARGE_PENDING[:limit]
        if len(ids) < len(wanted):
            raise Refused(
                f"A user has 5 pending games of 300 KB, more than 1 MB in all; {call} returned "
                f"{len(ids)}.",
                "That is the first page. What does its reply say about the rest?",
            )
        if len(ids) > len(wanted):
            raise Refused(
                f"A user has 5 pending games of 300 KB, more than 1 MB in all; {call} returned "
                f"{len(ids)}.",
                "Each page has a Limit of its own. How many games do you still need on the second "
                "page?",
            )
        expect_newest_first(call, ids, wanted)
    return requests
