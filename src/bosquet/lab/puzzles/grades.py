"""How hard a puzzle is: which is the lowest level that finds it, as all levels above do.

A bot finds a puzzle if it plays the answer in a quarter of its tries, each with another seed. What `greedy` finds asks
for no thought, and is no puzzle. One that levels 2, 4 and 6 find is easy, one that levels 4 and 6 find is medium, the
rest are hard: what a low level finds and a higher one does not, it has found by chance.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bosquet.bots import choose
from bosquet.bots import make as make_bot
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.lab.puzzles.puzzle import Grade, Puzzle, judge

TRIES = 8
FOUND = 0.25
"""The share of its tries in which a bot finds the answer, at least."""
TRIVIAL = "greedy"
LADDER: dict[str, Grade] = {"level2": "easy", "level4": "medium", "level6": "hard"}
"""The lowest level that finds it as all above do, and its grade. What none of them finds is hard, too."""


def graded(puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with its grade, and the shares of their tries in which bots find it; None if it is trivial."""
    trivial = share(puzzle, TRIVIAL)
    if trivial >= FOUND:
        return None
    shares = {TRIVIAL: trivial} | {level: share(puzzle, level) for level in LADDER}
    return msgspec.structs.replace(puzzle, found_by=shares, grade=grade_of(shares))


def guessed(puzzle: Puzzle) -> Grade | None:
    """Return the grade of a puzzle that the highest level finds, which does not try here; None if it is trivial."""
    if share(puzzle, TRIVIAL) >= FOUND:
        return None
    *lower, highest = LADDER
    return grade_of({level: share(puzzle, level) for level in lower} | {highest: 1.0})


def grade_of(shares: Mapping[str, float]) -> Grade:
    """Return the grade that follows from the shares of the levels."""
    grade: Grade = "hard"
    for level, lower in reversed(LADDER.items()):
        if shares[level] < FOUND:
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
