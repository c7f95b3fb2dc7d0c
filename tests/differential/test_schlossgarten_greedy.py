"""The kernel of `greedy` in Schlossgarten against the bot as it was in plain Python: the same moves for the same seed.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet import bots
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.core.state import Numbers
from bosquet.games.schlossgarten.board import BUILD, CARD, MAX_MOVES, MOVE, WORK, State
from bosquet.games.schlossgarten.greedy import greedy_action
from bosquet.kernels.jit import bind, kernel
from tests.differential.helpers.variety import EACH_OPTION, random_deck
from tests.plain import schlossgarten_greedy

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
CASES = [dict(players=players, **options) for options, players in EACH_OPTION]
STRAY = (0.0, 0.02, 0.2)
"""Shares of random moves among those of the bot."""

Choose = Callable[[Game, Rng], str]
"""Returns the move in a game, for the seat to move."""


@kernel
def on_array(states: Any, rng_state: Numbers, moves: Numbers) -> int:
    """`greedy_action` of one state in an array."""
    return greedy_action(states[0], rng_state, moves)


def compiled() -> Choose:
    """The compiled kernel, with one array for all decisions of a game."""
    choose = bind(on_array)
    moves = np.zeros(MAX_MOVES, np.int32)

    def move(game: Game, rng: Rng) -> str:
        words = np.array(rng.state, np.int64)
        action = int(choose(game.state.pack(), words, moves))
        rng.state[:] = words.tolist()
        return str(game.spec.notation.to_notation(game.state, action))

    return move


def by_views(bot: Any) -> Choose:
    """A bot that is given views."""
    return lambda game, rng: str(bot.choose(game.view(game.seat), rng))


def compared(options: dict[str, Any], seed: int, stray: float, box: Any, choose: Choose) -> Iterator[State]:
    """Play a game with both, one for each seat, and yield its states."""
    game = bosquet.new("schlossgarten", seed=seed, box=box, **options)
    seats = range(game.players)
    plain = [schlossgarten_greedy.Greedy() for _ in seats]
    rngs, twins = ([Rng(seed, seat) for seat in seats] for _ in range(2))
    chance = random.Random(seed)
    while game.seat is not None:
        seat, legal = game.seat, game.legal()
        view: Any = game.view(seat)
        expected = plain[seat].choose(view, rngs[seat])
        if expected not in legal:  # what is planned may be illegal after a move that was not: then both plan anew
            plain[seat] = schlossgarten_greedy.Greedy()
            expected = plain[seat].choose(view, rngs[seat])
        assert choose(game, twins[seat]) == expected
        assert twins[seat].state == rngs[seat].state
        yield game.state
        game.play(chance.choice(legal) if chance.random() < stray else expected)


def check(case: int, games: range, choose: Callable[[], Choose]) -> None:
    """Compare games of a case, every other one with a box of its own, and meet every phase."""
    phases = set()
    for seed, stray in itertools.product(games, STRAY):
        chance = random.Random(seed)
        box = {"deck": random_deck(chance), "tiles": chance.choice([[1, 1, 47], [20, 20, 9]])} if seed % 2 else None
        phases |= {state.phase for state in compared(CASES[case], 100 * case + seed, stray, box, choose())}
    assert phases == {CARD, MOVE, WORK, BUILD}


QUICK = [3]
EACH = [pytest.param(case, marks=() if case in QUICK else pytest.mark.slow) for case in range(len(CASES))]


@pytest.mark.parametrize("case", EACH)
def test_the_kernel_makes_the_moves_of_the_plain_bot(case: int) -> None:
    check(case, range(1, 1 + MORE), lambda: by_views(bots.make("greedy")))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("case", EACH)
def test_the_compiled_kernel_makes_the_moves_of_the_plain_bot(case: int) -> None:
    check(case, range(2 * MORE), compiled)


def test_a_plan_is_not_followed_in_another_position() -> None:
    """An array that another game has left, with a plan for the same turn, makes the same first move as a new one."""
    game = bosquet.new("schlossgarten", players=2, seed=3)
    left, words = [0] * MAX_MOVES, Rng(1).state
    for _ in range(3):
        game.apply(greedy_action(game.state, words, left))
    other = bosquet.new("schlossgarten", players=2, seed=4)
    for action in range(3):
        state, first, second = other.state.copy(), Rng(action).state, Rng(action).state
        assert greedy_action(state, first, left[:]) == greedy_action(state, second, [0] * MAX_MOVES)
        assert state == other.state
        other.apply(greedy_action(other.state, first, [0] * MAX_MOVES))
