"""Variants of Topas, small enough for exact algorithms or for sampled ones."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    # Six cards of three colours, one in each hand; every seat lays one card.
    "topas_tiny": {
        "TITLE": "Topas, tiny variant",
        "CARDS": ((0, 1, 1, 3), (0, 2, 1, 1), (0, 3, 2, 1), (0, 2, 2, 3), (1, 2, 2, 3), (1, 3, 2, 2)),
        "HAND": 1,
        "TURNS": 1,
        "OPTIONS": {"players": (2,), "expert": (False,)},
    },
    # The same cards; every seat lays two of them, and draws between.
    "topas_small": {
        "TITLE": "Topas, small variant",
        "CARDS": ((0, 1, 1, 3), (0, 2, 1, 1), (0, 3, 2, 1), (0, 2, 2, 3), (1, 2, 2, 3), (1, 3, 2, 2)),
        "HAND": 1,
        "TURNS": 2,
        "OPTIONS": {"players": (2,), "expert": (False,)},
    },
}
"""[name]: the constants of the module `rules` that the variant replaces."""
