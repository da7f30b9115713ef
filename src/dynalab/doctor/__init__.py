"""What the labs need of a machine, looked at in order; each finding says what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One line of the doctor. to_do: what to do about it; "" where all is well."""

    about: str
    seen: str
    to_do: str = ""

    def __str__(self) -> str:
        line = f"{'fix' if self.to_do else 'ok':<4} {self.about:<9} {self.seen}"
        return f"{line}\n     {'':<9} {self.to_do}" if self.to_do else line


def examine() -> int:
    """Prints a finding a line, each as soon as it is there; 0 where all are well, else 1."""
    from dynalab.doctor import installed, running

    looks: tuple[Callable[[], Finding], ...] = (
        installed.python,
        installed.packages,
        installed.widgets,
        running.kernel,
        running.engine,
        running.destination,
        running.port,
        running.disk,
        running.progress,
    )
    well = True
    for look in looks:
        try:
            finding = look()
        except Exception as error:  # a machine can be broken in ways that nobody thought of
            about = look.__name__.capitalize()
            seen = f"could not be checked ({type(error).__name__}: {error})"
            finding = Finding(about, seen, "Install DynaLab anew, then run `dynalab doctor`.")
        print(finding, flush=True)
        well = well and not finding.to_do
    return 0 if well else 1
