"""The weights of learned search models: files of the package, and those that `bosquet train` wrote into a folder.

Weights lie beside the module `learned_search` of a game: `learned-2.npz` for games with two players,
`learned-2-expert.npz` for a variant, each with a model card, `learned-2.json`.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from bosquet.core.errors import OptionError
from bosquet.core.installed import names, spec
from bosquet.core.state import Options
from bosquet.learning.weights import NETWORK, read_weights
from bosquet.search.learned_model import LearnedModel, learned_model, required_model


def weights_name(model: LearnedModel, options: Options) -> str:
    """Return the name of the file of weights for games with these options, and of its model card, without the ending.

    Options that are not given have their defaults.
    """
    return "-".join(["learned", str(options["players"]), *variants_of(model, options)])


def variants_of(model: LearnedModel, options: Options) -> list[str]:
    """Return those of the options with weights of their own that are on."""
    return [name for name in model.VARIANTS if options.get(name)]


def options_for_weights(model: LearnedModel, state: Any) -> dict[str, Any]:
    """Return the options of a state that tell which weights it takes."""
    return {"players": state.players, **{name: bool(getattr(state, name)) for name in model.VARIANTS}}


@functools.cache
def stored_weights(game: str, name: str) -> dict[str, Any] | None:
    """Return the arrays of the weights of the package with this name (`weights_name`), None where there are none."""
    file = files(spec(game).package) / f"{name}.npz"
    return _read(game, file) if file.is_file() else None


def model_with_weights(game: str, options: Options) -> LearnedModel | None:
    """Return the learned search model of a game if the package has weights for these options, else None."""
    model = learned_model(game)
    if model is None or not model.learnable(options) or stored_weights(game, weights_name(model, options)) is None:
        return None
    return model


def has_weights(game: str, options: Options) -> bool:
    """Return whether the package has weights for the search in a game with these options."""
    return model_with_weights(game, options) is not None


def shipped_model(game: str) -> LearnedModel | None:
    """Return the learned search model of a game if the package has weights for some options, else None."""
    model = learned_model(game)
    return (
        model if model is not None and any(has_weights(game, one) for one in options_of_weights(game, model)) else None
    )


def options_of_weights(game: str, model: LearnedModel) -> Iterator[Options]:
    """Yield the options of a game that weights depend on, in all their combinations."""
    names = ("players", *model.VARIANTS)
    for values in itertools.product(*(spec(game).options[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def required_weights(game: str, options: Options, folder: str = "") -> dict[str, Any]:
    """Return the weights for games with these options, of a training run in a folder or else of the package.

    Raises OptionError where there are none.
    """
    name = weights_name(required_model(game), options)
    if folder:
        return _read(game, Path(folder) / f"{name}.npz")
    if (found := stored_weights(game, name)) is None:
        raise OptionError(f"there are no learned weights for {game} with {options['players']} players")
    return found


def phrases(fit: Callable[[str, Options], bool] = has_weights) -> list[str]:
    """Return which games fit with which players, by default those with weights, each as a phrase."""
    found = []
    for game in names():
        seats = [str(n) for n in spec(game).rules.OPTIONS["players"] if fit(game, {"players": n})]
        if seats:
            listed = " or ".join([", ".join(seats[:-1]), seats[-1]] if len(seats) > 1 else seats)
            found.append(f"{game} with {listed} players")
    return found


def _read(game: str, file: Traversable) -> dict[str, Any]:
    fields = required_model(game).Workspace.fields
    return read_weights(file, {name: fields[name] for name in (*NETWORK, "spread")})
