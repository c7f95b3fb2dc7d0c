"""The command line: `bosquet serve · play · simulate · arena · replay · score · bench`. Contracts: docs/records.md."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

import bosquet
from bosquet.core import fair
from bosquet.core.chance import Chance, fresh_seed
from bosquet.core.errors import BosquetError, OptionError, RecordError
from bosquet.core.game import Game, check_options
from bosquet.core.record import Line, begin, finish, make, read_lines
from bosquet.games import NAMES, rules

INTERRUPTED = 130

app = typer.Typer(
    name="bosquet",
    help="Topiary, Topas and Der Prestel Schlossgarten, played exactly by their rules.",
    epilog="Plain [bold]bosquet[/bold] opens the page; for the terminal: [bold]bosquet play topiary -b greedy[/bold]",
    rich_markup_mode="rich",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False, soft_wrap=True)

GameName = StrEnum("GameName", {name: name for name in NAMES})  # type: ignore[misc]


class Peers(StrEnum):
    """Which environments of others `bench --env` measures."""

    INSTALLED = "installed"
    REQUIRED = "required"
    NONE = "none"


GameArgument = Annotated[GameName, typer.Argument(help="Which game.", show_default=False)]
PlayersOption = Annotated[
    int | None, typer.Option("--players", "-n", help="How many seats. [default: 2]", show_default=False)
]
DraftOption = Annotated[bool, typer.Option("--draft", help="Topiary: with the draft of the leftover tiles.")]
ExpertOption = Annotated[bool, typer.Option("--expert", help="Topas: rows are multiplied.")]
DeckOption = Annotated[
    Path | None, typer.Option("--deck", help="Schlossgarten: a file of constellation cards.", show_default=False)
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="The same seed deals the same games.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
FileArgument = Annotated[Path, typer.Argument(help="A record, or JSON Lines of records.", show_default=False)]


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Topiary, Topas and Der Prestel Schlossgarten, played exactly by their rules."""
    if version:
        out.print(bosquet.__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve()


@app.command()
def serve(
    host: Annotated[str, typer.Option("--host", help="Who may come: 127.0.0.1 is this machine alone.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="[default: 8642, or the next that is free]", show_default=False),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="The folder of the tables. [default: the user's data folder]", show_default=False),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="What it is called, as behind a proxy; repeat it for more.", show_default=False),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """The table on the network: play in the browser, with friends and bots. Plain `bosquet` does this, too."""
    from bosquet.server.serve import PORT, data_folder
    from bosquet.server.serve import serve as run

    run(host, PORT if port is None else port, data or data_folder(), not no_browser, name or ())


@app.command()
def play(
    game: Annotated[GameName | None, typer.Argument(help="Which game.", show_default=False)] = None,
    players: PlayersOption = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            "-b",
            help="Bots for all seats but yours, for instance `greedy` or `greedy,random`.",
            show_default=False,
        ),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats", help="Who sits where: bots, and anybody's names. `Ann,greedy,Bob`.", show_default=False
        ),
    ] = None,
    draft: DraftOption = False,
    expert: ExpertOption = False,
    deck: DeckOption = None,
    seed: SeedOption = None,
    load: Annotated[
        Path | None, typer.Option("--load", help="Go on with a game that was saved.", show_default=False)
    ] = None,
) -> None:
    """Play at this terminal: alone against bots, or several people at one screen.

    Without bots every seat is somebody here; a screen between the hands keeps them hidden.
    """
    from bosquet.terminal.table import Table, choose_table, names_of, seat_names

    if load is not None:
        saved = bosquet.read(load)
        _run_table(Table(saved, seat_names(saved.players, seats, bots, names_of(saved))))
    elif game is None:
        _run_table(choose_table())
    else:
        options = _options(players, draft, expert)
        started = bosquet.new(game, seed=seed, deck=deck, **options)
        _run_table(Table(started, seat_names(started.players, seats, bots)))


def _run_table(table: Any) -> None:
    """Play at a table to the end, or until its people leave it."""
    raise typer.Exit(0 if table.run() else INTERRUPTED)


@app.command()
def simulate(
    game: GameArgument,
    players: PlayersOption = None,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 100,
    bots: Annotated[str, typer.Option("--bots", "-b", help="The bots, repeated to fill the seats.")] = "greedy",
    seed: SeedOption = None,
    draft: DraftOption = False,
    expert: ExpertOption = False,
    deck: DeckOption = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write a record a line to this file.", show_default=False)
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes. [default: one a core]", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    """Let bots play many games, on all cores; show the mean and spread of scores and the wins by seat."""
    from bosquet.lab.matches import Match, Table, outcomes

    options = _options(players, draft, expert)
    chosen = fresh_seed() if seed is None else seed
    match = Match(str(game), options, bots.split(","), chosen, deck).checked()
    table = Table(match)
    started = time.perf_counter()
    stopped = False
    try:
        with _writer(records) as write, _progress("playing", games) as step:
            for outcome in outcomes(match, games, workers):
                write(outcome.record)
                table.add(outcome)
                step()
    except KeyboardInterrupt:
        stopped = True
    seconds = time.perf_counter() - started
    if json:
        data = table.to_json() | {"seconds": round(seconds, 3)}
        sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    else:
        _print_simulation(table, seconds)
    if stopped:
        err.print(f"stopped after {table.games} of {games} games")
        raise typer.Exit(INTERRUPTED)


def _print_simulation(table: Any, seconds: float) -> None:
    match = table.match
    variant = "".join(f", {name}" for name, value in match.options.items() if value is True)
    title = f"{rules(match.game).TITLE}{variant} · {table.games} games · seed {match.seed}"
    shown = RichTable(title=title, title_justify="left", title_style="bold")
    shown.add_column("seat")
    shown.add_column("bot")
    for name in ("mean", "spread", "least", "most", "wins"):
        shown.add_column(name, justify="right")
    for seat, tally in enumerate(table.seats):
        shown.add_row(
            str(seat),
            match.bots[seat],
            f"{tally.mean:.2f}",
            f"{tally.deviation:.2f}",
            str(tally.low),
            str(tally.high),
            f"{tally.wins:.1f} ({100 * tally.wins / max(table.games, 1):.1f} %)",
        )
    out.print(shown)
    out.print(f"{seconds:.1f} s; the spread is the standard deviation, a shared win counts in part", style="dim")


@app.command()
def arena(
    game: GameArgument,
    players: PlayersOption = None,
    bots: Annotated[str, typer.Option("--bots", "-b", help="The bots, with commas between.")] = "greedy,random",
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, help="Games for each pair, rounded up to whole deals.")
    ] = 100,
    seed: SeedOption = None,
    draft: DraftOption = False,
    expert: ExpertOption = False,
    deck: DeckOption = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop as soon as a test of these two Elo differences decides; two more numbers are its error rates.",
            show_default=False,
        ),
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write a record a line to this file.", show_default=False)
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--out", help="Keep the match in this folder, or go on with it.", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the Elo of the bots to this SVG file.", show_default=False)
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes. [default: one a core]", show_default=False)
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; `local` starts one.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Let bots play matches on mirrored deals: who is better, and by how much.

    Each deal is played from every seat. More than two bots meet in pairs, or all at one table that has a seat for each.
    """
    from bosquet.lab import plot as drawing
    from bosquet.lab.arena import Arena, Folder, kept_seed, played
    from bosquet.lab.standings import Standings

    if plot is not None:
        drawing.check(plot)
    if seed is None:
        seed = kept_seed(folder) if folder is not None else None
    chosen = fresh_seed() if seed is None else seed
    options = _options(players, draft, expert)
    match = Arena(str(game), options, bots.split(","), games, chosen, deck, _hypotheses(sprt)).checked()
    standings = Standings(match)
    started = time.perf_counter()
    with ExitStack() as stack:
        kept = stack.enter_context(Folder(folder, match)) if folder is not None else None
        write = stack.enter_context(_writer(records))
        step = stack.enter_context(_progress("deals", match.deals))
        stopping = stack.enter_context(_stopping())
        deals = stack.enter_context(closing(played(match, workers, ray, kept, stopping)))
        _count(deals, standings, write, step)
    seconds = time.perf_counter() - started
    if json:
        data = standings.to_json() | {"seconds": round(seconds, 3)}
        sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    else:
        _print_arena(standings, seconds)
    if plot is not None and standings.deals:
        drawing.forest(plot, _arena_title(standings), match.bots, standings.ratings())
    if standings.deals < match.deals and not standings.decided:
        err.print(f"stopped after {standings.deals} of {match.deals} deals")
        raise typer.Exit(INTERRUPTED)


def _count(deals: Any, standings: Any, write: Callable[[bytes], object], step: Callable[[], None]) -> None:
    """Write and count deals to the last, or until the test has its answer."""
    for deal in deals:
        for outcome in deal.games:
            write(outcome.record)
        standings.add(deal)
        step()
        if standings.decided:
            return


def _hypotheses(text: str | None) -> Any:
    """The test that `--sprt` asks for. Raises OptionError."""
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


def _arena_title(standings: Any) -> str:
    match = standings.arena
    variant = "".join(f", {name}" for name, value in match.options.items() if value is True)
    seats = "alone" if match.players == 1 else f"{match.players} players"
    return f"{rules(match.game).TITLE}, {seats}{variant} · {standings.games} games, {standings.deals} deals"


def _print_arena(standings: Any, seconds: float) -> None:
    match = standings.arena
    out.print(f"{_arena_title(standings)} · seed {match.seed}", style="bold")
    if standings.deals == 0:
        return
    out.print(_bots_table(standings))
    if len(match.bots) == 2:
        one, other = match.bots
        out.print(f"{one} against {other}: {_interval(standings.elo(0), '+.0f')} Elo, ", end="")
        out.print(f"{_interval(standings.difference(0), '+.2f')} points a game")
    if match.players > 1:
        for seat in range(match.players):
            wins, points = standings.seat(seat)
            out.print(f"seat {seat}: wins {_interval(wins.scaled(100))} %, points {_interval(points)}")
    if standings.sprt:
        out.print(_verdict(standings.sprt))
    even = 1 / (2 if match.players == 2 else len(match.bots))
    out.print(f"{seconds:.1f} s; brackets are 95 % intervals; equal bots would win {100 * even:.0f} %", style="dim")


def _bots_table(standings: Any) -> RichTable:
    shown = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    shown.add_column("bot", overflow="fold")
    for name in ("wins %", "points", "Elo", "OpenSkill"):
        shown.add_column(name, justify="right", no_wrap=True)
    bots = zip(standings.arena.bots, standings.ratings(), standings.skills(), strict=True)
    for bot, (name, elo, skill) in enumerate(bots):
        wins = standings.win_rate(bot).scaled(100)
        points = standings.points(bot)
        shown.add_row(
            name, _interval(wins), f"{points.value:.2f}", _interval(elo, "+.0f"), f"{skill.mu:.1f}±{skill.sigma:.1f}"
        )
    return shown


def _interval(estimate: Any, form: str = ".1f") -> str:
    """A number and its interval; an infinite end has no number."""
    value, low, high = (
        f"{n:{form}}" if math.isfinite(n) else "∞" if n > 0 else "-∞" if n < 0 else "–" for n in estimate
    )
    return escape(f"{value} [{low}, {high}]")


def _verdict(sprt: Any) -> str:
    low, high = sprt.hypotheses.bounds
    asked = f"elo0 {sprt.hypotheses.elo0:g}, elo1 {sprt.hypotheses.elo1:g}"
    said = f"decided for {sprt.decision}" if sprt.decision else "not decided"
    return f"SPRT of {asked}: {said} after {sprt.deals} deals; LLR {sprt.ratio:.2f}, bounds {low:.2f} and {high:.2f}"


@app.command()
def replay(
    file: FileArgument,
    trace: Annotated[bool, typer.Option("--trace", help="Print every decision as JSON Lines.")] = False,
    verify_deal: Annotated[
        bool, typer.Option("--verify-deal", help="Deal anew from the revealed secret and the players' nonces, too.")
    ] = False,
) -> None:
    """Replay records move by move and check everything that they say.

    Exit code 0 if all are right; otherwise 1, and a line for each wrong record: file, line, ply, what is wrong and
    what would be right.
    """
    right = wrong = 0
    for index, line in enumerate(_lines(file)):
        try:
            if trace:
                _trace(index, line)
            else:
                game = bosquet.load(line.decode())
                if verify_deal:
                    fair.verify(game)
            right += 1
        except RecordError as error:
            wrong += 1
            _complain(f"{file}:{line.number}: {error}")
    if not trace:
        fairly = ", dealt as promised" if verify_deal else ""
        out.print(f"{right} of {right + wrong} records right" if wrong else f"{right} records, all right{fairly}")
    if right + wrong == 0:
        _fail(f"{file}: there is no record in it")
    if wrong:
        raise typer.Exit(1)


def _trace(index: int, line: Line) -> None:
    """Print a line for each decision of a record, and one for its result."""
    record = line.decode()
    game, moves = begin(record, rules)
    for ply, move in enumerate(moves):
        row = {
            "game": index,
            "ply": ply,
            "seat": game.seat,
            "legal": game.legal(),
            "move": move,
            "scores": game.scores,
        }
        make(game, ply, move)
        sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    finish(game, record)
    sys.stdout.write(msgspec.json.encode({"game": index, "result": game.result}).decode() + "\n")


@app.command()
def score(file: FileArgument, json: JsonOption = False) -> None:
    """Show the score sheet of a record: where every point comes from."""
    from bosquet.terminal import draw_sheet
    from bosquet.terminal.table import names_of

    for game in _games(file):
        sheet = game.score_sheet()
        if json:
            sys.stdout.write(msgspec.json.encode(sheet).decode() + "\n")
        else:
            out.print(draw_sheet(sheet, names_of(game)))


@app.command()
def analyse(
    file: FileArgument,
    simulations: Annotated[
        int, typer.Option("--simulations", min=1, max=1_000_000, help="How long each candidate is looked at.")
    ] = 400,
    luck: Annotated[
        int, typer.Option("--luck", min=0, help="Also let bots play the same deal so often, and compare.")
    ] = 0,
    json: JsonOption = False,
) -> None:
    """Ask the coach: the course of a game, what each decision lost against the best, and why.

    What counts is what the seat could know; what it cost in hindsight stands beside it. Of a game that still runs, the
    best next moves are shown, too.
    """
    from bosquet.lab import coach
    from bosquet.terminal.analysis import draw_report
    from bosquet.terminal.table import names_of

    for game in _games(file):
        made = []
        with _progress("thinking", len(coach.decisions(game))) as step:
            for decision in coach.analyse(game, simulations):
                made.append(decision)
                step()
        report = coach.report(game, made)
        row: dict[str, Any] = {"report": report}
        if not json:
            out.print(draw_report(report, names_of(game)))
        _analyse_rest(game, simulations, luck, row, json)
        if json:
            sys.stdout.write(msgspec.json.encode(row).decode() + "\n")


def _analyse_rest(game: Any, simulations: int, luck: int, row: dict[str, Any], json: bool) -> None:
    """The best next moves of a game that runs; the luck receipt of one that is over. Adds them to `row`."""
    from bosquet.lab import coach
    from bosquet.lab.luck import receipt, replayed
    from bosquet.terminal.analysis import draw_choices, draw_receipt
    from bosquet.terminal.table import names_of

    if game.seat is not None:
        row["best"] = coach.best(game.view(game.seat), Chance("analyse"), simulations)
        if not json:
            out.print(draw_choices(row["best"], game.seat, names_of(game)[game.seat]))
    elif luck:
        played = []
        with _progress("playing the deal again", luck) as step:
            for again in replayed(game, luck):
                played.append(again)
                step()
        row["luck"] = receipt(game, played)
        if not json:
            out.print(draw_receipt(row["luck"], names_of(game)))


@app.command()
def bench(
    game: Annotated[GameName | None, typer.Argument(help="Which game. [default: all]", show_default=False)] = None,
    players: PlayersOption = None,
    draft: DraftOption = False,
    expert: ExpertOption = False,
    deck: DeckOption = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="[default: one, then one a core]", show_default=False)
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="How long to measure each row.")] = 2.0,
    env: Annotated[bool, typer.Option("--env", help="Measure batches of environments instead.")] = False,
    peers: Annotated[
        Peers, typer.Option("--peers", help="With --env: measure beside the environments of others.")
    ] = Peers.INSTALLED,
    json: JsonOption = False,
) -> None:
    """Measure uniformly random play: decisions and games a second, beside OpenSpiel's C++ connect_four.

    Every legal move is written out, one is drawn; dealing and scoring are counted in. With --env: steps a second of our
    batches, beside Pgx, OpenSpiel, PettingZoo and RLCard from Python; observations and masks are written, too.
    """
    from bosquet.lab.bench import bench as measure

    given = _options(players, draft, expert)
    if env:
        if deck is not None:
            raise OptionError("--deck is not for --env: environments have the deck of the house")
        _bench_env([game] if game else list(NAMES), given, [threads] if threads else None, seconds, peers, json)
        return
    counts = [threads] if threads else sorted({1, os.cpu_count() or 1})
    todo = [
        (measured, check_options(measured, given | {"players": number}))
        for measured in ([rules(game)] if game else map(rules, NAMES))
        for number in ([players] if players else sorted(measured.OPTIONS["players"]))
    ]
    rows = []
    try:
        with _progress("measuring", len(todo) * len(counts)) as step:
            for row in measure(todo, counts, seconds, deck):
                rows.append(row)
                step()
    except KeyboardInterrupt:
        err.print("stopped; these rows are done:")
    if json:
        sys.stdout.write(msgspec.json.encode(rows).decode() + "\n")
    else:
        _print_bench(rows)


