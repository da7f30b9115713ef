"""A matplotlib drawing as PNG: the same bytes from the same figures, whatever a style says."""

from __future__ import annotations

import base64
import io
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def png(draw: Callable[[Figure], None], width: float = 6.4, height: float = 3.6) -> bytes:
    """The picture that `draw` makes on a white figure of that many inches."""
    # On its first run on a machine matplotlib may warn that it lists the fonts; that
    # would stand in the cell, and nbval compares it.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # A learner's own style (or Jupyter's) must not reach in: dark text needs a white ground.
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        drawing = Figure(figsize=(width, height), dpi=120, facecolor="white", layout="constrained")
        FigureCanvasAgg(drawing)
        draw(drawing)
        written = io.BytesIO()
        # Software names matplotlib's version: a newer one would change a stored picture.
        drawing.savefig(written, format="png", metadata={"Software": None})
        return written.getvalue()


def base64_png(draw: Callable[[Figure], None], width: float = 6.4, height: float = 3.6) -> str:
    """The same as base64 text, as an HTML image carries it."""
    return base64.b64encode(png(draw, width, height)).decode("ascii")
