"""A leaderboard tells rank, name, friend and score in a table, and who shares a rank in a word."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from dynalab.views.leaderboard import MOST_ROWS, NOBODY, Leaderboard

ROWS: list[tuple[str, str, Any]] = [
    ("chuck", "Chuck", 1050),
    ("dana", "Dana", 95),
    ("bob", "Bob", Decimal(95)),
    ("emil", "Emil", 9),
]


def test_the_text_is_a_table_with_numbers_to_the_right() -> None:
    assert repr(Leaderboard(ROWS, [1, 2, 2, 4], title="Friends of alice")) == (
        "Friends of alice\n"
        "rank  name   friend  score\n"
        "   1  Chuck  chuck   1,050\n"
        "   2  Dana   dana       95  shared\n"
        "   2  Bob    bob        95  shared\n"
        "   4  Emil   emil        9"
    )


def test_without_ranks_there_is_no_column_for_them() -> None:
    assert repr(Leaderboard(ROWS[:1])) == (
        "Leaderboard\nname   friend  score\nChuck  chuck   1,050"
    )


def test_the_players_own_place_stands_below() -> None:
    board = Leaderboard(ROWS[:2], [1, 2], you=("Alice", 50, 4))
    assert repr(board).splitlines()[-3:] == [
        "   2  Dana   dana       95",
        "-" * len("   2  Dana   dana       95"),
        "   4  Alice  you        50",
    ]
    assert "<tfoot><tr>" in board._repr_html_()


def test_the_html_is_one_table_with_heads_for_its_rows() -> None:
    page = Leaderboard(ROWS, [1, 2, 2, 4], title="Friends of <alice>")._repr_html_()
    assert page.count("<table") == 1
    assert "<caption>Friends of &lt;alice&gt;</caption>" in page
    assert '<th scope="row" class="dl-number">1</th><td>Chuck</td>' in page
    assert page.count("<td>shared</td>") == 2


def test_a_name_cannot_reach_into_the_page() -> None:
    page = Leaderboard([("eve", "<script>x</script>", 1)])._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_nobody_has_played_is_said() -> None:
    assert repr(Leaderboard([], [])) == f"Leaderboard\n{NOBODY}"
    assert NOBODY in Leaderboard([])._repr_html_()


def test_a_player_without_friends_still_has_a_place() -> None:
    assert "1  Alice  you        50" in repr(Leaderboard([], you=("Alice", 50, 1)))


def test_a_long_board_is_cut_and_says_so() -> None:
    rows = [(f"p{n}", f"P{n}", 1000 - n) for n in range(MOST_ROWS + 3)]
    board = Leaderboard(rows, list(range(1, MOST_ROWS + 4)))
    assert repr(board).splitlines()[-1] == "and 3 more friends"
    assert "and 3 more friends" in board._repr_html_()
    assert f"P{MOST_ROWS}" not in repr(board)


def test_ranks_that_are_not_one_a_row_are_refused() -> None:
    with pytest.raises(ValueError, match="2 ranks came for 4 rows"):
        Leaderboard(ROWS, [1, 2])


def test_a_score_that_is_no_number_is_shown_as_it_is() -> None:
    assert repr(Leaderboard([("bob", "Bob", None)])).splitlines()[-1].split() == [
        "Bob",
        "bob",
        "None",
    ]
