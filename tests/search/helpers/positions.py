"""Positions of Schlossgarten near their end, and what actions make of them."""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Iterator

from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.games import schlossgarten
from bosquet.games.schlossgarten.rules import State
from bosquet.kernels.bits import members
from tests.contract.helpers.positions import every_ply
from tests.differential.helpers.variety import random_deck

SHARE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))


def made(state: State, actions: list[int]) -> State:
    """The state after actions, each of which must be legal and all of one turn."""
    after = state.copy()
    moves = [0] * schlossgarten.rules.MAX_MOVES
    for action in actions:
        assert (after.seat, after.turn) == (state.seat, state.turn)
        assert action in moves[: schlossgarten.rules.legal(after, moves)]
        schlossgarten.rules.play(after, action)
    return after


def played(players: int, seed: int, *, other: bool) -> Iterator[Game]:
    """A game before each of its plies; another one has wide cards and is played with `bordering`."""
    options = {"players": players} | ({"overbuild": "bordering"} if other else {})
    return every_ply("schlossgarten", options, seed, 300, random_deck(random.Random(seed)) if other else None)


@functools.cache
def moves_of(players: int, seed: int, other: bool) -> list[tuple[int, State]]:
    """The positions of a game in which a pawn may move, each with the number of plies before it."""
    games = enumerate(played(players, seed, other=other))
    return [
        (i, game.state) for i, game in games if game.seat is not None and game.state.phase == schlossgarten.board.MOVE
    ]


def close(players: int, seeds: tuple[int, ...], steps: int, every: int, *, other: bool = False) -> Iterator[State]:
    """Positions with few steps left, so that brute force ends, and with points enough that a build may win.

    In every second one pawns and own elements lie close together: pawns are in each other's way, hits and shifts help.
    """
    for seed in seeds:
        rng = Rng("close", players, seed, steps)
        for i, before in moves_of(players, seed, other):
            if i % every:
                continue
            state = before.copy()
            state.steps = steps
            if i // every % 2:
                crowd(state, rng)
            enrich(state, schlossgarten.board.WINNING_POINTS - 1 - rng.below(6))
            yield state


def enrich(state: State, points: int) -> None:
    """Give the seat to move this number of points, on a tile that it keeps, if it keeps any and has fewer."""
    short = points - schlossgarten.rules.score(state, state.seat)
    if state.kept[state.seat] and short > 0:
        state.landscape[next(members(state.kept[state.seat]))] += short
        state.tile_points[state.seat] += short


def crowd(state: State, rng: Rng) -> None:
    """Lay elements of the seat to move around its king, and put all pawns there."""
    king = state.pawn[3 * state.seat]
    near = schlossgarten.board.NEAR[king] | 1 << king
    for cell in members(near):
        near |= schlossgarten.board.NEAR[cell]
    for i in range(schlossgarten.board.ELEMENTS * state.seat, schlossgarten.board.ELEMENTS * (state.seat + 1)):
        free = near & state.up & ~schlossgarten.board.pawns(state)
        size = i % 3 + 1
        sites = range(schlossgarten.board.FIRST_SITE[size], schlossgarten.board.FIRST_SITE[size + 1])
        fitting = [site for site in sites if schlossgarten.board.SITE_MASK[site] & ~free == 0]
        if state.element[i] < 0 and fitting and rng.below(5) == 0:
            state.element[i] = rng.choice(fitting)
            state.own[state.seat] |= schlossgarten.board.SITE_MASK[state.element[i]]
            state.up &= ~schlossgarten.board.SITE_MASK[state.element[i]]
    for pawn in range(3 * state.players):
        free = near & (state.up | state.own[pawn // 3]) & ~schlossgarten.board.pawns(state)
        if free:
            state.pawn[pawn] = rng.choice(list(members(free)))
