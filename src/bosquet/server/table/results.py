"""The results of finished games: a row for each seat, for the history of those who played there.

They are written in the transaction of the event that closes a game, so that after a crash both are there or neither is;
if two nodes close a game, one of them writes. Results of games that were closed by a version without them are filled in
afterwards, from what is kept of the table. Either way guests and names are copied from the seats by the database itself
at that moment: a guest who is erased meanwhile does not come back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bosquet.server.store.schema import finished, journal, results, seats, tables
from bosquet.server.store.store import Conflict, Statement, Store
from bosquet.server.table.action import Event
from bosquet.server.table.actions.agree import EndedEarly
from bosquet.server.table.actions.give_up import SeatLeft
from bosquet.server.table.actions.move import Ended
from bosquet.server.table.listeners import Writer
from bosquet.server.table.outcomes import Closed, Seated, outcomes
from bosquet.server.table.session import Chair, Session


def closing(table: str, session: Session, happened: Sequence[Event], writers: Sequence[Writer] = ()) -> list[Statement]:
    """Return what is to be written together with events that close the game of a table; nothing if they do not.

    It includes what the `writers` of higher wings return.
    """
    chairs = list(session.chairs)
    for event in happened:
        match event:
            case SeatLeft():
                chairs[event.seat] = Chair(event.bot, left=event.how, left_by=event.guest)
            case Ended():
                closed = Closed(event.at, event.scores, event.winners, None)
                break
            case EndedEarly():
                closed = Closed(event.at, event.scores, event.winners, event.listed)
                break
    else:
        return []
    seated = [_seated(chair) for chair in chairs]
    made = statements(table, session.name, closed, seated, None if session.duel is None else session.duel.game)
    for writer in writers:
        made += writer(table, session, closed)
    return made


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
    """Take a guest out of all results; to the others at the table it becomes somebody. Raises Refusal."""
    with contextlib.suppress(Conflict):  # there is none
        await store.write(sa.update(results).where(results.c.guest == guest).values(guest=None, name=None))
