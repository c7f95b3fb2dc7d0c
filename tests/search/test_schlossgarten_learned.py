"""The learned values of Schlossgarten: what the network is told of a position, and the search that asks it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.games.schlossgarten import learned_inputs
from bosquet.games.schlossgarten.board import CARD, ELEMENTS, NEAR, SITES, WINNING_POINTS
from bosquet.games.schlossgarten.learned_inputs import APART, DUG, OF_SEAT, OPEN, RINGS, UNDUG, WINNING, Workspace
from bosquet.games.schlossgarten.rules import score
from bosquet.learning.network import INPUT_ONE
from bosquet.search import Settings, Task, tree
from bosquet.search.worker import Worker
from tests.helpers.cases import walk
from tests.search.helpers.trees import tallies

TWO = {"players": 2}


def turns(seed: int, every: int = 1) -> list[Any]:
    """The states of a game in which a turn begins."""
    return [game.state for game in walk("schlossgarten", TWO, seed) if game.state.phase == CARD][::every]


def cells_of(mask: int) -> set[int]:
    return {cell for cell in range(len(NEAR)) if mask >> cell & 1}


def steps(first: int, second: int) -> int:
    return max(abs(first % 7 - second % 7), abs(first // 7 - second // 7))


def gains(state: Any, seat: int) -> list[tuple[int, int, int]]:
    """The works that 4.4 allows a seat's workers, wherever pawns stand: tiles to be dug, distance, gain (4.5, 4.6)."""
    lying = [set(SITES[site]) for site in state.element if site >= 0]
    own = set().union(*(SITES[site] for site in state.element[ELEMENTS * seat : ELEMENTS * (seat + 1)] if site >= 0))
    dug, up = cells_of(state.dug), cells_of(state.up)
    found = []
    for cells in map(set, SITES):
        built = cells - dug - up
        touched = [element for element in lying if element & cells]
        if len(cells & up) > 1 or built == cells or any(not element < cells for element in touched):
            continue
        gain = len(cells - own) + sum(state.landscape[cell] for cell in cells - built)
        for worker in (1, 2):
            if state.element[ELEMENTS * seat + 3 * (worker - 1) + len(cells) - 1] < 0:
                pawn = state.pawn[3 * seat + worker]
                found.append((len(cells & up), max(1, min(steps(pawn, cell) for cell in cells)), gain))
    return found


def test_inputs_are_the_best_builds_of_each_seat_by_distance() -> None:
    won = dug = 0
    for state in [*turns(1, 4), *turns(1)[-3:], *turns(2, 4)]:
        workspace = Workspace()
        learned_inputs.describe_position(state, workspace)
        for seat in range(2):
            seen = workspace.seats[OF_SEAT * seat : OF_SEAT * (seat + 1)]
            possible = gains(state, seat)
            for ring in range(RINGS):
                near = [(fresh, gain) for fresh, far, gain in possible if far <= ring + 1 or ring == RINGS - 1]
                for first, tiles in ((DUG, 0), (UNDUG, 1)):
                    best = max((gain for fresh, gain in near if fresh == tiles), default=0)
                    assert seen[first + ring] == best * INPUT_ONE // 8
                    dug += best > 0 and tiles == 0
                wins = any(score(state, seat) + gain >= WINNING_POINTS for _, gain in near)
                assert seen[WINNING + ring] == wins * INPUT_ONE
                won += wins
            king, *workers = state.pawn[3 * seat : 3 * seat + 3]
            assert list(seen[APART:]) == [steps(king, worker) * INPUT_ONE // 4 for worker in workers]
            open_ = sum(state.landscape[cell] * INPUT_ONE // 8 for cell in cells_of(state.dug))
            assert seen[OPEN + RINGS - 1] == 2 * open_  # by both workers
    assert won
    assert dug


def test_inputs_say_nothing_of_cards() -> None:
    workspace, rng = Workspace(), Rng(1)
    for state in turns(3, 4):
        seen = []
        for _ in range(2):
            learned_inputs.describe_position(state, workspace)
            learned_inputs.describe(state, workspace, 0)
            seen.append(list(workspace.inputs))
            state.hand[0], state.hand[1] = state.hand[1], state.hand[0]
            rng.shuffle(state.pile)
        assert seen[0] == seen[1]


@pytest.fixture
def weights(tmp_path: Path) -> str:
    """A folder with weights drawn at random."""
    random = np.random.default_rng(1)
    fields = Workspace.fields
    drawn = {
        name: random.integers(-300, 300, fields[name].length).astype(fields[name].code)
        for name in ("first", "first_bias", "second", "second_bias")
    }
    np.savez(tmp_path / "learned-2.npz", spread=np.full(learned_inputs.STAGES, 500, np.int32), **drawn)  # type: ignore[arg-type]
    return str(tmp_path)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_compiled_search_is_the_plain_one(weights: str) -> None:
    for state in turns(4, 9):
        workers = [Worker("schlossgarten", learned=True, weights=weights, jit=jit) for jit in (True, False)]
        for worker in workers:
            worker.begin(Settings(simulations=6), Task(state, state.seat), Rng("search"))
            worker.run(6, 0.0)
        assert tallies(workers[0]) == tallies(workers[1])


def test_only_positions_between_turns_are_evaluated(weights: str) -> None:
    """Chances to win add up to 1 there."""
    worker = Worker("schlossgarten", learned=True, weights=weights, jit=False)
    for game in list(walk("schlossgarten", TWO, 5))[::25]:
        if game.seat is None:
            continue
        worker.begin(Settings(simulations=1), Task(game.state, game.seat), Rng(1))
        for _ in range(3):
            worker.run(1, 0.0)
            leaf = worker.states[tree.WORK]
            assert leaf.seat == NOBODY or leaf.phase == CARD
            assert sum(worker.tree.win_share[:2]) == pytest.approx(1)
