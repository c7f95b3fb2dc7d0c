"""The games, by name."""

from __future__ import annotations

import importlib
from typing import cast

from bosquet.core.encoding import Encoder
from bosquet.core.errors import OptionError, quoted
from bosquet.core.rules import Rules

NAMES = ("topiary", "topas", "schlossgarten")


def rules(name: object) -> Rules:
    """The rules of a game. Raises OptionError for a name that is none."""
    if name not in NAMES:
        raise OptionError(f"there is no game {quoted(name)}; the games are {', '.join(NAMES)}")
    return cast(Rules, importlib.import_module(f"bosquet.games.{name}"))


def encoder(name: str) -> Encoder:
    """The encoder of a game, for environments."""
    return cast(Encoder, importlib.import_module(f"bosquet.games.encoders.{name}"))
