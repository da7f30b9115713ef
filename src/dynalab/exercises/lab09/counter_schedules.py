"""Two clients on one counter: nothing lost, nothing beyond the bound; and a lost reply."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab09.albums import OLD_READ
from dynalab.exercises.lab09.counters import MOST, POST, VIEWS, power, put_counter, store_text
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def _views(outcome: Outcome) -> Any:
    return (outcome.item(TABLE, **POST) or {}).get(VIEWS)


def hold_two_clients(trial: Trial, increment: Any) -> str:
    """Both additions land, and the returned values are those of one order or the other."""
    table = trial.table(TABLE)
    put_counter(table, None)
    clients = {
        "A": lambda: increment(table, POST, VIEWS, 1, returning=True),
        "B": lambda: increment(table, POST, VIEWS, 10, returning=True),
    }

    def exact(outcome: Outcome) -> str | None:
        if broken := first_raised(outcome):
            return broken
        return None if _views(outcome) == 11 else f"views is {_views(outcome)}, not 11."

    def in_order(outcome: Outcome) -> str | None:
        one, other = outcome.returned["A"], outcome.returned["B"]
        right = (one, other) in ((1, 11), (11, 10))
        return None if right else f"A added 1 and returned {one}, B added 10 and returned {other}."

    extent = trial.hold(
        trial.explore(clients, exact),
        "Two clients add to the same attribute, one adds 1 and the other 10",
        "Between your read and your write the other client can write. Who else could add for you?",
    )
    trial.hold(
        trial.explore(clients, in_order),
        "Two clients add to the same attribute, and the sum is right",
        "Between an update and the read that follows it, others write too. Can the update itself "
        "return the new value?",
    )
    return extent


def hold_at_the_bound(trial: Trial, increment: Any) -> str:
    """One below the bound: one of two fits."""
    table = trial.table(TABLE)
    put_counter(table, MOST - 1)
    clients = {name: lambda: increment(table, POST, VIEWS, 1) for name in "AB"}

    def one_fits(outcome: Outcome) -> str | None:
        stored = _views(outcome)
        if stored != MOST:
            return f"views is {power(stored)}."
        raised = [type(error).__name__ for error in outcome.raised.values()]
        if raised != ["OverflowError"]:
            return f"views is {power(stored)}, and the calls raised {raised or 'nothing'}."
        return None

    extent = trial.hold(
        trial.explore(clients, one_fits),
        f"views is {power(MOST - 1)}, and two clients add 1",
        "What you read before the write may be out of date when you write. What does DynamoDB "
        "test in the same step as the addition?",
    )
    put_counter(table, MOST)

    def in_some_order(outcome: Outcome) -> str | None:
        refused = [type(error).__name__ for error in outcome.raised.values()]
        wanted = MOST - 1 if refused else MOST
        if refused not in ([], ["OverflowError"]) or "B" in outcome.raised:
            return first_raised(outcome)
        return None if _views(outcome) == wanted else f"views is {power(_views(outcome))}."

    trial.hold(
        trial.explore(
            {"A": clients["A"], "B": lambda: increment(table, POST, VIEWS, -1)}, in_some_order
        ),
        f"views is {power(MOST)}, A adds 1, and B subtracts 1",
        "A refused call must change nothing, and a call that returns must have counted. What is "
        "tested in the same step as the addition?",
    )
    return extent


def hold_changed_type(trial: Trial, increment: Any) -> None:
    """Somebody stores a text meanwhile: it stays, and whoever meets it hears ValueError."""
    table = trial.table(TABLE)
    put_counter(table, 7)

    def told(outcome: Outcome) -> str | None:
        if _views(outcome) != "many":
            return f"B stored the text 'many', but views is {_views(outcome)!r}."
        error = outcome.raised.get("A")
        if error is not None and not isinstance(error, ValueError):
            return f"views was the text 'many' by then, and A raised {type(error).__name__}."
        return None

    clients = {"A": lambda: increment(table, POST, VIEWS, 1), "B": lambda: store_text(table)}
    trial.hold(
        trial.explore(clients, told),
        "While A counts, B stores a text in the attribute",
        "What you read before the write may be out of date when you write. The refusal itself can "
        "return the stored item. With which parameter?",
    )


def hold_other_attributes(trial: Trial, increment: Any) -> None:
    """Somebody edits the post meanwhile: the edit stays, and so does the addition."""
    table = trial.table(TABLE)
    put_counter(table, 7)

    def both(outcome: Outcome) -> str | None:
        post = outcome.item(TABLE, **POST) or {}
        if post.get("body") != "Edited":
            return f"body is {post.get('body')!r}, B's edit is gone."
        return first_raised(outcome) or (None if post.get(VIEWS) == 8 else "views is not 8.")

    def edit() -> None:
        table.update_item(
            Key=POST,
            UpdateExpression="SET body = :body",
            ExpressionAttributeValues={":body": "Edited"},
        )

    trial.hold(
        trial.explore({"A": lambda: increment(table, POST, VIEWS, 1), "B": edit}, both),
        "While A counts, B edits the post's body",
        "B's edit did not change the counter, so a condition on the counter does not notice it. "
        "What does your write replace, and which operation changes only one attribute?",
    )


def hold_fresh(trial: Trial, increment: Any) -> None:
    """A read that is not strongly consistent may be answered from before the last write."""
    table = trial.table(TABLE)
    put_counter(table, MOST)

    def stored_and_counted() -> Any:
        store_text(table)
        return increment(table, POST, VIEWS, 1)

    def told(outcome: Outcome) -> str | None:
        name = type(outcome.raised.get("A")).__name__
        return None if name == "ValueError" else f"The call {_ended(name)}, not ValueError."

    trial.hold(
        trial.explore({"A": stored_and_counted}, told, stale=True),
        "The text 'many' has replaced the number in views, and then a call adds to it, by a read "
        "that may be old",
        OLD_READ,
    )


def _ended(name: str) -> str:
    return "returned" if name == "NoneType" else f"raised {name}"


def lost_reply(trial: Trial, increment: Any) -> str:
    """What a lost reply does, in a sentence; it is no fault of the answer's."""
    table = trial.table(TABLE)
    put_counter(table, 7)

    def once(outcome: Outcome) -> bool:
        return bool(_views(outcome) == 8)

    found = trial.explore({"A": lambda: increment(table, POST, VIEWS, 1)}, once, lost=True)
    if found.holds:
        return ""
    verb = "counts" if found.failing == 1 else "count"
    return (
        f"What it cannot do: with one request or reply lost, {found.failing} of "
        f"{found.schedules} schedules {verb} twice."
    )
