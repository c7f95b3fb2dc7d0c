"""The search with learned values: equal everywhere, from what may be known, with weights that come along."""

from __future__ import annotations

import itertools
import json
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet import bots
from bosquet.bots.learned import LearnedSettings, named, player_for
from bosquet.core.assistance import AIDS
from bosquet.core.errors import OptionError
from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.core.view_texts import StateTexts
from bosquet.lab.compiled_play import plays
from bosquet.search import Search, Settings, Task, learned_model, learned_weights, tree
from bosquet.search.worker import Worker
from tests.helpers.cases import walk
from tests.helpers.rows import each_row
from tests.search.helpers.trees import tallies

GAMES: list[tuple[str, dict[str, Any]]] = [
    (name, options)
    for name in bosquet.GAMES
    if (model := learned_model.learned_model(name)) is not None
    for players in (2, 3, 4)
    for options in ({"players": players}, *({"players": players, variant: True} for variant in model.VARIANTS))
    if learned_weights.has_weights(name, options)
]
STEPS = {"topiary": 17, "topas": 5}
"""Of the positions of a game, one in this number is looked at."""

every_learned_game = pytest.mark.parametrize(
    ("name", "options"), GAMES, ids=["-".join([name, *map(str, options.values())]) for name, options in GAMES]
)


def test_there_are_games_with_weights() -> None:
    assert GAMES
    assert len(learned_weights.phrases()) == len({name for name, _ in GAMES})


@every_learned_game
def test_weights_are_small_and_of_the_right_kind(name: str, options: dict[str, Any]) -> None:
    folder = files(spec(name).package)
    model = learned_model.required_model(name)
    stem = learned_weights.weights_name(model, options)
    assert len((folder / f"{stem}.npz").read_bytes()) <= 1 << 20
    card = json.loads((folder / f"{stem}.json").read_text())
    assert card["game"] == name
    assert card["options"].items() >= options.items()
    weights = learned_weights.required_weights(name, options)
    fields = model.Workspace.fields
    assert set(weights) == {"first", "first_bias", "second", "second_bias", "spread"}
    for key, array in weights.items():
        assert array.dtype == np.dtype(fields[key].code)
        assert array.size == fields[key].length


def searched(game: Game, *, jit: bool) -> list[tuple[int, int, float]]:
    assert game.seat is not None
    worker = Worker(game.name, learned=True, jit=jit)
    worker.begin(Settings(simulations=12), Task(game.state, game.seat), Rng("search"))
    worker.run(12, 0.0)
    return tallies(worker)


@pytest.mark.slow
@pytest.mark.compiled
@every_learned_game
def test_the_compiled_search_is_the_plain_one(name: str, options: dict[str, Any]) -> None:
    compared = 0
    for game in itertools.islice(walk(name, options, 5), 2, None, STEPS[name]):
        if game.seat is not None:
            compiled, plain = (searched(game, jit=jit) for jit in (True, False))
            assert compiled == plain
            compared += 1
    assert compared >= 2


@every_learned_game
def test_what_is_hidden_plays_no_part(name: str, options: dict[str, Any]) -> None:
    """Two states that look alike to the seat to move get the same move."""
    settings = Settings(simulations=6)
    compared = 0
    for game in itertools.islice(walk(name, options, 6), 1, None, STEPS[name]):
        if game.seat is None:
            continue
        view = game.view(game.seat)
        states = [game.spec.view.determinize(view, Rng(seed)) for seed in range(3)]
        assert len({state.pack().tobytes() for state in states}) > 1
        again = [StateTexts(game.spec, state).typed_view(game.seat, AIDS) for state in states]
        chosen = {player_for(name, options, settings, jit=False).choose(seen, Rng(1)) for seen in [view, *again]}
        assert len(chosen) == 1
        compared += 1
    assert compared >= 2


@every_learned_game
def test_it_plays_a_whole_game(name: str, options: dict[str, Any]) -> None:
    game, rng = bosquet.new(name, seed=3, **options), Rng(1)
    seats = [bots.make(bot) for bot in ("learned:2", "random", "learned:3:candidate_dropout=0.5", "random")]
    while not game.over:
        assert game.seat is not None
        game.play(seats[game.seat].choose(game.view(game.seat), rng))
    assert game.scores[0] > game.scores[1]


@every_learned_game
def test_values_are_chances_and_points(name: str, options: dict[str, Any]) -> None:
    """Where it evaluates, chances add up to 1, and points come near to those at the end."""
    worker = Worker(name, learned=True, jit=False)
    last: Any = None
    for game in walk(name, options, 7):
        if game.seat is not None and worker.model.may_evaluate(game.state):
            worker.begin(Settings(simulations=1), Task(game.state, game.seat), Rng(1))
            points = [0] * 4
            assert worker.model.evaluate(game.state, points, worker.workspaces[0]) > 0
            last = points
            worker.run(1, 0.0)
            assert sum(worker.tree.win_share[: options["players"]]) == pytest.approx(1)
    near = 15_000 if options.get("expert") else 3000  # the last placement of this game is a random one
    assert all(abs(100 * score - found) < near for score, found in zip(game.scores, last, strict=False))


