"""How hard a puzzle is: which is the weakest bot that finds it, as all stronger ones do.

Three bots try, from weak to strong (`turns.ladder_of`): one that searches little, one that searches more, and level 6.
A bot finds a puzzle if it plays the answer in a quarter of its tries, each with another seed. What `greedy` finds asks
for no thought, and is no puzzle. One that all three find is easy, one that the two stronger ones find is medium, the
rest are hard: what a weak bot finds and a stronger one does not, it has found by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bosquet.bots import choose
from bosquet.bots import make as make_bot
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.lab.puzzles.puzzle import GRADES, Grade, Puzzle, judge
from bosquet.lab.puzzles.turns import ladder_of

TRIES = 8
FOUND = 0.25
"""The share of its tries in which a bot finds the answer, at least."""
TRIVIAL = "greedy"


def graded(puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with its grade, and the shares of their tries in which bots find it; None if it is trivial."""
    trivial = share(puzzle, TRIVIAL)
    if trivial >= FOUND:
        return None
    shares = {bot: share(puzzle, bot) for bot in ladder_of(puzzle.game)}
    grade = grade_of([*shares.values()])
    return msgspec.structs.replace(puzzle, found_by={TRIVIAL: trivial, **shares}, grade=grade)


def guessed(puzzle: Puzzle) -> Grade | None:
    """Return the grade of a puzzle that the strongest bot finds, which does not try here; None if it is trivial."""
    if share(puzzle, TRIVIAL) >= FOUND:
        return None
    *weaker, _ = ladder_of(puzzle.game)
    return grade_of([*(share(puzzle, bot) for bot in weaker), 1.0])


def grade_of(shares: Sequence[float]) -> Grade:
    """Return the grade that follows from the shares of the bots, from weak to strong."""
    grade: Grade = GRADES[-1]
    for found, lower in zip(reversed(shares), reversed(GRADES), strict=True):
        if found < FOUND:
            break
        grade = lower
    return grade


def share(puzzle: Puzzle, name: str) -> float:
    """Return the share of a bot's tries in which it finds the answer."""
    found = 0
    for attempt in range(TRIES):
        found += _finds(puzzle, name, puzzle.begun(), Rng("grade", puzzle.id, name, attempt))
    return round(found / TRIES, 3)


def _finds(puzzle: Puzzle, name: str, game: Game, rng: Rng) -> bool:
    bot, moves = make_bot(name), list[str]()
    while (right := judge(puzzle, game, moves)) is None:
        move = choose(bot, game, rng)
        game.play(move)
        moves.append(move)
    return right
