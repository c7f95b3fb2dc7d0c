"""A game state that records its moves, to be replayed in `bosquet.Game`."""

from __future__ import annotations

import os
from typing import Any, SupportsIndex

import numpy as np

from bosquet.core.game import Game
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.game_state import GameState

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
GAMES = {"topiary": 6 * MORE, "topas": 6 * MORE, "schlossgarten": MORE}
"""Games for each combination of options."""


class Scribe(GameState):
    """A game state that keeps its deal and its moves in notation."""

    def __init__(self, compiled: CompiledGame, *seed: SupportsIndex) -> None:
        super().__init__(compiled, *seed)
        self.deal = compiled.spec.notation.write_deal(self.state)
        self.moves: list[str] = []

    def play(self, index: SupportsIndex) -> None:
        self.moves.append(self.to_notation(index))
        super().play(index)

    def sample_chance(self) -> None:
        super().sample_chance()
        self.moves.append(self.compiled.spec.notation.chance_to_notation(self.state))

    def replayed(self) -> Game:
        """The same game by the rules alone, which refuse a move that is not legal."""
        spec, options = self.compiled.spec, self.compiled.options
        state = spec.rules.new_state(options)
        spec.notation.read_deal(state, self.deal)
        game = Game(spec, options, state, deal=self.deal)
        for move in self.moves:
            game.play(move)
        return game


def legal_by_rules(game_state: GameState) -> list[int]:
    """The indices of the legal actions, by the rules and the index alone, ascending."""
    spec, encoder, state = game_state.compiled.spec, game_state.compiled.encoder, game_state.state
    moves = [0] * spec.rules.MAX_MOVES
    return sorted(encoder.index_of(state, action) for action in moves[: spec.rules.legal(state, moves)])


def chosen(mask: Any) -> list[int]:
    """The indices where a mask is 1."""
    assert mask.dtype == np.int8
    assert set(np.unique(mask)) <= {0, 1}
    return [int(index) for index in np.flatnonzero(mask)]
