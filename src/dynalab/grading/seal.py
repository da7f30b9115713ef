"""The package as it is before a submission's first cell, to be put back before each verdict."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

_OTHERS = ("botocore.endpoint", "botocore.httpsession", "botocore.signers")


class Seal:
    """Functions, classes and constants of the package, of Python's builtins, and of boto3's road.

    State, such as the one connection of a process, is left as it is.
    """

    def __init__(self) -> None:
        self._kept = [
            (owner, name, value) for owner in _owners() for name, value in _lasting(owner)
        ]
        functions = [f for _, _, value in self._kept if (f := _function(value)) is not None]
        self._codes = [(function, function.__code__) for function in functions]

    def mend(self) -> list[str]:
        """Puts everything back; returns the names of what had been changed."""
        changed = []
        for owner, name, value in self._kept:
            if vars(owner).get(name) is not value:
                changed.append(f"{_name(owner)}.{name}")
                setattr(owner, name, value)
        for function, code in self._codes:
            if function.__code__ is not code:
                changed.append(f"{function.__module__}.{function.__qualname__}")
                function.__code__ = code
        return changed


def _owners() -> Iterator[ModuleType | type]:
    """The modules of the package, and the classes that they define."""
    for name, module in list(sys.modules.items()):
        if module is builtins:
            yield module
        elif name.partition(".")[0] == "dynalab" or name in _OTHERS:
            yield module
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name:
                    yield value


def _lasting(owner: ModuleType | type) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(owner).items()):
        constant = name.isupper() and isinstance(value, tuple | str | int | float | frozenset)
        method = isinstance(value, property | classmethod | staticmethod)
        if constant or method or callable(value):
            yield name, value


def _function(value: Any) -> FunctionType | None:
    inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
    return inner if isinstance(inner, FunctionType) else None


def _name(owner: ModuleType | type) -> str:
    if isinstance(owner, type):
        return f"{owner.__module__}.{owner.__qualname__}"
    return owner.__name__
