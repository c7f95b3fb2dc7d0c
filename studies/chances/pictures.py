"""Draws reliability diagrams as SVG. Needs Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studies.chances.figures import Bin
from studies.findings.pictures import GREY, SEATS, SHAPES, axes_of


def reliability(path: Path, lines: Sequence[tuple[str, Sequence[Bin]]]) -> None:
    """Draw the share of forecasts that came true against the forecast, with a line for each way to forecast."""
    with axes_of(path, 4.6) as axes:
        axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.8, zorder=0)
        for number, (name, bins) in enumerate(lines):
            came = [one.came for one in bins]
            axes.errorbar(
                [100 * one.chance for one in bins],
                [100 * one.value for one in came],
                yerr=[
                    [100 * max(0.0, one.value - one.low) for one in came],
                    [100 * max(0.0, one.high - one.value) for one in came],
                ],
                color=SEATS[number],
                marker=SHAPES[number],
                markersize=5,
                linewidth=1.5,
                label=name,
            )
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 100)
        axes.set_xlabel("chance that the coach shows, in %")
        axes.set_ylabel("won, in %; lines are 95 % intervals")
        axes.legend(frameon=False, loc="upper left")
