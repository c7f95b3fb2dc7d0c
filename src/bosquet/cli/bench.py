"""`bosquet bench`: how fast random play is, beside others."""

from __future__ import annotations

import math
import os
from enum import StrEnum
from typing import Annotated, Any

import typer

from bosquet.cli.options import (
    GameName,
    JsonOption,
    given_box,
    given_options,
)
from bosquet.cli.output import INTERRUPTED, err, out, print_json, progress
from bosquet.core.errors import OptionError
from bosquet.core.installed import names, spec
from bosquet.drawing.tables import Rows


class Peers(StrEnum):
    """Which environments of others `bench --env` measures."""

    INSTALLED = "installed"
    REQUIRED = "required"
    NONE = "none"


def bench(
    context: typer.Context,
    game: Annotated[GameName | None, typer.Argument(help="Which game.", show_default="all")] = None,
    players: Annotated[
        int | None,
        typer.Option("--players", "-n", help="How many seats.", show_default="all; with --env the game's own"),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Threads.", show_default="one, then one a core")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="How long to measure each row.")] = 2.0,
    env: Annotated[bool, typer.Option("--env", help="Measure batches of environments instead.")] = False,
    baselines: Annotated[
        Peers, typer.Option("--peers", help="With --env: measure beside the environments of others.")
    ] = Peers.INSTALLED,
    masks: Annotated[
        bool, typer.Option("--masks/--no-masks", help="With --env: masks of legal actions besides their lists.")
    ] = True,
    json: JsonOption = False,
) -> None:
    """Measure uniformly random play: decisions and games a second, beside OpenSpiel's C++ connect_four.

    Every legal move is written out, one is drawn; dealing and scoring are counted in. With --env: steps a second of our
    batches, beside Pgx, OpenSpiel, PettingZoo and RLCard from Python; observations and legal actions are written, too.
    """
    from bosquet.core.spec import check_options
    from bosquet.lab.bench import bench as measure

    given = given_options(context, players)
    if env:
        if given_box(context) is not None:
            raise OptionError("--box is not for --env: environments have the box of the house")
        _bench_env(
            [game] if game else list(names()), given, [threads] if threads else None, seconds, baselines, masks, json
        )
        return
    counts = [threads] if threads else sorted({1, os.cpu_count() or 1})
    todo = [
        (measured, check_options(measured, given | {"players": number}))
        for measured in ([spec(game)] if game else map(spec, names()))
        for number in ([players] if players else sorted(measured.options["players"]))
    ]
    box = given_box(context)
    if game is not None:
        spec(game).new_state(todo[0][1], box)  # refuses a box where all games would only leave it out
    rows = []
    stopped = False
    err.print(f"measuring {len(todo) * len(counts)} rows, {seconds:g} s each")
    try:
        with progress("measuring", len(todo) * len(counts)) as step:
            for row in measure(todo, counts, seconds, box):
                rows.append(row)
                step()
    except KeyboardInterrupt:
        stopped = True
        err.print("stopped; these rows are done:")
    if json:
        print_json(rows)
    else:
        _print_bench(rows)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _print_bench(rows: list[dict[str, Any]]) -> None:
    numbers = ["threads", "decisions/s", "games/s", "× peer", "noise"]
    shown = Rows(["game", "options"], numbers, "Uniformly random play")
    for row in rows:
        options = ", ".join(
            name if value is True else f"{value} {name}" for name, value in row["options"].items() if value
        )
        shown.add(
            row["game"],
            options,
            str(row["threads"]),
            f"{row['decisions_per_s']:,.0f}",
            f"{row['games_per_s']:,.0f}",
            f"{row['ratio']:.2f}" if "ratio" in row else "–",
            f"{row['noise']:.2f}",
        )
    out.print(shown)
    baselines = [row["peer_decisions_per_s"] for row in rows if "peer" in row]
    if baselines:
        baseline = (
            f"peer: {rows[0]['peer']}, {min(baselines):,.0f} to {max(baselines):,.0f} moves/s in this run, one thread"
        )
        out.print(baseline, style="dim")
    else:
        out.print("no peer: install open_spiel to see the ratio", style="dim")
    out.print("noise: slowest over fastest run of one small loop; 1.00 is a quiet machine", style="dim")


def _bench_env(
    games: list[str],
    given: dict[str, Any],
    counts: list[int] | None,
    seconds: float,
    wanted: Peers,
    masks: bool,
    json: bool,
) -> None:
    """Run `bench --env`: each game for two, or with the options that were given."""
    from bosquet.core.spec import check_options
    from bosquet.core.system.extras import group_remedy
    from bosquet.lab.env_bench import BATCHES, Ours, held_cores, installed_peers, race, required_peers
    from bosquet.lab.isolated import usable_cores

    ours = [Ours(name, check_options(spec(name), given), batch, masks) for name in map(str, games) for batch in BATCHES]
    baselines, missing = (required_peers(), []) if wanted is Peers.REQUIRED else installed_peers()
    if wanted is Peers.NONE:
        baselines, missing = [], []
    counts = counts or sorted({1, len(usable_cores())})
    held_cores(max(counts))
    cores = " and ".join(map(str, counts))
    err.print(f"measuring {len(ours)} batches beside {len(baselines)} environments of others, on {cores} cores")
    rows: list[dict[str, Any]] = []
    stopped = False
    try:
        with progress("measuring", len(baselines) * len(counts)) as step:
            for count in counts:
                rows += race(ours, baselines, count, seconds, step)
    except KeyboardInterrupt:
        stopped = True
        err.print("stopped; these rows are done:")
    rows += [{"what": library.name, "missing": group_remedy("peers", library.packages)} for library in missing]
    if json:
        print_json(rows)
    else:
        _print_bench_env(rows)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _print_bench_env(rows: list[dict[str, Any]]) -> None:
    measured = [row for row in rows if "missing" not in row]
    numbers = ["batch", "cores", "median", "range", "× best peer"]
    shown = Rows(["environment"], numbers, "Thousands of uniformly random steps a second")
    for row in measured:
        least, most = (f"{speed / 1000:,.0f}" for speed in row["steps_per_s_range"])
        ratios = [f"{ratio:.3f}" for ratio in row.get("ratio_range", [row.get("ratio", math.nan)])]
        shown.add(
            row["what"],
            str(row["batch"]),
            str(row["cores"]),
            f"{row['steps_per_s'] / 1000:,.0f}",
            f"{least}–{most}",
            "–".join(ratios) if "ratio" in row else "",
        )
    out.print(shown)
    for row in rows:
        if "missing" in row:
            out.print(f"{row['what']} is not installed: {row['missing']}", style="dim", markup=False)
    if measured:
        busy = [row["busy"] for row in measured]
        note = f"each was busy for {min(busy):.2f} to {max(busy):.2f} of its cores' time; 1.00 is a quiet machine"
        out.print(note, style="dim")
