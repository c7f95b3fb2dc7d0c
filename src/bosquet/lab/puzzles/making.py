"""Looks for puzzles in games between bots, at most one in each game.

    for found in making.make(game, seed=1):
        print(found.puzzle)

The same settings give the same puzzles, on one thread.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, derived_seed
from bosquet.core.spec import check_options
from bosquet.lab import coach
from bosquet.lab.compiled_play import CompiledPlay
from bosquet.lab.puzzles.best import find_best
from bosquet.lab.puzzles.grades import Tries, graded
from bosquet.lab.puzzles.puzzle import GRADES, Grade, Puzzle, PuzzleTask
from bosquet.lab.puzzles.turns import Judged, Turn, asked_of, is_start, notation, result, task_of, tasks_of
from bosquet.lab.puzzles.wins import find_wins

SEATED: dict[PuzzleTask, tuple[str, ...]] = {
    "best": ("level3", "level4", "greedy"),
    "win": ("level1", "level2", "greedy"),
}
"""Who plays the games. Weaker bots miss more ways to win."""
LOOKED_AT: dict[PuzzleTask, int] = {"best": 6, "win": 24}
"""Turns of a game that are looked at, at most; for `win` the last ones."""

Wanted = Callable[[], Collection[Grade]]
"""Returns the grades that are still to be found."""


class Found(NamedTuple):
    """A puzzle, or the end of a game that had none, with what was looked at in that game."""

    puzzle: Puzzle | None
    positions: int
    """Turns of the game that were looked at."""


def make(game: str, seed: int, first: int = 0, wanted: Wanted = lambda: GRADES) -> Iterator[Found]:
    """Play games between bots without end, and yield for each of them its puzzle, or that it has none.

    Raises PositionError if positions of the game have no text.
    """
    index = first
    while True:
        yield _of_game(game, seed, index, wanted())
        index += 1


def _of_game(game: str, seed: int, index: int, wanted: Collection[Grade]) -> Found:
    tasks = {task: set(grades).intersection(wanted) for task, grades in tasks_of(game).items()}
    due = [task for task, grades in tasks.items() if grades]
    task = due[index % len(due)]
    rng = Rng("puzzles", seed, game, index)
    given = [players for players in spec(game).options["players"] if players in (2, 3)]
    players = given[0] if rng.below(4) else given[-1]
    bots = [rng.choice(SEATED[task]) for _ in range(players)]
    player = _player(game, players, tuple(bots))
    dealt = derived_seed("puzzles", seed, game, index)
    played = player.game(dealt, player.play(dealt).actions)
    plies = [ply for decision in coach.decisions(played) for ply in decision]
    starts = [ply for ply in plies if is_start(ply.state, game) and task_of(game, ply.state) == task]
    rng.shuffle(starts)
    if task == "win":
        starts.sort(key=lambda ply: -ply.number)
    looked = 0
    for ply in starts[: LOOKED_AT[task]]:
        looked += 1
        puzzle = _at(played, ply, [seed, index, ply.number], tasks[task])
        if puzzle is not None:
            return Found(puzzle, looked)
    return Found(None, looked)


@functools.lru_cache(maxsize=64)
def _player(game: str, players: int, bots: tuple[str, ...]) -> CompiledPlay:
    return CompiledPlay(game, check_options(spec(game), {"players": players}), bots)


def _at(played: Game, ply: coach.Ply, source: list[int], wanted: Collection[Grade]) -> Puzzle | None:
    """Return the puzzle of a position, if it has one, and one of the grades that are wanted."""
    game, state = played.name, ply.state

    unknown = ((), 0.0, 0.0)
    tries = Tries(_ungraded(played, state, Judged([], unknown, unknown, 0.0, 0.0, 0, 0), source))

    def is_wanted(turns: list[Turn]) -> bool:
        grade = tries.guessed([notation(game, state, turn) for turn in turns])
        return grade is not None and grade in wanted

    if task_of(game, state) == "win":
        judged = find_wins(game, state)
    else:
        judged = find_best(game, state, Rng(*source), is_wanted)
    puzzle = None if judged is None else graded(_ungraded(played, state, judged, source), tries)
    return puzzle if puzzle is not None and puzzle.grade in wanted else None


def _ungraded(played: Game, state: Any, judged: Judged, source: list[int]) -> Puzzle:
    game = played.name
    position = str(played.with_state(state).position(state.seat))
    return Puzzle(
        id=hashlib.sha256(position.encode()).hexdigest()[:12],
        position=position,
        task=task_of(game, state),
        asked=asked_of(game),
        answers=[notation(game, state, turn) for turn in judged.answers],
        best=result(game, state, *judged.best),
        second=result(game, state, *judged.second),
        margin=round(judged.margin, 3),
        error=round(judged.error, 3),
        turns=judged.turns,
        verified="search" if judged.simulations else "exact",
        simulations=judged.simulations,
        found_by={},
        grade="hard",
        source=source,
    )
