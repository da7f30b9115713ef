"""Exercise 9.4: from how many photos on one more costs more than a transaction."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.engine import capacity, limits
from dynalab.exercises.lab09.albums import MARA, TABLE, TOM, Album, add, put_album, size_of
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import in_write_units
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

_SMALL = 200  # bytes of an item, well below a kilobyte
_ID = "2026-11-30-harbour-in-the-evening-after-rain"  # long, so that few photos fill 4 KB

# The order tells the usual mistakes apart; no pair rests on a rounding of its own.
_ALBUMS = (
    (900, 30),
    (100, 200),
    (150, 90),
    (96, 400),
    (96, 500),
    (60, 1_024),
    (900, 50),
    (100, 3_000),
    (100, 4_000),
    (3_000, 1_000),
    (3_900, 300),
    (4_096, 30),
    (5_000, 30),
    (40_000, 200),
    (100, 1),
)


def check_break_even(break_even: Any, trial: Trial) -> Passed:
    tally = _tally_units()
    for row_bytes, photo_bytes in _ALBUMS:
        _expect(trial, break_even, row_bytes, photo_bytes, tally)
    row_bytes, photo_bytes = _real_sizes(trial)
    count = _expect(trial, break_even, row_bytes, photo_bytes, tally)
    before, after = (_measured(trial, photos) for photos in (count - 1, count))
    most = (limits.ITEM_BYTES - row_bytes) // photo_bytes
    return Passed(
        f"{len(_ALBUMS) + 1} albums agree. Measured, photos of {photo_bytes} bytes: with "
        f"{count - 1} in the album the next one costs {in_write_units(before)}, with {count} it "
        f"costs {after:g}; the transaction costs {tally:g} each time. About {most:,} photos fill "
        f"the item, and the last of them costs {_one_more(row_bytes, photo_bytes, most - 1):g}."
    )


def _tally_units() -> float:
    """A photo and a tally in a transaction: two small items."""
    return 2 * capacity.write_units(_SMALL, transactional=True)


def _one_more(row_bytes: int, photo_bytes: int, photos: int) -> float:
    before, after = (row_bytes + n * photo_bytes for n in (photos, photos + 1))
    return capacity.write_units_between(before, after)


def _wanted(row_bytes: int, photo_bytes: int, tally: float) -> int:
    photos = 0
    while _one_more(row_bytes, photo_bytes, photos) <= tally:
        photos += 1
    return photos


def _expect(trial: Trial, break_even: Any, row_bytes: int, photo_bytes: int, tally: float) -> int:
    wanted = _wanted(row_bytes, photo_bytes, tally)
    text = f"break_even({row_bytes:_}, {photo_bytes:_})"
    attempt = trial.attempt(break_even, row_bytes, photo_bytes)
    if attempt.raised is not None:
        refuse_slip(attempt)
        raise Refused(
            f"{text} raised {told(attempt.raised)}",
            advice(attempt.raised)
            or f"Every album has an answer, {wanted:,} here: which case does your function not "
            "handle?",
        )
    found = attempt.returned
    if found is None:
        raise Refused(
            f"{text} returned None.",
            "The answer is a number of photos. Which path through your function ends without a "
            "`return`?",
        )
    if isinstance(found, bool) or not isinstance(found, int):
        right = isinstance(found, float) and found == wanted
        raise Refused(
            f"{text} returned {found!r}.",
            "The answer is a number of photos: how do you convert it to an int?"
            if right
            else "A number of photos is a whole number: do you round a part of one up or down?",
        )
    if found == wanted:
        return wanted
    size = row_bytes + (wanted + 1) * photo_bytes
    units = _one_more(row_bytes, photo_bytes, wanted)
    raise Refused(
        f"{text} returned {found:,}. With {wanted:,} photo{'' if wanted == 1 else 's'} in the "
        f"album, one more makes an item of {size:,} bytes: {in_write_units(units)}. That is the "
        f"first that costs more than {tally:g}.",
        _question(found, row_bytes, photo_bytes, wanted, tally),
    )


def _question(found: int, row_bytes: int, photo_bytes: int, wanted: int, tally: float) -> str:
    """Which of the usual slips gives this number."""
    limit = int(tally) * capacity.WRITE_UNIT_BYTES
    if found < 0:
        return (
            "Can an album hold fewer than 0 photos? What is the answer if even the first one "
            "costs more?"
        )
    if found == (limits.ITEM_BYTES - row_bytes) // photo_bytes:
        return "That is how many fit into an item. At which size do four write units end?"
    if found == limit // photo_bytes:
        return (
            "An update is billed by the size of the whole item, and the item holds more than "
            "photos: where do you count its keys, names and the rest?"
        )
    if found == wanted + 1:
        return (
            "One too many. An update is billed by the item before or after it, whichever is "
            "larger: which one is that here? The answer counts the photos that are there before "
            "the update."
        )
    if found == wanted - 1:
        if (limit - row_bytes) % photo_bytes == 0:
            return f"One too few. What does an item of exactly {limit:,} bytes cost?"
        return (
            "One too few. The first photo that costs more is not one of the photos before it: "
            "which photos do you count?"
        )
    if found == max(0, (int(tally) * 1_000 - row_bytes) // photo_bytes):
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    if found == _by_total(row_bytes, photo_bytes, tally):
        return "That compares the bills of all photos so far. What does the *next* photo cost?"
    return (
        "How large is the item with one more photo, what does a write of that size cost, and when "
        "is that more than the transaction costs?"
    )


def _by_total(row_bytes: int, photo_bytes: int, tally: float) -> int:
    """How many photos it takes until the album has cost more than as many transactions."""
    photos, paid = 0, 0.0
    while paid <= tally * photos:
        paid += _one_more(row_bytes, photo_bytes, photos)
        photos += 1
    return photos


# --- measured -------------------------------------------------------------------------------------


def _real_sizes(trial: Trial) -> tuple[int, int]:
    """The bytes of an album without photos, and what one more photo adds to it."""
    table = trial.table(TABLE)
    put_album(table, TOM, _ids(11))
    item = dict(Album.of(trial.items(TABLE), TOM).item or {})
    empty = {**item, "photos": {}}
    return size_of(empty), (size_of(item) - size_of(empty)) // 11


def _ids(count: int) -> list[str]:
    return [f"{_ID}-{number:02}" for number in range(count)]


def _measured(trial: Trial, photos: int) -> float:
    """What one more photo costs in an album of so many."""
    table = trial.table(TABLE)
    put_album(table, MARA, _ids(photos))
    with trial.bill() as charges:
        add(table, f"{_ID}-{photos:02}")
    return charges[0].write_units
