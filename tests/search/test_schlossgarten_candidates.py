"""Candidates of Schlossgarten: legal turns, applied exactly as their moves, the same compiled, few wins missed."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core.rng import Rng, seed_rng
from bosquet.games import schlossgarten
from bosquet.games.schlossgarten import puzzles, search
from bosquet.games.schlossgarten.board import GRID, SITE_MASK, SITES
from bosquet.games.schlossgarten.planning import candidate as encoding
from bosquet.games.schlossgarten.planning import works
from bosquet.games.schlossgarten.planning.endings import winning_candidate
from bosquet.games.schlossgarten.rules import State
from bosquet.games.schlossgarten.search import apply_candidate, candidates, rollout_policy, root_candidates
from bosquet.kernels.bits import members
from bosquet.kernels.jit import bind, kernel
from bosquet.search import Settings, Task
from bosquet.search.worker import Worker
from tests.plain import schlossgarten_reachable as reach
from tests.search.helpers.positions import SHARE, made, played

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
EITHER = pytest.mark.parametrize("other", [False, True], ids=["house", "wide-bordering"])


CANDIDATES, ROLLOUT_POLICY, APPLY_CANDIDATE = range(3)
WORKSPACE = search.Workspace()


@kernel
def _on_record(
    states: Any, what: int, candidate: int, found: Any, heuristics: Any, workspaces: Any, rng_state: Any
) -> int:
    if what == CANDIDATES:
        return root_candidates(states[0], found, heuristics, workspaces[0], rng_state)
    if what == ROLLOUT_POLICY:
        rollout_policy(states[0], rng_state, found, heuristics, workspaces[0])
    else:
        apply_candidate(states[0], candidate)
    return 0


@functools.cache
def on_array() -> Any:
    """The compiled kernels of the search, called with an array of one state; compiled together, which takes a while."""
    return bind(_on_record)


def positions(players: int, seeds: range, every: int = 1, *, other: bool = False) -> Iterator[State]:
    """Positions of games more and less greedy, all phases of a turn among them."""
    for seed in seeds:
        for i, game in enumerate(played(players, seed, other=other)):
            if game.seat is not None and (i + seed) % every == 0:
                yield game.state


def planned(state: State, seed: object = 0) -> list[tuple[int, int]]:
    """The candidates of plain Python at a root, with their heuristics."""
    found, heuristics = [0] * search.MAX_CANDIDATES, [0] * search.MAX_CANDIDATES
    before = state.copy()
    n = root_candidates(state, found, heuristics, WORKSPACE, seed_rng("candidates", seed))
    assert state == before
    return list(zip(found[:n], heuristics[:n], strict=True))


def walked(state: State, candidate: int) -> State:
    """The state after the moves of a candidate."""
    return after_turn(state, puzzles.actions(state, candidate))


def after_turn(state: State, actions: list[int]) -> State:
    """The state after actions by which the turn has passed on, or the game is over."""
    after = made(state, actions)
    assert after.turn > state.turn or after.phase == schlossgarten.board.OVER
    return after


@pytest.mark.slow
@pytest.mark.compiled
@EITHER
@PLAYERS
def test_candidates_are_made_as_by_their_moves(players: int, other: bool) -> None:
    """The actions come from the compiled kernel, which is held against plain Python now and then."""
    phases, checked, hits = set(), 0, 0
    for state in positions(players, range(2 * SHARE), every=5, other=other):
        found = planned(state)
        assert 1 <= len(found) <= search.MAX_CANDIDATES
        assert len({candidate for candidate, _ in found}) == len(found)
        assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
        phases.add(state.phase)
        for candidate, _ in found:
            assert 0 <= candidate < 1 << 62
            carried = state.copy()
            apply_candidate(carried, candidate)
            made_by = puzzles.actions(state, candidate, jit=True)
            assert after_turn(state, made_by) == carried
            if checked % 16 == 0:
                assert made_by == puzzles.actions(state, candidate)
            checked += 1
            hits += encoding.hits_of(candidate) > 0
    assert phases == {
        schlossgarten.board.CARD,
        schlossgarten.board.MOVE,
        schlossgarten.board.WORK,
        schlossgarten.board.BUILD,
    }
    assert checked > 500
    assert hits > 10


@PLAYERS
def test_the_rollout_policy_plays_whole_games(players: int) -> None:
    state, rng_state = schlossgarten.rules.new_state({"players": players}), seed_rng("lean", players)
    found, heuristics = [0] * search.MAX_CANDIDATES, [0] * search.MAX_CANDIDATES
    schlossgarten.rules.deal(state, rng_state)
    turn = 0
    while state.phase != schlossgarten.board.OVER:
        if state.phase == schlossgarten.board.PILE:
            schlossgarten.rules.sample_chance(state, rng_state)
        assert state.turn == turn
        rollout_policy(state, rng_state, found, heuristics, WORKSPACE)
        turn += 1
    assert turn < 40 * players
    assert max(schlossgarten.rules.score(state, seat) for seat in range(players)) >= schlossgarten.board.WINNING_POINTS


@pytest.mark.slow
@pytest.mark.compiled
@EITHER
@PLAYERS
def test_compiled_candidates_are_equal(players: int, other: bool) -> None:
    machine = on_array()
    found, heuristics = np.zeros(search.MAX_CANDIDATES, np.int64), np.zeros(search.MAX_CANDIDATES, np.int64)
    workspaces = np.zeros(1, search.Workspace.dtype)
    for state in positions(players, range(10, 10 + 3 * SHARE), every=4, other=other):
        rng_state = np.array(seed_rng("candidates", 0), np.int64)
        packed = state.pack()
        n = machine(packed, CANDIDATES, 0, found, heuristics, workspaces, rng_state)
        assert list(zip(found[:n].tolist(), heuristics[:n].tolist(), strict=True)) == planned(state)
        assert packed.tobytes() == state.pack().tobytes()
        for candidate in found[:n].tolist():
            after, after_packed = state.copy(), state.pack()
            apply_candidate(after, candidate)
            machine(after_packed, APPLY_CANDIDATE, candidate, found, heuristics, workspaces, rng_state)
            assert State.unpack(after_packed) == after
        after, after_packed = state.copy(), state.pack()
        plain_lanes, rng_state = seed_rng("lean"), np.array(seed_rng("lean"), np.int64)
        rollout_policy(after, plain_lanes, [0] * search.MAX_CANDIDATES, [0] * search.MAX_CANDIDATES, WORKSPACE)
        machine(after_packed, ROLLOUT_POLICY, 0, found, heuristics, workspaces, rng_state)
        assert State.unpack(after_packed) == after
        assert rng_state.tolist() == plain_lanes


def test_every_card_and_a_quiet_turn_are_among_the_candidates() -> None:
    for state in positions(2, range(4), every=3):
        found = [candidate for candidate, _ in planned(state)]
        assert any(encoding.worker_of(candidate) == 0 for candidate in found)
        if state.phase == schlossgarten.board.CARD:
            cards = {encoding.card_of(candidate) for candidate in found}
            assert sum(1 << card for card in cards) == state.hand[state.seat]


@PLAYERS
def test_candidates_hit_as_the_rules_say(players: int) -> None:
    """A subject on a tile goes to its owner's element, and no site is built on it; what is hidden plays no part."""
    hits = 0
    for state in positions(players, range(SHARE), every=9):
        found = planned(state)
        view = schlossgarten.view.view(state, state.seat)
        assert planned(schlossgarten.view.determinize(view, Rng("others"))) == found
        for candidate, _ in found[:24]:
            if encoding.hits_of(candidate):
                (pawn,) = members(encoding.hits_of(candidate))
                assert pawn // 3 != state.seat
                assert pawn % 3 != schlossgarten.board.KING
                after = walked(state, candidate)
                assert after.pawn[pawn] == encoding.refuge_of(candidate)
                assert after.own[pawn // 3] >> after.pawn[pawn] & 1
                assert sum(after.pawn[i] != state.pawn[i] for i in range(12) if i // 3 != state.seat) == 1
                hits += 1
    assert hits > 5


def test_a_hit_is_made_where_pawns_could_walk_in_many_ways_before() -> None:
    """The architect hits in two steps and walks back, the king shifts; there is room for 16,384 stands on the way."""
    state = bosquet.new("schlossgarten", seed=1).state
    state.seat, state.turn = 1, 7
    state.pawn[:6] = [GRID.cell_of[name] for name in ("d1", "d2", "e2", "d4", "c4", "b3")]
    for element, cells in ((3, "f3"), (8, "c4 d4 d5"), (11, "c2 c3 d3")):
        site = SITES.index(tuple(GRID.cell_of[name] for name in cells.split()))
        state.element[element] = site
        state.own[element // 6] |= SITE_MASK[site]
        state.up &= ~SITE_MASK[site]
    card = (state.hand[1] & -state.hand[1]).bit_length() - 1
    king, gardener, architect, refuge = (GRID.cell_of[name] for name in ("d5", "c3", "c4", "f3"))
    stand = encoding.encode_candidate(card, king, gardener, architect, 0, encoding.NO_TILE, encoding.NO_SITE)
    after = walked(state, stand | encoding.encode_hit(2, 2, refuge))
    assert after.pawn[2] == refuge
    assert list(after.pawn[3:6]) == [king, gardener, architect]


def test_below_the_root_and_for_weaker_levels_nobody_is_hit() -> None:
    found, heuristics = [0] * search.MAX_CANDIDATES, [0] * search.MAX_CANDIDATES
    weak, strong = Worker("schlossgarten", jit=False), Worker("schlossgarten", jit=False)
    by_hit = 0
    for state in positions(2, range(1), every=9):
        n = candidates(state, found, heuristics, WORKSPACE, seed_rng("candidates"))
        assert not any(map(encoding.hits_of, found[:n]))
        for worker, dropout in ((weak, 0.001), (strong, 0.0)):
            worker.begin(Settings(candidate_dropout=dropout), Task(state, state.seat), Rng("root"))
        assert not any(map(encoding.hits_of, weak.tree.candidate[: weak.tree.root_edge_count]))
        by_hit += any(map(encoding.hits_of, strong.tree.candidate[: strong.tree.root_edge_count]))
    assert by_hit


def test_a_place_that_cannot_be_reached_is_refused() -> None:
    state = bosquet.new("schlossgarten", seed=1).state
    card = (state.hand[0] & -state.hand[0]).bit_length() - 1
    far = encoding.encode_candidate(card, 48, 2, 4, 0, encoding.NO_TILE, encoding.NO_SITE)
    with pytest.raises(ValueError, match="can't walk to g7"):
        puzzles.actions(state, far)


@pytest.mark.slow
def test_wins_are_found() -> None:
    """Candidates show those without a hit, but for a few where the pawns would have to take turns; the solver all."""
    wins = missed = 0
    for players in (2, 3, 4):
        for state in positions(players, range(4 * SHARE)):
            if (
                state.phase != schlossgarten.board.CARD
                or schlossgarten.rules.score(state, state.seat) < schlossgarten.board.WINNING_POINTS - 5
            ):
                continue
            candidate, value = planned(state)[0]
            if value > works.VICTORY // 2:
                after = walked(state, candidate)
                assert after.phase == schlossgarten.board.OVER
                assert schlossgarten.rules.winners(after) == 1 << state.seat
                wins += 1
                continue
            winning = winning_candidate(state, WORKSPACE)
            if wins_within_reach(state):
                assert winning != encoding.NO_CANDIDATE
                missed += 1
                wins += 1
            elif winning != encoding.NO_CANDIDATE:
                assert encoding.hits_of(winning)
            if winning != encoding.NO_CANDIDATE:
                assert walked(state, winning).phase == schlossgarten.board.OVER
    assert wins > 5
    assert missed <= 0.05 * wins + 1


def wins_within_reach(state: State) -> bool:
    """Whether the seat to move can win this turn without a hit: every stand of its pawns is tried."""
    cards = [state.played] if state.phase == schlossgarten.board.MOVE else list(members(state.hand[state.seat]))
    trial = state.copy()
    missing = schlossgarten.board.WINNING_POINTS - schlossgarten.rules.score(state, state.seat)
    if state.phase == schlossgarten.board.CARD:
        trial.steps = schlossgarten.board.STEPS
    for card in cards:
        trial.played = card
        for stand in reach.stands_of(trial):
            for cells in reach.figures_of(trial, stand):
                if reach.figure_of(trial, stand, cells, []).points >= missing:
                    return True
    return False
