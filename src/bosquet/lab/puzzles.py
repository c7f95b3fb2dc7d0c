"""Puzzles: positions from games between bots in which one turn is clearly the best.

    for found in puzzles.make(game, seed=1):
        print(found.puzzle)

A game's module `puzzles` says which turns are asked for; in other games every move is a turn of its own. There are two
tasks. `best`: find the turn after which the seat is expected to end furthest ahead of the best other seat. `win`: find
a turn that wins at once. Whatever is hidden from the seat is drawn anew for every simulation; the actual hidden tiles
and cards are never used, except to write the record of the position.

The same settings give the same puzzles, on one thread.
"""

from __future__ import annotations

import functools
import hashlib
import math
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bosquet.bots import choose
from bosquet.bots import make as make_bot
from bosquet.core.errors import BosquetError
from bosquet.core.files import check_free
from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, derived_seed
from bosquet.core.spec import check_options
from bosquet.core.state import NOBODY
from bosquet.lab import coach
from bosquet.lab.compiled_play import CompiledPlay
from bosquet.lab.lock import lock
from bosquet.lab.puzzle_files import VERSION, Grade, Header, Puzzle, PuzzleTask, Result, judge, read_lines, task_of
from bosquet.search import Search, Settings, Task, search_model
from bosquet.search.model import actions_of

FIRST_LOOK = 400
"""Simulations of the search that says whether a position is worth a closer look."""
EACH_TURN = 24
"""Simulations by which every turn is compared."""
CLOSE = 5
"""Turns that are compared more closely."""
BATCH = 150
BATCHES = 4
"""Of each of these turns."""
VERIFYING_SEEDS = (1, 2)
VERIFYING_BATCHES = 8
"""Batches from each of these seeds, of the best turns."""
MARGIN_POINTS = 2.0
"""Points of lead by which the best turn is better, unless the game's module `puzzles` has another `MARGIN`."""
MARGIN_WIN = 0.15
"""By so much it raises the chance to win, where the task is to win at once."""
ERRORS = 4.0
"""Minimum margin in standard errors."""
TRIES = 6
"""Times that each bot tries a puzzle, by which it is graded."""
TRIED_BY = ("greedy", "level2", "level4")
SEATED: dict[PuzzleTask, tuple[str, ...]] = {
    "best": ("level3", "level4", "greedy"),
    "win": ("level1", "level2", "greedy"),
}
"""Who plays the games. Weaker bots overlook more ways to win."""
LOOKED_AT: dict[PuzzleTask, int] = {"best": 6, "win": 24}
"""Turns of a game that are looked at, at most; for `win` the last ones."""
MOST_SITES = 2
"""Places to build on by which a game is won at once, at most."""
EASY_ONE_IN = 8
"""One game in this number may give an easy puzzle, whose answer scores most at once."""
OPEN_FROM, OPEN_TO = 0.03, 0.99
"""A game counts as undecided where the best turn wins at least so often, and the second best at most so often."""


class Found(NamedTuple):
    """A puzzle, or the end of a game that had none, with what was looked at in that game."""

    puzzle: Puzzle | None
    game_index: int
    positions: int
    """Turns of the game that were looked at."""


def is_start(state: Any, game: str) -> bool:
    """Return whether a puzzle may ask for the turn that begins in a state."""
    given: Callable[[Any], bool] | None = getattr(spec(game).module("puzzles"), "is_start", None)
    return state.players > 1 if given is None else given(state)


def margin_of(game: str) -> float:
    """Return the least margin of a game's puzzles in points."""
    return float(getattr(spec(game).module("puzzles"), "MARGIN", MARGIN_POINTS))


def turns(state: Any, game: str) -> list[tuple[int, ...]]:
    """Return every whole turn of the seat to move, as actions; for the task `win` those that win at once."""
    module = spec(game).module("puzzles")
    if module is not None:
        found: list[tuple[int, ...]] = module.wins(state) if task_of(game) == "win" else module.turns(state)
        return found
    moves = [0] * spec(game).rules.MAX_MOVES
    return [(action,) for action in moves[: spec(game).rules.legal(state, moves)]]


