"""DYNALAB_ENDPOINT: labs run on `dynalab serve` and on dynalite, beside tables of somebody's own.

All labs on `dynalab serve` with DYNALAB_ALL_LABS=1; else those that between them use everything.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dynalab import course
from dynalab.authoring.notebook_files import read
from dynalab.backends import consent, lacking
from dynalab.meter import charge_of
from tests.backends import stand_in
from tests.backends.run_labs import JUDGED, SOLUTIONS
from tests.engine import peer_dynalite
from tests.guarded import environment_with
from tests.test_notebooks import plain

ROOT = Path(__file__).resolve().parents[2]
LABELS = [path.name[:2] for path in sorted(SOLUTIONS.glob("*.ipynb"))]
ALL = os.environ.get("DYNALAB_ALL_LABS") == "1"
_SOME = ("00", "01", "02", "04", "08", "10", "14")
ON_SERVE = [label for label in LABELS if ALL or label in _SOME]
ON_DYNALITE = ["00", "01", "02"]

Cells: TypeAlias = list[dict[str, Any]]


def run_labs(url: str, folder: Path, labels: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.backends.run_labs", str(folder), *labels],
        cwd=ROOT,
        env=environment_with({"DYNALAB_ENDPOINT": url, "DYNALAB_USER": "ana"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stderr


def cells_of(folder: Path, label: str) -> Cells:
    cells: Cells = json.loads((folder / f"{label}.json").read_text(encoding="utf-8"))
    return cells


def failures(cells: Cells) -> dict[str, str]:
    return {cell["id"]: f"{cell['error']}: {cell['said']}" for cell in cells if cell["error"]}


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def expect_correct(cells: Cells) -> None:
    """Each check says correct; a check's card has the verdict as its first line's last word."""
    cards = [cell["text"] for cell in cells if cell["source"].startswith("lab.check(")]
    assert cards
    assert all(card.splitlines()[0].endswith("· correct") for card in cards)


# --- dynalab serve --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What became of the labs, and of the tables of somebody's own beside theirs."""
    folder = tmp_path_factory.mktemp("served")
    units: list[tuple[str, float, float]] = []

    def note(ledger: Any) -> None:
        charge = charge_of(ledger)
        for table in ledger.units():
            units.append((table.split("-")[2], charge.read_units, charge.write_units))

    with stand_in.running() as server:
        server.make_table("Social", Owner="somebody")
        server.make_table("dynalab-bob-02-Social", DynaLab="02")
        server.engine.store.listeners.append(note)
        run_labs(server.url, folder, ON_SERVE)
        server.engine.store.listeners.remove(note)
        yield {"folder": folder, "server": server, "units": units}


@pytest.mark.parametrize("label", ON_SERVE)
def test_a_lab_runs_on_dynalab_serve(served: dict[str, Any], label: str) -> None:
    cells = cells_of(served["folder"], label)
    assert failures(cells) == {}
    assert "has no" not in cells[0]["text"]
    if label in JUDGED:
        expect_correct(cells)


@pytest.mark.parametrize("label", ON_SERVE)
def test_a_run_of_a_lab_costs_less_than_is_said_before_it(
    served: dict[str, Any], label: str
) -> None:
    own = [(reads, writes) for of, reads, writes in served["units"] if of == label]
    assert 0 < sum(reads for reads, _ in own) < consent.MOST_READ_UNITS
    assert 0 < sum(writes for _, writes in own) < consent.MOST_WRITE_UNITS


def test_figures_on_an_endpoint_are_those_of_the_embedded_engine(served: dict[str, Any]) -> None:
    same = {  # a bill, every order of requests, a storm, and what the storm left in the table
        "01": ["count", "predicted", "measured"],
        "02": ["crash", "predicted-a", "rmw-explore"],
        "08": ["one-storm", "one-heat", "predicted-b", "predicted-d"],
    }
    for label, wanted in same.items():
        notebook = read(SOLUTIONS / course.load().lab(label).notebook)
        stored = {c.id: lines(plain(c)) for c in notebook.cells if c.cell_type == "code"}
        seen = {c["id"]: lines(c["text"]) for c in cells_of(served["folder"], label)}
        for cell in wanted:  # a progress bar may stand before it
            assert seen[cell][-len(stored[cell]) :] == stored[cell], (label, cell)


