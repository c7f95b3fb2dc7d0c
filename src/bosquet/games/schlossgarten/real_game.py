"""Score a game of Schlossgarten that was played with the real box."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError, listed
from bosquet.core.real_game import Counted, SeatNumber, check_seat, check_seats
from bosquet.core.view import Entry, Sheet

from . import board, rules


class RealElement(Struct, forbid_unknown_fields=True):
    """An element in the garden of a real game."""

    seat: SeatNumber
    kind: Literal["G1", "G2", "G3", "A1", "A2", "A3"]


class RealGame(Struct, forbid_unknown_fields=True, tag="schlossgarten", tag_field="game"):
    """What scores in a real game of Schlossgarten: tiles kept and elements in the garden."""

    players: Annotated[int, Meta(ge=2, le=4)]
    kept: Annotated[list[list[Annotated[int, Meta(ge=1, le=3)]]], Meta(max_length=4)]
    """[seat]: values of the tiles it keeps."""
    elements: Annotated[list[RealElement], Meta(max_length=24)]
    overbuild: Literal["site", "bordering", "elements"] = "site"
    """The reading of ruling 4.4 that was played by."""


def count(real: RealGame) -> Counted:
    """Score a real game, without a view; it has winners if a seat has 21 points. 4.6, 5.1

    Raises BosquetError, which names what is impossible.
    """
    _check_kept(real)
    _check_elements(real)
    _check_sites(real)
    entries = [
        Entry(seat=seat, kind="tile", name=str(value), points=value, cells=[])
        for seat, values in enumerate(real.kept)
        for value in values
    ]
    entries += [
        Entry(
            seat=element.seat,
            kind="element",
            name=element.kind,
            points=int(element.kind[1]),
            cells=[],
            piece=element.kind,
        )
        for element in real.elements
    ]
    entries.sort(key=lambda entry: entry.seat)
    scores = [sum(entry.points for entry in entries if entry.seat == seat) for seat in range(real.players)]
    _check_end(real, scores)
    best = max(scores)
    won = best >= board.WINNING_POINTS
    winners = [seat for seat, points in enumerate(scores) if won and points == best]
    sheet = Sheet(game=rules.NAME, entries=entries, scores=scores, winners=winners)
    return Counted(sheet=sheet, view=None)


def _check_kept(real: RealGame) -> None:
    """Check that there are no more tiles than the game has; how many of each value is up to the box. 1.1"""
    check_seats(real.kept, real.players, "kept")
    number = sum(map(len, real.kept))
    if number > board.CELLS:
        raise BosquetError(f"kept has {number} tiles; the game has {board.CELLS}")


def _check_elements(real: RealGame) -> None:
    """Check that each seat has at most one element of each kind and size. 1.3"""
    for i, element in enumerate(real.elements):
        check_seat(element.seat, real.players, f"elements[{i}]")
    counts = Counter((element.seat, element.kind) for element in real.elements)
    if twice := [f"{kind} of seat {seat}" for (seat, kind), number in counts.items() if number > 1]:
        raise BosquetError(f"elements: {listed(twice)} there twice; each player has one of each")


def _check_sites(real: RealGame) -> None:
    """Check that the tiles kept are those of the cells under the elements. 4.4, 4.5

    A cell that was built on stays covered, since elements are built over as a whole.
    """
    kept, covered = sum(map(len, real.kept)), sum(int(element.kind[1]) for element in real.elements)
    if kept != covered:
        raise BosquetError(
            f"tiles kept: {kept}, cells under elements: {covered}; there must be as many of both, since a player "
            "who builds on an excavation keeps its tile"
        )
    for seat in range(real.players):
        sizes = _sizes(real, seat)
        needed = sizes.count(1) if real.overbuild == "elements" else len(sizes)
        own = len(real.kept[seat]) if seat < len(real.kept) else 0
        if own < needed:
            raise BosquetError(
                f"seat {seat}: tiles kept: {own}, elements: {needed}; each of these was built on an excavation, whose "
                "tile is kept"
            )


def _check_end(real: RealGame, scores: list[int]) -> None:
    """Check that one seat alone has the points that end the game, and only by its last build. 5.1"""
    over = [seat for seat, points in enumerate(scores) if points >= board.WINNING_POINTS]
    if len(over) > 1:
        seats = listed([f"seat {seat}" for seat in over])
        raise BosquetError(
            f"{seats} have {board.WINNING_POINTS} points or more; the game ends at once when one of them has"
        )
    for seat in over:
        values = sorted(real.kept[seat], reverse=True) if seat < len(real.kept) else []
        most = max((size + sum(values[:size]) for size in _sizes(real, seat)), default=0)
        if scores[seat] - most >= board.WINNING_POINTS:
            raise BosquetError(
                f"seat {seat} has {scores[seat]} points; its last build gave {most} at most, so that it had "
                f"{board.WINNING_POINTS} or more before, and the game was over"
            )


def _sizes(real: RealGame, seat: int) -> list[int]:
    """Return the sizes of the elements of a seat."""
    return [int(element.kind[1]) for element in real.elements if element.seat == seat]
