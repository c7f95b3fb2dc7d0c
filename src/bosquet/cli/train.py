"""`bosquet train`: learn by self-play."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bosquet.cli.options import (
    ForceOption,
    GameArgument,
    JsonOption,
    PlayersOption,
    RayOption,
    given_box,
    given_options,
)
from bosquet.cli.output import INTERRUPTED, duration, err, out, phases, print_json, stopping_once
from bosquet.core.errors import OptionError

if TYPE_CHECKING:
    from bosquet.core.spec import GameSpec

FIRST_SECONDS = 10.0
"""Ctrl-C loses what was played of a round in this number of seconds after the start."""


def train(
    context: typer.Context,
    game: GameArgument,
    out_folder: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="Keep the run, its learning curve and weights here.")
    ],
    players: PlayersOption = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, max=100_000, help="How often to play and learn.", show_default=False),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option("--samples", min=1000, max=10_000_000, help="New positions of each round.", show_default=False),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            "--simulations",
            min=1,
            max=100_000,
            help="Simulations of a decision in self-play, at least 2.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed learns the same, on one machine.")] = 1,
    pieces: Annotated[
        int | None,
        typer.Option(
            "--pieces",
            min=1,
            max=10_000,
            help="Number of pieces of a round, which workers share. Another number gives other games.",
            show_default="1",
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes that play.")] = 1,
    ray: RayOption = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the learning curve to this SVG file.", show_default=False)
    ] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Learn by self-play what the bot `learned` plays by, and then the bot `learned:weights=DIR`.

    Each round is stored, so a run that was stopped goes on when the same command is given again. Workers change nothing
    but the time it takes; one that dies on a cluster is replaced.
    """
    from bosquet.core.installed import spec
    from bosquet.core.spec import check_options
    from bosquet.lab import plot as drawing
    from bosquet.lab.lock import locked_folder
    from bosquet.lab.pools import pool
    from bosquet.learning.run_folder import check_free

    if not out_folder:
        raise OptionError("--out needs the name of a folder")
    folder = Path(out_folder)
    if plot is not None:
        drawing.check(plot, force=force)
    chosen = spec(str(game))
    options = check_options(chosen, given_options(context, players))
    if given_box(context) is not None:
        raise OptionError("--box is not for train: what is learned is for the box of the house")
    given = {"seed": seed, "rounds": rounds, "samples": samples, "simulations": simulations, "pieces": pieces}
    if (workers > 1 or ray is not None) and (pieces or 1) == 1:
        raise OptionError("workers share the pieces of a round: give --pieces, such as 16")
    training, plan = _planned(chosen, options, {name: value for name, value in given.items() if value is not None})
    check_free(folder)
    with ExitStack() as stack:
        stack.enter_context(locked_folder(folder, folder, "folder"))
        run = training(folder, plan)
        began, before, last = time.perf_counter(), run.done, run.plan.rounds
        given_pool = (stack.enter_context(pool(workers, ray)),) if pieces else ()
        stopping = stack.enter_context(stopping_once("round", lambda: time.perf_counter() - began > FIRST_SECONDS))
        tell = stack.enter_context(phases())
        run.tell = lambda phase, part, of: tell(f"round {run.done + 1} of {last}: {phase}", part, of)
        for line in run.rounds(*given_pool):
            passed = time.perf_counter() - began
            left = passed / (line.round - before) * (last - line.round)
            rest = f"; {duration(left)} left" if left else ""
            err.print(f"round {line.round} of {last}: {line.summary}{rest}", markup=False)
            if stopping() and line.round < last:
                err.print(f"stopped after {line.round} of {last} rounds; the same command goes on")
                raise typer.Exit(INTERRUPTED)
        if plot is not None:
            drawing.learning_curve(plot, f"{chosen.title}, {options['players']} players", run.curve(), force=force)
        file = run.finish()
    if json:
        print_json({"file": str(file), "bytes": file.stat().st_size, "rounds": run.curve()})
    else:
        out.print(f"{file}: {file.stat().st_size:,} bytes", markup=False, soft_wrap=True)


def _planned(game: GameSpec, options: dict[str, Any], given: dict[str, int]) -> tuple[Any, Any]:
    """Return the class of training for a game with these options, and its plan.

    Writes nothing. Raises OptionError if they can't be learned.
    """
    from bosquet.bots.learned import looks_ahead
    from bosquet.lab.training import Plan, Training
    from bosquet.search.learned_model import is_learnable, required_model
    from bosquet.search.learned_weights import variants_of

    if looks_ahead(game.name, options):
        module: Any = game.module("solitaire.training")
        if wrong := given.keys() - {"seed", "rounds", "samples"}:
            raise OptionError(f"--{min(wrong)} is not for this game: it is learned without a search, on one core")
        return module.Training, module.Plan(**given)
    if is_learnable(game.name, options):
        variants = variants_of(required_model(game.name), options)
        return Training, Plan(game=game.name, players=options["players"], variants=variants, **given)
    raise OptionError(f"there is no training for this game with these options; so far {_learned()} can be learned")


def _learned() -> str:
    from bosquet.bots.learned import trained

    return "; ".join(trained())
