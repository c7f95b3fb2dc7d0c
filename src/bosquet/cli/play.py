"""`bosquet play`: a game at this terminal."""

from __future__ import annotations

from pathlib import Path
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
from bosquet.cli.output import INTERRUPTED
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
            help="Bots for all seats but yours, for instance `greedy` or `greedy,random`; yours, too.",
            show_default=False,
        ),
    ] = None,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seats",
            help="Who sits where: names of bots, and any other names for people. `Ann,greedy,Bob`.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = None,
    load: Annotated[
        Path | None, typer.Option("--load", help="Go on with a game that was saved.", show_default=False)
    ] = None,
    bot_log: BotLogOption = None,
    force: ForceOption = False,
) -> None:
    """Play at this terminal: alone against bots, or several people at one screen.

    Without bots every seat is somebody here; a screen between the hands keeps them hidden.
    """
    from bosquet.bots.program import keep_log
    from bosquet.terminal.table import Table, choose_table, names_of, seat_names

    keep_log(bot_log, force=force)
    options = given_options(context, players)
    seated, against = (None if texts is None else ",".join(texts) for texts in (seats, bots))
    if load is not None:
        given = [f"--{name.replace('_', '-')}" for name in options]
        given += [name for name, value in (("--seed", seed), ("--box", given_box(context))) if value is not None]
        if game is not None or given:
            unused = ", ".join([*([str(game)] if game else []), *given])
            raise OptionError(f"--load goes on with the game as it was saved; leave out {unused}")
        saved = bosquet.read(load)
        named = seat_names(saved.players, seated, against, names_of(saved))
        _run_table(Table(saved, named, own_bots=seats is not None or bots is not None))
    elif game is None:
        _run_table(choose_table())
    else:
        started = bosquet.new(game, seed=seed, box=given_box(context), **options)
        _run_table(Table(started, seat_names(started.players, seated, against), own_bots=True))


def _run_table(table: Any) -> None:
    """Play at a table to the end, or until its people leave it."""
    raise typer.Exit(0 if table.run() else INTERRUPTED)
