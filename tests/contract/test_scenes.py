"""The positions that the rules pages show are views as the server gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

import bosquet
from bosquet.core.assistance import AIDS
from bosquet.core.rng import Rng
from bosquet.core.view import limited

GAMES = Path(__file__).parents[2] / "web" / "src" / "games"


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_every_position_is_a_view_of_its_game(name: str) -> None:
    game = bosquet.spec(name)
    kind: Any = get_type_hints(game.view.view)["return"]
    scenes: dict[str, Any] = json.loads((GAMES / name / "rules.json").read_text(encoding="utf-8"))
    for scene, data in scenes.items():
        view: Any = msgspec.convert(data, kind)
        assert msgspec.to_builtins(view) == data, scene
        shown: Any = game.view.view(game.view.determinize(view, Rng("scenes", scene)), view.viewer)
        assert limited(shown, AIDS) == limited(view, AIDS), scene
        assert [move for move in view.moves if move not in shown.moves] == [], scene
