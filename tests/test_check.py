"""A check tells three outcomes apart, says what it saw, and survives whatever an answer does."""

from __future__ import annotations

import _thread
import contextlib
import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import dynalab.bounded_call
from dynalab.check import Exercise, Passed, Verdict, judge
from dynalab.engine.connect import connect
from dynalab.exercises.tables import PK_SK
from dynalab.trial import Refused, Trial

TABLES = {"Social": PK_SK}


def judged(answer: object, check: Callable[[Any, Trial], Passed] | None = None) -> Verdict:
    return judge(Exercise("9.9", check or double_is_six, ("hint",), "why"), answer, TABLES)


def double_is_six(double: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    table.put_item(Item={"PK": "a", "SK": "b"})
    result = trial.call(double, table, 3)
    if result != 6:
        raise Refused(f"double(table, 3) returned {result!r}.", "What is twice three?")
    return Passed("It doubles.", "a remark")


def text(verdict: Verdict) -> str:
    return "\n".join([*verdict.lines, verdict.ask])


def stub(table: Any, number: int) -> int:
    raise NotImplementedError


def test_a_stub_an_ellipsis_and_none_are_not_attempted() -> None:
    for answer in (stub, ..., None):
        assert judged(answer).outcome == "not attempted"


def test_a_right_answer_is_correct_with_its_evidence_and_remark() -> None:
    verdict = judged(lambda table, number: number * 2)
    assert verdict.outcome == "correct"
    assert verdict.lines == ("It doubles.", "A remark: a remark")


def test_a_wrong_answer_is_incorrect_and_asks_on() -> None:
    verdict = judged(lambda table, number: number)
    said = "double(table, 3) returned 3."
    assert verdict == Verdict("incorrect", (said,), "What is twice three?")


def test_an_answer_that_is_no_function_is_told_so() -> None:
    assert "takes the function itself, and got int" in text(judged(6))


def test_what_the_function_raises_becomes_a_sentence_with_its_line() -> None:
    def double(table: Any, number: int) -> Any:
        return table.get_item(Key={"PK": "x", "SK": "y"})["Item"]

    verdict = judged(double)
    assert verdict.outcome == "incorrect"
    assert "double(table, 3) raised KeyError: 'Item'" in text(verdict)
    assert 'in the line: return table.get_item(Key={"PK": "x", "SK": "y"})["Item"]' in text(verdict)


def test_what_a_module_of_pythons_own_raises_is_told_with_the_learners_line() -> None:
    def double(table: Any, number: int) -> str:
        return json.dumps({number})

    assert "in the line: return json.dumps({number})" in text(judged(double))


def test_a_refusal_by_dynamodb_is_quoted() -> None:
    def double(table: Any, number: int) -> None:
        table.put_item(Item={"PK": "a"})

    assert "Missing the key SK in the item" in text(judged(double))


def test_other_parameters_are_told_before_anything_runs() -> None:
    def double(number: int) -> int:
        return number * 2

    assert "your function takes (number)" in text(judged(double))


def test_a_loop_of_requests_ends() -> None:
    def double(table: Any, number: int) -> int:
        while True:
            with contextlib.suppress(Exception):
                table.get_item(Key={"PK": "x", "SK": "y"})

    assert "made more than 500 requests" in text(judged(double))


def test_a_loop_without_requests_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynalab.bounded_call, "STALL_SECONDS", 0.3)

    def double(table: Any, number: int) -> int:
        while True:
            number += 1

    assert "without a request" in text(judged(double))


