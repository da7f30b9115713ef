"""Albums as lab 09's checks need them: photos and their count in one item, and what others do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dynalab.engine import capacity
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.given import given, wire_item
from dynalab.exercises.words import how_it_ended, in_read_units, in_words, in_write_units
from dynalab.meter import Charge
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused

TABLE = "Albums"
DEFINITION: dict[str, Any] = {
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
MARA, TOM, INES, ZOE = "7c20", "2d11", "9a40", "f00d"
OLD_READ = (
    "What decides here: a read that may be old, or the write's own condition and the item that "
    "can come with its refusal?"
)
REFUSED = "ConditionalCheckFailedException"
DOTTED = "IMG-0042.jpg"  # in a path, the dash is no name and the dot is a step


def photo(title: str) -> dict[str, Any]:
    """A photo's metadata."""
    return {"title": title, "width": 1601}


def put_album(table: Any, user_id: str, photo_ids: Sequence[str], **more: Any) -> None:
    """An album with these photos, counted."""
    photos = {photo_id: photo(photo_id) for photo_id in photo_ids}
    item = {"PK": f"USER#{user_id}", "photos": photos, "photoCount": len(photos)}
    given(table, {**item, **more})


def size_of(item: Mapping[str, Any]) -> int:
    """What an item weighs, in bytes."""
    return capacity.item_size(wire_item(item))


@dataclass(frozen=True)
class Album:
    """What the table holds of one user. item: None where there is none."""

    item: Mapping[str, Any] | None

    @classmethod
    def of(cls, items: Sequence[dict[str, Any]], user_id: str) -> Album:
        return cls(next((item for item in items if item["PK"] == f"USER#{user_id}"), None))

    @property
    def photos(self) -> dict[str, Any]:
        """The map, empty where there is none."""
        photos = (self.item or {}).get("photos")
        return photos if isinstance(photos, dict) else {}

    @property
    def count(self) -> Any:
        """photoCount as it is stored; 0 where there is none."""
        return (self.item or {}).get("photoCount", 0)

    @property
    def agrees(self) -> bool:
        """Whether photoCount is the number of photos."""
        return isinstance(self.count, int | Decimal) and self.count == len(self.photos)

    def told(self) -> str:
        """ "photos p1 and p2, photoCount 2"."""
        ids = " and ".join(self.photos) or "none"
        return f"photos {ids}, photoCount {self.count}"


def album_of(outcome: Outcome, user_id: str = MARA) -> Album:
    return Album.of(outcome.items(TABLE), user_id)


# --- what others do meanwhile ---------------------------------------------------------------------


def add(table: Any, photo_id: str) -> None:
    """Mara's other device adds a photo to an album that has a map; it may be sent twice."""
    with suppress(table.meta.client.exceptions.ConditionalCheckFailedException):
        table.update_item(
            Key={"PK": f"USER#{MARA}"},
            UpdateExpression="SET photos.#photo = :meta ADD photoCount :one",
            ConditionExpression="attribute_not_exists(photos.#photo)",
            ExpressionAttributeNames={"#photo": photo_id},
            ExpressionAttributeValues={":meta": photo(photo_id), ":one": 1},
        )


def swap(table: Any, out: str, into: str) -> None:
    """Mara's other device puts one photo in another's place, and names the album: one request."""
    table.update_item(
        Key={"PK": f"USER#{MARA}"},
        UpdateExpression="SET photos.#into = :meta, #name = :name REMOVE photos.#out",
        ExpressionAttributeNames={"#into": into, "#out": out, "#name": "name"},
        ExpressionAttributeValues={":meta": photo(into), ":name": "Summer"},
    )


# --- what came of a call --------------------------------------------------------------------------


