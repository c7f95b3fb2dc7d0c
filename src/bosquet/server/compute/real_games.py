"""The score sheet of a game that was played at a real table. Runs in a worker process."""

from __future__ import annotations

import functools
from typing import Any, Union

import msgspec

from bosquet.core import installed
from bosquet.core.real_game import Counted, RealGames


def real_games() -> dict[str, RealGames]:
    """Return the games that can be counted at a real table, by name."""
    found = ((name, installed.spec(name).real_game) for name in installed.names())
    return {name: module for name, module in found if module is not None}


@functools.cache
def real_game_decoder() -> msgspec.json.Decoder[Any]:
    """Return the decoder of a real game of any kind; its key `game` says which."""
    structs = tuple(module.RealGame for module in real_games().values())
    return msgspec.json.Decoder(Union[structs])  # noqa: UP007  (of types that are known at run time)


def count(real: Any) -> Counted:
    """Count a real game. Raises BosquetError, which names what can't be so."""
    name = str(type(real).__struct_config__.tag)
    return real_games()[name].count(real)
