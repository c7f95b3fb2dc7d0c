"""The engines of games, run by Node, beside the same kernels in Python: everything equal.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from bosquet.core import installed
from bosquet.core.assistance import AIDS, FULL, NONE, PLAIN
from bosquet.core.errors import OptionError
from bosquet.core.rng import Rng, seed_rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view_texts import StateTexts, written_sheet
from bosquet.kernels.bits import members
from bosquet.search import Search, Settings
from bosquet.search.from_states import StateSearch
from tests.engine.helpers.node_engine import NodeEngine

GAMES = installed.OURS
MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))


@pytest.fixture(scope="module", params=GAMES)
def engine(request: pytest.FixtureRequest) -> Iterator[NodeEngine]:
    with NodeEngine(request.param) as found:
        yield found


def drawn_state(spec: GameSpec, rng: random.Random) -> Any:
    """Return a state with random options, not yet dealt."""
    while True:
        try:
            return spec.new_state(check_options(spec, {name: rng.choice(each) for name, each in spec.options.items()}))
        except OptionError:
            continue


def begin(engine: NodeEngine, rng: random.Random, *seed: object) -> Any:
    """Deal a game with random options in both; return the state."""
    state, words = drawn_state(engine.spec, rng), seed_rng(*seed)
    engine.load(state)
    engine.seed(words)
    engine.spec.rules.deal(state, words)
    assert engine.call("deal") == state.seat
    assert engine.rng_state == words
    engine.call("forget_plans")
    return state


def advance(engine: NodeEngine, state: Any, move: int, action: int, *seed: object) -> None:
    """Make a move in both, and the chance event that is then due."""
    rules = engine.spec.rules
    rules.play(state, action)
    assert engine.call("make", move) == state.seat
    if state.seat == CHANCE:
        words = seed_rng(*seed)
        engine.seed(words)
        rules.sample_chance(state, words)
        assert engine.call("make_chance") == state.seat


def text(engine: NodeEngine, name: str, *given: int) -> bytes:
    """Return the text that a function writes."""
    return engine.text(engine.call(name, *given))


def compare_games(engine: NodeEngine, games: int, looked_at: float) -> None:
    """Play games at random; compare all, and in a share of the states every view and move."""
    rng, rules = random.Random(engine.spec.name), engine.spec.rules
    actions = [0] * rules.MAX_MOVES
    for game in range(games):
        state = begin(engine, rng, game)
        plies, entries = [], []
        while state.seat != NOBODY:
            n = rules.legal(state, actions)
            assert engine.call("moves_of") == n
            move = rng.randrange(n)
            assert engine.call("action_of", move) == actions[move]
            assert engine.call("index_of", actions[move]) == move
            if rng.random() < looked_at:
                compare_views(engine, state, move, actions[move])
            entries += msgspec.json.decode(text(engine, "entries", move))
            plies.append((state.copy(), actions[move]))
            advance(engine, state, move, actions[move], game, len(plies))
        assert engine.state() == state
        compare_views(engine, state, None, 0)
        points = [0] * 4
        rules.scores(state, points)
        assert [engine.call("points_of", seat) for seat in range(state.players)] == points[: state.players]
        assert list(members(engine.call("winning_seats"))) == list(members(rules.winners(state)))
        entries += msgspec.json.decode(text(engine, "entries", -1))
        sheet = {"game": engine.spec.name, "entries": entries, **msgspec.json.decode(text(engine, "totals"))}
        assert sheet == msgspec.json.decode(written_sheet(engine.spec, state, plies))


def compare_views(engine: NodeEngine, state: Any, move: int | None, action: int) -> None:
    """Compare what every viewer sees of a state, and of a move about to be made."""
    texts = StateTexts(engine.spec, state)
    for viewer in (None, *range(state.players)):
        number = -1 if viewer is None else viewer
        for assistance in (NONE, AIDS, PLAIN, FULL):
            if viewer == state.seat or assistance <= AIDS:
                assert text(engine, "view", number, assistance) == texts.view(viewer, assistance)
        if move is not None:
            assert text(engine, "observed", move, number, FULL) == texts.move(action, viewer)


def compare_searches(engine: NodeEngine, games: int, searched: float, simulations: int) -> None:
    """Play games in which a share of the moves is searched for; compare candidates, plans, moves and generators."""
    rng, rules = random.Random(simulations), engine.spec.rules
    actions = [0] * rules.MAX_MOVES
    for game in range(games):
        state = begin(engine, rng, "search", game)
        dropout = rng.choice((0.0, 0.0, 0.3))
        settings = Settings(simulations=simulations, candidate_dropout=dropout)
        seats = [StateSearch(engine.spec.name, Search(settings)) for _ in range(state.players)]
        made = 0
        while state.seat != NOBODY:
            n = rules.legal(state, actions)
            if rng.random() < searched:
                chance, bot = Rng(game, made), seats[state.seat]
                engine.seed(chance.state)
                move = searched_move(engine, settings)
                assert actions[move] == bot.choose(state, chance)
                assert engine.rng_state == chance.state
            else:
                move = rng.randrange(n)
            made += 1
            advance(engine, state, move, actions[move], game, made)


def searched_move(engine: NodeEngine, settings: Settings) -> int:
    """Return the move that the engine finds."""
    if (known := engine.call("known_move")) >= 0:
        return known
    engine.call("read_settings")
    engine.write("candidate_dropout", np.array([round(1000 * settings.candidate_dropout)], "i4").tobytes())
    n = engine.call("start_search", 0, 1)
    if n == 0:
        engine.call("run_simulations", settings.simulations)
        n = engine.call("gather")
    engine.call("rank", n)
    return engine.call("choose", 0)


@functools.cache
def position(game: str) -> Any:
    """Return the beginning of a game of two."""
    spec = installed.spec(game)
    state = spec.new_state(check_options(spec, {"players": 2}))
    spec.rules.deal(state, seed_rng("position"))
    return state


def test_a_new_game_has_the_options_that_are_set(engine: NodeEngine) -> None:
    rng = random.Random(1)
    for _ in range(10):
        chosen = {name: rng.choice(values) for name, values in engine.spec.options.items()}
        try:
            state = engine.spec.new_state(check_options(engine.spec, chosen))
        except OptionError:
            continue
        engine.call("new_game")
        for option, (name, values) in enumerate(engine.spec.options.items()):
            engine.call("set_option", option, values.index(chosen[name]))
        assert engine.state() == state


def test_random_games_are_those_of_python(engine: NodeEngine) -> None:
    compare_games(engine, games=1, looked_at=0.1)


@pytest.mark.slow
@pytest.mark.compiled
def test_searches_choose_the_moves_of_python(engine: NodeEngine) -> None:
    compare_searches(engine, games=1, searched=0.15, simulations=4)


@pytest.mark.slow
@pytest.mark.compiled
def test_many_random_games_are_those_of_python(engine: NodeEngine) -> None:
    compare_games(engine, games=6 * MORE, looked_at=0.05)


@pytest.mark.slow
@pytest.mark.compiled
def test_many_searches_choose_the_moves_of_python(engine: NodeEngine) -> None:
    compare_searches(engine, games=MORE, searched=0.15, simulations=50)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("threads", [1, 3])
def test_several_engines_find_what_threads_find(engine: NodeEngine, threads: int) -> None:
    state, rng = position(engine.spec.name), Rng("threads")
    search = Search(Settings(simulations=5 * threads, threads=threads))
    found = search.search_from(engine.spec.name, engine.spec.determinize(state, state.seat, rng), rng)
    gathered = []
    for number in range(threads):
        engine.load(state)
        engine.seed(Rng("threads").state)
        engine.call("read_settings")
        assert engine.call("start_search", number, threads) == 0
        engine.call("run_simulations", 5)
        n = engine.call("gather")
        gathered.append((n, [engine.raw(part) for part in ("candidates", "visits", "values", "wins", "gains")]))
    assert engine.rng_state == rng.state
    n = 0
    for added, parts in gathered:
        for part, content in zip(("candidates", "visits", "values", "wins", "gains"), parts, strict=True):
            engine.write(f"added_{part}", content)
        n = engine.call("add_results", n, added)
    rows = engine.rows(engine.call("rank", n))
    expected = [(one.candidate, one.visits, one.value, one.win, one.points) for one in found.candidates]
    assert [(*row[:4], row[4]) for row in rows] == expected


@pytest.mark.parametrize("game", GAMES)
def test_greedy_makes_the_moves_of_python(game: str) -> None:
    with NodeEngine(game) as engine:
        rng, rules = random.Random(5), engine.spec.rules
        actions, kept = [0] * rules.MAX_MOVES, [0] * rules.MAX_MOVES
        state = begin(engine, rng, "greedy")
        greedy = engine.spec.greedy_action
        assert greedy is not None
        made = 0
        while state.seat != NOBODY:
            words = seed_rng("greedy", made)
            engine.seed(words)
            move = engine.call("greedy")
            rules.legal(state, actions)
            action = actions[move]
            assert action == greedy(state.copy(), words, kept)
            made += 1
            advance(engine, state, move, action, "greedy", made)
