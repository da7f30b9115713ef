"""Whatever is set but DYNALAB_AWS=1, a lab runs on the embedded engine and no road leads away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guarded import run

FIRST_CALL = """
from dynalab import open_lab
import boto3
lab = open_lab("02")
lab.table("Social").put_item(Item={"PK": "POST#a91f", "SK": "META", "likeTally": 7})
item = boto3.client("dynamodb").get_item(
    TableName="Social", Key={"PK": {"S": "POST#a91f"}, "SK": {"S": "META"}})["Item"]
print(json.dumps([item["likeTally"]["N"], repr(lab.head()).splitlines()[0].partition(" · ")[2]]))
"""
HERE = "The transactional tally    40 minutes · embedded engine, nothing leaves this machine"
KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIA" + "2E0A8F3B244C9986",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI" + "K7MDENG" + "bPxRfiCYzEXAMPLEKEY1",
    "AWS_SESSION_TOKEN": "FwoGZXIvYXdzE" * 8,
}
ELSEWHERE = "https://198.51.100.1"

SETTINGS: dict[str, dict[str, str]] = {
    "real-looking credentials": KEYS,
    "a missing profile": {"AWS_PROFILE": "not-there"},
    "another region": {**KEYS, "AWS_REGION": "ap-south-1", "AWS_DEFAULT_REGION": "eu-west-1"},
    "AWS_ENDPOINT_URL": {**KEYS, "AWS_ENDPOINT_URL": ELSEWHERE},
    "AWS_ENDPOINT_URL_DYNAMODB": {**KEYS, "AWS_ENDPOINT_URL_DYNAMODB": ELSEWHERE},
    "a role by web identity": {
        "AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/ana",
        "AWS_WEB_IDENTITY_TOKEN_FILE": __file__,
    },
    "credentials of a container": {
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1"
    },
    "a proxy": {**KEYS, "HTTPS_PROXY": ELSEWHERE, "https_proxy": ELSEWHERE},
    "DYNALAB_YES=1 alone": {**KEYS, "DYNALAB_YES": "1", "DYNALAB_USER": "ana"},
    "DYNALAB_AWS=0": {**KEYS, "DYNALAB_AWS": "0"},
    "DYNALAB_AWS=true": {**KEYS, "DYNALAB_AWS": "true"},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_a_lab_opens_here_with(settings: dict[str, str]) -> None:
    assert run(FIRST_CALL, settings) == ["7", HERE]


def test_a_lab_opens_here_without_a_home(tmp_path: Path) -> None:
    progress = {"DYNALAB_PROGRESS": str(tmp_path / "progress.json")}
    drop = ["HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "USER", "LOGNAME", "USERNAME"]
    assert run(FIRST_CALL, progress, drop) == ["7", HERE]


@pytest.mark.parametrize("profile", ["default", "work"])
def test_a_lab_opens_here_with_a_config_file_that_leads_away(tmp_path: Path, profile: str) -> None:
    ran = tmp_path / "ran"
    (tmp_path / ".aws").mkdir()
    section = "default" if profile == "default" else f"profile {profile}"
    (tmp_path / ".aws" / "config").write_text(
        f"[{section}]\nregion = eu-west-1\nendpoint_url = {ELSEWHERE}\n"
        f"credential_process = python -c \"open(r'{ran}', 'w')\"\n",
        encoding="utf-8",
    )
    settings = {
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        "AWS_PROFILE": profile,
        "AWS_CONFIG_FILE": str(tmp_path / ".aws" / "config"),
        "AWS_SDK_LOAD_CONFIG": "1",
    }
    assert run(FIRST_CALL, settings) == ["7", HERE]
    assert not ran.exists()


def test_with_dynalab_aws_the_same_script_does_try_to_leave() -> None:
    """So the guard above sees what it should: this is what the other tests prove not to happen."""
    settings = {**KEYS, "DYNALAB_AWS": "1", "DYNALAB_YES": "1", "AWS_DEFAULT_REGION": "eu-west-1"}
    with pytest.raises(AssertionError, match=r"a name was looked up: \S*amazonaws\.com"):
        run(FIRST_CALL, settings)
