"""`bosquet puzzles`: positions in which one turn is clearly the best, from games between bots."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.options import ForceOption, JsonOption
from bosquet.cli.output import INTERRUPTED, err, out, print_json, progress, stopping_once
from bosquet.core.installed import names, spec

DEFAULT_SEED = 1
EACH_GAME = [",".join(names())]


def puzzles(
    file: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.jsonl", help="Write the puzzles to this file.")],
    games: Annotated[list[str], typer.Option("--games", "-g", help="Which games, with commas between.")] = EACH_GAME,
    count: Annotated[
        int, typer.Option("--count", "-c", min=1, help="How many puzzles of each game and of each difficulty.")
    ] = 10,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Grade those of the file again, and drop what greedy finds; make none.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same puzzles.")] = DEFAULT_SEED,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Let bots play, and write the positions in which one turn is clearly the best.

    Ctrl-C keeps what is made. The same command with the same file, or with a greater count, goes on. One thread.
    """
    from bosquet.lab.puzzles.puzzle import GRADES
    from bosquet.lab.puzzles.writing import write

    if regrade:
        _regrade(file, json=json)
        return
    chosen = [spec(name.strip()).name for name in ",".join(games).split(",")]
    looked = {game: {"games": 0, "positions": 0, "kept": 0, "seconds": 0.0} for game in chosen}
    last = time.process_time()
    with (
        progress("looking for puzzles", count * len(GRADES) * len(chosen)) as step,
        stopping_once("games", lambda: any(sums["games"] for sums in looked.values())) as stopping,
    ):
        for game, found in write(file, chosen, count, seed, stopping, force=force):
            now = time.process_time()
            sums = looked[game]
            sums["games"] += 1
            sums["positions"] += found.positions
            sums["seconds"] = round(sums["seconds"] + now - last, 3)
            last = now
            if found.puzzle is not None:
                sums["kept"] += 1
                step()
        stopped = stopping()
    if json:
        print_json({"file": str(file), "seed": seed, "games": looked})
    else:
        for game, sums in looked.items():
            text = f"{spec(game).title}: {sums['kept']} made, of {sums['positions']} positions in {sums['games']} games"
            out.print(f"{text}, {sums['seconds']:.0f} s of a processor", markup=False, soft_wrap=True)
    if stopped:
        err.print("stopped; the same command goes on")
        raise typer.Exit(INTERRUPTED)


def _regrade(file: Path, *, json: bool) -> None:
    """Grade the puzzles of a file again, and say how many there are of each grade."""
    from bosquet.lab.puzzles.files import read
    from bosquet.lab.puzzles.puzzle import GRADES
    from bosquet.lab.puzzles.writing import regrade

    grades: Counter[str] = Counter()
    with progress("grading puzzles", len(read(file))) as step:
        for puzzle in regrade(file):
            grades["dropped" if puzzle is None else puzzle.grade] += 1
            step()
    told = {name: grades[name] for name in (*GRADES, "dropped")}
    if json:
        print_json({"file": str(file), "grades": told})
    else:
        out.print(", ".join(f"{count} {name}" for name, count in told.items()))
