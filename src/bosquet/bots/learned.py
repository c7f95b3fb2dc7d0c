"""The bot `learned`: it plays by values that were learned from self-play, where there are weights for a game.

There are two kinds. `learned:SIMULATIONS` is the search with learned values in the place of rollouts (the module
`learned_search` of a game); it takes the settings of `search:SIMULATIONS` but `rounds` and `random_rollouts`.
`learned:ahead=2` looks at all cards that may come (the package `solitaire` of a game); 0 is the learned value alone.
`learned` is the one that a game has. Weights are read at the first move.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import msgspec

from bosquet.bots.name_settings import converted, given_in
from bosquet.core.errors import OptionError, quoted
from bosquet.core.installed import names, spec
from bosquet.core.rng import Rng
from bosquet.core.state import Options
from bosquet.core.view import View
from bosquet.search import Search, Settings, learned_model, learned_weights
from bosquet.search.settings import ROLLOUT_SETTINGS, check_without_rollouts

NAME = "learned"


class LearnedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a learned player looks ahead."""

    ahead: Annotated[int, msgspec.Meta(ge=0, le=3)] = 1
    """Cards that may come and are looked at; 0 is the learned value alone."""


Kind = LearnedSettings | Settings
"""Settings of one of the two kinds of learned players."""


class Lookahead:
    """Looks at all cards that may come, by the package `solitaire` of a game. Equal views give equal moves."""

    reads_moves = False

    def __init__(self, game: str, settings: LearnedSettings, *, weights: str = "", jit: bool | None = None) -> None:
        """Read the weights; the arguments are as of `player_for`."""
        self.settings = settings
        self._game = spec(game)
        module: Any = self._game.module("solitaire")
        self._player = module.Player(settings.ahead, weights=weights, jit=jit)

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the chosen move. Does not use `rng`."""
        state = self._game.view.determinize(view, Rng(NAME))
        return self._game.notation.to_notation(state, self._player.choose(state))


class Named(NamedTuple):
    """What the name of a learned bot says."""

    settings: Kind | None
    """None for those of the kind that a game has."""
    weights: str
    """The folder of a training run, empty for the weights of the package."""


def player_for(
    game: str, options: Options, settings: Kind | None = None, *, weights: str = "", jit: bool | None = None
) -> Search | Lookahead:
    """Return the learned player of a game, with settings None for those of its kind. Raises OptionError.

    `weights` is the folder of a training run whose weights take the place of those of the package; `jit` is as of
    `Search`.
    """
    kind = chosen_kind(game, options, settings, weights)
    if isinstance(kind, Settings):
        return Search(kind, learned=True, weights=weights, jit=jit)
    return Lookahead(game, kind, weights=weights, jit=jit)


def named(name: str) -> Named:
    """Return what the name of a learned bot says, such as `learned:400` or `learned:ahead=2:weights=FOLDER`.

    Raises OptionError.
    """
    words = name.split(":")[1:]
    searches = bool(words) and "=" not in words[0]
    kind: type[Kind] = Settings if searches else LearnedSettings
    try:
        given = given_in(words[1:] if searches else words)
        weights = given.pop("weights", "")
        if searches:
            settings = converted({"simulations": words[0]} | given, Settings)
            check_without_rollouts(settings)
            return Named(settings, weights)
        return Named(converted(given, LearnedSettings) if given else None, weights)
    except OptionError as error:
        keys = ", ".join(key for key in kind.__struct_fields__ if key not in ROLLOUT_SETTINGS)
        example = f"{NAME}:400:threads=2" if searches else f"{NAME}:ahead=2"
        raise OptionError(f"{quoted(name)} is no bot: {error}; it takes {keys}, weights, as in {example}") from None


def check(name: str, game: str, options: Options) -> None:
    """Raise OptionError if the learned bot of a name can't play a game with these options."""
    settings, weights = named(name)
    if isinstance(chosen_kind(game, options, settings, weights), Settings):
        learned_weights.required_weights(game, options, weights)
    else:
        learned_model.learned_module(game, "solitaire").stored_weights(weights)


def chosen_kind(game: str, options: Options, settings: Kind | None = None, weights: str = "") -> Kind:
    """Return settings of the kind that there are weights for, or that learns them. Raises OptionError if there is none.

    `weights` is as of `player_for`.
    """
    if looks_ahead(game, options):
        if not isinstance(settings, Settings):
            return settings or LearnedSettings()
        raise OptionError(f"`{NAME}` looks ahead in this game and does not search; name it {NAME} or {NAME}:ahead=2")
    if learned_weights.has_weights(game, options) or (weights and learned_model.is_learnable(game, options)):
        if not isinstance(settings, LearnedSettings):
            return settings or Settings()
        raise OptionError(f"`{NAME}` searches in this game; name it {NAME} or {NAME}:SIMULATIONS")
    raise OptionError(f"`{NAME}` has no weights for this game; it plays {'; '.join(played())}")


def looks_ahead(game: str, options: Options) -> bool:
    """Return whether a game with these options is played by looking ahead over the cards that may come."""
    module = learned_model.learned_module(game, "solitaire")
    return module is not None and module.plays(options)


def played() -> list[str]:
    """Return what there are weights for, each as a phrase."""
    return [*played_ahead(), *learned_weights.phrases()]


def trained() -> list[str]:
    """Return what can be learned, each as a phrase."""
    return [*played_ahead(), *learned_weights.phrases(learned_model.is_learnable)]


def played_ahead() -> list[str]:
    """Return what is played by looking ahead, each as a phrase."""
    return [module.PLAYS for name in names() if (module := spec(name).module("solitaire")) is not None]
