"""How hard a puzzle is: which is the weakest bot that finds it, as do all stronger ones.

Three bots try, from weak to strong (`turns.ladder_of`): one that searches little, one that searches more, and level 6.
A bot finds a puzzle if it plays the answer in a quarter of its tries, each with another seed. A puzzle that all three
find is easy, one that the two stronger ones find is medium, and the rest are hard. An answer that a weak bot finds and
a stronger one does not was found by chance. An answer that `greedy` finds needs no thought, and makes no puzzle.
"""

from __future__ import annotations

import functools
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

Answers = Sequence[list[str]]
"""Turns in notation."""


class Tries:
    """What bots play from the position of a puzzle: each try is made when it is first asked for.

    The answers of the puzzle make no difference to them.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = msgspec.structs.replace(puzzle, answers=[])
        self._made: dict[tuple[str, int], tuple[list[str], bool]] = {}

    def share(self, bot: str, answers: Answers) -> float:
        """Return the share of a bot's tries in which it finds an answer."""
        return round(sum(self._is_right(bot, attempt, answers) for attempt in range(TRIES)) / TRIES, 3)

    def finds(self, bot: str, answers: Answers) -> bool:
        """Return whether a bot finds an answer often enough; it makes no more tries than that takes."""
        found = 0
        for attempt in range(TRIES):
            found += self._is_right(bot, attempt, answers)
            if found >= FOUND * TRIES or found + TRIES - 1 - attempt < FOUND * TRIES:
                break
        return found >= FOUND * TRIES

    def guessed(self, answers: Answers) -> Grade | None:
        """Return the grade of answers that the strongest bot finds, which does not try here; None if it is trivial."""
        if self.finds(TRIVIAL, answers):
            return None
        grade: Grade = GRADES[-1]
        for bot, lower in zip(ladder_of(self._puzzle.game)[-2::-1], GRADES[-2::-1], strict=True):
            if not self.finds(bot, answers):
                break
            grade = lower
        return grade

    @functools.cached_property
    def _begun(self) -> Game:
        return self._puzzle.begun()

    def _is_right(self, bot: str, attempt: int, answers: Answers) -> bool:
        moves, won = self._made_by(bot, attempt)
        return won or any(moves[: len(answer)] == answer for answer in answers)

    def _made_by(self, name: str, attempt: int) -> tuple[list[str], bool]:
        """Return the turn of a bot, and whether it wins if that is asked for."""
        key = name, attempt
        if key not in self._made:
            puzzle, moves = self._puzzle, list[str]()
            bot, game, rng = make_bot(name), self._begun.copy(), Rng("grade", puzzle.id, name, attempt)
            while (right := judge(puzzle, game, moves)) is None:
                move = choose(bot, game, rng)
                game.play(move)
                moves.append(move)
            self._made[key] = moves, right
        return self._made[key]


def graded(puzzle: Puzzle, tries: Tries | None = None) -> Puzzle | None:
    """Return a puzzle with its grade, and the shares of their tries in which bots find it; None if it is trivial."""
    tries = tries or Tries(puzzle)
    if tries.finds(TRIVIAL, puzzle.answers):
        return None
    shares = {bot: tries.share(bot, puzzle.answers) for bot in (TRIVIAL, *ladder_of(puzzle.game))}
    return msgspec.structs.replace(puzzle, found_by=shares, grade=grade_of([*shares.values()][1:]))


def grade_of(shares: Sequence[float]) -> Grade:
    """Return the grade that follows from the shares of the bots, from weak to strong."""
    grade: Grade = GRADES[-1]
    for found, lower in zip(reversed(shares), reversed(GRADES), strict=True):
        if found < FOUND:
            break
        grade = lower
    return grade
