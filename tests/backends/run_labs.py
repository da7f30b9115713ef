"""Runs solutions where DYNALAB_ENDPOINT or DYNALAB_AWS leads, and tells what became of each cell.

python -m tests.backends.run_labs FOLDER LAB …: writes FOLDER/LAB.json as each lab ends, a list of
one object a cell. Checks are judged in the first labs only: everywhere they take the same road.
"""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

from tests.notebook_run import run

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
JUDGED = ("00", "01", "02")


def main(folder: Path, labels: list[str]) -> None:
    for label in labels:
        [path] = SOLUTIONS.glob(f"{label}_*.ipynb")

        def is_check(source: str, label: str = label) -> bool:
            return source.startswith("lab.check(") and label not in JUDGED

        cells = run(path, folder / "progress.json", leave_out=is_check, go_on=True)
        told = [
            {
                "id": cell.id,
                "source": cell.source,
                "text": cell.text,
                "error": None if cell.error is None else type(cell.error).__name__,
                "said": "" if cell.error is None else str(cell.error),
                "trace": traceback.format_exception(cell.error) if cell.error else [],
            }
            for cell in cells
        ]
        (folder / f"{label}.json").write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
