"""The WebSocket of a table: what a page asks is done or refused, what it is sent goes out in order."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

import msgspec
import structlog
from msgspec import structs
from starlette.websockets import WebSocket, WebSocketDisconnect
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError, quoted
from bosquet.core.installed import spec
from bosquet.core.view import View, plain_move
from bosquet.server.base.legible import tidy
from bosquet.server.base.limits import Bucket
from bosquet.server.base.messages import ENCODER, Code, Why
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.websockets import (
    NORMAL_CLOSURE,
    NORMAL_DISCONNECT,
    POLICY_VIOLATION,
    SEND_NOW,
    SERVICE_RESTART,
    TRY_AGAIN_LATER,
)
from bosquet.server.compute.request_work import answer_query
from bosquet.server.services import Services
from bosquet.server.table import messages
from bosquet.server.table.decisions import SENT_AWAY
from bosquet.server.table.limits import TableLimits
from bosquet.server.table.messages import ASKS
from bosquet.server.table.table import Table
from bosquet.server.tables.gates import Gates
from bosquet.server.tables.registry import TableRegistry

BEHIND = TRY_AGAIN_LATER, "a slow connection"
ELSEWHERE = SERVICE_RESTART, "another node goes on"
SIGNED_OUT = POLICY_VIOLATION, "this device was signed out"
SENT_OFF = POLICY_VIOLATION, SENT_AWAY
FLOODING = "too many messages"

ON_SCREENS = (messages.AskSheet, messages.CloseTable, messages.GiveSeat, messages.Ready, messages.Rematch)
"""What may be asked from a screen that all look at: nothing that a hand has to do with."""

log: FilteringBoundLogger = structlog.get_logger()


def _never(message: bytes) -> bool:
    """Send nothing at once: where the connection can't do that."""
    return False


