"""A schedule is stepped through, items beside its lanes, and printed as a test to keep."""

import ast
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import dynalab
from dynalab.schedules.exploration import Schedule, replay
from dynalab.schedules.outcome import Outcome
from dynalab.views.stepper import Stepper, as_pytest
from dynalab.views.timeline import Timeline
from dynalab.views.widgets import WIDGET
from tests.views.test_page import EVIL, Reader
from tests.worlds import KEY, add, read_and_write, social


@pytest.fixture
def table() -> Iterator[Any]:
    with social({**KEY, "likeTally": 0}) as made:
        yield made


def tally_is_two(outcome: Outcome) -> str | None:
    item = outcome.item("Social", **KEY)
    return None if item and item["likeTally"] == 2 else "the tally should be 2"


@pytest.fixture
def schedule(table: Any) -> Schedule:
    clients = dict.fromkeys("AB", lambda: read_and_write(table))
    return replay("A1 B1 A2 B2", clients, tally_is_two)


def test_its_text_and_plain_html_are_the_whole_schedule(schedule: Schedule) -> None:
    stepper, whole = Stepper(schedule, title="two"), Timeline(schedule, title="two")
    bundle = stepper._repr_mimebundle_(include=None, exclude=None)
    assert repr(stepper) == bundle["text/plain"] == repr(whole)
    assert bundle["text/html"] == whole._repr_html_()
    assert WIDGET in bundle
    assert stepper.broken == "the tally should be 2"


def test_without_ipywidgets_the_whole_schedule_is_shown(
    schedule: Schedule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert list(Stepper(schedule)._repr_mimebundle_()) == ["text/plain", "text/html"]


def test_after_each_step_the_items_stand_beside_the_lanes(schedule: Schedule) -> None:
    stepper = Stepper(schedule)
    assert repr(stepper._at("start")) == (
        "  time   A                                B\n"
        "\n"
        "Social\n"
        "PK         SK    since the last look  likeTally\n"
        "POST#a91f  META                               0"
    )
    assert repr(stepper._at("3 A2")) == (
        "  time   A                                B\n"
        "     1   GetItem META  likeTally 0\n"
        "     2                                    GetItem META  likeTally 0\n"
        "   ▸ 3   UpdateItem META  likeTally = 1\n"
        "\n"
        "Social\n"
        "PK         SK    since the last look  likeTally\n"
        "POST#a91f  META  changed                      1"
    )
    assert repr(stepper._at("4 B2")).endswith(
        "POST#a91f  META                               1\n\n← the tally should be 2"
    )


def test_the_slider_has_a_place_for_the_start_and_for_each_step(schedule: Schedule) -> None:
    control, view = Stepper(schedule)._slider._made().children
    assert [label for label, _ in control.options] == ["start", "1 A1", "2 B1", "3 A2", "4 B2"]
    assert "UpdateItem" not in view.value
    control.value = 3
    assert "UpdateItem META" in view.value and "<td>changed</td>" in view.value
    assert '<th scope="row">▸ 3</th>' in view.value
    Reader(view.value)


def test_the_recovery_is_stepped_through_too(table: Any) -> None:
    done = replay("A†", {"A": lambda: add(table)}, recover=lambda: add(table))
    stepper = Stepper(done)
    assert stepper._labels == ["start", "1 A†", "2 R1"]
    assert "changed" in repr(stepper._at("2 R1"))


def test_a_table_that_a_client_deletes_is_stepped_through(table: Any) -> None:
    done = replay("", {"A": lambda: table.delete() and None})
    stepper = Stepper(done)
    assert "Social" in repr(stepper._at("start"))
    assert "no tables" in repr(stepper._at("1 A1"))
    assert repr(stepper)


def test_data_is_escaped(table: Any) -> None:
    def put() -> None:
        table.put_item(Item={"PK": EVIL, "SK": EVIL, EVIL: EVIL})

    stepper = Stepper(replay("", {"A": put}, lambda outcome: EVIL))
    html = stepper._at("1 A1")._repr_html_()
    reader = Reader(html)
    assert reader.open == []
    assert "script" not in {tag for tag, _ in reader.tags}


# --- as a test ------------------------------------------------------------------------------------


def test_a_schedule_is_printed_as_a_test(schedule: Schedule) -> None:
    names = {"A": "like", "B": "lambda: like(table)"}
    assert as_pytest(schedule, names, "tally_is_two") == (
        "import dynalab\n"
        "\n"
        "\n"
        "def test_A1_B1_A2_B2() -> None:\n"
        '    """Where this is no longer possible, the requests have changed: explore anew."""\n'
        "    schedule = dynalab.replay(\n"
        '        "A1 B1 A2 B2",\n'
        '        {"A": like, "B": lambda: like(table)},\n'
        "        tally_is_two,\n"
        "    )\n"
        "    assert schedule.broken is None, schedule.broken\n"
    )


def test_the_printed_test_fails_until_the_code_is_right(schedule: Schedule, table: Any) -> None:
    text = as_pytest(schedule, {"A": "client", "B": "client"}, "tally_is_two")

    def run(client: Any) -> None:
        names: dict[str, Any] = {"client": client, "tally_is_two": tally_is_two}
        exec(compile(text, "test_kept.py", "exec"), names)
        names["test_A1_B1_A2_B2"]()

    with pytest.raises(AssertionError, match="the tally should be 2"):
        run(lambda: read_and_write(table))
    run(lambda: (table.get_item(Key=KEY), add(table)))
    assert dynalab.replay("", {"A": lambda: add(table)}).broken is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A1 A†", "test_A1_A_dies"),
        ("A1 A2~ A3", "test_A1_A2_reply_is_lost_A3"),
        ("A1 A2× A3", "test_A1_A2_is_lost_A3"),
        ("A1 A2… …A2 A3", "test_A1_A2_is_late_A2_lands_A3"),
    ],
)
def test_the_name_of_the_test_tells_the_schedule(table: Any, text: str, name: str) -> None:
    done = replay(text, {"A": lambda: read_and_write(table)}, recover=lambda: add(table))
    printed = as_pytest(done, {"A": "like"}, "holds", "repair")
    [_, function] = ast.parse(printed).body
    assert isinstance(function, ast.FunctionDef)
    assert function.name == name
    assert '        {"A": like},\n        holds,\n        repair,\n' in printed


def test_a_long_schedule_has_a_short_name(table: Any) -> None:
    done = replay("", {"A": lambda: [add(table) for _ in range(30)] and None})
    assert "def test_a_schedule_of_30_steps()" in as_pytest(done, {"A": "like"}, "holds")
