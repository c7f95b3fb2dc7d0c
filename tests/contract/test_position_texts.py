"""The text and the packed form of a position are exact inverses, and what is no position is refused where it stands."""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bosquet
from bosquet import bots
from bosquet.core.installed import variants
from bosquet.core.positions.position import Position, decision_rng, reader_of
from bosquet.core.rng import Rng, seed_rng
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import to_json
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from tests.contract.helpers.positions import every_ply, viewers
from tests.helpers.cases import CASES, every_size, reach
from tests.helpers.rows import each_row

TEXTED = [(name, options) for name, options in CASES if bosquet.spec(name).module("position_text") is not None]
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@every_size
def test_texts_and_bytes_go_there_and_back(name: str, options: dict[str, Any]) -> None:
    if (name, options) not in TEXTED:
        pytest.skip("it has no texts")
    for game in itertools.chain(every_ply(name, options, 1), every_ply(name, options, 2, 60)):
        for viewer in viewers(game) if len(game.moves) % 5 == 0 or game.seat is None else ():
            position = game.position(viewer)
            for form in (str(position), position.pack()):
                again = bosquet.position(form)
                assert again == position
                assert hash(again) == hash(position)
                assert (str(again), again.pack()) == (str(position), position.pack())
                assert again.state.pack().tobytes() == position.state.pack().tobytes()
            assert re.fullmatch(r"[A-Za-z0-9/=,.:@_-]+", str(position)), "a link needs no escapes"
            assert (position.seat, position.over, position.viewer) == (game.seat, game.over, viewer)
            assert (position.options, position.spec) == (game.options, game.spec)
            assert to_json(position.view()) == to_json(game.view(viewer))
            assert position.legal() == (game.legal() if viewer == game.seat else [])
            assert position.determinize(3) == position.determinize(3)


@every_size
def test_bots_and_environments_go_on_from_a_text(name: str, options: dict[str, Any]) -> None:
    """A search finds a legal move in the view of a position, and what is drawn from it is played to its end."""
    if (name, options) not in TEXTED:
        pytest.skip("it has no texts")
    game = reach(name, options, 3, 9)
    assert game.seat is not None
    position = bosquet.position(str(game.position(game.seat)))
    assert bots.make("search:20").choose(position.view(), Rng(1)) in position.legal() == game.legal()
    state = GameState.at(compiled_game(name, **position.options), position.determinize(1), 2)
    while not state.over:
        if state.seat == CHANCE:
            state.sample_chance()
        else:
            state.play(state.legal()[0])
    assert state.winners()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if i else name for i, name in enumerate(variants())]
)
def test_variants_have_texts_too(name: str) -> None:
    for seed in range(20):
        game = bosquet.new(name, seed=seed)
        pick = Rng(seed)
        while not game.over:
            for viewer in viewers(game):
                assert bosquet.position(str(game.position(viewer))) == game.position(viewer)
                assert bosquet.position(game.position(viewer).pack()) == game.position(viewer)
            game.play(pick.choice(game.legal()))


def test_a_box_that_is_not_the_house_s_stands_in_the_text() -> None:
    rows = [["GKA", "...", "..."]] * 16 + [["G..", ".K.", "..A"]] * 16
    box = {"deck": rows, "tiles": [20, 15, 14], "starts": [["a1", "b1", "c1"], ["a7", "b7", "c7"]]}
    game = bosquet.new("schlossgarten", players=2, seed=1, box=box)
    text = str(game.position(1))
    assert "/deck=___:___:GKA," in text
    assert "/tiles=20.15.14/starts=a1.b1.c1,a7.b7.c7/" in text
    assert bosquet.position(text) == game.position(1)
    assert bosquet.position(text).view().box == game.view(1).box  # type: ignore[attr-defined]


@every_size
def test_who_decides_draws_from_the_text_of_the_position(name: str, options: dict[str, Any]) -> None:
    """The chance of a bot is the same whatever is hidden from it, and another one in another position."""
    if (name, options) not in TEXTED:
        pytest.skip("it has no texts")
    spec, drawn = bosquet.spec(name), set()
    for game in itertools.islice(every_ply(name, options, 1), 8):
        for viewer in viewers(game):
            view = game.view(viewer)
            other = spec.view.view(spec.view.determinize(view, Rng("hidden")), viewer)
            state = decision_rng("hint", view).state
            assert decision_rng("hint", other).state == state == seed_rng("hint", game.position(viewer))
            assert decision_rng("greedy", view).state != state
            assert tuple(state) not in drawn
            drawn.add(tuple(state))


