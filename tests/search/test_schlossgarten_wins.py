"""Turns of Schlossgarten that win at once: found wherever brute force by the rules finds one, and played."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bosquet.bots.levels import settings
from bosquet.core.rng import Rng, seed_rng
from bosquet.games import schlossgarten
from bosquet.games.schlossgarten import search
from bosquet.games.schlossgarten.planning import endings, stands, workspace
from bosquet.games.schlossgarten.planning.candidate import NO_CANDIDATE, hits_of
from bosquet.games.schlossgarten.planning.endings import winning_candidate
from bosquet.games.schlossgarten.puzzles import actions
from bosquet.games.schlossgarten.rules import State
from bosquet.kernels.bits import members
from bosquet.kernels.jit import bind, kernel
from bosquet.lab import coach
from bosquet.search import Search
from tests.search.helpers.positions import SHARE, close, made

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
GAMES = (1, 4, 7)
"""Seeds of games that are played well enough to build much."""
NO_WIN, WITHOUT_HIT, BY_HIT = range(3)


@kernel
def _on_record(states: Any, workspaces: Any) -> int:
    return winning_candidate(states[0], workspaces[0])


@functools.cache
def _machine() -> Any:
    """The compiled kernel, called with an array of one state, and its workspace."""
    return bind(_on_record), np.zeros(1, search.Workspace.dtype)


@functools.cache
def _paper() -> search.Workspace:
    """The workspace of the plain kernel."""
    return search.Workspace()


def found(state: State, *, jit: bool) -> int:
    """The winning plan of a position, which is left as it was."""
    if not jit:
        before = state.copy()
        plan = winning_candidate(state, _paper())
        assert state == before
        return plan
    machine, workspaces = _machine()
    packed = state.pack()
    plan = int(machine(packed, workspaces))
    assert State.unpack(packed) == state
    return plan


def planned(state: State) -> set[int]:
    """The plans that the search knows of in any case."""
    plans = [0] * search.MAX_CANDIDATES
    n = search.candidates(state, plans, [0] * search.MAX_CANDIDATES, _paper(), seed_rng("wins"))
    return set(plans[:n])


def brute(state: State) -> int:
    """Whether a turn wins, by every legal action: NO_WIN, WITHOUT_HIT, or BY_HIT where it takes one."""
    best = NO_WIN
    for hit, after in _stands(state):
        if best != WITHOUT_HIT and (best == NO_WIN or not hit) and _work_wins(after, state.seat):
            best = BY_HIT if hit else WITHOUT_HIT
    return best


def _stands(state: State) -> Iterator[tuple[bool, State]]:
    """Every position in which moving may be stopped, and whether somebody was hit on the way."""
    moves = [0] * schlossgarten.rules.MAX_MOVES
    met: set[tuple[Any, ...]] = set()
    left = [(False, state)]
    while left:
        hit, at = left.pop()
        key = (hit, at.steps, at.shifted, *at.pawn)
        if key in met:
            continue
        met.add(key)
        yield hit, at
        for action in moves[: schlossgarten.rules.legal(at, moves)]:
            if action != schlossgarten.board.STOP:
                after = at.copy()
                schlossgarten.rules.play(after, action)
                left.append((hit or schlossgarten.walking.step_of(action)[2] != schlossgarten.board.NO_HIT, after))


def _work_wins(state: State, seat: int) -> bool:
    """Whether the seat wins by the works that it can do after it stops here."""
    if not schlossgarten.rules.standing(state):
        return False
    moves = [0] * schlossgarten.rules.MAX_MOVES
    todo = [state.copy()]
    schlossgarten.rules.play(todo[0], schlossgarten.board.STOP)
    while todo:
        at = todo.pop()
        for action in moves[: schlossgarten.rules.legal(at, moves)]:
            if action != schlossgarten.board.END:
                after = at.copy()
                schlossgarten.rules.play(after, action)
                if after.phase == schlossgarten.board.OVER and schlossgarten.rules.winners(after) == 1 << seat:
                    return True
                if after.phase == schlossgarten.board.BUILD:
                    todo.append(after)
    return False


def checked(state: State) -> int:
    """Compare a position with brute force: NO_WIN, WITHOUT_HIT or BY_HIT."""
    best = brute(state)
    plan = found(state, jit=True)
    assert (plan == NO_CANDIDATE) == (best == NO_WIN)
    if plan != NO_CANDIDATE:
        after = made(state, actions(state, plan, jit=True))
        assert after.phase == schlossgarten.board.OVER
        assert schlossgarten.rules.winners(after) == 1 << state.seat
        assert best == WITHOUT_HIT or hits_of(plan)
    return best


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("other", [False, True], ids=["house", "wide-bordering"])
def test_wins_are_those_of_brute_force(other: bool) -> None:
    """Several hundred positions with few steps left."""
    seen = [
        checked(state)
        for players in (2, 3, 4)
        for steps, every in ((0, 3), (1, 1), (2, 3), (3, 40))
        for state in close(players, GAMES[: 2 * SHARE], steps, every, other=other)
    ]
    assert len(seen) > 600
    assert 200 < seen.count(NO_WIN) < len(seen) - 200
    assert seen.count(BY_HIT) > 10


@kernel
def _one_site(state: Any, fixed: int, workspace: Any) -> int:
    return 1


@kernel
def _never(
    state: Any, cards: int, hits: int, king: int, gardener: int, architects: int, wins: int, workspace: Any
) -> int:
    return NO_CANDIDATE


@pytest.mark.slow
@pytest.mark.compiled
def test_stands_are_those_of_brute_force() -> None:
    """Every stand of the own pawns, with who has shifted and who was hit, is met, and no other."""
    sweep = bind(_on_record, {"list_wins": _one_site, "win_from": _never})
    workspaces = np.zeros(1, search.Workspace.dtype).view(np.recarray)
    shifted, hit = 0, 0
    for players, (steps, every) in itertools.product((2, 3, 4), ((2, 5), (3, 50))):
        for state in close(players, GAMES[: 2 * SHARE], steps, every):
            assert sweep(state.pack(), workspaces) == NO_CANDIDATE
            expected = {_stand(at, state) for _, at in _stands(state)}
            assert _met(state, workspaces[0]) == expected
            shifted += any(stand[0] for stand in expected)
            hit += any(stand[1] for stand in expected)
    assert shifted > 20
    assert hit > 20


def _stand(at: State, start: State) -> tuple[int, ...]:
    """Who has shifted, who was hit, and where the own pawns stand."""
    first = 3 * at.seat
    others = [pawn for pawn in range(3 * at.players) if pawn // 3 != at.seat]
    hit = sum(1 << pawn for pawn in others if at.pawn[pawn] != start.pawn[pawn])
    return (at.shifted, hit, *at.pawn[first : first + 3])


def _met(state: State, space: Any) -> set[tuple[int, ...]]:
    """The stands that a sweep has met, told in the same way."""
    n = stands.list_targets(state, space)
    met: set[tuple[int, ...]] = set()
    for word in np.flatnonzero(space["met"][: workspace.STANDS << n]).tolist():
        rest, gardener = divmod(word, schlossgarten.board.CELLS)
        rest, king = divmod(rest, schlossgarten.board.CELLS)
        hits, shifted = divmod(rest, 8)
        for architect in members(int(space["met"][word])):
            met.add((shifted, int(endings.encode_hits(hits, space)), king, gardener, architect))
    return met


@pytest.mark.slow
@pytest.mark.compiled
@PLAYERS
def test_compiled_wins_are_equal(players: int) -> None:
    for state in close(players, GAMES[:1], 2, 25):
        assert found(state, jit=False) == found(state, jit=True)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_top_level_plays_every_win() -> None:
    """Whatever the plans show, the whole turn: from its card where nothing is played yet."""
    played, unplanned, by_hit = 0, 0, 0
    level6 = settings("schlossgarten", 6)
    assert level6.candidate_dropout == 0
    for players in (2, 3, 4):
        for state in close(players, GAMES[: 2 * SHARE], 3, 2):
            plan = found(state, jit=True)
            if plan == NO_CANDIDATE:
                continue
            after, bot, rng = state.copy(), Search(level6), Rng(1)
            while (after.seat, after.turn) == (state.seat, state.turn):
                view = schlossgarten.view.view(after, after.seat)
                schlossgarten.rules.play(after, schlossgarten.notation.parse(after, bot.choose(view, rng)))
            assert after.phase == schlossgarten.board.OVER
            assert schlossgarten.rules.winners(after) == 1 << state.seat
            result = bot.search(schlossgarten.view.view(state, state.seat), rng)
            assert result.simulations == 0
            played += 1
            if result.candidates[0].candidate not in planned(state):
                unplanned += 1
                by_hit += hits_of(result.candidates[0].candidate) > 0
                best = coach.best(schlossgarten.view.view(state, state.seat), rng, simulations=2)  # hints see it, too
                assert best[0].wins[state.seat] == 1
    assert played > 100
    assert unplanned > 10
    assert by_hit > 5
