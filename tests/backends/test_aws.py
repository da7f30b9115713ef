"""DYNALAB_AWS=1, with the embedded engine over HTTP in AWS's place: asked for, named, tagged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dynalab.engine.engine import Reply
from tests.backends import stand_in
from tests.backends.stand_in import StandIn
from tests.guarded import ended, environment_with, run

OPEN = """
from dynalab import open_lab
from dynalab.engine.connect import NoEndpoint, NotLocal, connect

def said(call):
    try:
        return repr(call())
    except (NoEndpoint, NotLocal, Exception) as problem:
        return f"{type(problem).__name__}: {problem}"
"""
PLACE = "AWS, account 123456789012, region eu-west-1"


@pytest.fixture
def aws() -> Iterator[StandIn]:
    with stand_in.running() as server:
        yield server


@pytest.fixture
def agreed(aws: StandIn) -> dict[str, str]:
    return {**aws.settings, "DYNALAB_YES": "1"}


# --- the question ---------------------------------------------------------------------------------


def asked(aws: StandIn, answer: str, **settings: str) -> tuple[str, str]:
    """What opening lab 01 twice prints before its end, and how it ends, at a terminal of a kind."""
    script = OPEN + "print('|' + said(lambda: (open_lab('01'), open_lab('01'))))\n"
    done = ended(script, {**aws.settings, **settings}, typed=answer)
    assert done.returncode == 0, done.stderr
    before, _, end = done.stdout.partition("|")
    return before, end


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
def test_a_yes_makes_the_tables_and_is_asked_for_once(aws: StandIn, answer: str) -> None:
    printed, _ = asked(aws, answer)
    assert printed.count("Go on? [y/N]") == 1
    assert printed.startswith(
        f"Lab 01 makes the table dynalab-ana-01-Social in {PLACE}: on demand, below 0.02 dollars "
        "a run at the prices of us-east-1, 2024-11. `dynalab clean` removes what is left."
    )
    assert f"minutes · {PLACE}" in printed
    assert aws.tables() == ["dynalab-ana-01-Social"]


@pytest.mark.parametrize("answer", ["n\n", "\n", "perhaps\n"])
def test_anything_else_makes_nothing(aws: StandIn, answer: str) -> None:
    printed, end = asked(aws, answer)
    assert "Go on?" in printed
    assert end.strip() == (
        "NoEndpoint: Nothing was made at AWS; unset DYNALAB_AWS for the embedded engine."
    )
    assert aws.tables() == []


def test_where_nobody_can_answer_nothing_is_made(aws: StandIn) -> None:
    _, end = asked(aws, "")
    assert end.startswith("NoEndpoint: Nobody can answer here whether to use AWS, so nothing was")
    assert "DYNALAB_YES=1" in end
    assert aws.tables() == []


def test_a_kernel_that_cannot_ask_makes_nothing(
    aws: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbclient = pytest.importorskip("nbclient")
    from tests.tiny_notebook import code, notebook

    settings = environment_with(aws.settings)
    cells = notebook(code("from dynalab import open_lab\nlab = open_lab('01')", "open"))
    client = nbclient.NotebookClient(cells, kernel_name="python3", timeout=120)
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="Nobody can answer here"):
        client.execute(env=settings)
    assert aws.tables() == []


def test_yes_beforehand_is_for_machines(aws: StandIn) -> None:
    printed, _ = asked(aws, "", DYNALAB_YES="1")
    assert "Go on?" not in printed
    assert aws.tables() == ["dynalab-ana-01-Social"]


def test_an_account_that_nobody_tells_is_said_to_be_unknown(aws: StandIn) -> None:
    aws.tells_account = False
    printed, _ = asked(aws, "n\n")
    assert "in AWS, an account that did not tell its number, region eu-west-1:" in printed
    printed, _ = asked(aws, "n\n", AWS_ACCOUNT_ID="999999999999")
    assert "in AWS, account 999999999999, region eu-west-1:" in printed


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"AWS_DEFAULT_REGION": ""}, "There is no region for AWS; set"),
        ({"AWS_PROFILE": "not-there"}, "AWS cannot be used: The config profile (not-there) could"),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "There are no credentials for"),
        ({"DYNALAB_ENDPOINT": "http://localhost:1"}, "Set DYNALAB_AWS or DYNALAB_ENDPOINT, not"),
        ({"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9"}, "AWS does not list its tables: "),
    ],
)
def test_settings_that_lead_nowhere_are_one_sentence(
    aws: StandIn, tmp_path: Path, changed: dict[str, str], sentence: str
) -> None:
    quick = {"DYNALAB_YES": "1", "AWS_MAX_ATTEMPTS": "1", "AWS_EC2_METADATA_DISABLED": "true"}
    files = {
        "AWS_CONFIG_FILE": str(tmp_path / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
    }
    given = {k: v for k, v in {**aws.settings, **quick, **files, **changed}.items() if v}
    end = run(OPEN + "print(json.dumps(said(lambda: open_lab('01'))))", given)
    assert end.startswith(f"NoEndpoint: {sentence}")
    assert aws.tables() == []


# --- what is made, and what is not touched --------------------------------------------------------


def test_tables_are_on_demand_named_after_the_user_and_the_lab_and_tagged(
    aws: StandIn, agreed: dict[str, str]
) -> None:
    script = """
