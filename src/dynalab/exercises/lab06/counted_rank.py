"""Exercise 6.4: the rank of a score, by counting those ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.check import Passed
from dynalab.engine.capacity import PAGE_BYTES
from dynalab.exercises.bills import read_units
from dynalab.exercises.given import given
from dynalab.exercises.lab06.friend_scores import FEW, MANY, best, few_and_many, friend_item, some
from dynalab.exercises.words import in_read_units, operations
from dynalab.trial import Refused, Trial

_LONG = 40_000  # bytes of a name, so that 30 entries are more than a page
_LONG_SCORES = range(11, 311, 10)


def check_rank_of(rank_of: Any, trial: Trial) -> Passed:
    table = few_and_many(trial)
    for score, wanted in ((100, 1), (101, 1), (25, 2), (99, 2), (30, 2), (9, 4), (0, 5), (1, 5)):
        _expect_rank(trial, rank_of, table, score, wanted)
    top = best(MANY)
    cheap, carried = _expect_units(trial, rank_of, table, top[5])
    _expect_all_pages(trial, rank_of, table)
    rank = trial.call(rank_of, table, "nobody", 30)
    if rank != 1:
        raise Refused(
            f"Nobody is ahead of a user without friends; rank_of(table, 'nobody', 30) returned "
            f"{rank!r}.",
            "How many are ahead, and what do you add?",
        )
    remark = (
        "your Query sends every entry to you. With Select='COUNT' it sends only the number; the "
        "read units are the same."
        if carried
        else ""
    )
    return Passed(
        f"Ties share a rank, and all pages are counted. Rank {_ahead(MANY, top[5]) + 1} of "
        f"{len(top)} cost {in_read_units(cheap)}: only those ahead are read.",
        remark,
    )


def _ahead(scores: Mapping[str, int | None], score: int) -> int:
    return sum(each > score for each in best(scores))


def _expect_rank(trial: Trial, rank_of: Any, table: Any, score: int, wanted: int) -> None:
    rank = trial.call(rank_of, table, "alice", score)
    told = f"rank_of(table, 'alice', {score})"
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise Refused(f"{told} returned {rank!r}.", "A rank is an int: 1 if nobody is ahead.")
    if rank == wanted:
        return
    ahead = [each for each in best(FEW) if each > score]
    raise Refused(
        f"The scores of alice's friends are {some(best(FEW))}. {told} returned {rank}; "
        f"{len(ahead) or 'none'} of them {'is' if len(ahead) == 1 else 'are'} ahead.",
        _rank_question(rank, score, wanted),
    )


def _rank_question(rank: int, score: int, wanted: int) -> str:
    played = len(best(FEW))
    if rank == wanted - 1:
        return "The best of all has rank 1. What do you add to the number of those ahead?"
    if rank == wanted + best(FEW).count(score):
        return "Is a friend with the same score ahead?"
    if rank == played - wanted + 1 or rank == played - wanted + 2:
        return "That counts from the other end. Who is ahead: those with more, or with less?"
    if rank - wanted == len(FEW) - played:
        return "A friend who never played is not ahead. Which request does not read such friends?"
    return "Which entries of the index are above this score?"


def _expect_units(trial: Trial, rank_of: Any, table: Any, score: int) -> tuple[float, bool]:
    """What a good rank among many costs, and whether entries were carried along."""
    with trial.bill() as charges:
        rank = trial.call(rank_of, table, "vera", score)
    ahead = _ahead(MANY, score)
    if rank != ahead + 1:
        raise Refused(
            f"{ahead} of vera's friends have more than {score}; rank_of(table, 'vera', {score}) "
            f"returned {rank!r}.",
            "Is every friend with a higher score counted, and nobody else?",
        )
    units, evaluated = read_units(charges), sum(charge.evaluated for charge in charges)
    if units > 1:
        raise Refused(
            f"The rank is right, and {operations(charges)} read {evaluated} items for it: "
            f"{in_read_units(units)}. {ahead} are ahead.",
            "You have paid for everything that a filter or your program throws away. Which "
            "condition makes the Query begin and end in the right place?",
        )
    return units, any(charge.operation == "Query" and not charge.detail for charge in charges)


def _expect_all_pages(trial: Trial, rank_of: Any, table: Any) -> None:
    for number, score in enumerate(_LONG_SCORES):
        given(table, friend_item("lea", f"p{number:02}", score, "x" * _LONG))
    with trial.bill() as charges:
        rank = trial.call(rank_of, table, "lea", 5)
    if rank == len(_LONG_SCORES) + 1:
        return
    on_page = PAGE_BYTES // _LONG
    raise Refused(
        f"lea has {len(_LONG_SCORES)} friends with long names, all of them ahead of a score of 5; "
        f"rank_of returned {rank!r}.",
        f"A page ends at 1 MB, here after {charges[0].evaluated} entries. "
        "What does the reply say about the rest?"
        if rank in (on_page, on_page + 1)
        else "Is each of them counted once?",
    )
