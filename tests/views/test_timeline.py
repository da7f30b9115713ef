"""A schedule as a picture: lanes, requests, the death, and the items beside what should be."""

from collections.abc import Iterator
from typing import Any

import pytest

from dynalab.schedules.exploration import explore, replay
from dynalab.schedules.outcome import Outcome
from dynalab.views.lanes import WIDEST
from dynalab.views.page import width
from dynalab.views.timeline import Timeline
from tests.views.test_page import EVIL, Reader
from tests.worlds import KEY, add, read, read_and_write, social

POST = KEY["PK"]
TITLE = "the tally equals the likes"


@pytest.fixture
def table() -> Iterator[Any]:
    with social({**KEY, "likeTally": 0}) as made:
        yield made


def like_in_two_steps(table: Any) -> None:
    table.put_item(Item={"PK": POST, "SK": "LIKE#USER#7c20", "likedAt": 1})
    add(table)


def tally_equals_likes(outcome: Outcome) -> str | None:
    likes = [item for item in outcome.items("Social") if item["SK"].startswith("LIKE#")]
    tally = outcome.item("Social", **KEY)
    assert tally is not None
    if tally["likeTally"] == len(likes):
        return None
    return f"the tally should be {len(likes)}"


def tally_is_two(outcome: Outcome) -> str | None:
    item = outcome.item("Social", **KEY)
    return None if item and item["likeTally"] == 2 else "the tally should be 2"


def test_a_death_between_two_writes(table: Any) -> None:
    found = explore({"A": lambda: like_in_two_steps(table)}, tally_equals_likes, crash=True)
    assert repr(Timeline(found, title=TITLE)) == (
        '3 schedules, 1 breaks "the tally equals the likes"   shortest: A1 A†\n'
        "  time   A\n"
        "     1   PutItem LIKE#USER#7c20  likedAt = 1\n"
        "     2   † dies here\n"
        "  final  LIKE#USER#7c20 likedAt 1 · META likeTally 0   ← the tally should be 1"
    )


def test_two_clients_that_read_and_write_back(table: Any) -> None:
    clients = dict.fromkeys("AB", lambda: read_and_write(table))
    assert repr(Timeline(explore(clients, tally_is_two))) == (
        "6 schedules, 4 fail   shortest: A1 B1 A2 B2\n"
        "  time   A                                B\n"
        "     1   GetItem META  likeTally 0\n"
        "     2                                    GetItem META  likeTally 0\n"
        "     3   UpdateItem META  likeTally = 1\n"
        "     4                                    UpdateItem META  likeTally = 1  "
        "← overwrites A's\n"
        "  final  META likeTally 1   ← the tally should be 2"
    )


def test_where_nothing_fails_one_line_says_how_much_was_tried(table: Any) -> None:
    found = explore(dict.fromkeys("AB", lambda: add(table)), tally_is_two)
    assert repr(Timeline(found)) == "2 schedules, none fails"
    assert repr(Timeline(found, title="it is two")) == '2 schedules, none breaks "it is two"'
    assert "<p>2 schedules, none fails</p>" in Timeline(found)._repr_html_()


def test_one_schedule_is_drawn_whether_it_fails_or_not(table: Any) -> None:
    clients = {"A": lambda: add(table)}
    assert repr(Timeline(replay("", clients))) == (
        "A1\n  time   A\n     1   UpdateItem META  ADD likeTally 1\n  final  META likeTally 1"
    )
    failing = replay("", clients, tally_is_two)
    assert repr(Timeline(failing)).splitlines()[0] == "A1   fails"
    assert repr(Timeline(failing, title="two")).splitlines()[0] == 'A1   breaks "two"'
    right = replay("", clients, lambda outcome: True)
    assert repr(Timeline(right, title="one")).splitlines()[0] == 'A1   does not break "one"'


def test_what_should_be_can_be_said_in_other_words(table: Any) -> None:
    failing = replay("", {"A": lambda: add(table)}, tally_is_two)
    assert repr(Timeline(failing, expected="two likes")).endswith("META likeTally 1   ← two likes")


