"""Every game with its options, and ways to reach positions in them."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.core.errors import OptionError
from bosquet.core.game import Game
from bosquet.core.spec import check_options


def cases_of(name: str) -> Iterator[dict[str, Any]]:
    """Options of a game: every combination of those that all records have, and everything at another value.

    That is the second value; with three players the third, where there is one.
    """
    spec = bosquet.spec(name)
    later = spec.optional_in_records
    values = [values[:1] if option in later else values for option, values in spec.options.items()]
    yield from (dict(zip(spec.options, combination, strict=True)) for combination in itertools.product(*values))
    for players in spec.options["players"] if later else ():
        at = 2 if players == 3 else 1
        others = {option: values[min(at, len(values) - 1)] for option, values in spec.options.items()}
        others["players"] = players
        with contextlib.suppress(OptionError):
            yield check_options(spec, others)


CASES: list[tuple[str, dict[str, Any]]] = [(name, options) for name in bosquet.GAMES for options in cases_of(name)]
NEVER_TAKEN_BACK = {"topas", "matches", "tide", "toll"}
"""Games in which every move ends the turn or shows somebody a card."""
IDS = [
    "-".join([name, *(f"{key}={value}" for key, value in bosquet.spec(name).options_in_records(options).items())])
    for name, options in CASES
]


def is_dealt_by_chance(name: str, options: dict[str, Any]) -> bool:
    """Whether the deal draws anything."""
    spec, rng = bosquet.spec(name), bosquet.Rng(1)
    before = list(rng.state)
    spec.rules.deal(spec.new_state(options), rng.state)
    return rng.state != before


def case_of_each_size() -> list[int]:
    """One case for each number of players of each game: with the first options where it is 2, else the last.

    Every value of an option that all records have is among them.
    """
    sizes: dict[tuple[str, int], list[int]] = {}
    for case, (name, options) in enumerate(CASES):
        sizes.setdefault((name, options["players"]), []).append(case)
    return [cases[0 if players == 2 else -1] for (_, players), cases in sizes.items()]


QUICK = [case for case in case_of_each_size() if CASES[case][1]["players"] == 3]
"""The cases of the quick run: one of each game."""


def parameters(cases: Iterable[int], quick: Sequence[int] = QUICK, marks: Sequence[Any] = ()) -> list[Any]:
    """Cases as the parameters `name` and `options` of a test, all but the quick ones marked `slow`."""
    slow = [*marks, pytest.mark.slow]
    return [pytest.param(*CASES[case], id=IDS[case], marks=marks if case in quick else slow) for case in cases]


every_game = pytest.mark.parametrize(("name", "options"), parameters(range(len(CASES))))
"""Every game with all of its options: for what depends on the rules."""
every_game_briefly = pytest.mark.parametrize(("name", "options"), parameters(range(len(CASES)), QUICK[:1]))
"""The same for what takes long; the quick run takes one game."""
every_game_compiled = pytest.mark.parametrize(
    ("name", "options"), parameters(range(len(CASES)), QUICK[:1], [pytest.mark.compiled])
)
"""The same for what needs the compiler; the quick run compiles one game."""
every_size = pytest.mark.parametrize(("name", "options"), parameters(case_of_each_size()))
"""Every game with every number of players: for what treats all options alike, and for what is slow."""
every_size_compiled = pytest.mark.parametrize(
    ("name", "options"), parameters(case_of_each_size(), QUICK[:1], [pytest.mark.compiled])
)
"""The same for what needs the compiler; the quick run compiles one game."""
every_size_briefly = pytest.mark.parametrize(("name", "options"), parameters(case_of_each_size(), QUICK[:1]))
"""The same for what treats all games alike, too; the quick run takes one game."""


def walk(name: str, options: dict[str, Any], seed: int, plies: int = 10**6) -> Iterator[Game]:
    """One game, before its first move and after each; random moves among greedy ones, so that all of it is met."""
    game = bosquet.new(name, seed=seed, **options)
    python_rng = random.Random(seed)
    stray = python_rng.choice((0.05, 0.3, 1.0))
    if name == "schlossgarten":
        stray = min(stray, 0.3)  # random play hardly ever makes a figure stand
    seats = [bots.make("greedy") for _ in range(game.players)]
    rng = bosquet.Rng(seed, "walk")
    yield game
    while not game.over and len(game.moves) < plies:
        assert game.seat is not None
        move = python_rng.choice(game.legal()) if python_rng.random() < stray else ""
        game.play(move or bots.choose(seats[game.seat], game, rng))
        yield game


def says_points(name: str) -> bool:
    """Whether moves of a game say what they come to; otherwise they are their notation only."""
    spec = bosquet.spec(name)
    if not spec.writes_views:
        return hasattr(spec.view, "move_data")
    game = bosquet.new(name, seed=1)
    return b'"points"' in game.view_json(game.seat)


def actions_of(game: Game) -> list[int]:
    """The legal actions, as the rules list them; none where chance is due or the game is over."""
    actions = [0] * game.spec.rules.MAX_MOVES
    n = game.spec.rules.legal(game.state, actions) if game.seat is not None else 0
    return actions[:n]


def reach(name: str, options: dict[str, Any], seed: int, plies: int) -> Game:
    """A position after this number of plies, or the end of the game."""
    *_, game = walk(name, options, seed, plies)
    return game
