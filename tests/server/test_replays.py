"""Replays: every position of a record, and for a seat never more than that seat could see."""

from __future__ import annotations

import itertools
import random
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.game import Game
from bosquet.games import topiary
from bosquet.server.compute.messages import Replay, ReplayRequest
from bosquet.server.compute.replays import LONGEST, replay
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import every_size

MEGABYTE = 1 << 20


def played(name: str, options: dict[str, Any], seed: int, plies: int = 10**6) -> list[Game]:
    """All positions of a game, chance events included."""
    return [game.copy() for game in every_ply(name, options, seed, plies)]


def request_of(game: Game, viewpoint: Any = "all", **extra: Any) -> ReplayRequest:
    record = game.record() | extra
    return msgspec.json.decode(msgspec.json.encode({"record": record, "viewpoint": viewpoint}), type=ReplayRequest)


@every_size
def test_a_seat_and_a_spectator_get_their_views_and_no_more(name: str, options: dict[str, Any]) -> None:
    games = played(name, options, 4)
    for viewer in (None, *range(games[-1].players)):
        found = replay(request_of(games[-1], "spectator" if viewer is None else viewer))
        assert [frame.view for frame in found.frames] == [game.view(viewer, moves=False) for game in games]
        assert all(frame.hands is None and frame.revealed is None for frame in found.frames)
        told = [(frame.seat, frame.say) for frame in found.frames if frame.seat is not None]
        assert told == games[-1].observed_moves(viewer)
        rng = [frame.say for frame in found.frames[1:] if frame.seat is None]
        assert rng == ["pile"] * len(rng)


@every_size
def test_all_viewpoints_see_every_move_and_every_hand(name: str, options: dict[str, Any]) -> None:
    games = played(name, options, 4)
    found = replay(request_of(games[-1]))
    assert [frame.view for frame in found.frames] == [game.view(None) for game in games]
    assert [frame.say for frame in found.frames] == [None, *games[-1].moves]
    assert [frame.seat for frame in found.frames] == [None, *(game.seat for game in games[:-1])]
    for frame, game in zip(found.frames, games, strict=True):
        hands: list[Any] = [game.view(seat) for seat in range(game.players)]
        assert frame.hands == [[str(card) for card in view.hand] for view in hands]
    assert found.game == name
    assert found.sheet == games[-1].score_sheet()


@pytest.mark.parametrize("draft", [False, True])
def test_what_lies_face_down_is_what_is_taken(draft: bool) -> None:
    games = played("topiary", {"players": 3, "draft": draft}, 6)
    frames = replay(request_of(games[-1])).frames
    taken = 0
    for before, after in itertools.pairwise(frames):
        assert before.revealed is not None
        assert after.revealed is not None
        view: Any = before.view
        face_down = {topiary.rules.GRID.names[cell] for cell, tile in enumerate(view.garden) if tile is None}
        assert set(before.revealed) == face_down
        if (after.say or "").startswith("take"):
            cell = str(after.say)[-2:]
            assert after.hands is not None
            assert before.revealed[cell] in after.hands[after.seat or 0]
            assert cell not in after.revealed
            taken += 1
    assert taken


def test_a_running_game_is_shown_up_to_now() -> None:
    games = played("schlossgarten", {"players": 2}, 1, 30)
    assert len(replay(request_of(games[-1], 1)).frames) == 31


def test_names_come_from_the_record() -> None:
    game = bosquet.new("topas", players=3, seed=1)
    assert names(game) == ["Player 1", "Player 2", "Player 3"]
    assert names(game, players=["Ada", " ", 7]) == ["Ada", "Player 2", "Player 3"]
    assert names(game, players=["x" * 99, "Bo", "Cy", "Di"]) == ["x" * 24, "Bo", "Cy"]
    assert names(game, players="Ada") == ["Player 1", "Player 2", "Player 3"]


def names(game: Game, **extra: Any) -> list[str]:
    return replay(request_of(game, **extra)).names


@every_size
def test_a_wrong_record_is_refused_with_its_ply(name: str, options: dict[str, Any]) -> None:
    record = played(name, options, 7, 6)[-1].record()
    for viewpoint in ("all", "spectator", 0):
        for wrong in ("nonsense", 7, record["moves"][0]):
            moves = [*record["moves"], wrong]
            with pytest.raises(RecordError, match="ply 6"):
                replay(msgspec.convert({"record": record | {"moves": moves}, "viewpoint": viewpoint}, ReplayRequest))


@every_size
def test_moves_after_the_end_are_refused(name: str, options: dict[str, Any]) -> None:
    record = played(name, options, 8)[-1].record()
    moves = [*record["moves"], record["moves"][-1]]
    for viewpoint in ("all", 0):
        with pytest.raises(RecordError, match=f"ply {len(moves) - 1}: .*the game is over"):
            replay(msgspec.convert({"record": record | {"moves": moves}, "viewpoint": viewpoint}, ReplayRequest))


def test_what_is_no_record_or_has_no_such_seat_is_refused() -> None:
    with pytest.raises(RecordError, match="format"):
        replay(ReplayRequest(record={}))
    with pytest.raises(BosquetError, match="no seat 2"):
        replay(request_of(bosquet.new("topas", players=2, seed=1), 2))
    record = played("topas", {"players": 2, "expert": False}, 1)[-1].record()
    record["result"]["scores"][0] += 1
    with pytest.raises(RecordError, match=r"result\.scores"):
        replay(ReplayRequest(record=record))


def test_a_very_long_record_has_a_frame_a_turn() -> None:
    game = random_schlossgarten()
    assert len(game.moves) > LONGEST
    found = replay(request_of(game))
    assert sum(frame.seat is not None for frame in found.frames) == 400
    assert ", ".join(frame.say or "" for frame in found.frames[1:]) == ", ".join(game.moves)
    assert found.frames[-1].view == game.view(None)
    assert size(found) < 3 * MEGABYTE


def test_the_longest_record_with_all_its_frames_is_not_too_large() -> None:
    game = random_schlossgarten()
    end = bosquet.load(game.record() | {"moves": game.moves[:LONGEST], "result": None})
    found = replay(request_of(end))
    assert len(found.frames) == LONGEST + 1
    assert size(found) < 3 * MEGABYTE


def random_schlossgarten() -> Game:
    """A game of random moves: it lasts all its hundred rounds."""
    game = bosquet.new("schlossgarten", players=4, seed=2)
    rng = random.Random(2)
    while not game.over:
        game.play(rng.choice(game.legal()))
    return game


def size(found: Replay) -> int:
    return len(msgspec.json.encode(found))
