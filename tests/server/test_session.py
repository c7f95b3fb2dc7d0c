"""A session at random: joins, nonces, moves, undos, stand-ins, crashes and replays in any order keep what must hold.

The model around it keeps what the store would keep: the rows of the table and its seats, and the journal.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.core.records import fair
from bosquet.server.base.refusals import Refusal, Unreadable
from bosquet.server.store.entries import JournalEntry
from bosquet.server.table.action import Command, Event
from bosquet.server.table.actions import replay
from bosquet.server.table.actions.agree import Agree, Decline, EndedEarly
from bosquet.server.table.actions.chat import AllowChat, WriteChat
from bosquet.server.table.actions.clock import CallTime, ClocksSet, TimeCalled
from bosquet.server.table.actions.close import Closed, CloseTable
from bosquet.server.table.actions.deadline import LookAfter, TurnTimed
from bosquet.server.table.actions.deal import Dealt, NonceAdded, Ready
from bosquet.server.table.actions.give_up import Leave, Resign, SeatLeft
from bosquet.server.table.actions.hint import AllowHints
from bosquet.server.table.actions.join import Join, SeatTaken
from bosquet.server.table.actions.move import Moved, Play, PlayForBot
from bosquet.server.table.actions.pace import SetPace
from bosquet.server.table.actions.rematch import GoOn
from bosquet.server.table.actions.send_away import Remove
from bosquet.server.table.actions.stand_in import GiveSeat, Returned, ReturnToSeat, SeatGiven, SeatsTakenBack
from bosquet.server.table.actions.undo import Undo, Undone
from bosquet.server.table.actions.vacation import SetAway
from bosquet.server.table.messages import Clock, Slow
from bosquet.server.table.session import Chair, Session
from bosquet.server.table.timing.clocks import running_seat
from bosquet.server.table.timing.slow import is_made_by_bot, turn_of
from tests.server.helpers.sessions import AT, INVITATION, SECRET, UNDOS, Kept, decided, shown, waiting_session

GUESTS = ["ann", "bea", "cyd", "dan"]
BOT = "greedy"
OPTIONS = {
    "topiary": [{"players": 2, "draft": True}, {"players": 3}, {"players": 4}],
    "topas": [{"players": 1}, {"players": 2}, {"players": 3, "expert": True}],
    "schlossgarten": [{"players": 2}, {"players": 3}],
}

LATE = "2026-01-02T00:00:00.000Z"
"""A day later."""
CLOCKS = [None, Clock(minutes=10), Clock(minutes=1, increment=5, bot=BOT)]
SLOW = [None, Slow(days=1, bot=BOT), Slow(days=1, bot=BOT, until_back=True)]
guests = st.sampled_from(GUESTS)
seats = st.integers(0, 3)
picks = st.integers(0, 10**6)


class SessionMachine(RuleBasedStateMachine):
    """Asks anything of a session, and keeps what it answers."""

    name = "topas"

    @initialize(pick=picks, listed=st.booleans(), slow=st.sampled_from(SLOW), clock=st.sampled_from(CLOCKS))
    def open(self, pick: int, listed: bool, slow: Slow | None, clock: Clock | None) -> None:
        options = OPTIONS[self.name][pick % len(OPTIONS[self.name])]
        chairs = [Chair() for _ in range(options["players"])]
        chairs[0] = Chair(name="ann", guest="ann")
        if slow is not None or options["players"] == 1:
            clock = None
        full = bosquet.new(self.name, **options).options
        self.session = waiting_session(self.name, full, chairs, listed, slow, clock)
        self.kept = Kept(self.session)
        self.sent_away: set[str] = set()

    def ask(self, guest: str, command: Command, at: str = AT, **around: Any) -> list[Event]:
        """Decide, keep and apply; a refusal changes nothing, and deciding changes nothing either way."""
        before = shown(self.session)
        try:
            happened = decided(self.session, guest, command, at, **around)
        except Refusal:
            happened = []
        assert shown(self.session) == before
        self.kept.write(happened, self.session.barred)
        for event in happened:
            self.session.apply(event)
        self.check(guest, command, happened, at, **around)
        return happened

    def check(self, guest: str, command: Command, happened: list[Event], at: str, **around: Any) -> None:
        """A guest acts for own seats only, and in a game only when to move."""
        for event in happened:
            match event, command:
                case Moved() | Undone(), Play() | Undo():
                    assert event.seat == command.seat
                    assert self.session.chairs[event.seat].guest == guest
                case Moved(), PlayForBot():
                    left = [one for one in happened if isinstance(one, SeatsTakenBack)]
                    assert left or self.session.chairs[event.seat].bot == command.bot
                case Moved() | Undone(), _:
                    pytest.fail(f"{command} has moved")
                case SeatGiven(), GiveSeat():
                    assert event.guest is None or (around["gone"] and self.session.slow is None)
                case SeatGiven(), _:
                    assert isinstance(command, LookAfter)
                    assert at == LATE
                case NonceAdded(), _:
                    assert isinstance(command, Ready)
                    assert self.session.chairs[event.seat].guest == guest
                case Closed() | SeatTaken() | Dealt(), _:
                    assert self.session.phase in ("closed", "waiting", "playing", "over")

    # --- the waiting room ---

    @rule(guest=guests, invited=st.booleans(), host_is_near=st.booleans())
    def join(self, guest: str, invited: bool, host_is_near: bool) -> None:
        had = self.session.seats_of(guest)
        free = [seat for seat, chair in enumerate(self.session.chairs) if not chair.taken]
        happened = self.ask(guest, Join(guest, self.session.invitation if invited else None), host_near=host_is_near)
        may = self.session.phase == "waiting" and free and not had
        welcome = invited or (self.session.listed and (host_is_near or self.session.slow is not None))
        assert bool(happened) == bool(may and welcome and guest not in self.sent_away)
        assert len(self.session.seats_of(guest)) <= 1

    @rule(guest=guests, nonce=st.sampled_from("0123456789abcdef"))
    def add_nonce(self, guest: str, nonce: str) -> None:
        kept, waiting = self.session.nonces, self.session.phase == "waiting"
        self.ask(guest, Ready(nonce * 32))
        for before, after in zip(kept, self.session.nonces, strict=True):
            assert before == after or (waiting and before is None), "a nonce has changed that the deal is made of"

    @precondition(lambda self: self.session.phase == "waiting" and not self.sent_away)
    @rule()
    def everybody_comes(self) -> None:
        for guest in GUESTS:
            self.join(guest, True, True)
            self.add_nonce(guest, "a")
        assert self.session.phase == "playing"

    @rule(guest=guests, seat=seats, is_gone=st.booleans())
    def give_seat(self, guest: str, seat: int, is_gone: bool) -> None:
        self.ask(guest, GiveSeat(seat, BOT, "Ivy"), gone=is_gone)

    @rule(guest=guests)
    def take_back(self, guest: str) -> None:
        waited_for = is_made_by_bot(self.session, guest)  # a late turn is made to its end, at slow tables only
        happened = self.ask(guest, ReturnToSeat())
        if waited_for:
            assert all(isinstance(event, Returned) for event in happened)
            assert self.session.slow is not None
        else:
            assert all(self.session.chairs[seat].bot is None for seat in self.session.seats_of(guest))

    @rule(guest=guests, pick=picks)
    def close(self, guest: str, pick: int) -> None:
        if pick % 8 == 0:
            waiting = self.session.phase == "waiting"
            assert bool(self.ask(guest, CloseTable())) == (waiting and guest == "ann")

    @rule(guest=guests, pace=st.sampled_from(["human", "instant"]))
    def set_pace(self, guest: str, pace: Any) -> None:
        self.ask(guest, SetPace(pace))

    @rule(guest=guests, allow=st.booleans())
    def allow_hints(self, guest: str, allow: bool) -> None:
        happened = self.ask(guest, AllowHints(allow))
        mine = [self.session.chairs[seat].hints for seat in self.session.seats_of(guest)]
        assert not happened or mine
        assert all(hints == allow for hints in mine)

    @rule(guest=guests, pick=picks, seat=seats)
    def remove(self, guest: str, pick: int, seat: int) -> None:
        left = self.session.chairs[seat].guest if seat < len(self.session.chairs) else None
        if pick % 4 == 0 and self.ask(guest, Remove(seat)):
            assert guest == "ann"
            self.sent_away |= {left} if left else set()
            assert not self.session.chairs[seat].taken
            assert self.session.invitation != INVITATION

    @rule(guest=guests, seat=seats, allow=st.booleans())
    def chat(self, guest: str, seat: int, allow: bool) -> None:
        self.ask(guest, AllowChat(allow))
        lines = self.session.chat
        mine = seat in self.session.seats_of(guest) and self.session.phase != "closed"
        assert bool(self.ask(guest, WriteChat(seat, "Hello"))) == (mine and allow)
        assert self.session.chat == lines + (mine and allow)

    # --- resigning, leaving, ending together ---

    @precondition(lambda self: self.session.phase == "playing")
    @rule(guest=guests, seat=seats, rarely=st.integers(0, 3), leaves=st.booleans())
    def give_up(self, guest: str, seat: int, rarely: int, leaves: bool) -> None:
        if rarely:
            return
        people = {chair.guest for chair in self.session.chairs if chair.guest}
        happened = self.ask(guest, Leave(seat, BOT) if leaves else Resign(seat))
        assert all(isinstance(event, SeatLeft | EndedEarly | TurnTimed | ClocksSet) for event in happened)
        if happened:
            assert guest in people
            assert self.session.phase == "over" or seat not in self.session.seats_of(guest)
        if any(isinstance(event, EndedEarly) for event in happened) and not leaves:
            assert self.session.dealt().winners
            assert seat not in self.session.dealt().winners

    @precondition(lambda self: self.session.phase == "playing")
    @rule(guest=guests, proposal=st.sampled_from(["end", "void"]), everybody=st.integers(0, 5))
    def agree(self, guest: str, proposal: Any, everybody: int) -> None:
        for one in [guest] if everybody else GUESTS:
            happened = self.ask(one, Agree(proposal))
            if happened and isinstance(happened[0], EndedEarly):
                asked = [
                    chair for chair in self.session.chairs if chair.guest and (proposal == "void" or not chair.bot)
                ]
                assert all(chair.agrees == proposal or chair.guest == one for chair in asked)

    @rule(guest=guests)
    def decline(self, guest: str) -> None:
        if self.ask(guest, Decline()):
            assert not any(chair.agrees for chair in self.session.chairs)

    @rule(guest=guests)
    def go_on(self, guest: str) -> None:
        before = self.session.rematch
        self.ask(guest, GoOn(f"after {guest}"))
        assert before in (None, self.session.rematch)

    # --- slow tables ---

    @rule(late=st.booleans())
    def look_after(self, late: bool) -> None:
        """A node looks: on the day of the turn nothing changes, a day later a bot stands in for the guest to move."""
        before, turn = shown(self.session), turn_of(self.session)
        happened = self.ask("", LookAfter(), LATE if late else AT)
        if turn is None or turn.guest is None or not late:
            assert shown(self.session) == before
        else:
            assert happened[0] == SeatGiven(turn.seat, turn.guest, BOT, turn.guest)
            assert self.session.seats_of(turn.guest)

    @rule(guest=guests, until=st.sampled_from([None, LATE, "2026-01-09T00:00:00.000Z"]))
    def take_a_vacation(self, guest: str, until: str | None) -> None:
        """Taken and ended at once, it leaves the deadline as it was; meanwhile only that of the guest is moved."""
        before, turn = self.session.deadline, turn_of(self.session)
        self.ask("", SetAway(guest, until))
        mine = turn is not None and turn.guest == guest and before is not None and until is not None
        assert (self.session.deadline or "") > (before or "") if mine else self.session.deadline == before
        self.ask("", SetAway(guest, None))
        assert self.session.deadline == before

    @invariant()
    def the_player_to_move_at_a_slow_table_has_a_deadline(self) -> None:
        if hasattr(self, "session"):
            turn = turn_of(self.session)
            assert self.session.deadline == (LATE if turn is not None and turn.guest is not None else None)

    @invariant()
    def a_bot_stands_in_as_agreed(self) -> None:
        """Of a bot that makes single turns, nobody finds anything left at their next one."""
        slow = getattr(self, "session", None) and self.session.slow
        if slow and not slow.until_back and self.session.phase == "playing":
            turn = turn_of(self.session)
            standing_in = {seat for seat, chair in enumerate(self.session.chairs) if chair.bot and chair.guest}
            assert standing_in <= {turn.seat if turn else None}

    # --- clocks ---

    @rule(late=st.booleans(), rarely=st.integers(0, 3))
    def call_time(self, late: bool, rarely: int) -> None:
        """A node looks: at once nothing changes, a day later the seat whose clock runs is lost, or a bot has it."""
        before, seat, clock = shown(self.session), running_seat(self.session), self.session.clock
        happened = self.ask("", CallTime(), LATE if late and not rarely else AT)
        if seat is None or clock is None or not late or rarely:
            assert all(isinstance(event, ClocksSet) for event in happened)
            assert shown(self.session) == before
            return
        assert happened[0] == TimeCalled(seat)
        assert self.session.times is not None
        assert self.session.times[seat] == 0
        left = "left" if clock.bot else "resigned"
        assert self.session.phase == "over" or self.session.chairs[seat].left == left

    @invariant()
    def the_clock_of_a_person_to_move_runs_and_no_other_one(self) -> None:
        session = getattr(self, "session", None)
        if session is None or session.clock is None:
            assert session is None or (session.times, session.since) == (None, None)
            return
        assert (session.times is not None) == (session.phase in ("playing", "over"))
        seat = session.game.seat if session.phase == "playing" else None
        runs = seat is not None and session.chairs[seat].bot is None
        assert (session.since is not None) == runs
        for one, left in enumerate(session.times or ()):
            called = left == 0
            assert not called or session.phase == "over" or session.chairs[one].left is not None

    # --- the game ---

    @precondition(lambda self: self.session.phase == "playing")
    @rule(pick=picks, count=st.sampled_from([1, 2, 3, 5, 12, 60]))
    def play(self, pick: int, count: int) -> None:
        """The seat to move plays, people or bots."""
        for step in range(count):
            game = self.session.dealt()
            if game.seat is None:
                return
            legal = game.legal()
            move = legal[(pick + 7 * step) % len(legal)]
            chair, number = self.session.chairs[game.seat], self.session.number
            seat = game.seat
            if chair.bot is not None:
                happened = self.ask("", PlayForBot(chair.bot, seat, number, move))
            else:
                assert chair.guest is not None
                happened = self.ask(chair.guest, Play(seat, number, move))
            assert isinstance(happened[0], Moved)
            assert self.session.number > number

    @rule(
        guest=guests, seat=seats, lag=st.integers(-1, 1), move=st.sampled_from(["", "a1N", "stop", "B1G2@0,1E", "pass"])
    )
    def play_anything(self, guest: str, seat: int, lag: int, move: str) -> None:
        self.ask(guest, Play(seat, self.session.number + lag, move))

    @precondition(lambda self: self.session.phase == "playing")
    @rule(seat=seats, lag=st.integers(0, 1))
    def a_bot_that_is_late_does_nothing(self, seat: int, lag: int) -> None:
        game = self.session.dealt()
        if seat < len(self.session.chairs) and (lag or self.session.chairs[seat].bot is None) and game.seat is not None:
            command = PlayForBot(BOT, seat, self.session.number - lag, game.legal()[0])
            assert self.ask("", command) == []

    @rule(guest=guests, seat=seats)
    def undo(self, guest: str, seat: int) -> None:
        may = self.session.may_undo(seat) and seat in self.session.seats_of(guest)
        moves = self.session.game.moves[:-1] if may and self.session.game else None
        happened = self.ask(guest, Undo(seat, self.session.number))
        assert bool(happened) == may
        if moves is not None:
            assert self.session.dealt().moves == moves

    @precondition(lambda self: self.session.may_undo(self.session.game.seat if self.session.game else None))
    @rule(again=st.booleans())
    def the_last_to_move_undoes(self, again: bool) -> None:
        seat = self.session.dealt().seat
        assert seat is not None
        guest, number = self.session.chairs[seat].guest, self.session.number
        move = self.session.dealt().moves[-1]
        if guest is not None:
            self.undo(guest, seat)
            assert self.session.number == number + 1
            if again and self.session.chairs[seat].bot is None:
                self.ask(guest, Play(seat, number + 1, move))
                assert self.session.dealt().moves[-1] == move

    # --- crashes and other processes ---

    @rule()
    def crash_and_read_again(self) -> None:
        """Another process makes the same session of the rows and the journal."""
        old, self.session = self.session, self.kept.read()
        assert shown(self.session) == shown(old)

    @precondition(lambda self: self.session.phase == "playing" and self.kept.journal)
    @rule(pick=picks)
    def a_journal_that_is_wrong_is_refused(self, pick: int) -> None:
        twin = waiting_session(self.name, self.session.options, copy.deepcopy(self.session.chairs), False)
        twin.ensure_dealt()
        cut = pick % len(self.kept.journal)
        for entry in self.kept.journal[:cut]:
            replay(twin, entry)
        for wrong in (JournalEntry("move", "nonsense"), JournalEntry("chance", "pile 99")):
            number = twin.number
            with pytest.raises(Unreadable):
                replay(twin, wrong)
            assert twin.number == number

    # --- what always holds ---

    @invariant()
    def numbers_count_what_happened(self) -> None:
        if hasattr(self, "session"):
            assert self.session.number == len(self.kept.journal)
            moves = sum({"undo": -1, "end": 0}.get(entry.kind, 1) for entry in self.kept.journal)
            assert len(self.session.game.moves if self.session.game else []) == moves

    @invariant()
    def nobody_undoes_more_than_the_limit(self) -> None:
        if hasattr(self, "session"):
            for seat in range(len(self.session.chairs)):
                assert sum(entry.undo and entry.seat == seat for entry in self.session.log) <= UNDOS

    @invariant()
    def the_phase_is_what_the_game_says(self) -> None:
        if hasattr(self, "session"):
            game, phase = self.session.game, self.session.phase
            assert (game is not None) == (phase in ("playing", "over"))
            if game is not None:
                assert game.over == (phase == "over")
                assert all(chair.taken for chair in self.session.chairs)

    @invariant()
    def what_is_sent_tells_nothing_hidden(self) -> None:
        """The log of a seat is what the game tells this seat; the pile is never said."""
        if hasattr(self, "session") and (game := self.session.game) is not None:
            for viewer in (None, *range(game.players)):
                said = [(entry.seat, entry.move(viewer).say) for entry in standing(self.session)]
                assert [line for line in said if line[0] is not None] == game.observed_moves(viewer)
                assert all(" " not in text for seat, text in said if seat is None)
                assert SECRET not in msgspec.json.encode(game.view(viewer)).decode()

    def teardown(self) -> None:
        """A game that is over has a record that proves its deal."""
        if hasattr(self, "session") and self.session.phase == "over":
            fair.verify(bosquet.load(self.session.record()))
        elif hasattr(self, "session"):
            with pytest.raises(Refusal):
                self.session.record()


def standing(session: Session) -> list[Any]:
    """The entries of the log that were not taken back."""
    entries: list[Any] = []
    for entry in session.log:
        if entry.undo:
            entries.pop()
        elif entry.ending:
            assert entry is session.log[-1]
        else:
            entries.append(entry)
    return entries


class TopiaryMachine(SessionMachine):
    """Sessions of Topiary."""

    name = "topiary"


class SchlossgartenMachine(SessionMachine):
    """Sessions of Schlossgarten."""

    name = "schlossgarten"


SIZE = settings(max_examples=25, stateful_step_count=40, deadline=None)
TestTopas = SessionMachine.TestCase
TestTopas.settings = SIZE
TestTopiary = TopiaryMachine.TestCase
TestTopiary.settings = SIZE
TestSchlossgarten = SchlossgartenMachine.TestCase
TestSchlossgarten.settings = SIZE


def test_a_move_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked, decided and applied, a move is parsed once, and what is legal is listed with a view only."""
    chairs = [Chair(name=guest, guest=guest, nonce="0" * 32) for guest in GUESTS]
    session = waiting_session("topas", {"players": 4, "expert": False}, chairs, False)
    session.apply(Dealt(AT, 0))
    game = session.dealt()
    seat = game.seat
    assert seat is not None
    view: Any = game.view(seat)
    parsed, listed = [], []
    parse, legal = game.spec.notation.parse, game.spec.rules.legal

    def counting_parse(state: Any, text: str) -> int:
        parsed.append(text)
        return parse(state, text)

    def counting_legal(state: Any, moves: Any) -> int:
        listed.append(state)
        return legal(state, moves)

    monkeypatch.setattr(game.spec.notation, "parse", counting_parse)
    monkeypatch.setattr(game.spec.rules, "legal", counting_legal)
    for event in decided(session, GUESTS[seat], Play(seat, 0, view.moves[0].say)):
        session.apply(event)
    for viewer in (None, *range(4)):
        session.dealt().view(viewer)
    session.dealt().legal()
    assert parsed == [view.moves[0].say]
    assert listed == []  # kernels list what is legal with the view of the seat to move


