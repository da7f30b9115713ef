"""What comes in at a step of a load, or of invalidate: another reader, a write, a load's end."""

from __future__ import annotations

from functools import partial
from typing import Any

from dynalab.exercises.lab12.pauses import MOST_STEPS, Paused
from dynalab.exercises.lab12.posts import NEW, POST, TTL, Scene, edit, staged
from dynalab.exercises.lab12.readers import Reader, Readers, readers
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

_APART = (
    "Another call came in between your look and what you did next. Which of these steps must be "
    "one, under one lock?"
)


def expect_one_read(trial: Trial, cached_reader: Any) -> int:
    """Refused where a reader that comes in at a step of another one's makes a second request.

    Returns the number of steps.
    """
    first = staged(trial, cached_reader, "get")
    for at in range(1, MOST_STEPS + 1):
        scene = first.again(cached_reader)
        get = partial(scene.reader.get, POST)
        with readers() as some, trial.bill() as charges:
            paused = Paused(get, cached_reader, at, partial(some.start, get))
            reader, missing = _run(scene, some, paused)
        came_in = f"{_stopped(f'get({POST!r})', paused)}Another reader asked for the same post then"
        if missing:
            raise Refused(f"{came_in}, and one of the two never returned.", _APART)
        if not paused.reached:
            return at - 1
        if reader.raised is not None:
            raise Refused(
                f"{came_in}, and the first raised {told(reader.raised)}", advice(reader.raised)
            )
        if paused.let_in and len(charges) > 1:
            raise Refused(f"{came_in}: {len(charges)} requests within {TTL} seconds.", _APART)
    return MOST_STEPS


def expect_nothing_old(trial: Trial, cached_reader: Any) -> tuple[int, int]:
    """Refused where a step of a load, or of invalidate, lets something old into the cache.

    Returns the number of steps of both.
    """
    scene = staged(trial, cached_reader, "get", "invalidate")
    return _write_in_a_load(scene, cached_reader), _load_in_invalidate(scene, cached_reader)


def _write_in_a_load(first: Scene, cached_reader: Any) -> int:
    for at in range(1, MOST_STEPS + 1):
        scene = first.again(cached_reader)

        def write(scene: Scene = scene) -> None:
            edit(scene.table, POST, NEW)
            scene.reader.invalidate(POST)

        with readers() as some:
            load = partial(scene.reader.get, POST)
            paused = Paused(load, cached_reader, at, partial(some.start, write))
            _, missing = _run(scene, some, paused)
        came_in = f"{_stopped(f'get({POST!r})', paused)}Then {POST} was edited and invalidated"
        _expect_new(scene, paused, came_in, missing)
        if not paused.reached:
            return at - 1
    return MOST_STEPS


def _load_in_invalidate(first: Scene, cached_reader: Any) -> int:
    for at in range(1, MOST_STEPS + 1):
        scene = first.again(cached_reader)
        with readers() as some:
            load = some.start(partial(scene.reader.get, POST), held=True)
            edit(scene.table, POST, NEW)

            def end_the_load(load: Reader = load) -> Reader:
                load.let_go()
                load.rests()
                return load

            invalidate = partial(scene.reader.invalidate, POST)
            paused = Paused(invalidate, cached_reader, at, end_the_load)
            _, missing = _run(scene, some, paused)
        came_in = (
            f"{_stopped(f'invalidate({POST!r})', paused)}Then a load ended that had read before "
            "the write"
        )
        _expect_new(scene, paused, came_in, missing)
        if not paused.reached:
            return at - 1
    return MOST_STEPS


def _run(scene: Scene, some: Readers, paused: Paused) -> tuple[Reader, int]:
    """The call that is stopped, once all are over; and how many never come back."""
    with scene.looking(paused.look):
        reader = some.start(paused)
        reader.ends()  # before the others are let go
        return reader, some.missing()


def _expect_new(scene: Scene, paused: Paused, came_in: str, missing: int) -> None:
    if missing:
        raise Refused(f"{came_in}, and one of the two calls never returned.", _APART)
    if not paused.let_in:
        return
    value, _ = scene.get(POST)
    if value != scene.stored(POST):
        raise Refused(
            f"{came_in}. When both were over, get({POST!r}) returned {value!r}, but {NEW!r} is "
            "stored.",
            _APART,
        )


def _stopped(call: str, paused: Paused) -> str:
    where = f" at its line\n    {paused.line}\n" if paused.line else ". "
    return f"{call} was stopped for a moment{where}"
