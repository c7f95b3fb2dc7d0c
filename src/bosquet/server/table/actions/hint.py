"""Hints: whether they are given at a table, what would be best, and what the queries of a game tell a seat.

They are worked out from what the person who asks sees, and nothing else.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, structs

from bosquet.core.errors import quoted
from bosquet.core.installed import spec
from bosquet.core.real_game import SeatNumber
from bosquet.core.view import View, plain_move
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.request_work import answer_query
from bosquet.server.store.rows import Rows
from bosquet.server.table import messages
from bosquet.server.table.action import Ask, Command, Context, Event, Page
from bosquet.server.table.session import Session


class AllowHints(Command, tag="hints"):
    """Whether I agree that hints are given at this table."""

    allow: bool

    def decide(self, session: Session, context: Context) -> list[Event]:
        mine = session.seats_of(context.guest)
        if not mine:
            raise Refusal("not yours", "only those who sit here agree to hints")
        _check_has_hints(session)
        if all(session.chairs[seat].hints == self.allow for seat in mine):
            return []
        return [HintsAllowed(context.guest, self.allow)]


class AskHint(Ask, tag="hint"):
    """What would be best for my seat now, from what it sees?"""

    seat: SeatNumber

    async def answer(self, page: Page) -> None:
        """Find it out; what else is asked meanwhile does not wait for it.

        A hint that was given for the same position is given again, and one for another position is no longer waited
        for.
        """
        session, work = page.table.session, page.hint_work
        session.check_mine(page.guest, self.seat)
        view = session.dealt().view(self.seat, moves=False)
        if view.seat != self.seat:
            raise Refusal("not now", "it is not this seat's turn")
        _check_hints(session)
        of = self.seat, session.number
        if of == work.of and work.under_way:
            raise Refusal("busy", "a hint is already being worked out; wait for it")
        if of == work.of and work.given is not None:
            page.send(work.given)
        else:
            work.begin(of, self._find(page, of, view))

    async def _find(self, page: Page, of: tuple[int, int], view: View) -> None:
        with page.refusing():
            await page.table.do(page.guest, NoteHint())
            choices = await page.compute.hint(page.guest, page.address, view)
            if page.table.session.assistance != "full":
                choices = [structs.replace(one, data=[plain_move(move) for move in one.data]) for one in choices]
            seat, number = of
            given = ENCODER.encode(messages.Hint(seat=seat, number=number, choices=choices))
            if page.hint_work.of == of:
                page.hint_work.given = given
            page.send(given)


class AskQuery(Ask, tag="query"):
    """Work something out of what my seat sees: one of the queries that the game has, by its name."""

    seat: SeatNumber
    query: Annotated[str, Meta(max_length=32)]
    argument: msgspec.Raw
    """What the query takes: `Queries` of the page has its type."""

    async def answer(self, page: Page) -> None:
        session = page.table.session
        number = session.number
        session.check_mine(page.guest, self.seat)
        view = session.dealt().view(self.seat)
        query = spec(view.game).queries.get(self.query)
        if query is None:
            raise Refusal("malformed", f"{spec(view.game).title} has no query {quoted(self.query)}")
        argument = msgspec.json.decode(self.argument, type=query.argument)
        _check_hints(session)
        query.check(view, argument)
        await page.table.do(page.guest, NoteHint())
        answer = await page.compute.work_out(page.guest, page.address, answer_query, self.query, view, argument)
        page.tell(messages.Answered(seat=self.seat, number=number, query=self.query, answer=answer))


class NoteHint(Command):
    """Note that a hint, or an answer to a query, is given here."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        return [] if session.hinted else [HintNoted()]


class HintsAllowed(Event, frozen=True):
    """A guest has agreed to hints, or does no longer."""

    guest: str
    allow: bool

    def write(self, rows: Rows) -> None:
        rows.set_seats({"guest": self.guest}, hints=self.allow)


class HintNoted(Event, frozen=True):
    """The first hint, or answer to a query, is given at this table."""

    changes_state = False

    def write(self, rows: Rows) -> None:
        rows.set(hinted=True)


def _check_has_hints(session: Session) -> None:
    if session.assistance == "none" or session.daily is not None:
        raise Refusal("not now", "no hints are given at this table")


def _check_hints(session: Session) -> None:
    _check_has_hints(session)
    if not session.hints_given:
        raise Refusal("not now", "hints are given when everybody who sits here agrees to them")
