"""`bosquet replay` and `bosquet score`: records checked, and where their points come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

import bosquet
from bosquet.cli.options import FileArgument, JsonOption
from bosquet.cli.output import complain, fail, out, print_json
from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.installed import spec

if TYPE_CHECKING:
    from bosquet.core.game import Game
    from bosquet.core.real_game_scoring import RealScore
    from bosquet.core.records.duel import DuelResult
    from bosquet.core.records.record import Line

Read = TypeVar("Read")

ENDINGS = {
    "played": "was played to its end after a resignation",
    "resigned": "ended by resignation",
    "agreed": "was ended by all who played",
    "void": "is void",
}
"""How a game ended other than by its rules."""


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
    from bosquet.core.records import fair
    from bosquet.core.records.duel import Follower

    duels = Follower()
    right = wrong = 0
    endings: Counter[str] = Counter()
    for index, line in enumerate(lines_of(file)):
        try:
            if trace:
                _trace(index, line)
            else:
                game = bosquet.load(line.decode())
                duels.add(game)
                if verify_deal:
                    fair.verify(game)
                if game.ending is not None:
                    endings[ENDINGS[game.ending.how]] += 1
            right += 1
        except RecordError as error:
            wrong += 1
            complain(f"{file}:{line.place(error)}: {error}")
    if right + wrong == 0:
        fail(f"{file}: there is no record in it")
    if not trace:
        fairly = ", dealt as promised" if verify_deal else ""
        ended = "".join(f"; {count} {how}" for how, count in endings.items())
        found = f"{right} of {right + wrong} records right" if wrong else f"{right} records, all right{fairly}"
        out.print(f"{found}{ended}", soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


def _trace(index: int, line: Line) -> None:
    """Print a line for each decision of a record, and one for its result."""
    from bosquet.core.ending import KEY
    from bosquet.core.records.record import begin, finish, make

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
    ended = game.record().get(KEY)
    print_json({"game": index, "result": game.result, **({} if ended is None else {KEY: ended})})


def score(file: FileArgument, json: JsonOption = False) -> None:
    """Show the score sheet of a record, or of a game with the real box: where every point comes from.

    The page saves a file of a game that was scored there (/score).
    """
    from bosquet.core.real_game_scoring import RealScore
    from bosquet.core.records.duel import Follower
    from bosquet.terminal import draw_sheet
    from bosquet.terminal.seating import names_of

    duels = Follower()
    for game in _read_each(file, _scored):
        if isinstance(game, RealScore):
            if json:
                print_json(game.counted.sheet)
            else:
                out.print(draw_sheet(game.counted.sheet, game.names, over=False))
            continue
        duel = duels.add(game)
        sheet = game.score_sheet()
        if json:
            print_json(sheet)
        else:
            out.print(draw_sheet(sheet, names_of(game), over=game.over))
            if game.ending is not None:
                out.print(f"This game {ENDINGS[game.ending.how]}.")
            if duel is not None:
                _print_duel(game, duel)


def _scored(value: Any) -> Game | RealScore:
    """Return the game of a record, or a scored game with the real box. Raises BosquetError."""
    from bosquet.core import real_game_scoring

    return real_game_scoring.score_file(value) if real_game_scoring.is_file(value) else bosquet.load(value)


def _print_duel(last: Game, result: DuelResult) -> None:
    """Print how a duel ended, after its last game."""
    from bosquet.core.records.duel import of_record, player_at
    from bosquet.terminal.seating import names_of

    this = of_record(last)
    assert this is not None
    name = {player_at(seat, this.game, last.players): names_of(last)[seat] for seat in range(last.players)}
    won = ", ".join(name[player] for player in result.winners)
    points = ", ".join(f"{name[player]} {total}" for player, total in enumerate(result.points))
    out.print(f"Duel of {last.players} games: {points}. Won by {won}.", markup=False)


def lines_of(file: Path) -> Iterator[Line]:
    """Yield the records of a file."""
    from bosquet.core.records.record import read_lines

    if file.is_dir():
        fail(f"{file}: is a folder; name a file of records")
    yield from read_lines(file)


def games_of(file: Path) -> Iterator[Game]:
    """Yield the games of a file of records, as `_read_each` does."""
    yield from _read_each(file, bosquet.load)


def _read_each(file: Path, read: Callable[[Any], Read]) -> Iterator[Read]:
    """Yield what `read` makes of each record of a file; complain of what is wrong with a record.

    After the last, ends with exit code 1 if any was wrong or there was none.
    """
    wrong = count = 0
    for line in lines_of(file):
        count += 1
        try:
            found = read(line.decode())
        except BosquetError as error:
            wrong += 1
            complain(f"{file}:{line.place(error)}: {error}")
        else:
            yield found
    if count == 0:
        fail(f"{file}: there is no record in it")
    if wrong:
        raise typer.Exit(1)
