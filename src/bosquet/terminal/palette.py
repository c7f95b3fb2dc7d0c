"""Every colour and mark of the terminal. Colour never carries meaning alone: a letter, number or shape does too."""

from __future__ import annotations

SHAPES = "●▲■◆"
SEATS = ("bold red", "bold blue", "bold green", "bold magenta")
GEMS = {"B": "blue", "G": "green", "R": "red", "Y": "yellow"}

TITLE = "bold"
QUIET = "dim"
LINES = "dim"
LAWN = "green"
SOIL = "yellow"
DUE = "bold"


def mark(seat: int) -> str:
    """The shape and number of a seat."""
    return f"{SHAPES[seat]}{seat + 1}"
