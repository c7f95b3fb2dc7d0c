"""Games that are played without views are the same as through views, move by move, whatever bots play."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.core.rng import Rng, derived_seed
from bosquet.lab import arena as arenas
from bosquet.lab import matches
from bosquet.lab.arena import Arena, played
from bosquet.lab.compiled_play import CompiledPlay, plays
from bosquet.lab.matches import Match, match_outcome, outcomes
from tests.helpers.cases import every_size_briefly, every_size_compiled, walk

SEED = 11


def same_games(name: str, options: dict[str, Any], seats: list[str], games: int) -> None:
    match = Match(name, options, seats[: options["players"]], SEED).checked()
    player = CompiledPlay(name, match.options, match.bots)
    for index in range(games):
        seed = derived_seed(SEED, index)
        game, found = match.play(index), player.play(seed)
        assert (found.scores, found.winners) == (game.scores, game.winners)
        assert player.game(seed, found.actions).record() == game.record()


@every_size_compiled
def test_simple_bots_make_the_same_moves_without_views(name: str, options: dict[str, Any]) -> None:
    same_games(name, options, ["greedy", "random", "greedy", "greedy"], 2)


@pytest.mark.slow
@every_size_briefly
def test_levels_make_the_same_moves_without_views(name: str, options: dict[str, Any]) -> None:
    same_games(name, options, ["level2", "level1", "level4", "search:20"], 1)


def test_uncompiled_play_gives_the_same_games() -> None:
    match = Match("topiary", {"players": 2}, ["greedy", "random"], SEED).checked()
    plain = CompiledPlay("topiary", match.options, match.bots, jit=False)
    assert (
        plain.game(derived_seed(SEED, 0), plain.play(derived_seed(SEED, 0)).actions).record() == match.play(0).record()
    )


@pytest.mark.slow
def test_a_box_of_ones_own_is_played_without_views() -> None:
    match = Match("schlossgarten", {"players": 2}, ["random"], SEED, {"tiles": [1, 1, 47]}).checked()
    player = CompiledPlay("schlossgarten", match.options, match.bots, match.box)
    found = player.play(derived_seed(SEED, 0))
    assert player.game(derived_seed(SEED, 0), found.actions).record() == match.play(0).record()


@pytest.mark.parametrize("name", ["topiary", "topas"])
def test_the_greedy_kernel_takes_most_points(name: str) -> None:
    """Against what the moves of a view say that they score; among several best ones it may choose any."""
    spec = bosquet.spec(name)
    assert spec.greedy_action is not None
    for game in walk(name, {"players": 2}, 3):
        if game.seat is None or (name == "topiary" and game.view(game.seat).phase == "take"):
            continue
        move = spec.notation.to_notation(
            game.state, spec.greedy_action(game.state, Rng(1).state, [0] * spec.rules.MAX_MOVES)
        )
        points = {legal.say: legal.points or 0 for legal in game.view(game.seat).moves}
        assert points[move] == max(points.values())


def test_greedy_takes_the_tile_in_whose_place_a_tile_of_the_hand_gains_most() -> None:
    for game in (game for seed in range(3) for game in walk("topiary", {"players": 3}, seed)):
        if game.seat is None or game.view(game.seat).phase != "take":
            continue
        state, seat = game.state, game.seat
        hand: list[str] = getattr(game.view(seat), "hand")  # noqa: B009  (a field of its own)
        gains = {"pass": 0}
        for move in set(game.legal()) - {"pass"}:
            gains[move] = max(score_after(state, seat, move, put) for put in hand) - game.scores[seat]
        assert gains[bots.make("greedy").choose(game.view(seat), Rng(5))] == max(gains.values())


def score_after(state: Any, seat: int, take: str, put: str) -> int:
    """What a seat has after taking one tile and putting another, the taken one not counted."""
    spec = bosquet.spec("topiary")
    hand, after, points = state.hand[seat], state.copy(), [0] * 4
    for move in (take, f"put {put}"):
        spec.rules.play(after, spec.notation.parse(after, move))
    after.hand[seat] &= hand
    spec.rules.scores(after, points)
    return points[seat]


def test_simulate_and_arena_give_the_same_with_and_without_views(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("topas", {"players": 2}, ["greedy", "random"], SEED).checked()
    mirrored = Arena("topas", {"players": 2}, ["greedy", "random"], 8, SEED).checked()
    through_views = [match_outcome(match, index) for index in range(5)]
    deals = list(played(mirrored, 1))
    monkeypatch.setattr(matches, "COMPILED_FROM", 1)
    assert mirrored.compiled
    assert list(outcomes(match, 5, workers=1)) == through_views
    assert list(outcomes(match, 5, workers=1, records=False)) == [row._replace(record=b"") for row in through_views]
    monkeypatch.setattr(arenas, "COMPILED_DEALS", 3)
    assert list(played(mirrored, 1)) == deals
    assert json.loads(deals[0].games[0].record)["players"] == ["greedy", "random"]


def test_bots_from_outside_are_played_through_views() -> None:
    assert plays("topiary", ["random", "greedy", "level6", "search:50:rounds=2"])
    assert plays("schlossgarten", ["random", "greedy"])
    assert not plays("topiary", ["random", "mybot.py:Mine"])
