"""What every game keeps to. A fourth game is tested by these as soon as it is in `bosquet.GAMES`."""

from __future__ import annotations

import functools
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bosquet
from bosquet.core.inputs.json_text import decode
from bosquet.core.records.record import dump
from tests.helpers.cases import (
    NEVER_TAKEN_BACK,
    actions_of,
    every_size,
    every_size_briefly,
    is_dealt_by_chance,
    walk,
)

Options = dict[str, Any]
LATEST = 40
"""The last ply before which what is no move is tried."""


@every_size
def test_games_end_and_their_actions_are_in_range(name: str, options: Options) -> None:
    spec = bosquet.spec(name)
    for seed in range(3):
        for game in walk(name, options, seed):
            actions = actions_of(game)
            assert len(actions) <= spec.rules.MAX_MOVES
            assert all(0 <= action < spec.rules.ACTIONS for action in actions)
            assert bool(actions) == (game.seat is not None) == (not game.over)
        assert game.over
        assert game.winners == sorted(set(game.winners))
        assert game.winners


@every_size
def test_notation_goes_there_and_back(name: str, options: Options) -> None:
    spec = bosquet.spec(name)
    met = 0
    for game in walk(name, options, 4):
        said = game.legal()
        assert len(set(said)) == len(said)
        assert [spec.notation.parse(game.state, text) for text in said] == actions_of(game)
        met += len(said)
    assert met > (50 if spec.rules.ACTIONS > 50 else len(game.moves))


@every_size
def test_records_go_there_and_back(name: str, options: Options) -> None:
    for game in walk(name, options, 5):
        if len(game.moves) % 7 == 0 or game.over:
            record = game.record()
            again = bosquet.load(decode(dump(game)))
            assert again.record() == record
            assert again.state.pack().tobytes() == game.state.pack().tobytes()
            assert again.legal() == game.legal()


@every_size
def test_states_pack_and_copy(name: str, options: Options) -> None:
    spec = bosquet.spec(name)
    for game in walk(name, options, 6):
        state = game.state
        assert spec.rules.State.unpack(state.pack()) == state
    twin = game.copy()
    first = bosquet.new(name, seed=1, **options)
    twin = first.copy()
    twin.play(twin.legal()[0])
    assert first.moves == []
    assert first.state == bosquet.new(name, seed=1, **options).state


@every_size
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=20), at=st.integers(0, LATEST), seed=st.integers(0, 5))
def test_what_is_no_move_is_refused_and_changes_nothing(
    name: str, options: Options, text: str, at: int, seed: int
) -> None:
    game = _reached(name, options, seed, at)
    legal = game.legal()
    before = game.state
    rng = random.Random(f"{text}{at}")
    wrong = [text]
    if legal:
        real = rng.choice(legal)
        place = rng.randrange(len(real))
        wrong += [real[:place] + rng.choice("abcN1 9-+@é") + real[place + 1 :], real + " ", real[1:], real.lower()]
    for move in wrong:
        if move not in legal:
            with pytest.raises(bosquet.IllegalMove, match=r"legal|over"):
                game.play(move)
            assert game.state == before
            assert game.legal() == legal


@functools.cache
def _game(name: str, options: tuple[tuple[str, Any], ...], seed: int) -> list[Any]:
    """The positions of a game up to the latest, each to be left as it is."""
    return [game.copy() for game in walk(name, dict(options), seed, LATEST)]


def _reached(name: str, options: Options, seed: int, plies: int) -> Any:
    positions = _game(name, tuple(options.items()), seed)
    return positions[min(plies, len(positions) - 1)]


@every_size
def test_sheets_come_to_the_scores(name: str, options: Options) -> None:
    for seed in range(3):
        for game in walk(name, options, seed):
            if game.over or len(game.moves) % 11 == 0:
                sheet = game.score_sheet()
                totals = [sum(e.points for e in sheet.entries if e.seat == s) for s in range(game.players)]
                if sheet.columns or (options["players"] == 1 and hasattr(game.state, "columns")):
                    running = [] if game.over else game.scores
                    assert totals == [sum(sheet.columns) + sum(running)]
                elif game.view(None).phase != "put":  # in mid-turn four tiles are held and counted, too
                    assert totals == game.scores
                for entry in sheet.entries:
                    parts = [part.points for part in entry.parts]
                    if parts and entry.combine == "sum":
                        assert sum(parts) == entry.points
        assert sheet.winners == game.winners


@every_size
def test_undo_gives_back_the_position(name: str, options: Options) -> None:
    taken_back = 0
    for game in walk(name, options, 8):
        if game.seat is None:
            break
        for move in game.legal()[:6]:
            trial, seat = game.copy(), game.seat
            state, moves = trial.state, list(trial.moves)
            is_irreversible = trial.spec.rules.is_irreversible(
                trial.state, trial.spec.notation.parse(trial.state, move)
            )
            trial.play(move)
            if trial.seat == seat and not is_irreversible:
                trial.undo()
                assert trial.state == state
                assert trial.moves == moves
                taken_back += 1
            else:
                with pytest.raises(bosquet.BosquetError, match="take back"):
                    trial.undo()
    assert taken_back or name in NEVER_TAKEN_BACK


@every_size
def test_the_same_seed_deals_the_same(name: str, options: Options) -> None:
    records = [bosquet.new(name, seed=seed, **options).record() for seed in (1, 1, 2)]
    assert records[0] == records[1]
    free = [bosquet.new(name, **options).record() for _ in range(2)]
    if is_dealt_by_chance(name, options):
        assert records[0]["deal"] != records[2]["deal"]
        assert free[0]["deal"] != free[1]["deal"]
    assert "seed" not in free[0]


@every_size_briefly
def test_views_are_json(name: str, options: Options) -> None:
    for game in walk(name, options, 9):
        view = game.view(game.seat)
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
