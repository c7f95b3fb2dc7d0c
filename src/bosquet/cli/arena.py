"""`bosquet arena`: matches on mirrored deals."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from bosquet.cli.options import (
    BotLogOption,
    BotMemoryOption,
    BotSecondsOption,
    ForceOption,
    GameArgument,
    JsonOption,
    PlayersOption,
    RayOption,
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
from bosquet.cli.output import (
    INTERRUPTED,
    err,
    interval,
    number,
    out,
    print_forfeits,
    print_json,
    progress,
    report_forfeits,
    stopping_once,
    writing,
)
from bosquet.core.errors import OptionError
from bosquet.core.installed import spec
from bosquet.drawing.tables import Rows

RIVALS = ["greedy,random"]
"""Who plays if no bots are named."""


class Schedule(StrEnum):
    """Schedules of a match (`bosquet.lab.schedules`)."""

    TABLE = "table"
    PAIRS = "pairs"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"


def arena(
    context: typer.Context,
    game: GameArgument,
    players: PlayersOption = None,
    bots: Annotated[
        list[str],
        typer.Option("--bots", "-b", autocompletion=complete_bots, help="The bots, with commas between; yours, too."),
    ] = RIVALS,
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, help="Games for each pair, rounded up to whole deals.")
    ] = 100,
    seed: SeedOption = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop as soon as a test of these two Elo differences decides; two more numbers are its error rates.",
            show_default=False,
        ),
    ] = None,
    records: RecordsOption = None,
    force: ForceOption = False,
    folder: Annotated[
        Path | None,
        typer.Option("--out", help="Keep the match in this folder, or go on with it.", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the Elo of the bots to this SVG file.", show_default=False)
    ] = None,
    workers: WorkersOption = None,
    ray: RayOption = None,
    schedule: Annotated[
        Schedule | None,
        typer.Option(
            "--schedule",
            help="Who meets: all at one table, all pairs, the first bot each other one, or by points.",
            show_default="table if it has a seat for each bot, else pairs",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, help="Rounds of a Swiss tournament.", show_default="as many as find a winner"),
    ] = None,
    duel: Annotated[
        bool,
        typer.Option("--duel", help="Play duels: what is hidden is dealt anew for each game, total points decide."),
    ] = False,
    bot_seconds: BotSecondsOption = 10.0,
    bot_memory: BotMemoryOption = 4096,
    bot_log: BotLogOption = None,
    json: JsonOption = False,
) -> None:
    """Let bots play matches on mirrored deals: who is better, and by how much.

    Each deal is played from every seat; with `--duel` only what lies open in it. More than two bots meet in pairs, or
    all at one table that has a seat for each, unless a schedule is named.
    """
    from bosquet.bots.outside import Limits
    from bosquet.bots.program import keep_log
    from bosquet.core.rng import fresh_seed
    from bosquet.lab import plot as drawing
    from bosquet.lab.arena import Arena, Folder, kept_seed, played
    from bosquet.lab.standings import Standings
    from bosquet.terminal.bot_names import bots_asked

    if plot is not None:
        drawing.check(plot, force=force)
    if seed is None:
        seed = kept_seed(folder) if folder is not None else None
    chosen = fresh_seed() if seed is None else seed
    options = given_options(context, players)
    keep_log(bot_log, force=force)
    limits = Limits(bot_seconds, bot_memory)
    named = bots_asked(",".join(bots))
    match = Arena(
        str(game),
        options,
        named,
        games,
        chosen,
        box=given_box(context),
        sprt=_hypotheses(sprt),
        limits=limits,
        schedule=schedule,
        rounds=rounds,
        duel=duel,
    ).checked()
    standings = Standings(match)
    box = described_box(context, match.box)
    started = time.perf_counter()
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        kept = stack.enter_context(Folder(folder, match)) if folder is not None else None
        write = stack.enter_context(writing(records, force=force))
        step = stack.enter_context(progress("deals", match.deals))
        stopping = stack.enter_context(
            stopping_once("deals", lambda: standings.deals or (kept is not None and kept.grows))
        )
        deals = stack.enter_context(closing(played(match, workers, ray, kept, stopping, records=records is not None)))
        _count(deals, standings, write, step)
    seconds = time.perf_counter() - started
    if json:
        data = standings.to_json() | {"box": box, "seconds": round(seconds, 3)}
        print_json(data)
    else:
        _print_arena(standings, shown_box(box), seconds)
    if plot is not None and standings.deals:
        drawing.forest(plot, _arena_title(standings, shown_box(box)), match.bots, standings.ratings(), force=force)
    if standings.deals < match.deals and not standings.decided:
        err.print(f"stopped after {standings.deals} of {match.deals} deals")
        raise typer.Exit(INTERRUPTED)


def _count(deals: Any, standings: Any, write: Callable[[bytes], object], step: Callable[[], None]) -> None:
    """Write and count deals to the last, or until the test has its answer; report who forfeited."""
    for deal in deals:
        for index, outcome in enumerate(deal.games):
            report_forfeits(f"deal {deal.number}, game {index}", standings.seated(index), outcome.forfeits)
            write(outcome.record)
        standings.add(deal)
        step()
        if standings.decided:
            return


def _hypotheses(text: str | None) -> Any:
    """Return the test that `--sprt` asks for. Raises OptionError."""
    from bosquet.lab.ratings import Hypotheses

    if text is None:
        return None
    try:
        found = Hypotheses(*map(float, text.split(",")))
    except (TypeError, ValueError):
        raise OptionError(f"--sprt {text}: must be two numbers like 0,20, or four like 0,20,0.05,0.05") from None
    if not (-1000 <= found.elo0 < found.elo1 <= 1000 and 0 < found.alpha < 0.5 and 0 < found.beta < 0.5):
        raise OptionError(
            f"--sprt {text}: the first Elo must be below the second, both within 1000, and error rates below 0.5"
        )
    return found


def _arena_title(standings: Any, box: str) -> str:
    match = standings.arena
    variant = shown_options(match.game, match.options)
    seats = "alone" if match.players == 1 else f"{match.players} players"
    games = f"{standings.games} games{', duels' if match.duel else ''}"
    return f"{spec(match.game).title}, {seats}{variant}{box} · {games}, {standings.deals} deals"


def _print_arena(standings: Any, box: str, seconds: float) -> None:
    match = standings.arena
    out.print(f"{_arena_title(standings, box)} · seed {match.seed}", style="bold", markup=False)
    if standings.deals == 0:
        return
    out.print(_bots_table(standings))
    for pair in standings.pairs:
        one, other = (match.bots[bot] for bot in pair)
        wins = "" if len(match.bots) == 2 else f"wins {interval(standings.score(pair).scaled(100))} %, "
        lead = f"{interval(standings.difference(pair), '+.2f')} points a game"
        out.print(f"{one} against {other}: {wins}{lead}", markup=False)
    print_forfeits(match.bots, standings.forfeits)
    if match.players > 1:
        for seat in range(match.players):
            wins, points = standings.seat(seat)
            out.print(f"seat {seat}: wins {interval(wins.scaled(100))} %, points {interval(points)}", markup=False)
    if standings.sprt:
        out.print(_verdict(standings.sprt))
    even = 1 / len(standings.pairings[0].bots)
    note = f"brackets are 95 % intervals; equal bots would win {100 * even:.0f} %; the mean of Elo is 0"
    out.print(f"{seconds:.1f} s; {note}", style="dim", markup=False)


def _bots_table(standings: Any) -> Rows:
    swiss = standings.swiss_points
    shown = Rows(["bot"], [*(["Swiss"] if swiss else []), "wins %", "points", "Elo"])
    bots = list(enumerate(zip(standings.arena.bots, standings.ratings(), strict=True)))
    if swiss:
        bots.sort(key=lambda one: -swiss[one[0]])  # a tournament has a table
    for bot, (name, elo) in bots:
        wins = standings.win_rate(bot).scaled(100)
        shown.add(
            name,
            *([f"{swiss[bot]:g}"] if swiss else []),
            interval(wins),
            number(standings.points(bot).value, ".2f"),
            interval(elo, "+.0f"),
        )
    return shown


def _verdict(sprt: Any) -> str:
    low, high = sprt.hypotheses.bounds
    asked = f"elo0 {sprt.hypotheses.elo0:g}, elo1 {sprt.hypotheses.elo1:g}"
    said = f"decided for {sprt.decision}" if sprt.decision else "not decided"
    return f"SPRT of {asked}: {said} after {sprt.deals} deals; LLR {sprt.ratio:.2f}, bounds {low:.2f} and {high:.2f}"
