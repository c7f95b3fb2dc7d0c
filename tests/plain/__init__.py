"""Plain oracles: every game a second time, as slow and as readable as its rulings, and its views as typed data."""

from importlib import import_module
from typing import Any

CLASSES = {"topiary": "Topiary", "topas": "Topas", "schlossgarten": "Schlossgarten"}


def plain_game(game: str, options: dict[str, Any], deal: dict[str, Any]) -> Any:
    """Return the oracle of `game`, dealt as a record says; imports that game's module only."""
    module = import_module(f"{__name__}.{game}")
    return getattr(module, CLASSES[game])(options, deal)


def plain_views(game: str) -> Any:
    """Return the module that makes the views of `game`: functions `view`, `move_data` and `sheet`."""
    return import_module(f"{__name__}.{game}_view")
