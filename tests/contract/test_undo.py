"""A move is taken back only where nobody saw anything by it that was hidden before."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet.core.game import Game
from tests.contract.helpers.positions import determinized, every_ply, seen, viewers
from tests.helpers.cases import NEVER_TAKEN_BACK, every_size


@every_size
def test_undo_gives_everything_back(name: str, options: dict[str, Any]) -> None:
    """Several moves in a row as well: record, state, legal moves and views are what they were."""
    tried = 0
    rng = bosquet.Rng("undo")
    for game in every_ply(name, options, 1, 150):
        if game.seat is None:
            continue
        trial = game.copy()
        before: list[Any] = []
        for _ in range(4):
            after = trial.copy()
            after.play(rng.choice(trial.legal()))
            if not after.can_undo:
                break
            before.append((trial.record(), trial.state, trial.legal(), seen(trial, game.seat)))
            trial = after
        while before:
            trial.undo()
            assert (trial.record(), trial.state, trial.legal(), seen(trial, game.seat)) == before.pop()
            tried += 1
    assert tried > 10 or name in NEVER_TAKEN_BACK


@every_size
def test_undo_is_refused_across_turns_and_at_the_start(name: str, options: dict[str, Any]) -> None:
    refused = 0
    seat: int | None = None
    for game in every_ply(name, options, 2, 150):
        if seat is None or game.seat != seat:
            trial = game.copy()
            before = trial.record(), trial.state
            with pytest.raises(bosquet.BosquetError, match="take back"):
                trial.undo()
            assert (trial.record(), trial.state) == before
            refused += 1
        seat = game.seat
    assert refused > 1


@every_size
def test_what_can_be_undone_showed_nothing_hidden(name: str, options: dict[str, Any]) -> None:
    """Made where the unseen lies otherwise, the move shows the viewer the same. Holds for every viewer."""
    compared = 0
    rng = bosquet.Rng("showed nothing")
    for seed in (3, 5):
        for game in every_ply(name, options, seed, 150):
            if game.seat is None:
                continue
            for move in rng.sample(game.legal(), 2):
                after = game.copy()
                after.play(move)
                if not after.can_undo:
                    continue
                for viewer in viewers(game):
                    compared += _shows_the_same(game, after, move, viewer, rng)
    assert compared > 20 or name in NEVER_TAKEN_BACK


def _shows_the_same(game: Game, after: Game, move: str, viewer: int | None, rng: bosquet.Rng) -> int:
    """Compare what a viewer gets after a move, the unseen dealt anew before it; how often that could be done."""
    other = determinized(game, viewer, rng)
    if move not in other.legal():
        # Another seat's card, say: to play it and take it back shows that it is held, as at every table.
        assert viewer != game.seat
        return 0
    state = other.state
    game.spec.rules.play(state, game.spec.notation.parse(state, move))
    assert seen(game.with_state(state), viewer) == seen(after, viewer)
    return 1
