"""Exercise 1.1, count_likes: all pages of one item collection, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.given import given
from dynalab.exercises.lab01.posts import LARGE, NEW, SMALL, put_likes, put_post
from dynalab.exercises.whole_numbers import is_whole
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial


def check_count_likes(count_likes: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    put_post(table, SMALL)
    put_likes(table, SMALL, 7)
    given(table, {"PK": SMALL, "SK": "COMMENT#0001", "body": "Nice"})
    put_post(table, NEW)
    put_post(table, LARGE)
    put_likes(table, LARGE, 30, padding=40_000)
    small = _expect_count(trial, count_likes, table, SMALL, 7)
    _expect_count(trial, count_likes, table, NEW, 0)
    with trial.bill() as charges:
        counted = trial.call(count_likes, table, LARGE)
    _refuse_scan(charges)
    if counted != 30:
        first = next((c for c in charges if c.operation == "Query"), None)
        one_page = first is not None and counted in (first.returned, first.evaluated)
        raise Refused(
            f"A post has 30 likes of 40 KB, more than 1 MB in all; count_likes returned {counted}.",
            "That is the first page. What does the reply say about the rest?"
            if one_page
            else "Which items does each page of your Query hold?",
        )
    units = read_units(charges)
    remark = ""
    if sum(charge.evaluated for charge in small) > 7:
        remark = (
            "your Query also evaluates items that are not likes, and you pay for them. A "
            "condition on the sort key leaves them out."
        )
    elif any(charge.operation == "Query" and charge.detail != "COUNT" for charge in charges):
        remark = (
            "your Query sends every like to you. With Select='COUNT' it sends only the number; "
            "the read units are the same."
        )
    pages = len(charges)
    return Passed(
        f"Right on one page and on {pages}. Seven small likes cost "
        f"{in_read_units(read_units(small))}, the 30 large ones {units:g}.",
        remark,
    )


def _expect_count(
    trial: Trial, count_likes: Any, table: Any, post_id: str, wanted: int
) -> Sequence[Charge]:
    with trial.bill() as charges:
        counted = trial.call(count_likes, table, post_id)
    if not is_whole(counted):
        raise Refused(
            f"count_likes(table, {post_id!r}) returned {type(counted).__name__}; the answer is a "
            f"whole number: {wanted}.",
            "Which part of the reply is the number?",
        )
    _refuse_scan(charges)
    if counted == wanted:
        return charges
    extra = {wanted + 1: "META was", wanted + 2: "META and a comment were"}.get(int(counted))
    raise Refused(
        f"The post {post_id} has {wanted} likes; count_likes returned {counted}.",
        f"It looks as if {extra} counted too: what do the sort keys of likes begin with?"
        if extra
        else "Which items of the post's item collection are likes?",
    )


def _refuse_scan(charges: Sequence[Charge]) -> None:
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        evaluated = sum(charge.evaluated for charge in scans)
        units = read_units(scans)
        raise Refused(
            f"A Scan read all {evaluated} items of the table, those of every post: {units:g} read "
            "units. You pay for an item before the filter throws it away.",
            "Which request reads one item collection?",
        )
