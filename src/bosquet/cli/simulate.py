"""`bosquet simulate`: many games between bots."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from bosquet.cli.options import (
    GREEDY,
    BotLogOption,
    BotMemoryOption,
    BotSecondsOption,
    ForceOption,
    GameArgument,
    JsonOption,
    PlayersOption,
    RecordsOption,
    SeedOption,
    WorkersOption,
    complete_bots,
    described_box,
    given_box,
    given_options,
    shown_box,
    shown_options,
)
from bosquet.cli.output import INTERRUPTED, err, out, print_forfeits, print_json, progress, report_forfeits, writing
from bosquet.core.installed import spec
from bosquet.drawing.tables import Rows


def simulate(
    context: typer.Context,
    game: GameArgument,
    players: PlayersOption = None,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 100,
    bots: Annotated[
        list[str],
        typer.Option(
            "--bots", "-b", autocompletion=complete_bots, help="The bots, repeated to fill the seats; yours, too."
        ),
    ] = GREEDY,
    seed: SeedOption = None,
    records: RecordsOption = None,
    force: ForceOption = False,
    workers: WorkersOption = None,
    bot_seconds: BotSecondsOption = 10.0,
    bot_memory: BotMemoryOption = 4096,
    bot_log: BotLogOption = None,
    json: JsonOption = False,
) -> None:
    """Let bots play many games, on all cores; show the mean and spread of scores and the wins by seat."""
    from bosquet.bots.outside import Limits
    from bosquet.bots.program import keep_log
    from bosquet.core.rng import fresh_seed
    from bosquet.lab.matches import Match, Table, outcomes
    from bosquet.terminal.bot_names import bots_asked

    options = given_options(context, players)
    chosen = fresh_seed() if seed is None else seed
    keep_log(bot_log, force=force)
    limits = Limits(bot_seconds, bot_memory)
    match = Match(str(game), options, bots_asked(",".join(bots)), chosen, given_box(context), limits).checked()
    table = Table(match)
    box = described_box(context, match.box)
    started = time.perf_counter()
    stopped = False
    try:
        with writing(records, force=force) as write, progress("playing", games) as step:
            for outcome in outcomes(match, games, workers, records=records is not None):
                report_forfeits(f"game {table.games}", match.bots, outcome.forfeits)
                write(outcome.record)
                table.add(outcome)
                step()
    except KeyboardInterrupt:
        stopped = True
    seconds = time.perf_counter() - started
    if json:
        data = table.to_json() | {"box": box, "seconds": round(seconds, 3)}
        print_json(data)
    else:
        _print_simulation(table, shown_box(box), seconds)
    if stopped:
        err.print(f"stopped after {table.games} of {games} games")
        raise typer.Exit(INTERRUPTED)


def _print_simulation(table: Any, box: str, seconds: float) -> None:
    match = table.match
    variant = shown_options(match.game, match.options)
    title = f"{spec(match.game).title}{variant}{box} · {table.games} games · seed {match.seed}"
    shown = Rows(["seat", "bot"], ["mean", "spread", "least", "most", "wins"], title)
    for seat, tally in enumerate(table.seats):
        shown.add(
            str(seat),
            match.bots[seat],
            f"{tally.mean:.2f}",
            f"{tally.deviation:.2f}",
            str(tally.low),
            str(tally.high),
            f"{tally.wins:.1f} ({100 * tally.wins / max(table.games, 1):.1f} %)",
        )
    out.print(shown)
    print_forfeits(match.bots, [tally.forfeits for tally in table.seats])
    out.print(f"{seconds:.1f} s; the spread is the standard deviation, a shared win counts in part", style="dim")
