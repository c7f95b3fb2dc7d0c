"""Duels: what stays in the next deal, who sits where, and what their records say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bosquet
from bosquet.core import installed
from bosquet.core.errors import RecordError
from bosquet.core.game import Game, new_game
from bosquet.core.records import duel, fair
from bosquet.core.records.duel import Follower
from bosquet.core.rng import Rng
from bosquet.lab.arena import Arena, Folder, played
from bosquet.lab.standings import Standings
from tests.helpers.command_line import cli

OPEN = {
    ("topiary", 2): "removed",
    ("topiary", 3): "removed",
    ("topas", 2): "start",
    ("topas", 4): "start",
    ("schlossgarten", 2): "landscape",
}
"""What lies open in a deal, by game and number of players."""


@pytest.mark.parametrize(("name", "players"), OPEN)
@settings(deadline=None, max_examples=25)
@given(one=st.integers(0, 2**40), other=st.integers(0, 2**40))
@example(228, 2_941_143_536)  # the same hands in Schlossgarten
def test_the_next_deal_has_the_open_part_of_the_first_and_draws_the_rest(
    name: str, players: int, one: int, other: int
) -> None:
    spec = installed.spec(name)
    first, fresh = (new_game(spec, {"players": players}, seed=seed) for seed in (one, other))
    later = new_game(spec, {"players": players}, seed=other, open_as_in=first.deal)
    key = OPEN[name, players]
    assert later.deal[key] == first.deal[key]
    # The change is one to one, so what is drawn uniformly stays uniform.
    assert spec.notation.write_deal(spec.with_open_part(later.state, fresh.deal)) == fresh.deal
    # Two hands of few cards are the same now and then, all that is drawn is not.
    assert later.deal != first.deal or one == other
    bosquet.load(later.record())


def test_where_nothing_lies_open_all_is_drawn() -> None:
    for name, options in (("topiary", {"players": 4}), ("topas", {"players": 1})):
        first, later = (new_game(installed.spec(name), options, seed=seed) for seed in (1, 2))
        assert new_game(installed.spec(name), options, seed=2, open_as_in=first.deal).deal == later.deal


def test_everybody_sits_on_every_seat_once_and_points_are_added_by_player() -> None:
    assert [[duel.player_at(seat, game, 3) for seat in range(3)] for game in range(3)] == [
        [0, 1, 2],
        [2, 0, 1],
        [1, 2, 0],
    ]
    points = duel.totals([[10, 20, 30], [1, 2, 3], [100, 200, 300]])
    assert points == [10 + 2 + 300, 20 + 3 + 100, 30 + 1 + 200]
    assert duel.winners(points) == [0]
    assert duel.winners([7, 3, 7]) == [0, 2]


def records(name: str = "topas", **more: Any) -> list[dict[str, Any]]:
    """Return the records of a duel of two bots."""
    match = Arena(name, {"players": 2}, ("greedy", "random"), 2, seed=5, duel=True, **more).checked()
    return [json.loads(game.record) for deal in played(match, 1) for game in deal.games]


def written(path: Path, found: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in found))
    return path


def test_the_arena_plays_duels_and_their_totals_decide() -> None:
    match = Arena("topas", {"players": 2}, ("greedy", "random"), 8, seed=5, duel=True).checked()
    standings = Standings(match)
    for deal in played(match, 1):
        first, second = (json.loads(game.record) for game in deal.games)
        assert first["players"] == second["players"][::-1] == ["greedy", "random"]
        assert first["deal"]["start"] == second["deal"]["start"]
        assert first["deal"]["hands"] != second["deal"]["hands"]
        assert [record["duel"] | {"id": ""} for record in (first, second)] == [
            {"id": "", "game": 0, "games": 2},
            {"id": "", "game": 1, "games": 2},
        ]
        assert first["duel"]["id"] == second["duel"]["id"]
        standings.add(deal)
    assert standings.games == 8
    assert standings.win_rate(0).value == 1.0


def test_a_bot_wins_a_duel_by_points_not_by_games() -> None:
    from bosquet.lab.matches import Outcome

    match = Arena("topas", {"players": 2}, ("greedy", "random"), 2, seed=5, duel=True).checked()
    games = [Outcome([40, 30], [0], b""), Outcome([50, 45], [0], b"")]  # random has 30 + 50, greedy 40 + 45
    assert [outcome.winners for outcome in match.counted(games)] == [[0], [1]]
    even = [Outcome([40, 30], [0], b""), Outcome([40, 30], [0], b"")]
    assert [outcome.winners for outcome in match.counted(even)] == [[0, 1], [0, 1]]


def test_a_kept_match_of_duels_is_read_again_and_no_match_of_single_games(tmp_path: Path) -> None:
    match = Arena("topas", {"players": 2}, ("greedy", "random"), 4, seed=5, duel=True).checked()
    with Folder(tmp_path, match) as folder:
        first = [deal.games for deal in played(match, 1, folder=folder)]
    with Folder(tmp_path, match) as folder:
        assert [[game.record for game in deal.games] for deal in folder.deals()] == [
            [game.record for game in games] for games in first
        ]
    with pytest.raises(bosquet.BosquetError, match="another match"):
        Folder(tmp_path, Arena("topas", {"players": 2}, ("greedy", "random"), 4, seed=5).checked())


def test_alone_there_is_no_duel() -> None:
    done = cli("arena", "topas", "--players", "1", "--bots", "greedy", "--duel")
    assert done.returncode == 1
    assert "two players" in done.stderr


def test_a_file_tells_how_a_duel_ended(tmp_path: Path) -> None:
    file = written(tmp_path / "duel.jsonl", records())
    assert cli("replay", file).returncode == 0
    shown = cli("score", file).stdout
    first, second = records()
    greedy = first["result"]["scores"][0] + second["result"]["scores"][1]
    random = first["result"]["scores"][1] + second["result"]["scores"][0]
    assert f"Duel of 2 games: greedy {greedy}, random {random}. Won by greedy." in " ".join(shown.split())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"duel": {"id": "x", "game": 2, "games": 2}}, "duel.game is 2; it must be a whole number from 0 to 1"),
        ({"duel": {"id": "x", "game": 0, "games": 3}}, "duel.games is 3; it must be the number of players, 2"),
        ({"duel": {"id": "x", "game": "0", "games": 2}}, 'duel.game is "0"; it must be a whole number from 0 to 1'),
        ({"duel": []}, "duel is a list; it must be an object"),
    ],
)
def test_a_wrong_duel_is_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = written(tmp_path / "duel.jsonl", [records()[0] | change])
    done = cli("replay", file)
    assert done.returncode == 1
    assert said in " ".join(done.stderr.split())


def test_a_second_game_on_another_landscape_is_named(tmp_path: Path) -> None:
    first, second = records("schlossgarten")
    alone = Arena("schlossgarten", {"players": 2}, ("greedy", "random"), 2, seed=6).checked()
    other = next(json.loads(game.record) for deal in played(alone, 1) for game in deal.games)
    file = written(tmp_path / "duel.jsonl", [first, other | {"duel": second["duel"]}])
    done = cli("replay", file)
    assert done.returncode == 1
    assert "duel.jsonl:2: deal.landscape is not that of the game before" in " ".join(done.stderr.split())
    apart = written(tmp_path / "apart.jsonl", [first, second | {"duel": second["duel"] | {"id": "another"}}])
    assert cli("replay", apart).returncode == 0


def test_the_fair_deal_of_a_later_game_is_checked() -> None:
    spec, nonces = installed.spec("topiary"), ["a", "b"]
    first = fair.deal(spec, {"players": 2}, "cc" * 32, nonces)
    assert first.deal["removed"] != fair.deal(spec, {"players": 2}, "bb" * 32, nonces).deal["removed"]
    second = _played(fair.deal(spec, {"players": 2}, "bb" * 32, nonces, open_as_in=first.deal))
    said = {fair.KEY: fair.statement("bb" * 32, nonces)}
    later = {duel.KEY: {"id": "x", "game": 1, "games": 2}}
    fair.verify(bosquet.load(second.record() | said | later))
    with pytest.raises(RecordError, match="not what secret and nonces give"):
        fair.verify(bosquet.load(second.record() | said))


def _played(game: Game) -> Game:
    rng = Rng(1, "moves")
    while not game.over:
        moves = game.legal()
        game.play(moves[rng.below(len(moves))])
    return game


def test_who_resigned_wins_no_duel() -> None:
    assert duel.winners([50, 40, 40], [0]) == [1, 2]
    assert duel.winners([50, 40], [0, 1]) == []
    first = records()[0]
    lost = first | {"result": None, "moves": first["moves"][:1]}
    game = bosquet.load(lost)
    game.end("resigned", [0])
    result = Follower().add(game)
    assert result is not None
    assert result.winners == [1]


def test_a_game_that_does_not_count_is_left_out() -> None:
    first, second = records()
    void = bosquet.load(second | {"result": None, "moves": second["moves"][:1]})
    void.end("void")
    follower = Follower()
    assert [follower.add(game) for game in (bosquet.load(first), void)] == [None, None]
    result = follower.add(bosquet.load(second))
    assert result is not None
    assert sum(result.points) == sum(first["result"]["scores"]) + sum(second["result"]["scores"])
