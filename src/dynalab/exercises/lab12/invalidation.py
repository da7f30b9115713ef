"""Exercise 12.3: what was read before a write is in no cache after it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError, InvalidStateError
from contextlib import AbstractContextManager
from typing import Any

from dynalab.check import Passed
from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.exercises.every_client import answering
from dynalab.exercises.lab12.between_steps import expect_nothing_old
from dynalab.exercises.lab12.cached_reads import expect_cached_reads
from dynalab.exercises.lab12.late_loads import (
    NOT_ITS_OWN,
    expect_late_loads_harmless,
    expect_no_waiting,
)
from dynalab.exercises.lab12.looks_and_room import expect_looks_and_room
from dynalab.exercises.lab12.one_load import expect_one_load
from dynalab.exercises.lab12.pauses import every
from dynalab.exercises.lab12.posts import (
    MISSING,
    NEW,
    OTHER,
    POST,
    TABLE,
    THIRD,
    Scene,
    edit,
    put_post,
    staged,
)
from dynalab.exercises.slips import refuse_slip
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

METHODS = ("get", "invalidate")
ARRIVES = "(the reply arrives)"


def check_invalidate(cached_reader: Any, trial: Trial) -> Passed:
    staged(trial, cached_reader, *METHODS)  # a method that is missing is told first
    remark = expect_cached_reads(trial, cached_reader)
    _expect_invalidation(staged(trial, cached_reader, *METHODS))
    expect_no_waiting(staged(trial, cached_reader, *METHODS))
    extent = _hold_write_and_fill(trial, cached_reader)
    expect_late_loads_harmless(trial, cached_reader)
    expect_one_load(trial, cached_reader)
    expect_looks_and_room(trial, cached_reader)
    of_load, of_invalidate = expect_nothing_old(trial, cached_reader)
    return Passed(
        f"{extent[0].upper()}{extent[1:]} of a load, a write and its invalidate; a write at "
        f"{every(of_load)} of a load, and a load that ends at {every(of_invalidate)} of "
        "invalidate (a step is a line of yours, or a look at the clock): no read that begins "
        "afterwards finds the old item. invalidate waits for no load and sends no request.",
        remark,
    )


# --- one after the other --------------------------------------------------------------------------


def _expect_invalidation(scene: Scene) -> None:
    for post_id in (POST, OTHER, MISSING):
        scene.get(post_id)
    edit(scene.table, POST, NEW)
    with scene.trial.bill() as sent:
        _invalidate(scene, POST, f"{POST} was in the cache, and no load of it was running")
    if sent:
        raise Refused(
            f"invalidate({POST!r}) sent {sent[0].operation}.",
            "A reader loads what it needs when it needs it. What is left for invalidate to do?",
        )
    value, _ = scene.get(POST)
    if value != scene.stored(POST):
        raise Refused(
            f"{POST} was read, edited and invalidated; then get({POST!r}) returned {value!r}.",
            "“There is none” is an answer too, but it is wrong here. What should the next get "
            "find in the cache?"
            if value is None
            else "Which entry of which cache do you delete?",
        )
    _, charges = scene.get(POST)
    if charges:
        raise Refused(
            f"After invalidate({POST!r}), two gets made two requests.",
            "The load began after the write. What keeps its item out of the cache?",
        )
    _, charges = scene.get(OTHER)
    if charges:
        raise Refused(
            f"invalidate({POST!r}) also deleted the entry of {OTHER}: its next get read again.",
            "One post was written. Which entry is out of date?",
        )
    put_post(scene.table, MISSING, NEW)
    scene.trial.call(scene.reader.invalidate, MISSING)
    value, _ = scene.get(MISSING)
    if value is None:
        raise Refused(
            f"{MISSING} did not exist; then it was written and invalidated, and get({MISSING!r}) "
            "still returned None.",
            "Is “there is none” an entry of your cache that invalidate can find?",
        )
    _invalidate(scene, THIRD, f"Nobody had read {THIRD}")


def _invalidate(scene: Scene, post_id: str, before: str) -> None:
    attempt = scene.trial.attempt(scene.reader.invalidate, post_id)
    refuse_slip(attempt)
    if attempt.raised is not None:
        raise Refused(
            f"{before}; {attempt.text} raised {told(attempt.raised)}",
            "The writer of a post does not know who has read it, or reads it now. What if there "
            "is nothing to delete?"
            if isinstance(attempt.raised, KeyError)
            else advice(attempt.raised),
        )


# --- every order ----------------------------------------------------------------------------------


def _hold_write_and_fill(trial: Trial, cached_reader: Any) -> str:
    table = staged(trial, cached_reader).table
    made: dict[str, Any] = {}
    arriving = threading.local()

    def read() -> Any:
        # A starts first in every run. So each run has a reader, and a cache, of its own.
        made["reader"] = cached_reader(table, 60, lambda: 1_000.0)
        arriving.here = True
        return _body(made["reader"].get(POST))

    def write() -> None:
        edit(table, POST, NEW)
        made["reader"].invalidate(POST)

    def new_after_the_write(outcome: Outcome) -> str | None:
        for name, error in outcome.raised.items():
            return f"{name} raised {type(error).__name__}: {error}"
        found = outcome.returned["R"]
        return None if found == NEW else f"R got {found!r}, but {NEW!r} is stored."

    with _replies_on_their_way(arriving):
        found = trial.explore(
            {"A": read, "B": write},
            new_after_the_write,
            recover=lambda: _body(made["reader"].get(POST)),
            crash=False,
            sharing=True,
        )
    ask = (
        "A read the post before the write and filled the cache after the invalidate. What can A "
        "note when its load begins, and compare before it fills the cache?"
    )
    if found.failure is not None and found.failure.outcome.raised:
        ask = _about(next(iter(found.failure.outcome.raised.values())))
    return trial.hold(
        found,
        "A reads a post through the cache; B edits it and then calls invalidate. A's step "
        f"{ARRIVES} is the moment at which it has the reply, before it fills the cache. R reads "
        "after all that",
        ask,
    )


def _about(error: BaseException) -> str:
    if isinstance(error, KeyError | InvalidStateError | CancelledError):
        return NOT_ITS_OWN
    return (
        "A asked before the write, so it may get the value of that time. Must its get fail "
        "because of a write?"
    )


def _replies_on_their_way(arriving: threading.local) -> AbstractContextManager[None]:
    """Some threads make one more request when a reply is there, so that a schedule may stop there.

    arriving: has `here` in the threads that do.
    """
    connection = connect()

    def arrive(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        reply = go()
        if getattr(arriving, "here", False):
            arriving.here = False
            moment = {"TableName": TABLE, "Key": {"PK": {"S": POST}, "SK": {"S": ARRIVES}}}
            connection.answer("GetItem", {**moment, "ConsistentRead": True})
        return reply

    return answering(arrive)


def _body(item: Any) -> Any:
    return item.get("body") if isinstance(item, dict) else item
