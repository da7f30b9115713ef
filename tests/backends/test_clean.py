"""`dynalab clean`: a user's own tables go, after a look; everybody else's stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dynalab.engine.engine import Reply
from dynalab.engine.server import Server
from tests.backends import stand_in
from tests.backends.stand_in import StandIn
from tests.guarded import Ended, ended, started

COMMAND = "from dynalab.cli import main; sys.exit(main())"
OWN = ["dynalab-ana-01-Social", "dynalab-ana-06-Trial"]
NOT_OWN = {
    "Social": {},
    "Theirs": {"DynaLab": "01"},  # the tag without the prefix
    "dynalab-ana-01-Untagged": {"Owner": "ana"},  # the prefix without the tag
    "dynalab-ana-notes": {"DynaLab": "01"},
    "dynalab-ana_b-01-Social": {"DynaLab": "01"},
    "dynalab-bob-01-Social": {"DynaLab": "01"},
}


@pytest.fixture
def aws() -> Iterator[StandIn]:
    with stand_in.running() as server:
        yield server


def clean(settings: dict[str, str], *arguments: str) -> Ended:
    return ended(COMMAND, settings, arguments=["clean", *arguments])


def test_it_looks_first_then_deletes_what_has_both_name_and_tag(aws: StandIn) -> None:
    for name, tags in {**NOT_OWN, OWN[0]: {"DynaLab": "01"}, OWN[1]: {"DynaLab": "06"}}.items():
        aws.make_table(name, **tags)
    before = aws.tables()

    looked = clean(aws.settings)
    assert (looked.returncode, looked.stderr) == (0, "")
    assert looked.stdout.splitlines() == [
        "AWS, account 123456789012, region eu-west-1: 2 tables of your labs.",
        "  would delete  dynalab-ana-01-Social",
        "  would delete  dynalab-ana-06-Trial",
        "  left          dynalab-ana-01-Untagged: no tag DynaLab, so no lab made it",
        "  left          dynalab-ana-notes: not a table of yours",
        "  left          dynalab-ana_b-01-Social: not a table of yours",
        "  left          dynalab-bob-01-Social: not a table of yours",
        "  left          2 tables of other names",
        "Nothing was deleted; `dynalab clean --yes` deletes.",
    ]
    assert aws.tables() == before

    cleaned = clean(aws.settings, "--yes")
    assert (cleaned.returncode, cleaned.stderr) == (0, "")
    assert "  deleted       dynalab-ana-01-Social\n" in cleaned.stdout
    assert aws.tables() == sorted(NOT_OWN)
    assert all(len(aws.ask("Scan", TableName=name)["Items"]) == 1 for name in NOT_OWN)

    assert clean(aws.settings, "--yes").stdout.startswith(
        "AWS, account 123456789012, region eu-west-1: 0 tables of your labs."
    )


def test_what_a_killed_run_left_is_found_and_the_lab_opens_again(
    aws: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {**aws.settings, "DYNALAB_YES": "1"}
    script = "from dynalab import open_lab\nopen_lab('06')\nprint('open')"
    answer, made = aws.engine.answer, []

    def kill_after_two(operation: str, request: dict[str, object], attempt: int = 1) -> Reply:
        reply = answer(operation, request, attempt)
        if operation == "CreateTable":
            made.append(str(request["TableName"]))
            if len(made) == 2:
                process.kill()
        return reply

    with monkeypatch.context() as patch:
        patch.setattr(aws.engine, "answer", kill_after_two)
        with started(script, settings) as process:
            done = process.ended()
    assert done.returncode != 0
    assert "open" not in done.stdout
    assert aws.tables() == sorted(made)

    assert clean(settings).stdout.count("would delete") == 2
    done = ended(script, settings)
    assert done.stdout.endswith("open\n"), done.stderr
    assert len(aws.tables()) == 3
    assert clean(settings, "--yes").stdout.count("  deleted  ") == 3
    assert aws.tables() == []


def test_a_table_that_cannot_be_deleted_is_said_and_the_others_go(
    aws: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in OWN:
        aws.make_table(name, DynaLab="01")
    answer = aws.engine.answer

    def protected(operation: str, request: dict[str, object], attempt: int = 1) -> Reply:
        if operation == "DeleteTable" and request["TableName"] == OWN[0]:
            return Reply(400, b'{"__type": "x#ValidationException", "message": "protected"}')
        return answer(operation, request, attempt)

    monkeypatch.setattr(aws.engine, "answer", protected)
    done = clean(aws.settings, "--yes")
    assert done.returncode == 1
    assert f"  not deleted   {OWN[0]}: " in done.stderr
    assert "protected" in done.stderr
    assert aws.tables() == [OWN[0]]


def test_an_endpoint_is_cleaned_by_name(aws: StandIn) -> None:
    for name in [*OWN, "Social"]:
        aws.make_table(name)
    settings = {"DYNALAB_ENDPOINT": aws.url, "DYNALAB_USER": "ana"}
    assert clean(settings, "--yes").stdout.startswith(f"endpoint {aws.url}: 2 tables of your labs.")
    assert aws.tables() == ["Social"]


def test_without_a_server_there_is_nothing_to_clean() -> None:
    done = clean({})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("There is nothing to clean: the embedded engine's tables end")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"DYNALAB_ENDPOINT": "http://127.0.0.1:9"},
            "No DynamoDB answers at http://127.0.0.1:9 (",
        ),
        ({"DYNALAB_ENDPOINT": "nonsense"}, "DYNALAB_ENDPOINT is 'nonsense'; give a URL"),
        ({"DYNALAB_AWS": "1", "AWS_PROFILE": "not-there"}, "AWS cannot be used: "),
    ],
)
def test_a_server_that_cannot_be_reached_is_one_sentence(
    settings: dict[str, str], sentence: str
) -> None:
    done = clean({**settings, "AWS_EC2_METADATA_DISABLED": "true"})
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"dynalab: {sentence}")


def test_the_stand_in_is_a_server_of_ours(aws: StandIn) -> None:
    assert isinstance(aws, Server)
    assert aws.server_address[0] == "127.0.0.1"
