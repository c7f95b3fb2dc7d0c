"""Draws the pictures of the findings as SVG. Needs Matplotlib."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bosquet.lab.plot import INK, check
from studies.findings.figures import Estimate

SEATS = ["#2b5d3a", "#c08a2d", "#7a4f8f", "#3d7ea6"]
"""Colours of the seats; their shapes differ, too."""
SHAPES = "osD^"
GREY = "#999999"


def seats(path: Path, rows: Sequence[tuple[str, Sequence[Estimate]]]) -> None:
    """Draw how much each seat wins, a line for each table, with a mark at equal shares."""
    with axes_of(path, 1.0 + 0.5 * len(rows)) as axes:
        for row, (_, shares) in enumerate(rows):
            height = len(rows) - row
            axes.plot([100 / len(shares)] * 2, [height - 0.4, height + 0.4], color=GREY, linewidth=1)
            for seat, (value, low, high) in enumerate(shares):
                at = height + 0.24 - 0.16 * seat
                axes.plot([100 * low, 100 * high], [at, at], color=SEATS[seat], linewidth=1.5)
                label = f"seat {seat + 1}" if len(shares) == 4 and row == len(rows) - 1 else None
                axes.plot([100 * value], [at], SHAPES[seat], color=SEATS[seat], markersize=5, label=label)
        axes.set_yticks([len(rows) - row for row in range(len(rows))], [name for name, _ in rows])
        axes.set_xlim(0, 100)
        axes.set_xlabel("games won, in %; the grey marks are equal shares, lines 95 % intervals")
        axes.legend(frameon=False, loc="upper right")


def head_starts(path: Path, shares: Sequence[Estimate]) -> None:
    """Draw how much the second of two players wins with a head start of 0, 1, … points."""
    points = range(len(shares))
    with axes_of(path, 3.2) as axes:
        axes.axhline(50, color=GREY, linewidth=0.8, zorder=0)
        axes.errorbar(
            points,
            [100 * share.value for share in shares],
            yerr=[
                [100 * (share.value - share.low) for share in shares],
                [100 * (share.high - share.value) for share in shares],
            ],
            color=INK,
            marker="o",
            markersize=5,
            linewidth=1.5,
        )
        axes.set_xticks(points)
        axes.set_ylim(0, 100)
        axes.set_xlabel("points that the second player begins with")
        axes.set_ylabel("games won by the second, in %")


def turns(path: Path, lines: Sequence[tuple[str, Sequence[Estimate]]]) -> None:
    """Draw the mean points of each turn, a line for each number of players."""
    with axes_of(path, 3.2) as axes:
        for number, (name, found) in enumerate(lines):
            xs = range(1, len(found) + 1)
            color = SEATS[number]
            axes.fill_between(xs, [one.low for one in found], [one.high for one in found], color=color, alpha=0.2)
            axes.plot(xs, [one.value for one in found], SHAPES[number] + "-", color=color, markersize=4, label=name)
        axes.set_xticks(xs)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("turn")
        axes.set_ylabel("points")
        axes.legend(frameon=False, loc="lower right")


class axes_of:  # noqa: N801  (used like a function)
    """Axes of a picture that is written in the end: without a date and random names, so equal data give equal files."""

    def __init__(self, path: Path, height: float) -> None:
        matplotlib = check(path)
        self._path = path
        self._style = matplotlib.rc_context({"svg.hashsalt": "bosquet", "svg.fonttype": "none", "font.size": 10})
        self._style.__enter__()
        self._figure = importlib.import_module("matplotlib.figure").Figure(figsize=(7, height), layout="constrained")

    def __enter__(self) -> Any:
        axes = self._figure.add_subplot()
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        return axes

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._figure.savefig(self._path, format="svg", metadata={"Date": None})
        self._style.__exit__(None, None, None)
