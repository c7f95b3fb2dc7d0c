"""Plays games in Python and in the engines of the page, in Node, for as long as is wanted, and compares all answers.

    python -m tests.engine.long_run [--minutes 60] [--seed 1] [--game topas]

Each game has other options out of those of the tests, in Schlossgarten often another box, another share of moves by
`greedy`, by chance and by searches of every level or with learned values, and may end early. All viewers look at some
of its positions with every assistance, and texts that are no legal moves are tried there; in the end it is read from
its record. Some games have hints, a coach and the luck of their deal instead. The first answer that differs ends the
run, with the game and the seed that play it again; otherwise the last lines say how much was equal.
"""

from __future__ import annotations

import argparse
import random
import signal
import time
from collections import Counter
from typing import Any
from unittest import mock

import bosquet
from bosquet.bots import levels
from bosquet.core import view_texts
from bosquet.lab import coach
from bosquet.search import Settings
from bosquet.search.learned_weights import has_weights
from tests.differential.helpers.variety import another_box
from tests.engine.helpers.judged import judged
from tests.engine.helpers.node import answers, assert_answered, assert_equal, has_engine
from tests.engine.helpers.questions import Question, game_of
from tests.engine.helpers.refused import refused
from tests.helpers.cases import CASES

AT_ONCE = 8
"""Games that are compared in one process of Node."""
TEXTS = 8
"""Texts that are tried at a position."""


def options_of(name: str, seed: int) -> dict[str, Any]:
    """Return the options of a game: each of those of the tests in its turn."""
    all_options = [options for game, options in CASES if game == name]
    return all_options[seed % len(all_options)]


def played(name: str, seed: int) -> list[Question]:
    """Return a game as questions; all that it is follows from the seed."""
    rng, options = random.Random(seed), options_of(name, seed)
    learned = has_weights(name, options) and rng.random() < 0.2
    search = levels.settings(name, rng.randrange(levels.COUNT) + 1)
    if learned:
        search = Settings(simulations=rng.choice((5, 40)))
    searched, looks, ends = rng.choice((0.0, 0.02)), rng.choice((0.05, 0.2)), rng.choice((0.0, 0.0, 0.001, 0.05))
    return game_of(
        *(name, options, seed),
        search=search,
        searched=0.05 if learned else searched,
        looks=looks,
        ends=ends,
        learned=learned,
        box=box_of(name, options, rng),
        more=lambda game, rng: refused(game, rng, TEXTS),
    )


def box_of(name: str, options: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Return another box for half of the games that have one."""
    keys = bosquet.spec(name).box_keys
    if not keys or rng.random() < 0.5:
        return None
    drawn = another_box({"hands": [None] * options["players"]}, rng)
    return {key: drawn[key] for key in keys}


def compare(name: str, seed: int) -> list[Question]:
    """Compare some games; return their questions. Raises AssertionError."""
    scripts = [played(name, number) for number in range(seed, seed + AT_ONCE)]
    assert_equal(scripts, answers(name, scripts))
    if seed // AT_ONCE % 8 == 0:
        scripts.append(judged(name, options_of(name, seed), seed, 0.05, 3))
        assert_answered(scripts[-1], answers(name, scripts[-1:])[0])
    return [question for script in scripts for question in script]


class Stopped(Exception):  # noqa: N818  (it is no error)
    """Somebody wants the run to end."""


def stop(*_: object) -> None:
    """End the run."""
    raise Stopped


def main() -> None:
    """Compare until the time is over, or until SIGTERM; print how many games and answers were equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    given = parser.parse_args()
    names = [name for name in given.game or bosquet.GAMES if has_engine(name)]
    mock.patch.object(coach, "model_with_weights", return_value=None).start()  # engines that judge have no weights
    for name in names:
        view_texts.load(bosquet.spec(name))
    games: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    end, seed = time.monotonic() + 60 * given.minutes, given.seed
    signal.signal(signal.SIGTERM, stop)
    try:
        while time.monotonic() < end:
            for name in names:
                try:
                    found = compare(name, seed)
                except AssertionError as error:
                    parser.exit(1, f"{name}, one of the seeds from {seed} on: {error}\n")
                games[name] += AT_ONCE
                equal.update(question.name for question in found if question.answer is not None)
            seed += AT_ONCE
    except Stopped:
        print("stopped before the time was over")
    print(f"games: {', '.join(f'{name} {count:,}' for name, count in games.items())}; seeds {given.seed} to {seed - 1}")
    print(f"equal answers: {', '.join(f'{name} {count:,}' for name, count in equal.most_common())}")


if __name__ == "__main__":
    main()