@pytest.mark.parametrize("stubborn", [False, True])
def test_an_interrupted_check_leaves_the_labs_own_tables_alone(stubborn: bool) -> None:
    """Kernel → Interrupt raises KeyboardInterrupt in the main thread, wherever that is."""
    connection = connect()
    with connection.engine.scratch() as store:
        own = connection.resource().create_table(TableName="Social", **PK_SK)
        began, go_on, gone = threading.Event(), threading.Event(), threading.Event()

        def double(table: Any, number: int) -> int:
            try:
                return late(table)
            finally:
                gone.set()

        def late(table: Any) -> int:
            with contextlib.suppress(BaseException) if stubborn else contextlib.nullcontext():
                threading.Timer(0.05, _thread.interrupt_main).start()
                began.set()
                while not go_on.is_set():
                    pass
            for _ in range(100):
                table.put_item(Item={"PK": "late", "SK": "late"})
            return 6

        with pytest.raises(KeyboardInterrupt):
            judged(double)
        assert began.is_set()
        assert connection.engine.store is store
        assert gone.wait(5), "the thread of the check goes on"
        go_on.set()
        assert judged(lambda table, number: number * 2).outcome == "correct"
        assert own.scan()["Items"] == []


def test_a_thread_that_cannot_be_started_leaves_nothing_in_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none_left(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    layers = list(connect().middleware)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", none_left)
        judged(lambda table, number: number * 2)
    assert connect().middleware == layers


def test_a_token_that_is_made_of_the_request_means_a_new_wish_in_a_new_scenario() -> None:
    def twice(put: Any, trial: Trial) -> Passed:
        for _ in range(2):
            put(trial.table("Social"))
            assert len(trial.items("Social")) == 1
        return Passed("Both are there.")

    def put(table: Any) -> None:
        item = {"PK": "a", "SK": "b"}
        table.meta.client.transact_write_items(
            TransactItems=[{"Put": {"TableName": table.name, "Item": item}}],
            ClientRequestToken="the-same",
        )

    assert judged(put, twice).outcome == "correct"


def test_what_it_prints_is_kept_off_the_page_and_told_in_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def double(table: Any, number: int) -> int:
        for line in range(12_000):
            print("line", line)
        return 6

    verdict = judged(double)
    assert verdict.outcome == "correct"
    assert "It printed 12,000 lines, first: line 0" in text(verdict)
    assert capsys.readouterr().out == ""
    assert sys.stdout is not None


def test_an_answer_that_changes_its_arguments_is_refused() -> None:
    def check(total: Any, trial: Trial) -> Passed:
        trial.call(total, [1, 2, 3])
        return Passed("unreachable")

    def total(numbers: list[int]) -> int:
        return sum(numbers.pop() for _ in range(len(numbers)))

    assert "total([1, 2, 3]) changed what it was given." in text(judged(total, check))


def test_a_check_that_stumbles_over_an_odd_result_never_raises() -> None:
    def check(answer: Any, trial: Trial) -> Passed:
        return Passed(str(trial.call(answer) + 1))

    verdict = judged(lambda: "six", check)
    assert verdict.outcome == "incorrect"
    assert "could not go on with what came back: TypeError" in text(verdict)


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), MemoryError(), StopIteration()])
def test_no_exception_gets_out(error: BaseException) -> None:
    def double(table: Any, number: int) -> int:
        raise error

    verdict = judged(double)
    assert verdict.outcome == "incorrect"
    assert type(error).__name__ in text(verdict)


def test_checking_leaves_the_lab_s_own_tables_alone() -> None:
    engine = connect().engine
    with engine.scratch() as store:
        judged(lambda table, number: table.delete())
        judged(lambda table, number: number * 2)
        assert list(store.backend.tables) == []
        assert engine.store is store
    assert connect().middleware == []
    assert connect().embedded_only is False


def test_a_client_made_inside_the_function_meets_the_check_s_tables() -> None:
    def double(table: Any, number: int) -> int:
        import boto3

        items = boto3.resource("dynamodb").Table("Social").scan()["Items"]
        return 6 if items == [{"PK": "a", "SK": "b"}] else 0

    assert judged(double).outcome == "correct"


def test_checks_repeat() -> None:
    assert judged(lambda table, number: number) == judged(lambda table, number: number)
