"""What lines of Topiary are worth for a whole turn agrees with the rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bosquet.core.game import Game
from bosquet.games.topiary import learned_inputs, learned_search, rules, turn_values
from bosquet.games.topiary.search import sees_with
from bosquet.kernels.bits import members
from tests.helpers.cases import walk


def positions() -> Iterator[tuple[Game, learned_inputs.Workspace]]:
    """Positions between two turns, with what was found out about their lines."""
    workspace = learned_inputs.Workspace()
    for players in (2, 3, 4):
        for game in itertools.islice(walk("topiary", {"players": players}, players), 0, None, 3):
            if game.state.phase == rules.LINE:
                learned_inputs.describe_position(game.state, workspace)
                yield game, workspace


def test_lines_and_scores_are_those_of_the_rules() -> None:
    compared = 0
    for game, workspace in positions():
        for line in range(len(rules.LINES)):
            seen = rules.sees(game.state, line)
            assert workspace.seen[line] == seen
            assert workspace.line_points[line] == rules.visitor_points(seen)
        found = [learned_search.points_so_far(game.state, workspace, seat) for seat in range(game.players)]
        assert found == [100 * points for points in game.scores]
        compared += 1
    assert compared > 20


def test_changes_are_what_a_visitor_sees_more_or_less() -> None:
    """Without bonuses: for a tile of a type that no visitor sees, as far as there is one."""

    def plain(seen: int) -> int:
        return sum(tile % rules.SIZES + 1 for tile in members(seen))

    compared = 0
    for game, workspace in positions():
        state = game.state
        for seat, cell, size in itertools.product(range(game.players), members(state.down), range(rules.SIZES)):
            lines = [line for line in members(state.visitors[seat]) if rules.LINE_MASK[line] >> cell & 1]
            tiles = [kind * rules.SIZES + size for kind in range(rules.KINDS)]
            unseen = [tile for tile in tiles if not any(rules.sees(state, line) >> tile & 1 for line in lines)]
            if lines and unseen:
                changes = [
                    plain(sees_with(state, line, cell, unseen[0])) - plain(rules.sees(state, line)) for line in lines
                ]
                assert workspace.change[(seat * rules.CELLS + cell) * rules.SIZES + size] == sum(changes)
                compared += 1
    assert compared > 200


def test_the_inputs_fit_their_integers() -> None:
    for game, workspace in positions():
        for seat in range(game.players):
            learned_inputs.describe(game.state, workspace, seat)
            assert all(0 <= x < 1 << 15 for x in workspace.inputs)
            assert any(workspace.inputs)


def test_every_free_line_has_a_value() -> None:
    for game, workspace in positions():
        found, values, moves = [0] * 64, [0] * 64, [0] * 64
        n = turn_values.value_lines(game.state, workspace, found, values)
        assert found[:n] == moves[: rules.legal(game.state, moves)]
        assert len(set(values[:n])) > 1
