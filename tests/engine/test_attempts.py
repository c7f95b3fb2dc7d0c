"""What can be tried where legal moves are not shown, and why a move is illegal: an engine says what Python says."""

from __future__ import annotations

import random
from typing import Any

import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.core.records import fair
from bosquet.core.text.writing import ROOM
from bosquet.core.view import plain_move, to_json
from tests.engine.helpers.engines import every_case_of
from tests.engine.helpers.node import answers, assert_answered
from tests.engine.helpers.questions import SECRET, Question, deal, turn
from tests.engine.helpers.refused import refusal, refused

every_case = every_case_of(lambda name: bosquet.spec(name).module("attempts") is not None)


def attempts_of(game: Game) -> list[int]:
    """Return the actions that can be tried."""
    module: Any = game.spec.module("attempts")
    moves = [0] * module.MAX_ATTEMPTS
    return moves[: module.attempts(game.state, moves)]


@every_case
def test_what_can_be_tried_and_why_it_is_illegal(name: str, options: dict[str, Any]) -> None:
    spec, rng = bosquet.spec(name), random.Random(7)
    nonces = ["1"] * options["players"]
    game = fair.deal(spec, options, SECRET, nonces)
    asked = [Question("deal", deal(options, nonces), turn(game, can_undo=False))]
    tried, keys = 0, set[str]()
    while not game.over:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
            continue
        actions = attempts_of(game)
        assert len(set(actions)) == len(actions)
        said = [spec.notation.to_notation(game.state, action) for action in actions]
        assert set(game.legal()) <= set(said)
        if rng.random() < 0.1 or len(game.moves) < 4:
            shown = [plain_move(game.observed_action(action, game.seat)) for action in actions]
            asked.append(Question("attempts", None, f"[{','.join(to_json(one).decode() for one in shown)}]"))
        some = rng.sample(said, min(3, len(said)))
        for move, why in [(move, refusal(game, move)) for move in some]:
            if why is not None:
                asked.append(Question("play", {"move": move}, why))
                keys.add(why["why"]["key"])
                tried += 1
        move = rng.choice(game.legal())
        game.play(move)
        asked.append(Question("play", {"move": move}, None))
    (found,) = answers(name, [asked])
    for question, answer in zip(asked, found, strict=True):
        assert question.answer in (None, answer), question
    assert tried > 5
    assert len(keys) > 1


@every_case
def test_any_text_is_refused_as_in_python(name: str, options: dict[str, Any]) -> None:
    spec, rng = bosquet.spec(name), random.Random(11)
    nonces = ["1"] * options["players"]
    game = fair.deal(spec, options, SECRET, nonces)
    asked, keys = [Question("deal", deal(options, nonces), turn(game, can_undo=False))], set[str]()
    while not game.over:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
            continue
        if len(game.moves) < 30 or len(game.moves) % 3 == 0:
            asked += refused(game, rng, 12)
            keys |= {question.answer["why"]["key"] for question in asked[-12:] if "why" in (question.answer or {})}
        game.play(rng.choice(game.legal()))
        asked.append(Question("play", {"move": game.moves[-1]}, None))
    (found,) = answers(name, [asked])
    assert_answered(asked, found)
    assert len(keys) > 3
    assert "no_move" in keys


@pytest.mark.parametrize("name", ["topiary", "topas", "schlossgarten"])
def test_a_long_text_is_no_move(name: str) -> None:
    game = fair.deal(bosquet.spec(name), {}, SECRET, ["1", "1"])
    long = ["x" * (3 << 20), "keep " + "T1 " * (1 << 20), "K" * ROOM, "é" * ROOM]
    asked = [Question("deal", deal({}, ["1", "1"]), None)]
    asked += [Question("play", {"move": text}, refusal(game, text)) for text in long]
    assert_answered(asked, answers(name, [asked])[0])


def test_illegal_moves_of_a_record_have_their_reason_and_place() -> None:
    game = fair.deal(bosquet.spec("topas"), {}, SECRET, ["1", "1"])
    game.play(game.legal()[0])
    (far,) = [f"{game.legal()[0].split('@')[0]}@30,0N"]
    record = game.record()
    (found,) = answers("topas", [[Question("read", {"record": record | {"moves": [*record["moves"], far]}}, None)]])
    assert found[0]["ply"] == 1
    assert found[0]["message"].startswith(f'ply 1: "{far}": a card there does not touch the table; legal: ')


def test_attempts_end_with_the_game() -> None:
    options = {"players": 2}
    game = fair.deal(bosquet.spec("topas"), options, SECRET, ["1", "1"])
    over = {"how": "agreed", "resigned": []}
    asked = [Question("deal", deal(options, ["1", "1"]), turn(game, can_undo=False)), Question("end", over, None)]
    (found,) = answers("topas", [[*asked, Question("attempts", None, "[]")]])
    assert found[-1] == "[]"
