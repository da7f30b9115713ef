"""The tables of lab 10, and what they hold of an author: the profile, and each post's copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.tables import PK_SK
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

TABLE, UNLISTED = "Social", "Unlisted"
BY_TIME, BY_AUTHOR = "GSI1", "GSI2"
INCLUDED = ("title", "authorName", "authorNameVersion")

MARA, TOM = "7c20", "2d11"
AT = 1750636801


def _index(name: str) -> dict[str, Any]:
    return {
        "IndexName": name,
        "KeySchema": [
            {"AttributeName": f"{name}PK", "KeyType": "HASH"},
            {"AttributeName": "createdAt", "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(INCLUDED)},
    }


TABLES: dict[str, dict[str, Any]] = {
    TABLE: {
        **PK_SK,
        "AttributeDefinitions": [
            *PK_SK["AttributeDefinitions"],
            {"AttributeName": f"{BY_TIME}PK", "AttributeType": "S"},
            {"AttributeName": f"{BY_AUTHOR}PK", "AttributeType": "S"},
            {"AttributeName": "createdAt", "AttributeType": "N"},
        ],
        "GlobalSecondaryIndexes": [_index(BY_TIME), _index(BY_AUTHOR)],
    },
    UNLISTED: PK_SK,
}


def profile_key(user_id: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}", "SK": "PROFILE"}


def post_key(post_id: str) -> dict[str, str]:
    return {"PK": f"POST#{post_id}", "SK": "META"}


def put_profile(table: Any, user_id: str, name: str, version: int, tier: str = "gold") -> None:
    """A user's profile; `followers` is a live counter."""
    item = {"name": name, "nameVersion": version, "tier": tier, "followers": 812}
    given(table, {**profile_key(user_id), **item})


def post_item(
    post_id: str, user_id: str, name: str, version: int, at: int = AT, **more: Any
) -> dict[str, Any]:
    """A post with a copy of its author's name, of that version of it."""
    return {
        **post_key(post_id),
        "title": f"About {post_id}",
        "body": "Hello",
        "tags": ["notes"],
        "author": {"id": user_id, "tier": "gold"},
        "authorName": name,
        "authorNameVersion": version,
        "createdAt": at,
        f"{BY_TIME}PK": "POST",
        f"{BY_AUTHOR}PK": f"AUTHOR#{user_id}",
        **more,
    }


def put_posts(table: Any, user_id: str, copies: Mapping[str, tuple[str, int]]) -> None:
    """Posts of one author. copies: post id → the name and its version that the post holds."""
    for number, (post_id, (name, version)) in enumerate(copies.items()):
        given(table, post_item(post_id, user_id, name, version, AT + 10 * number))


def mara(trial: Trial, copies: Mapping[str, tuple[str, int]]) -> Any:
    """The table with Mara's profile, version 3, and her posts with these copies of her name."""
    table = trial.table(TABLE)
    put_profile(table, MARA, "Mara", 3)
    put_posts(table, MARA, copies)
    return table


@dataclass(frozen=True)
class Author:
    """What the table holds of one author.

    profile: name and version, or None where there is no profile. copies: post id → the same.
    """

    profile: tuple[Any, Any] | None
    copies: Mapping[str, tuple[Any, Any]]

    @classmethod
    def of(cls, items: Sequence[dict[str, Any]], user_id: str = MARA) -> Author:
        profile = None
        copies = {}
        for item in items:
            if item["PK"] == f"USER#{user_id}" and item["SK"] == "PROFILE":
                profile = (item.get("name"), _plain(item.get("nameVersion")))
            elif item.get(f"{BY_AUTHOR}PK") == f"AUTHOR#{user_id}":
                copy = (item.get("authorName"), _plain(item.get("authorNameVersion")))
                copies[item["PK"].removeprefix("POST#")] = copy
            elif item["SK"] == "META" and f"{BY_AUTHOR}PK" not in item:
                copies[f"{item['PK']}, a ghost"] = (item.get("authorName"), None)
        return cls(profile, copies)

    @property
    def is_settled(self) -> bool:
        """Whether each copy is the profile's name, of the same version."""
        return set(self.copies.values()) <= {self.profile}

    def said(self) -> str:
        """ "the profile says Lind (version 4); posts: a91f Lind (4), 77b0 Mara (3)"."""
        return f"the profile says {in_words(self.profile)}; posts: {self.copied()}"

    def copied(self) -> str:
        said = [f"{post_id} {in_words(copy)}" for post_id, copy in self.copies.items()]
        return ", ".join(said) or "none"


def in_words(named: tuple[Any, Any] | None) -> str:
    """ "Lind (4)", a name and its version."""
    return "nothing" if named is None else f"{named[0]} ({named[1]})"


def _plain(version: Any) -> Any:
    return int(version) if isinstance(version, Decimal) and version == int(version) else version


def settled(outcome: Outcome) -> str | None:
    """An invariant: each copy is the profile's name, and nobody let out what has no name here."""
    author = Author.of(outcome.items(TABLE))
    if not author.is_settled:
        return f"{author.said()}."
    return unexpected(outcome)


def unexpected(outcome: Outcome) -> str | None:
    """The first exception that is not Overtaken, as a sentence."""
    for client, error in outcome.raised.items():
        if type(error).__name__ != "Overtaken":
            return f"{client} raised {type(error).__name__}."
    return None
