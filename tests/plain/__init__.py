"""Plain oracles: every game a second time, as slow and as readable as its rulings."""

from importlib import import_module
from typing import Any

CLASSES = {"topiary": "Topiary", "topas": "Topas", "schlossgarten": "Schlossgarten"}


def plain_game(game: str, options: dict[str, Any], deal: dict[str, Any]) -> Any:
    """Return the oracle of `game`, dealt as a record says; imports that game's module only."""
    module = import_module(f"{__name__}.{game}")
    return getattr(module, CLASSES[game])(options, deal)
