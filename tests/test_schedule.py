"""Clients under a conductor: one thread at a time, and none of them gets away."""

import _thread
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError

from dynalab.engine.connect import connect
from dynalab.schedules import ending, life
from dynalab.schedules.choices import Choice, choice_of, written
from dynalab.schedules.ending import Unfit
from dynalab.schedules.exploration import explore, replay
from tests.worlds import KEY, add, read, social


@pytest.fixture
def table() -> Iterator[Any]:
    with social({**KEY, "likeTally": 0}) as made:
        yield made


@pytest.fixture
def threads() -> Iterator[None]:
    """Fails where a test leaves a thread, or something in the way of requests."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(2)
    assert set(threading.enumerate()) <= before
    assert connect().middleware == []


def holds(outcome: Any) -> bool:
    return True


# --- one at a time --------------------------------------------------------------------------------


def test_exactly_one_client_runs_at_a_time(table: Any, threads: None) -> None:
    running: list[str] = []
    most = 0

    def work(name: str) -> None:
        nonlocal most
        for _ in range(3):
            running.append(name)
            most = max(most, len(running))
            time.sleep(0.001)
            running.remove(name)
            read(table)

    explore({"A": lambda: work("A"), "B": lambda: work("B")}, holds)
    assert most == 1


def test_requests_are_numbered_for_each_client_from_one(table: Any, threads: None) -> None:
    found = replay("B1 A1~", {"A": lambda: add(table), "B": lambda: read(table)})
    assert found.text == "B1 A1~ A2"
    assert [(step.operation, step.choice.number) for step in found.steps] == [
        ("GetItem", 1),
        ("UpdateItem", 1),
        ("UpdateItem", 2),
    ]


# --- clients without an end -----------------------------------------------------------------------


def test_a_loop_of_requests_that_swallows_exceptions_is_stopped(table: Any, threads: None) -> None:
    def forever() -> None:
        while True:
            try:
                table.put_item(Item=KEY, ConditionExpression="attribute_not_exists(PK)")
            except Exception:
                continue

    with pytest.raises(Unfit, match="A made more than 200 requests and was stopped; does its"):
        explore({"A": forever, "B": lambda: add(table)}, holds)


def test_a_loop_of_requests_that_swallows_everything_is_stopped(table: Any) -> None:
    def forever() -> None:
        while True:
            try:
                read(table)
            except BaseException:
                continue

    with pytest.raises(Unfit, match="A made more than 200 requests"):
        explore({"A": forever}, holds)
    assert connect().middleware == []


def test_a_loop_without_requests_is_stopped(
    table: Any, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "STALL_SECONDS", 0.2)

    def spin() -> None:
        read(table)
        while True:
            pass

    with pytest.raises(Unfit, match=r"A worked for 0\.2 seconds without a request"):
        explore({"A": spin, "B": lambda: add(table)}, holds)


def test_a_loop_that_swallows_an_interrupt_is_interrupted_again(
    table: Any, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "STALL_SECONDS", 0.2)

    def spin() -> None:
        for _ in range(4):
            try:
                while True:
                    pass
            except BaseException:
                continue

    with pytest.raises(Unfit, match="without a request"):
        explore({"A": spin}, holds)


def test_a_client_that_catches_its_own_death_is_told(table: Any) -> None:
    def immortal() -> None:
        while True:
            try:
                add(table)
                return
            except:  # noqa: E722
                continue

    with pytest.raises(Unfit, match="A went on after its end: something in it catches every"):
        explore({"A": immortal}, holds, crash=True)
    assert connect().middleware == []
    assert read(table) == 0


def test_a_client_that_catches_its_death_once_is_dead_all_the_same(
    table: Any, threads: None
) -> None:
    def hard_to_kill() -> str:
        try:
            add(table)
        except BaseException:
            return "alive"
        return "well"

    found = explore(
        {"A": hard_to_kill}, lambda o: ("A" in o.died) != ("A" in o.returned), crash=True
    )
    assert (found.schedules, found.failing) == (2, 0)


def test_stopping_is_no_exception_that_a_retry_loop_catches(table: Any, threads: None) -> None:
    attempts = []

    def retry() -> None:
        for _ in range(3):
            try:
                add(table)
                return
            except Exception as error:
                attempts.append(error)

    explore({"A": retry}, holds, crash=True)
    assert attempts == []


# --- threads that clients start -------------------------------------------------------------------


def in_a_thread(table: Any) -> None:
    thread = threading.Thread(target=add, args=(table,))
    thread.start()
    thread.join()


def in_a_thread_without_waiting(table: Any) -> None:
    def later() -> None:
        time.sleep(0.1)
        add(table)

    threading.Thread(target=later).start()


def in_a_pool(table: Any) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(add, [table, table]))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("client", [in_a_thread, in_a_thread_without_waiting, in_a_pool])
def test_a_thread_that_a_client_starts_is_refused(table: Any, threads: None, client: Any) -> None:
    with pytest.raises(Unfit, match="follow one thread a client, so leave threads out here"):
        explore({"A": lambda: client(table)}, holds)
    assert read(table) == 0
    assert issubclass(ending.Stopped, SystemExit)  # for which a thread prints no traceback


def test_a_thread_that_makes_no_request_is_nobodys_business(table: Any, threads: None) -> None:
    def counted() -> int:
        with ThreadPoolExecutor(1) as pool:
            return sum(pool.map(len, ["a", "bc"]))

    found = explore({"A": lambda: (add(table), counted())[1]}, lambda o: o.returned == {"A": 3})
    assert found.holds


def test_a_thread_that_outlives_the_run_never_reaches_the_tables(table: Any) -> None:
    go_on = threading.Event()
    refused = []

    def wait_and_write() -> None:
        go_on.wait(10)
        try:
            add(table)
        except BaseException as error:
            refused.append(type(error).__name__)

    stray = threading.Thread(target=wait_and_write)
    explore({"A": lambda: stray.start() if not stray.ident else None}, holds)
    go_on.set()
    stray.join()
    assert refused == ["Stopped"]
    assert read(table) == 0  # and everybody else still gets through
    connect().middleware.clear()


def test_an_interrupt_ends_the_clients_too(
    table: Any, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(outcome: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore({"A": lambda: add(table), "B": lambda: add(table)}, interrupted)
    assert read(table) == 0


# --- what a client gets ---------------------------------------------------------------------------


def test_a_refused_request_raises_in_the_client_as_ever(table: Any, threads: None) -> None:
    def guarded() -> str:
        try:
            table.put_item(Item=KEY, ConditionExpression="attribute_not_exists(PK)")
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        return "made"

    found = explore({"A": guarded}, lambda o: o.returned["A"] == "ConditionalCheckFailedException")
    assert found.holds


def test_all_attempts_of_boto3_stand_in_the_schedule(table: Any, threads: None) -> None:
    found = replay("A1~", {"A": lambda: add(table)})
    assert found.text == "A1~ A2"
    assert found.outcome.item("Social", **KEY) == {**KEY, "likeTally": 2}


# --- how choices are written ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (Choice("A", 1, "served"), "A1"),
        (Choice("A", 1, "dies"), "A†"),
        (Choice("Ärger", 12, "lost request"), "Ärger12×"),
        (Choice("A", 2, "lost reply"), "A2~"),
        (Choice("A", 2, "late"), "A2…"),
        (Choice("A", 2, "lands"), "…A2"),
        (Choice("A", 2, "stale"), "A2°"),
    ],
)
def test_a_choice_is_written_and_read(choice: Choice, text: str) -> None:
    assert str(choice) == text
    assert choice_of(text, []) == choice


def test_a_death_is_numbered_by_the_requests_before_it() -> None:
    path = [Choice("A", 1, "late"), Choice("B", 1, "served"), Choice("A", 1, "lands")]
    assert written(path) == "A1… B1 …A1"
    assert choice_of("A†", path) == choice_of("A2†", []) == Choice("A", 2, "dies")


@pytest.mark.parametrize("text", ["", "A", "1", "A-1", "A1††", "…A1…", "…A†", "A1 ", "A1!"])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert choice_of(text, []) is None


def test_a_thread_is_not_gone_because_the_wait_for_it_was_interrupted() -> None:
    go_on = threading.Event()

    def spin() -> None:
        threading.Timer(0.05, _thread.interrupt_main).start()
        while not go_on.is_set():
            pass

    thread = ending.OwnThread(spin)
    assert thread.gone_within(0)  # it has not begun
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        thread.gone_within(5)
    assert not thread.gone_within(0)
    go_on.set()
    assert thread.gone_within(5)
