"""Games and their indexes, and the table by status, as the checks of lab 05 need them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.tables import PK_SK
from dynalab.trial import Trial

GAMES, BY_STATUS = "Games", "GamesByStatus"
MARA, TOM, INES, NOBODY = "USER#7c20", "USER#2d11", "USER#9a40", "USER#0000"
GAME, OTHER_GAME, NO_GAME = "GAME#a91f", "GAME#77b0", "GAME#none"
BOARD = "e2e4"
NINE = datetime(2026, 11, 30, 9, tzinfo=UTC)
LARGE = "x" * 300_000  # three of them fit on a page of 1 MB


def _index(name: str, sort_key: str) -> dict[str, Any]:
    return {
        "IndexName": name,
        "KeySchema": [
            {"AttributeName": "opponent", "KeyType": "HASH"},
            {"AttributeName": sort_key, "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "ALL"},
    }


TABLES: dict[str, dict[str, Any]] = {
    GAMES: {
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": "S"}
            for name in ("PK", "opponent", "status", "createdAt", "statusDate")
        ],
        "GlobalSecondaryIndexes": [
            _index("byStatus", "status"),
            _index("byDate", "createdAt"),
            _index("byStatusDate", "statusDate"),
        ],
        "BillingMode": "PAY_PER_REQUEST",
    },
    BY_STATUS: PK_SK,
}


def iso(when: datetime) -> str:
    """An instant as the keys hold it: 2026-11-30T09:00:00.000Z."""
    utc = when.astimezone(UTC).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='milliseconds')}Z"


def status_date(status: str, when: datetime) -> str:
    return f"{status}#{iso(when)}"


def minutes(count: int) -> datetime:
    """So many minutes after nine."""
    return NINE + timedelta(minutes=count)


def put_game(
    table: Any, game_id: str, opponent: str, status: str, when: datetime, **attributes: Any
) -> None:
    """A game that was created at `when`, and has had its status since then."""
    item = {
        "PK": game_id,
        "opponent": opponent,
        "status": status,
        "createdAt": iso(when),
        "statusDate": status_date(status, when),
    }
    given(table, {**item, **attributes})


def key_by_status(opponent: str, status: str, when: datetime, game_id: str) -> dict[str, str]:
    """A game's key in the table by status."""
    return {"PK": opponent, "SK": f"{status_date(status, when)}#{game_id}"}


def put_by_status(
    table: Any, opponent: str, status: str, when: datetime, game_id: str, **attributes: Any
) -> None:
    """A game of the table by status, in its first version."""
    key = key_by_status(opponent, status, when, game_id)
    given(table, {**key, "status": status, "version": 1, **attributes})


def game_id(number: int) -> str:
    """An id that tells nothing of the order of time."""
    return f"GAME#{number * 40_503 % 65_536:04x}"


LARGE_PENDING = tuple(game_id(200 + number) for number in reversed(range(5)))  # newest first


def put_many_games(table: Any) -> list[tuple[str, datetime]]:
    """Games of two users in every status; Mara's pending ones with their times, newest first.

    Ines has five pending ones, a minute apart from nine on, which do not fit on one page.
    """
    pending = []
    for number in range(48):
        status = ("PENDING", "ACTIVE", "DONE", "PENDING_REVIEW")[number % 4]
        put_game(table, game_id(number), MARA, status, minutes(number))
        put_game(table, game_id(100 + number), TOM, status, minutes(number))
        if status == "PENDING":
            pending.append((game_id(number), minutes(number)))
    for number in range(5):
        put_game(table, game_id(200 + number), INES, "PENDING", minutes(number), board=LARGE)
    return pending[::-1]


ACCEPTED, LATER = minutes(30), minutes(31)  # when a pending game becomes active
PENDING_KEY = key_by_status(MARA, "PENDING", NINE, GAME)
ACTIVE_KEY = key_by_status(MARA, "ACTIVE", ACCEPTED, GAME)


def pending_game(trial: Trial) -> Any:
    """The table of games with one, pending since nine."""
    table = trial.table(GAMES)
    put_game(table, GAME, MARA, "PENDING", NINE, board=BOARD)
    return table


def pending_by_status(trial: Trial) -> Any:
    """The table by status with one game, pending since nine."""
    table = trial.table(BY_STATUS)
    put_by_status(table, MARA, "PENDING", NINE, GAME, board=BOARD, chat=["hi"])
    return table
