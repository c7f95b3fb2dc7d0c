"""Variants of Topiary, small enough for exact algorithms or for sampled ones."""

from __future__ import annotations

from typing import Any

from bosquet.core.grid import Grid

VARIANTS: dict[str, dict[str, Any]] = {
    # A garden of 3 × 3 cells and twelve tiles; each seat has a tile in hand and a visitor, for the south or west side.
    "topiary_tiny": {
        "TITLE": "Topiary, tiny variant",
        "TYPES": "TWS",
        "SIZES": 4,
        "GRID": Grid(3),
        "VISITORS": (0, 0, 1),
        "HAND": 1,
        "ALL_TYPES": 2,
        "HEADINGS": {"N": (0, 1), "E": (1, 0)},
        "OPTIONS": {"players": (2,), "draft": (False,)},
    },
    # The same garden; each seat has two visitors.
    "topiary_small": {
        "TITLE": "Topiary, small variant",
        "TYPES": "TWS",
        "SIZES": 4,
        "GRID": Grid(3),
        "VISITORS": (0, 0, 2),
        "HAND": 1,
        "ALL_TYPES": 2,
        "HEADINGS": {"N": (0, 1), "E": (1, 0)},
        "OPTIONS": {"players": (2,), "draft": (False,)},
    },
}
"""[name]: the constants of the module `rules` that the variant replaces."""