@functools.cache
def texts() -> list[str]:
    """Positions of every game with its options."""
    found = []
    for (name, options), seed in zip(TEXTED, itertools.cycle((1, 2))):
        plies = ((game, viewer) for game in every_ply(name, options, seed, 90) for viewer in viewers(game))
        found += [str(game.position(viewer)) for game, viewer in itertools.islice(plies, seed, None, 9)]
    return found


@st.composite
def broken(draw: st.DrawFn) -> tuple[str, str]:
    """The text of a position, and the same with a few characters, words or fields changed."""
    text = draw(st.sampled_from(texts()))
    fields = text.split("/")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(fields) - 1))
        how = draw(st.sampled_from(["other", "drop", "twice", "swap", "character", "characters"]))
        if how == "other":
            others = [field for field in draw(st.sampled_from(texts())).split("/") if field[:3] == fields[at][:3]]
            fields[at] = draw(st.sampled_from(others)) if others else fields[at]
        elif how == "drop" and len(fields) > 1:
            del fields[at]
        elif how == "twice":
            fields.insert(at, fields[at])
        elif how == "swap":
            other = draw(st.integers(0, len(fields) - 1))
            fields[at], fields[other] = fields[other], fields[at]
        else:
            place = draw(st.integers(0, len(fields[at])))
            new = draw(
                st.text(max_size=2) if how == "characters" else st.sampled_from([*"-.,=:@_0123456789GKATWBRYEN"])
            )
            fields[at] = fields[at][:place] + new + fields[at][place + draw(st.integers(0, 2)) :]
    return text, "/".join(fields)


@FUZZ
@given(broken())
def test_of_a_broken_text_only_a_position_or_its_error_comes(texts: tuple[str, str]) -> None:
    _, text = texts
    try:
        position = bosquet.position(text)
    except bosquet.PositionError:
        return
    assert str(bosquet.position(str(position))) == str(position)
    play_on(position)


@FUZZ
@given(broken())
def test_what_the_module_of_a_game_takes_can_be_played(texts: tuple[str, str]) -> None:
    """Without the comparison of what follows from the rest, so that more gets through."""
    original = bosquet.position(texts[0])
    spec: Any = original.spec
    state, read = spec.new_state(original.options), spec.module("position_text").read_position
    try:
        reader = reader_of(texts[1].encode(errors="surrogatepass"))
    except bosquet.PositionError:
        return
    read(state, -1 if original.viewer is None else original.viewer, reader)
    if reader.is_faulty:
        return
    play_on(Position(spec, original.options, original.viewer, state))


def play_on(position: Position) -> None:
    """A position can be viewed, written, read, determinized and played to its end."""
    assert bosquet.position(str(position)) == position
    assert bosquet.position(position.pack()) == position
    rules = position.spec.rules
    assert position.spec.conceal(position.state, position.viewer) == position.state
    state, rng, moves = position.determinize(1), Rng("play on"), [0] * rules.MAX_MOVES
    assert position.spec.conceal(state, position.viewer) == position.state
    while state.seat != NOBODY:
        if state.seat == CHANCE:
            rules.sample_chance(state, rng.state)
        else:
            n = rules.legal(state, moves)
            assert n
            rules.play(state, moves[rng.below(n)])
    assert rules.winners(state)


@FUZZ
@given(st.data())
def test_of_broken_bytes_only_a_position_or_its_error_comes(data: st.DataObject) -> None:
    packed = bytearray(bosquet.position(data.draw(st.sampled_from(texts()))).pack())
    begin = 0 if data.draw(st.booleans()) else packed.index(0) + 1
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(begin, min(len(packed) - 1, begin + 700)))
        packed[at] = data.draw(st.integers(0, 255))
    try:
        position = bosquet.position(bytes(packed))
    except bosquet.PositionError:
        return
    assert position.pack() == bytes(packed)
    play_on(position)


