"""What few posts and a clock that stands still hide: how often it looks, how much it holds."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab12.cached_reads import requests, short
from dynalab.exercises.lab12.posts import POST, TTL, Scene, staged
from dynalab.telling import told
from dynalab.trial import Refused, Trial

ROOM = 200  # posts
_MOST_LOOKS = 12


def expect_looks_and_room(trial: Trial, cached_reader: Any) -> None:
    """Refused where an entry is gone in the middle of a hit, or where too few have room."""
    _expect_expiry_between_looks(trial, cached_reader)
    _expect_room(trial, cached_reader)


def _expect_expiry_between_looks(trial: Trial, cached_reader: Any) -> None:
    """The ttl seconds are over at each of the looks that a hit takes at the clock."""
    first = staged(trial, cached_reader, "get")
    for nth in range(1, _MOST_LOOKS + 1):
        scene = first.again(cached_reader)
        scene.get(POST)
        left = [nth]

        def look(scene: Scene = scene, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                scene.wait(TTL + 1)

        with scene.looking(look):
            attempt = trial.attempt(scene.reader.get, POST)
        if left[0] > 0:
            return
        if attempt.raised is not None or attempt.returned != scene.stored(POST):
            ended = f"returned {short(attempt.returned)}."
            if attempt.raised is not None:
                ended = f"raised {told(attempt.raised)}"
            raise Refused(
                f"{POST} was in the cache, and expired between one look at the clock and the next "
                f"of the same call: get({POST!r}) {ended}",
                "First you ask whether the entry exists, and then you read it; each time the "
                "cache looks at the clock. How do you ask once for both?",
            )


def _expect_room(trial: Trial, cached_reader: Any) -> None:
    scene = staged(trial, cached_reader, "get")
    posts = [f"POST#{number:04}" for number in range(1, ROOM + 1)]

    def get_all_posts() -> None:
        for post_id in posts:
            scene.reader.get(post_id)

    trial.call(get_all_posts)
    with trial.bill() as charges:
        trial.call(get_all_posts)
    if charges:
        raise Refused(
            f"{ROOM} posts were read one after the other, and all of them again in the same "
            f"second: {requests(charges)} more.",
            f"How many entries does your cache hold? The docstring asks for at least {ROOM}.",
        )
