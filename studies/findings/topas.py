"""What gems and turns come to in Topas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import bosquet
from studies.findings.figures import Counts, Estimate, per_game, ratio
from studies.findings.games import Played
from studies.markdown import table

VALUES = (1, 2, 3)
TURNS = range(1, 8)


def tables(deals: Sequence[Sequence[Played]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the tables, each with its name."""
    counts = [counted(games) for games in deals]
    yield (
        "rows",
        table(
            ["rows that a card scores", "cards", "points"],
            [
                (
                    rows,
                    ratio(counts, ("rows", rows), "cards").percent(),
                    ratio(counts, ("of rows", rows), ("rows", rows)).text(),
                )
                for rows in (1, 2, 3)
            ],
        ),
    )
    yield (
        "cards",
        table(
            ["card with a", "points when it is laid"],
            [
                (f"{low} and a {high}", ratio(counts, ("of card", low, high), ("cards", low, high)).text())
                for low, high in combinations(VALUES, 2)
            ],
        ),
    )
    yield (
        "gems",
        table(
            ["gem", "points when it is laid", "later, for its player", "later, for the others"],
            [
                (
                    value,
                    *(ratio(counts, (when, value), ("laid", value)).text() for when in ("at once", "own", "others")),
                )
                for value in VALUES
            ],
        ),
    )


def by_turn(deals: Sequence[Sequence[Played]]) -> list[Estimate]:
    """Return the mean points of each turn of a seat, the first one first."""
    counts = [counted(games) for games in deals]
    return [per_game(counts, ("turn", turn), 2 * len(deals[0][0].scores)) for turn in TURNS]


def counted(games: Sequence[Played]) -> Counts:
    """Return what the games of a deal come to: by values of gems, by cards, by numbers of rows, by turns."""
    found = Counts()
    for played in games:
        laid: dict[str, tuple[int, int]] = {}
        """The value of the gem on a square, and who laid it."""
        for ply, entry in enumerate(bosquet.load(played.record).score_sheet().entries):
            values = [int(str(entry.piece)[at]) for at in (1, 3)]
            low, high = sorted(values)
            fresh = dict(zip(entry.cells, ((value, entry.seat) for value in values), strict=True))
            laid |= fresh
            found.update(("laid", value) for value in values)
            found.update(["cards", ("cards", low, high), ("rows", len(entry.parts))])
            found["of card", low, high] += entry.points
            found["of rows", len(entry.parts)] += entry.points
            found["turn", 1 + ply // len(played.scores)] += entry.points
            for cell in (cell for row in entry.parts for cell in row.cells):
                if cell not in laid:
                    continue  # the card that begins the table
                value, owner = laid[cell]
                when = "at once" if cell in fresh else "own" if owner == entry.seat else "others"
                found[when, value] += value
    return found
