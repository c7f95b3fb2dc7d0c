"""The games that can be scored after they were played with the real box, and their score sheets."""

from __future__ import annotations

import functools
from typing import Annotated, Any, NamedTuple, Union, cast

import msgspec
from msgspec import Meta

from bosquet.core import installed
from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.real_game import ROOM, Counted, CountKernel, RealGames, count_kernel, numbers_of
from bosquet.core.spec import GameSpec, check_options
from bosquet.core.view import Sheet
from bosquet.core.view_texts import object_written


def real_games() -> dict[str, RealGames]:
    """Return the games that can be counted at a real table, by name."""
    found = ((name, installed.spec(name).real_game) for name in installed.names())
    return {name: module for name, module in found if module is not None}


def count(real: Any) -> Counted:
    """Count a real game. Raises BosquetError, which names what can't be so."""
    name = str(type(real).__struct_config__.tag)
    module = real_games()[name]
    kernel = count_kernel(module)
    return module.count(real) if kernel is None else _counted(installed.spec(name), kernel, real)


def _counted(spec: GameSpec, kernel: CountKernel, real: Any) -> Counted:
    """Count a real game by a kernel. Raises BosquetError."""
    given = numbers_of(real, spec.options)
    options = {name: getattr(real, name) for name in spec.options if hasattr(real, name)}
    state = spec.new_state(check_options(spec, options))
    moves = [0] * spec.rules.MAX_MOVES
    found = object_written(kernel, state, given + [0] * (ROOM - len(given)), moves)
    if "fault" in found:
        raise BosquetError(found["fault"] + _sentence(spec, **found["reason"]) if "reason" in found else found["fault"])
    view = found["view"]
    shown = None if view is None else msgspec.convert({**view, **found.get("shown", {})}, spec.view_type)
    return Counted(sheet=msgspec.convert(found["sheet"], Sheet), view=shown)


def _sentence(spec: GameSpec, key: str, about: dict[str, str]) -> str:
    """Return why something is illegal, as the game says it."""
    sentences: dict[str, str] = cast(Any, spec.notation).SENTENCES
    return sentences[key].format(**about)


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
