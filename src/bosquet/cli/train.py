"""`bosquet train`: learn by self-play."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.options import GameArgument, JsonOption, PlayersOption, given_box, given_options
from bosquet.cli.output import INTERRUPTED, err, out, print_json, stopping_once
from bosquet.core.errors import OptionError


def train(
    context: typer.Context,
    game: GameArgument,
    folder: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Keep the run, its learning curve and weights here.")
    ],
    players: PlayersOption = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=100_000, help="How often to play and learn.")] = 40,
    samples: Annotated[
        int, typer.Option("--samples", min=1000, max=10_000_000, help="New positions of each round.")
    ] = 20_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed learns the same, on one machine.")] = 1,
    json: JsonOption = False,
) -> None:
    """Learn by self-play what the bot `learned` plays by, on one core.

    Each round is stored, so a run that was stopped goes on when the same command is given again.
    """
    from bosquet.bots.learned import has_weights, played
    from bosquet.core.spec import check_options
    from bosquet.games import spec

    chosen = spec(str(game))
    options = check_options(chosen, given_options(context, players))
    if given_box(context) is not None:
        raise OptionError("--box is not for train: what is learned is for the box of the house")
    training = chosen.module("training")
    if training is None or not has_weights(chosen.name, options):
        raise OptionError(f"there is no training for this game; so far {' and '.join(played())} can be learned")
    run = training.Training(folder, training.Plan(seed=seed, rounds=rounds, samples=samples))
    began, before = time.perf_counter(), run.done
    with stopping_once("round") as stopping:
        for line in run.rounds():
            passed = time.perf_counter() - began
            left = passed / (line.round - before) * (rounds - line.round)
            err.print(
                f"round {line.round} of {rounds}: a column {line.column:.2f}, the lowest of four {line.lowest:.2f}, "
                f"error {line.error:.2f}; {left / 60:.0f} minutes left",
                markup=False,
            )
            if stopping() and line.round < rounds:
                err.print(f"stopped after {line.round} of {rounds} rounds; the same command goes on")
                raise typer.Exit(INTERRUPTED)
    curve = run.curve()
    file = run.finish(curve[-1] if curve else None)
    if json:
        print_json({"file": str(file), "bytes": file.stat().st_size, "rounds": curve})
    else:
        out.print(f"{file}: {file.stat().st_size:,} bytes", markup=False, soft_wrap=True)