lab = open_lab("06")
lab.client.create_table(TableName="Trial", KeySchema=TABLE["KeySchema"],
    AttributeDefinitions=TABLE["AttributeDefinitions"],
    ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
print(json.dumps([lab.table("Friends").name, sorted(lab.client.list_tables()["TableNames"])]))
"""
    aws.make_table("Friends")
    name, seen = run(OPEN + script, agreed)
    assert name == "Friends"
    assert seen == ["FriendScore", "Friends", "HighScore", "Trial"]
    made = [f"dynalab-ana-06-{each}" for each in seen]
    assert aws.tables() == sorted(["Friends", *made])
    for table in made:
        assert aws.tags(table) == {"DynaLab": "06"}
        mode = aws.ask("DescribeTable", TableName=table)["Table"]["BillingModeSummary"]
        assert mode["BillingMode"] == "PAY_PER_REQUEST"
    assert len(aws.ask("Scan", TableName="Friends")["Items"]) == 1


def test_requests_are_signed_for_the_learner_s_region(aws: StandIn, agreed: dict[str, str]) -> None:
    run(OPEN + "open_lab('00')\nprint(1)", agreed)
    signed = {scope.partition("/")[2] for scope in aws.signed_for}
    assert signed == {"eu-west-1/dynamodb/aws4_request", "eu-west-1/sts/aws4_request"}


def test_a_check_sends_nothing_and_needs_no_credentials(
    aws: StandIn, agreed: dict[str, str]
) -> None:
    script = """
lab = open_lab("00")
def save_profile(table, user_id, name):
    table.put_item(Item={"PK": f"USER#{user_id}", "SK": "PROFILE", "name": name})
connect().embedded_only = True
before = repr(lab.check("0.1", save_profile))
connect().embedded_only = False
print(json.dumps([before, repr(lab.check("0.1", save_profile))]))
"""
    for card in run(OPEN + script, agreed):
        assert "0.1 save_profile · correct" in card
    assert aws.ask("Scan", TableName="dynalab-ana-00-Profiles")["Items"] == []


def test_a_table_of_the_lab_s_name_without_the_tag_is_refused_and_stays(
    aws: StandIn, agreed: dict[str, str]
) -> None:
    aws.make_table("dynalab-ana-01-Social", Owner="Bob")
    end = run(OPEN + "print(json.dumps(said(lambda: open_lab('01'))))", agreed)
    assert end == (
        "NoEndpoint: The table dynalab-ana-01-Social has no tag DynaLab, so it is not the lab's; "
        "set DYNALAB_USER to another name, or rename the table."
    )
    assert len(aws.ask("Scan", TableName="dynalab-ana-01-Social")["Items"]) == 1


def test_a_lab_that_is_opened_again_begins_with_empty_tables(
    aws: StandIn, agreed: dict[str, str]
) -> None:
    script = """
lab = open_lab("01")
count = lab.table("Social").scan()["Count"]
lab.table("Social").put_item(Item={"PK": "a", "SK": "b"})
again = open_lab("01").table("Social").scan()["Count"]
lab.table("Social").put_item(Item={"PK": "a", "SK": "b"})
print(json.dumps([count, again]))
"""
    assert run(OPEN + script, agreed) == [0, 0]
    assert run(OPEN + script, agreed) == [0, 0]


def test_a_table_that_is_still_being_made_is_waited_for(
    aws: StandIn, agreed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, asked = aws.engine.answer, []

    def slow(operation: str, request: dict[str, object], attempt: int = 1) -> Reply:
        asked.append(operation)
        reply = answer(operation, request, attempt)
        if operation == "CreateTable":
            return Reply(reply.status, reply.body.replace(b'"ACTIVE"', b'"CREATING"'))
        return reply

    monkeypatch.setattr(aws.engine, "answer", slow)
    run(OPEN + "open_lab('01')\nprint(1)", agreed)
    made = asked.index("CreateTable")
    assert "DescribeTable" in asked[made:]


ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/Theirs"


REFUSED = {
    f"client.delete_table(TableName='{ARN}')": "it refused Theirs",
    f"client.scan(TableName='{ARN}')": "it refused Theirs",
    "client.execute_statement(Statement='DELETE FROM Theirs')": "ExecuteStatement to AWS",
    "client.tag_resource(ResourceArn='x' * 20, Tags=[])": "TagResource to AWS",
    "client.create_backup(TableName='Social', BackupName='abc')": "CreateBackup to AWS",
    "client.update_table(TableName='Social', BillingMode='PROVISIONED')": "stay on demand",
    "boto3.client('s3').list_buckets()": "it refused a request to s3.",
}


def test_no_request_of_a_lab_touches_what_is_not_the_lab_s(
    aws: StandIn, agreed: dict[str, str]
) -> None:
    aws.make_table("Theirs")
    calls = ", ".join(f"lambda: {call}" for call in REFUSED)
    script = f"""
import boto3
client = open_lab("01").client
print(json.dumps([said(call) for call in ({calls})]))
"""
    for end, sentence in zip(run(OPEN + script, agreed), REFUSED.values(), strict=True):
        assert end.startswith("NotLocal: " if "it refused" in sentence else "ClientError: ")
        assert sentence in end
    assert len(aws.ask("Scan", TableName="Theirs")["Items"]) == 1


def test_nothing_is_sent_before_a_lab_is_open(aws: StandIn, agreed: dict[str, str]) -> None:
    script = (
        "import boto3\nconnect()\nprint(json.dumps(said(boto3.client('dynamodb').list_tables)))"
    )
    assert run(OPEN + script, agreed) == (
        "NotLocal: Nothing goes to AWS before a lab is open; call open_lab, which asks."
    )
    assert aws.signed_for == []
