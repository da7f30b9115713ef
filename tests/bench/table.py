"""Prints our engine beside its peers, in one run: python -m tests.bench.table [--chart FILE]

Each figure is the time of one call by the clock, as a multiple of what botocore alone needs for
a get with a canned reply; the peers take turns, and the median of the rounds counts. Absolute
times would say more about the machine than about the engine. A peer that is not installed is left
out (moto's server needs flask and flask-cors); one that lacks the operation has a dash.
"""

from __future__ import annotations

import datetime
import importlib.util
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from tests.bench.engine import Worker
from tests.engine import peer_dynalite

JOBS = {
    "get": "GetItem",
    "put": "PutItem",
    "update": "UpdateItem",
    "query": "Query of one item",
    "page": "Query of a page of 25",
    "batch": "BatchWriteItem of 25 puts",
    "like": "TransactWriteItems of 2",
}
SIZES = (0, 1_000, 20_000)
_ROUNDS = 5
_CALLS = 20
_PATIENCE = 2.0  # seconds of one round; what is slower makes fewer calls, and one round only


@dataclass(frozen=True)
class Peer:
    """A column: what it is called, and the processes that answer it, one for each size.

    server: the process that holds 20,000 items, where that is not the worker itself.
    """

    name: str
    workers: dict[int, Worker]
    transactions: bool = True
    server: int | None = None

    def mebibytes(self) -> float:
        if self.server is None:
            return self.workers[SIZES[-1]]("memory", "", 0)
        return psutil.Process(self.server).memory_info().rss / 2**20


@contextmanager
def peers() -> Iterator[list[Peer]]:
    with ExitStack() as stack:

        def filled(*kind: str) -> dict[int, Worker]:
            return {size: _filled(stack, size, *kind) for size in SIZES}

        found = [Peer("ours", filled("ours")), Peer("plain moto", filled("moto"))]
        main = "import dynalab.cli; dynalab.cli.main()"
        command = [sys.executable, "-c", main, "serve", "--port"]
        found.append(_served(stack, "ours over HTTP", command))
        if importlib.util.find_spec("flask"):
            command = [sys.executable, "-m", "moto.server", "-p"]
            found.append(_served(stack, "moto's server", command))
        if peer_dynalite.absent() is None:
            servers = {size: stack.enter_context(peer_dynalite.running()) for size in SIZES}
            workers = {
                size: _filled(stack, size, "http", server.url) for size, server in servers.items()
            }
            largest = servers[SIZES[-1]].pid
            found.append(Peer("dynalite", workers, transactions=False, server=largest))
        yield found


def _filled(stack: ExitStack, size: int, *kind: str) -> Worker:
    worker = stack.enter_context(closing(Worker(*kind)))
    worker("fill", "POST", size)
    return worker


def _served(stack: ExitStack, name: str, command: list[str]) -> Peer:
    workers: dict[int, Worker] = {}
    for size in SIZES:
        url, pid = _server(stack, command)
        workers[size] = _filled(stack, size, "http", url)
    return Peer(name, workers, server=pid)


def _server(stack: ExitStack, command: list[str]) -> tuple[str, int]:
    """Starts a server on a free port; returns its address and process, once it listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [*command, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    stack.callback(server.wait)
    stack.callback(server.kill)
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return f"http://127.0.0.1:{port}", server.pid
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"Nothing listens; start it by hand and read what it says: {command}.")


def measured(peers: list[Peer], floor: Worker, job: str, size: int) -> dict[str, float]:
    """Each peer's time of one call over that of the canned get."""
    seconds: dict[str, list[float]] = {peer.name: [] for peer in peers}
    canned = []
    calls = {peer.name: _CALLS for peer in peers}
    for number in range(_ROUNDS):
        canned.append(floor("get", "POST", _CALLS, wall=True))
        for peer in peers:
            slow = number > 0 and seconds[peer.name][-1:] > [_PATIENCE]
            if slow or (job == "like" and not peer.transactions):
                continue
            took = peer.workers[size](job, "POST", calls[peer.name], wall=True)
            seconds[peer.name].append(took)
            calls[peer.name] = max(1, min(_CALLS, int(_PATIENCE / took)))
    unit = median(canned)
    return {name: median(each) / unit for name, each in seconds.items() if each}


def main(arguments: list[str]) -> int:
    if arguments and (arguments[0] != "--chart" or len(arguments) != 2):
        print("usage: python -m tests.bench.table [--chart FILE]")
        return 2
    with peers() as found, closing(Worker("botocore")) as floor:
        names = [peer.name for peer in found]
        print(f"{datetime.date.today()}: times of a call, canned botocore = 1\n")
        print(f"| items | operation | {' | '.join(names)} |")
        print(f"|---:|---|{'---:|' * len(names)}", flush=True)
        rows: dict[tuple[str, int], dict[str, float]] = {}
        for job, operation in JOBS.items():
            for size in SIZES:
                row = rows[job, size] = measured(found, floor, job, size)
                cells = [f"{row[name]:,.1f}" if name in row else "–" for name in names]
                print(f"| {size:,} | {operation} | {' | '.join(cells)} |", flush=True)
        memory = " | ".join(f"{peer.mebibytes():.0f}" for peer in found)
        print(f"| 20,000 | memory of the process, MiB | {memory} |")
    if arguments:
        _draw(rows, names, Path(arguments[1]))
    return 0


def _draw(rows: dict[tuple[str, int], dict[str, float]], names: list[str], path: Path) -> None:
    """A row for each operation at the largest size, a mark for each peer, on a log scale."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.subplots()
    for name, mark in zip(names, "oXs^D", strict=False):
        times = [rows[job, SIZES[-1]].get(name) for job in JOBS]
        spots = [(took, place) for place, took in enumerate(times) if took is not None]
        axes.plot(*zip(*spots, strict=True), mark, markersize=8, alpha=0.85, label=name)
    axes.set_yticks(range(len(JOBS)), JOBS.values())
    axes.set_ylim(len(JOBS) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.grid(color="0.9")
    axes.set_xlabel("time of a call at 20,000 items; a get that botocore answers itself = 1")
    figure.legend(loc="outside upper center", ncols=len(names), frameon=False)
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
