"""`bosquet evaluate`: the number of a bot in a frozen suite, and result files verified."""

from __future__ import annotations

from contextlib import ExitStack, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bosquet.cli.options import (
    BotLogOption,
    BotMemoryOption,
    BotSecondsOption,
    ForceOption,
    GameName,
    JsonOption,
    WorkersOption,
    complete_bots,
)
from bosquet.cli.output import (
    INTERRUPTED,
    err,
    interval,
    out,
    print_forfeits,
    print_json,
    progress,
    report_forfeits,
    stopping_once,
)
from bosquet.core.errors import OptionError, quoted
from bosquet.core.installed import spec
from bosquet.drawing.tables import Rows

if TYPE_CHECKING:
    from bosquet.lab.standings import Standings
    from bosquet.lab.suite.evaluation import Evaluation

REMEDY = "remove it, or name another file"
REMADE = 20
"""Games whose moves are made again where nothing else is said."""


def evaluate(
    game: Annotated[GameName | None, typer.Argument(help="Which game.", show_default=False)] = None,
    players: Annotated[int, typer.Option("--players", "-n", help="How many seats.")] = 2,
    bot: Annotated[
        str | None,
        typer.Option("--bot", "-b", autocompletion=complete_bots, help="Which bot; yours, too.", show_default=False),
    ] = None,
    suite: Annotated[str, typer.Option("--suite", help="Which suite.")] = "v1",
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-g", min=1, help="Play fewer games against each opponent: a partial result.", show_default=False
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the result file.", show_default=False)
    ] = None,
    force: ForceOption = False,
    verify: Annotated[
        Path | None, typer.Option("--verify", metavar="FILE", help="Verify a result file.", show_default=False)
    ] = None,
    remake: Annotated[
        int, typer.Option("--remake", min=0, help="With --verify, games drawn in which moves are made again.")
    ] = REMADE,
    workers: WorkersOption = None,
    bot_seconds: BotSecondsOption = 10.0,
    bot_memory: BotMemoryOption = 4096,
    bot_log: BotLogOption = None,
    json: JsonOption = False,
) -> None:
    """Measure a bot in a suite that never changes: one number with its interval, to be compared and cited.

    Every deal is played against each opponent of the suite, from every seat. A run that was stopped goes on when the
    same command is given again. `--verify` replays a result file; with `--bot` the moves of the bot are made again,
    too.
    """
    from bosquet.bots.outside import Limits
    from bosquet.bots.program import keep_log
    from bosquet.terminal.bot_names import bot_asked

    keep_log(bot_log, force=force)
    limits = Limits(bot_seconds, bot_memory)
    named = None if bot is None else bot_asked(bot)
    if verify is not None:
        if game is not None or file is not None or games is not None:
            raise OptionError("--verify takes what was played from the file; leave out the game, --games and --out")
        _verify(verify, remake, named, workers, limits, json=json)
        return
    if game is None or named is None:
        raise OptionError("name a game and a --bot, or a result file with --verify")
    from bosquet.core.system.files import check_free
    from bosquet.lab.suite.evaluation import Evaluation

    if file is not None:
        check_free(file, force=force)
    evaluation = Evaluation.of(suite, str(game), players, named, games, limits)
    _play(evaluation, file, workers, force=force, json=json)


def _play(evaluation: Evaluation, file: Path | None, workers: int | None, *, force: bool, json: bool) -> None:
    """Play the games of an evaluation; write and print its result."""
    from bosquet.lab.arena import Folder, played
    from bosquet.lab.standings import Standings
    from bosquet.lab.suite.evaluation import parts_of, write

    match = evaluation.arena()
    standings = Standings(match)
    with ExitStack() as stack:
        kept = stack.enter_context(nullcontext() if file is None else Folder(parts_of(file), match, REMEDY))
        step = stack.enter_context(progress("deals", evaluation.deals))
        stopping = stack.enter_context(stopping_once("deals", lambda: standings.deals or (kept and kept.grows)))
        for deal in stack.enter_context(closing(played(match, workers, None, kept, stopping, records=False))):
            for number, outcome in enumerate(deal.games):
                report_forfeits(f"deal {deal.number}, game {number}", standings.seated(number), outcome.forfeits)
            standings.add(deal)
            step()
    if standings.deals < evaluation.deals:
        more = "" if file is None else "; the same command goes on"
        err.print(f"stopped after {standings.deals} of {evaluation.deals} deals{more}")
        raise typer.Exit(INTERRUPTED)
    result = evaluation.result(standings)
    if file is not None:
        write(file, evaluation, result, force=force)
    _print(evaluation, standings, result, {}, json=json)


def _verify(path: Path, remake: int, bot: str | None, workers: int | None, limits: Any, *, json: bool) -> None:
    """Verify a result file; print what it says."""
    from bosquet.bots import outside
    from bosquet.core.rng import Rng
    from bosquet.lab.standings import Standings
    from bosquet.lab.suite.verification import ResultFile

    if bot is not None:
        outside.check([bot], limits)
    given = ResultFile(path)
    if bot is not None and not given.is_played_by(bot):
        played = quoted(given.evaluation.bot)
        err.print(f"{quoted(bot)} is not what played: its digest is not the one in the file, of {played}")
    standings = Standings(given.arena)
    who = " and ".join(
        [*(["the opponents"] if given.evaluation.meeting.opponents else []), *(["the bot"] if bot else [])]
    )
    remade = frozenset(Rng().sample(range(given.games), min(remake, given.games) if who else 0))
    with progress("deals", given.evaluation.deals) as step:
        for deal in given.deals(remade, bot, workers, limits):
            standings.add(deal)
            step()
    result = given.check_result(standings)
    _print(given.evaluation, standings, result, {"verified": True, "remade": len(remade)}, json=json)
    if not json:
        again = f"; in {len(remade)} of {given.games} the moves of {who} were made again" if remade else ""
        out.print(f"verified: every game was replayed{again}")


def _print(
    evaluation: Evaluation, standings: Standings, result: dict[str, Any], checked: dict[str, Any], *, json: bool
) -> None:
    meeting = evaluation.meeting
    if json:
        about = {
            "suite": evaluation.suite,
            "game": meeting.game,
            "players": meeting.players,
            "bot": evaluation.bot,
            "deals": evaluation.deals,
            "partial": evaluation.is_partial,
        }
        print_json(about | result | checked)
        return
    seats = "alone" if meeting.players == 1 else f"{meeting.players} players"
    title = f"{spec(meeting.game).title}, {seats} · suite {evaluation.suite} · {evaluation.bot}"
    out.print(title, style="bold", markup=False)
    if meeting.opponents:
        shown = Rows(["against"], ["wins %", "points ahead"])
        for place, opponent in enumerate(meeting.opponents, 1):
            wins, lead = standings.score((0, place)).scaled(100), standings.difference((0, place))
            shown.add(opponent.name, interval(wins), interval(lead, "+.2f"))
        out.print(shown)
    print_forfeits([evaluation.bot], standings.forfeits[:1])
    number = interval(evaluation.number(standings), ".2f")
    out.print(f"{number} {result['unit']}, {standings.games} games, {evaluation.deals} deals", style="bold")
    if evaluation.is_partial:
        out.print(f"partial: {evaluation.deals} of {meeting.deals} deals; no number to cite or submit")
