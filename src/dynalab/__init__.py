"""DynaLab: labs that teach to count, copy and scale in Amazon DynamoDB.

`open_lab("01")` opens a lab. `explore` runs functions of your own in every order of their
requests. Importing this package starts nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dynalab.drawn import explore, replay
    from dynalab.lab import Lab, open_lab

__all__ = ["Lab", "explore", "open_lab", "replay"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in ("explore", "replay"):
        from dynalab import drawn

        return getattr(drawn, name)
    if name in __all__:
        from dynalab import lab

        return getattr(lab, name)
    raise AttributeError(f"dynalab has no {name}; it offers {', '.join(__all__)}.")
