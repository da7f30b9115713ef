"""What a new post of exercise 10.1 holds: its own, the tags, the author, and the indexes' keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynalab.exercises.lab10.posts import TABLE, post_key
from dynalab.exercises.whole_numbers import is_whole
from dynalab.exercises.words import operations
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial

_PROFILES = ("USER#7c20", "USER#2d11")
_FIRST = "POST#a91f META"  # it stays when the second post is made


@dataclass(frozen=True)
class Given:
    """What new_post gets of a post. at: epoch seconds."""

    title: str
    body: str
    tags: tuple[str, ...]
    at: int


def expect_post(
    trial: Trial,
    attempt: Attempt,
    charges: Sequence[Charge],
    post_id: str,
    given: Given,
    author: tuple[str, int, str, str],
) -> None:
    """author: the profile's name, nameVersion and tier, and the user id."""
    name, version, tier, user_id = author
    _expect_one_item(trial, attempt, charges, post_id)
    item = trial.item(TABLE, **post_key(post_id)) or {}
    stored = f"{attempt.text} stored POST#{post_id}"
    for attribute, text in {"title": given.title, "body": given.body}.items():
        if item.get(attribute) != text:
            raise Refused(
                f"{stored} with {attribute} {_said(item, attribute)}; the call gave {text!r}.",
                f"What is the post's {attribute}?",
            )
    _expect_tags(stored, item, list(given.tags))
    _expect_author(stored, item, user_id, tier)
    _expect_copy(stored, item, name, version)
    wanted = {"GSI1PK": "POST", "GSI2PK": f"AUTHOR#{user_id}", "createdAt": given.at}
    for attribute, value in wanted.items():
        if item.get(attribute) != value:
            raise Refused(
                f"{stored}. {attribute} is {item.get(attribute, 'not there')}.",
                "An item without an index's key is not in that index, and one with another key is "
                f"not found by the Query. Which value of {attribute} does the docstring name?",
            )


def _said(item: dict[str, Any], attribute: str) -> str:
    return repr(item[attribute]) if attribute in item else "not there"


def _expect_one_item(
    trial: Trial, attempt: Attempt, charges: Sequence[Charge], post_id: str
) -> None:
    keys = [f"{each['PK']} {each['SK']}" for each in trial.items(TABLE)]
    posts = [key for key in keys if not key.startswith(_PROFILES)]
    there = trial.item(TABLE, **post_key(post_id)) is not None
    if not posts:
        refused = any(charge.error for charge in charges)
        raise Refused(
            f"After {attempt.text} the table holds the profiles and no post; it sent "
            f"{operations(charges)}.",
            "Your write was refused. Which condition is true if there is no post yet?"
            if refused
            else "Which request stores a post?",
        )
    if not there:
        raise Refused(
            f"After {attempt.text} there is no item with PK POST#{post_id} and SK META. "
            f"The table holds, beside the profiles: {', '.join(posts)}.",
            "The docstring has the key of a post: what does yours contain?",
        )
    if set(posts) - {_FIRST, f"POST#{post_id} META"}:
        raise Refused(
            f"{attempt.text} wrote more than the post: {', '.join(posts[:4])}.",
            "Tags and author are embedded, so that one GetItem brings them all. What must the "
            "post's own item hold?",
        )


def _expect_tags(stored: str, item: dict[str, Any], tags: list[str]) -> None:
    found = item.get("tags")
    if found == tags:
        return
    seen = (
        f"{stored}. tags is {found if found is not None else 'not there'!r}; the call gave "
        f"{tags!r}."
    )
    if isinstance(found, list) and sorted(map(str, found)) == sorted(tags):
        raise Refused(seen, "The tags are the right ones; in which order were they given?")
    raise Refused(
        seen,
        "boto3 stores a list as a list, a set as a set, and a text as a text. Which of them "
        "keeps the order, and may be empty?",
    )


def _expect_author(stored: str, item: dict[str, Any], user_id: str, tier: str) -> None:
    author = item.get("author")
    if author == {"id": user_id, "tier": tier}:
        return
    if isinstance(author, dict) and "followers" in author:
        raise Refused(
            f"{stored}. The snapshot holds {author['followers']} followers.",
            "In an hour it is another number, and nobody changes it here. Which part of a profile "
            "is still worth reading after a year?",
        )
    raise Refused(
        f"{stored}. author is {author!r}.",
        "It must be a map of id and tier, as the profile has them at this moment; the name is "
        "copied beside it. What does yours hold?",
    )


def _expect_copy(stored: str, item: dict[str, Any], name: str, version: int) -> None:
    if item.get("authorName") != name:
        raise Refused(
            f"{stored}. The profile's name is {name}, and authorName is "
            f"{item.get('authorName', 'not there')!r}.",
            "An index includes whole attributes, not values from within a map. Which attribute of "
            "the post does a list show?",
        )
    found = item.get("authorNameVersion")
    if not is_whole(found) or found != version:
        raise Refused(
            f"{stored}. The profile's nameVersion is {version}, and authorNameVersion is "
            f"{found if found is not None else 'not there'}.",
            "How will a later rename tell an older copy from one that is up to date? Which number "
            "comes with the name?",
        )
