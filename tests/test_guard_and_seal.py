"""What a submission may not do in the grader's kernel, and what is put back before a verdict."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import dynalab.check
from dynalab.grading.guard import Guard, Refusal
from dynalab.grading.seal import Seal


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.getaddrinfo", ("example.com", 80)),
        ("socket.getaddrinfo", (b"example.com", 80)),
        ("socket.connect", (None, ("192.0.2.1", 80))),
        ("socket.sendto", (None, ("192.0.2.1", 80))),
        ("subprocess.Popen", ("curl", [], None, None)),
        ("os.system", (b"curl",)),
        ("os.forkpty", ()),
        ("open", ("progress.json", "w", os.O_WRONLY | os.O_CREAT)),
        ("open", ("progress.json.lock", None, os.O_CREAT)),
        ("os.remove", ("progress.json", -1)),
        ("os.remove", ("PROGRESS.JSON", -1)),
        ("os.rename", ("x", "progress.json", -1, -1)),
    ],
)
def test_the_guard_refuses_and_remembers(
    event: str, arguments: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    guard = Guard([tmp_path / "progress.json"])
    with pytest.raises(Refusal):
        guard._hear(event, arguments)
    assert len(guard.refused) == 1


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("subprocess.Popen", ("curl", ["curl"], None, None)),
        ("subprocess.Popen", (None, "curl", None, None)),  # as Windows tells it
        ("_winapi.CreateProcess", (None, "curl", None)),
        ("os.system", (b"curl",)),
        ("os.spawn", (1, "curl", [], None)),
    ],
)
def test_the_guard_names_the_program_on_each_system(
    event: str, arguments: tuple[Any, ...], tmp_path: Path
) -> None:
    guard = Guard([tmp_path / "progress.json"])
    with pytest.raises(Refusal):
        guard._hear(event, arguments)
    assert guard.refused == ["It tried to start a program (curl)."]


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.getaddrinfo", ("localhost", 80)),
        ("socket.getaddrinfo", (None, 80)),
        ("socket.connect", (None, ("127.0.0.1", 80))),
        ("socket.connect", (None, ("::1", 80, 0, 0))),
        ("socket.connect", (None, "/run/socket")),
        ("open", ("progress.json", "r", os.O_RDONLY)),
        ("open", ("other.json", "w", os.O_WRONLY | os.O_CREAT)),
        ("open", (3, "w", os.O_WRONLY)),
    ],
)
def test_the_guard_lets_the_rest_pass(
    event: str, arguments: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    guard = Guard([tmp_path / "progress.json"])
    guard._hear(event, arguments)
    assert guard.refused == []


def test_the_seal_puts_functions_methods_and_code_back() -> None:
    seal = Seal()
    kept = dynalab.check._judged, dynalab.trial.Trial.item, dynalab.trial.Trial.call.__code__
    dynalab.check._judged = None  # type: ignore[assignment]
    del dynalab.trial.Trial.item
    dynalab.trial.Trial.call.__code__ = (lambda self: None).__code__
    assert sorted(seal.mend()) == [
        "dynalab.check._judged", "dynalab.trial.Trial.call", "dynalab.trial.Trial.item"
    ]  # fmt: skip
    back = dynalab.check._judged, dynalab.trial.Trial.item, dynalab.trial.Trial.call.__code__
    assert back == kept
    assert seal.mend() == []
