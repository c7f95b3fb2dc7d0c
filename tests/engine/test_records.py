"""Records are written, checked and replayed by the engine of each game as in Python, with the same errors."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet.core.errors import RecordError
from bosquet.core.game import Game
from bosquet.core.records import fair, record
from bosquet.server.compute import replays
from bosquet.server.compute.messages import ReplayRequest
from tests.engine.helpers.engines import every_case_of
from tests.engine.helpers.node import answers, has_engine
from tests.engine.helpers.questions import SECRET, Question, deal, ended, turn

every_case = every_case_of(has_engine)
SEED = 3


def played(name: str, options: dict[str, Any], plies: int = 10**6) -> Game:
    """Return a game of random moves, up to a number of plies."""
    rng, nonces = random.Random(SEED), [str(SEED)] * options["players"]
    game = fair.deal(bosquet.spec(name), options, SECRET, nonces)
    game.extra[fair.KEY] = fair.statement(SECRET, nonces)
    while not game.over and len(game.moves) < plies:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
        else:
            game.play(rng.choice(game.legal()))
    while game.chance_due:
        fair.sample_chance(game, SECRET, nonces)
    return game


def without(given: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != key}


def wrong_records(right: dict[str, Any]) -> Iterator[Any]:
    """Yield what looks like a record and is none."""
    value: Any
    for value in ([], None, 3, "x\n\u200b" * 50):
        yield value
        yield from (right | {key: value} for key in right if key not in ("game", fair.KEY))
    yield from (without(right, key) for key in right if key != fair.KEY)
    options, dealt = right["options"], right["deal"]
    yield right | {"options": without(options, "players")}
    yield from (
        right | {"options": options | wrong} for wrong in ({"players": 9}, {"a": 1}, {"expert": "no"}, {"Player": 2})
    )
    yield right | {"deal": dealt | {"more": 1}}
    for key, value in dealt.items():
        yield right | {"deal": without(dealt, key)}
        for other in ([], "x", None, 1.5, 99, ["x"]):
            yield right | {"deal": dealt | {key: other}}
        if isinstance(value, list):
            for at in (0, -1):
                for entry in (*value[:1], "x", None, 0, [], value[at][::-1] if isinstance(value[at], list) else 1.5):
                    changed = copy.deepcopy(value)
                    changed[at] = entry
                    yield right | {"deal": dealt | {key: changed}}
    for ending in (1, {}, {"how": "away"}, {"how": "played"}, {"how": "agreed", "resigned": "0"}, {"how": "void"}):
        yield right | {"ending": ending}


def wrong_moves(game: Game) -> Iterator[Any]:
    """Yield records of a game with something wrong in place of its moves, the first chance event above all."""
    right = game.record()
    moves: list[Any] = right["moves"]
    chance = next((i for i, move in enumerate(moves) if move.startswith("pile")), 0)
    first = str(moves[chance])
    pile = first if chance else "pile"
    changed = ["", None, 3, "pile", pile + " ", pile + " 1", pile.replace(" ", "  ", 1), pile[:-2], pile + " ä", "Pile"]
    changed += [pile.replace(" ", " 0", 1), pile.replace(" ", " 33 ", 1), first[::-1] if chance else None]
    if not chance:
        changed = [None, 3]
    yield from (right | {"moves": [*moves[:chance], move], "result": None} for move in changed)


def wrong_results(right: dict[str, Any]) -> Iterator[Any]:
    """Yield records of a game that is over with something wrong after it."""
    yield right | {"moves": right["moves"][:-1]}
    yield right | {"moves": [*right["moves"], right["moves"][-1]]}
    yield right | {"result": None}
    for key, value in right["result"].items():
        yield right | {"result": without(right["result"], key)}
        yield from (right | {"result": right["result"] | {key: other}} for other in ([*value, 1], [10**7]))
    yield right | {"ending": {"how": "played", "resigned": [0], "scores": [], "winners": []}}


def error_of(given: Any) -> tuple[str, int | None] | None:
    """Return what is wrong with a record."""
    try:
        record.load(given, bosquet.spec)
    except RecordError as error:
        return str(error), error.ply
    return None


@every_case
def test_a_record_is_written_and_read_as_in_python(name: str, options: dict[str, Any]) -> None:
    nonces = [str(SEED)] * options["players"]
    asked: list[Question] = []
    for game in (played(name, options), played(name, options, 9)):
        moves = [game.moves[number] for number, _, _ in game.numbered_plies()]
        asked.append(Question("deal", {**deal(options, nonces), "moves": moves}, turn(game, can_undo=game.can_undo)))
        if options["players"] > 1:
            asked.append(ended(game, random.Random(2)))
        asked.append(Question("record", None, game.record()))
        asked.append(Question("read", {"record": game.record()}, turn(game, can_undo=game.can_undo)))
        asked.append(Question("record", None, game.record()))
    (found,) = answers(name, [asked])
    for question, answer in zip(asked, found, strict=True):
        if question.name in ("deal", "read"):
            answer["canUndo"] = question.answer["canUndo"]
        assert answer == question.answer, question.name


@every_case
def test_what_is_wrong_with_a_record_is_said_as_in_python(name: str, options: dict[str, Any]) -> None:
    game = played(name, options)
    wrong = [*wrong_records(played(name, options, 9).record()), *wrong_results(game.record()), *wrong_moves(game)]
    (found,) = answers(name, [[Question("read", {"record": given}, None) for given in wrong]])
    for given, answer in zip(wrong, found, strict=True):
        said = (answer["message"], answer.get("ply")) if "message" in answer else None
        assert said == error_of(given), given


def frames_of(game: Game, viewpoint: Any) -> list[Any]:
    """Return the positions of a game as a server tells them, but for what a page says of chance in its own words."""
    asked = ReplayRequest(record=game.record(), viewpoint=viewpoint)
    frames: list[Any] = msgspec.to_builtins(replays.replay(asked).frames)
    for frame in frames[1:]:
        if frame["seat"] is None:
            (move,) = frame["moves"]
            frame["say"] = move["say"] = frame["say"] if viewpoint == "all" else ""
            move["kind"] = "chance"
    return frames


@every_case
def test_a_game_is_replayed_as_in_python(name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "LONGEST", 10_000)  # a page has no message that has to stay small
    asked: list[Question] = []
    for game in (played(name, options), played(name, options, 9)):
        if options["players"] > 1:
            ended(game, random.Random(2))
        asked.append(Question("read", {"record": game.record()}, None))
        for viewpoint in ("all", "spectator", options["players"] - 1):
            viewer = None if viewpoint == "spectator" else viewpoint
            asked.append(Question("frames", {"viewpoint": viewer}, frames_of(game, viewpoint)))
    asked.append(Question("frames", {"viewpoint": options["players"]}, None))
    (found,) = answers(name, [asked])
    assert found.pop()["reason"] == "argument"
    for question, answer in zip(asked, found, strict=False):
        if question.name == "frames":
            assert json.loads(answer) == question.answer, question.ask
