"""Posts with every kind of drift, as the checks of exercise 14.3 report them to a repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dynalab.exercises.counted_posts import users
from dynalab.exercises.lab14.audited_posts import BEN, NOBODY, SARA, Row, put_audited, put_profile
from dynalab.exercises.lab14.reports import what
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import in_words
from dynalab.trial import Attempt, Refused, Trial

TALLY, NAME = "likeTally", "authorName"

FINE = "POST#a91f"
HIGH, LOW, BARE, BOTH = "POST#77b0", "POST#0c3d", "POST#0b0b", "POST#b07f"
MISSING, STALE, HAND, ORPHAN = "POST#5a01", "POST#5a02", "POST#5a03", "POST#0ff1"
NO_VERSION, BARE_ORPHAN = "POST#5a04", "POST#0ff2"  # copies that have a name alone
POSTS = [FINE, HIGH, LOW, BARE, BOTH, MISSING, STALE, HAND, ORPHAN, NO_VERSION, BARE_ORPHAN]
OTHER = "POST#none-reported"


def put_posts(table: Any) -> None:
    put_profile(table, SARA, "Sara", 3)
    put_profile(table, BEN, "Ben", 2)
    sara, ben = ("Sara", 3), ("Ben", 2)
    put_audited(table, FINE, users(3), copy=sara)
    put_audited(table, HIGH, users(4), copy=sara, likeTally=7, rev=9)
    put_audited(table, LOW, users(3), copy=sara, likeTally=1, rev=6)
    put_audited(table, BARE, users(2), author=BEN, copy=ben, likeTally=None)
    put_audited(table, BOTH, users(2), author=BEN, copy=("Benny", 1), likeTally=0, rev=5)
    put_audited(table, MISSING, users(1), copy=None)
    put_audited(table, STALE, copy=("Sarah", 2))
    put_audited(table, HAND, author=BEN, copy=("Zen", 2))
    put_audited(table, ORPHAN, author=NOBODY, copy=("Nora", 4))
    put_audited(table, NO_VERSION, copy=("Sarah", None))
    put_audited(table, BARE_ORPHAN, author=NOBODY, copy=("Nora", None))
    put_audited(table, OTHER, users(1), copy=("Sarah", 2), likeTally=5)


def metas_of(trial: Trial) -> dict[str, dict[str, Any]]:
    return {item["PK"]: item for item in trial.items(TABLE) if item["SK"] == "META"}


def shown(item: Mapping[str, Any]) -> str:
    """Attributes in words; a text of no letters is seen, too."""
    return in_words({name: value if value != "" else "''" for name, value in item.items()})


_SHAPE = 'It returns a list of (post_id, "likeTally" or "authorName", True or False)'


def expect_list(attempt: Attempt) -> None:
    if attempt.raised is None and not isinstance(attempt.returned, list | tuple):
        raise Refused(
            f"{attempt.text} returned {what(attempt.returned)}.",
            f"{_SHAPE}. Does your function return it, and where do you fill it?",
        )


def expect_told(
    situation: str,
    attempt: Attempt,
    wanted: Sequence[Row],
    asks: Mapping[Row, str] = MappingProxyType({}),
) -> None:
    """The report is what was done. asks: what is asked of a row that is not wanted."""
    expect_list(attempt)
    returned = attempt.returned
    rows = [tuple(row) if isinstance(row, list | tuple) else row for row in returned]
    if rows == list(wanted) and all(type(row[2]) is bool for row in rows):
        return
    for got, want in zip(rows, wanted, strict=False):
        if got != want or type(got[2]) is not bool:
            raise Refused(
                f"{situation}; the report of the repair has {got!r}; it should be {want!r}.",
                asks.get(got)
                or f"{_SHAPE}. Give one for each row of the audits, tallies first, in their order.",
            )
    raise Refused(
        f"{situation}; {attempt.text} reported {len(rows)} of {len(wanted)} drifts.",
        "The reader wants to know what happened to each drift.",
    )
