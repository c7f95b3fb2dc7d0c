"""Plots as SVG: the Elo of each bot of a match, and learning curves. Needs Matplotlib (the extra `plot`)."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bosquet.core.errors import OptionError
from bosquet.core.system.extras import remedy
from bosquet.core.system.files import check_free, whole_file
from bosquet.lab.ratings import ELO_PER_NAT, Estimate, smoothed

INK = "#2b5d3a"


def check(path: Path, *, force: bool = False) -> Any:
    """Return Matplotlib.

    Raises BosquetError if it is not installed, or if the file does not end in `.svg`, its folder does not exist, or it
    is there already and `force` is not given.
    """
    check_free(path, force=force)
    if path.suffix.lower() != ".svg":
        raise OptionError(f"{path}: plots are SVG files; name one that ends in .svg")
    if not path.parent.is_dir():
        raise OptionError(f"{path}: can't be written: there is no folder {path.parent}")
    try:
        return importlib.import_module("matplotlib")
    except ImportError:
        raise OptionError(f"--plot needs Matplotlib, which is not installed; {remedy('plot')}") from None


def forest(path: Path, title: str, names: Sequence[str], ratings: Sequence[Estimate], *, force: bool = False) -> None:
    """Draw a forest plot: a point and an interval for each bot, the best at the top. Raises BosquetError."""
    order = sorted(range(len(names)), key=lambda bot: ratings[bot].value)
    with _figure(path, 1.2 + 0.4 * len(names), force) as figure:
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


def learning_curve(path: Path, title: str, rounds: Sequence[Any], *, force: bool = False) -> None:
    """Draw what `CURVES` of the rounds of a training run name, over the samples. Raises BosquetError.

    Rounds whose networks were not accepted have hollow points, and `elo` has intervals.
    """
    curves = type(rounds[0]).CURVES if rounds else {}
    samples = [line.samples / 1000 for line in rounds]
    refused = [not getattr(line, "accepted", True) for line in rounds]
    with _figure(path, 1.2 + 2.0 * len(curves), force) as figure:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
        all_axes = figure.subplots(max(1, len(curves)), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (field, label) in zip(all_axes, curves.items(), strict=False):
            values = [getattr(line, field) for line in rounds]
            if field == "elo":
                axes.errorbar(samples, values, yerr=_elo_errors(rounds), fmt="none", ecolor=INK, elinewidth=0.8)
                axes.axhline(0, color="#999999", linewidth=0.8, zorder=0)
            axes.plot(samples, values, color=INK, linewidth=1.2)
            for hollow, fill in ((False, INK), (True, "white")):
                points = [i for i, one in enumerate(refused) if one == hollow]
                axes.plot([samples[i] for i in points], [values[i] for i in points], "o", mfc=fill, mec=INK, ms=5)
            axes.set_ylabel(label)
            axes.margins(y=0.15)
            if len(rounds) == 1:
                axes.set_xlim(0, 1.1 * samples[0])
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        told = "; hollow: not accepted" if any(refused) else ""
        told += "; lines: 95 % intervals" if "elo" in curves else ""
        all_axes[-1].set_xlabel(f"samples, thousands{told}")


def _elo_errors(rounds: Sequence[Any]) -> list[float]:
    """Return half the width of the 95 % interval of the sum of Elo after each round, with games independent."""
    found, variance = [], 0.0
    for line in rounds:
        if line.accepted:
            score = smoothed(line.score, line.games)
            variance += ELO_PER_NAT**2 / (line.games * score * (1 - score))
        found.append(1.96 * math.sqrt(variance))
    return found


@contextmanager
def _figure(path: Path, height: float, force: bool) -> Iterator[Any]:
    """Give a figure of this height, in inches, to draw on; write it at the end. Raises BosquetError."""
    matplotlib = check(path, force=force)
    figures = importlib.import_module("matplotlib.figure")
    # No date and no random identifiers, so that the same numbers give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "bosquet", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(7, height), layout="constrained")
        yield figure
        with whole_file(path, force=force) as file:
            figure.savefig(file, format="svg", metadata={"Date": None})