def test_what_the_clients_returned_and_raised_ends_their_lanes(table: Any) -> None:
    def fail() -> None:
        add(table)
        raise KeyError("x")

    clients = {"A": lambda: read(table), "B": fail, "C": lambda: add(table)}
    assert repr(Timeline(replay("A1 B1 C1", clients))).splitlines()[-2] == (
        "   end   returns 0                   raises KeyError"
    )


def test_the_recovery_has_a_lane_of_its_own(table: Any) -> None:
    schedule = replay("A†", {"A": lambda: add(table)}, recover=lambda: add(table))
    assert repr(Timeline(schedule)).splitlines()[1:4] == [
        "  time   A             R (recovery)",
        "     1   † dies here",
        "     2                 UpdateItem META  ADD likeTally 1",
    ]


def busy(table: Any, user: str) -> None:
    """Five requests, some of them long."""
    read(table)
    like = {"PK": POST, "SK": f"LIKE#USER#{user}", "likedAt": 1750636800, "note": "x" * 90}
    table.put_item(Item=like, ConditionExpression="attribute_not_exists(deletedAt)")
    table.meta.client.transact_write_items(
        TransactItems=[
            {"Delete": {"TableName": "Social", "Key": {"PK": POST, "SK": like["SK"]}}},
            {
                "Update": {
                    "TableName": "Social",
                    "Key": KEY,
                    "UpdateExpression": "ADD likeTally :one",
                    "ExpressionAttributeValues": {":one": 1},
                }
            },
        ]
    )
    read(table, {"PK": POST, "SK": like["SK"]})
    add(table)


def test_two_lanes_of_five_requests_fit_into_a_hundred_columns(table: Any) -> None:
    clients = {"A": lambda: busy(table, "7c20"), "B": lambda: busy(table, "2d11")}
    text = repr(Timeline(replay("A1 B1 A2~ B2 A3 B3 A4 B4 A5 B5 A6", clients)))
    assert max(map(width, text.splitlines())) <= WIDEST + 2 < 100
    assert text.splitlines()[4:9] == [
        "     3   PutItem LIKE#USER#7c20",
        "           likedAt = 1750636800, note =",
        "             xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… if",
        "             attribute_not_exists(deletedAt)",
        "           ~ the reply is lost",
    ]
    second = text.splitlines()[1].index("B")
    for line in text.splitlines()[2:-1]:  # nothing of one lane reaches into the other
        assert not line[:second].strip() or not line[second:].strip() or line[second - 3 :].strip()
        assert line[second - 3 : second].strip() == ""


def test_three_clients_and_a_recovery_fit_too(table: Any) -> None:
    clients = {name: lambda: read_and_write(table) for name in ("Ada", "Bob", "Cy")}
    schedule = replay("Ada1 Bob1 Cy1 Ada2 Bob2 Cy†", clients, recover=lambda: read_and_write(table))
    lines = repr(Timeline(schedule)).splitlines()
    assert max(map(width, lines)) <= WIDEST + 2
    assert lines[1].split() == ["time", "Ada", "Bob", "Cy", "R", "(recovery)"]


