"""The engine of each game plays as Python does, in Node: deals, moves, texts, what may be taken back, bots.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

import bosquet
from bosquet.bots import levels
from bosquet.bots.learned import LearnedSettings, Lookahead
from bosquet.core.errors import OptionError
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.engine.weights import lookahead_weights, search_weights
from bosquet.lab import coach
from bosquet.search import Settings
from bosquet.search.learned_weights import has_weights
from tests.engine.helpers.engines import GAMES, every_engine
from tests.engine.helpers.judged import judged
from tests.engine.helpers.node import answers, assert_answered, check, module_of
from tests.engine.helpers.position_texts import texts_of
from tests.engine.helpers.questions import SECRET, Question, carried, deal, game_of, packed, told, turn, weights_for
from tests.helpers.cases import CASES, IDS, case_of_each_size

LEARNED = [name for name in GAMES if has_weights(name, {"players": 2})]
MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
every_case = pytest.mark.parametrize(
    ("name", "options"),
    [pytest.param(*CASES[i], id=IDS[i]) for i in case_of_each_size() if CASES[i][0] in GAMES],
)
SETTINGS = {
    "threads": Settings(simulations=60, threads=3),
    "numbers": Settings(simulations=30, rounds=2, exploration=0.4, temperature=50.0, scale=900.0, win_weight=0.2),
    "random": Settings(simulations=30, random_rollouts=True),
    "dropout": Settings(simulations=20, candidate_dropout=0.5),
}


def deal_of(name: str) -> Question:
    """Return the question that deals a game with the default options."""
    return Question("deal", deal({}, ["1"] * bosquet.spec(name).options["players"][0]), None)


def options_of(name: str, seed: int) -> dict[str, Any]:
    """Return any of the options that a game is tested with."""
    return random.Random(seed).choice([options for game, options in CASES if game == name])


@every_engine
def test_a_few_games(name: str) -> None:
    check(name, [game_of(name, options_of(name, seed), seed, looks=0.1, ends=0.05 * seed) for seed in range(2)])


@pytest.mark.slow
@pytest.mark.compiled
@every_case
def test_many_games(name: str, options: dict[str, Any]) -> None:
    ends = (0.0, 0.001, 0.05)
    check(name, [game_of(name, options, seed, looks=0.1, ends=ends[seed % 3]) for seed in range(3 * MORE)])


@pytest.mark.slow
@pytest.mark.compiled
@every_engine
@pytest.mark.parametrize("level", range(1, levels.COUNT + 1))
def test_a_level_makes_the_moves_that_it_makes_in_python(name: str, level: int) -> None:
    search = levels.settings(name, level)
    seeds = range(MORE)
    check(
        name, [game_of(name, options_of(name, seed), seed, search=search, searched=0.15, looks=0.0) for seed in seeds]
    )


@pytest.mark.slow
@pytest.mark.compiled
@every_engine
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_search_finds_what_it_finds_in_python(name: str, settings: str) -> None:
    search = SETTINGS[settings]
    games = [
        game_of(name, options_of(name, seed), seed, search=search, searched=0.3, looks=0.0) for seed in range(MORE)
    ]
    check(name, games, engines=search.threads)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", LEARNED)
def test_a_search_with_learned_values_makes_the_moves_of_python(name: str) -> None:
    cases = [options for game, options in CASES if game == name and has_weights(name, options)]
    search = Settings(simulations=40)
    games = [
        game_of(name, random.Random(seed).choice(cases), seed, search=search, searched=0.3, looks=0.0, learned=True)
        for seed in range(2 * MORE)
    ]
    check(name, games)


@pytest.mark.slow
@pytest.mark.compiled
def test_looking_ahead_makes_the_moves_of_python() -> None:
    options = next(options for game, options in CASES if game == "topas" and options["players"] == 1)
    player = Lookahead("topas", LearnedSettings(ahead=1))
    asked = [Question("weights", {"content": carried(lookahead_weights(bosquet.spec("topas")))}, None)]
    game = fair.deal(bosquet.spec("topas"), options, SECRET, ["1"])
    asked.append(Question("deal", deal(options, ["1"]), turn(game, can_undo=False)))
    while not game.over:
        move = player.choose(game.view(0), Rng(1))
        asked.append(Question("ahead", {"cards": 1}, move))
        game.play(move)
        asked.append(Question("play", {"move": move}, turn(game, can_undo=game.can_undo)))
    check("topas", [asked])


@pytest.mark.parametrize("name", LEARNED)
def test_wrong_weights_are_refused(name: str) -> None:
    few, many = ({"players": players} for players in (2, 3))
    right = weights_for(name, few)
    content = search_weights(bosquet.spec(name), few)
    other = next(game for game in GAMES if game != name)
    learned: dict[str, Any] = {"seed": "1", "engines": 1, "settings": {"simulations": 1, "learned": True}}
    asked = [
        *(Question("weights", {"content": carried(wrong)}, "argument") for wrong in (b"", content[:-1], content[9:])),
        Question("weights", {"content": carried(content.replace(name.encode(), other.encode(), 1))}, "game"),
        Question("deal", deal(few, ["1", "1"]), None),
        Question("bot", learned, "argument"),
        right,
        Question("bot", {**learned, "settings": {**learned["settings"], "rounds": 2}}, "argument"),
        Question("bot", learned, None),
        Question("deal", deal(many, ["1", "1", "1"]), None),
        Question("bot", learned, "argument"),
    ]
    (given,) = answers(name, [asked])
    reasons = [answer.get("reason") if isinstance(answer, dict) else None for answer in given]
    assert reasons == [question.answer for question in asked]


@every_engine
def test_what_choices_are_worth_is_what_it_is_in_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "model_with_weights", lambda game, options: None)
    script = judged(name, options_of(name, 1), 1, 0.05, 3)
    assert_answered(script, answers(name, [script])[0])


@every_engine
def test_texts_of_positions_are_read_as_in_python(name: str) -> None:
    given = texts_of(name)
    broken = ["", "/", f"/{'x' * 70}", f"/{'y' * 5000}", "/\x00", "/players=2/\u00e9", "/\ud800", "/a" * 70]
    given += [name + text for text in (*broken, "".join(f"/a{i}" for i in range(70)))]
    check(name, [[told(text) for text in given if text.split("/")[0] == name]])


@every_engine
def test_what_is_wrong_is_refused(name: str) -> None:
    dealt = deal_of(name)
    state = packed(bosquet.new(name, seed=1).state)
    asked = [
        Question("view", {"viewer": None, "assistance": "full"}, "argument"),
        Question("resume", {"state": {"bytes": state["bytes"][:-8]}, "seed": "1", "moves": []}, "argument"),
        Question("deal", dealt.ask | {"nonces": []}, "argument"),
        dealt,
        Question("end", {"how": "played", "resigned": [0]}, "argument"),
        Question("decision", {"bot": "toString"}, "argument"),
        Question("play", {"move": "no move"}, "move"),
        Question("observed", {"move": "", "viewer": None, "assistance": "full"}, "move"),
        Question("view", {"viewer": 4, "assistance": "full"}, "argument"),
        Question("undo", None, "move"),
        Question("choose", {"found": []}, "cancelled"),
        Question("deal", dealt.ask | {"secret": "a" * (3 << 20)}, "overflow"),
        Question("legal", None, "argument"),
        dealt,
        Question("resume", {"state": state, "seed": "1", "moves": ["no move"]}, "move"),
        Question("legal", None, "argument"),
    ]
    (given,) = answers(name, [asked])
    reasons = [answer.get("reason") for answer in given]
    assert reasons == [question.answer for question in asked]


@every_engine
def test_options_are_checked_with_the_errors_of_python(name: str) -> None:
    spec = bosquet.spec(name)
    last = {option: values[-1] for option, values in spec.options.items()}
    wrong = [last, {"nothing": 1}, {"s": 1}]
    for option, value in last.items():
        wrong += [{f"{option}s"[1:]: 1}, {option: f"{value}"[:-1] + "X"}, {option: 7.5}, {option: "\n" * 70}]
    asked = [Question("deal", deal(options, [None] * last["players"]), error_of(spec, options)) for options in wrong]
    (given,) = answers(name, [asked])
    assert [answer.get("message") for answer in given] == [question.answer for question in asked]


def error_of(spec: GameSpec, options: dict[str, Any]) -> str | None:
    """Return what is wrong with options."""
    try:
        check_options(spec, options)
    except OptionError as error:
        return str(error)
    return None


def test_what_was_found_for_a_move_that_was_taken_back_is_refused() -> None:
    game = fair.deal(bosquet.spec("schlossgarten"), {"players": 2}, SECRET, ["1", "1"])
    first, other = game.legal()
    asked = [
        deal_of(game.name),
        Question("play", {"move": first}, None),
        Question("tasks", {"seed": "1", "engines": 1}, None),
        Question("undo", None, None),
        Question("play", {"move": other}, None),
        Question("choose", {"found": []}, None),
    ]
    (given,) = answers(game.name, [asked])
    assert given[-1]["reason"] == "cancelled"
    assert given[-2]["plies"] == 1


@every_engine
def test_a_search_lets_other_questions_be_answered(name: str) -> None:
    ((_, order),) = answers(name, [[deal_of(name), Question("meanwhile", None, None)]])
    assert order == ["view", "cancelled", "search"]


def test_the_module_of_another_game_is_refused() -> None:
    if not GAMES:
        pytest.skip("no game has an engine")
    with pytest.raises(AssertionError, match="the engine plays"):
        answers("chess", [[]], module=module_of(GAMES[0]))