TOPIARY = (
    "topiary/players=2/view=1/phase=line/seat=1/without=L/garden=.....,.....,.T4E1..,.....,...../visitors=a3E,-/put=T4,-"
    "/hands=3,S1.S2.O1"
)
TOPAS = "topas/players=2/view=1/phase=lay/seat=1/points=4,0/table=B1G2@0,0E.B3R1@0,1N/hands=3,G1Y3.G2Y1.R1Y2/pile=28"
SOLITAIRE = (
    "topas/players=1/view=0/phase=lay/seat=0/points=40/columns=-/gone=-/table=B2R1@0,0E.B1Y3@1,1E.B3G1@0,1N.G3Y1@1,2E"
    ".B3Y2@-1,1W.B2G1@-1,0W.G3R2@-1,2W/hands=B1G2/pile=28"
)
SOLVED = (
    "topas/players=1/view=0/phase=over/seat=-/points=49/columns=32.30.24.49/gone=B1G2.B1G3.B1R2.B1R3.B1Y2.B2R3.B2Y1.B2Y3"
    ".B3G2.B3R1.B3Y1.G1R2.G1R3.G1Y2.G1Y3.G2R1.G2R3.G2Y1.G2Y3.G3Y2.R1Y2.R1Y3.R2Y1.R3Y1/table=B2R1@0,0E.B1Y3@1,1E"
    ".B3G1@0,1N.G3Y1@1,2E.B3Y2@-1,1W.B2G1@-1,0W.G3R2@-1,2W.R2Y3@-3,2S/hands=-/pile=4"
)
SCHLOSSGARTEN = (
    "schlossgarten/players=2/view=0/turn=2/phase=build/seat=0/points=2,0/garden=1111111,1111111,1112222,2222222,2222233,"
    "3333333,3333333/dug=d2/kept=c2,-/elements=G1:c2,-/pawns=d1.c1.e1,d7.e7.c7/card=23/worker=A/hands=7,1/pile=29"
    "/discard=-/held=-/may=-,-"
)
DRAFTED = (
    "topiary/players=2/draft/view=1/phase=over/seat=-/without=H/garden=P1L5.E1O4,E2P4S4.W1,.S1E5W3L4,....E3,.E4.S3."
    "/visitors=a1N.b1NE.b1NW.d1NW.a2SE.e2SW.e2W.a5E,b1N.d1N.a2E.e3NW.a4E.e4SW.b5S.e5S/put=S1.S4.E1.E2.E4.P1,W1.W3.S"
    "3.E3.P4.O4.L4.L5/hands=P2.P5.L2,T3.W2.S5/received=T3.W2.P2.P5/passed=S1.S2.P2.P5"
)
DRAFT = (
    "topiary/players=2/draft/view=0/phase=line/seat=0/without=L/garden=.....,.....,..E1..,.....,...../visitors=-,-"
    "/put=-,-/hands=T1.T2.T3,3/received=T1.T2.W1.W2/passed=W1.W2.W3.W4"
)


def test_fields_and_items_come_in_any_order_and_what_follows_may_be_missing() -> None:
    for text, loose in (
        (TOPIARY, "topiary/hands=3,O1.S1.S2/put=T4,-/visitors=a3E,-/garden=.....,.....,.T4E1..,.....,...../without=L"
         "/phase=line/view=1/players=2"),
        (TOPAS, "topas/players=2/view=1/table=B1G2@0,0E.B3R1@0,1N/hands=3,R1Y2.G2Y1.G1Y3"),
        (SCHLOSSGARTEN, SCHLOSSGARTEN.replace("/points=2,0", "").replace("/pile=29", "").replace("/seat=0", "")),
    ):  # fmt: skip
        assert str(bosquet.position(loose)) == text == str(bosquet.position(text))
    assert bosquet.position(DRAFT).legal()


