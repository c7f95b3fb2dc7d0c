"""Real games: what was laid into the page comes out as the sheet that the rules give, or as an error that helps."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.core.real_game import Counted
from bosquet.core.real_game_scoring import count
from bosquet.core.view import Sheet
from bosquet.games import topas, topiary
from tests.helpers.cases import reach, walk
from tests.helpers.real_games import columns_of, garden_of, kept_of, laid, real_game_decoder
from tests.helpers.rows import each_row

PLAYERS = [2, 3, 4]
END = 10**6


def real(data: dict[str, Any]) -> Any:
    """Read a real game as the server reads it."""
    return real_game_decoder().decode(msgspec.json.encode(data))


def counted(data: dict[str, Any]) -> Sheet:
    return count(real(data)).sheet


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_every_entry_of_a_sheet_says_as_data_what_its_name_says(name: str) -> None:
    """The piece, the cell and the heading of an entry, so that nobody has to take its name apart."""
    kinds = set()
    for entry in reach(name, {"players": 2}, 3, END).score_sheet().entries:
        kinds.add(entry.kind)
        piece, cell, heading = (part or "" for part in (entry.piece, entry.cell, entry.heading))
        assert entry.name == (f"{piece}@{cell}{heading}" if name == "topas" else piece + cell + heading)
        assert entry.cells[0] == cell if entry.kind in ("placement", "tile") else True
    assert kinds == {"topiary": {"visitor", "hand"}, "topas": {"placement"}, "schlossgarten": {"tile", "element"}}[name]


# --- Topiary ---


def column(tiles: list[str | None], **more: Any) -> dict[str, Any]:
    """One visitor of seat 0 looks up column b."""
    garden = {f"b{row}": tile for row, tile in enumerate(tiles, 1) if tile}
    visitors = [{"seat": 0, "line": "b1N"}]
    return {"game": "topiary", "players": 2, "garden": garden, "visitors": visitors, "hands": [], **more}


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_a_finished_topiary_counts_as_it_did(players: int, draft: bool) -> None:
    for seed in range(5):
        game = reach("topiary", {"players": players, "draft": draft}, seed, END)
        sheet = counted(garden_of(game))
        assert sheet == game.score_sheet()
        assert sheet.winners == game.winners != []


@pytest.mark.parametrize("players", PLAYERS)
def test_a_running_topiary_counts_as_it_stands(players: int) -> None:
    met = 0
    for plies in range(3, 40, 3):
        game = reach("topiary", {"players": players, "draft": False}, plies, plies)
        if game.view(None).phase == "line":
            found, right = count(real(garden_of(game))), game.view(None)
            assert found.sheet == game.score_sheet()
            assert found.sheet.winners == []
            assert isinstance(found.view, topiary.view.TopiaryView)
            assert isinstance(right, topiary.view.TopiaryView)
            for part in ("garden", "visitors", "visitors_left", "hand_sizes", "hands", "scores"):
                assert getattr(found.view, part) == getattr(right, part)
            met += 1
    assert met


@each_row("face_down", range(5))
def test_topiary_5_1_example_without_bonus(face_down: int) -> None:
    tiles: list[str | None] = ["H3", "O4", "H4", "L5"]
    tiles.insert(face_down, None)
    sheet = counted(column(tiles))
    assert sheet.scores == [12, 0]
    assert [part.name for part in sheet.entries[0].parts] == ["H3", "O4", "L5"]


def test_topiary_5_2_example_with_bonus() -> None:
    entry = counted(column(["T2", "T3", "S4", "T5", "S5"])).entries[0]
    assert entry.points == 14 + 3
    assert entry.parts[-1].kind == "bonus"
    assert entry.parts[-1].cells == ["b1", "b2", "b4"]


def test_topiary_5_3_example_of_a_hand() -> None:
    data = column(["W3"], hands=[["T1", "W2", "P5"]])
    data["garden"] |= {"d1": "T4", "d2": "T5"}
    data["visitors"].append({"seat": 0, "line": "d1N"})
    sheet = counted(data)
    assert [(entry.name, entry.points) for entry in sheet.entries[2:]] == [("T1", 1), ("W2", 2), ("P5", 0)]
    assert sheet.scores == [3 + (4 + 5 + 2) + 3, 0]


def test_topiary_5_4_example_of_four_players() -> None:
    garden = {"a1": "T4", "b1": "W5", "b3": "H3", "c3": "O4", "d3": "H4", "e3": "L5"}
    garden |= {"a2": "E2", "b2": "S3", "c2": "P4", "a4": "E5", "a5": "S5"}
    visitors = [{"seat": 0, "line": line} for line in ("a1E", "a3E", "a2E", "a4E", "a5E")]
    hands = [["T1", "W2", "P5"]]
    sheet = counted({"game": "topiary", "players": 4, "garden": garden, "visitors": visitors, "hands": hands})
    assert [entry.points for entry in sheet.entries[:5]] == [9, 9, 12, 5, 5]
    assert sheet.scores == [43, 0, 0, 0]
    assert sheet.winners == []


def test_topiary_5_5_two_of_a_type_are_enough() -> None:
    assert counted(column([None, "P1", None, "P4", None])).scores == [5 + 2, 0]


ALONG_EDGES = ["a1E", "e1W", "a1N", "a5S", "a5E", "e5W", "e1N", "e5S", "b1NW", "d1NE", "a4NE", "d5SE"]
ALONG_EDGES += ["a2SE", "b5SW", "e2SW"]
ALL_PLACED = [{"seat": i % 2, "line": line} for i, line in enumerate(["a1NE", *ALONG_EDGES])]


@each_row(
    ("change", "message"),
    [
        ({"garden": {"f1": "T1"}}, r'garden: "f1" is no cell; the garden has the cells a1 to e5'),
        ({"garden": {"a1": "T6"}}, r'garden\.a1 is "T6", no tile; a tile is written like "T1"'),
        ({"garden": {"a1": "T1", "b2": "T1"}}, r"T1 is there twice: in garden\.a1 and garden\.b2"),
        ({"garden": {"a1": "T1"}, "hands": [[], ["T1"]]}, r"T1 is there twice: in garden\.a1 and hands\[1\]"),
        ({"hands": [["T1", "T1"]]}, r"T1 is there twice: in hands\[0\] and hands\[0\]"),
        ({"hands": [["T1", "T2", "T3", "T4"]]}, r"hands\[0\] has 4 tiles; after its turn a player holds 3"),
        ({"hands": [[], [], []]}, r"hands has 3 entries; with 2 players it has at most 2"),
        ({"hands": [["x"]]}, r'hands\[0\]\[0\] is "x", no tile'),
        ({"visitors": [{"seat": 0, "line": "c3N"}]}, r'visitors\[0\]\.line is "c3N", no sight line'),
        ({"visitors": [{"seat": 2, "line": "a1N"}]}, r"visitors\[0\]: there is no seat 2; with 2 players"),
        (
            {"visitors": [{"seat": 0, "line": "a1N"}, {"seat": 1, "line": "a1N"}]},
            r"visitors\[1\]: visitors\[0\] stands at a1N already",
        ),
        (
            {"visitors": [{"seat": 0, "line": line} for line in topiary.notation.LINE_NAMES[:9]]},
            r"visitors\[8\]: seat 0 has all its 8 visitors placed; with 2 players each has 8",
        ),
        (
            {
                "garden": {f"{c}1": f"{t}1" for c, t in zip("abcde", "TWSEP", strict=True)},
                "hands": [["H1", "O1", "L1"]],
            },
            r"tiles of all 8 types; with 2 players one type is left out",
        ),
        (  # 16 visitors and the tile in the middle
            {"garden": dict(zip(topiary.rules.GRID.names, topiary.notation.TILE_NAMES, strict=False))},
            r"can't be face up: besides c3, each visitor turns up at most one tile",
        ),
        (  # nobody looks at b2 and d4 but one visitor
            {
                "garden": {"b2": "T1", "d4": "T2"},
                "visitors": ALL_PLACED,
            },
            r"garden: (b2|d4) can't be face up: .*; 0 visitors are still to be placed",
        ),
        (
            {"visitors": ALL_PLACED, "hands": [["T1", "T2", "T3"], ["W1", "W2", "W3"]]},
            r"garden: c3 is missing; the tile in the middle lies face up from the beginning",
        ),
    ],
)
def test_topiary_says_what_cannot_be(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BosquetError, match=message):
        counted({"game": "topiary", "players": 2, "garden": {}, "visitors": [], "hands": []} | change)


# --- Topas ---


@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_topas_counts_as_it_did(players: int, expert: bool) -> None:
    for plies in (0, 1, 9, 26, END):
        game = reach("topas", {"players": players, "expert": expert}, 11 + plies, plies)
        found = count(real(laid(game)))
        assert found.sheet == game.score_sheet()
        assert found.view == game.view(None)


@pytest.mark.parametrize("expert", [False, True])
def test_a_solitaire_of_topas_counts_as_it_did(expert: bool) -> None:
    for plies in (0, 1, 6, 8, 15, 27, END):
        game = reach("topas", {"players": 1, "expert": expert}, 5 + plies, plies)
        data = columns_of(game)
        found = count(real(data))
        right: Any = game.view(None)
        assert found.sheet == game.score_sheet()
        assert found.view == msgspec.structs.replace(right, hand=[])
        if game.over:
            with pytest.raises(BosquetError, match=r"all 4 columns are laid"):
                count(real(data | {"card": game.deal["pile"][-1]}))
        else:
            offered: Any = count(real(data | {"card": right.hand[0]})).view
            mine: Any = game.view(0)
            assert offered.moves == mine.moves
            with pytest.raises(BosquetError, match="every card is there once"):
                count(real(data | {"card": game.deal["pile"][0]}))


def test_between_two_columns_the_table_is_empty() -> None:
    game = reach("topas", {"players": 1, "expert": False}, 3, 7)
    data = columns_of(game)
    data["placements"] = data["placements"][:8]
    found: Any = count(real(data))
    assert found.sheet.columns == found.view.columns == [sum(entry.points for entry in found.sheet.entries)]
    assert found.view.table == []
    assert not found.view.over
    offered: Any = count(real(data | {"card": game.deal["pile"][8]})).view
    assert [move.say for move in offered.moves] == [f"{game.deal['pile'][8]}@0,0E"]


def test_topas_offers_the_places_of_a_chosen_card() -> None:
    for seed in range(3):
        game = reach("topas", {"players": 3, "expert": False}, seed, 4 + seed)
        assert game.seat is not None
        right: Any = game.view(game.seat)
        for card in right.hand:
            view: Any = count(real(laid(game) | {"card": card})).view
            assert view.viewer == view.seat == game.seat
            assert view.hand == [card]
            assert view.moves == [move for move in right.moves if move.say.startswith(card)]


def test_topas_begins_with_the_card_that_starts_the_table() -> None:
    empty = {"game": "topas", "players": 2, "expert": False, "placements": []}
    found = count(real(empty))
    assert found.sheet.entries == []
    assert found.sheet.scores == [0, 0]
    offered: Any = count(real(empty | {"card": "B1G2"})).view
    assert [move.say for move in offered.moves] == ["B1G2@0,0E"]
    started: Any = count(real(empty | {"placements": [offered.moves[0].say]})).view
    assert [card.card for card in started.table] == ["B1G2"]


@each_row(
    ("placements", "message"),
    [
        (["B1G2@0,1E"], r'placement 1: "B1G2@0,1E": the card that starts the table is written "B1G2@0,0E"'),
        (["B1G1@0,0E"], r'placement 1: the card is "B1G1", no card'),
        (["B1G2@0,0E", "B1G3@1,0N"], r'placement 2: "B1G3@1,0N": there is a card on 1,0 already'),
        (["B1G2@0,0E", "B1G3@5,5N"], r"placement 2: .* does not touch the table"),
        (["B1G2@0,0E", "B1G3@0,2N"], r"placement 2: .* does not touch the table"),
        (["B1G2@0,0E", "B1G2@0,1N"], r"placement 2: B1G2 lies on the table already; every card is there once"),
        (["B1G2@0,0E", "B1G3 0,1N"], r'placement 2: the card is "B1G3 0,1N", no card'),
        (["B1G2@0,0E", "B1G3@0,1X"], r"placement 2: .* is no move of Topas"),
        (
            ["B1G3@0,0E", "B1G2@0,1E", "G3R1@1,2N"],
            r"placement 3: .* G3 on 1,2 would make a row of more than 7 gems",
        ),
    ],
)
def test_topas_names_the_placement_and_why(placements: list[str], message: str) -> None:
    with pytest.raises(BosquetError, match=message):
        counted({"game": "topas", "players": 2, "expert": False, "placements": placements})


def test_topas_ends_after_seven_turns_each() -> None:
    data = laid(reach("topas", {"players": 2, "expert": False}, 3, END))
    used = {placement.partition("@")[0] for placement in data["placements"]}
    card = next(name for name in topas.rules.NAMES if name not in used)
    with pytest.raises(BosquetError, match=r"placement 16: .* the game is over; every player has laid 7 cards"):
        counted(data | {"placements": [*data["placements"], f"{card}@0,1N"]})
    with pytest.raises(BosquetError, match=r"card: the game is over"):
        counted(data | {"card": card})


def test_topas_offers_no_card_that_lies_there() -> None:
    data = {"game": "topas", "players": 2, "expert": False, "placements": ["B1G2@0,0E"]}
    for card, message in (("B1G2", "card: B1G2 lies on the table already"), ("X", 'card is "X", no card')):
        with pytest.raises(BosquetError, match=message):
            counted(data | {"card": card})


# --- Schlossgarten ---


def lines(sheet: Sheet) -> list[tuple[int, str, int]]:
    return [(entry.seat, entry.kind, entry.points) for entry in sheet.entries]


@pytest.mark.parametrize("players", PLAYERS)
def test_schlossgarten_counts_as_it_did(players: int) -> None:
    won = 0
    for plies in (20, 60, END, END):
        game = reach("schlossgarten", {"players": players}, plies + won, plies)
        sheet, right = counted(kept_of(game)), game.score_sheet()
        assert sheet.scores == right.scores
        assert [(e.seat, e.kind, e.points) for e in sheet.entries] == [
            (e.seat, e.kind, e.points) for e in right.entries
        ]
        if not game.over or max(game.scores) >= 21:
            assert sheet.winners == right.winners
            won += game.over
    assert won


EACH = ("G1", "G2", "G3", "A1", "A2", "A3")


def elements(seat: int, *kinds: str) -> list[dict[str, Any]]:
    """Elements of a seat in the garden."""
    return [{"seat": seat, "kind": kind} for kind in kinds]


def test_an_element_without_a_tile_is_possible_where_smaller_ones_alone_make_a_site() -> None:
    data = {"game": "schlossgarten", "players": 2, "kept": [[], [1, 3]], "elements": elements(0, "A2")}
    assert counted(data | {"overbuild": "elements"}).scores == [2, 4]
    for reading in ("site", "bordering"):
        with pytest.raises(BosquetError, match="seat 0: tiles kept: 0, elements: 1;"):
            counted(data | {"overbuild": reading})


def test_each_position_of_schlossgarten_can_be_counted() -> None:
    built = 0
    for overbuild in ("site", "elements"):
        for seed in range(6):
            for game in walk("schlossgarten", {"players": 2 + seed % 3, "overbuild": overbuild}, seed, END):
                if " build " in (game.moves or [""])[-1]:
                    assert counted(kept_of(game) | {"overbuild": overbuild}).scores == game.scores
                    built += 1
    assert built > 50


@each_row(
    ("change", "message"),
    [
        ({"kept": [[1] * 25, [2] * 25]}, r"kept has 50 tiles; the game has 49"),
        ({"kept": [[], [], []]}, r"kept has 3 entries; with 2 players it has at most 2"),
        ({"elements": [{"seat": 0, "kind": "G2"}] * 2}, r"elements: G2 of seat 0 there twice; each player has one"),
        ({"elements": [{"seat": 3, "kind": "G2"}]}, r"elements\[0\]: there is no seat 3; with 2 players"),
        ({"elements": [{"seat": 0, "kind": "G1"}]}, r"tiles kept: 0, cells under elements: 1; there must be as many"),
        ({"kept": [[3], []]}, r"tiles kept: 1, cells under elements: 0;"),
        ({"kept": [[], [1, 1]], "elements": elements(0, "G2")}, r"seat 0: tiles kept: 0, elements: 1;"),
        (
            {"kept": [[], [1]], "elements": elements(0, "G1"), "overbuild": "elements"},
            r"seat 0: tiles kept: 0, elements: 1;",
        ),
        ({"kept": [[3] * 6, [3] * 6], "elements": [*elements(0, *EACH), *elements(1, "G1", "G2", "G3")]}, r"cells"),
        (
            {"kept": [[3] * 6, [3] * 6], "elements": [*elements(0, "G1", "G2", "G3"), *elements(1, "G1", "G2", "G3")]},
            r"seat 0, seat 1 have 21 points or more; the game ends at once when one of them has",
        ),
        (
            {"kept": [[3] * 12, []], "elements": elements(0, *EACH)},
            r"seat 0 has 48 points; its last build gave 12 at most, so that it had 21 or more before",
        ),
    ],
)
def test_schlossgarten_says_what_cannot_be(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BosquetError, match=message):
        counted({"game": "schlossgarten", "players": 2, "kept": [[], []], "elements": []} | change)


# --- Anything that the page may send ---

SEATS = st.integers(0, 3)
TILE = st.sampled_from(topiary.notation.TILE_NAMES) | st.text(max_size=3)
CELL = st.sampled_from(topiary.rules.GRID.names) | st.text(max_size=3)
LINE = st.sampled_from(topiary.notation.LINE_NAMES) | st.text(max_size=8)
COORDINATE = st.integers(-3, 3) | st.integers()
PLACEMENT = st.text(max_size=12) | st.builds(
    "{}@{},{}{}".format, st.sampled_from(topas.rules.NAMES), COORDINATE, COORDINATE, st.sampled_from("NESW")
)
GAMES = st.one_of(
    st.fixed_dictionaries(
        {
            "game": st.just("topiary"),
            "players": st.integers(2, 4),
            "garden": st.dictionaries(CELL, TILE, max_size=8),
            "visitors": st.lists(st.fixed_dictionaries({"seat": SEATS, "line": LINE}), max_size=12),
            "hands": st.lists(st.lists(TILE, max_size=4), max_size=4),
        }
    ),
    st.fixed_dictionaries(
        {
            "game": st.just("topas"),
            "players": st.integers(2, 4),
            "expert": st.booleans(),
            "placements": st.lists(PLACEMENT, max_size=4)
            | st.lists(PLACEMENT, max_size=4).map(lambda more: ["B1G2@0,0E", *more]),
        },
        optional={"card": st.none() | st.sampled_from(topas.rules.NAMES) | st.text(max_size=8)},
    ),
    st.fixed_dictionaries(
        {
            "game": st.just("schlossgarten"),
            "players": st.integers(2, 4),
            "kept": st.lists(st.lists(st.integers(1, 3), max_size=20), max_size=4),
            "elements": st.lists(
                st.fixed_dictionaries({"seat": SEATS, "kind": st.sampled_from(["G1", "G2", "G3", "A1", "A2", "A3"])}),
                max_size=24,
            ),
        }
    ),
)


@given(GAMES)
@settings(max_examples=300, deadline=None)
def test_anything_is_counted_or_refused_in_words(data: dict[str, Any]) -> None:
    try:
        found = count(real(data))
    except BosquetError as error:
        refusal = str(error)
    else:
        refusal = "-"
        assert isinstance(found, Counted)
        assert len(found.sheet.scores) == data["players"]
        msgspec.json.encode(found)
    assert 0 < len(refusal) < 600
