"""What a reader got that waited for another one's load."""

from __future__ import annotations

from dynalab.exercises.lab12.posts import POST, Scene
from dynalab.exercises.lab12.readers import Reader
from dynalab.telling import advice, told
from dynalab.trial import NotAttempted, Refused


def expect_item(reader: Reader, scene: Scene) -> None:
    """Refused where it did not get the item as it is stored."""
    refuse_error(reader)
    if reader.returned != scene.stored(POST):
        raise Refused(
            f"Some readers waited for one load, and one of them got {reader.returned!r}.",
            "What does a reader return that waited for the load of another?",
        )


def refuse_error(reader: Reader) -> None:
    """Refused where its get raised; NotAttempted where that is not written yet."""
    if isinstance(reader.raised, NotImplementedError):
        raise NotAttempted
    if reader.raised is not None:
        raise Refused(
            f"With several readers at once, get raised {told(reader.raised)}",
            advice(reader.raised),
        )
