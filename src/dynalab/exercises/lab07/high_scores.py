"""The tables of lab 07, and what they hold of a player: score, flag, and each copy of the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynalab.exercises.bills import read_units
from dynalab.exercises.given import given
from dynalab.exercises.tables import PK_SK
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

SCORES, COPIES, FOLLOWERS = "HighScore", "FriendScore", "Followers"
INDEX = "byUpdating"
FLAGS = ("UPDATING#0", "UPDATING#1")
FLAG_ATTRIBUTES = ("updating", "updatingScore", "updatingSince")

CHUCK, ALICE, BOB, CARA, DAVE = "chuck", "alice", "bob", "cara", "dave"
AT = 1750636801
LATER = AT + 10

TABLES: dict[str, dict[str, Any]] = {
    SCORES: {
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"},
            {"AttributeName": "updating", "AttributeType": "S"},
            {"AttributeName": "updatingSince", "AttributeType": "N"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": INDEX,
                "KeySchema": [
                    {"AttributeName": "updating", "KeyType": "HASH"},
                    {"AttributeName": "updatingSince", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        "BillingMode": "PAY_PER_REQUEST",
    },
    COPIES: PK_SK,
    FOLLOWERS: PK_SK,
}


@dataclass(frozen=True)
class Game:
    """The three tables of one part of a check, as boto3 Tables."""

    scores: Any
    copies: Any
    followers: Any

    @classmethod
    def empty(cls, trial: Trial) -> Game:
        return cls(*(trial.table(name) for name in (SCORES, COPIES, FOLLOWERS)))

    def put_score(
        self, user_id: str, score: int | None, *, since: int | None = None, flag: str = FLAGS[0]
    ) -> None:
        """A player's item; with `since` the flag is up for this score."""
        item: dict[str, Any] = {**score_key(user_id), "name": user_id.title()}
        if score is not None:
            item["score"] = score
        if since is not None:
            item |= {"updating": flag, "updatingScore": score, "updatingSince": since}
        given(self.scores, item)

    def put_copy(self, user_id: str, friend: str, score: int | None) -> None:
        """A friend who has this player as a friend, and the copy; None: nothing was played yet."""
        given(self.copies, _copy(user_id, friend, score))
        given(self.followers, follower_key(user_id, friend))

    def put(
        self,
        score: int | None,
        copies: Mapping[str, int | None],
        *,
        since: int | None = None,
        flag: str = FLAGS[0],
    ) -> None:
        """Chuck's score and its copies."""
        self.put_score(CHUCK, score, since=since, flag=flag)
        for friend, copied in copies.items():
            self.put_copy(CHUCK, friend, copied)


def score_key(user_id: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}"}


def copy_key(user_id: str, friend: str) -> dict[str, str]:
    return {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"}


def follower_key(user_id: str, friend: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}", "SK": f"FOLLOWER#{friend}"}


def _copy(user_id: str, friend: str, score: int | None) -> dict[str, Any]:
    more = {} if score is None else {"highScore": score}
    return {**copy_key(user_id, friend), "name": user_id.title(), **more}


@dataclass(frozen=True)
class Player:
    """What the tables hold of one player.

    item: the one in HighScore, or None. copies: friend → item in FriendScore.
    followers: the friends that Followers lists.
    """

    item: Mapping[str, Any] | None
    copies: Mapping[str, Mapping[str, Any]]
    followers: tuple[str, ...]

    @classmethod
    def of(cls, items: Callable[[str], Sequence[dict[str, Any]]], user_id: str = CHUCK) -> Player:
        """items: table name → its items, as Trial.items and Outcome.items are."""
        mine = [item for item in items(SCORES) if item["PK"] == f"USER#{user_id}"]
        copies = [item for item in items(COPIES) if item["SK"] == f"FRIEND#{user_id}"]
        listed = [item for item in items(FOLLOWERS) if item["PK"] == f"USER#{user_id}"]
        return cls(
            next(iter(mine), None),
            {item["PK"].removeprefix("USER#"): item for item in copies},
            tuple(item["SK"].removeprefix("FOLLOWER#") for item in listed),
        )

    @property
    def score(self) -> Any:
        return (self.item or {}).get("score")

    @property
    def flag(self) -> dict[str, Any]:
        """The attributes of the flag that are there."""
        item = self.item or {}
        return {name: item[name] for name in FLAG_ATTRIBUTES if name in item}

    def stale(self) -> dict[str, Any]:
        """Each follower whose copy is not the score, with what it says instead."""
        said = {friend: self.copies.get(friend, {}).get("highScore") for friend in self.followers}
        return {friend: score for friend, score in said.items() if score != self.score}

    def strangers(self) -> list[str]:
        """Those who have a copy and are no followers."""
        return [friend for friend in self.copies if friend not in self.followers]

    def copied(self) -> str:
        """What each follower sees: "alice 30, bob none"."""
        told = [
            f"{friend} {self.copies[friend].get('highScore', 'none')}"
            if friend in self.copies
            else f"{friend} has no copy"
            for friend in self.followers
        ]
        return ", ".join(told)

    def said(self) -> str:
        """ "HighScore 50; copies: alice 30, bob none; a flag of 50"."""
        flag = self.flag
        up = f"a flag of {flag.get('updatingScore', '?')}" if flag else "no flag"
        score = "none" if self.score is None else self.score
        copies = f"; copies: {self.copied()}" if self.followers else ""
        return f"HighScore {score}{copies}; {up}"


def settled(outcome: Outcome) -> str | None:
    """An invariant: every copy is the score, and no flag is left."""
    player = Player.of(outcome.items)
    if player.stale() or player.flag or player.strangers():
        return _told(player)
    return None


def findable(outcome: Outcome) -> str | None:
    """An invariant: where a copy is not the score, the flag says so."""
    player = Player.of(outcome.items)
    if player.strangers() or (player.stale() and "updating" not in player.flag):
        return _told(player)
    return None


def _told(player: Player) -> str:
    if strangers := player.strangers():
        return f"{strangers[0]} is not a follower, but has a copy: {player.copies[strangers[0]]}."
    return f"{player.said()}."


def chuck(trial: Trial) -> Player:
    """What the tables of a check hold of Chuck now."""
    return Player.of(trial.items)


def more_requests(charges: Sequence[Charge], better: str) -> str:
    """The remark where an answer took more than one request; "" where it did not."""
    if len(charges) == 1:
        return ""
    reads = read_units(charges)
    extra = f", {in_read_units(reads)} on top" if reads else ""
    return f"it took {len(charges)} requests{extra}. {better}"
