"""What holds for every action of a table: a new one is a file in `actions`, and a scene here."""

from __future__ import annotations

import inspect
import json
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet.server.store.store import Conflict
from bosquet.server.table.action import Ask, Command, Event
from bosquet.server.table.actions import ASKS, ENTRIES, EVENTS, MESSAGES, MODULES
from bosquet.server.table.actions.agree import Agree, Decline
from bosquet.server.table.actions.chat import AllowChat, WriteChat
from bosquet.server.table.actions.clock import CallTime
from bosquet.server.table.actions.close import CloseTable
from bosquet.server.table.actions.deadline import LookAfter
from bosquet.server.table.actions.deal import Begin, Ready
from bosquet.server.table.actions.first import SayFirst
from bosquet.server.table.actions.give_up import Leave, Resign
from bosquet.server.table.actions.hint import AllowHints, NoteHint
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play, PlayForBot
from bosquet.server.table.actions.pace import SetPace
from bosquet.server.table.actions.rematch import GoOn
from bosquet.server.table.actions.send_away import Bar, Remove
from bosquet.server.table.actions.stand_in import GiveSeat, Returned, ReturnToSeat
from bosquet.server.table.actions.undo import Undo, Undone
from bosquet.server.table.actions.vacation import SetAway
from bosquet.server.table.messages import Clock, First, Slow
from bosquet.server.table.session import Chair, Session
from tests.server.helpers.sessions import AT, INVITATION, Kept, ask, decided, refused, shown, waiting_session

DAY_LATER = "2026-01-02T00:00:00.000Z"
NONCE = "a" * 32
ASKED: list[dict[str, Any]] = [
    {"type": "ready", "nonce": NONCE},
    {"type": "first", "seat": 1},
    {"type": "look", "seat": None},
    {"type": "sheet"},
    {"type": "play", "seat": 0, "number": 0, "move": "pass"},
    {"type": "undo", "seat": 0, "number": 1},
    {"type": "react", "seat": 0, "sign": "hello"},
    {"type": "pace", "pace": "human"},
    {"type": "hints", "allow": True},
    {"type": "hinted"},
    {"type": "allow chat", "allow": True},
    {"type": "write", "seat": 0, "text": "Hello"},
    {"type": "report", "number": 0},
    {"type": "rematch"},
    {"type": "give", "seat": 0, "bot": "greedy", "name": "Ivy"},
    {"type": "back"},
    {"type": "remove", "seat": 1},
    {"type": "bar", "watcher": "0" * 16},
    {"type": "watchers"},
    {"type": "close"},
    {"type": "resign", "seat": 0},
    {"type": "leave", "seat": 0, "bot": "greedy"},
    {"type": "agree", "proposal": "void"},
    {"type": "decline"},
]
"""An example of each message."""


class Stage:
    """A table with two seats, on the first of which Ann sits; what is kept of it gives the same table at any time."""

    def __init__(self, game: str = "topas", slow: Slow | None = None, clock: Clock | None = None) -> None:
        chairs = [Chair(name="Ann", guest="ann"), Chair()]
        options = bosquet.new(game, players=2).options
        self.session = waiting_session(game, options, chairs, listed=True, slow=slow, clock=clock)
        self.kept = Kept(self.session)
        self.seen: list[type[Event]] = []

    def ask(self, guest: str, command: Command, at: str = AT, **around: Any) -> None:
        """Have something done that is not refused, and compare."""
        happened = decided(self.session, guest, command, at, **around)
        assert happened, command
        self.kept.write(happened, self.session.barred)
        for event in happened:
            self.session.apply(event)
        again = self.kept.read()
        assert shown(again) == shown(self.session)
        assert not self.session.differs(self.kept.row, again.chairs)
        self.seen += map(type, happened)

    def begin(self) -> Session:
        """Have Bea sit down, and deal."""
        self.ask("bea", Join("Bea", INVITATION))
        self.ask("ann", Ready(NONCE))
        self.ask("bea", Ready(NONCE))
        return self.session

    def move(self) -> str:
        """Make a move for the guest to move; return the guest."""
        game = self.session.dealt()
        seat = game.seat or 0
        guest = self.session.chairs[seat].guest or ""
        self.ask(guest, Play(seat, self.session.number, game.legal()[0]))
        return guest


