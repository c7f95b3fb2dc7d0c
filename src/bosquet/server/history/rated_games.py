"""Which finished games change whose rating, and by how much. Pure: rows in, changes out.

Only skill at the table is to count. So a game with help counts for nobody, and a game that a player throws away counts
as lost. One person can be two guests. So the gain from games with the same opponent is bounded, and an established
rating does not follow one that is not. Levels count only for a person who plays alone against bots: with another person
at the table, a game that goes badly could be ended without losing it. A second rating from games against levels alone
is kept beside the first one. A leaderboard goes by both, see `skill.shown`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bosquet.bots import strengths
from bosquet.server.base.clock import days_between
from bosquet.server.history.skill import LEVEL_SIGMA, NEW, Rival, Skill, after, aged
from bosquet.server.table.outcomes import RESIGNED

PAIR_DAYS = 30
PAIR_FACTOR = 0.9
"""The weight of each further game with the same person within `PAIR_DAYS`: all together count as ten at most."""
PLAYED_MOVES = 6
"""Entries of the journal for each seat: a game that was resigned earlier counts for its losers only."""
LAST = 100
"""The rank of a player who threw a game away."""

Verdict = Literal["counted", "full", "hinted", "own box", "ended", "alone", "nobody", "broken"]
"""Whether a game changed anybody's rating, or why not: the page showed what moves score, there were hints, the box was
somebody's own, it was ended together, it was for one player, there was nobody to be compared with, or it can't be read.
"""


class Seat(NamedTuple):
    """A seat of a finished game, as its result is kept."""

    guest: str | None
    bot: str | None
    program: bool
    stood_in: bool
    outcome: str
    place: int | None


class Finished(NamedTuple):
    """A finished game, as it is kept."""

    table: str
    game: str
    assistance: str
    how: str | None
    hinted: bool | None
    started: str | None
    ended: str
    moves: int | None
    own_box: bool | None
    seats: Sequence[Seat]


class Standing(NamedTuple):
    """What is known of a guest in one game before it is rated."""

    skill: Skill
    games: int
    ended: str | None
    """When the last rated game ended; None if there was none."""
    levels: Skill | None = None
    """What the games against levels alone say, as of then; None if there was none."""


class Change(NamedTuple):
    """What a game changes of the rating of a guest."""

    guest: str
    seat: int
    skill: Skill
    number: int
    change: float
    weight: float
    levels: Skill | None
    """What the games against levels alone say after it; None if there was none."""


@dataclass
class Book:
    """What the ratings of some guests are while games are rated in order, and how often they met."""

    since: Mapping[str, str]
    """The guests who want ratings, and since when."""
    standings: dict[tuple[str, str], Standing]
    """By guest and game."""
    met: dict[tuple[str, str, str], list[str]]
    """When games ended that counted, by their game and two guests in order."""
    lost: set[tuple[str, str]] = field(default_factory=set)
    """Guests who have lost a game at a table because they did not go on with it: its end changes nothing more."""

    def rate(self, played: Finished) -> tuple[Verdict, list[Change]]:
        """Rate a game: return what it changes, which counts here from now on."""
        verdict = refused(played)
        if verdict is not None:
            return verdict, []
        changes = self._changes(played)
        if not changes:
            return "nobody", []
        for one in changes:
            self.standings[one.guest, played.game] = Standing(one.skill, one.number, played.ended, one.levels)
        guests = sorted({seat.guest for seat in played.seats if seat.guest is not None})
        for number, one_guest in enumerate(guests):
            for other in guests[number + 1 :]:
                self.met.setdefault((played.game, one_guest, other), []).append(played.ended)
        return "counted", changes

    def forfeit_absent(self, unfinished: Finished, guest: str) -> Change | None:
        """Let a guest lose a game that they did not go on with. For the others nothing is decided."""
        if refused(unfinished) is not None:
            return None
        seats = [
            seat._replace(outcome="left" if seat.guest == guest else "won", place=1 + number)
            for number, seat in enumerate(unfinished.seats)
        ]
        changes = self._changes(unfinished._replace(seats=seats))
        return next((change for change in changes if change.guest == guest), None)

    def _changes(self, played: Finished) -> list[Change]:
        ranks = _ranks(played)
        compared = [self._compared(played, seat) for seat in played.seats]
        worth = strengths.seats(played.game, len(played.seats))
        alone = len(_people(played)) == 1
        found = []
        for seat, one in enumerate(played.seats):
            own = compared[seat]
            if one.guest is None or own is None or (one.guest, played.table) in self.lost:
                continue
            if _is_short(played) and ranks[seat] == 1:
                continue
            rivals, people = list[Rival](), list[str]()
            for number, other in enumerate(played.seats):
                skill = compared[number]
                if number == seat or skill is None or (other.guest is None and not alone):
                    continue
                if not _counts_for(own, ranks[seat], other, skill, ranks[number]):
                    continue
                rivals.append(Rival(Skill(skill.mu + worth[number], skill.sigma), ranks[number]))
                people += [] if other.guest is None else [other.guest]
            if not rivals:
                continue
            weight = min([1.0, *(self._weight(played, one.guest, guest) for guest in people)])
            skill = after(own, ranks[seat], rivals, worth[seat], weight)
            if one.stood_in and skill.mu > own.mu:
                continue
            standing = self.standings.get((one.guest, played.game))
            number = 1 if standing is None else standing.games + 1
            levels = None
            if standing is not None and standing.levels is not None:
                levels = aged(standing.levels, _days(standing.ended, played.ended))
            if alone:
                levels = after(levels or NEW, ranks[seat], rivals, worth[seat])
            found.append(Change(one.guest, seat, skill, number, skill.mu - own.mu, weight, levels))
        return found

    def _compared(self, played: Finished, seat: Seat) -> Skill | None:
        """Return the skill of a seat before the game; None if nobody is compared with it."""
        if seat.guest is None:
            elo = strengths.levels(played.game).get(seat.bot or "")
            return None if elo is None else Skill(elo, LEVEL_SIGMA)
        since, twice = self.since.get(seat.guest), [one.guest for one in played.seats].count(seat.guest) > 1
        if since is None or played.started is None or played.started < since or seat.program or twice:
            return None
        standing = self.standings.get((seat.guest, played.game))
        return NEW if standing is None else aged(standing.skill, _days(standing.ended, played.ended))

    def _weight(self, played: Finished, one: str, other: str) -> float:
        """Return how much a game between two counts, given those before it."""
        first, second = sorted((one, other))
        before = self.met.get((played.game, first, second), [])
        games = sum(0 <= _days(ended, played.ended) < PAIR_DAYS for ended in before)
        return float(PAIR_FACTOR**games)


def refused(played: Finished) -> Verdict | None:
    """Return why a game changes no rating at all; None if it may change some."""
    if len(played.seats) < 2:
        return "alone"
    if played.how in ("agreed", "void") and len(_people(played)) != 1:
        return "ended"
    if played.own_box is not False:
        return "own box"
    if played.assistance == "full":
        return "full"
    return None if played.hinted is False else "hinted"


def _people(played: Finished) -> set[str | None]:
    """Return the guests of a game; those who were erased are one together."""
    return {seat.guest for seat in played.seats if seat.bot is None}


def _ranks(played: Finished) -> list[int]:
    """Return the rank of each seat; players who threw the game away are last.

    A person alone with bots who ends or voids a game asks nobody, and so resigns. In a game without ranks, the other
    seats are ranked in their order.
    """
    thrown_away = played.how in ("agreed", "void")
    return [
        LAST if seat.outcome == "left" or (thrown_away and seat.bot is None) else seat.place or 1 + number
        for number, seat in enumerate(played.seats)
    ]


def _is_short(played: Finished) -> bool:
    """Return whether a game was resigned before it was played; also if that is not known."""
    return played.how in RESIGNED and (played.moves or 0) < PLAYED_MOVES * len(played.seats)


def _counts_for(own: Skill, rank: int, other: Seat, skill: Skill, its_rank: int) -> bool:
    """Return whether a rating follows the result of its player against another seat.

    An established rating does not follow provisional ones. Nobody has lost to a person for whom a bot played in the
    end.
    """
    if other.guest is None:
        return True
    if skill.is_provisional and not own.is_provisional:
        return False
    return rank < its_rank or not other.stood_in


def _days(earlier: str | None, later: str) -> int:
    """Return how many days lie between two moments."""
    return 0 if earlier is None else days_between(earlier, later)
