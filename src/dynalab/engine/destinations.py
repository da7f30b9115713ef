"""Where this process's requests may go: nowhere, to one endpoint, or to AWS, if it was said so."""

from __future__ import annotations

import getpass
import ipaddress
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

REGION = "us-east-1"  # of the embedded engine, and for an endpoint, which has no region

_AWS = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")
_CREDENTIALS = ("sts", "oidc", "portal.sso", "signin")  # who a profile gets its credentials from
_SETTINGS = {
    "AWS_ACCESS_KEY_ID": "dynalab",
    "AWS_SECRET_ACCESS_KEY": "dynalab",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_ACCOUNT_ID_ENDPOINT_MODE": "disabled",
}

# What a lab may ask AWS for. Left out is whatever could name a table in a way that is not seen
# (PartiQL), take the tag off that `dynalab clean` goes by, or cost more than requests do.
LAB_OPERATIONS = frozenset(
    [
        "BatchGetItem",
        "BatchWriteItem",
        "CreateTable",
        "DeleteItem",
        "DeleteTable",
        "DescribeStream",
        "DescribeTable",
        "DescribeTimeToLive",
        "GetItem",
        "GetRecords",
        "GetShardIterator",
        "ListStreams",
        "ListTables",
        "ListTagsOfResource",
        "PutItem",
        "Query",
        "Scan",
        "TransactGetItems",
        "TransactWriteItems",
        "UpdateItem",
        "UpdateTable",
        "UpdateTimeToLive",
    ]
)
_PROVISIONED = ("BillingMode", "ProvisionedThroughput", "ReplicaUpdates", "TableClass")


class NoEndpoint(Exception):
    """What was asked for cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Destination:
    """endpoint: a URL, or None. aws: whether requests go to DynamoDB itself."""

    endpoint: str | None = None
    aws: bool = False

    @property
    def embedded(self) -> bool:
        return self.endpoint is None and not self.aws

    def lets_through(self, host: str) -> bool:
        """Whether a request of any kind may go to this host."""
        if is_loopback(host):
            return True
        if self.endpoint is not None:
            return host == urlsplit(self.endpoint).hostname
        return self.aws and _lends_credentials(host)

    def holds_lab_tables(self, url: str) -> bool:
        """Whether a lab's tables are at this URL, under other names than the notebook's."""
        if self.endpoint is not None:
            return urlsplit(url).netloc == urlsplit(self.endpoint).netloc
        return self.aws


def chosen() -> Destination:
    """What DYNALAB_ENDPOINT and DYNALAB_AWS say. Raises NoEndpoint where it cannot be used."""
    url = os.environ.get("DYNALAB_ENDPOINT")
    if os.environ.get("DYNALAB_AWS") == "1":
        if url:
            raise NoEndpoint("Set DYNALAB_AWS or DYNALAB_ENDPOINT, not both; unset one of them.")
        return Destination(aws=True)
    if not url:
        return Destination()
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise NoEndpoint(
            f"DYNALAB_ENDPOINT is {url!r}; give a URL such as http://localhost:8000, or unset it."
        )
    if f".{parts.hostname}".rstrip(".").endswith(_AWS):
        raise NoEndpoint("DYNALAB_ENDPOINT names AWS; DynaLab does not go there by an endpoint.")
    return Destination(url)


def take_over_environment(destination: Destination) -> None:
    """Sets what boto3 reads, so that nothing of the learner's own settings leads off the machine.

    For AWS these settings are what is wanted, and they stay as they are.
    """
    if destination.aws:
        return
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(_SETTINGS)
    if destination.endpoint is not None:
        os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = destination.endpoint
        os.environ["AWS_ENDPOINT_URL_DYNAMODB_STREAMS"] = destination.endpoint
    local = ["127.0.0.1", "localhost", "::1"]
    for name in ("NO_PROXY", "no_proxy"):  # a proxy must not see what goes to this machine
        os.environ[name] = ",".join([*filter(None, [os.environ.get(name)]), *local])
    if "boto3" in sys.modules:
        # It was made with the settings of before.
        sys.modules["boto3"].DEFAULT_SESSION = None  # type: ignore[attr-defined]


def user() -> str:
    """Whose tables these are, as a part of their names: letters, digits and _, at most 40.

    DYNALAB_USER, where it is set; JupyterHub's user; or who is logged in.
    """
    name = os.environ.get("DYNALAB_USER") or os.environ.get("JUPYTERHUB_USER")
    if not name:
        try:
            name = getpass.getuser()
        except (KeyError, ImportError, OSError):  # a container may know no name for its user
            name = "learner"
    return re.sub("[^A-Za-z0-9_]", "_", name)[:40]


def refusal_at_aws(operation: str, request: Mapping[str, Any]) -> str | None:
    """A sentence where DynaLab does not send this to AWS, else None."""
    if operation not in LAB_OPERATIONS:
        return f"DynaLab does not send {operation} to AWS."
    costly = [member for member in _PROVISIONED if member in request]
    if operation == "UpdateTable" and costly:
        return f"DynaLab's tables at AWS stay on demand: it refused UpdateTable with {costly[0]}."
    return None


def on_demand(request: Mapping[str, Any]) -> dict[str, Any]:
    """A CreateTable without what is paid by the hour."""
    made = {name: v for name, v in request.items() if name not in _PROVISIONED}
    for index in made.get("GlobalSecondaryIndexes", []):
        index.pop("ProvisionedThroughput", None)
    return {**made, "BillingMode": "PAY_PER_REQUEST"}


@lru_cache(maxsize=64)  # asked twice for each request
def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or its address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _lends_credentials(host: str) -> bool:
    """AWS's services for credentials, or the metadata service of the machine itself."""
    try:
        return ipaddress.ip_address(host).is_link_local or host == "fd00:ec2::254"
    except ValueError:
        pass
    return host.endswith(_AWS) and host.startswith(tuple(f"{name}." for name in _CREDENTIALS))