def _print_bench(rows: list[dict[str, Any]]) -> None:
    shown = RichTable(title="Uniformly random play", title_justify="left", title_style="bold")
    for name in ("game", "options"):
        shown.add_column(name)
    for name in ("threads", "decisions/s", "games/s", "× peer", "noise"):
        shown.add_column(name, justify="right")
    for row in rows:
        options = ", ".join(
            name if value is True else f"{value} {name}" for name, value in row["options"].items() if value
        )
        shown.add_row(
            row["game"],
            options,
            str(row["threads"]),
            f"{row['decisions_per_s']:,.0f}",
            f"{row['games_per_s']:,.0f}",
            f"{row['ratio']:.2f}" if "ratio" in row else "–",
            f"{row['noise']:.2f}",
        )
    out.print(shown)
    peers = [row["peer_decisions_per_s"] for row in rows if "peer" in row]
    if peers:
        peer = f"peer: {rows[0]['peer']}, {min(peers):,.0f} to {max(peers):,.0f} moves/s in this run, one thread"
        out.print(peer, style="dim")
    else:
        out.print("no peer: install open_spiel to see the ratio", style="dim")
    out.print("noise: slowest over fastest run of one small loop; 1.00 is a quiet machine", style="dim")


def _bench_env(
    games: list[str], given: dict[str, Any], counts: list[int] | None, seconds: float, wanted: Peers, json: bool
) -> None:
    """`bench --env`: each game for two, or with the options that were given."""
    from bosquet.lab.env_bench import BATCHES, Ours, installed_peers, race, required_peers
    from bosquet.lab.pinned import usable_cores

    ours = [Ours(name, check_options(rules(name), given), batch) for name in map(str, games) for batch in BATCHES]
    peers, missing = (required_peers(), []) if wanted is Peers.REQUIRED else installed_peers()
    if wanted is Peers.NONE:
        peers, missing = [], []
    counts = counts or sorted({1, len(usable_cores())})
    rows: list[dict[str, Any]] = []
    stopped = False
    try:
        with _progress("measuring", len(peers) * len(counts)) as step:
            for count in counts:
                rows += race(ours, peers, count, seconds, step)
    except KeyboardInterrupt:
        stopped = True
        err.print("stopped; these rows are done:")
    rows += [{"what": library.name, "missing": library.install} for library in missing]
    if json:
        sys.stdout.write(msgspec.json.encode(rows).decode() + "\n")
    else:
        _print_bench_env(rows)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _print_bench_env(rows: list[dict[str, Any]]) -> None:
    measured = [row for row in rows if "missing" not in row]
    out.print("Thousands of uniformly random steps a second", style="bold")
    shown = RichTable(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    shown.add_column("environment", overflow="fold")
    for name in ("batch", "cores", "median", "range", "× best peer"):
        shown.add_column(name, justify="right", no_wrap=True)
    for row in measured:
        least, most = (f"{speed / 1000:,.0f}" for speed in row["steps_per_s_range"])
        ratios = [f"{ratio:.3f}" for ratio in row.get("ratio_range", [row.get("ratio", math.nan)])]
        shown.add_row(
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


# --- what the commands share ---


def _options(players: int | None, draft: bool, expert: bool) -> dict[str, Any]:
    """The options that were given; the game refuses one that it does not have."""
    given = {"players": players, "draft": draft or None, "expert": expert or None}
    return {name: value for name, value in given.items() if value is not None}


def _lines(file: Path) -> Iterator[Line]:
    """The records of a file."""
    if file.is_dir():
        _fail(f"{file}: is a folder; name a file of records")
    yield from read_lines(file)


def _games(file: Path) -> Iterator[Game]:
    """The games of a file of records; what is wrong with a record is complained of.

    After the last, ends with exit code 1 if any was wrong or there was none.
    """
    wrong = count = 0
    for line in _lines(file):
        count += 1
        try:
            game = bosquet.load(line.decode())
        except RecordError as error:
            wrong += 1
            _complain(f"{file}:{line.number}: {error}")
        else:
            yield game
    if count == 0:
        _fail(f"{file}: there is no record in it")
    if wrong:
        raise typer.Exit(1)


def _complain(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(message + "\n")


def _fail(message: str) -> NoReturn:
    """Say what is wrong and stop."""
    _complain(message)
    raise typer.Exit(1)


@contextmanager
def _writer(path: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Writes lines to a file, or nowhere."""
    if path is None:
        yield lambda line: None
        return
    try:
        file = open(path, "wb")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise BosquetError(f"{path}: can't be written: {error.strerror}") from None
    with file:
        yield file.write


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks to stop, once: what is under way is finished. Ctrl-C again stops at once."""
    asked = False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.write(sys.stderr.fileno(), b"\nstopping when the deals under way are done; Ctrl-C again stops at once\n")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, if that is a terminal; gives the function that counts one on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def main() -> None:
    """Run the command line: errors are one line and exit code 1, Ctrl-C is exit code 130."""
    try:
        app()
    except BosquetError as error:
        _complain(f"bosquet: {error}")
        sys.exit(1)
    except KeyboardInterrupt:
        _complain("bosquet: stopped")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output is gone: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
