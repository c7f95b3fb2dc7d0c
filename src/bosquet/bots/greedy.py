"""The bot `greedy`: take the move with the most immediate points; break ties at random."""

from __future__ import annotations

from typing import Any, Protocol

from bosquet.core.installed import spec_or_variant
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec


class Chooser(Protocol):
    """The greedy player of one game: the class `Greedy` in a game's module `greedy`."""

    def choose(self, view: Any, rng: Rng) -> str:
        """Return the notation of one of the legal moves."""


class Greedy:
    """Plays with the game's own class `Greedy` if there is one, else with its kernel, else with `MostPoints`."""

    def __init__(self) -> None:
        self._chooser: Chooser | None = None

    def choose(self, view: Any, rng: Rng) -> str:
        """Return the notation of the greedy move."""
        if self._chooser is None:
            self._chooser = _chooser(spec_or_variant(view.game))
        return self._chooser.choose(view, rng)

    def reads_moves_of(self, game: str) -> bool:
        """Return whether it needs the legal moves in its views of a game: a kernel finds them itself."""
        return not isinstance(_chooser(spec_or_variant(game)), ByKernel)


def _chooser(game: GameSpec) -> Chooser:
    own: type[Chooser] | None = getattr(game.module("greedy"), "Greedy", None)
    if own is not None:
        return own()
    return MostPoints() if game.greedy_action is None else ByKernel(game)


class ByKernel:
    """Plays by the kernel `greedy_action` of a game, uncompiled."""

    def __init__(self, game: GameSpec) -> None:
        self._game = game
        self._moves = [0] * game.rules.MAX_MOVES

    def choose(self, view: Any, rng: Rng) -> str:
        """Return the move of the kernel."""
        game = self._game
        assert game.greedy_action is not None
        state = game.view.determinize(view, Rng("greedy"))  # the kernel looks at nothing that is drawn here
        return game.notation.to_notation(state, game.greedy_action(state, rng.state, self._moves))


class MostPoints:
    """Takes the move with the most immediate points; breaks ties at random."""

    def choose(self, view: Any, rng: Rng) -> str:
        """Return one of the moves with the most points."""
        points = [move.points or 0 for move in view.moves]
        best = [move for move, value in zip(view.moves, points, strict=True) if value == max(points)]
        move: str = rng.choice(best).say
        return move
