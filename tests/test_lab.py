"""An open lab: its tables, bills, looks, hints and solutions, and one sentence for each mistake."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from dynalab import open_lab
from dynalab.course import CourseError
from dynalab.lab import Lab
from dynalab.progress import Progress


@pytest.fixture
def lab(capsys: pytest.CaptureFixture[str]) -> Lab:
    opened = open_lab("01")
    capsys.readouterr()
    return opened


def count_likes(table: Any, post_id: str) -> int:
    count, start = 0, {}
    while True:
        page = table.query(
            Select="COUNT",
            KeyConditionExpression="PK = :p AND begins_with(SK, :l)",
            ExpressionAttributeValues={":p": post_id, ":l": "LIKE#"},
            **start,
        )
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            return count
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def test_opening_prints_the_exercises_with_their_state(capsys: pytest.CaptureFixture[str]) -> None:
    open_lab(1).check("1.1", count_likes)
    capsys.readouterr()
    open_lab("01")
    head = capsys.readouterr().out
    assert "Lab 01 · Count on read    25 minutes · embedded engine, nothing leaves" in head
    assert "1.1  count_likes  ● correct" in head
    assert "1.2  count_cost   ○ not attempted" in head


def test_an_unknown_lab_is_one_sentence() -> None:
    with pytest.raises(CourseError, match="There is no lab 99"):
        open_lab(99)


def test_an_unknown_table_is_one_sentence(lab: Lab) -> None:
    with pytest.raises(CourseError, match="Lab 01 has no table 'Socail'; it has Social"):
        lab.table("Socail")


def test_an_unknown_exercise_is_a_note_not_an_error(lab: Lab) -> None:
    for answer in (lab.check("7.7", count_likes), lab.hint("7.7"), lab.solution("7.7")):
        assert "There is no exercise 7.7; lab 01 has 1.1, 1.2, 1.3, 1.4." in repr(answer)


def test_two_labs_in_one_kernel_are_told_which_of_them_has_the_tables() -> None:
    first, second = open_lab("01"), open_lab("02")
    first.table("Social").put_item(Item={"PK": "a", "SK": "b"})
    said = repr(second.head())
    assert "Lab 01 is open in this kernel too and loses its tables Social to this one" in said
    assert "in this kernel" not in repr(open_lab("02").head())
    assert "in this kernel" not in repr(open_lab("00").head())


def test_opening_again_empties_the_tables(lab: Lab) -> None:
    lab.table("Social").put_item(Item={"PK": "a", "SK": "b"})
    assert lab.table("Social").scan()["Count"] == 1
    assert open_lab("01").table("Social").scan()["Count"] == 0


def test_a_bill_holds_the_requests_of_its_block_only(lab: Lab) -> None:
    table = lab.table("Social")
    table.put_item(Item={"PK": "a", "SK": "b"})
    with lab.meter() as bill:
        table.get_item(Key={"PK": "a", "SK": "b"})
        with lab.meter() as inner:
            table.put_item(Item={"PK": "a", "SK": "c", "text": "x" * 1500})
    table.get_item(Key={"PK": "a", "SK": "b"})
    assert (bill.requests, bill.read_units, bill.write_units) == (2, 0.5, 2.0)
    assert (inner.requests, inner.write_units) == (1, 2.0)


def test_a_block_that_meets_a_stub_says_so_and_the_lab_goes_on(lab: Lab) -> None:
    def stub() -> None:
        raise NotImplementedError

    with lab.meter() as bill:
        stub()
    assert repr(bill).startswith("The function is not written yet")


def test_the_bill_tells_what_a_failed_condition_is_billed(lab: Lab) -> None:
    table = lab.table("Social")
    item = {"PK": "a", "SK": "b", "text": "x" * 1500}
    table.put_item(Item=item)
    with lab.meter() as bill, pytest.raises(Exception, match="conditional request failed"):
        table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")
    assert bill.write_units == 2.0
    assert "ConditionalCheckFailedException" in repr(bill)


def test_a_check_leaves_no_trace_on_the_lab_s_bill(lab: Lab) -> None:
    with lab.meter() as bill:
        lab.check("1.1", count_likes)
    assert bill.requests == 0


def test_a_look_marks_what_is_new_since_the_last(lab: Lab) -> None:
    table = lab.table("Social")
    table.put_item(Item={"PK": "a", "SK": "b"})
    lab.show()
    table.put_item(Item={"PK": "a", "SK": "c"})
    assert "since the last look" in repr(lab.show())


def test_hints_come_one_by_one_and_stay(lab: Lab) -> None:
    texts = [repr(lab.hint("1.1")).splitlines() for _ in range(4)]
    assert [len(lines) for lines in texts] == [1, 2, 3, 3]
    assert [line[:9] for line in texts[3]] == ["Hint 1 of", "Hint 2 of", "Hint 3 of"]


def test_the_solution_waits_for_success_or_the_third_try(lab: Lab) -> None:
    assert "after 3 more tries" in repr(lab.solution("1.1"))
    for _ in range(2):
        lab.check("1.1", lambda table, post_id: 0)
    assert "after 1 more try" in repr(lab.solution("1.1"))
    assert 'lab.solution("1.1")' in repr(lab.check("1.1", lambda table, post_id: 0))
    assert "LastEvaluatedKey" in repr(lab.solution("1.1"))
    assert "after 3 more tries" in repr(lab.solution("1.3"))
    lab.check("1.1", count_likes)
    assert Progress().solved("1.1")


def test_a_card_that_has_nothing_to_ask_names_the_hints(lab: Lab) -> None:
    def broken(table: Any, post_id: str) -> int:
        return len(None)  # type: ignore[arg-type]

    card = repr(lab.check("1.1", broken))
    assert "TypeError" in card
    assert 'If you want a hint: lab.hint("1.1")' in card
    assert "If you want a hint" not in repr(lab.check("1.1", lambda table, post_id: 0))


def test_a_stub_is_no_try(lab: Lab) -> None:
    def stub(table: Any, post_id: str) -> int:
        raise NotImplementedError

    card = lab.check("1.1", stub)
    assert "not attempted" in repr(card)
    assert 'First hint: lab.hint("1.1")' in repr(card)
    assert Progress().tries("1.1") == 0


def test_a_prediction_is_kept_and_shown_beside_the_measure(lab: Lab) -> None:
    assert repr(lab.predicted("01.a", 4)) == "You made no prediction. Measured: 4."
    quiz = lab.predict("01.a", "How many?", ["3", "4"], answer="3")
    assert "How many?" in repr(quiz)
    assert repr(quiz).endswith("You predict: 3.")
    assert repr(lab.predicted("01.a", 4)) == "You predicted: 3. Measured: 4."
    assert "not one of the" in repr(lab.predict("01.a", "How many?", ["3", "4"], answer="5"))


def test_an_endpoint_that_does_not_answer_is_one_sentence() -> None:
    code = (
        "from dynalab import open_lab\n"
        "try:\n    open_lab('00')\n"
        "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    env = {**os.environ, "DYNALAB_ENDPOINT": "http://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, encoding="utf-8"
    )
    assert done.stdout.startswith("NoEndpoint No DynamoDB answers at http://127.0.0.1:9")
    assert done.stderr == ""


def test_importing_the_package_starts_nothing() -> None:
    code = (
        "import dynalab, sys\n"
        "heavy = 'moto', 'boto3', 'matplotlib', 'IPython'\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.stdout.strip() == "[]"


def test_a_failing_check_can_be_stepped_through() -> None:
    lab = open_lab("02")
    assert "no schedule failed yet" in repr(lab.replay())

    def like(table: Any, post_id: str, user_id: str, at: int) -> None:
        table.put_item(Item={"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": at})
        table.update_item(
            Key={"PK": post_id, "SK": "META"},
            UpdateExpression="ADD likeTally :one",
            ExpressionAttributeValues={":one": 1},
        )

    card = repr(lab.check("2.2", like))
    assert 'Step through it: lab.replay("A1 A†")' in card
    stepper = lab.replay("A1 A†")
    assert "† dies here" in repr(stepper)
    assert stepper.broken
    assert "the last was 'A1 A†'" in repr(lab.replay("A1 B1"))


def test_a_search_of_one_s_own_can_be_stepped_through() -> None:
    lab = open_lab("02")
    table = lab.table("Social")
    table.put_item(Item={"PK": "p", "SK": "META", "n": 0})

    def add_by_hand() -> None:
        n = table.get_item(Key={"PK": "p", "SK": "META"})["Item"]["n"]
        table.put_item(Item={"PK": "p", "SK": "META", "n": n + 1})

    found = lab.explore(
        {"A": add_by_hand, "B": add_by_hand},
        lambda outcome: outcome.item("Social", PK="p", SK="META")["n"] == 2,
    )
    assert (found.searched.schedules, found.searched.failing) == (6, 4)
    assert "A1 B1 A2 B2" in repr(lab.replay())


def test_a_search_with_a_function_that_is_not_written_is_a_note() -> None:
    def stub() -> None:
        raise NotImplementedError

    assert "not written yet" in repr(open_lab("02").explore({"A": stub}, lambda outcome: True))


def test_a_prediction_about_a_function_that_is_not_written_has_no_measured_value() -> None:
    note = repr(open_lab("04").predicted("04.b", None))
    assert "not written yet" in note
    assert "Measured" not in note
