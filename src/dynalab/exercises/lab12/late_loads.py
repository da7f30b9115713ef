"""Loads that end after a write: they leave the cache, newer loads and those that wait alone.

Each of these holds a reply back, and lets it go in an order that is fixed.
"""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab12.posts import NEW, POST, Scene, edit, staged
from dynalab.exercises.lab12.readers import REFUSED, readers
from dynalab.telling import told
from dynalab.trial import Refused, Trial

NOT_ITS_OWN = (
    "At the end of a load it removes its own entry from the dict: is that entry still its own by "
    "then?"
)
_UNDER_WAY = "A load was running when its post was invalidated, and another reader came"


def expect_no_waiting(scene: Scene) -> None:
    """Refused where invalidate waits for a load."""
    with readers() as some:
        some.start(lambda: scene.reader.get(POST), held=True)
        writer = some.start(lambda: scene.reader.invalidate(POST))
        in_time = writer.ends()
        some.missing()
    if not in_time:
        raise Refused(
            f"A reader was waiting for {POST} from DynamoDB, and invalidate({POST!r}) waited for "
            "the reader. Each write would take as long as the slowest read.",
            "Which lock do you hold while you load? invalidate must know that a load is running, "
            "but need not wait for it.",
        )


def expect_late_loads_harmless(trial: Trial, cached_reader: Any) -> None:
    """Refused where a load that began before a write does harm when it ends after it."""

    def scene() -> Scene:
        return staged(trial, cached_reader, "get", "invalidate")

    _expect_late_readers_new(scene())
    _expect_two_writes_seen(scene())
    for fails in ("", REFUSED):
        _expect_newer_load_shared(scene(), fails)


def _expect_late_readers_new(scene: Scene) -> None:
    """Load, write, invalidate; then another reader comes, and only then the load is there."""
    with readers() as some:
        early = some.start(lambda: scene.reader.get(POST), held=True)
        edit(scene.table, POST, NEW)
        scene.trial.call(scene.reader.invalidate, POST)
        late = some.start(lambda: scene.reader.get(POST))
        missing = some.missing()
    if missing:
        raise Refused(
            f"{_UNDER_WAY}. {missing} of the two never returned.",
            "What wakes the waiting readers, if the result of the load must not be kept?",
        )
    for reader in (early, late):
        if reader.raised is not None:
            raise Refused(f"{_UNDER_WAY}: get raised {told(reader.raised)}", NOT_ITS_OWN)
    if late.returned != scene.stored(POST):
        raise Refused(
            "A load was running. Then the post was edited and invalidated, and only then another "
            f"reader came: it got {late.returned!r}, but {NEW!r} was stored before it asked.",
            "It got its item from a load that had read before the write. Which loads may a reader "
            "wait for?",
        )
    value, _ = scene.get(POST)
    if value != scene.stored(POST):
        raise Refused(
            f"Load, write, invalidate; then a second reader loaded {NEW!r}, and at last the first "
            f"load filled the cache: it holds {value!r} again, as before the write.",
            "If one load removes a mark, the other load does not see it any more. What never "
            "returns to an old value?",
        )


def _expect_two_writes_seen(scene: Scene) -> None:
    """What a load noted must not come again: not after two writes, not in the same second."""
    scene.trial.call(scene.reader.invalidate, POST)
    with readers() as some:
        some.start(lambda: scene.reader.get(POST), held=True)
        for body in ("Hello, edited once", NEW):
            edit(scene.table, POST, body)
            scene.trial.call(scene.reader.invalidate, POST)
        some.missing()
    value, _ = scene.get(POST)
    if value != scene.stored(POST):
        raise Refused(
            f"{POST} was invalidated; a load began; {POST} was edited and invalidated twice, all "
            f"within one second; the load ended. Then get({POST!r}) returned {value!r}, but "
            f"{NEW!r} is stored.",
            "At its end the load found the same value that it had noted at its beginning. Which "
            "value never comes again, however often and however soon somebody writes?",
        )


def _expect_newer_load_shared(scene: Scene, fails: str) -> None:
    """An older load ends while a newer one is under way; whoever comes then joins the newer."""
    with readers() as some:
        older = some.start(lambda: scene.reader.get(POST), held=True, fails=fails)
        edit(scene.table, POST, NEW)
        scene.trial.call(scene.reader.invalidate, POST)
        newer = some.start(lambda: scene.reader.get(POST), held=True)
        older.let_go()
        older.ends()
        newer.rests()  # who waited for the older one begins only now
        third = some.start(lambda: scene.reader.get(POST), held=True)
        missing = some.missing()
    ended = "failed" if fails else "ended"
    story = (
        f"{_UNDER_WAY} that began a newer load. The older load {ended}; then a third reader asked "
        "for the post, while the newer load was still running"
    )
    if missing:
        raise Refused(f"{story}. {missing} of the three never returned.", NOT_ITS_OWN)
    for reader in (newer, third):
        if reader.raised is not None:
            raise Refused(f"{story}: get raised {told(reader.raised)}", NOT_ITS_OWN)
    if newer.requests + third.requests > 1:
        raise Refused(
            f"{story}: it made a request of its own.",
            "How does a reader learn that a load is running? And which load may remove that note?",
        )
