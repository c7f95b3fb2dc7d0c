"""Counts of legal sequences from fixed deals: the games' perft. Tables are made by `python -m tests.perft`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import bosquet
from bosquet.core.records.record import dump
from tests.helpers.cases import CASES
from tests.plain import plain_game

TABLE = Path(__file__).with_name("counts.txt")
HEADER = """\
# How many sequences of legal moves there are from a deal, by their length.
# game | options | seed of the deal | moves made before (each the first legal one in sorted order) | depth | count
# Made by `python -m tests.perft`. Every count was found by the rules and by the plain oracle alike.
"""
DEALS = ((1, 0), (2, 12), (3, 19))
LIMIT = 4000
"""A count is taken as deep as the sequences one shorter are fewer than this."""


class Row(NamedTuple):
    """One line of the table."""

    name: str
    options: str
    seed: int
    made: int
    depth: int
    sequences: int


def shown(name: str, options: Mapping[str, Any]) -> str:
    """Options as the table writes them."""
    return " ".join(f"{key}={value}" for key, value in bosquet.spec(name).options_in_records(options).items())


def product_position(name: str, options: dict[str, Any], seed: int, made: int) -> tuple[bosquet.Game, list[str]]:
    """A position of the product, and the moves that led to it."""
    game = bosquet.new(name, seed=seed, **options)
    while len(game.moves) < made and not game.over:
        game.play(min(game.legal()))
    return game, list(game.moves)


def count(spec: Any, state: Any, depth: int) -> int:
    """The sequences of legal moves of a length, by the product's kernels. Chance ends a sequence."""
    moves = [0] * spec.rules.MAX_MOVES
    n = spec.rules.legal(state, moves) if state.seat >= 0 else 0
    if depth == 1:
        return n
    total = 0
    for action in moves[:n]:
        after = state.copy()
        spec.rules.play(after, action)
        total += count(spec, after, depth - 1)
    return total


def count_plain(game: Any, depth: int) -> int:
    """The same by the plain oracle."""
    moves = game.legal()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = game.copy()
        after.play(move)
        total += count_plain(after, depth - 1)
    return total


def plain_position(game: bosquet.Game, moves: list[str]) -> Any:
    """The plain oracle at the same position."""
    plain = plain_game(game.name, game.options, game.deal)
    for move in moves:
        plain.play(move)
    return plain


def rows() -> Iterator[Row]:
    """The whole table, counted anew; raises AssertionError where the two counts differ."""
    for name, options in CASES:
        for seed, made in DEALS:
            game, moves = product_position(name, options, seed, made)
            depth = found = 1
            while found and (depth == 1 or found < LIMIT):
                found = count(game.spec, game.state, depth)
                assert found == count_plain(plain_position(game, moves), depth), (name, options, seed, made, depth)
                yield Row(name, shown(name, options), seed, made, depth, found)
                depth += 1


def read_table() -> list[Row]:
    """The table as it is kept."""
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    parts = [[part.strip() for part in line.split("|")] for line in lines]
    return [Row(p[0], p[1], int(p[2]), int(p[3]), int(p[4]), int(p[5])) for p in parts]


PINNED = Path(__file__).with_name("games.txt")
PINNED_HEADER = """\
# SHA-256 of the record of a whole random game: the same seed gives the same game on every machine.
# game | options | seed | hash
# Made by `python -m tests.perft`; a change here is a change of deals, notation or chance.
"""


def pinned() -> Iterator[tuple[str, str, int, str]]:
    """The hashes of seeded random games."""
    for name, options in CASES:
        for seed in (1, 2):
            game, rng = bosquet.new(name, seed=seed, **options), bosquet.Rng(seed, "pinned")
            while not game.over:
                game.play(rng.choice(game.legal()))
            yield name, shown(name, options), seed, hashlib.sha256(dump(game)).hexdigest()
