"""Posts that the checks of lab 02 like, and words for what an answer asked of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dynalab.exercises.bills import read_units
from dynalab.exercises.social import TABLE, Post, delete_post, put_post
from dynalab.exercises.words import in_read_units, in_words
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt, Trial

OLD, NEW, GONE, NONE = "POST#a91f", "POST#77b0", "POST#0c3d", "POST#none"
OTHER = "POST#5e5e"  # in no cell of the lab, so that no request can be meant for it alone
MARA, TOM = "USER#7c20", "USER#2d11"
AT = 1750636801
_TOKENS_LIVE = 10 * 60 + 1  # seconds; API reference, TransactWriteItems, ClientRequestToken


def empty_table(trial: Trial) -> Any:
    """The table for one part of a check; tokens that an answer used in another are forgotten."""
    trial.clock.advance(_TOKENS_LIVE)
    return trial.table(TABLE)


def hold_deleted_post(trial: Trial, call: Callable[..., Any], name: str, *rest: Any) -> None:
    """While `call` works on a post, somebody deletes it: no ghost, and NoSuchPost wrote nothing."""
    table = empty_table(trial)
    put_post(table, GONE)

    def invariant(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), GONE)
        if post.meta is not None:
            return f"The deleted post is back: {in_words(post.meta)}."
        if "A" in outcome.raised and post.likers:
            return f"{name} raised {type(outcome.raised['A']).__name__}, and the like is stored."
        return None

    clients = {
        "A": lambda: call(table, GONE, *rest),
        "B": lambda: delete_post(table, GONE),
    }
    trial.hold(
        trial.explore(clients, invariant),
        f"B deletes the post while A calls {name}",
        "A test before the write may be out of date when you write. What is evaluated in the same "
        "step as the write?",
    )


def reasons(attempt: Attempt) -> list[dict[str, Any]]:
    response = getattr(attempt.raised, "response", {})
    return list(response.get("CancellationReasons", []))


def refusal(attempt: Attempt) -> str:
    """ "raised TransactionCanceledException [None, ConditionalCheckFailed]"."""
    error = attempt.raised
    code = getattr(error, "response", {}).get("Error", {}).get("Code", type(error).__name__)
    codes = ", ".join(reason["Code"] for reason in reasons(attempt))
    return f"raised {code}{f' [{codes}]' if codes else ''}"


def keys(items: Sequence[dict[str, Any]]) -> str:
    return " and ".join(f"{item['PK']} {item['SK']}" for item in items)


def more_than_one(charges: Sequence[Charge], enough: str) -> str:
    if len(charges) == 1:
        return ""
    operations = " and ".join(charge.operation for charge in charges)
    reads = read_units(charges)
    extra = f", {in_read_units(reads)} on top" if reads else ""
    return f"it took {len(charges)} requests: {operations}{extra}. {enough}"
