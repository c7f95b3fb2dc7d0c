"""The learned search model: what a game adds to its search model so that learned values take the place of rollouts.

A game that has a module `learned_search` implements `LearnedModel` with it. Its weights are files beside the module
(`learned_weights`); docs/how-bots-think.md has the method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, cast

from bosquet.core.bound import placeholder
from bosquet.core.errors import OptionError
from bosquet.core.installed import names, spec_or_variant
from bosquet.core.state import Options
from bosquet.search.model import SearchModel, model_kernels


class LearnedModel(SearchModel, Protocol):
    """A search model whose `evaluate` asks a network.

    `Workspace` has the weights (`bosquet.learning.network.output`), the spreads of `evaluate` and the inputs.
    """

    STAGES: int
    """Networks: a game goes through as many stages."""
    INPUTS: int
    HIDDEN: int
    """Units of the hidden layer."""
    VARIANTS: tuple[str, ...]
    """Options, off by default, that have weights of their own."""
    EXPLORED_DECISIONS: int
    """A game of self-play explores in its first decisions only, fewer than this, and gives samples after them.

    0 if it explores everywhere, which suits a game where a poor decision changes the labels little.
    """

    def learnable(self, options: Options) -> bool:
        """Return whether games with these options can be learned."""

    def gives_better_hints(self, options: Options) -> bool:
        """Return whether learned values find and order better hints than rollouts do (studies/search.md)."""

    # --- kernels ---

    def stage(self, state: Any) -> int:
        """Return the stage of a position, for which there is a network. To be called where `may_evaluate`."""

    def describe_position(self, state: Any, workspace: Any) -> None:
        """Write what `describe` needs; to be called where `may_evaluate`."""

    def describe(self, state: Any, workspace: Any, seat: int) -> None:
        """Write the inputs of the network for a seat into `workspace.inputs`."""

    def points_so_far(self, state: Any, workspace: Any, seat: int) -> int:
        """Return what the network's output is added to, in hundredths of a point."""


KERNELS = ("stage", "describe_position", "describe", "points_so_far")

stage: Final = placeholder(LearnedModel.stage)
describe_position: Final = placeholder(LearnedModel.describe_position)
describe: Final = placeholder(LearnedModel.describe)
points_so_far: Final = placeholder(LearnedModel.points_so_far)
INPUTS: Final = 0
"""Placeholder for the number of inputs."""
EXPLORED_DECISIONS: Final = 0
"""Placeholder for that of the model."""


def learned_module(game: str, name: str) -> Any:
    """Return a module of a game that has weights, None where there is none. Raises OptionError for a name of no game.

    A variant has none: the weights are those of the whole game.
    """
    found = spec_or_variant(game)
    return found.module(name) if game in names() else None


def learned_model(game: str) -> LearnedModel | None:
    """Return the learned search model of a game, None where it has none. Raises OptionError for a name of no game."""
    return cast("LearnedModel | None", learned_module(game, "learned_search"))


def required_model(game: str) -> LearnedModel:
    """Return the learned search model of a game. Raises OptionError where it has none."""
    if (model := learned_model(game)) is None:
        raise OptionError(f"there are no learned values for the search in {game}")
    return model


def training_kernels(model: LearnedModel) -> dict[str, Callable[..., Any] | int]:
    """Return the kernels of a learned model by name, to bind self-play to."""
    numbers = {"INPUTS": model.INPUTS, "EXPLORED_DECISIONS": model.EXPLORED_DECISIONS}
    return {**model_kernels(model), **{name: getattr(model, name) for name in KERNELS}, **numbers}


def is_learnable(game: str, options: Options) -> bool:
    """Return whether the search can learn values of a game with these options."""
    model = learned_model(game)
    return model is not None and model.learnable(options)
