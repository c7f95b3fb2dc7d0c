"""Games with the real box are counted by the engine of each game as in Python, with the same errors."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import ValidationError

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.core.game import Game
from bosquet.core.real_game_scoring import count
from bosquet.core.records import fair
from tests.engine.helpers.node import check
from tests.engine.helpers.questions import SECRET, Question, deal, texts, turn
from tests.helpers.cases import reach, walk
from tests.helpers.real_games import real_game_decoder, real_game_of

NAMES = ["topiary", "topas", "schlossgarten"]
STRANGE: tuple[Any, ...] = (None, True, -1, 3, 2.5, "", "x", "it's", "\n\u200b\\" * 40, [], {}, [1], {"seat": 0})


def counted(real: Any) -> Question:
    """Return the question that counts a real game, with what Python says."""
    try:
        found = count(real_game_decoder().decode(msgspec.json.encode(real)))
    except (BosquetError, ValidationError) as error:
        return Question("count", {"real": real}, {"reason": "record", "message": str(error)})
    return Question("count", {"real": real}, msgspec.to_builtins(found))


def real_games(name: str, games: int, plies: int) -> Iterator[dict[str, Any]]:
    """Yield what lies on the table in the course of random games."""
    rng = random.Random(name)
    for seed in range(games):
        players = bosquet.spec(name).options["players"]
        options = {"players": players[seed % len(players)]}
        if name == "topas":
            options["expert"] = bool(seed % 2)
        at = set(rng.sample(range(plies), 4))
        for ply, game in enumerate(walk(name, options, seed)):
            if not game.over and ply not in at:
                continue
            if name != "topiary" or game.over or game.view(None).phase == "line":
                yield real_game_of(game)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list and object in a value, with each of its keys."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def changed(real: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a real game with something that may not be so."""
    found = copy.deepcopy(real)
    for _ in range(rng.choice((1, 1, 1, 2))):
        inside, key = rng.choice(list(places(found)))
        kind = rng.randrange(5)
        if kind == 0:
            inside[key] = copy.deepcopy(rng.choice(STRANGE))
        elif kind == 1 and isinstance(inside, dict):
            inside[rng.choice(("extra", "card", "overbuild", "a1", "d4"))] = inside.pop(key)
        elif kind == 2 and isinstance(inside, list):
            inside += rng.choices(inside, k=rng.choice((1, 2, 40)))
        elif kind == 3 and isinstance(inside, list):
            rng.shuffle(inside)
        else:
            alike = [box[at] for box, at in places(found) if type(box[at]) is type(inside[key])]
            inside[key] = copy.deepcopy(rng.choice(alike))
    return found


def asked_of(name: str, games: int, changes: int) -> list[Question]:
    """Return the questions that count real games, and what is none."""
    rng = random.Random(7)
    asked = [counted(value) for value in (*STRANGE, {"game": 1}, {"game": "chess"})]
    for real in real_games(name, games, {"topiary": 80, "topas": 28, "schlossgarten": 300}[name]):
        asked.append(counted(real))
        asked += [counted(changed(real, rng)) for _ in range(changes)]
        if name == "topas":
            asked += [counted(real | {"card": card}) for card in ("B1G2", "R3Y1", "X", None)]
    return asked


@pytest.mark.parametrize("name", NAMES)
def test_real_games_are_counted_and_refused_as_in_python(name: str) -> None:
    asked = asked_of(name, 4, 20)
    refused = {question.answer["message"] for question in asked if "message" in question.answer}
    assert len(refused) > 20
    assert sum("sheet" in question.answer for question in asked) > 20
    check(name, [asked])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_real_games(name: str) -> None:
    check(name, [asked_of(name, 60, 40)])


@pytest.mark.parametrize("name", NAMES)
def test_counting_leaves_the_game_as_it_is(name: str) -> None:
    options = {"players": 2}
    game: Game = fair.deal(bosquet.spec(name), options, SECRET, ["1", "1"])
    real = real_game_of(reach(name, {"players": 2}, 1, 10**6))
    asked = [Question("deal", deal(options, ["1", "1"]), turn(game, can_undo=False)), counted(real), *texts(game)]
    check(name, [asked])
