"""Writers of exercise 11.5 as clients, and what must hold of the file whoever else is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynalab.exercises.lab11.files import CHUNK, KEY, OLD, TABLE, File, put_version
from dynalab.exercises.lab11.large_calls import versions
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

O_DATA, A_DATA, B_DATA = b"ooo", b"aaa", b"bbb"  # one chunk each
LONG_O_DATA, LONG_A_DATA = b"ooooo", b"aaaaa"  # two


def writer(large_put: Any, table: Any, data: bytes, version: str) -> Callable[[], Any]:
    """A client that stores this data under this version."""
    return lambda: large_put(table, KEY, data, new_version=versions(version), chunk_bytes=CHUNK)


def begun(trial: Trial, data: bytes = O_DATA) -> Any:
    """A table with a file."""
    table = trial.table(TABLE)
    put_version(table, OLD, data, current=True)
    return table


def broken(file: File) -> str | None:
    """Where the header names what is not there."""
    if file.header is None:
        return f"The header is gone: {file.said()}."
    if file.missing():
        return f"The header names {file.missing()[0]}, which does not exist."
    return None


def both_kept(outcome: Outcome, b_data: bytes = B_DATA) -> str | None:
    """Whether the file is whole, and that of a writer whose call did not say False."""
    file = File.of(outcome.items(TABLE))
    said = {name: outcome.returned.get(name) for name in ("A", "B")}
    stood = [data for name, data in (("A", A_DATA), ("B", b_data)) if said[name] is not False]
    before = [] if True in said.values() else [O_DATA]
    if broken(file):
        return broken(file)
    if not outcome.died and first_raised(outcome):
        return first_raised(outcome)
    told = ", ".join(f"{name} returned {each}" for name, each in said.items() if each is not None)
    if file.value() not in (*stood, *before):
        return f"The file is {file.value()!r}; {told}."
    if not outcome.died and True not in said.values():
        return f"Nobody else wrote, and {told}."
    return None


def left_over(sort_keys: list[str]) -> str | None:
    if not sort_keys:
        return None
    return f"Nobody died, but this is left over: {', '.join(sort_keys)}."


def read_whole(outcome: Outcome, values: tuple[bytes, ...]) -> str | None:
    """Whether the reader Q got one of these values."""
    if "Q" in outcome.raised:
        return (
            f"Q raised {type(outcome.raised['Q']).__name__}; there was a whole file all the time."
        )
    value = outcome.returned.get("Q")
    if value in values:
        return None
    return f"Q got {value!r}, which nobody has stored."