def play_to_the_end(stage: Stage) -> None:
    stage.begin()
    while not stage.session.dealt().over:
        stage.move()
    stage.ask("bea", GoOn("another"))


def shuffle_and_take_back(stage: Stage) -> None:
    """As `play_to_the_end`, with what Topas does not have."""
    session = stage.begin()
    while not any(entry.seat is None for entry in session.log):
        stage.move()
        seat = session.dealt().seat
        if session.may_undo(seat) and Undone not in stage.seen:
            stage.ask(session.chairs[seat or 0].guest or "", Undo(seat or 0, session.number))


def say_first(stage: Stage) -> None:
    stage.session.first = "open"
    stage.kept = Kept(stage.session)
    stage.ask("bea", Join("Bea", INVITATION))
    assert decided(stage.session, "ann", Ready(NONCE)) == []
    stage.ask("bea", SayFirst(1))
    assert [chair.guest for chair in stage.session.chairs] == ["bea", "ann"]
    stage.ask("ann", Ready(NONCE))
    stage.ask("bea", Ready(NONCE))
    assert stage.session.phase == "playing"


def give_seats(stage: Stage) -> None:
    stage.ask("ann", GiveSeat(1, "greedy", "Ivy"))
    stage.ask("ann", Ready(NONCE))


def stand_in(stage: Stage) -> None:
    stage.begin()
    stage.ask("bea", GiveSeat(0, "greedy", "Ivy"), gone=True)
    stage.ask("ann", ReturnToSeat())


def be_late(stage: Stage) -> None:
    session = stage.begin()
    seat = session.dealt().seat or 0
    late = session.chairs[seat].guest or ""
    stage.ask("", LookAfter(), DAY_LATER)
    stage.ask("", SetAway(late, DAY_LATER))
    returned = decided(session, late, ReturnToSeat())
    assert returned == [Returned(late)]  # which is not kept
    session.apply(returned[0])
    stage.seen.append(Returned)
    while session.dealt().seat == seat:
        stage.ask("", PlayForBot("greedy", seat, session.number, session.dealt().legal()[0]))
    assert session.chairs[seat].bot is None


def run_out_of_time(stage: Stage) -> None:
    stage.begin()
    stage.move()
    stage.ask("", CallTime(), DAY_LATER)
    assert stage.session.phase == "over"


def send_away(stage: Stage) -> None:
    stage.ask("bea", Join("Bea", INVITATION))
    stage.ask("ann", Remove(1))
    stage.ask("ann", Bar("0" * 16))


def close(stage: Stage) -> None:
    stage.ask("ann", CloseTable())


def set_up(stage: Stage) -> None:
    stage.begin()
    stage.ask("bea", AllowHints(True))
    for command in (SetPace("human"), AllowHints(True), NoteHint(), AllowChat(True), WriteChat(0, "Hello")):
        stage.ask("ann", command)
    stage.ask("ann", AllowChat(False))


def resign(stage: Stage) -> None:
    stage.begin()
    stage.move()
    stage.ask("ann", Resign(0))


def leave_and_agree(stage: Stage) -> None:
    stage.begin()
    stage.ask("ann", Agree("void"))
    stage.ask("bea", Decline())
    stage.ask("ann", Agree("end"))
    stage.ask("bea", Leave(1, "greedy"))
    assert stage.session.phase == "over"


