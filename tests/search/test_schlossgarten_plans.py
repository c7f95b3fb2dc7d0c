"""Plans of whole turns in Schlossgarten: legal, made exactly as by their moves, the same compiled, wins not missed."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.bots.search import schlossgarten as search
from bosquet.core.chance import lanes_of
from bosquet.core.jit import available, bind, kernel
from bosquet.games import schlossgarten as rules
from bosquet.games.schlossgarten import State
from bosquet.server import reach
from tests.contract.positions import every_ply

SHARE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
compiled = pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")


@kernel
def _on_record(states: Any, *rest: Any) -> Any:
    return target(states[0], *rest)


def target(state: Any, *rest: Any) -> Any:
    """Bound to a kernel."""


@functools.cache
def on_array(name: str) -> Any:
    """A compiled kernel of the search, called with an array of one state."""
    return bind(_on_record, {"target": getattr(search, name)}, tag=f"search.{name}")


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
    n = search.plans(state, found, worths, [0] * search.SCRATCH, lanes_of("plans", seed))
    assert state == before
    return list(zip(found[:n], worths[:n], strict=True))


def walked(state: State, plan: int) -> State:
    """The state after the moves of a plan, each of which must be legal."""
    after = state.copy()
    moves = [0] * rules.MAX_MOVES
    for action in search.actions(state, plan):
        assert (after.seat, after.turn) == (state.seat, state.turn)
        assert action in moves[: rules.legal(after, moves)]
        rules.play(after, action)
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
            search.carry_out(carried, plan)
            assert walked(state, plan) == carried
            checked += 1
    assert phases == {rules.CARD, rules.MOVE, rules.WORK, rules.BUILD}
    assert checked > 500


@PLAYERS
def test_lean_plays_whole_games(players: int) -> None:
    state, lanes = rules.new_state({"players": players}), lanes_of("lean", players)
    found, worths, scratch = [0] * search.MAX_PLANS, [0] * search.MAX_PLANS, [0] * search.SCRATCH
    rules.deal(state, lanes)
    turn = 0
    while state.phase != rules.OVER:
        if state.phase == rules.PILE:
            rules.roll(state, lanes)
        assert state.turn == turn
        search.lean(state, lanes, found, worths, scratch)
        turn += 1
    assert turn < 40 * players
    assert max(rules.score(state, seat) for seat in range(players)) >= rules.WINNING_POINTS


@compiled
@PLAYERS
def test_compiled_plans_are_equal(players: int) -> None:
    plans, lean, carry_out = on_array("plans"), on_array("lean"), on_array("carry_out")
    found, worths = np.zeros(search.MAX_PLANS, np.int64), np.zeros(search.MAX_PLANS, np.int64)
    scratch = np.zeros(search.SCRATCH, np.int64)
    for state in positions(players, range(10, 10 + 3 * SHARE), every=4):
        lanes = np.array(lanes_of("plans", 0), np.int64)
        packed = state.pack()
        n = plans(packed, found, worths, scratch, lanes)
        assert list(zip(found[:n].tolist(), worths[:n].tolist(), strict=True)) == planned(state)
        assert packed.tobytes() == state.pack().tobytes()
        for plan in found[:n].tolist():
            after, after_packed = state.copy(), state.pack()
            search.carry_out(after, plan)
            carry_out(after_packed, plan)
            assert State.unpack(after_packed) == after
        after, after_packed = state.copy(), state.pack()
        plain_lanes, lanes = lanes_of("lean"), np.array(lanes_of("lean"), np.int64)
        search.lean(after, plain_lanes, [0] * search.MAX_PLANS, [0] * search.MAX_PLANS, [0] * search.SCRATCH)
        lean(after_packed, lanes, found, worths, scratch)
        assert State.unpack(after_packed) == after
        assert lanes.tolist() == plain_lanes


def test_every_card_and_a_quiet_turn_are_among_the_plans() -> None:
    for state in positions(2, range(4), every=3):
        found = [plan for plan, _ in planned(state)]
        assert any(plan >> search.WORKER_AT & 3 == 0 for plan in found)
        if state.phase == rules.CARD:
            cards = {plan & 63 for plan in found}
            assert sum(1 << card for card in cards) == state.hand[state.seat]


def test_a_place_that_cannot_be_reached_is_refused() -> None:
    state = bosquet.new("schlossgarten", seed=1)._state
    card = (state.hand[0] & -state.hand[0]).bit_length() - 1
    far = search.plan_of(card, 48, 2, 4, 0, search.NO_TILE, search.NO_SITE)
    with pytest.raises(ValueError, match="can't walk to g7"):
        search.actions(state, far)


def wins_within_reach(state: State) -> bool:
    """Whether the seat to move can win this turn without a hit: every stand of its pawns is tried."""
    cards = [state.played] if state.phase == rules.MOVE else list(bosquet.core.bits.members(state.hand[state.seat]))
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
