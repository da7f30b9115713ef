"""Generated requests: our engine and dynalite bill, find and refuse the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from tests.engine import peer_dynalite
from tests.engine.comparison import compare

_REQUESTS = 600  # always the same; python -m tests.bench.fidelity compares thousands
_OPERATIONS = {
    "GetItem",
    "BatchGetItem",
    "Query",
    "Scan",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
}


def test_no_difference_to_dynalite_is_unexplained(
    peer_required: Callable[[str], NoReturn],
) -> None:
    reason = peer_dynalite.absent()
    if reason is not None:
        peer_required(reason)
    tally, found = compare(_REQUESTS)
    assert "\n".join(found) == ""
    assert tally.requests == _REQUESTS
    assert set(tally.operations) == _OPERATIONS
    assert 0 < tally.refused < _REQUESTS / 2
