"""What one caller sees of a cached reader: hits, misses, what is not there, and the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.exercises.bills import read_units
from dynalab.exercises.lab12.posts import (
    MISSING,
    NEW,
    OLD,
    OTHER,
    POST,
    TABLE,
    TTL,
    Scene,
    edit,
    put_post,
    staged,
)
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial


def expect_cached_reads(trial: Trial, cached_reader: Any) -> str:
    """Refused where one caller after the other does not get what the contract says; a remark."""
    scene = staged(trial, cached_reader, "get")
    units = _expect_miss(scene)
    _expect_hit(scene)
    _expect_other_keys(scene)
    _expect_missing_kept(scene)
    _expect_a_cache_each(trial, cached_reader)
    _expect_expiry(trial, cached_reader)
    if units > 1:
        return f"your load costs {in_read_units(units)}. A plain strong read of this item costs 1."
    return ""


def _expect_miss(scene: Scene) -> float:
    value, charges = scene.get(POST)
    if not charges:
        raise Refused(
            f"The first get({POST!r}) made no request and returned {value!r}.",
            "What does a reader do if its cache is empty?",
        )
    if value != scene.stored(POST):
        raise Refused(
            f"The table holds {short(scene.stored(POST))}; get({POST!r}) returned {short(value)}.",
            "That is a whole reply. Which part of it does a caller want?"
            if isinstance(value, dict) and "ResponseMetadata" in value
            else "A miss reads the item and returns it: what does yours return?",
        )
    if len(charges) > 1:
        raise Refused(
            f"One miss made {len(charges)} requests.",
            "One read tells you whether the item exists, and what is in it. What is the other "
            "read for?",
        )
    units = read_units(charges)
    if charges[0].operation == "Scan":
        raise Refused("A Scan read the whole table for one item.", "Which read takes a key?")
    if units < 1:
        raise Refused(
            f"A miss cost {in_read_units(units)}: it is eventually consistent, and may not show "
            f"the last write. The cache would return the old item for {TTL} seconds more.",
            "Which parameter of a read asks for what is stored now?",
        )
    return units


def _expect_hit(scene: Scene) -> None:
    value, charges = scene.get(POST)
    if charges:
        raise Refused(
            f"get({POST!r}), and in the same second get({POST!r}) again: {requests(charges)} more.",
            "Where do you look before you read, and where do you keep what you have read?",
        )
    if value != scene.stored(POST):
        raise Refused(
            f"A miss returned the item, and the hit after it {short(value)}.",
            "What do you keep, and which part of it do you return?",
        )


def _expect_other_keys(scene: Scene) -> None:
    value, _ = scene.get(OTHER)
    if value != scene.stored(OTHER):
        raise Refused(
            f"get({OTHER!r}) after get({POST!r}) returned {short(value)}.",
            "Under which key does your cache keep an item?",
        )


def _expect_missing_kept(scene: Scene) -> None:
    value, _ = scene.get(MISSING)
    if value is not None:
        raise Refused(
            f"There is no {MISSING!r}, but get({MISSING!r}) returned {short(value)}.",
            "The docstring says what a caller gets for a missing post.",
        )
    value, charges = scene.get(MISSING)
    if charges:
        raise Refused(
            f"There is no {MISSING}. Two gets of it in the same second made two requests. So "
            "everybody who follows a link to a deleted post causes a read.",
            "None can mean “not in the cache” and “in the cache: there is none”. How do you tell "
            "one from the other?",
        )
    if value is not None:
        raise Refused(
            f"There is no {MISSING}; the first get returned None, the second {short(value)}.",
            "What do you keep for a missing post, and what may a caller see of it?",
        )


def _expect_a_cache_each(trial: Trial, cached_reader: Any) -> None:
    first = staged(trial, cached_reader, "get")
    first.get(POST)
    second = staged(trial, cached_reader, "get")
    edit(second.table, POST, NEW)
    value, _ = second.get(POST)
    if value != second.stored(POST):
        raise Refused(
            "cached_reader was called twice, and the second reader returned what the first had "
            "read.",
            "Where is your cache stored? Each call must make a reader with its own cache.",
        )


def _expect_expiry(trial: Trial, cached_reader: Any) -> None:
    scene = staged(trial, cached_reader, "get")
    _expect_read_anew(
        scene,
        POST,
        [TTL + 1],
        "Which clock does your cache look at, and what does it compare with ttl?",
    )
    _expect_read_anew(
        scene,
        OTHER,
        [TTL - 1, 2],
        "The hit in between made the entry live longer. From when on do the ttl seconds count?",
    )
    scene.get(MISSING)
    scene.wait(TTL + 1)
    put_post(scene.table, MISSING, NEW)
    value, _ = scene.get(MISSING)
    if value is None:
        raise Refused(
            f"There was no {MISSING}; then it was written, and {TTL + 1} seconds after the first "
            "get it is still None.",
            "For how long may “there is none” be served?",
        )


def _expect_read_anew(scene: Scene, post_id: str, waits: Sequence[int], ask: str) -> None:
    """The item changes behind the reader's back; it may be served old, but for ttl seconds only."""
    body = scene.stored(post_id) or {}
    scene.get(post_id)
    edit(scene.table, post_id, NEW if body.get("body") == OLD else OLD)
    for wait in waits[:-1]:
        scene.wait(wait)
        _, charges = scene.get(post_id)
        if charges:
            raise Refused(
                f"{wait} seconds after it was read, with ttl = {TTL}, get({post_id!r}) read again.",
                "For how long may an item be served from the cache?",
            )
    scene.wait(waits[-1])
    value, _ = scene.get(post_id)
    if value != scene.stored(post_id):
        hits = f", with a hit after {waits[0]}" if len(waits) > 1 else ""
        raise Refused(
            f"{sum(waits)} seconds after it was read{hits}, with ttl = {TTL}, get({post_id!r}) "
            f"returned {short(value)}. The table {TABLE} holds {short(scene.stored(post_id))}.",
            ask,
        )


def requests(charges: Sequence[Charge]) -> str:
    return "1 request" if len(charges) == 1 else f"{len(charges)} requests"


def short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
