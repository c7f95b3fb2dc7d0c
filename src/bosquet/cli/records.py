"""`bosquet replay` and `bosquet score`: records checked, and where their points come from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import bosquet
from bosquet.cli.options import FileArgument, JsonOption
from bosquet.cli.output import complain, fail, out, print_json
from bosquet.core.errors import RecordError
from bosquet.games import spec

if TYPE_CHECKING:
    from bosquet.core.game import Game
    from bosquet.core.record import Line


def replay(
    file: FileArgument,
    trace: Annotated[bool, typer.Option("--trace", help="Print every decision as JSON Lines.")] = False,
    verify_deal: Annotated[
        bool, typer.Option("--verify-deal", help="Deal anew from the revealed secret and the players' nonces, too.")
    ] = False,
) -> None:
    """Replay records move by move and check everything that they say.

    Exit code 0 if all are right; otherwise 1, and a line for each wrong record: file, line, ply, what is wrong and
    what would be right.
    """
    from bosquet.core import fair

    right = wrong = 0
    for index, line in enumerate(lines_of(file)):
        try:
            if trace:
                _trace(index, line)
            else:
                game = bosquet.load(line.decode())
                if verify_deal:
                    fair.verify(game)
            right += 1
        except RecordError as error:
            wrong += 1
            complain(f"{file}:{line.number}: {error}")
    if right + wrong == 0:
        fail(f"{file}: there is no record in it")
    if not trace:
        fairly = ", dealt as promised" if verify_deal else ""
        out.print(f"{right} of {right + wrong} records right" if wrong else f"{right} records, all right{fairly}")
    if wrong:
        raise typer.Exit(1)


def _trace(index: int, line: Line) -> None:
    """Print a line for each decision of a record, and one for its result."""
    from bosquet.core.record import begin, finish, make

    record = line.decode()
    game, moves = begin(record, spec)
    for ply, move in enumerate(moves):
        row = {
            "game": index,
            "ply": ply,
            "seat": game.seat,
            "legal": game.legal(),
            "move": move,
            "scores": game.scores,
        }
        make(game, ply, move)
        print_json(row)
    finish(game, record)
    print_json({"game": index, "result": game.result})


def score(file: FileArgument, json: JsonOption = False) -> None:
    """Show the score sheet of a record: where every point comes from."""
    from bosquet.terminal import draw_sheet
    from bosquet.terminal.table import names_of

    for game in games_of(file):
        sheet = game.score_sheet()
        if json:
            print_json(sheet)
        else:
            out.print(draw_sheet(sheet, names_of(game)))


def lines_of(file: Path) -> Iterator[Line]:
    """Yield the records of a file."""
    from bosquet.core.record import read_lines

    if file.is_dir():
        fail(f"{file}: is a folder; name a file of records")
    yield from read_lines(file)


def games_of(file: Path) -> Iterator[Game]:
    """Yield the games of a file of records; complain of what is wrong with a record.

    After the last, ends with exit code 1 if any was wrong or there was none.
    """
    wrong = count = 0
    for line in lines_of(file):
        count += 1
        try:
            game = bosquet.load(line.decode())
        except RecordError as error:
            wrong += 1
            complain(f"{file}:{line.number}: {error}")
        else:
            yield game
    if count == 0:
        fail(f"{file}: there is no record in it")
    if wrong:
        raise typer.Exit(1)