def test_chance_follows_from_the_secret_and_is_told_to_nobody() -> None:
    """A pile that is shuffled anew is an event of its own, the same wherever the journal is read."""
    chairs = [Chair(name=guest, guest=guest, nonce="0" * 32) for guest in GUESTS[:2]]
    session = waiting_session("schlossgarten", {"players": 2}, chairs, False)
    kept, pick = Kept(session), random.Random(4)
    kept.write([Dealt(AT, 0)], "")
    session.apply(Dealt(AT, 0))
    while (seat := session.dealt().seat) is not None and sum(entry.seat is None for entry in session.log) < 2:
        move = pick.choice(session.dealt().legal())
        happened = decided(session, GUESTS[seat], Play(seat, session.number, move))
        assert happened == decided(session, GUESTS[seat], Play(seat, session.number, move))
        kept.write(happened, "")
        for event in happened:
            session.apply(event)
    shuffles = [entry for entry in session.log if entry.seat is None]
    assert [[entry.observed[viewer].say for viewer in (-1, 0, 1)] for entry in shuffles] == [["pile"] * 3] * 2
    again = kept.read()
    assert shown(again) == shown(session)


def test_replay_refuses_what_is_no_game() -> None:
    session = waiting_session("topas", {"players": 1, "expert": False}, [Chair(name="Ann", guest="ann")], False)
    session.options = {"players": 9}
    with pytest.raises(Unreadable, match="can't be read"):
        decided(session, "ann", Ready("0" * 32))
    with pytest.raises(BosquetError):
        fair.deal(bosquet.spec("topas"), session.options, SECRET, [None])
