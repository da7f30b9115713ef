"""A handout: the lab or its solution on one page that needs no network."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dynalab import authoring, cli, course
from tests.tiny_notebook import notebook, write

ROOT = Path(__file__).resolve().parent.parent
LAB = "01_count_on_read"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The handout of lab 01, and the one with its answers, by their files' names."""
    folder = tmp_path_factory.mktemp("handouts")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        assert cli.main(["handout", "1", "--to", str(folder / "new")]) == 0
        assert cli.main(["handout", "01", "--to", str(folder / "new"), "--solved"]) == 0
    return {path.name: path.read_text(encoding="utf-8") for path in (folder / "new").iterdir()}


class Loaded(HTMLParser):
    """Whatever a browser would load for a page, or run in it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            follows = tag == "a" and name == "href"
            if name in ("src", "srcset", "href", "data", "poster") and not follows:
                if not (value or "").startswith("data:"):
                    self.found.append(f"{tag} {name}={value}")
            elif name.startswith("on"):
                self.found.append(f"{tag} {name}")
        if tag in ("script", "iframe", "object", "embed", "link"):
            self.found.append(tag)


def test_there_is_one_file_a_handout(pages: dict[str, str]) -> None:
    assert sorted(pages) == [f"{LAB}.html", f"{LAB}_solved.html"]


@pytest.mark.parametrize("name", [f"{LAB}.html", f"{LAB}_solved.html"])
def test_a_handout_loads_nothing_and_runs_nothing(pages: dict[str, str], name: str) -> None:
    loaded = Loaded()
    loaded.feed(pages[name])
    assert loaded.found == []
    assert not re.search(r"@import|url\(\s*['\"]?(?!data:|['\"])", pages[name])


@pytest.mark.parametrize("name", [f"{LAB}.html", f"{LAB}_solved.html"])
def test_a_handout_has_a_title_a_language_and_one_main_heading(
    pages: dict[str, str], name: str
) -> None:
    assert "<title>01 · Count on read</title>" in pages[name]
    assert '<html lang="en">' in pages[name]
    assert pages[name].count("<h1") == 1
    assert "@media print" in pages[name]


def test_the_answers_are_on_the_solved_handout_alone(pages: dict[str, str]) -> None:
    def words(page: str) -> str:
        return " ".join(html.unescape(re.sub("<[^>]*>", "", page)).split())

    answer = authoring.solution_of("1.1", ROOT).splitlines()[-1].strip()
    shown = {name: answer in words(page) for name, page in pages.items()}
    assert shown == {f"{LAB}.html": False, f"{LAB}_solved.html": True}
    assert "raise NotImplementedError" in words(pages[f"{LAB}.html"])
    assert "· correct" in words(pages[f"{LAB}_solved.html"])


def test_a_handout_goes_where_you_are_unless_you_say_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("labs", "solutions"):
        (tmp_path / name).mkdir()
    write(tmp_path / "labs" / f"{LAB}.ipynb", notebook())
    monkeypatch.chdir(tmp_path)
    assert cli.main(["handout", LAB]) == 0
    assert capsys.readouterr().out == f"Written: {LAB}.html\n"
    assert (tmp_path / f"{LAB}.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["99"], "dynalab: There is no lab 99; the labs are"),
        (["0"], "dynalab: There is no labs/00_start_here.ipynb in"),
        (["0", "--solved"], "dynalab: There is no solutions/00_start_here.ipynb in"),
        (["1"], f"dynalab: {LAB}.ipynb is not a notebook of format 4"),
        (["2", "--to", "taken"], "dynalab: "),
    ],
)
def test_what_cannot_be_written_is_one_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("labs", "solutions"):
        (tmp_path / name).mkdir()
    (tmp_path / "labs" / f"{LAB}.ipynb").write_text("{", encoding="utf-8")
    write(tmp_path / "labs" / course.load().lab(2).notebook, notebook())
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["handout", *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(sentence)
    assert not list(tmp_path.glob("*.html"))


def test_the_command_says_why_there_are_no_slides(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["handout", "--help"])
    assert end.value.code == 0
    assert "reveal.js from the network" in " ".join(capsys.readouterr().out.split())
