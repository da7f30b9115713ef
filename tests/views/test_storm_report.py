"""A storm's report tells what failed and what retries absorbed; its bar tells no progress."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from dynalab.storm import Storm
from dynalab.views.progress_bar import ProgressBar
from dynalab.views.storm_report import StormReport
from dynalab.views.widgets import WIDGET

HOT = Storm(
    1_000, 25, succeeded=410, retried=124, absorbed=18, retries=192,
    errors=Counter({"ThrottlingException (TableWriteKeyRangeThroughputExceeded)": 590}),
)  # fmt: skip


def test_a_hot_storm_is_told_with_its_exception() -> None:
    assert repr(StormReport(HOT)) == (
        "1,000 calls, 25 a second: 410 succeeded, 590 failed.\n"
        "Refused at first: 608. Of these 124 were sent again, 192 times in all, "
        "and 18 succeeded.\n"
        "590 × ThrottlingException (TableWriteKeyRangeThroughputExceeded)"
    )
    assert "410 succeeded" in StormReport(HOT)._repr_html_()


def test_a_calm_storm_says_so() -> None:
    report = StormReport(Storm(20, 2.5, succeeded=20))
    assert repr(report) == (
        "20 calls, 2.5 a second: 20 succeeded, 0 failed.\n"
        "None was refused, and none was sent twice."
    )


def test_the_bars_text_is_the_same_however_far_it_is() -> None:
    bar = ProgressBar(1_000, "call")
    before = repr(bar), bar._repr_html_()
    bundle = bar._repr_mimebundle_()
    bar.move_to(400)
    assert (repr(bar), bar._repr_html_()) == before
    assert repr(bar) == bundle["text/plain"] == "A storm of 1,000 calls."
    assert bundle[WIDGET]["model_id"] == bar._widget.model_id


def test_the_bar_moves_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = ProgressBar(100, "call")
    bar._repr_mimebundle_()
    values = []
    for done in (1, 2, 99, 100):
        bar.move_to(done)
        values.append(bar._widget.value)
    assert values == [0, 2, 2, 100]


def test_without_ipywidgets_a_line_of_text_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bar = ProgressBar(1, "call")
    assert list(bar._repr_mimebundle_()) == ["text/plain", "text/html"]
    bar.move_to(1)
    assert repr(bar) == "A storm of 1 call."
