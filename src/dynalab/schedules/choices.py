"""What can happen next in a schedule, and how it is written: A1, B†, A2~, …A1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Fate: TypeAlias = Literal["served", "dies", "lost request", "lost reply", "late", "lands", "stale"]

# The sign stands behind the request, only that of a landing before it; "†" needs no number.
MARKS: dict[Fate, str] = {
    "served": "",
    "dies": "†",
    "lost request": "×",
    "lost reply": "~",
    "late": "…",
    "lands": "…",
    "stale": "°",
}
_FATES: dict[str, Fate] = {mark: fate for fate, mark in MARKS.items() if fate != "lands"}
_STEP = re.compile(r"(?P<lands>…)?(?P<client>[^\W\d_]+)(?P<number>\d*)(?P<mark>[†×~…°]?)")


@dataclass(frozen=True)
class Choice:
    """What happens next: the fate of a client's request, numbered from 1 for each client."""

    client: str
    number: int
    fate: Fate

    def __str__(self) -> str:
        mark = MARKS[self.fate]
        if self.fate == "lands":
            return f"{mark}{self.client}{self.number}"
        return f"{self.client}{'' if self.fate == 'dies' else self.number}{mark}"


def written(path: Sequence[Choice]) -> str:
    """A schedule as a short string: "A1 B1 B† A2"."""
    return " ".join(map(str, path))


def choice_of(text: str, before: Sequence[Choice]) -> Choice | None:
    """The choice that one word of a schedule stands for; None where it stands for none.

    before: the choices up to there, which number the request that a client dies at.
    """
    match = _STEP.fullmatch(text)
    if match is None or (match["lands"] and match["mark"]):
        return None
    client, fate = match["client"], _FATES[match["mark"]]
    if match["lands"]:
        fate = "lands"
    if fate == "dies":
        next_one = 1 + sum(c.client == client and c.fate != "lands" for c in before)
        return Choice(client, int(match["number"] or next_one), fate)
    return Choice(client, int(match["number"]), fate) if match["number"] else None