def test_what_is_kept_of_each_event_gives_the_table_that_the_event_gives() -> None:
    seen: set[type[Event]] = set()
    for scene in (play_to_the_end, say_first, give_seats, stand_in, send_away, close, set_up, resign, leave_and_agree):
        stage = Stage()
        scene(stage)
        seen |= set(stage.seen)
    for stage, scene in (
        (Stage("schlossgarten"), shuffle_and_take_back),
        (Stage("topas", Slow(days=1, bot="greedy", until_back=True)), be_late),
        (Stage("topas", clock=Clock(minutes=5)), run_out_of_time),
    ):
        scene(stage)
        seen |= set(stage.seen)
    assert seen == set(EVENTS)


def test_of_two_nodes_that_do_the_same_the_second_is_refused() -> None:
    for guest, command in (
        ("bea", Join("Bea", INVITATION)),
        ("ann", Ready(NONCE)),
        ("ann", GiveSeat(1, "greedy", "Ivy")),
        ("ann", CloseTable()),
        ("ann", Bar("0" * 16)),
    ):
        stage = Stage()
        happened = decided(stage.session, guest, command)
        stage.kept.write(happened, "")
        kept = shown(stage.kept.read())
        with pytest.raises(Conflict):
            stage.kept.write(happened, "")
        assert shown(stage.kept.read()) == kept


def test_who_begins_is_said_once_by_those_at_the_table_when_all_have_sat_down() -> None:
    session = Stage().session
    session.first = "open"
    assert refused(session, "ann", SayFirst(0)) == "not now"
    assert refused(session, "eve", SayFirst(0)) == "not yours"
    ask(session, "bea", Join("Bea", INVITATION))
    assert refused(session, "bea", SayFirst(2)) == "no seat"
    ask(session, "ann", SayFirst(0))
    assert refused(session, "ann", SayFirst(1)) == "not now"
    assert refused(waiting(first="lot"), "ann", SayFirst(0)) == "not now"


def test_bots_alone_begin_as_soon_as_it_is_said_who_does() -> None:
    session = waiting(Chair(bot="greedy", name="Ivy"), Chair(bot="random", name="Rue"), first="open")
    assert ask(session, "", Begin()) == []
    ask(session, "ann", SayFirst(1))
    assert session.phase == "playing"
    assert [chair.name for chair in session.chairs] == ["Rue", "Ivy"]


def waiting(*chairs: Chair, first: First) -> Session:
    """A table of Ann's at which the game has not begun."""
    seated = list(chairs) or [Chair(name="Ann", guest="ann"), Chair(name="Bea", guest="bea")]
    session = waiting_session("topas", bosquet.new("topas", players=2).options, seated, listed=False)
    session.first = first
    return session


def test_each_message_has_an_example_that_is_read_and_written_the_same() -> None:
    read = [ASKS.decode(msgspec.json.encode(message)) for message in ASKED]
    assert {type(one) for one in read} == set(MESSAGES)
    assert [json.loads(msgspec.json.encode(one)) for one in read] == ASKED
    for message in ASKED:
        with pytest.raises(msgspec.ValidationError):
            ASKS.decode(msgspec.json.encode(message | {"more": 1}))


def test_each_action_says_what_it_is_and_has_a_file_that_is_listed() -> None:
    kinds = [*MESSAGES, *EVENTS]
    assert all(kind.__doc__ and "__doc__" in vars(kind) for kind in kinds)
    assert all(inspect.getdoc(module) for module in MODULES)
    folder = {module.__name__ for module in MODULES}
    assert {kind.__module__ for kind in (*subclasses(Ask), *subclasses(Event))} - {Ask.__module__} == folder
    assert sorted(ENTRIES) == ["chance", "end", "move", "undo"]
    assert all(issubclass(kind, Command) or kind.answer is not Ask.answer for kind in MESSAGES)


def subclasses(kind: type) -> list[type]:
    """All kinds of a kind."""
    children: list[type] = kind.__subclasses__()
    return [one for child in children for one in (child, *subclasses(child))]
