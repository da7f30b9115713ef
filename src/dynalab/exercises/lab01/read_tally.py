"""Exercise 1.3, read_tally: one stored number, no number yet, and no post at all."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab01.posts import LARGE, NEW, NONE, SMALL, put_likes, put_post
from dynalab.exercises.whole_numbers import is_whole
from dynalab.exercises.words import in_read_units
from dynalab.trial import Refused, Trial


def check_read_tally(read_tally: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    put_post(table, SMALL, likeTally=3)
    put_post(table, NEW)
    put_post(table, LARGE, likeTally=0)
    put_likes(table, SMALL, 3)
    with trial.bill() as charges:
        tally = trial.call(read_tally, table, SMALL)
    if tally != 3 or not is_whole(tally):
        raise Refused(
            f"META of {SMALL} says likeTally 3; read_tally returned {tally!r}.",
            "The tally is one attribute of one item: which key does that item have?",
        )
    reads = [charge for charge in charges if charge.operation != "GetItem"]
    if reads or len(charges) != 1:
        units = read_units(charges)
        operations = ", ".join(charge.operation for charge in charges)
        raise Refused(
            f"The tally is right, but it took {operations}: {in_read_units(units)}.",
            "One GetItem of META costs 0.5. What is its whole key?",
        )
    for post_id, wanted, what in (
        (NEW, 0, "exists and was never liked, so it has no likeTally"),
        (LARGE, 0, "has a likeTally of 0"),
        (NONE, None, "does not exist"),
    ):
        got = trial.call(read_tally, table, post_id)
        if got != wanted or isinstance(got, bool) or (wanted is not None and got is None):
            raise Refused(
                f"The post {post_id} {what}; read_tally returned {got!r}, not {wanted!r}.",
                "A post without a tally is one case, a missing post is another. How does the "
                "reply tell them apart?",
            )
    units = charges[0].read_units
    remark = (
        ""
        if units == 0.5
        else (
            "a strongly consistent read costs twice as much. A page that shows a number of likes "
            "rarely needs it."
        )
    )
    return Passed(f"One GetItem, {in_read_units(units)}, however many likes there are.", remark)
