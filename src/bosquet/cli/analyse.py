"""`bosquet analyse`: the coach."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bosquet.cli.options import FileArgument, JsonOption
from bosquet.cli.output import out, print_json, progress
from bosquet.cli.records import games_of


def analyse(
    file: FileArgument,
    simulations: Annotated[
        int, typer.Option("--simulations", min=1, max=1_000_000, help="How long each candidate is looked at.")
    ] = 400,
    luck: Annotated[
        int, typer.Option("--luck", min=0, help="Also let bots play the same deal so often, and compare.")
    ] = 0,
    bot: Annotated[
        str | None,
        typer.Option("--bot", help="The bot of --luck; yours, too.", show_default="the game's own"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Ask the coach: the course of a game, what each decision lost against the best, and why.

    What counts is what the seat could know; what it cost in hindsight stands beside it. Of a game that still runs, the
    best next moves are shown, too.
    """
    from bosquet.bots import outside
    from bosquet.lab import coach
    from bosquet.terminal.analysis import draw_report
    from bosquet.terminal.bot_names import bot_asked
    from bosquet.terminal.seating import names_of

    if bot is not None:
        bot = bot_asked(bot)
        outside.check([bot])
    for game in games_of(file):
        made = []
        with progress("thinking", len(coach.decisions(game))) as step:
            for decision in coach.analyse(game, simulations):
                made.append(decision)
                step()
        report = coach.report(game, made)
        row: dict[str, Any] = {"report": report}
        if not json:
            out.print(draw_report(report, names_of(game)))
        _analyse_rest(game, simulations, luck, bot, row, json)
        if json:
            print_json(row)


def _analyse_rest(game: Any, simulations: int, luck: int, bot: str | None, row: dict[str, Any], json: bool) -> None:
    """Show the best next moves of a running game, or the luck receipt of a finished one. Adds them to `row`."""
    from bosquet.core.positions.position import decision_rng
    from bosquet.lab import coach
    from bosquet.lab.luck import receipt, replayed
    from bosquet.terminal.analysis import draw_choices, draw_receipt
    from bosquet.terminal.seating import names_of

    if game.seat is not None:
        view = game.view(game.seat)
        row["best"] = coach.best(view, decision_rng("hint", view), simulations)
        if not json:
            out.print(draw_choices(row["best"], game.seat, names_of(game)[game.seat]))
    elif luck:
        played = []
        with progress("playing the deal again", luck) as step:
            for again in replayed(game, luck, bot):
                played.append(again)
                step()
        row["luck"] = receipt(game, played)
        if not json:
            out.print(draw_receipt(row["luck"], names_of(game)))
