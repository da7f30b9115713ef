"""Posts, likes and tallies of the Social table, as the checks of several labs need them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dynalab.exercises.given import given
from dynalab.schedules.outcome import Outcome

TABLE = "Social"


def put_post(table: Any, post_id: str, **attributes: Any) -> None:
    """A post; without `likeTally` it was never liked."""
    meta = {"PK": post_id, "SK": "META", "body": "Hello", "authorId": "USER#2d11"}
    given(table, {**meta, **attributes})


def put_like(table: Any, post_id: str, user_id: str, at: int) -> None:
    """A like's item alone, without a tally."""
    given(table, {"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": at})


def delete_post(table: Any, post_id: str) -> None:
    """A post's META; its likes stay."""
    table.delete_item(Key={"PK": post_id, "SK": "META"})


@dataclass(frozen=True)
class Post:
    """What the table holds of one post. meta: None where there is none. likers: user ids."""

    meta: dict[str, Any] | None
    likers: tuple[str, ...]

    @classmethod
    def of(cls, items: Sequence[dict[str, Any]], post_id: str) -> Post:
        mine = [item for item in items if item["PK"] == post_id]
        likes = [item["SK"] for item in mine if item["SK"].startswith("LIKE#")]
        return cls(
            next((item for item in mine if item["SK"] == "META"), None),
            tuple(sort_key.removeprefix("LIKE#") for sort_key in likes),
        )

    @property
    def tally(self) -> Any:
        """likeTally as it is stored; 0 where there is none."""
        return 0 if self.meta is None else self.meta.get("likeTally", 0)

    @property
    def is_ghost(self) -> bool:
        """Whether META was made by a write that meant to change it: it has no body."""
        return self.meta is not None and "body" not in self.meta

    def counted(self) -> str:
        """The two numbers that should be one: "likes 1, likeTally 0"."""
        return f"likes {len(self.likers)}, likeTally {self.tally}"


def tally_equals_likes(post_id: str) -> Callable[[Outcome], str | None]:
    """An invariant: the tally of a post is the number of its likes."""

    def invariant(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), post_id)
        return None if post.tally == len(post.likers) else f"{post.counted()}."

    return invariant
