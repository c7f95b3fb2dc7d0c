"""`bosquet position`: what a seat knows as a line of text, read and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import bosquet
from bosquet.cli.options import JsonOption
from bosquet.cli.output import out, print_json
from bosquet.core.errors import BosquetError

if TYPE_CHECKING:
    from bosquet.core.game import Game

AROUND = "\ufeff \t\r\n"
"""What a file or a copied line has around a position."""


def position(
    text: Annotated[
        str | None, typer.Argument(help="A position, as this command writes it.", show_default=False)
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write a position of this game.", show_default=False)
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option("--ply", min=0, help="Number of moves of the record before the position.", show_default="all"),
    ] = None,
    view: Annotated[
        int | None,
        typer.Option("--view", metavar="SEAT", help="Of the record: what this seat knows.", show_default="a spectator"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Draw a position with its legal moves, or write that of a record as a line of text.

    A text holds what its viewer knows and nothing else. --json prints the view.
    """
    if (text is None) == (record is None):
        raise BosquetError("give either a position, or --record FILE to write one")
    if record is None and (ply is not None or view is not None):
        raise BosquetError("--ply and --view say which position of a --record is written")
    found = bosquet.position(text.strip(AROUND)) if text is not None else _of_record(record, ply, view)
    if json:
        print_json(found.view())
    elif text is None:
        typer.echo(str(found))
    else:
        _draw(found)


def _of_record(path: Path | None, ply: int | None, view: int | None) -> bosquet.Position:
    """Return the position of a record as a seat knows it, or a spectator. Raises BosquetError."""
    game = _game_at(path, ply)
    if view is not None and view not in range(game.players):
        seats = "the only seat is 0" if game.players == 1 else f"seats are 0 to {game.players - 1}"
        raise BosquetError(f"--view is {view}; {seats}; without --view it is what a spectator knows")
    return game.position(view)


def _game_at(path: Path | None, ply: int | None) -> Game:
    """Return the game of a record after a number of its moves. Raises BosquetError."""
    from bosquet.core import ending

    assert path is not None
    game = bosquet.read(path)
    if ply is None:
        return game
    if ply > len(game.moves):
        raise BosquetError(f"--ply is {ply}; the record has {len(game.moves)} moves")
    record = game.record()
    record.pop(ending.KEY, None)
    return bosquet.load(
        record | {"moves": game.moves[:ply], "result": record["result"] if game.moves[ply:] == [] else None}
    )


def _draw(found: bosquet.Position) -> None:
    """Print a drawing of a position, and the legal moves if its viewer is to move."""
    from bosquet.terminal import draw, draw_moves
    from bosquet.terminal.seating import seat_names

    view = found.view()
    out.print(draw(view, seat_names(view.players)))
    if view.moves:
        out.print(draw_moves(view, limit=len(view.moves)))