class Connection:
    """One page at one table."""

    def __init__(
        self,
        socket: WebSocket,
        guest: str,
        device: int,
        address: str,
        table: Table,
        registry: TableRegistry,
        services: Services,
        gates: Gates,
        limits: TableLimits,
        since: int,
        *,
        watching: bool = False,
    ) -> None:
        """Take a page that has position `since`; one that is `watching` sees no hand, also not of its guest."""
        self.watching = watching
        self.guest = guest
        self.device = device
        self.address = address
        self.viewpoint: int | None = None
        self.number = since
        self._socket = socket
        self._table = table
        self._registry = registry
        self._services = services
        self._gates = gates
        self._ask_bytes = limits.ask_bytes
        self._warnings = Bucket(limits.warnings)
        self._hinting: asyncio.Task[None] | None = None
        self._hint_of: tuple[int, int] | None = None
        """Seat and position for which a hint is looked for, or was given last."""
        self._hint_given: bytes | None = None
        self._send_now: Callable[[bytes], bool] = socket.scope.get("state", {}).get(SEND_NOW, _never)
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue(limits.waiting_messages)
        """What must wait until the page takes it; None ends the connection."""
        self._sender: asyncio.Task[None] | None = None
        """Sends what waits. As long as there is one, nothing overtakes it."""
        self._accepted = False
        self._end = BEHIND
        """Code and reason with which it is closed."""

    def send(self, message: bytes) -> None:
        """Send a message soon. A page that does not keep up is cut off; it comes back for what it missed."""
        if self._sender is None and self._send_now(message):
            return
        try:
            self._send_later(message)
        except asyncio.QueueFull:
            self._table.drop(self)
            self._out.get_nowait()
            self._send_later(None)

    def _send_later(self, message: bytes | None) -> None:
        self._out.put_nowait(message)
        self._begin_sending()

    def _begin_sending(self) -> None:
        if self._accepted and self._sender is None and not self._out.empty():
            self._sender = asyncio.create_task(self._send())

    def send_away(self) -> None:
        """Have the page connect to another node, after what waits to be sent."""
        self._end = ELSEWHERE
        with contextlib.suppress(asyncio.QueueFull):  # one that is behind is cut anyway
            self._send_later(None)

    def sign_out(self) -> None:
        """End the connection, for its device was signed out."""
        self._end_now(SIGNED_OUT)

    def send_off(self) -> None:
        """End the connection, for the host has sent its guest away."""
        self._end_now(SENT_OFF)

    def _end_now(self, why: tuple[int, str]) -> None:
        """Do and tell nothing more."""
        self._end = why
        self._table.drop(self)
        while not self._out.empty():
            self._out.get_nowait()
        self._send_later(None)

    async def run(self) -> None:
        """Serve the page until it goes."""
        await self._socket.accept()
        self._accepted = True
        self._begin_sending()
        lost = False
        try:
            try:
                await self._table.attach(self)
            except Refusal as refusal:
                await self._socket.close(TRY_AGAIN_LATER, str(refusal))
                return
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect" or self._end in (SIGNED_OUT, SENT_OFF):
                    lost = message.get("code", NORMAL_CLOSURE) not in NORMAL_DISCONNECT
                    break
                if not self._gates.asks.take(self.guest, self.address):
                    if not self._warnings.take():
                        await self._socket.close(POLICY_VIOLATION, FLOODING)
                        break
                    self._refuse("busy", "too many messages at once; wait a moment")
                    continue
                await self._answer(message.get("text") or message.get("bytes") or b"")
        except WebSocketDisconnect:
            pass
        finally:
            self._table.detach(self)
            if lost and not self.watching:
                self._table.tell_lost(self.guest)
            if self._hinting is not None:
                self._hinting.cancel()
            if self._sender is not None:
                self._sender.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await self._sender

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while not self._out.empty():
                message = self._out.get_nowait()
                if message is None:
                    await self._socket.close(*self._end)
                    return
                await self._socket.send_text(message.decode())
            self._sender = None

    async def _answer(self, text: str | bytes) -> None:
        """Do what is asked, or say why not."""
        with self._refusing():
            if len(text) > self._ask_bytes:
                raise Refusal("too large", f"a message is at most {self._ask_bytes} bytes")
            await self._do(ASKS.decode(text))

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """What can't be done is said."""
        try:
            yield
        except Refusal as refusal:
            self._refuse(refusal.code, str(refusal), refusal.why, refusal.wait)
        except BosquetError as error:
            self._refuse("not now", str(error))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse("malformed", f"not a message of this table: {error}")

    def _refuse(self, code: Code, message: str, why: Why | None = None, wait: float | None = None) -> None:
        self._services.metrics.refusals.labels(code).inc()
        self.send(ENCODER.encode(messages.Refused(code=code, message=message, why=why, wait=wait)))

    async def _do(self, ask: messages.Ask) -> None:
        table = self._table
        if self.watching and not isinstance(ask, ON_SCREENS):
            raise Refusal("not yours", "this screen is for all; play on a page of your own")
        match ask:
            case messages.Play():
                await table.play(self.guest, ask)
            case messages.Undo():
                await table.undo(self.guest, ask)
            case messages.Look():
                table.look(self, ask.seat)
            case messages.Ready():
                await table.ready(self.guest, ask.nonce)
            case messages.React():
                table.react(self.guest, ask)
            case messages.SetPace():
                await table.set_pace(self.guest, ask.pace)
            case messages.AskSheet():
                table.send_sheet(self)
            case messages.AskQuery():
                await self._answer_query(ask)
            case messages.AskHint():
                self._begin_hint(ask.seat)
            case messages.AllowHints():
                await self._table.allow_hints(self.guest, ask.allow)
            case messages.AllowChat():
                await table.allow_chat(self.guest, ask.allow)
            case messages.WriteChat():
                self._gates.chats.check(self.guest, self.address, "many lines at once; wait a moment")
                await table.write_chat(self.guest, ask)
            case messages.ReportChat():
                self._gates.reports.check(self.guest, self.address, "many lines were reported; try again tomorrow")
                await table.report_chat(self.guest, ask.number)
                self.send(ENCODER.encode(messages.Reported(ask.number)))
            case messages.Rematch():
                self._gates.take_quota(self.guest, self.address)
                await self._registry.rematch(self.guest, table)
            case messages.GiveSeat():
                await table.give(self.guest, ask.seat, ask.bot, tidy(ask.name))
            case messages.TakeBack():
                await table.take_back(self.guest)
            case messages.Resign():
                await table.resign(self.guest, ask.seat)
            case messages.Leave():
                await table.leave(self.guest, ask.seat, ask.bot)
            case messages.Agree():
                await table.agree(self.guest, ask.offer)
            case messages.Decline():
                await table.decline(self.guest)
            case messages.Remove():
                await table.remove(self.guest, ask.seat)
            case messages.AskWatchers():
                self._services.compute.take(self.guest, self.address)
                self.send(ENCODER.encode(await table.watchers(self.guest)))
            case messages.Bar():
                await table.bar(self.guest, ask.watcher)
            case messages.CloseTable():
                await table.close(self.guest)

    async def _answer_query(self, ask: messages.AskQuery) -> None:
        """Work out what a query of the game asks, from what the asker sees and nothing else."""
        number = self._table.session.number
        view = self._table.own_view(self.guest, ask.seat)
        query = spec(view.game).queries.get(ask.query)
        if query is None:
            raise Refusal("malformed", f"{spec(view.game).title} has no query {quoted(ask.query)}")
        argument = msgspec.json.decode(ask.argument, type=query.argument)
        self._table.check_hints()
        query.check(view, argument)
        await self._table.note_hint()
        answer = await self._services.compute.work_out(
            self.guest, self.address, answer_query, ask.query, view, argument
        )
        self.send(ENCODER.encode(messages.Answered(seat=ask.seat, number=number, query=ask.query, answer=answer)))

    def _begin_hint(self, seat: int) -> None:
        """Find out what is best for a seat; what else is asked meanwhile does not wait for it. Raises Refusal.

        A hint that was given for the same position is given again, and one for another position is no longer waited
        for.
        """
        view = self._table.hint_view(self.guest, seat)
        of = seat, self._table.session.number
        under_way = self._hinting is not None and not self._hinting.done()
        if of == self._hint_of and under_way:
            raise Refusal("busy", "a hint is already being computed")
        if of == self._hint_of and self._hint_given is not None:
            self.send(self._hint_given)
            return
        if self._hinting is not None:
            self._hinting.cancel()
        self._hint_of, self._hint_given = of, None
        self._hinting = asyncio.create_task(self._hint(*of, view))

    async def _hint(self, seat: int, number: int, view: View) -> None:
        """Tell what is best for a seat, from what its owner sees and nothing else."""
        with self._refusing():
            await self._table.note_hint()
            choices = await self._services.compute.hint(self.guest, self.address, view)
            if self._table.session.assistance != "full":
                choices = [structs.replace(one, data=[plain_move(move) for move in one.data]) for one in choices]
            given = ENCODER.encode(messages.Hint(seat=seat, number=number, choices=choices))
            if self._hint_of == (seat, number):
                self._hint_given = given
            self.send(given)