def test_tables_of_somebody_s_own_are_left_alone(served: dict[str, Any]) -> None:
    server = served["server"]
    for name in ("Social", "dynalab-bob-02-Social"):
        assert server.ask("Scan", TableName=name)["Items"] == [{"PK": {"S": "theirs"}}]
    others = set(server.tables()) - {"Social", "dynalab-bob-02-Social"}
    assert all(re.match(r"dynalab-ana-\d\d-", name) for name in others)
    assert {name[12:14] for name in others} == set(ON_SERVE)


# --- dynalite -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def on_dynalite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.conftest import missing

    reason = peer_dynalite.absent()
    if reason is not None:
        missing(reason)
    folder = tmp_path_factory.mktemp("dynalite")
    with peer_dynalite.running() as peer:
        run_labs(peer.url, folder, ON_DYNALITE)
    return folder


@pytest.mark.parametrize("label", ON_DYNALITE)
def test_a_lab_runs_on_dynalite_but_for_transactions(on_dynalite: Path, label: str) -> None:
    cells = cells_of(on_dynalite, label)
    expect_correct(cells)
    for cell in cells:
        if cell["error"]:
            assert cell["error"] == "NotServed", cell["trace"]
            assert "does not serve TransactWriteItems; this cell needs a server" in cell["said"]
    said = [cell["id"] for cell in cells if "has no transactions" in cell["text"]]
    assert said == (["open"] if label in lacking.TRANSACTIONS else [])
    assert bool(failures(cells)) == (label in lacking.TRANSACTIONS)


def test_what_dynalite_lacks_is_one_sentence(on_dynalite: Path) -> None:
    [line] = [
        line for line in cells_of(on_dynalite, "02")[0]["text"].splitlines() if "has no" in line
    ]
    assert re.fullmatch(
        r"http://127\.0\.0\.1:\d+ has no transactions: cells that need them end early, by no "
        "mistake of yours; checks and schedules run on the embedded engine.",
        line,
    )


STREAMED = """
from dynalab.backends import entry, lacking
from dynalab.engine.connect import connect
connection = connect()
entry.enter(connection, "13", ["Votes"])
client = connection.client()
keys = {"KeySchema": TABLE["KeySchema"], "BillingMode": "PAY_PER_REQUEST"}
votes = {**keys, "AttributeDefinitions": TABLE["AttributeDefinitions"],
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}
scores = {**keys, "AttributeDefinitions": [*TABLE["AttributeDefinitions"],
                                           {"AttributeName": "n", "AttributeType": "N"}],
          "GlobalSecondaryIndexes": [{"IndexName": "byN", "Projection": {"ProjectionType": "ALL"},
                                      "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}]}]}
tables = {"Votes": votes, "Scores": scores}
for name, definition in tables.items():
    client.create_table(TableName=name, **definition)
    client.get_waiter("table_exists").wait(TableName=name)
print(json.dumps(lacking.lacking(connection, client, "13", tables)))
"""


def test_streams_and_bills_for_indexes_are_missed_where_a_table_needs_them(
    peer_required: Callable[[str], Any],
) -> None:
    from tests.guarded import run

    reason = peer_dynalite.absent()
    if reason is not None:
        peer_required(reason)
    with peer_dynalite.running() as peer:
        said = run(STREAMED, {"DYNALAB_ENDPOINT": peer.url})
    assert said.startswith(f"{peer.url} has no transactions, no streams and no bills for indexes: ")
    with stand_in.running() as server:
        assert run(STREAMED, {"DYNALAB_ENDPOINT": server.url}) is None


# --- both -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", LABELS)
def test_the_labs_that_need_transactions_are_those_whose_cells_write_them(label: str) -> None:
    notebook = SOLUTIONS / course.load().lab(label).notebook
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    needs = "transact_" in code
    assert needs == (label in lacking.TRANSACTIONS), "correct backends/lacking.py"