def make(game: str, seed: int, first: int = 0) -> Iterator[Found]:
    """Play games between bots without end, and yield for each of them its puzzle, or that it has none."""
    index = first
    while True:
        yield _of_game(game, seed, index)
        index += 1


def _of_game(game: str, seed: int, index: int) -> Found:
    rng = Rng("puzzles", seed, game, index)
    given = [players for players in spec(game).options["players"] if players in (2, 3)]
    players = given[0] if rng.below(4) else given[-1]
    bots = [rng.choice(SEATED[task_of(game)]) for _ in range(players)]
    options = check_options(spec(game), {"players": players})
    player = _player(game, players, tuple(bots))
    dealt = derived_seed("puzzles", seed, game, index)
    played = player.game(dealt, player.play(dealt).actions)
    starts = [plies[0] for plies in coach.decisions(played) if is_start(plies[0].state, game)]
    rng.shuffle(starts)
    if task_of(game) == "win":
        starts.sort(key=lambda ply: -ply.number)
    looked = 0
    for ply in starts[: LOOKED_AT[task_of(game)]]:
        looked += 1
        if task_of(game) == "win":
            judged = _won(game, ply.state)
        else:
            judged = _best(game, ply.state, Rng(dealt, ply.number), easy=index % EASY_ONE_IN == 0)
        if judged is None:
            continue
        puzzle = _puzzle(played, options, ply, judged, [seed, index, ply.number])
        if puzzle.grade != "easy" or index % EASY_ONE_IN == 0:
            return Found(puzzle, index, looked)
    return Found(None, index, looked)


@functools.lru_cache(maxsize=64)
def _player(game: str, players: int, bots: tuple[str, ...]) -> CompiledPlay:
    return CompiledPlay(game, check_options(spec(game), {"players": players}), bots)


class _Judged(NamedTuple):
    """What was found out about a position."""

    answers: list[tuple[int, ...]]
    best: tuple[tuple[int, ...], float, float]
    """A turn, its chance to win and its lead."""
    second: tuple[tuple[int, ...], float, float]
    margin: float
    error: float
    turns: int
    simulations: int


def _puzzle(played: Game, options: dict[str, Any], ply: coach.Ply, judged: _Judged, source: list[int]) -> Puzzle:
    game, state = played.name, ply.state
    puzzle = Puzzle(
        id=hashlib.sha256(repr((game, played.deal, played.moves[: ply.number])).encode()).hexdigest()[:12],
        game=game,
        options=played.spec.options_in_records(options),
        deal=played.deal,
        moves=played.moves[: ply.number],
        seat=state.seat,
        task=task_of(game),
        answers=[_said(played, state, actions) for actions in judged.answers],
        best=_result(played, state, *judged.best),
        second=_result(played, state, *judged.second),
        margin=round(judged.margin, 3),
        error=round(judged.error, 3),
        turns=judged.turns,
        verified="search" if judged.simulations else "exact",
        simulations=judged.simulations,
        found_by={},
        grade="hard",
        source=source,
    )
    return graded(puzzle)


