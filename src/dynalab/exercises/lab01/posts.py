"""Posts and likes that the checks of lab 01 count."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.given import given

SMALL, LARGE, NEW, NONE = "POST#a91f", "POST#77b0", "POST#0001", "POST#none"


def put_likes(table: Any, post_id: str, count: int, padding: int = 0) -> None:
    for number in range(count):
        at = 1750636801 + 10 * number
        like = {"PK": post_id, "SK": f"LIKE#USER#{number:04}", "likedAt": at}
        given(table, {**like, "note": "x" * padding} if padding else like)


def put_post(table: Any, post_id: str, **attributes: Any) -> None:
    given(table, {"PK": post_id, "SK": "META", "body": "Hello", **attributes})
