"""A world that writes down what is played in it, to be replayed in `bosquet.Game`."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from bosquet.core.game import Game
from bosquet.env.machine import Machine
from bosquet.env.world import World

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
GAMES = {"topiary": 6 * MORE, "topas": 6 * MORE, "schlossgarten": MORE}
"""Games for each combination of options."""


class Scribe(World):
    """A world that keeps its deal and its moves in notation."""

    def __init__(self, machine: Machine, *seed: object) -> None:
        super().__init__(machine, *seed)
        self.deal = machine.rules.write_deal(self.state)
        self.moves: list[str] = []

    def play(self, index: int) -> None:
        self.moves.append(self.say(index))
        super().play(index)

    def roll(self) -> None:
        super().roll()
        self.moves.append(self.machine.rules.say_roll(self.state))

    def replayed(self) -> Game:
        """The same game by the rules alone, which refuse a move that is not legal."""
        rules, options = self.machine.rules, self.machine.options
        state = rules.new_state(options)
        rules.read_deal(state, self.deal)
        game = Game(rules, options, state, deal=self.deal)
        for move in self.moves:
            game.play(move)
        return game


def legal_by_rules(world: World) -> list[int]:
    """The indices of the legal actions, by the rules and the index alone, ascending."""
    rules, encoder, state = world.machine.rules, world.machine.encoder, world.state
    moves = [0] * rules.MAX_MOVES
    return sorted(encoder.index_of(state, action) for action in moves[: rules.legal(state, moves)])


def chosen(mask: Any) -> list[int]:
    """The indices where a mask is 1."""
    assert mask.dtype == np.int8
    assert set(np.unique(mask)) <= {0, 1}
    return [int(index) for index in np.flatnonzero(mask)]
