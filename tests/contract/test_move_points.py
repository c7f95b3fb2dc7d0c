"""A view lists the moves of its viewer; the points of each are the change of the mover's current score, or None."""

from __future__ import annotations

from typing import Any

from tests.contract.helpers.positions import every_ply, viewers
from tests.helpers.cases import every_size_briefly, says_points


@every_size_briefly
def test_every_move_says_what_it_scores(name: str, options: dict[str, Any]) -> None:
    scored = columns = 0
    for seed in range(4):
        for game in every_ply(name, options, seed, 120):
            view: Any = game.view(game.seat)
            if len(game.moves) % 3 and view.phase not in ("work", "build") and getattr(view, "turns_left", 0) != 1:
                continue
            for viewer in viewers(game):
                listed: Any = game.view(viewer)
                due = game.legal() if viewer == game.seat is not None else []
                assert [move.say for move in listed.moves] == due
            for move in view.moves:
                if move.points is None:
                    continue
                state = game.state
                game.spec.rules.play(state, game.spec.notation.parse(state, move.say))
                points = [0] * 4
                game.spec.rules.scores(state, points)
                after = points[view.seat]
                if getattr(state, "column", 0) != getattr(game.state, "column", 0):
                    after = state.columns[state.column - 1]  # the table of a solitaire is cleared
                    columns += 1
                assert after - game.scores[view.seat] == move.points, (move.say, game.moves)
                scored += move.points != 0
    assert scored > 15 or not says_points(name)
    assert columns or options["players"] > 1 or not hasattr(game.state, "columns")
