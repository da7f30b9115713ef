"""What every view keeps: escaped data, headed cells, colours that can be read, cheap imports."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import jupyterlab
import pytest

from dynalab.meter import Charge
from dynalab.views.bill import Bill
from dynalab.views.card import Card
from dynalab.views.chart import COLOURS, Chart
from dynalab.views.items import Items, TableItems
from dynalab.views.page import STYLE, paragraph
from dynalab.views.slider import slider

EVIL = "<script>alert('1')</script>\"'&"
# Colours that JupyterLab defines outside its themes, and that one theme uses.
PALETTE = {"--md-green-700": "#388e3c", "--md-red-500": "#f44336", "--md-grey-900": "#212121"}
THEMES = Path(jupyterlab.__file__).parent / "themes" / "@jupyterlab"

VIEWS: dict[str, Callable[[], object]] = {
    "items": lambda: Items({EVIL: TableItems(EVIL, "SK", [{EVIL: EVIL, "SK": EVIL, "a": [EVIL]}])}),
    "items gone": lambda: Items(
        {"T": TableItems("id", None, [])},
        before=Items({"T": TableItems("id", None, [{"id": EVIL}])}),
    ),
    "bill": lambda: Bill(
        [Charge(EVIL, EVIL, EVIL, EVIL, 1, 1, 1, 1, 1, EVIL)],
        lambda reads, writes: Decimal(1),
        EVIL,
        per=EVIL,
    ),
    "chart": lambda: Chart(EVIL, EVIL, EVIL, {EVIL: [(1, 2), (3, 4)]}, alt=EVIL, see=EVIL),
    "card": lambda: Card(EVIL, EVIL, "incorrect", [EVIL, f"{EVIL}\n {EVIL}"], EVIL, EVIL),
    "slider": lambda: slider(EVIL, [EVIL], lambda value: value),
}


class Reader(HTMLParser):
    """Reads HTML, and fails where a tag is closed that is not the last one opened."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


@pytest.fixture(params=VIEWS)
def make(request: pytest.FixtureRequest) -> Callable[[], object]:
    return VIEWS[request.param]


def read(view: object) -> Reader:
    return Reader(view._repr_html_())  # type: ignore[attr-defined]


def test_data_is_escaped_wherever_it_stands(make: Callable[[], object]) -> None:
    reader = read(make())
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "alert('1')" in reader.text
    for _, attributes in reader.tags:
        allowed = {"alt", "aria-hidden", "class", "role", "rowspan", "scope", "src"}
        assert set(attributes) <= allowed


def test_every_tag_is_closed(make: Callable[[], object]) -> None:
    assert read(make()).open == []


def test_every_head_says_what_it_heads_and_every_picture_has_words(
    make: Callable[[], object],
) -> None:
    for tag, attributes in read(make()).tags:
        if tag == "th":
            assert attributes["scope"] in ("col", "row", "rowgroup")
        if tag == "img":
            assert attributes["alt"]


def test_two_renders_are_equal_and_hold_no_address(make: Callable[[], object]) -> None:
    first, second = make(), make()
    assert repr(first) == repr(second)
    assert read(first).text == read(second).text
    assert first._repr_html_() == second._repr_html_()  # type: ignore[attr-defined]
    assert " at 0x" not in repr(first)


def test_the_stylesheet_reaches_nothing_outside_a_view() -> None:
    for rule in re.findall(r"([^{}]+)\{", STYLE):
        assert all(part.strip().startswith(".dynalab") for part in rule.split(","))


def test_importing_every_view_is_cheap() -> None:
    names = ["bill", "card", "chart", "items", "page", "slider", "values"]
    imports = "; ".join(f"import dynalab.views.{name}" for name in names)
    heavy = "{'boto3', 'ipywidgets', 'IPython', 'matplotlib', 'moto', 'numpy'}"
    program = f"import sys; {imports}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(STYLE_FILE).parents[2])},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert done.stdout.strip() == "[]", done.stderr


STYLE_FILE = sys.modules["dynalab.views.page"].__file__ or ""

Rgb = tuple[float, float, float]


def colour(text: str, behind: Rgb = (255, 255, 255)) -> Rgb:
    """The colour of a CSS value, laid over what is behind it."""
    names = {"white": "#ffffff", "black": "#000000"}
    text = names.get(text, text)
    if text.startswith("rgba"):
        *parts, alpha = (float(part) for part in text[5:-1].split(","))
        red, green, blue = (a * alpha + b * (1 - alpha) for a, b in zip(parts, behind, strict=True))
        return red, green, blue
    digits = text.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    red, green, blue = (float(int(digits[at : at + 2], 16)) for at in (0, 2, 4))
    return red, green, blue


def contrast(one: Rgb, other: Rgb) -> float:
    """The ratio that WCAG 2.2 asks for: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio"""

    def luminance(rgb: Rgb) -> float:
        parts = (c / 255 for c in rgb)
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def our_colours(theme: str | None) -> dict[str, str]:
    """The views' colours: the fall-backs, or what one of JupyterLab's themes makes of them."""
    variables: dict[str, str] = {}
    if theme is not None:
        css = (THEMES / f"theme-{theme}-extension" / "index.css").read_text(encoding="utf-8")
        variables = dict(re.findall(r"(--[\w-]+):\s*([^;}]+)", css))
    found = {}
    for name, variable, fallback in re.findall(
        r"--dl-(\w[\w-]*): var\((--[\w-]+), (#\w+)\)", STYLE
    ):
        value = variables.get(variable, fallback)
        while inner := re.fullmatch(r"var\((--[\w-]+)(?:,\s*(.+))?\)", value):
            value = variables.get(inner[1]) or inner[2] or PALETTE[inner[1]]
        found[name] = value
    return found


@pytest.mark.parametrize("theme", [None, "light", "dark", "dark-high-contrast"])
def test_text_and_verdicts_can_be_read_in_every_theme(theme: str | None) -> None:
    ours = our_colours(theme)
    paper = colour(ours["paper"])
    band = colour(ours["band"], paper)
    assert contrast(colour(ours["ink"], band), band) >= 4.5
    for name in ("ink", "correct", "incorrect", "not-attempted"):
        assert contrast(colour(ours[name], paper), paper) >= 4.5, name


def test_the_lines_of_a_chart_and_their_names_can_be_read_on_white() -> None:
    for line in COLOURS:
        assert contrast(colour(line), colour("white")) >= 4.5


def test_the_measure_of_contrast_is_right() -> None:
    assert contrast(colour("black"), colour("white")) == pytest.approx(21)
    assert contrast(colour("#767676"), colour("#fff")) == pytest.approx(4.54, abs=0.01)
    assert contrast(colour("#777777"), colour("#fff")) < 4.5


def test_what_stands_between_backticks_is_code() -> None:
    assert paragraph("Is it `by`, or `-1 < n`?") == (
        "<p>Is it <code>by</code>, or <code>-1 &lt; n</code>?</p>"
    )
    assert paragraph("one ` alone") == "<p>one ` alone</p>"
