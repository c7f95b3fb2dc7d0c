"""The results of finished games: a row for each seat, for the history of those who played there.

They are written in the transaction of the event that closes a game, so that after a crash both are there or neither is;
of two nodes that close a game, one writes. Results of games that were closed by a version without them are filled in
afterwards, from what is kept of the table. Either way guests and names are copied from the seats by the database itself
at that moment: a guest who is erased meanwhile does not come back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from bosquet.server.history.messages import Outcome
from bosquet.server.store.schema import finished, journal, results, seats, tables
from bosquet.server.store.store import Conflict, Statement, Store
from bosquet.server.table.action import Event
from bosquet.server.table.actions.agree import EndedEarly
from bosquet.server.table.actions.give_up import SeatLeft
from bosquet.server.table.actions.move import Ended
from bosquet.server.table.session import Chair, Session
from bosquet.server.today import daily_results

DECIDED: tuple[Outcome, ...] = ("won", "shared", "lost")
"""Outcomes that count in rates."""


class Closed(NamedTuple):
    """How a game ended."""

    at: str
    scores: list[int] | None
    """None of a game that is void."""
    winners: list[int]
    how: str | None
    """How it ended before its end by the rules; None where it did not."""


class Seated(NamedTuple):
    """What the outcome of a seat depends on, besides how the game ended."""

    guest: str | None
    """Whose seat it is, or was until that guest left it."""
    person: bool
    """Whether it is, or was, somebody's, who may have been erased."""
    left: str | None


def closing(table: str, session: Session, happened: Sequence[Event]) -> list[Statement]:
    """Return what is to be written together with events that close the game of a table; nothing if they do not."""
    chairs = list(session.chairs)
    for event in happened:
        match event:
            case SeatLeft():
                chairs[event.seat] = Chair(event.bot, left=event.how, left_by=event.guest)
            case Ended():
                closed = Closed(event.at, event.scores, event.winners, None)
                break
            case EndedEarly():
                closed = Closed(event.at, event.scores, event.winners, event.how)
                break
    else:
        return []
    seated = [_seated(chair) for chair in chairs]
    made = statements(table, session.name, closed, seated, None if session.duel is None else session.duel.game)
    if session.daily is not None:
        whole = closed.how is None
        made.append((daily_results.statement(table, session.daily, closed.scores if whole else None, closed.at), None))
    return made


def outcomes(closed: Closed, seated: Sequence[Seated]) -> list[tuple[Outcome, int | None]]:
    """Return what a game came to for each seat, and its place: 1 for each winner, then by points.

    Seats that resigned come last. There are no places in a game that is void, or for one player.
    """
    if closed.how == "void" or closed.scores is None:
        return [("void", None)] * len(seated)
    if len(seated) == 1:
        return [("alone", None)]
    scores, winners = closed.scores, closed.winners
    ranks = [(seat in winners, not _has_resigned(seat, one, closed), scores[seat]) for seat, one in enumerate(seated)]
    places = [1 + sum(other > rank for other in ranks) for rank in ranks]
    guests = [one.guest for one in seated if one.guest is not None]
    found: list[tuple[Outcome, int | None]] = []
    for seat, one in enumerate(seated):
        outcome: Outcome = "lost" if seat not in winners else "won" if len(winners) == 1 else "shared"
        if one.left == "left":
            outcome = "left"
        elif guests.count(one.guest or "") > 1:
            outcome = "together"
        found.append((outcome, places[seat]))
    return found


def _has_resigned(seat: int, one: Seated, closed: Closed) -> bool:
    """Return whether a seat had resigned: the last one to do so ends the game, and only who resigned can't win."""
    return one.left == "resigned" or (closed.how == "resigned" and one.person and seat not in closed.winners)


def _seated(chair: Chair) -> Seated:
    """Return what matters of a seat."""
    guest = chair.guest or chair.left_by
    person = guest is not None or chair.bot is None or chair.left is not None
    return Seated(guest, person, chair.left)


def statements(table: str, game: str, closed: Closed, seated: Sequence[Seated], duel: int | None) -> list[Statement]:
    """Return what writes the results of a table whose row says already that its game is over.

    Nothing is kept of a game in which nobody played but bots.
    """
    if all(one.guest is None for one in seated):
        return []
    made: list[Statement] = [(_FINISHED, {"table": table, "duel": duel, "how": closed.how, "ended": closed.at})]
    for seat, (outcome, place) in enumerate(outcomes(closed, seated)):
        own = seated[seat].guest
        given = {
            "table": table,
            "place_at": seat,
            "game": game,
            "players": len(seated),
            "ended": closed.at,
            "whole": closed.how is None,
            "outcome": outcome,
            "score": None if closed.scores is None else closed.scores[seat],
            "place": place,
            "again": own is not None and own in [one.guest for one in seated[:seat]],
        }
        made.append((_RESULT, given))
    return made


def _insert_finished() -> sa.Insert:
    """Return what writes the row of a game that is over: the values of its table, and those given."""
    table = sa.bindparam("table", type_=sa.String)
    moves = sa.select(sa.func.max(journal.c.number) + 1).where(journal.c.table_id == table)
    values = {
        "id": tables.c.id,
        "game": tables.c.game,
        "options": tables.c.options,
        "assistance": tables.c.assistance,
        "duel": sa.bindparam("duel", type_=sa.Integer),
        "how": sa.bindparam("how", type_=sa.String),
        "hinted": tables.c.hinted,
        "started": tables.c.started,
        "ended": sa.bindparam("ended", type_=sa.String),
        "moves": moves.scalar_subquery(),
        "own_box": sa.func.coalesce(sa.cast(tables.c.box, sa.Text), "null") != "null",
    }
    theirs = sa.select(*values.values()).where(tables.c.id == table, tables.c.phase == "over")
    return sa.insert(finished).from_select(list(values), theirs)


def _insert_result() -> sa.Insert:
    """Return what writes the result of a seat: the values given, and what the seat is now."""
    guest = sa.func.coalesce(seats.c.guest, seats.c.left_by)
    is_bot = sa.and_(guest.is_(None), seats.c.left.is_(None), seats.c.bot.is_not(None))
    given = ("game", "players", "ended", "whole", "outcome", "score", "place", "again")
    values: dict[str, Any] = {name: sa.bindparam(name, type_=results.c[name].type) for name in given} | {
        "table_id": seats.c.table_id,
        "seat": seats.c.seat,
        "guest": guest,
        "name": sa.case((sa.or_(guest.is_not(None), is_bot), seats.c.name)),
        "bot": sa.case((is_bot, seats.c.bot)),
        "program": seats.c.program,
        "stood_in": seats.c.stood_in,
    }
    theirs = (seats.c.table_id == sa.bindparam("table")) & (seats.c.seat == sa.bindparam("place_at"))
    return sa.insert(results).from_select(list(values), sa.select(*values.values()).where(theirs))


_FINISHED = _insert_finished()
_RESULT = _insert_result()


async def erase(store: Store, guest: str) -> None:
    """Take a guest out of all results: to the others at the table it is somebody from then on. Raises Refusal."""
    with contextlib.suppress(Conflict):  # there is none
        await store.write(sa.update(results).where(results.c.guest == guest).values(guest=None, name=None))
