"""Solved endings are what brute force over every world says, and the search never plays less."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import bosquet
from bosquet.core import installed
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.games import topas, topiary
from bosquet.kernels.bits import mask_of, members
from bosquet.search import Search, Settings, Task
from bosquet.search.worker import Worker
from tests.helpers.cases import walk

JIT = [False, pytest.param(True, marks=[pytest.mark.compiled, pytest.mark.slow])]


def worker_at(state: Any, game: str, jit: bool) -> Worker:
    """A worker that has taken up a position."""
    worker = Worker(game, jit=jit)
    worker.begin(Settings(), Task(state, state.seat), Rng(1))
    return worker


def value(worker: Worker, points: list[int], winners: int, seat: int) -> float:
    """What a seat gets at the end of a game."""
    lead = 100 * (points[seat] - max(p for other, p in enumerate(points) if other != seat))
    ahead = 0.5 + 0.5 * lead / (worker.tree.scale + abs(lead))
    share = (winners >> seat & 1) / winners.bit_count()
    return float(worker.tree.win_weight * share + (1 - worker.tree.win_weight) * ahead)


def worlds(state: Any) -> Iterator[Any]:
    """Every way to lay the tiles that the seat to move does not see into the others' hands and face-down cells."""
    seat, cells = state.seat, list(members(state.down))
    others = [other for other in range(state.players) if other != seat]
    unseen = list(members(state.aside))
    unseen += [state.tiles[cell] for cell in cells]
    unseen += [tile for other in others for tile in members(state.hand[other])]
    for garden in itertools.permutations(unseen, len(cells)):
        rest = [tile for tile in unseen if tile not in garden]
        for hands in dealt(rest, len(others)):
            world = state.copy()
            for cell, tile in zip(cells, garden, strict=True):
                world.tiles[cell] = tile
            for other, hand in zip(others, hands, strict=True):
                world.hand[other] = mask_of(hand)
            world.aside = mask_of(tile for tile in rest if not any(tile in hand for hand in hands))
            yield world


def dealt(tiles: list[int], count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to deal this number of hands of three."""
    if not count:
        yield ()
        return
    for hand in itertools.combinations(tiles, 3):
        for rest in dealt([tile for tile in tiles if tile not in hand], count - 1):
            yield (hand, *rest)


def brute(worker: Worker, together: list[Any]) -> dict[int, float]:
    """The value of each action of a seat that can't tell these worlds apart, by playing on in all of them."""
    seat, moves = together[0].seat, [0] * topiary.rules.MAX_MOVES
    n = topiary.rules.legal(together[0], moves)
    values = {}
    for action in moves[:n]:
        after = [world.copy() for world in together]
        for world in after:
            topiary.rules.play(world, action)
        values[action] = value_together(worker, after, seat)
    return values


def value_together(worker: Worker, after: list[Any], seat: int) -> float:
    """The mean over worlds, the seat deciding as well as it can by what it then sees."""
    total = 0.0
    open_to: dict[int, list[Any]] = {}
    for world in after:
        if world.seat == NOBODY:
            points = [topiary.rules.score(world, other) for other in range(world.players)]
            total += value(worker, points, topiary.rules.winners(world), seat)
        else:
            open_to.setdefault(world.hand[seat], []).append(world)
    for group in open_to.values():
        total += len(group) * max(brute(worker, group).values())
    return total / len(after)


def endings(players: int, most: int) -> Iterator[Any]:
    """Positions of the last turn with few face-down tiles, of many random games; the rest of the garden is face up."""
    found = 0
    for seed in range(400):
        game = bosquet.new("topiary", seed=seed, players=players)
        rng = Rng("ending", seed)
        while game.seat is not None:
            state = game.state
            last = state.placed + (state.phase == topiary.rules.LINE) == players * topiary.rules.VISITORS[players]
            if last and rng.below(3) == 0:
                yield with_few_down(state, rng)
                found += 1
                if found == most:
                    return
                break
            game.play(rng.choice(game.legal()))


def with_few_down(state: Any, rng: Rng) -> Any:
    """The same position with all face-down tiles but two turned up, so that brute force ends; the unseen leave too."""
    state = state.copy()
    takeable = topiary.rules.LINE_MASK[state.line] & state.down if state.line >= 0 else 0
    kept = list(members(takeable))[:1] + list(members(state.down & ~takeable))[:1]
    for cell in members(state.down & ~mask_of(kept)):
        state.down ^= 1 << cell
        state.up |= 1 << cell
    if state.phase == topiary.rules.LINE:  # few lines, or brute force takes for ever
        free = list(members(state.free))
        rng.shuffle(free)
        state.free = mask_of(free[:4])
    return state


@pytest.mark.parametrize("jit", JIT)
@pytest.mark.parametrize(("players", "most"), [(2, 6), pytest.param(3, 2, marks=pytest.mark.slow)])
def test_the_last_turn_of_topiary_is_what_brute_force_says(players: int, most: int, jit: bool) -> None:
    phases = set()
    for state in endings(players, most if jit else 2):
        worker = worker_at(state, "topiary", jit)
        solved = {found.candidate: found.value for found in worker.solved()}
        expected = brute(worker, list(worlds(state)))
        assert solved == pytest.approx(expected, abs=1e-9)
        if state.phase != topiary.rules.LINE:  # whose free lines were made few
            result = Search().search(topiary.view.view(state, state.seat), Rng(1))
            assert (result.candidates[0].value, result.simulations) == (max(solved.values()), 0)
        phases.add(state.phase)
    assert phases


@pytest.mark.parametrize("jit", JIT)
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 3}, {"players": 2, "expert": True}])
def test_the_last_card_of_topas_is_what_brute_force_says(options: dict[str, Any], jit: bool) -> None:
    solved = 0
    for seed in range(3):
        for game in walk("topas", options, seed):
            if game.seat is None or game.state.turn != topas.rules.TURNS * game.players - 1:
                continue
            state, moves = game.state, [0] * topas.rules.MAX_MOVES
            worker = worker_at(state, "topas", jit)
            candidates = worker.solved()
            everything = {}
            for action in moves[: topas.rules.legal(state, moves)]:
                after = state.copy()
                topas.rules.play(after, action)
                points = after.points[: game.players]
                everything[action] = value(worker, points, topas.rules.winners(after), state.seat)
            assert candidates[0].value == pytest.approx(max(everything.values()))
            for found in candidates:
                assert found.value == pytest.approx(everything[found.candidate])
            solved += 1
    assert solved == 3


def test_nothing_is_solved_before_the_end() -> None:
    for name in ("topiary", "topas", "schlossgarten"):
        assert worker_at(bosquet.new(name, seed=1).state, name, False).solved() == []


@pytest.mark.parametrize("variant", [name for name in installed.variants() if name.startswith("topiary")])
def test_hands_of_another_size_are_not_solved(variant: str) -> None:
    """The solver would count hands of three tiles."""
    rules: Any = installed.spec_or_variant(variant).rules
    rng = Rng(1)
    state, moves = installed.spec_or_variant(variant).new_state({"players": 2, "draft": False}), [0] * rules.MAX_MOVES
    rules.deal(state, rng.state)
    while state.seat != NOBODY:
        assert worker_at(state, variant, False).solved() == []
        rules.play(state, moves[rng.below(rules.legal(state, moves))])
    assert rules.HAND != 3