def graded(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with its grade, and the shares of their tries in which bots find the answer."""
    shares = {bot: _share(puzzle, bot) for bot in TRIED_BY}
    if shares["greedy"] > 0.5:
        grade: Grade = "easy"
    elif max(shares.values()) >= 0.5:
        grade = "medium"
    else:
        grade = "hard"
    return msgspec.structs.replace(puzzle, found_by=shares, grade=grade)


def _said(played: Game, state: Any, actions: tuple[int, ...]) -> list[str]:
    said, state = [], state.copy()
    for action in actions:
        said.append(played.spec.notation.to_notation(state, action))
        played.spec.rules.play(state, action)
    return said


def _after(game: str, state: Any, actions: tuple[int, ...]) -> Any:
    """Return the state after some actions; `state` is left as it was."""
    then = state.copy()
    for action in actions:
        spec(game).rules.play(then, action)
    return then


def _gain(game: str, state: Any, actions: tuple[int, ...]) -> int:
    """Return what a turn scores at once."""
    before, after = [0] * 4, [0] * 4
    spec(game).rules.scores(state, before)
    spec(game).rules.scores(_after(game, state, actions), after)
    gain: int = after[state.seat] - before[state.seat]
    return gain


def _result(played: Game, state: Any, actions: tuple[int, ...], win: float, lead: float) -> Result:
    gain, said = _gain(played.name, state, actions), _said(played, state, actions)
    return Result(moves=said, win=round(win, 4), lead=round(lead, 2), gain=gain)


def _share(puzzle: Puzzle, name: str) -> float:
    """Return the share of a bot's tries in which it finds the answer."""
    found = 0
    for attempt in range(TRIES):
        bot = make_bot(name)
        game, rng, moves = puzzle.begun(), Rng("grade", puzzle.id, name, attempt), list[str]()
        while (right := judge(puzzle, game, moves)) is None:
            move = choose(bot, game, rng)
            game.play(move)
            moves.append(move)
        found += right
    return round(found / TRIES, 2)


# --- the turn that wins at once --------------------------------------------------------------------------------------


def _won(game: str, state: Any) -> _Judged | None:
    """Return the ways to win at once, if there are few, and if that matters."""
    rules, seat = spec(game).rules, state.seat
    drawn = spec(game).determinize(state, seat, Rng("puzzle"))
    won = turns(drawn, game)
    if not 1 <= len(won) <= MOST_SITES:
        return None
    search = Search(Settings(simulations=FIRST_LOOK, rounds=0, candidate_dropout=1e-6))
    model = search_model(game)
    others = []
    for result in search.search_from(game, drawn.copy(), Rng("others")).candidates:
        actions = tuple(actions_of(model, drawn, result.candidate))
        if not _wins(game, drawn, actions):
            found = search.evaluate(game, Task(drawn, seat, actions), Rng("second"))
            others.append((actions, found.wins[seat], _lead(found.points, seat)))
        if len(others) == CLOSE:
            break
    if not others:
        return None
    second = max(others, key=lambda other: other[1])
    points = [0] * 4
    rules.scores(_after(game, drawn, won[0]), points)
    margin = 1.0 - second[1]
    if margin < MARGIN_WIN:
        return None
    return _Judged(won, (won[0], 1.0, _lead(points[: state.players], seat)), second, margin, 0.0, len(others) + 1, 0)


def _wins(game: str, state: Any, actions: tuple[int, ...]) -> bool:
    then = _after(game, state, actions)
    return bool(then.seat == NOBODY) and bool(spec(game).rules.winners(then) >> state.seat & 1)


# --- the best turn ---------------------------------------------------------------------------------------------------


def _best(game: str, state: Any, rng: Rng, easy: bool) -> _Judged | None:
    """Return the best turn of a position, if it is clearly the best; with `easy` also where it scores most at once."""
    seat, margin = state.seat, margin_of(game)
    drawn = spec(game).determinize(state, seat, rng)
    exact = _solved(game, drawn)
    if exact is not None:
        ranked = sorted(exact.items(), key=lambda item: -item[1][1])
        return _clear(ranked, margin, 0.0, len(ranked), 0)
    whole = turns(drawn, game)
    if len(whole) < 8:
        return None
    model = search_model(game)
    looked = Search(Settings(simulations=FIRST_LOOK, rounds=0)).search_from(game, drawn.copy(), rng).candidates
    leads = sorted((_lead(one.points, seat) for one in looked if one.visits > 8), reverse=True)
    one_action = all(len(turn) == 1 for turn in whole)
    if one_action and len(leads) > 1 and leads[0] - leads[1] < margin / 2:
        return None
    if one_action and not easy:
        best = max(looked, key=lambda one: one.visits).candidate
        gains = {turn: _gain(game, drawn, turn) for turn in whole}
        if gains[(actions_of(model, drawn, best)[0],)] == max(gains.values()):
            return None
    firsts = {actions_of(model, drawn, one.candidate)[0] for one in looked[: 3 * CLOSE]}
    rough = Search(Settings(simulations=EACH_TURN, rounds=0))
    values = [(turn, rough.evaluate(game, Task(drawn, seat, turn), rng)) for turn in whole]
    values.sort(key=lambda one: -_lead(one[1].points, seat))
    close = [turn for turn, _ in values[:CLOSE]]
    close += [turn for turn, _ in values[CLOSE : 3 * CLOSE] if turn[0] in firsts][:CLOSE]
    compared = {turn: _batches(game, drawn, turn, BATCHES, rng) for turn in close}
    ranked_ = sorted(compared, key=lambda turn: -compared[turn].lead)
    top, rival = compared[ranked_[0]], compared[ranked_[1]]
    if top.lead - rival.lead < margin or top.lead - rival.lead < ERRORS / 2 * math.hypot(top.error, rival.error):
        return None
    final = ranked_[:3]
    sums: dict[tuple[int, ...], list[_Mean]] = {turn: [] for turn in final}
    for checked in VERIFYING_SEEDS:
        for turn in final:
            sums[turn].append(_batches(game, drawn, turn, VERIFYING_BATCHES, Rng("verify", checked, seat, str(turn))))
        again = {turn: means[-1].lead for turn, means in sums.items()}
        if max(again, key=lambda turn: again[turn]) != final[0]:
            return None
        if again[final[0]] - max(again[turn] for turn in final[1:]) < margin:
            return None
    n = len(VERIFYING_SEEDS)
    ranked = [
        (turn, (sum(one.win for one in means) / n, sum(one.lead for one in means) / n)) for turn, means in sums.items()
    ]
    ranked.sort(key=lambda item: -item[1][1])
    errors = [math.hypot(*(one.error for one in sums[turn])) / n for turn, _ in ranked[:2]]
    return _clear(ranked, margin, math.hypot(*errors), len(whole), n * VERIFYING_BATCHES * BATCH)


def _clear(
    ranked: list[tuple[tuple[int, ...], tuple[float, float]]], least: float, error: float, count: int, simulations: int
) -> _Judged | None:
    """Return a position whose turns are ranked by lead, if the first is clearly the best."""
    if len(ranked) < 2:
        return None
    (best, (win, lead)), (second, (other_win, other_lead)) = ranked[:2]
    margin = lead - other_lead
    if margin < max(least, ERRORS * error) or win < max(one[1][0] for one in ranked) - (0.02 if error else 0):
        return None
    if win < OPEN_FROM or other_win > OPEN_TO:
        return None
    return _Judged([best], (best, win, lead), (second, other_win, other_lead), margin, error, count, simulations)


def leads_again(puzzle: Puzzle, batches: int, seed: object) -> list[float]:
    """Return the expected leads after the best turn and after the second best, simulated from another seed."""
    played = puzzle.begun()
    found = []
    for result in (puzzle.best, puzzle.second):
        state, turn = played.state, list[int]()
        for move in result.moves:
            turn.append(played.spec.notation.parse(state, move))
            played.spec.rules.play(state, turn[-1])
        rng = Rng("again", seed, puzzle.id)
        drawn = played.spec.determinize(played.state, puzzle.seat, rng)
        found.append(_batches(puzzle.game, drawn, tuple(turn), batches, rng).lead)
    return found


class _Mean(NamedTuple):
    """Mean of some batches of simulations."""

    win: float
    lead: float
    error: float
    """Standard error of the lead."""


def _batches(game: str, state: Any, turn: tuple[int, ...], batches: int, rng: Rng) -> _Mean:
    search = Search(Settings(simulations=BATCH, rounds=0))
    found = [search.evaluate(game, Task(state, state.seat, turn), rng) for _ in range(batches)]
    leads = [_lead(one.points, state.seat) for one in found]
    wins = [one.wins[state.seat] for one in found]
    return _Mean(statistics.fmean(wins), statistics.fmean(leads), statistics.stdev(leads) / math.sqrt(batches))


def _lead(points: Any, seat: int) -> float:
    return float(points[seat] - max(other for i, other in enumerate(points) if i != seat))


FAR = 1_000_000.0
"""With such a scale the value of a lead is proportional to it."""


def _solved(game: str, state: Any) -> dict[tuple[int, ...], tuple[float, float]] | None:
    """Return chance to win and lead of every turn, if the position can be solved exactly."""
    found = {}
    first: dict[tuple[int, ...], list[int]] = {}
    for turn in turns(state, game):
        first.setdefault(turn[:-1], []).append(turn[-1])
    for begun, lasts in first.items():
        then = _after(game, state, begun)
        wins = _exactly(game, then, Settings(simulations=1, win_weight=1.0))
        leads = _exactly(game, then, Settings(simulations=1, win_weight=0.0, scale=FAR))
        if wins is None or leads is None or any(last not in wins or last not in leads for last in lasts):
            return None
        for last in lasts:
            found[(*begun, last)] = (wins[last], (leads[last] - 0.5) * 2 * FAR / 100)
    return found


def _exactly(game: str, state: Any, settings: Settings) -> dict[int, float] | None:
    from bosquet.search.worker import borrowed_workers

    with borrowed_workers(game, 1) as (worker,):
        worker.begin(settings, Task(state, state.seat), Rng("exact"))
        return {one.candidate: one.value for one in worker.solved()} or None


# --- files -----------------------------------------------------------------------------------------------------------


def write(
    path: Path,
    games: list[str],
    count: int,
    seed: int,
    stopping: Callable[[], bool] = lambda: False,
    *,
    force: bool = False,
) -> Iterator[tuple[str, Found]]:
    """Write `count` puzzles of each game as JSON Lines, and yield what was looked at.

    A file that was begun is completed; with `force`, one that holds anything else is replaced.

    Raises BosquetError if the file can't be written, holds anything else, or another run writes it.
    """
    header = Header(format=VERSION, games=games, seed=seed)
    there: list[Puzzle] = []
    if not path.is_file():
        check_free(path, force=force)
    try:
        with open(path, "a+b") as file:
            lock(file, path, "file")
            file.seek(0)
            if before := file.read():
                whole = before.split(b"\n")[:-1]  # what a killed run left of a line is made again
                try:
                    there = _begun(path, whole, header)
                except BosquetError:
                    if not force:
                        raise
                    whole = []
                file.truncate(sum(len(line) + 1 for line in whole))
            if not there:
                file.truncate(0)
                file.write(msgspec.json.encode(header) + b"\n")
            file.flush()
            for game in games:
                mine = [one for one in there if one.game == game]
                n = len(mine)
                if n >= count:
                    continue
                for looked in make(game, seed, mine[-1].source[1] + 1 if mine else 0):
                    if looked.puzzle is not None:
                        n += 1
                        file.write(msgspec.json.encode(looked.puzzle) + b"\n")
                        file.flush()
                    yield game, looked
                    if n >= count:
                        break
                    if stopping():
                        return
    except OSError as error:
        raise BosquetError(f"{path}: can't be written: {error.strerror or error}") from None


def _begun(path: Path, lines: list[bytes], header: Header) -> list[Puzzle]:
    """Return the puzzles of a file that a run with this header has begun. Raises BosquetError for any other file."""
    try:
        found, there = read_lines(path, lines)
    except BosquetError as error:
        raise BosquetError(f"{error}; name another file, or add --force") from None
    if found != header:
        raise BosquetError(
            f"{path}: made with other games or another seed; give the same ones, name another file, or add --force"
        )
    return there


def regrade(path: Path) -> None:
    """Grade the puzzles of a file again, as is due when the levels have changed. Raises BosquetError."""
    lines = path.read_bytes().splitlines()
    _, found = read_lines(path, lines)
    graded_again = [msgspec.json.encode(graded(puzzle)) for puzzle in found]
    path.write_bytes(b"".join(line + b"\n" for line in [lines[0], *graded_again]))
