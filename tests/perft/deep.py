"""Deeper counts, from the middle of games in which much has happened. Made by `python -m tests.perft.deep`.

The positions are kept as records, one a line, so that neither bots nor chance have a part in the counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import bosquet
from bosquet.core.game import Game
from bosquet.core.spec import GameSpec
from bosquet.games.schlossgarten.rules import legal, play
from bosquet.kernels.jit import available, bind, kernel
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import CASES
from tests.perft import count, count_plain, plain_position, shown

POSITIONS = Path(__file__).with_name("positions.jsonl")
TABLE = Path(__file__).with_name("deep.txt")
HEADER = """\
# How many sequences of legal moves there are from the positions in positions.jsonl, by their length. A sequence does
# not go on where the game is over or a chance event is due.
# number of the position | game | options | depth | count | how it was found
# `oracle`: by the plain oracle, by the rules in plain Python and by the compiled rules; `compiled`: by these alone.
# Made by `python -m tests.perft.deep`.
"""
ORACLE_LIMIT, LIMIT = 1_500, 60_000
"""Counts are taken where the sequences one shorter are fewer: by the oracle and in plain Python, and compiled."""

WANTED: dict[str, list[Callable[[Any], Any]]] = {
    "topiary": [lambda view: len(view.visitors) == 7, lambda view: len(view.visitors) == 14 and view.phase == "put"],
    "topas": [lambda view: len(view.table) == 5, lambda view: len(view.table) == 8 or view.turns_left == 5],
    "schlossgarten": [
        lambda view: len(view.elements) >= 6 and view.phase == "card",
        lambda view: len(view.elements) >= 6 and view.phase == "work" and len(view.excavations) >= 1,
        lambda view: len(view.elements) >= 4 and view.steps_left == 1,
        lambda view: view.elements and view.pile <= (12 if view.players == 2 else 1) and view.steps_left == 2,
    ],
}
"""Which positions are kept of a game: the first that is so."""


class Row(NamedTuple):
    """One line of the table."""

    position: int
    name: str
    options: str
    depth: int
    sequences: int
    found: str


@kernel
def count_in_place(states: Any, moves: Any, todo: Any, depth: int) -> int:
    """The sequences of a length from `states[0]`; a state, a row of moves and a number for each ply of room."""
    total = 0
    ply = 0
    n = legal(states[0], moves[0])
    todo[0] = n
    if depth == 1:
        return n
    while ply >= 0:
        if todo[ply] == 0:
            ply -= 1
        else:
            todo[ply] -= 1
            states[ply + 1] = states[ply]
            play(states[ply + 1], moves[ply][todo[ply]])
            n = 0
            if states[ply + 1].seat >= 0:
                n = legal(states[ply + 1], moves[ply + 1])
            if ply + 2 == depth:
                total += n
            else:
                ply += 1
                todo[ply] = n
    return total


def compiled_count(spec: GameSpec) -> Callable[[Any, int], int]:
    """Count from a state by compiled rules."""
    counter = bind(count_in_place, {"legal": spec.rules.legal, "play": spec.rules.play})

    def count_from(state: Any, depth: int) -> int:
        states = np.zeros(depth, spec.rules.State.dtype)
        states[0] = state.pack()[0]
        return int(counter(states, np.zeros((depth, spec.rules.MAX_MOVES), np.int32), np.zeros(depth, np.int64), depth))

    return count_from


def read_positions() -> list[dict[str, Any]]:
    """The positions as they are kept, as records."""
    return [msgspec.json.decode(line) for line in POSITIONS.read_bytes().splitlines()]


def read_table(name: str) -> list[Row]:
    """The rows of one game."""
    lines = [line.split(" | ") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    return [Row(int(p[0]), p[1], p[2], int(p[3]), int(p[4]), p[5]) for p in lines if p[1] == name]


def chosen_positions() -> Iterator[Game]:
    """New positions for the file."""
    for name, options in CASES:
        for wanted in WANTED.get(name, []):
            for seed in range(1, 200):
                met = next(
                    (g for g in every_ply(name, options, 3 * seed + 1) if g.seat is not None and _is(g, wanted)), None
                )
                if met is not None:
                    yield met
                    break
            else:
                raise LookupError(f"no game of {name} {options} came to the position")


def _is(game: Game, wanted: Callable[[Any], Any]) -> bool:
    return bool(wanted(game.view(None)))


def rows(records: list[dict[str, Any]]) -> Iterator[Row]:
    """The whole table, counted anew; raises AssertionError where two counts differ."""
    counters = {name: compiled_count(bosquet.spec(name)) for name in bosquet.GAMES}
    for number, record in enumerate(records, 1):
        game = bosquet.load(record)
        depth, shorter = 1, 1
        while 0 < shorter < LIMIT:
            found = counters[game.name](game.state, depth)
            if shorter < ORACLE_LIMIT:
                assert found == count(game.spec, game.state, depth), (number, depth)
                assert found == count_plain(plain_position(game, game.moves), depth), (number, depth)
            yield Row(
                number,
                game.name,
                shown(game.name, game.options),
                depth,
                found,
                "oracle" if shorter < ORACLE_LIMIT else "compiled",
            )
            depth, shorter = depth + 1, found


def write() -> None:
    """Write positions, if there are none, and the table anew."""
    assert available(), "the table is counted by compiled rules"
    if not POSITIONS.exists():
        POSITIONS.write_bytes(b"".join(msgspec.json.encode(game.record()) + b"\n" for game in chosen_positions()))
    lines = [" | ".join(map(str, row)) + "\n" for row in rows(read_positions())]
    TABLE.write_text(HEADER + "".join(lines))


if __name__ == "__main__":
    write()
