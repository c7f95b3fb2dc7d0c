"""The games that can be scored after they were played with the real box, and their score sheets."""

from __future__ import annotations

import functools
from typing import Annotated, Any, NamedTuple, Union

import msgspec
from msgspec import Meta

from bosquet.core import installed
from bosquet.core.errors import BosquetError, RecordError
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


class RealScore(NamedTuple):
    """The score of a game with the real box, from a file of the page."""

    counted: Counted
    names: list[str]


def is_file(value: object) -> bool:
    """Return whether a JSON value is a game with the real box as the page saves it, and not a record."""
    return isinstance(value, dict) and "real" in value


def score_file(value: object) -> RealScore:
    """Count a game with the real box from a file of the page. Raises RecordError, which says what is wrong."""
    try:
        file = msgspec.convert(value, _file_type())
        if len(file.names) != file.real.players:
            raise BosquetError(f"names has {len(file.names)} entries; the game has {file.real.players} players")
        return RealScore(count(file.real), file.names)
    except (msgspec.ValidationError, BosquetError) as error:
        raise RecordError(f"not a game with the real box: {error}") from None


@functools.cache
def _file_type() -> Any:
    """Return the type of a file: a real game of any kind, and who played."""
    structs = tuple(module.RealGame for module in real_games().values())
    names = list[Annotated[str, Meta(max_length=100)]]
    return msgspec.defstruct("RealFile", [("real", Union[structs]), ("names", names)], forbid_unknown_fields=True)  # noqa: UP007
