"""Determinizations are complete, consistent with what was seen, viewable from every seat and playable to the end."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.core.rng import seed_rng
from bosquet.core.state import CHANCE, NOBODY
from tests.contract.helpers.census import census_of
from tests.contract.helpers.positions import determinized, every_ply, seen, viewers
from tests.helpers.cases import every_game, every_size_briefly


def knows_the_draft(game: Game, viewer: int | None) -> bool:
    """Whether the census of the draft holds of a determinization: see the test of a spectator below."""
    return viewer is not None or not game.options.get("draft", False) or game.view(None).phase == "draft"


@every_game
def test_a_determinization_is_whole_and_looks_the_same(name: str, options: dict[str, Any]) -> None:
    """The unseen is dealt anew from every seat, and from every other seat of that state once more."""
    rng = bosquet.Rng("whole")
    moved = 0
    for seed in (1, 2):
        for game in every_ply(name, options, seed, 250):
            census_of(name)(game.state)
            if len(game.moves) % 4 and game.seat is not None:
                continue
            for viewer in filter(lambda viewer: knows_the_draft(game, viewer), viewers(game)):
                other = determinized(game, viewer, rng)
                moved += other.state != game.state
                census_of(name)(other.state)
                assert seen(other, viewer) == seen(game, viewer)
                assert (other.seat, other.over, other.chance_due) == (game.seat, game.over, game.chance_due)
                assert_well_formed(other)
                second = rng.choice(range(game.players))
                again = determinized(other, second, rng)
                census_of(name)(again.state)
                assert seen(again, second) == seen(other, second)
    assert moved > 20 or bosquet.spec(name).lies_open


def assert_well_formed(game: Game) -> None:
    """The current score has a number of points for each seat, and the state fits its fields."""
    assert len(game.scores) == game.players
    least = game.spec.encoder.min_points(game.options)
    assert all(type(points) is int for points in game.scores)
    assert least is None or min(game.scores) >= least
    assert game.spec.rules.State.unpack(game.state.pack()) == game.state


@every_size_briefly
def test_a_determinization_is_played_to_the_end(name: str, options: dict[str, Any]) -> None:
    rng = bosquet.Rng("to the end")
    ended = 0
    for seed in (1, 2):
        for game in every_ply(name, options, seed, 90):
            if game.over or rng.below(14):
                continue
            for viewer in filter(lambda viewer: knows_the_draft(game, viewer), viewers(game)):
                state = game.spec.view.determinize(game.view(viewer), rng)
                play_out(game.spec, state, rng, viewer)
                ended += 1
    assert ended > 3


@every_game
def test_determinize_in_place_keeps_nothing_that_was_hidden(name: str, options: dict[str, Any]) -> None:
    """Two states that a seat can't tell apart become the same one with the same chance."""
    differed, rng = 0, bosquet.Rng("nothing hidden")
    for game in every_ply(name, options, 3, 200):
        if len(game.moves) % 3 and game.seat is not None:
            continue
        for viewer in range(game.players):
            other = game.spec.view.determinize(game.view(viewer), rng)
            differed += other != game.state
            assert determinized_in_place(game, other, viewer) == determinized_in_place(game, game.state, viewer)
    assert differed > 10 or bosquet.spec(name).lies_open


def determinized_in_place(game: Game, state: Any, viewer: int) -> Any:
    """What the kernel makes of a state."""
    twin = state.copy()
    game.spec.rules.determinize_in_place(twin, viewer, seed_rng(len(game.moves)))
    return twin


def play_out(spec: Any, state: Any, rng: bosquet.Rng, viewer: int | None) -> None:
    """Random play to the end, sometimes with a census and a determinization for another viewer."""
    moves = [0] * spec.rules.MAX_MOVES
    while state.seat != NOBODY:
        if state.seat == CHANCE:
            spec.rules.sample_chance(state, rng.state)
            continue
        n = spec.rules.legal(state, moves)
        assert 0 < n <= spec.rules.MAX_MOVES
        spec.rules.play(state, moves[rng.below(n)])
        if not rng.below(25) and viewer is not None:
            census_of(spec.name)(state)
            state = spec.view.determinize(spec.view.view(state, viewer), rng)
    census_of(spec.name)(state)
    assert spec.rules.winners(state)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_spectator_determinizes_the_draft_too(players: int) -> None:
    """Topiary: for a spectator, too, every seat passed tiles on, the last of them those that are set aside. 2.4"""
    rng = bosquet.Rng("spectator")
    for game in every_ply("topiary", {"players": players, "draft": True}, 1):
        census_of("topiary")(determinized(game, None, rng).state)


def test_a_card_known_to_be_held_stays_so_over_two_shuffles() -> None:
    """Schlossgarten with three: seats 0 and 1 have played the cards that they held at the first shuffle, seat 2 never.

    So the third card of then is in the hand of seat 2, and seat 0 knows it. 3.1
    """
    game = bosquet.new("schlossgarten", players=3, seed=0)
    game.rng = None
    rng = bosquet.Rng("held")
    held: list[int] = []
    shuffles = 0
    while shuffles < 2:
        if game.chance_due:
            game.sample_chance(rng)
            shuffles += 1
            held = held or list(game.view(None).held_over)  # type: ignore[attr-defined]
            continue
        moves = game.legal()
        old = [move for move in moves if move in {f"card {card}" for card in held}]
        new = [move for move in moves if move not in old]
        if "stop" in moves or "end" in moves:
            game.play("stop" if "stop" in moves else "end")
        else:
            game.play(rng.choice(new if game.seat == 2 else old or new))
    (kept,) = set(held) & set(game.view(2).hand)  # type: ignore[attr-defined]
    for _ in range(50):
        assert kept in determinized(game, 0, rng).view(2).hand  # type: ignore[attr-defined]
