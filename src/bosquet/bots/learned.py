"""The bot `learned`: it plays by values that were learned from self-play, where there are weights for a game.

There are two kinds. `learned:SIMULATIONS` is the search with learned values in the place of rollouts (the module
`learned_search` of a game); it takes the settings of `search:SIMULATIONS` but `rounds` and `random_rollouts`.
`learned:ahead=2` looks at all cards that may come (the module `learned`); 0 is the learned value alone. `learned` is
the one that a game has. Weights are read at the first move.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from bosquet.bots.name_settings import converted, given_in
from bosquet.core.errors import OptionError, quoted
from bosquet.core.rng import Rng
from bosquet.core.state import Options
from bosquet.core.view import View
from bosquet.games import names, spec
from bosquet.search import Search, Settings, learned_model
from bosquet.search.settings import ROLLOUT_SETTINGS, check_without_rollouts

NAME = "learned"


class LearnedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a learned player looks ahead."""

    ahead: Annotated[int, msgspec.Meta(ge=0, le=3)] = 1
    """Cards that may come and are looked at; 0 is the learned value alone."""


Kind = LearnedSettings | Settings
"""Settings of one of the two kinds of learned players."""


class Lookahead:
    """Looks at all cards that may come, by the module `learned` of a game. Equal views give equal moves."""

    reads_moves = False

    def __init__(self, game: str, settings: LearnedSettings, *, jit: bool | None = None) -> None:
        """Read the weights; `jit` is as of `Search`. The moves are the same."""
        self.settings = settings
        self._game = spec(game)
        self._player: Any = self._game.module("learned").Player(settings.ahead, jit=jit)  # type: ignore[union-attr]

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the chosen move. Does not use `rng`."""
        state = self._game.view.determinize(view, Rng(NAME))
        return self._game.notation.to_notation(state, self._player.choose(state))


def player_for(
    game: str, options: Options, settings: Kind | None = None, *, jit: bool | None = None
) -> Search | Lookahead:
    """Return the learned player of a game, with settings None for those of its kind. Raises OptionError.

    `jit` is as of `Search`.
    """
    kind = chosen_kind(game, options, settings)
    if isinstance(kind, Settings):
        return Search(kind, learned=True, jit=jit)
    return Lookahead(game, kind, jit=jit)


def settings_of(name: str) -> Kind | None:
    """Return the settings in the name of a learned bot, such as `learned:400` or `learned:ahead=2`.

    Raises OptionError.
    """
    words = name.split(":")[1:]
    if not words:
        return None
    kind: type[Kind] = LearnedSettings if "=" in words[0] else Settings
    try:
        if kind is LearnedSettings:
            return converted(given_in(words), LearnedSettings)
        settings = converted({"simulations": words[0]} | given_in(words[1:]), Settings)
        check_without_rollouts(settings)
        return settings
    except OptionError as error:
        keys = ", ".join(key for key in kind.__struct_fields__ if key not in ROLLOUT_SETTINGS)
        example = f"{NAME}:ahead=2" if kind is LearnedSettings else f"{NAME}:400:threads=2"
        raise OptionError(f"{quoted(name)} is no bot: {error}; it takes {keys}, as in {example}") from None


def chosen_kind(game: str, options: Options, settings: Kind | None = None) -> Kind:
    """Return settings of the kind that there are weights for. Raises OptionError if there are none."""
    if looks_ahead(game, options):
        if not isinstance(settings, Settings):
            return settings or LearnedSettings()
        raise OptionError(f"`{NAME}` looks ahead in this game and does not search; name it {NAME} or {NAME}:ahead=2")
    if learned_model.has_weights(game, options):
        if not isinstance(settings, LearnedSettings):
            return settings or Settings()
        raise OptionError(f"`{NAME}` searches in this game; name it {NAME} or {NAME}:SIMULATIONS")
    raise OptionError(f"`{NAME}` has no weights for this game; it plays {'; '.join(played())}")


def looks_ahead(game: str, options: Options) -> bool:
    """Return whether a game with these options is played by looking ahead over the cards that may come."""
    module = learned_model.learned_module(game, "learned")
    return module is not None and module.plays(options)


def played() -> list[str]:
    """Return what there are weights for, each as a phrase."""
    ahead = [module.PLAYS for name in names() if (module := spec(name).module("learned")) is not None]
    return [*ahead, *learned_model.phrases()]
