"""`bosquet play`: a game at this terminal."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import bosquet
from bosquet.cli.options import (
    BotLogOption,
    ForceOption,
    GameName,
    PlayersOption,
    SeedOption,
    complete_bots,
    given_box,
    given_options,
)
from bosquet.cli.output import INTERRUPTED, out
from bosquet.core.errors import OptionError


def play(
    context: typer.Context,
    game: Annotated[GameName | None, typer.Argument(help="Which game.", show_default=False)] = None,
    players: PlayersOption = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            "-b",
            autocompletion=complete_bots,
            help="Bots for all seats but yours, by name or by number from 1 to 7: `ivy`, `3`, `greedy,random`; "
            "yours, too.",
            show_default=False,
        ),
    ] = None,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seats",
            help="Who sits where, the first one to begin: bots, and any other names for people. `Ann,ivy,Bob`.",
            show_default=False,
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            "--first",
            metavar="WHO",
            help="Who begins: `lot`, `me`, a name or bot of the table, or `open` to be asked. The others follow in "
            "their order.",
            show_default="lot; with --seats the first one",
        ),
    ] = None,
    seed: SeedOption = None,
    load: Annotated[
        str | None,
        typer.Option(
            "--load",
            metavar="FILE",
            help="Go on with a game that was saved: a file, a name that --games lists, or `last`.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="List the games that were left and kept, and stop.")] = False,
    language: Annotated[
        str | None,
        typer.Option("--language", metavar="<en|fr|es|de>", help="The language.", show_default="the terminal's"),
    ] = None,
    bot_log: BotLogOption = None,
    force: ForceOption = False,
) -> None:
    """Play at this terminal: alone against bots, or several people at one screen.

    Without bots every seat is somebody here; a screen between the hands keeps them hidden.
    """
    from bosquet.bots.program import keep_log
    from bosquet.core.rng import Rng
    from bosquet.terminal.kept import kept_as
    from bosquet.terminal.menu import Menu
    from bosquet.terminal.seating import LOT, seat_names, seats_of
    from bosquet.terminal.table import Table, draw_kept
    from bosquet.terminal.words import Words, chosen

    words = Words(chosen(language))
    keep_log(bot_log, force=force)
    options = given_options(context, players)
    seated, against = (None if texts is None else ",".join(texts) for texts in (seats, bots))
    if games:
        out.print(draw_kept(words), soft_wrap=True)
    elif load is not None:
        given = [f"--{name.replace('_', '-')}" for name in options]
        others = [("--seed", seed), ("--first", first), ("--box", given_box(context))]
        given += [name for name, value in others if value is not None]
        if game is not None or given:
            unused = ", ".join([*([str(game)] if game else []), *given])
            raise OptionError(f"--load goes on with the game as it was saved; leave out {unused}")
        kept = kept_as(load)
        saved = bosquet.read(kept or load)
        named = seats_of(saved)
        if seated is not None or against is not None:
            named = seat_names(saved.players, seated, against, named)
        _run_table(Table(saved, named, own_bots=seats is not None or bots is not None, kept=kept, words=words))
    elif game is None:
        _run_table(Menu(words).table())
    else:
        started = bosquet.new(game, seed=seed, box=given_box(context), **options)
        named = seat_names(started.players, seated, against)
        if first is not None or seats is None:
            lot = Rng() if seed is None else Rng("first", seed)
            named = Menu(words).order(started.name, named, first or LOT, lot)
        _run_table(Table(started, named, own_bots=True, words=words))


def _run_table(table: Any) -> None:
    """Play at a table to the end, or until its people leave it."""
    raise typer.Exit(0 if table.run() else INTERRUPTED)