def test_a_line_for_each_table_and_what_should_be_after_the_last(table: Any) -> None:
    id_key = {"AttributeName": "id"}
    table.meta.client.create_table(
        TableName="Users",
        KeySchema=[{**id_key, "KeyType": "HASH"}],
        AttributeDefinitions=[{**id_key, "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )

    def both() -> None:
        add(table)
        add(table, {"PK": "POST#b", "SK": "META"})
        table.meta.client.put_item(TableName="Users", Item={"id": "7c20"})

    schedule = replay("", {"A": both}, lambda outcome: "another user " * 9)
    should = ("another user " * 9).strip()
    assert [line[:100] for line in repr(Timeline(schedule)).splitlines()[-3:]] == [
        "  final  Social: POST#a91f / META likeTally 1 · POST#b / META likeTally 1",
        "         Users: 7c20",
        f"         ← {should}"[:100],
    ]


def test_items_that_nobody_touched_are_only_counted_and_many_are_cut(table: Any) -> None:
    table.put_item(Item={"PK": POST, "SK": "LIKE#old"})

    def many() -> None:
        with table.batch_writer() as batch:
            for number in range(12):
                batch.put_item(Item={"PK": POST, "SK": f"LIKE#USER#{number:03}"})

    text = repr(Timeline(replay("", {"A": many})))
    assert "LIKE#old" not in text
    assert text.splitlines()[-3:] == [
        "  final  LIKE#USER#000 · LIKE#USER#001 · LIKE#USER#002 · LIKE#USER#003 · LIKE#USER#004 ·",
        "         LIKE#USER#005 · LIKE#USER#006 · LIKE#USER#007 · 4 more ·",
        "         and 2 more of the collection, unchanged",
    ]


def test_a_schedule_that_leaves_nothing_says_so(table: Any) -> None:
    assert repr(Timeline(replay("", {"A": lambda: 5}))) == (
        "no requests\n  time   A\n   end   returns 5\n  final  no items"
    )


# --- HTML -----------------------------------------------------------------------------------------


@pytest.fixture
def evil(table: Any) -> Timeline:
    def put() -> str:
        table.put_item(Item={"PK": EVIL, "SK": f"{EVIL}\n", "note": EVIL})
        return EVIL

    return Timeline(replay("A1~", {"A": put}, lambda outcome: EVIL), title=EVIL, expected=EVIL)


def test_a_learners_data_is_escaped_and_stays_on_its_line(evil: Timeline) -> None:
    reader = Reader(evil._repr_html_())
    assert reader.open == []
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "alert('1')" in reader.text
    assert len(repr(evil).splitlines()) < 25


def test_each_lane_and_each_step_is_headed(table: Any) -> None:
    clients = {"A": lambda: add(table), "B": lambda: add(table)}
    html = Timeline(replay("B1 A†", clients, tally_is_two))._repr_html_()
    assert '<th scope="col">time</th><th scope="col">A</th><th scope="col">B</th>' in html
    assert (
        '<tr><th scope="row">1</th><td></td><td>UpdateItem META  ADD likeTally 1</td></tr>' in html
    )
    for tag, attributes in Reader(html).tags:
        if tag == "th":
            assert attributes["scope"] in ("col", "row", "rowgroup")


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ("A1 A†", "† dies here"),
        ("A1 A2~", "~ the reply is lost"),
        ("A1 A2×", "× the request is lost"),
        ("A1 A2…", "… times out, still on its way"),
        ("A1 B1 A2", "← overwrites B"),
        ("B1 A1°", "° stale: from before the last write"),
    ],
)
def test_what_went_wrong_is_marked_by_a_sign_and_words(
    table: Any, schedule: str, words: str
) -> None:
    clients = {"A": lambda: read_and_write(table), "B": lambda: add(table)}
    html = Timeline(replay(schedule, clients))._repr_html_()
    assert 'class="dl-marked"' in html
    assert f"<strong>{words}" in html


def test_the_final_items_and_what_should_be_stand_below(table: Any) -> None:
    html = Timeline(replay("", {"A": lambda: add(table)}, tally_is_two))._repr_html_()
    lanes, items, should = (
        html.index(part)
        for part in (
            '"dl-table dl-lanes"',
            "<caption>Social, at the end</caption>",
            "← the tally should be 2",
        )
    )
    assert html.index("<p>A1 · fails</p>") < lanes
    assert html.rindex("</table>") > items > lanes
    assert should > items


def test_two_renders_are_equal(table: Any) -> None:
    clients = {"A": lambda: read_and_write(table), "B": lambda: read_and_write(table)}
    first, second = (Timeline(explore(clients, tally_is_two)) for _ in range(2))
    assert repr(first) == repr(second)
    assert first._repr_html_() == second._repr_html_()
    assert " at 0x" not in repr(first)
