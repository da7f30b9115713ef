"""DynaLab: labs that teach to count, copy and scale in Amazon DynamoDB.

`open_lab("01")` opens a lab. `connect` puts the embedded engine in DynamoDB's place, `explore`
runs functions of your own in every order of their requests. Importing this package starts nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dynalab.drawn import explore, replay
    from dynalab.engine.connect import connect
    from dynalab.lab import Lab, open_lab

__all__ = ["Lab", "connect", "explore", "open_lab", "replay"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "connect":
        from dynalab.engine.connect import connect

        return connect
    if name in ("explore", "replay"):
        from dynalab import drawn

        return getattr(drawn, name)
    if name in __all__:
        from dynalab import lab

        return getattr(lab, name)
    raise AttributeError(f"dynalab has no {name}; it offers {', '.join(__all__)}.")
