"""Compares generated requests with dynalite, 10,000 unless told: python -m tests.bench.fidelity [N]

Prints how many were compared, which known limits of dynalite were excused how often, and
every difference that nothing explains.
"""

from __future__ import annotations

import sys

from tests.engine import peer_dynalite
from tests.engine.comparison import compare

_SHOWN = 20


def main() -> None:
    reason = peer_dynalite.absent()
    if reason is not None:
        sys.exit(f"dynalite cannot be started: {reason}.")
    tally, found = compare(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    counted = ", ".join(f"{number} {name}" for name, number in tally.operations.most_common())
    print(f"{tally.requests} requests compared with dynalite ({counted}).")
    print(f"{tally.refused} of them were refused.")
    print("Excused, because dynalite is known to be wrong there:")
    for excuse, number in tally.excused.most_common():
        print(f"  {number:6}  {excuse}")
    for text in found[:_SHOWN]:
        print(text)
    print(f"{len(found) or 'no'} unexplained difference{'s' if len(found) > 1 else ''}")


if __name__ == "__main__":
    main()