@each_row(
    ("text", "old", "new", "message"),
    [
        (TOPIARY, "/view=1", "", 'the field "view=" is missing'),
        (TOPIARY, TOPIARY[len("topiary") :], "", 'the field "players=" is missing; it has none'),
        (TOPIARY, "/view=1", "/", "character 19 begins a field without a name"),
        (TOPIARY, "view=1", "=1", "character 19 begins a field without a name"),
        (TOPIARY, "view=1", "view=2", 'character 24, view: "2" must be a whole number from 0 to 1'),
        (TOPIARY, "seat=1", "seat=0", 'character 42, seat: "0" must be "1", which follows from the rest'),
        (TOPIARY, "put=T4,-", "put=T4,-/put=T4,-", 'character 117, put: "put=T4,-" is there twice'),
        (TOPIARY, "put=T4,-", "put=-,-", "has nobody who put T4"),
        (TOPIARY, "S1.S2", "S1.T4", "has tile T4, which is somewhere else, too"),
        (TOPIARY, "S1.S2", "S1.L4", "has tile L4, whose type is left out"),
        (TOPIARY, "S1.S2", "S1.Q4", 'is no tile; a tile is written like "T1"'),
        (TOPIARY, "S1.S2.O1", "S1.S2", "has 2; seat 1 must have 3"),
        (TOPIARY, "hands=3", "hands=4", 'character 123, hands: "4" must be 3'),
        (TOPIARY, "hands=3,", "hands=", "has 1 parts between commas; it must have 2, one for each seat"),
        (TOPIARY, "visitors=a3E,-", "visitors=a3E.a4E,-", "has 2 visitors; the seats place 8 each in turn"),
        (TOPIARY, "visitors=a3E,-", "visitors=a3E,a3E", "has line a3E, which is somewhere else, too"),
        (TOPIARY, "phase=line", "phase=over", "does not fit the visitors; it must be line"),
        (TOPIARY, "phase=line", "phase=take/line=a3E", "has a tile of each visitor of seat 0, which is to move"),
        (TOPIARY, "phase=line", "phase=line/line=a3E", "is in a field that this position has not"),
        (TOPIARY, ".T4E1..", ".T4E1._", 'must have a gap "_" in the phase put'),
        (TOPIARY, ".T4E1..", "_T4E1._", "has another gap"),
        (TOPIARY, ".T4E1..", ".T4E1.", 'must be 5 of "T1" (a tile), "." (face down), "_" (gap)'),
        (DRAFT, "W3.W4", "W3.E1", "has E1, which lies where only others can have put it"),
        (DRAFT, "received=T1", "received=H1", "has H1, which the seat must hold or pass on"),
        (DRAFT, ".W2.W3", ".W3", "has 3 tiles; 4 are passed on"),
        (DRAFTED, "passed=S1.S2", "passed=S1.L2", "has more than 3 tiles that one seat kept"),
        (TOPAS, "B3R1@0,1N", "B3R1@5,5N", "can't be laid: a card there does not touch the table"),
        (TOPAS, "B3R1@0,1N", "B3R1@0,0N", "can't be laid: there is a card on 0,0 already"),
        (TOPAS, "B3R1@0,1N", "B1G2@0,1N", "has card B1G2, which is somewhere else, too"),
        (TOPAS, "B1G2@0,0E", "B1G2@0,0N", "is no card that starts the table; it is written like B1G2@0,0E"),
        (TOPAS, "points=4,0", "points=5,0", '"5,0" must be "4,0", which follows from the rest'),
        (TOPAS, "pile=28", "pile=29", '"29" must be "28"'),
        (SOLITAIRE, "2W/hands", "2W.R2Y3@-3,2S/hands", "has 8 cards; it must have 1 to 7"),
        (SOLITAIRE, "gone=-", f"gone={'.' * 3800}", 'is no card; a card is written like "B1G2"'),  # in no time
        (SOLVED, ".R2Y3@-3,2S", "", "has 7 cards; at the end it must have 8"),
        (SOLVED, ".24.49", ".24.48", "ends with 48 points; the cards on the table have 49"),
        (SCHLOSSGARTEN, "1111111,1", "2111111,1", "has 16 tiles of 1; the box has another number"),
        (SCHLOSSGARTEN, "kept=c2,-", "kept=c2,c2", "has cell c2, which is somewhere else, too"),
        (SCHLOSSGARTEN, "G1:c2,-", "-,-", "has c2, which no element covers"),
        (SCHLOSSGARTEN, "G1:c2", "G2:c2", "is no element; an element of size 2 is written like G2:c4:d4"),
        (SCHLOSSGARTEN, "G1:c2", "G1:c2.A1:c2", "does not lie on kept tiles that no other element covers"),
        (SCHLOSSGARTEN, "d1.c1.e1", "d1.c1.d2", "is neither a tile that lies up nor an element of the pawn's seat"),
        (SCHLOSSGARTEN, "d1.c1.e1", "d1.c1.c1", "has a pawn at c1, which is somewhere else, too"),
        (SCHLOSSGARTEN, "d1.c1.e1", "d1.b1.e1", "needs a figure of the card"),
        (SCHLOSSGARTEN, "phase=build", "phase=over", "does not fit 2 turns and 2 points"),
        (SCHLOSSGARTEN, "turn=2", "turn=900", "must be a whole number from 0 to 200"),
        (SCHLOSSGARTEN, "discard=-", "discard=7", "has card 7, which is somewhere else, too"),
        (SCHLOSSGARTEN, "held=-", "held=3", "has 1 cards; each seat held one at a shuffle"),
        (SCHLOSSGARTEN, "held=-/may=-,-", "held=3.4/may=3,4", "does not fit the hand, 7"),
        (SCHLOSSGARTEN, "held=-/may=-,-", "held=3.4/may=-,4", "names nobody who may hold 3"),
        (SCHLOSSGARTEN, "held=-", "held=-/tiles=1.2", "has 2 entries; it must have 3"),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(text: str, old: str, new: str, message: str) -> None:
    assert str(bosquet.position(text)) == text
    assert text.count(old) == 1
    with pytest.raises(bosquet.PositionError) as caught:
        bosquet.position(text.replace(old, new))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "given", [None, 7, 1.5, [], {}, "", "/", "chess/players=2", "x" * 5000, "topas\0", "\ud800", b"", b"\0", b"topas"]
)
def test_anything_else_is_refused(given: Any) -> None:
    with pytest.raises(bosquet.PositionError):
        bosquet.position(given)