def refuse_raised(attempt: Attempt, situation: str, ask: str = "") -> None:
    """Refused, with a question that fits DynamoDB's message, where a call raised.

    ask: the question where the message tells nothing.
    """
    error = attempt.raised
    if error is None:
        return
    text = str(error)
    ask = advice(error) or ask
    if "paths overlap" in text:
        ask = (
            "One expression may change a place only once. It cannot change a map and a place in "
            "it, nor set a number and add to it. Which of the two changes needs a request of its "
            "own?"
        )
    elif "Syntax error" in text:
        ask = (
            "In an expression a name has letters, digits and _, and a dot is a step into a map. "
            "What can you write in place of an id with other characters?"
        )
    elif "document path" in text:
        ask = (
            "A path such as photos.p1 needs an existing map, and each dot is one step deeper. "
            "Does the map exist, and what do you write in place of the photo's id?"
        )
    elif "attribute that does not exist" in text:
        ask = "SET adds only to an existing number. Which way of adding starts at 0?"
    elif attempt.raised_name() == REFUSED:
        ask = (
            "A failed condition is an answer, not a failure: which of the cases in the docstring "
            "is this one?"
        )
    elif isinstance(error, KeyError) and error.args == ("Attributes",):
        ask = "Your reply holds no attributes; which parameter of UpdateItem asks for them?"
    raise Refused(f"{situation} {attempt.text} raised {told(error)}".lstrip(), ask)


def expect_number(attempt: Attempt, wanted: int, situation: str) -> None:
    """The returned value is this count, and an int."""
    value = attempt.returned
    text = f"{situation} {attempt.text} {how_it_ended(attempt)}".lstrip()
    if value is None:
        raise Refused(
            f"{text}; the count is {wanted}.",
            "UpdateItem's reply holds no attributes unless you ask for them, and the error of a "
            "failed condition holds no item. Which parameters ask for them?",
        )
    if value != wanted or isinstance(value, bool):
        raise Refused(f"{text}; the count is {wanted}.", _wrong_number(value, wanted))
    if type(value) is not int:
        raise Refused(
            f"{text}, which is not an int. boto3 reads every Number as a Decimal.",
            "How do you convert it to an int?",
        )


def _wrong_number(value: Any, wanted: int) -> str:
    if isinstance(value, dict):
        return "Which part of the reply is the number?"
    if isinstance(value, int | Decimal) and abs(value - wanted) == 1:
        return (
            "It differs by one. Is it the old value, or one that you computed? Or is it the "
            "length of the photos that UPDATED_NEW returns, which are only the changed ones? "
            "Which attribute of the reply is the new count?"
        )
    return "Where does your function get the number from?"


def no_write(charges: Sequence[Charge]) -> bool:
    """Whether a call asked for no write at all."""
    return not any(charge.write_units or charge.error for charge in charges)


def was_refused(charges: Sequence[Charge]) -> bool:
    """Whether a condition of the call's did not hold."""
    return any(charge.error == REFUSED for charge in charges)


def asking(found: Exploration, ask: str) -> str:
    """The question about a search; another one where the shortest failure is a refusal let out."""
    errors = found.failure.outcome.raised.values() if found.failure is not None else ()
    if any(type(error).__name__ == REFUSED for error in errors):
        return (
            "The condition worked: the write came a second time, or another device had written "
            "it, and nothing was counted twice. What does such a refusal mean for your caller?"
        )
    return ask


def left(album: Album) -> str:
    """The whole item in words, cut where it is long."""
    words = in_words(dict(album.item)) if album.item else "nothing"
    return words if len(words) <= 160 else f"{words[:159]}…"


def bill_text(charges: Sequence[Charge]) -> str:
    """The write units of a call: "1 write unit"."""
    units = write_units(charges)
    return in_write_units(units)


def cost_remark(charges: Sequence[Charge], enough: str) -> str:
    """A remark where a call took more than one request, or a transaction."""
    if len(charges) == 1 and charges[0].operation != "TransactWriteItems":
        return ""
    operations = " and ".join(charge.operation for charge in charges)
    reads = read_units(charges)
    extra = f" and {in_read_units(reads)}" if reads else ""
    many = "1 request" if len(charges) == 1 else f"{len(charges)} requests"
    return f"it took {many}, {operations}: {bill_text(charges)}{extra}. {enough}"
