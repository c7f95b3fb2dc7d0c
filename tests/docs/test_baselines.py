"""The baselines of docs/environments.md, as far as they need no PyTorch."""

from __future__ import annotations

from pathlib import Path

from docs.baselines import matches

import bosquet
from bosquet.bots.levels import COUNT


def test_every_level_is_a_row() -> None:
    for game in bosquet.GAMES:
        found = matches.names(game)
        assert set(found) >= {"random", "search:1", *(f"level{level}" for level in range(1, COUNT + 1))}
        assert len(set(found)) == len(found)


def test_a_match_that_was_played_is_read(tmp_path: Path) -> None:
    played = matches.result("topas", "random", 4, tmp_path)
    wins, ahead = played
    assert wins.value == 0
    assert ahead.value < 0
    games = tmp_path / "topas-random" / "games.jsonl"
    before = games.read_bytes()
    assert matches.result("topas", "random", 4, tmp_path) == played
    assert games.read_bytes() == before
