"""A load that fails: whoever waited for it comes back, and nobody takes the error for an item."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab12.posts import POST, TTL, Scene, staged
from dynalab.exercises.lab12.readers import REFUSED, TIMED_OUT, Reader, readers
from dynalab.exercises.lab12.waiting import expect_item
from dynalab.telling import told
from dynalab.trial import Refused, Trial

_WHAT = {REFUSED: "DynamoDB refused the read", TIMED_OUT: "The read timed out"}


def expect_failures_end(trial: Trial, cached_reader: Any) -> None:
    """Refused where a load that fails leaves somebody waiting, or anything behind."""
    for fails, expired in ((REFUSED, False), (REFUSED, True), (TIMED_OUT, False)):
        scene = staged(trial, cached_reader, "get")
        if expired:
            scene.get(POST)
            scene.wait(TTL + 1)
        _expect_failure_ends(scene, fails, expired)


def _expect_failure_ends(scene: Scene, fails: str, expired: bool) -> None:
    def get() -> Any:
        return scene.reader.get(POST)

    with readers() as some:
        first = some.start(get, held=True, fails=fails)
        crowd = [some.start(get) for _ in range(2)]
        missing = some.missing()
        if not missing:
            after = some.start(get)
            missing = some.missing()
    if missing:
        raise _left_waiting(missing, fails)
    if first.requests and first.raised is None:
        old = ", which had expired" if expired and first.returned is not None else ""
        raise Refused(
            f"{_WHAT[fails]}, and get({POST!r}) returned {first.returned!r}{old}. The caller takes "
            "that for an answer.",
            "Which errors of a read may you hide? The docstring says who gets them.",
        )
    _expect_forgotten(after, scene)
    for reader in crowd:
        if reader.raised is None:
            expect_item(reader, scene)


def _left_waiting(missing: int, fails: str) -> Refused:
    if fails == TIMED_OUT:
        return Refused(
            f"A load ended with a ReadTimeoutError, which is not a ClientError: {missing} of the "
            "readers that asked for its post never returned. (After a ClientError all did.)",
            "A network fails in ways that DynamoDB does not know. For which errors do you clean "
            "up?",
        )
    return Refused(
        f"After a failed load, {missing} of the readers that asked for its post never returned.",
        "A load leaves a note in the dict before it begins. What removes the note, whatever "
        "happens, and what wakes the waiting readers?",
    )


def _expect_forgotten(after: Reader, scene: Scene) -> None:
    if after.raised is None and after.returned == scene.stored(POST):
        return
    ended = "returned " + repr(after.returned)
    if after.raised is not None:
        ended = f"raised {told(after.raised)}"
    raise Refused(
        f"One load failed. The next get({POST!r}), which DynamoDB would have answered, {ended}",
        "An error is not an item: for how long should you remember it?",
    )
