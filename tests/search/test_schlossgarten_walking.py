"""How pawns walk: the module that everything walks by, held against every legal action of the rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bosquet.games import schlossgarten
from bosquet.games.schlossgarten.board import CELLS, NO_HIT, PAWNS, STOP, State
from bosquet.games.schlossgarten.rules import MAX_MOVES
from bosquet.games.schlossgarten.walking import (
    FAR,
    at_once,
    hurdles,
    move_pawn,
    step_of,
    step_on,
    steps_to,
)
from bosquet.kernels.bits import members
from tests.plain.schlossgarten_reachable import Stand, moves_without_hits, place, walks
from tests.search.helpers.positions import close

Key = tuple[int, ...]


def legal_walks(state: State, kinds: range) -> dict[Key, int]:
    """By own pawns and who has shifted: the most steps left, by legal actions of pawns of these kinds without hits."""
    first = 3 * state.seat
    moves = [0] * MAX_MOVES
    left: dict[Key, int] = {}
    todo = [state]
    while todo:
        at = todo.pop()
        key = (*at.pawn[first : first + 3], at.shifted)
        if left.get(key, -1) >= at.steps:
            continue
        left[key] = at.steps
        for action in moves[: schlossgarten.rules.legal(at, moves)]:
            if action != STOP and step_of(action)[0] in kinds and step_of(action)[2] == NO_HIT:
                after = at.copy()
                schlossgarten.rules.play(after, action)
                todo.append(after)
    return left


def positions(steps: int, every: int) -> Iterator[State]:
    """Positions with this number of steps left; in half of them pawns and own elements lie close together."""
    for players in (2, 3, 4):
        yield from close(players, (1, 4), steps, every)


@pytest.mark.parametrize(("steps", "every"), [(1, 3), (3, 9), pytest.param(5, 25, marks=pytest.mark.slow)])
def test_a_pawn_reaches_the_cells_that_the_rules_let_it_reach(steps: int, every: int) -> None:
    """Within each number of steps, the other pawns standing still."""
    far = shifted = 0
    for state in positions(steps, every):
        everybody = schlossgarten.board.pawns(state)
        for kind in range(len(PAWNS)):
            pawn = 3 * state.seat + kind
            for state.shifted in (0, 1 << kind):
                most: dict[int, int] = {}
                for key, left in legal_walks(state, range(kind, kind + 1)).items():
                    most[key[kind]] = max(left, most.get(key[kind], -1))
                blocked = everybody & ~(1 << state.pawn[pawn])
                jumped = hurdles(state, blocked)
                free = (state.up | state.own[state.seat]) & ~blocked
                reached = at_once(state, kind, free)
                for taken in range(steps + 1):
                    assert set(members(reached)) == {cell for cell, left in most.items() if steps - left <= taken}
                    reached = step_on(state, kind, reached, free, jumped)
                for cell in range(CELLS):
                    expected = steps - most[cell] if cell in most else FAR
                    assert steps_to(state, kind, cell, blocked, jumped, steps) == expected
                far += len(most)
                shifted += any(steps == left for cell, left in most.items() if cell != state.pawn[pawn])
    assert far > 500
    assert shifted > 5


@pytest.mark.parametrize(
    ("steps", "every"),
    [(1, 3), pytest.param(2, 9, marks=pytest.mark.slow), pytest.param(3, 41, marks=pytest.mark.slow)],
)
def test_walks_are_those_of_the_rules_by_fewest_steps(steps: int, every: int) -> None:
    """Every stand of the own pawns, with the most steps that can be left there, by moves that lead there."""
    stands = 0
    for state in positions(steps, every):
        first, kinds = 3 * state.seat, range(len(PAWNS))

        def key(stand: Stand, first: int = first) -> Key:
            return (*stand.pawn[first : first + 3], stand.shifted)

        before = state.copy()
        found = list(walks(state, lambda at: moves_without_hits(at, range(len(PAWNS))), key))
        assert state == before
        assert [stand.steps for stand in found] == sorted((stand.steps for stand in found), reverse=True)
        assert {key(stand): stand.steps for stand in found} == legal_walks(state, kinds)
        assert len({key(stand) for stand in found}) == len(found)
        for stand in found[:: len(found) // 20 + 1]:
            after, there = state.copy(), state.copy()
            for action in stand.path:
                move_pawn(after, action)
            place(there, stand)
            assert after == there
        stands += len(found)
    assert stands > 2000
