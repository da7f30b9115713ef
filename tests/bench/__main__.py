"""Prints every figure of the benchmarks, one after the other: python -m tests.bench

About a quarter of an hour on a machine that does nothing else. Each one can be run alone.
"""

from __future__ import annotations

import subprocess
import sys

# In a process each: what one leaves in memory is no burden for the next.
ALL = ("engine", "table", "explore", "storm", "checks", "notebooks", "grade")


def main() -> int:
    codes = []
    for name in ALL:
        print(f"\n== python -m tests.bench.{name}\n", flush=True)
        codes.append(subprocess.run([sys.executable, "-m", f"tests.bench.{name}"]).returncode)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
