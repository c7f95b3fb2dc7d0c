"""Plans of whole turns in Schlossgarten: legal, made exactly as by their moves, the same compiled, few wins missed."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.bots.search import schlossgarten as search
from bosquet.bots.search import schlossgarten_turn as turns
from bosquet.bots.search.schlossgarten import carry_out, lean, plans
from bosquet.bots.search.schlossgarten_ending import NO_PLAN, winning_plan
from bosquet.core.bits import members
from bosquet.core.chance import lanes_of
from bosquet.core.jit import available, bind, kernel
from bosquet.games import schlossgarten as rules
from bosquet.games.schlossgarten import State
from bosquet.server import reach
from tests.contract.positions import every_ply

SHARE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
compiled = pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")


PLANS, LEAN, CARRY_OUT = range(3)
SCRATCH = [0] * search.SCRATCH


@kernel
def _on_record(states: Any, what: int, plan: int, found: Any, worths: Any, scratch: Any, lanes: Any) -> int:
    if what == PLANS:
        return plans(states[0], found, worths, scratch, lanes)
    if what == LEAN:
        lean(states[0], lanes, found, worths, scratch)
    else:
        carry_out(states[0], plan)
    return 0


@functools.cache
def on_array() -> Any:
    """The compiled kernels of the search, called with an array of one state; compiled together, which takes a while."""
    return bind(_on_record, tag="search.test")


def positions(players: int, seeds: range, every: int = 1) -> Iterator[State]:
    """Positions of games more and less greedy, all phases of a turn among them."""
    for seed in seeds:
        for i, game in enumerate(every_ply("schlossgarten", {"players": players}, seed, plies=300)):
            if game.seat is not None and (i + seed) % every == 0:
                yield game._state.copy()


def planned(state: State, seed: object = 0) -> list[tuple[int, int]]:
    """The plans of plain Python with their worths."""
    found, worths = [0] * search.MAX_PLANS, [0] * search.MAX_PLANS
    before = state.copy()
    n = plans(state, found, worths, SCRATCH, lanes_of("plans", seed))
    assert state == before
    return list(zip(found[:n], worths[:n], strict=True))


def made(state: State, actions: list[int]) -> State:
    """The state after actions, each of which must be legal and all of one turn."""
    after = state.copy()
    moves = [0] * rules.MAX_MOVES
    for action in actions:
        assert (after.seat, after.turn) == (state.seat, state.turn)
        assert action in moves[: rules.legal(after, moves)]
        rules.play(after, action)
    return after


def walked(state: State, plan: int) -> State:
    """The state after the moves of a plan: the turn has passed on, or the game is over."""
    after = made(state, turns.actions(state, plan))
    assert after.turn > state.turn or after.phase == rules.OVER
    return after


@PLAYERS
def test_plans_are_made_as_by_their_moves(players: int) -> None:
    phases, checked = set(), 0
    for state in positions(players, range(3 * SHARE), every=5):
        found = planned(state)
        assert 1 <= len(found) <= search.MAX_PLANS
        assert len({plan for plan, _ in found}) == len(found)
        assert [worth for _, worth in found] == sorted((worth for _, worth in found), reverse=True)
        phases.add(state.phase)
        for plan, _ in found:
            assert 0 <= plan < 1 << 62
            carried = state.copy()
            carry_out(carried, plan)
            assert walked(state, plan) == carried
            checked += 1
    assert phases == {rules.CARD, rules.MOVE, rules.WORK, rules.BUILD}
    assert checked > 500


@PLAYERS
def test_lean_plays_whole_games(players: int) -> None:
    state, lanes = rules.new_state({"players": players}), lanes_of("lean", players)
    found, worths, scratch = [0] * search.MAX_PLANS, [0] * search.MAX_PLANS, SCRATCH
    rules.deal(state, lanes)
    turn = 0
    while state.phase != rules.OVER:
        if state.phase == rules.PILE:
            rules.roll(state, lanes)
        assert state.turn == turn
        lean(state, lanes, found, worths, scratch)
        turn += 1
    assert turn < 40 * players
    assert max(rules.score(state, seat) for seat in range(players)) >= rules.WINNING_POINTS


@compiled
@PLAYERS
def test_compiled_plans_are_equal(players: int) -> None:
    machine = on_array()
    found, worths = np.zeros(search.MAX_PLANS, np.int64), np.zeros(search.MAX_PLANS, np.int64)
    scratch = np.zeros(search.SCRATCH, np.int64)
    for state in positions(players, range(10, 10 + 3 * SHARE), every=4):
        lanes = np.array(lanes_of("plans", 0), np.int64)
        packed = state.pack()
        n = machine(packed, PLANS, 0, found, worths, scratch, lanes)
        assert list(zip(found[:n].tolist(), worths[:n].tolist(), strict=True)) == planned(state)
        assert packed.tobytes() == state.pack().tobytes()
        for plan in found[:n].tolist():
            after, after_packed = state.copy(), state.pack()
            carry_out(after, plan)
            machine(after_packed, CARRY_OUT, plan, found, worths, scratch, lanes)
            assert State.unpack(after_packed) == after
        after, after_packed = state.copy(), state.pack()
        plain_lanes, lanes = lanes_of("lean"), np.array(lanes_of("lean"), np.int64)
        lean(after, plain_lanes, [0] * search.MAX_PLANS, [0] * search.MAX_PLANS, SCRATCH)
        machine(after_packed, LEAN, 0, found, worths, scratch, lanes)
        assert State.unpack(after_packed) == after
        assert lanes.tolist() == plain_lanes


def test_every_card_and_a_quiet_turn_are_among_the_plans() -> None:
    for state in positions(2, range(4), every=3):
        found = [plan for plan, _ in planned(state)]
        assert any(plan >> turns.WORKER_AT & 3 == 0 for plan in found)
        if state.phase == rules.CARD:
            cards = {plan & 63 for plan in found}
            assert sum(1 << card for card in cards) == state.hand[state.seat]


def test_a_place_that_cannot_be_reached_is_refused() -> None:
    state = bosquet.new("schlossgarten", seed=1)._state
    card = (state.hand[0] & -state.hand[0]).bit_length() - 1
    far = turns.plan_of(card, 48, 2, 4, 0, turns.NO_TILE, turns.NO_SITE)
    with pytest.raises(ValueError, match="can't walk to g7"):
        turns.actions(state, far)


def test_wins_are_found() -> None:
    """By plans those without a hit, all but a few for which the pawns would have to take turns; by the solver all."""
    wins = missed = 0
    for players in (2, 3, 4):
        for state in positions(players, range(4 * SHARE)):
            if state.phase != rules.CARD or rules.score(state, state.seat) < rules.WINNING_POINTS - 5:
                continue
            plan, worth = planned(state)[0]
            if worth > search.VICTORY // 2:
                after = walked(state, plan)
                assert after.phase == rules.OVER
                assert rules.winners(after) == 1 << state.seat
                wins += 1
                continue
            winning = winning_plan(state, SCRATCH)
            if wins_within_reach(state):
                assert winning != NO_PLAN
                missed += 1
                wins += 1
            elif winning != NO_PLAN:
                assert winning >> turns.HITS_AT
            if winning != NO_PLAN:
                assert walked(state, winning).phase == rules.OVER
    assert wins > 5
    assert missed <= 0.05 * wins + 1


def wins_within_reach(state: State) -> bool:
    """Whether the seat to move can win this turn without a hit: every stand of its pawns is tried."""
    cards = [state.played] if state.phase == rules.MOVE else list(members(state.hand[state.seat]))
    trial = state.copy()
    missing = rules.WINNING_POINTS - rules.score(state, state.seat)
    if state.phase == rules.CARD:
        trial.steps = rules.STEPS
    for card in cards:
        trial.played = card
        for stand in reach._stands(trial):
            for cells in reach._figures(trial, stand):
                if reach._figure(trial, stand, cells).points >= missing:
                    return True
    return False
