"""A position is what a viewer knows of a state: it follows from the view, and everything is drawn from it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.core.rng import seed_rng
from bosquet.env.compiled_game import compiled_game
from bosquet.kernels.jit import kernel
from tests.contract.helpers.positions import every_ply, seen, viewers
from tests.helpers.cases import every_size, every_size_compiled


def after_shuffles(players: int, shuffles: int = 2) -> Iterator[Game]:
    """Games of Schlossgarten that go from shuffle to shuffle as fast as they can, at every other turn."""
    game = bosquet.new("schlossgarten", players=players, seed=players)
    pick = bosquet.Rng("after shuffles")
    while sum(move.startswith("pile") for move in game.moves) <= shuffles:
        moves = game.legal()
        quick = [move for move in ("stop", "end") if move in moves]
        game.play(quick[0] if quick else pick.choice(moves))
        if game.view(None).phase == "card":
            yield game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pile_that_was_shuffled_keeps_nothing_behind_its_end(players: int) -> None:
    """Schlossgarten: a new pile is shorter than the old one, whose last cards are in hands. 3.1"""
    rules = bosquet.spec("schlossgarten").rules
    for game in after_shuffles(players):
        for viewer in viewers(game):
            state = game.state
            rules.determinize_in_place(state, -1 if viewer is None else viewer, seed_rng("behind"))
            assert not any(state.pile[state.pile_end :])
            assert game.spec.conceal(state, viewer) == game.spec.conceal(game.state, viewer)


def looked_at(games: Iterable[Game]) -> Iterator[Game]:
    """Every fifth ply, the end, and what is before and after each chance event."""
    due = False
    for game in games:
        if len(game.moves) % 5 == 0 or game.seat is None or due:
            yield game
        due = game.chance_due


@every_size
def test_a_position_is_what_the_view_shows(name: str, options: dict[str, Any]) -> None:
    """Other states that look the same give the same bytes, and a position is the position of itself."""
    spec: Any = bosquet.spec(name)
    rng, differed = bosquet.Rng("looks the same"), 0
    for game in looked_at(itertools.chain(every_ply(name, options, 1, 160), every_ply(name, options, 2))):
        for viewer in viewers(game):
            position = spec.conceal(game.state, viewer)
            if spec.module("position") is not None:
                assert spec.view.position_of(game.view(viewer)) == position
            other = spec.view.determinize(game.view(viewer), rng)
            differed += other != game.state
            for state in (other, position):
                assert spec.conceal(state, viewer).pack().tobytes() == position.pack().tobytes()
                assert seen(game.with_state(state), viewer) == seen(game, viewer)
    assert differed > 10


@every_size
def test_a_state_is_determinized_as_its_position_is(name: str, options: dict[str, Any]) -> None:
    """Whatever the state holds beside what is known does not matter."""
    spec = bosquet.spec(name)
    for game in looked_at(every_ply(name, options, 4)):
        for viewer in viewers(game):
            drawn = [game.state, spec.conceal(game.state, viewer)]
            for state in drawn:
                spec.rules.determinize_in_place(state, -1 if viewer is None else viewer, seed_rng(len(game.moves)))
            assert drawn[0] == drawn[1]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_position_holds_zeros_where_nothing_is_known(viewer: int | None) -> None:
    """A state whose every byte is set otherwise, apart from what is known, has the same position."""
    game = bosquet.new("schlossgarten", players=2, seed=1)
    state = game.state
    state.pile[: state.pile_at] = [31] * state.pile_at
    state.hand[2:], state.may_hold[2:], state.own[2:] = [7, 7], [7, 7], [7, 7]
    state.tile_points[2:] = [7, 7]
    assert game.spec.conceal(state, viewer) == game.spec.conceal(game.state, viewer)


def test_a_position_of_nobody_or_of_a_game_that_was_ended_is_refused() -> None:
    game = bosquet.new("topas", players=2, seed=1)
    for nobody in (2, -1):
        with pytest.raises(bosquet.BosquetError, match="seats are 0 to 1"):
            game.position(nobody)
    game.end("agreed")
    with pytest.raises(bosquet.BosquetError, match="ended before its end"):
        game.position(None)


@every_size_compiled
def test_compiled_code_conceals_the_same(name: str, options: dict[str, Any]) -> None:
    spec, compiled = bosquet.spec(name), compiled_game(name, **options)
    if (module := spec.module("position")) is None:
        pytest.skip("its positions are made from views")
    conceal = compiled.bound(conceal_first, conceal=module.conceal)
    for game in every_ply(name, options, 3, 120):
        for viewer in viewers(game) if len(game.moves) % 7 == 0 or game.over else ():
            positions = np.zeros(1, spec.rules.State.dtype)
            conceal(game.state.pack(), positions, -1 if viewer is None else viewer)
            assert positions.tobytes() == spec.conceal(game.state, viewer).pack().tobytes()


@kernel
def conceal_first(states: Any, positions: Any, viewer: int) -> None:
    """Conceal the first of some states."""
    conceal(states[0], viewer, positions[0])


def conceal(state: Any, viewer: int, position: Any) -> None:
    """Stand for the kernel of a game."""
    raise NotImplementedError
