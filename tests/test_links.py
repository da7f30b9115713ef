"""Links lead somewhere: those within the project to a file or a heading, the others to a page.

Whether a page is still there is for whoever has a network: no test needs one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dynalab.authoring.notebook_files import read

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("solutions/*.ipynb")])
HOSTS = {
    "boto3.amazonaws.com",
    "docs.aws.amazon.com",
    "docs.getmoto.org",
    "doi.org",
    "github.com",
    "semver.org",
    "www.alibabacloud.com",
}


def text_of(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def targets(text: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def test_there_are_links() -> None:
    assert len(PAGES) > 15
    assert sum(len(targets(text_of(path))) for path in PAGES) > 60


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_each_link_leads_somewhere(path: Path) -> None:
    for target in targets(text_of(path)):
        scheme = re.match(r"(\w+)://([^/]+)/", target)
        if scheme:
            assert (scheme[1], scheme[2] in HOSTS) == ("https", True), target
            continue
        name, _, heading = target.partition("#")
        assert name == "" or (path.parent / name).exists(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)
            assert heading in [
                re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings
            ]
