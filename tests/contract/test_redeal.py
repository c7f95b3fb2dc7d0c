"""Redealt states are whole, agree with what was seen, can be looked at from every seat and played to the end."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet.core.chance import lanes_of
from bosquet.core.game import Game
from bosquet.core.state import CHANCE, NOBODY
from tests.cases import CASES, IDS
from tests.contract.census import CENSUS
from tests.contract.positions import every_ply, redealt, seen, viewers

every_game = pytest.mark.parametrize(("name", "options"), CASES, ids=IDS)


def knows_the_draft(game: Game, viewer: int | None) -> bool:
    """Whether the census of the draft holds of a redeal: see the test of a spectator below."""
    return viewer is not None or not game.options.get("draft", False) or game.view(None).phase == "draft"


@every_game
def test_a_redeal_is_whole_and_looks_the_same(name: str, options: dict[str, Any]) -> None:
    """The unseen is dealt anew from every seat, and from every other seat of that state once more."""
    assert name in CENSUS, f"write what must hold of every position of {name} in tests/contract/census.py"
    chance = bosquet.Chance("whole")
    moved = 0
    for seed in (1, 2):
        for game in every_ply(name, options, seed, 250):
            CENSUS[name](game._state)
            if len(game.moves) % 4 and game.seat is not None:
                continue
            for viewer in filter(lambda viewer: knows_the_draft(game, viewer), viewers(game)):
                other = redealt(game, viewer, chance)
                moved += other._state != game._state
                CENSUS[name](other._state)
                assert seen(other, viewer) == seen(game, viewer)
                assert (other.seat, other.over, other.chance_due) == (game.seat, game.over, game.chance_due)
                assert_well_formed(other)
                second = chance.choice(range(game.players))
                again = redealt(other, second, chance)
                CENSUS[name](again._state)
                assert seen(again, second) == seen(other, second)
    assert moved > 20


def assert_well_formed(game: Game) -> None:
    """The open count is a number of points a seat, the state fits its fields."""
    assert len(game.scores) == game.players
    assert all(type(points) is int and points >= 0 for points in game.scores)
    assert game.rules.State.unpack(game._state.pack()) == game._state


@every_game
def test_a_redeal_is_played_to_the_end(name: str, options: dict[str, Any]) -> None:
    chance = bosquet.Chance("to the end")
    ended = 0
    for seed in (1, 2):
        for game in every_ply(name, options, seed, 90):
            if game.over or chance.below(14):
                continue
            for viewer in filter(lambda viewer: knows_the_draft(game, viewer), viewers(game)):
                state = game.rules.redeal(game.view(viewer), chance)
                play_out(game.rules, state, chance, viewer)
                ended += 1
    assert ended > 3


@every_game
def test_a_resample_keeps_nothing_that_was_hidden(name: str, options: dict[str, Any]) -> None:
    """Two states that a seat can't tell apart become the same one with the same chance."""
    differed, chance = 0, bosquet.Chance("nothing hidden")
    for game in every_ply(name, options, 3, 200):
        if len(game.moves) % 3 and game.seat is not None:
            continue
        for viewer in range(game.players):
            other = game.rules.redeal(game.view(viewer), chance)
            differed += other != game._state
            assert resampled(game, other, viewer) == resampled(game, game._state, viewer)
    assert differed > 10


def resampled(game: Game, state: Any, viewer: int) -> Any:
    """What the kernel makes of a state."""
    twin = state.copy()
    game.rules.resample(twin, viewer, lanes_of(len(game.moves)))
    return twin


def play_out(rules: Any, state: Any, chance: bosquet.Chance, viewer: int | None) -> None:
    """Random play to the end, with a census and a redeal from elsewhere now and then."""
    moves = [0] * rules.MAX_MOVES
    while state.seat != NOBODY:
        if state.seat == CHANCE:
            rules.roll(state, chance.lanes)
            continue
        n = rules.legal(state, moves)
        assert 0 < n <= rules.MAX_MOVES
        rules.play(state, moves[chance.below(n)])
        if not chance.below(25) and viewer is not None:
            CENSUS[rules.NAME](state)
            state = rules.redeal(rules.view(state, viewer), chance)
    CENSUS[rules.NAME](state)
    assert rules.winners(state)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_spectator_redeals_the_draft_too(players: int) -> None:
    """Topiary: for a spectator, too, every seat passed tiles on, the last of them those that are set aside. 2.4"""
    chance = bosquet.Chance("spectator")
    for game in every_ply("topiary", {"players": players, "draft": True}, 1):
        CENSUS["topiary"](redealt(game, None, chance)._state)


def test_a_card_known_to_be_held_stays_so_over_two_shuffles() -> None:
    """Schlossgarten with three: seats 0 and 1 have played the cards that they held at the first shuffle, seat 2 never.

    So the third card of then is in the hand of seat 2, and seat 0 knows it. 3.1
    """
    game = bosquet.new("schlossgarten", players=3, seed=0)
    game.chance = None
    chance = bosquet.Chance("held")
    held: list[int] = []
    shuffles = 0
    while shuffles < 2:
        if game.chance_due:
            game.roll(chance)
            shuffles += 1
            held = held or list(game.view(None).held_over)  # type: ignore[attr-defined]
            continue
        moves = game.legal()
        old = [move for move in moves if move in {f"card {card}" for card in held}]
        new = [move for move in moves if move not in old]
        if "stop" in moves or "end" in moves:
            game.play("stop" if "stop" in moves else "end")
        else:
            game.play(chance.choice(new if game.seat == 2 else old or new))
    (kept,) = set(held) & set(game.view(2).hand)  # type: ignore[attr-defined]
    for _ in range(50):
        assert kept in redealt(game, 0, chance).view(2).hand  # type: ignore[attr-defined]
