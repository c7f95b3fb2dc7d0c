"""The baselines of studies; what needs PyTorch is left out where it is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.bots.levels import COUNT
from bosquet.core.rng import Rng
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from bosquet.kernels.jit import available
from studies.baselines import matches
from studies.baselines.results import Results


def test_every_level_but_that_of_the_ladder_is_a_row() -> None:
    for game in bosquet.GAMES:
        found = matches.names(game)
        assert set(found) >= {"random", "search:1", *(f"level{level}" for level in range(1, COUNT))}
        assert len(set(found)) == len(found)


def test_a_match_that_was_played_is_read(tmp_path: Path) -> None:
    played = matches.result(tmp_path, "topas", "random", 4)
    wins, ahead = played
    assert wins.value == 0
    assert ahead.value < 0
    games = tmp_path / "topas-random" / "games.jsonl"
    before = games.read_bytes()
    assert matches.result(tmp_path, "topas", "random", 4) == played
    assert games.read_bytes() == before


@pytest.fixture
def responses() -> Any:
    """Return the module, which needs PyTorch and compiled rules."""
    pytest.importorskip("torch", reason="needs PyTorch: uv run --extra torch pytest tests/studies")
    if not available():
        pytest.skip("rules are not compiled")
    from studies.baselines import responses

    return responses


@pytest.mark.parametrize("game", bosquet.GAMES)
def test_features_of_a_response_hold_nothing_hidden(game: str, responses: Any) -> None:
    rival = responses.Rival(game, "level1")
    state = GameState(compiled_game(game, players=2), 5)
    found = []
    for seed in range(3):
        rival.states[0] = state.states[0]
        rng_state = np.array(Rng(1).state, np.int64)
        n = rival.look_ahead(rival.states, rival.workspaces, rng_state, *rival.numbers, rival.features.reshape(-1))
        found.append(rival.features[:n].tolist())
        state.determinize(state.seat, seed)
    assert len(found[0]) > 1
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("bot", ["greedy", "level2"])
def test_a_seed_determines_a_game_against_a_bot(bot: str, responses: Any) -> None:
    played = [responses.Rival("topas", bot).play(responses.best_lead, 1, 7, 3) for _ in range(2)]
    assert played[0].value == played[1].value
    assert np.array_equal(played[0].chosen, played[1].chosen)


def test_a_result_is_kept_with_what_it_was_made_of(tmp_path: Path) -> None:
    made: list[tuple[object, ...]] = []

    def make(*given: object) -> int:
        made.append(given)
        return len(made)

    def found(*given: object, finished: bool = False) -> int | None:
        return Results(tmp_path, finished).get("name", int, make, *given)

    assert [found("topas", 400, [0.1]), found("topas", 400, [0.1])] == [1, 1]
    assert found("topas", 300, [0.1], finished=True) is None
    assert [found("topas", 300, [0.1]), found("topas", 300, [0.1], finished=True)] == [2, 2]
    assert made == [("topas", 400, [0.1]), ("topas", 300, [0.1])]
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"2")  # as results were kept without arguments
    assert found("topas", 300, [0.1]) == 3
    file.write_bytes(b'{"given": ')
    assert found("topas", 300, [0.1]) == 4
