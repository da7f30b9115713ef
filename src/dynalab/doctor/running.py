"""What works when it is tried: the kernel, the engine, a port, the disk, the progress file."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
from pathlib import Path
from subprocess import DEVNULL
from typing import Any
from urllib.parse import urlsplit

from dynalab.course import folder_with
from dynalab.doctor import Finding
from dynalab.progress import default_path

KERNEL = "python3"  # which the labs ask for
PORT = 8888
PORTS_TRIED = 50  # by JupyterLab, where the one before is taken
ROOM = 500  # megabytes
_START_SECONDS = 120


def kernel(name: str = KERNEL, seconds: int = _START_SECONDS) -> Finding:
    """Starts the kernel that the labs ask for, and imports DynaLab in it."""
    from jupyter_client.kernelspec import NoSuchKernel
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name=name)
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    install = f"Run `{python} -m ipykernel install --sys-prefix`."
    try:
        manager.start_kernel(stdout=DEVNULL, stderr=DEVNULL)
    except NoSuchKernel:
        return Finding("Kernel", f"there is no kernel {name}", install)
    except OSError as error:
        return Finding("Kernel", f"{name} does not start ({error.strerror})", install)
    client: Any = manager.blocking_client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=seconds)
        reply = client.execute("import dynalab.lab", reply=True, timeout=seconds)["content"]
    except (RuntimeError, TimeoutError) as error:
        return Finding("Kernel", f"{name} does not answer ({error})", install)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    if reply["status"] != "ok":
        seen = f"{name} starts, but cannot import dynalab ({reply.get('ename')})"
        return Finding("Kernel", seen, f"It is another Python than this one. {install}")
    return Finding("Kernel", f"{name} starts, and imports dynalab")


def engine() -> Finding:
    """Puts an item into the embedded engine and gets it back, through boto3."""
    import boto3

    from dynalab.engine.connect import NoEndpoint, connect
    from dynalab.engine.destinations import REGION

    try:
        connection = connect()
    except NoEndpoint as error:
        return Finding("Engine", "the labs cannot be opened as it is", str(error))
    with connection.all_embedded(), connection.engine.scratch():
        client: Any = boto3.client(
            "dynamodb", REGION, aws_access_key_id="x", aws_secret_access_key="x"
        )
        client.create_table(
            TableName="Doctor",
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        key = {"PK": {"S": "DOCTOR"}}
        client.put_item(TableName="Doctor", Item={**key, "said": {"S": "hello"}})
        said = client.get_item(TableName="Doctor", Key=key)["Item"]["said"]["S"]
    if said != "hello":
        return Finding("Engine", f"an item came back as {said!r}", "Install DynaLab anew.")
    return Finding("Engine", "an item was put, and got back")


def destination() -> Finding:
    """Where the labs' requests go, and whether an endpoint that was chosen answers."""
    from dynalab.engine import destinations

    try:
        chosen = destinations.chosen()
    except destinations.NoEndpoint as error:
        return Finding("Requests", "they have nowhere to go", str(error))
    if chosen.aws:
        seen = "DYNALAB_AWS=1: labs use AWS, after a question; not tried here"
        return Finding("Requests", seen)
    if chosen.endpoint is None:
        return Finding("Requests", "the embedded engine answers them; they stay on this machine")
    url = urlsplit(chosen.endpoint)
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        socket.create_connection((url.hostname or "", port), timeout=5).close()
    except OSError as error:
        to_do = "Start what should answer there, or unset DYNALAB_ENDPOINT."
        return Finding("Requests", f"nobody answers at {chosen.endpoint} ({error})", to_do)
    return Finding("Requests", f"they go to {chosen.endpoint}, which answers")


def port(first: int = PORT) -> Finding:
    """Whether JupyterLab finds a port: its own one, or one of those that it tries after it."""
    for number in range(first, first + PORTS_TRIED):
        if _is_free(number):
            if number == first:
                return Finding("Port", f"{first} is free")
            return Finding("Port", f"{first} is taken; JupyterLab will use {number}")
    return Finding(
        "Port",
        f"{first} and the {PORTS_TRIED - 1} after it are taken",
        "Stop what listens there, or name another one: start.py --port 9999.",
    )


def _is_free(number: int) -> bool:
    with socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", number))
        except OSError:
            return False
    return True


def disk(folder: Path | None = None) -> Finding:
    """Room for the course's own environment and for the notebooks' outputs."""
    folder = folder or folder_with("labs") or Path.cwd()
    free = shutil.disk_usage(folder).free // 1_000_000
    seen = f"{free:,} MB are free at {folder}"
    if free < ROOM:
        return Finding("Disk", seen, f"Make room: the labs and what they install take {ROOM} MB.")
    return Finding("Disk", seen)


def progress(path: Path | None = None) -> Finding:
    """Whether what you solve can be kept. Nothing is written into the file itself."""
    path = (path or default_path()).absolute()
    folder = next(each for each in path.parents if each.exists())
    to_do = "Set DYNALAB_PROGRESS to a file that can be written."
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        if path.exists():
            with path.open("r+b"):
                pass
    except OSError as error:
        return Finding("Progress", f"{path} cannot be written ({error.strerror})", to_do)
    return Finding("Progress", f"{path} can be written")
