"""Colours and marks at a terminal. Whatever a colour means is also shown by a letter, a number or a shape."""

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
    """Return the shape and number of a seat."""
    return f"{SHAPES[seat]}{seat + 1}"
