"""Plot a match as SVG: the Elo of each bot with its interval. Needs Matplotlib (the extra `plot`)."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bosquet.core.errors import BosquetError, OptionError
from bosquet.lab.ratings import Estimate

INK = "#2b5d3a"


def check(path: Path) -> Any:
    """Return Matplotlib. Raises OptionError if it is not installed or the folder of the file does not exist."""
    if not path.parent.is_dir():
        raise OptionError(f"{path}: can't be written: there is no folder {path.parent}")
    try:
        return importlib.import_module("matplotlib")
    except ImportError:
        raise OptionError("--plot needs Matplotlib, which is not installed: pip install 'bosquet[plot]'") from None


def forest(path: Path, title: str, names: Sequence[str], ratings: Sequence[Estimate]) -> None:
    """Draw a forest plot: a point and an interval for each bot, the best at the top. Raises BosquetError."""
    matplotlib = check(path)
    figures = importlib.import_module("matplotlib.figure")
    order = sorted(range(len(names)), key=lambda bot: ratings[bot].value)
    # No date and no random identifiers, so that the same match gives the same file.
    with matplotlib.rc_context({"svg.hashsalt": "bosquet", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(7, 1.2 + 0.4 * len(names)), layout="constrained")
        axes = figure.add_subplot()
        for row, bot in enumerate(order):
            value, low, high = ratings[bot]
            axes.plot([low, high], [row, row], color=INK, linewidth=1.5)
            axes.plot([value], [row], "o", color=INK, markersize=5)
        axes.axvline(0, color="#999999", linewidth=0.8, zorder=0)
        axes.set_yticks(range(len(order)), [names[bot] for bot in order])
        axes.set_ylim(-0.6, len(order) - 0.4)
        axes.set_xlabel("Elo, the mean of these bots is 0; lines are 95 % intervals")
        axes.set_title(title, loc="left", fontsize=11)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.tick_params(axis="y", length=0)
        try:
            figure.savefig(path, format="svg", metadata={"Date": None})
        except OSError as error:
            raise BosquetError(f"{path}: can't be written: {error.strerror}") from None
