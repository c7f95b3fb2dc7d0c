"""What those who play may do about the game itself: resign, leave it, end it together, or void it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import bosquet
from bosquet.core.errors import RecordError
from bosquet.core.records import fair
from bosquet.server.base.messages import Ending
from bosquet.server.compute.messages import ReplayRequest
from bosquet.server.compute.replays import replay
from bosquet.server.table.actions.agree import Agree, Agreed, Decline, EndedEarly, ProposalsDropped
from bosquet.server.table.actions.give_up import Leave, Resign, SeatLeft
from bosquet.server.table.actions.move import Ended, Play
from bosquet.server.table.actions.rematch import GoOn, WentOn
from bosquet.server.table.actions.stand_in import GiveSeat, ReturnToSeat
from bosquet.server.table.session import Chair
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import every_size
from tests.server.helpers.people import FRIEND, ME, RANDOM, Page, Person, begin, make_app, two_people
from tests.server.helpers.sessions import AT, ask, play, playing, refused, waiting_session

HERE = {"kind": "here", "name": "Cyd"}


# --- the decisions ---


def test_of_two_the_other_wins_when_one_resigns() -> None:
    session = playing("ann", "bea", moves=3)
    scores = session.dealt().scores
    (ended,) = ask(session, "bea", Resign(1))
    assert ended == EndedEarly(AT, "resigned", 1, [1], scores, [0])
    assert (session.phase, session.ended) == ("over", AT)
    game = session.dealt()
    assert (game.over, game.seat, game.winners, game.result) == (True, None, [0], None)
    assert refused(session, "ann", Play(0, session.number, "B1G2@0,1E")) == "not now"
    assert refused(session, "ann", Resign(0)) == "not now"
    assert ask(session, "ann", GoOn("again")) == [WentOn("again")]


def test_nobody_resigns_for_others_or_before_the_deal_or_alone() -> None:
    session = playing("ann", "bea")
    assert refused(session, "ann", Resign(1)) == "not yours"
    assert refused(session, "eve", Resign(0)) == "not yours"
    assert refused(session, "eve", Leave(0, "greedy")) == "not yours"
    assert refused(session, "eve", Agree("void")) == "not yours"
    assert refused(session, "eve", Decline()) == "not yours"
    assert refused(session, "ann", Leave(0, "nobody")) == "malformed"
    waiting = waiting_session("topas", session.options, [Chair(name="ann", guest="ann"), Chair()], listed=False)
    for command in (Resign(0), Leave(0, "greedy"), Agree("void")):
        assert refused(waiting, "ann", command) == "not now"
    alone = playing("ann")
    assert refused(alone, "ann", Resign(0)) == "not now"
    assert refused(alone, "ann", Agree("end")) == "not now"


def test_of_three_a_bot_plays_on_and_the_seat_can_not_win() -> None:
    session = playing("ann", "bea", "cyd", moves=2)
    luck_bot = session.dealt().spec.luck_bot
    assert ask(session, "ann", Resign(0)) == [SeatLeft(0, "ann", luck_bot, "resigned")]
    assert (session.phase, session.seats_of("ann"), session.chairs[0].name) == ("playing", [], "ann")
    assert ask(session, "ann", ReturnToSeat()) == []
    while (seat := session.dealt().seat) is not None:
        moves: Any = session.dealt().view(seat).moves
        happened = play(session, max(moves, key=lambda one: one.points if seat == 0 else -one.points).say)
    assert isinstance(happened[-1], Ended)
    game = session.dealt()
    assert game.result is not None
    assert game.result["winners"] == [0], "by the rules"
    assert happened[-1].winners == game.winners == game.view(1).winners == game.score_sheet().winners
    assert 0 not in game.winners
    record = session.record()
    assert record["ending"] == {"how": "played", "resigned": [0], "scores": game.scores, "winners": game.winners}
    assert bosquet.load(record).winners == game.winners


def test_the_game_ends_when_nobody_who_plays_or_one_seat_is_left() -> None:
    session = playing("ann", None, None, moves=2)
    (ended,) = ask(session, "ann", Resign(0))
    assert isinstance(ended, EndedEarly)
    assert set(ended.winners) <= {1, 2}
    session = playing("ann", "bea", "cyd", moves=2)
    ask(session, "ann", Resign(0))
    (ended,) = ask(session, "cyd", Resign(2))
    assert isinstance(ended, EndedEarly)
    assert (ended.resigned, ended.winners) == ([0, 2], [1])


def test_of_several_seats_at_one_screen_one_resigns() -> None:
    session = playing("ann", "ann", "bea")
    ask(session, "ann", Resign(1))
    assert session.seats_of("ann") == [0]
    assert session.phase == "playing"


def test_who_leaves_gives_the_seat_to_a_bot_which_may_win() -> None:
    session = playing("ann", "bea", moves=1)
    assert ask(session, "bea", Leave(1, "level2")) == [SeatLeft(1, "bea", "level2", "left")]
    assert (session.chairs[1].bot, session.chairs[1].left_by, session.seats_of("bea")) == ("level2", "bea", [])
    assert refused(session, "ann", Leave(0, "level2")) == "not now"  # nobody would play any more
    (ended,) = ask(session, "ann", Resign(0))
    assert isinstance(ended, EndedEarly)
    assert ended.winners == [1]
    assert session.record()["left"] == [1]


def test_all_who_play_agree_to_an_end_which_counts_as_it_stands() -> None:
    session = playing("ann", "bea", None, moves=5)
    assert ask(session, "ann", Agree("end")) == [Agreed("ann", "end")]
    assert ask(session, "ann", Agree("end")) == []
    scores = session.dealt().scores
    (ended,) = ask(session, "bea", Agree("end"))
    winners = [seat for seat in range(3) if scores[seat] == max(scores)]
    assert ended == EndedEarly(AT, "agreed", None, [], scores, winners)


def test_who_is_away_is_asked_whether_it_counts_and_not_whether_it_ends() -> None:
    session = playing("ann", "bea")
    ask(session, "ann", GiveSeat(1, "greedy", "Ivy"), gone=True)
    assert ask(session, "ann", Agree("void")) == [Agreed("ann", "void")]
    (ended,) = ask(session, "ann", Agree("end"))
    assert isinstance(ended, EndedEarly)
    assert ended.how == "agreed"


def test_a_proposal_is_declined_taken_back_or_lapses() -> None:
    session = playing("ann", "bea")
    ask(session, "ann", Agree("void"))
    assert ask(session, "bea", Decline()) == [ProposalsDropped()]
    assert ask(session, "bea", Decline()) == []
    mover = session.chairs[session.dealt().seat or 0].guest or ""
    other = "bea" if mover == "ann" else "ann"
    ask(session, mover, Agree("end"))
    seat = session.dealt().seat or 0
    ask(session, mover, Play(seat, session.number, session.dealt().legal()[0]))
    assert session.chairs[seat].agrees == "end", "who proposes may play on"
    seat = session.dealt().seat or 0
    happened = ask(session, other, Play(seat, session.number, session.dealt().legal()[0]))
    assert happened[-1] == ProposalsDropped(), "who plays on declines"


def test_the_last_who_is_left_may_have_agreed_already() -> None:
    session = playing("ann", "bea", "cyd")
    ask(session, "ann", Agree("end"))
    ask(session, "bea", Agree("end"))
    happened = ask(session, "cyd", Resign(2))
    assert [type(event) for event in happened] == [SeatLeft, EndedEarly]
    assert session.dealt().ending == ("agreed", [2])


def test_a_void_game_has_no_result() -> None:
    session = playing("ann", moves=3)
    (ended,) = ask(session, "ann", Agree("void"))
    assert ended == EndedEarly(AT, "void", None, [], None, [])
    record = session.record()
    assert (record["result"], record["ending"]) == (None, {"how": "void", "resigned": []})
    assert bosquet.load(record).winners == []
    fair.verify(bosquet.load(record))


# --- records ---


@every_size
def test_records_of_games_that_ended_early_replay_and_prove_their_deal(name: str, options: dict[str, Any]) -> None:
    for how in ("resigned", "agreed", "void"):
        for plies in (0, 3, 11):
            *_, game = every_ply(name, options, 1, plies)
            if game.over or (game.players == 1 and how == "resigned"):
                continue
            game.end(how, [0] if how == "resigned" else [])
            record = json.loads(json.dumps(game.record()))
            assert record["result"] is None
            again = bosquet.load(record)
            assert again.record() == record
            assert again.over
            view = again.view(None)
            assert (view.over, view.seat, view.phase, view.winners) == (True, None, "over", again.winners)
            assert again.score_sheet().winners == again.winners
            assert all(again.view(seat).moves == [] for seat in range(game.players))
            bosquet.load({key: value for key, value in record.items() if key != "ending"})  # as older versions read it


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"how": "lost"}, "how is"),
        ({"resigned": [2]}, "below 2"),
        ({"resigned": [0, 1]}, "2 of 2"),
        ({"resigned": []}, "0 of 2"),
        ({"resigned": "0"}, "list of seats"),
        ({"winners": [1]}, "winners must be"),
        ({"scores": [99, 0]}, "scores must be"),
        ({"how": "played"}, "not over by its rules"),
    ],
)
def test_a_record_that_ended_otherwise_is_refused(change: dict[str, Any], why: str) -> None:
    session = playing("ann", "bea", moves=3)
    ask(session, "bea", Resign(1))
    record = session.record()
    bosquet.load(record)
    with pytest.raises(RecordError, match=why):
        bosquet.load(record | {"ending": record["ending"] | change})


# --- tables ---


def until_over(page: Page) -> None:
    while not page.position["view"]["over"]:
        page.hear("position")


def test_everybody_is_told_how_it_ended_and_it_is_kept(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann, bea = Person(client), None
        client.cookies.clear()
        bea = Person(client)
        table = two_people(ann, bea)
        with ann.at(table) as first, bea.at(table) as second:
            begin(first, second)
            loser = second.news["mine"][0]
            second.ask("resign", seat=loser)
            for page in (first, second):
                until_over(page)
                assert page.news["ending"] == {"how": "resigned", "resigned": [loser]}
                assert page.entries[-1]["ending"] == "resigned"
                assert page.entries[-1]["seat"] == loser
                assert page.position["view"]["winners"] == [1 - loser]
                assert all(page.position["view"]["hands"]), "as at the end of any game"
                assert page.hear("sheet")["sheet"]["winners"] == [1 - loser]
                page.hear("proof")
        kept = ann.get("/api/lobby").json()["mine"][0]
        assert (kept["phase"], kept["ending"], kept["winners"]) == ("over", "resigned", [1 - loser])
        record = ann.get(f"/api/tables/{table}/record").json()
    with TestClient(make_app(tmp_path)) as client:
        ann.client = client
        with ann.at(table) as page:
            page.hear("sheet")
            assert page.news["ending"] == {"how": "resigned", "resigned": [loser]}
        assert ann.get(f"/api/tables/{table}/record").json() == record
        fair.verify(bosquet.load(record))
        answer = replay(ReplayRequest(record))
        assert answer.ending == Ending("resigned", [loser])
        assert answer.frames[-1].view.over


def test_who_left_sees_no_hand_any_more_and_the_bot_goes_on(ann: Person, bea: Person) -> None:
    table = two_people(ann, bea, [ME, FRIEND, RANDOM])
    with ann.at(table) as first, bea.at(table) as second:
        begin(first, second)
        seat = second.news["mine"][0]
        assert second.position["view"]["hand"]
        second.ask("leave", seat=seat, bot="random")
        while second.position["viewpoint"] is not None:
            second.hear("position")
        assert second.position["view"]["hand"] is None
        while first.news["seats"][seat]["left"] is None:
            first.hear("table")
        chair = first.news["seats"][seat]
        assert (chair["kind"], chair["bot"], chair["left"], chair["name"]) == ("bot", "random", "left", "Bea")
        assert second.refusal("look", seat=seat) == "not yours"
        assert second.refusal("resign", seat=seat) == "not yours"
    with bea.at(table) as again:
        assert again.hear("table")["mine"] == []
    assert bea.get("/api/me").json()["tables"][0]["names"] == ["Bea"]
    bea.post("/api/me/erase", {})
    with ann.at(table) as page:
        assert page.hear("table")["seats"][seat]["name"] == "Guest"


def test_a_void_game_is_listed_as_such_and_proves_its_deal(ann: Person, bea: Person) -> None:
    table = two_people(ann, bea)
    with ann.at(table) as first, bea.at(table) as second:
        begin(first, second)
        first.ask("agree", proposal="void")
        while not any(chair["agrees"] == "void" for chair in second.news["seats"]):
            second.hear("table")
        second.ask("agree", proposal="void")
        until_over(first)
        assert first.news["ending"] == {"how": "void", "resigned": []}
        assert first.hear("sheet")["sheet"]["winners"] == []
        assert first.hear("proof")["secret"]
    kept = ann.get("/api/lobby").json()["mine"][0]
    assert (kept["ending"], kept["scores"], kept["winners"]) == ("void", None, [])
    fair.verify(bosquet.load(ann.get(f"/api/tables/{table}/record").json()))
