"""Plots as SVG: the Elo of each bot of a match, and learning curves. Needs Matplotlib (the extra `plot`)."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
    order = sorted(range(len(names)), key=lambda bot: ratings[bot].value)
    with _figure(path, 1.2 + 0.4 * len(names)) as figure:
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


def learning_curve(path: Path, title: str, rounds: Sequence[Any]) -> None:
    """Draw what `CURVES` of the rounds of a training run name, over the samples. Raises BosquetError."""
    curves = type(rounds[0]).CURVES if rounds else {}
    with _figure(path, 1.0 + 2.0 * len(curves)) as figure:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
        all_axes = figure.subplots(max(1, len(curves)), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (field, label) in zip(all_axes, curves.items(), strict=False):
            axes.plot([line.samples for line in rounds], [getattr(line, field) for line in rounds], ".-", color=INK)
            axes.set_ylabel(label)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        all_axes[-1].set_xlabel("samples")


@contextmanager
def _figure(path: Path, height: float) -> Iterator[Any]:
    """Give a figure of this height, in inches, to draw on; write it at the end. Raises BosquetError."""
    matplotlib = check(path)
    figures = importlib.import_module("matplotlib.figure")
    # No date and no random identifiers, so that the same numbers give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "bosquet", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(7, height), layout="constrained")
        yield figure
        try:
            figure.savefig(path, format="svg", metadata={"Date": None})
        except OSError as error:
            raise BosquetError(f"{path}: can't be written: {error.strerror}") from None
