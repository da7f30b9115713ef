"""Many readers at once: one load for all who ask for the same post, and nobody else waits."""

from __future__ import annotations

from functools import partial
from typing import Any

from dynalab.exercises.lab12.failed_loads import expect_failures_end
from dynalab.exercises.lab12.posts import OTHER, POST, THIRD, TTL, Scene, staged
from dynalab.exercises.lab12.readers import readers
from dynalab.exercises.lab12.waiting import expect_item, refuse_error
from dynalab.trial import Refused, Trial

READERS = 6


def expect_one_load(trial: Trial, cached_reader: Any) -> None:
    """Refused where an expired item is loaded by more than one of its waiting readers."""
    scene = staged(trial, cached_reader, "get")
    scene.get(POST)
    scene.wait(TTL + 1)
    _expect_one_request(scene)
    _expect_others_served(staged(trial, cached_reader, "get"))
    expect_failures_end(trial, cached_reader)


def _expect_one_request(scene: Scene) -> None:
    with scene.trial.bill() as charges, readers() as some:
        crowd = [some.start(lambda: scene.reader.get(POST), held=True) for _ in range(READERS)]
        missing = some.missing()
        loader_too = any(reader.requests and not reader.gone_within(0) for reader in crowd)
    if some.strangers:
        raise Refused(
            f"get({POST!r}) started a thread of its own for the read; the docstring says that one "
            "of its callers makes it.",
            "The callers wait in any case. Which of them could read for the others?",
        )
    if len(charges) > 1:
        raise Refused(
            f"{READERS} readers asked for the same expired post before the first had its answer: "
            f"{len(charges)} requests. With a thousand readers this is a thundering herd, and it "
            "comes every ttl seconds.",
            "The first reader is already loading. How do the others learn that, and how do they "
            "get its result?",
        )
    if missing:
        raise Refused(
            f"A load succeeded, but {missing} of the {READERS} readers that asked for its post "
            + (
                "never returned: not even the one that had the reply."
                if loader_too
                else "never returned."
            ),
            "It waits for something that a waiting reader holds. Which lock do you hold while you "
            "wait?"
            if loader_too
            else "What wakes the waiting readers?",
        )
    for reader in crowd:
        expect_item(reader, scene)


def _expect_others_served(scene: Scene) -> None:
    scene.get(OTHER)
    with readers() as some:
        some.start(lambda: scene.reader.get(POST), held=True)
        for post_id, what in ((OTHER, "which is in the cache"), (THIRD, "which nobody reads yet")):
            other = some.start(partial(scene.reader.get, post_id))
            if not other.ends():
                raise Refused(
                    f"One reader was waiting for {POST} from DynamoDB. get({post_id!r}), {what}, "
                    "did not return until the reply was there.",
                    "What does your lock protect, and for how long do you hold it? Readers of two "
                    "different posts need not wait for each other.",
                )
            refuse_error(other)
        some.missing()
