"""Measures what a table sends to a player with a move: what the seat knows, to a page with the engine, or a view.

`uv run --group test python -m benchmarks.messages [--games 5]` prints the bytes of the messages of games of `greedy`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import statistics
from typing import Any

import structlog

import bosquet
from bosquet import bots
from bosquet.server.table.actions.move import Play
from tests.server.helpers.listeners import Ear, table_of

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("topiary", {"players": 2}),
    ("topiary", {"players": 4}),
    ("topas", {"players": 2}),
    ("topas", {"players": 4, "expert": True}),
    ("schlossgarten", {"players": 2}),
    ("schlossgarten", {"players": 4}),
)

KINDS = b'{"type":"known"', b'{"type":"position"'


async def sent(name: str, options: dict[str, Any], seed: int) -> tuple[list[bytes], list[bytes]]:
    """Return what two pages on seat 0 are sent in a game: one that has the engine, and one that has not."""
    game, rng = bosquet.new(name, seed=seed, **options), bosquet.Rng(seed)
    players = [bots.make("greedy") for _ in range(game.players)]
    table = table_of(game)
    ears = Ear("0", engine=True), Ear("0")
    for ear in ears:
        await table.attach(ear)
    while (now := table.session.dealt()).seat is not None:
        move = players[now.seat].choose(now.view(now.seat), rng)
        await table.do(str(now.seat), Play(seat=now.seat, number=table.session.number, move=move))
    known, views = ([message for message in ear.heard if message.startswith(KINDS)] for ear in ears)
    return known, views


def main() -> None:
    """Print a row for each game."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5)
    games = parser.parse_args().games
    print("| game | position: mean, most | its message | message with a view |\n|---|---|---|---|")
    for name, options in GAMES:
        found = [asyncio.run(sent(name, options, seed)) for seed in range(games)]
        known, views = ([message for game in found for message in game[which]] for which in (0, 1))
        texts = [json.loads(message)["position"].encode() for message in known]
        sizes = [list(map(len, some)) for some in (texts, known, views)]
        shown = [f"{statistics.mean(some):,.0f}, {max(some):,}" for some in sizes]
        print(f"| {name}, {', '.join(f'{key}={value}' for key, value in options.items())} | {' | '.join(shown)} |")


if __name__ == "__main__":
    main()