def test_settings_are_in_the_name() -> None:
    bot = bots.player_for("learned:400:threads=2", "topiary", {"players": 2})
    assert isinstance(bot, Search)
    assert bot.learned
    assert bot.settings == Settings(simulations=400, threads=2)
    assert not bots.reads_moves("learned:400", "topas")
    assert not plays("topiary", ["learned:400"])


@each_row(
    "name", ["learned:100:rounds=1", "learned:100:random_rollouts=true", "learned:100:rounds=2:random_rollouts=true"]
)
def test_settings_of_rollouts_are_refused(name: str) -> None:
    with pytest.raises(
        OptionError, match=r"is no bot: a search with learned values has no rollouts; leave out r"
    ) as raised:
        bots.make(name)
    assert not {"rounds", "random_rollouts"} & set(str(raised.value).partition("it takes ")[2].replace(",", "").split())
    with pytest.raises(OptionError, match="has no rollouts; leave out rounds and random_rollouts"):
        Search(Settings(rounds=1, random_rollouts=True), learned=True)


OTHERS = ("seconds=0.01", "seconds=0.01:stop_early=true", "threads=2", "exploration=2", "temperature=50", "scale=100")
SETTINGS = [*OTHERS, "win_weight=1", "rounds=0", "random_rollouts=false", "candidate_dropout=0.5"]


@every_learned_game
def test_with_every_setting_only_positions_with_a_network_are_evaluated(name: str, options: dict[str, Any]) -> None:
    """In other positions of a turn, as in Topiary after a line, the inputs of the network mean something else."""
    assert {setting.partition("=")[0] for setting in SETTINGS} | {"simulations", "stop_early"} == {
        *Settings.__struct_fields__
    }
    games = itertools.islice(walk(name, options, 8), 1, None, STEPS[name])
    positions = [game.state for game in games if game.seat is not None]
    worker = Worker(name, learned=True, jit=False)
    for number, setting in enumerate(SETTINGS):
        settings = named(f"learned:20:{setting}").settings
        assert isinstance(settings, Settings)
        for state in positions[number % 3 :: 3]:
            worker.begin(settings, Task(state, state.seat), Rng(1))
            for _ in range(8):
                worker.run(1, 0.0)
                leaf = worker.states[tree.WORK]
                assert leaf.seat == NOBODY or worker.model.may_evaluate(leaf)


@each_row("name", ["learned:0", "learned:x", "learned:400:ahead=2", "learned:400:", "learned:400:threads=0"])
def test_other_settings_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match=r"is no bot: .*; it takes simulations, seconds"):
        bots.make(name)


@each_row(
    ("name", "options", "settings", "message"),
    [
        ("topiary", {"players": 2}, LearnedSettings(), "searches in this game; name it learned or learned:SIMULATIONS"),
        ("topas", {"players": 1}, Settings(), "does not search; name it learned or learned:ahead=2"),
        ("topas", {"players": 3}, None, "no weights for this game; it plays topas with one player"),
    ],
)
def test_the_other_kind_of_learned_player_is_refused(
    name: str, options: dict[str, int], settings: Any, message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        player_for(name, bosquet.new(name, seed=1, **options).options, settings)


def test_a_game_without_learned_values_is_refused() -> None:
    with pytest.raises(OptionError, match="there are no learned values for the search in topas_tiny"):
        Search(Settings(simulations=1), learned=True).choose(bosquet.new("topas_tiny", seed=1).view(0), Rng(1))


@each_row(("name", "players"), [("topas", 3), ("schlossgarten", 2)])
def test_other_players_than_there_are_weights_for_are_refused(name: str, players: int) -> None:
    with pytest.raises(OptionError, match=f"there are no learned weights for {name} with {players} players"):
        Search(Settings(simulations=1), learned=True).choose(bosquet.new(name, seed=1, players=players).view(0), Rng(1))


def test_a_worker_takes_the_weights_of_the_variant() -> None:
    """One that played the variant plays the standard game as a new one does."""
    worker = Worker("topas", learned=True, jit=False)
    found = []
    for expert in (False, True, False):
        state = bosquet.new("topas", seed=1, players=2, expert=expert).state
        worker.begin(Settings(simulations=1), Task(state, state.seat), Rng(1))
        found.append(list(worker.workspaces[0].first))
    assert found[0] == found[2] != found[1]
