"""Suites: matches that stay the same, so that numbers of different bots, places and years can be compared.

A suite is a file of this package, `v1.json`. For each game and number of players it has the deals, pinned by seed and
digest, and the opponents, pinned by all their settings and by a digest of how they play. The digests are of games, not
of code: a change of this package that changes no deal and no move leaves them as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from bosquet.bots.outside import DEFAULT_LIMITS, Limits
from bosquet.core.errors import BosquetError, OptionError, did_you_mean, quoted
from bosquet.core.game import Game
from bosquet.lab import schedules
from bosquet.lab.arena import Arena
from bosquet.lab.matches import Match


class Opponent(Struct, frozen=True, forbid_unknown_fields=True):
    """An opponent of a suite."""

    name: str
    """What results call it."""
    bot: str
    """The name of the bot, with every setting on which its moves depend."""
    plays: str
    """Digest of the first deal, played by this bot in every seat."""


class Meeting(Struct, frozen=True, forbid_unknown_fields=True):
    """What a suite has for one game and number of players."""

    game: str
    options: Mapping[str, Any]
    """All options of the game, those with their default, too."""
    seed: int
    deals: int
    dealt: str
    """Digest of the deals."""
    opponents: tuple[Opponent, ...]
    """Empty for one player, who plays for points."""

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return int(self.options["players"])

    @property
    def games_of_deal(self) -> int:
        """Return the number of games against each opponent on a deal."""
        return len(schedules.pairings(self._schedule, 1 + len(self.opponents), self.players)[0].seatings)

    @property
    def _schedule(self) -> str:
        return schedules.GAUNTLET if self.opponents else schedules.TABLE

    def arena(self, bot: str, deals: int, limits: Limits = DEFAULT_LIMITS) -> Arena:
        """Return the match of a bot, which need not be one, against the opponents on the first deals.

        It may be one of the opponents, which `Arena.checked` refuses.
        """
        bots = [bot, *(opponent.bot for opponent in self.opponents)]
        games = deals * self.games_of_deal
        return Arena(self.game, self.options, bots, games, self.seed, limits=limits, schedule=self._schedule, rounds=1)

    def pins(self) -> Iterator[tuple[str, str, str]]:
        """Yield what this version does, the digest of that in the suite, and the digest of how it does it.

        Plays a game for each opponent.
        """
        match = Match(self.game, self.options, [], self.seed)
        yield "deals", self.dealt, _digest([match.dealt(number)[0].deal for number in range(self.deals)])
        for opponent in self.opponents:
            played = Match(self.game, self.options, [opponent.bot] * self.players, self.seed).play(0)
            yield f"plays {opponent.name} in", opponent.plays, _digest(_course(played))

    def check(self) -> None:
        """Raise BosquetError if this version deals or plays otherwise than the one that the suite was made with."""
        for what, pinned, found in self.pins():
            if found != pinned:
                raise BosquetError(
                    f"this version of bosquet {what} {self.game} with {self.players} seats otherwise than the suite "
                    f"(digest {found}, pinned {pinned}); use a version that plays the suite, or a newer suite"
                )


class Suite(Struct, frozen=True, forbid_unknown_fields=True):
    """A suite: its name and what it has for each game and number of players."""

    suite: str
    meetings: tuple[Meeting, ...]

    def meeting(self, game: object, players: object) -> Meeting:
        """Return what is played in a game with a number of players. Raises OptionError."""
        known = [meeting for meeting in self.meetings if meeting.game == game]
        for meeting in known:
            if meeting.players == players and type(players) is int:
                return meeting
        if known:
            numbers = ", ".join(str(meeting.players) for meeting in known)
            raise OptionError(f"suite {self.suite} has {game} with {numbers} players, not with {quoted(players)}")
        games = ", ".join(dict.fromkeys(meeting.game for meeting in self.meetings))
        raise OptionError(f"suite {self.suite} has no game {quoted(game)}; it has {games}")


def names() -> list[str]:
    """Return the names of all suites."""
    return sorted(file.name.removesuffix(".json") for file in _FOLDER.iterdir() if file.name.endswith(".json"))


def suite(name: object) -> Suite:
    """Return the suite of a name. Raises OptionError."""
    return msgspec.json.decode(_text(name), type=Suite)


def digest(name: object) -> str:
    """Return the SHA-256 of the file of a suite. Raises OptionError."""
    return hashlib.sha256(_text(name)).hexdigest()


_FOLDER = files("bosquet.lab.suite")


def _text(name: object) -> bytes:
    known = names()
    if name not in known:
        raise OptionError(f"there is no suite {quoted(name)}; there are {', '.join(known)}{did_you_mean(name, known)}")
    return (_FOLDER / f"{name}.json").read_bytes()


def _course(game: Game) -> list[Any]:
    return [game.deal, game.moves, game.result]


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
