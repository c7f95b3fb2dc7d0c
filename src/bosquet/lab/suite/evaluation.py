"""Evaluations: a bot in a match of a suite, the number that it gets, and the file of its result.

A result file is JSON Lines: what was evaluated; then each deal with the records of its games, as in the folder of a
match (`lab.arena`); last the result.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

import bosquet
from bosquet.bots import learned, outside
from bosquet.bots.digests import PLAYS, digests
from bosquet.bots.outside import DEFAULT_LIMITS, Limits
from bosquet.core.system.files import whole_file
from bosquet.lab.arena import GAMES_FILE, SETTINGS_FILE, Arena
from bosquet.lab.ratings import Estimate
from bosquet.lab.standings import Standings
from bosquet.lab.suite import suites
from bosquet.lab.suite.suites import Meeting

FORMAT = "bosquet-evaluation/1"
RESULT = "result"
PERCENT, POINTS = ("percent of the wins", "points")
DIGITS = 2
"""Digits of a number behind the point in a result."""
BOT = 0
"""The index of the evaluated bot among those of the match."""


@dataclass(frozen=True)
class Evaluation:
    """What is evaluated: a bot in a meeting of a suite, on its first `deals` deals."""

    suite: str
    meeting: Meeting
    bot: str
    deals: int
    limits: Limits = DEFAULT_LIMITS

    @classmethod
    def of(
        cls, suite: str, game: str, players: int, bot: str, games: int | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> Evaluation:
        """Return the evaluation of a bot. With `games` it ends after the deal with this game against each opponent.

        Raises OptionError, also for a bot that can't be made, and BosquetError if this version of the package does not
        play the suite as it was made.
        """
        meeting = suites.suite(suite).meeting(game, players)
        outside.check([bot], limits)
        if bot.partition(":")[0] == learned.NAME:
            learned.check(bot, game, meeting.options)
        meeting.check()
        deals = meeting.deals if games is None else min(meeting.deals, -(-games // meeting.games_of_deal))
        return cls(suite, meeting, bot, deals, limits)

    @property
    def is_partial(self) -> bool:
        """Return whether deals of the suite are left out."""
        return self.deals < self.meeting.deals

    def arena(self) -> Arena:
        """Return the match that is played."""
        return self.meeting.arena(self.bot, self.deals, self.limits)

    def head(self) -> dict[str, Any]:
        """Return the first line of the result file."""
        return {
            "format": FORMAT,
            "suite": self.suite,
            "digest": suites.digest(self.suite),
            "game": self.meeting.game,
            "players": self.meeting.players,
            "deals": self.deals,
            "bot": self.bot,
            "bosquet": bosquet.__version__,
            PLAYS: digests(self.meeting.game, [self.bot]),
        }

    def number(self, standings: Standings) -> Estimate:
        """Return the number of the bot: percent of the wins against all opponents, or mean points for one player.

        Every opponent counts the same.
        """
        if self.meeting.opponents:
            return standings.win_rate(BOT).scaled(100)
        return standings.points(BOT)

    def result(self, standings: Standings) -> dict[str, Any]:
        """Return the last line of the result file. Ends of intervals that few deals do not determine are null."""
        against = {
            opponent.name: _rounded(standings.score((BOT, number)).scaled(100))
            for number, opponent in enumerate(self.meeting.opponents, BOT + 1)
        }
        return {
            **_rounded(self.number(standings)),
            "unit": PERCENT if against else POINTS,
            "games": standings.games,
            "forfeits": standings.forfeits[BOT],
            "against": against,
        }


def _rounded(estimate: Estimate) -> Mapping[str, Any]:
    """Return a number and its interval as JSON keys."""
    value, *interval = (round(number, DIGITS) if abs(number) < float("inf") else None for number in estimate)
    return {"number": value, "interval": interval}


def parts_of(path: Path) -> Path:
    """Return the folder that stores the match until the result file is complete."""
    return path.with_name(path.name + ".parts")


def write(path: Path, evaluation: Evaluation, result: Mapping[str, Any], *, force: bool = False) -> None:
    """Write the result file of a match that is complete in `parts_of` it, and remove that folder. Raises BosquetError.

    `force` is as in `whole_file`.
    """
    parts = parts_of(path)
    with whole_file(path, force=force) as file, open(parts / GAMES_FILE, "rb") as games:
        file.write(msgspec.json.encode(evaluation.head()) + b"\n")
        shutil.copyfileobj(games, file)
        file.write(msgspec.json.encode({RESULT: result}) + b"\n")
    for name in (GAMES_FILE, SETTINGS_FILE):
        (parts / name).unlink()
    with contextlib.suppress(OSError):  # somebody else's files are in it
        parts.rmdir()
