"""The bot `learned`: it plays by values that were learned from self-play, where there are weights for a game.

`learned:ahead=2` looks ahead over two cards; 0 is the learned value alone. The module `learned` of a game has the
weights and the player; it is imported at the first move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from bosquet.core.errors import OptionError, quoted
from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.games import names, spec

NAME = "learned"


class LearnedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a learned player looks ahead."""

    ahead: Annotated[int, msgspec.Meta(ge=0, le=3)] = 1
    """Cards that may come and are looked at; 0 is the learned value alone."""


class Learned:
    """Plays by learned values. Equal views give equal moves."""

    reads_moves = False

    def __init__(self, settings: LearnedSettings | None = None, *, jit: bool | None = None) -> None:
        """Choose settings; `jit` is whether to compile, by default where possible. The moves are the same."""
        self.settings = settings or LearnedSettings()
        self.jit = jit
        self._player: Any = None

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the chosen move. Raises OptionError where there are no weights. Leaves `rng`."""
        game = spec(view.game)
        state = game.view.determinize(view, Rng(NAME))
        if self._player is None:
            check_weights(view.game, view.options)
            self._player = game.module("learned").Player(self.settings.ahead, jit=self.jit)  # type: ignore[union-attr]
        return game.notation.to_notation(state, self._player.choose(state))


def settings_of(name: str) -> LearnedSettings:
    """Return the settings in the name of a learned bot, such as `learned:ahead=2`. Raises OptionError."""
    given = dict(word.partition("=")[::2] for word in name.split(":")[1:])
    try:
        return msgspec.convert(given, LearnedSettings, strict=False)
    except msgspec.ValidationError as error:
        keys = ", ".join(LearnedSettings.__struct_fields__)
        raise OptionError(f"{quoted(name)} is no bot: {error}; `{NAME}` takes {keys}, as in {NAME}:ahead=2") from None


def check_weights(game: str, options: Mapping[str, Any]) -> None:
    """Raise OptionError if there are no weights for a game with these options."""
    if not has_weights(game, options):
        raise OptionError(f"`{NAME}` has no weights for this game; it plays {' and '.join(played())}")


def has_weights(game: str, options: Mapping[str, Any]) -> bool:
    """Return whether there are weights for a game with these options."""
    module = spec(game).module("learned")
    return module is not None and module.plays(options)


def played() -> list[str]:
    """Return what there are weights for, each as a phrase."""
    return [module.PLAYS for name in names() if (module := spec(name).module("learned")) is not None]
