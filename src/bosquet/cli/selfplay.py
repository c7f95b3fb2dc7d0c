"""`bosquet selfplay`: games between bots as a table of decisions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    SeedOption,
    WorkersOption,
    complete_bots,
    given_box,
    given_options,
)
from bosquet.cli.output import (
    INTERRUPTED,
    err,
    out,
    print_forfeits,
    print_json,
    progress,
    report_forfeits,
    stopping_once,
)
from bosquet.core.installed import spec

if TYPE_CHECKING:
    from bosquet.lab.matches import Forfeit


class Reward(StrEnum):
    """Kinds of returns (`bosquet.env.rewards`)."""

    WIN = "win"
    POINTS = "points"


def selfplay(
    context: typer.Context,
    game: GameArgument,
    file: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.parquet", help="Write the decisions to this file.")
    ],
    players: PlayersOption = None,
    bots: Annotated[
        list[str],
        typer.Option(
            "--bots",
            "-b",
            autocompletion=complete_bots,
            help="Who sits where, with commas between; repeated for further seats.",
        ),
    ] = GREEDY,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 1000,
    seed: SeedOption = None,
    reward: Annotated[Reward, typer.Option("--reward", help="What a seat gets at the end.")] = Reward.WIN,
    force: ForceOption = False,
    workers: WorkersOption = None,
    bot_seconds: BotSecondsOption = 10.0,
    bot_memory: BotMemoryOption = 4096,
    bot_log: BotLogOption = None,
    json: JsonOption = False,
) -> None:
    r"""Let bots play many games; write every decision, with what its seat saw, to a Parquet file.

    A run that was stopped goes on when the same command is given again. Needs pyarrow, which the extra `data` brings.
    """
    from bosquet.bots.outside import Limits
    from bosquet.bots.program import keep_log
    from bosquet.core.rng import fresh_seed
    from bosquet.env.decisions import SelfPlay, how_made, kept_seed, parts_of, written
    from bosquet.lab.matches import Match
    from bosquet.terminal.bot_names import bots_asked

    if seed is None:
        seed = kept_seed(file)
    chosen = fresh_seed() if seed is None else seed
    keep_log(bot_log, force=force)
    limits = Limits(bot_seconds, bot_memory)
    match = Match(
        str(game), given_options(context, players), bots_asked(",".join(bots)), chosen, given_box(context), limits
    )
    play = SelfPlay(match, games, str(reward)).checked()
    started = time.perf_counter()
    done = 0

    def begun() -> bool:
        return done > 0 or any(parts_of(file).glob("*.parquet"))  # a worker may have written one a moment ago

    def report(number: int, forfeits: Sequence[Forfeit]) -> None:
        report_forfeits(f"game {number}", play.match.bots, forfeits)

    with ExitStack() as stack:
        step = stack.enter_context(progress("playing", games))
        stopping = stack.enter_context(stopping_once("games", begun))
        for there in stack.enter_context(closing(written(play, file, workers, stopping, report, force=force))):
            for _ in range(there - done):
                step()
            done = there
    seconds = time.perf_counter() - started
    if done < games:
        err.print(f"stopped after {done} of {games} games; the same command goes on")
        raise typer.Exit(INTERRUPTED)
    made = how_made(file)
    if json:
        print_json({**made, "file": str(file), "bytes": file.stat().st_size, "seconds": round(seconds, 3)})
    else:
        out.print(f"{file}: {games} games of {spec(str(game)).title}, seed {chosen}", markup=False, soft_wrap=True)
        print_forfeits(play.match.bots, made["forfeits"])
