"""What figures and elements come to in Der Prestel Schlossgarten."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any

import bosquet
from bosquet.core.installed import spec
from bosquet.games.schlossgarten.rules import play, score
from studies.findings.figures import Counts, Estimate, per_game, ratio
from studies.findings.games import Played
from studies.markdown import table

NAME = "schlossgarten"
SHOWN = 3
"""Cards at each end of the table."""
ELEMENTS = {
    "hedge, 1 cell": "G1",
    "long hedge, 2": "G2",
    "maze, 3": "G3",
    "fountain, 1 cell": "A1",
    "pool, 2": "A2",
    "terrace, 3": "A3",
}


def tables(deals: Sequence[Sequence[Played]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the tables, each with its name."""
    counts = [counted(games) for games in deals]
    yield (
        "elements",
        table(
            ["element", "built in a game", "points when it is built", "still there at the end"],
            [
                (
                    name,
                    f"{per_game(counts, ('built', mark)).value:.1f}",
                    ratio(counts, ("gain", mark), ("built", mark)).text(),
                    ratio(counts, ("left", mark), ("built", mark)).percent(),
                )
                for name, mark in ELEMENTS.items()
            ],
        ),
    )
    order = figures(counts)
    yield (
        "figures",
        table(
            ["figure", "stands when it is played", "points of that turn"],
            [
                (
                    f"{card}: {'<br>'.join(f'`{row}`' for row in pattern(card))}",
                    ratio(counts, ("stands", card), ("played", card)).percent(),
                    points.text(),
                )
                for card, points in order[:SHOWN] + order[-SHOWN:]
            ],
        ),
    )


def figures(counts: Sequence[Counts]) -> list[tuple[int, Estimate]]:
    """Return all cards with the mean points of the turns in which they are played, the best first."""
    cards = {key[1] for one in counts for key in one if isinstance(key, tuple) and key[0] == "played"}
    found = [(card, ratio(counts, ("points", card), ("played", card))) for card in cards]
    return sorted(found, key=lambda one: -one[1].value)


def pattern(card: int) -> list[str]:
    """Return how a card shows its figure, without rows that are empty."""
    file = resources.files("bosquet.games.schlossgarten") / "constellations.json"
    return [row for row in json.loads(file.read_text())["cards"][card - 1]["rows"] if set(row) != {"."}]


def counted(games: Sequence[Played]) -> Counts:
    """Return what the games of a deal come to: by elements, and by cards."""
    found, notation = Counts(), spec(NAME).notation
    for played in games:
        game = bosquet.load(played.record)
        state: Any = spec(NAME).new_state(game.options)
        notation.read_deal(state, game.deal)
        card, stands = 0, False
        for move in game.moves:
            word, *rest = move.split()
            if word == "pile":
                notation.apply_chance(state, move)
                continue
            if word == "card":
                card, stands = int(rest[0]), False
                found["played", card] += 1
            elif not stands and (word == "end" or rest[:1] in (["dig"], ["build"])):
                stands = True
                found["stands", card] += 1
            seat = state.seat
            before = score(state, seat)
            play(state, notation.parse(state, move))
            gained = score(state, seat) - before
            found["points", card] += gained
            if rest[:1] == ["build"]:
                found["built", word + rest[1]] += 1
                found["gain", word + rest[1]] += gained
        found.update(("left", entry.name) for entry in game.score_sheet().entries if entry.kind == "element")
    return found
