"""Look up games by name, from the entry point group `bosquet.games`: the games of this package and installed ones."""

from __future__ import annotations

import functools

from bosquet.core.errors import OptionError, did_you_mean, quoted

TYPE_CHECKING = False  # as in `core.errors`
if TYPE_CHECKING:  # who only asks for names imports no game
    from importlib.metadata import EntryPoint
    from typing import Any

    from bosquet.core.spec import GameSpec

GROUP = "bosquet.games"
OURS = ("topiary", "topas", "schlossgarten")
"""The games of this package, in the order in which user interfaces list them; entry points are unordered."""


@functools.cache
def _entry_points() -> dict[str, EntryPoint]:
    """Return the entry point of each game, those of this package first."""
    from importlib.metadata import entry_points

    found = {point.name: point for point in entry_points(group=GROUP)}
    return {name: found[name] for name in (*OURS, *sorted(found.keys() - set(OURS)))}


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all games, without variants."""
    return tuple(_entry_points())


@functools.cache
def _loaded(name: str) -> GameSpec:
    import copyreg

    from bosquet.core.declaration import check
    from bosquet.core.spec import GameSpec

    spec = _entry_points()[name].load()
    if not isinstance(spec, GameSpec) or spec.name != name:
        raise OptionError(f"the entry point {name} of {GROUP} must be a GameSpec with this name")
    check(spec)
    copyreg.pickle(GameSpec, _reduced)
    return spec


def _reduced(given: GameSpec) -> tuple[Any, ...]:
    """Return how a game is pickled and copied: by its name, since its modules can be neither."""
    import pickle

    if given.name not in (*names(), *variants()) or spec_or_variant(given.name) is not given:
        raise pickle.PicklingError(f"{given.name} is neither an installed game nor a variant; only these are pickled")
    return spec_or_variant, (given.name,)


def spec(name: object) -> GameSpec:
    """Return the game with this name. Raises OptionError for an unknown name."""
    if not isinstance(name, str) or name not in _entry_points():
        raise OptionError(
            f"there is no game {quoted(name)}; the games are {', '.join(names())}{did_you_mean(name, names())}"
        )
    return _loaded(name)


@functools.cache
def variants() -> dict[str, GameSpec]:
    """Return the variants of all games, by name."""
    from bosquet.core.variants import make_variant

    made: dict[str, GameSpec] = {}
    for game in map(spec, names()):
        if (module := game.module("variants")) is not None:
            made |= {name: make_variant(game, name, constants) for name, constants in module.VARIANTS.items()}
    return made


def spec_or_variant(name: object) -> GameSpec:
    """Return the game or variant with this name. Raises OptionError for an unknown name."""
    if isinstance(name, str) and name not in _entry_points() and name in variants():
        return variants()[name]
    return spec(name)
