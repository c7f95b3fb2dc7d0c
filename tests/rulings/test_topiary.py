"""The numbered rulings of Topiary, each on the plain oracle and on the product."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest

from tests.helpers.rows import each_row
from tests.rulings.helpers.topiary import CELLS, TYPES, Deal, deal_of

Start = Callable[..., Any]

# 3.1, 3.2: every axis with the names of its two directed lines, written out by hand.
AXES = {
    # rows
    "a1 b1 c1 d1 e1": ("a1E", "e1W"),
    "a2 b2 c2 d2 e2": ("a2E", "e2W"),
    "a3 b3 c3 d3 e3": ("a3E", "e3W"),
    "a4 b4 c4 d4 e4": ("a4E", "e4W"),
    "a5 b5 c5 d5 e5": ("a5E", "e5W"),
    # columns
    "a1 a2 a3 a4 a5": ("a1N", "a5S"),
    "b1 b2 b3 b4 b5": ("b1N", "b5S"),
    "c1 c2 c3 c4 c5": ("c1N", "c5S"),
    "d1 d2 d3 d4 d5": ("d1N", "d5S"),
    "e1 e2 e3 e4 e5": ("e1N", "e5S"),
    # diagonals north-east
    "a4 b5": ("a4NE", "b5SW"),
    "a3 b4 c5": ("a3NE", "c5SW"),
    "a2 b3 c4 d5": ("a2NE", "d5SW"),
    "a1 b2 c3 d4 e5": ("a1NE", "e5SW"),
    "b1 c2 d3 e4": ("b1NE", "e4SW"),
    "c1 d2 e3": ("c1NE", "e3SW"),
    "d1 e2": ("d1NE", "e2SW"),
    # diagonals south-east
    "a2 b1": ("a2SE", "b1NW"),
    "a3 b2 c1": ("a3SE", "c1NW"),
    "a4 b3 c2 d1": ("a4SE", "d1NW"),
    "a5 b4 c3 d2 e1": ("a5SE", "e1NW"),
    "b5 c4 d3 e2": ("b5SE", "e2NW"),
    "c5 d4 e3": ("c5SE", "e3NW"),
    "d5 e4": ("d5SE", "e4NW"),
}
LINES = {
    **{there: axis.split() for axis, (there, _) in AXES.items()},
    **{back: axis.split()[::-1] for axis, (_, back) in AXES.items()},
}
ASIDE = [line for line, cells in LINES.items() if "c3" not in cells]


def begin(start: Start, deal: Deal, draft: bool = False) -> Any:
    """Start a game with a deal."""
    return start("topiary", {"players": len(deal["hands"]), "draft": draft}, deal)


def play_rounds(table: Any, deal: Deal, *seats: Sequence[str]) -> Any:
    """Play whole turns, a list for each seat, until the lists end.

    "a3E" places and passes, "a3E b3" turns b3 up, "a3E b3 T1" takes b3 and puts T1 there.
    """
    for turns in zip(*seats, strict=True):
        for turn in turns:
            line, *words = turn.split()
            table.play(line)
            if words:
                table.play(f"take {words[0]}")
                table.play(f"put {[deal['garden'][CELLS.index(words[0])], *words[1:]][-1]}")
            elif table.facts(None)["phase"] == "take":
                table.play("pass")
    return table


def column_b(
    start: Start,
    column: Sequence[str | None],
    hand: Sequence[str] = (),
    removed: str = "L",
) -> Any:
    """Play two players to the end; of seat 0 only b1N sees face-up tiles: the given ones.

    None stays face down. Without a hand given, seat 0 holds fives, which never score.
    """
    up = {f"b{row}": tile for row, tile in enumerate(column, 1) if tile}
    fives = [kind + "5" for kind in TYPES if kind != removed and kind + "5" not in up.values()]
    deal = deal_of(garden=up, hands=[hand or fives[:3]], removed=removed)
    table = play_rounds(
        begin(start, deal),
        deal,
        ["a1N", "a5S", "d1N", "d5S", "e1N", "e5S", "d1NE", "b1N"],
        [f"a{row}E b{row}" if f"b{row}" in up else f"a{row}E" for row in range(1, 6)] + ["e1W", "e2W", "e4W"],
    )
    assert table.over
    return table


def dealt(players: int, draft: bool = False, seed: int = 7) -> Any:
    """Let the product deal a game."""
    import bosquet

    return bosquet.new("topiary", players=players, draft=draft, seed=seed)


def tiles_of(deal: Deal) -> list[str]:
    """Return all tiles of a deal."""
    return [*deal["garden"], *(tile for hand in deal["hands"] for tile in hand), *deal["leftover"]]


# 1 Parts


def test_1_1_forty_tiles_one_of_each() -> None:
    tiles = tiles_of(dealt(4).record()["deal"])
    assert sorted(tiles) == sorted(kind + size for kind in TYPES for size in "12345")
    assert len(tiles) == 40


def test_1_1_order_of_types_then_size(start: Start) -> None:
    hands = [["L1", "T5", "T2"], ["O1", "E1", "S1"], ["H3", "W4", "W1"], ["P5", "H1", "P2"]]
    table = begin(start, deal_of(4, hands=hands))
    assert [table.facts(seat)["hand"] for seat in range(4)] == [
        ["T2", "T5", "L1"],
        ["S1", "E1", "O1"],
        ["W1", "W4", "H3"],
        ["P2", "P5", "H1"],
    ]


def test_1_2_cells_are_named_like_chess_squares(start: Start) -> None:
    deal = deal_of(garden={"b1": "W1", "a2": "T4", "e5": "S2"})
    table = begin(start, deal)
    play_rounds(table, deal, ["b1N b1", "e5W e5"], ["a2E a2", "a4E"])
    garden = table.facts(None)["garden"]
    assert {i: tile for i, tile in enumerate(garden) if tile is not None} == {
        1: "W1",
        5: "T4",
        12: deal["garden"][12],
        24: "S2",
    }


@pytest.mark.parametrize(("players", "visitors"), [(2, 8), (3, 6), (4, 5)])
def test_1_3_visitors_per_player(start: Start, players: int, visitors: int) -> None:
    deal = deal_of(players)
    table = begin(start, deal)
    assert table.facts(None)["visitors_left"] == [visitors] * players
    table.play(ASIDE[0])
    assert table.facts(None)["visitors_left"] == [visitors - 1] + [visitors] * (players - 1)
    table.play("pass")
    for line in ASIDE[1 : players * visitors]:
        assert not table.over
        play_rounds(table, deal, [line])
    assert table.over
    assert table.facts(None)["visitors_left"] == [0] * players


# 2 Deal


@pytest.mark.parametrize("players", [2, 3])
def test_2_1_one_type_is_removed_at_random(players: int) -> None:
    removed = set()
    for seed in range(100):
        deal = dealt(players, seed=seed).record()["deal"]
        kinds = {tile[0] for tile in tiles_of(deal)}
        assert kinds == set(TYPES) - {deal["removed"]}
        removed.add(deal["removed"])
    assert removed == set(TYPES)


def test_2_1_four_players_remove_none() -> None:
    assert dealt(4).record()["deal"]["removed"] is None


@pytest.mark.parametrize(("players", "removed"), [(2, "E"), (3, "T"), (4, None)])
def test_2_1_everybody_knows_the_type(start: Start, players: int, removed: str | None) -> None:
    table = begin(start, deal_of(players, removed=removed or ""))
    for viewer in [None, *range(players)]:
        assert table.facts(viewer)["removed"] == removed


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize(("players", "leftover"), [(2, 4), (3, 1), (4, 3)])
def test_2_2_garden_hands_and_leftover(players: int, leftover: int, draft: bool) -> None:
    for seed in range(20):
        deal = dealt(players, draft=draft, seed=seed).record()["deal"]
        assert len(deal["garden"]) == 25
        assert [len(hand) for hand in deal["hands"]] == [3] * players
        assert len(deal["leftover"]) == leftover
        tiles = tiles_of(deal)
        assert sorted(tiles) == sorted(kind + size for kind in TYPES for size in "12345" if kind != deal["removed"])


def test_2_2_the_tiles_are_shuffled() -> None:
    deals = [dealt(4, seed=seed).record()["deal"] for seed in range(100)]
    places = zip(*(tiles_of(deal) for deal in deals), strict=True)
    assert all(len(set(place)) > 20 for place in places)  # about 37 of the 40 are to be expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_2_only_the_centre_is_face_up(start: Start, players: int) -> None:
    deal = deal_of(players)
    table = begin(start, deal)
    for viewer in [None, *range(players)]:
        facts = table.facts(viewer)
        assert facts["garden"] == [None] * 12 + [deal["garden"][12]] + [None] * 12
        assert facts["hand"] == (None if viewer is None else deal["hands"][viewer])
        assert facts["hand_sizes"] == [3] * players
        assert facts["hands"] is None
        assert facts["passed"] == facts["received"] == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_3_seat_0_starts_and_play_goes_clockwise(start: Start, players: int) -> None:
    deal = deal_of(players)
    table = begin(start, deal)
    seats = []
    for line in ASIDE[: 2 * players]:
        seats.append(table.seat)
        play_rounds(table, deal, [line])
    assert seats == 2 * list(range(players))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_3_the_product_starts_with_seat_0(players: int) -> None:
    game = dealt(players)
    assert game.seat == 0
    assert game.record()["moves"] == []


def test_2_4_the_leftover_goes_to_the_last_seat_and_on_down(start: Start) -> None:
    hands = [["T1", "T2", "T3"], ["W1", "W2", "W3"], ["S1", "S2", "S3"], ["E1", "E2", "E3"]]
    table = begin(start, deal_of(4, hands=hands, leftover=["P1", "W5", "L1"]), draft=True)
    keeps = ["keep W5 E3 P1", "keep E1 E2 L1", "keep W1 W2 S2", "keep T1 T3 S3"]
    seats = []
    for keep in keeps:
        seats.append(table.seat)
        assert table.facts(None)["phase"] == "draft"
        assert table.scores() == [0] * 4
        table.play(keep)
    assert seats == [3, 2, 1, 0]
    assert (table.seat, table.facts(None)["phase"]) == (0, "line")
    facts = [table.facts(seat) for seat in range(4)]
    assert [f["hand"] for f in facts] == [
        ["T1", "T3", "S3"],
        ["W1", "W2", "S2"],
        ["E1", "E2", "L1"],
        ["W5", "E3", "P1"],
    ]
    assert [f["received"] for f in facts] == [
        ["W3", "S1", "S3"],
        ["S1", "S2", "S3"],
        ["E1", "E2", "L1"],
        ["W5", "P1", "L1"],
    ]
    assert [f["passed"] for f in facts] == [
        ["T2", "W3", "S1"],
        ["W3", "S1", "S3"],
        ["S1", "S2", "S3"],
        ["E1", "E2", "L1"],
    ]
    assert table.facts(None)["passed"] == table.facts(None)["received"] == []


def test_2_4_a_seat_knows_what_it_is_passed_only_when_it_is_due(start: Start) -> None:
    hands = [["T1", "T2", "T3"], ["W1", "W2", "W3"], ["S1", "S2", "S3"]]
    table = begin(start, deal_of(3, hands=hands, leftover=["E1"]), draft=True)
    assert table.facts(2)["hand"] == ["S1", "S2", "S3", "E1"]
    assert table.facts(2)["received"] == ["E1"]
    assert table.facts(2)["passed"] == []
    assert table.facts(1)["hand"] == ["W1", "W2", "W3"]
    assert table.facts(1)["received"] == []
    assert table.facts(None)["hand_sizes"] == [3, 3, 4]
    table.play("keep S1 S3 E1")
    assert table.facts(2)["passed"] == table.facts(1)["received"] == ["S2"]
    assert table.facts(1)["hand"] == ["W1", "W2", "W3", "S2"]
    assert table.facts(0)["received"] == []


@pytest.mark.parametrize(("players", "keeps"), [(2, 35), (3, 4), (4, 20)])
def test_2_4_any_three_may_be_kept(start: Start, players: int, keeps: int) -> None:
    deal = deal_of(players)
    table = begin(start, deal, draft=True)
    for seat in reversed(range(players)):
        assert table.seat == seat
        hand = table.facts(seat)["hand"]
        legal = table.legal()
        assert len(legal) == keeps
        assert set(legal) == {"keep " + " ".join(three) for three in combinations(hand, 3)}
        table.play(min(legal))


def test_2_4_tiles_are_kept_in_order_and_only_from_the_hand(start: Start) -> None:
    hands = [["T1", "T2", "T3"], ["W1", "W2", "W3"]]
    leftover = ["S1", "S2", "S3", "S4"]
    table = begin(start, deal_of(2, hands=hands, leftover=leftover), draft=True)
    for move in [
        "keep S1 W2 W3",
        "keep W1 W2",
        "keep W1 W1 W2",
        "keep T1 W1 W2",
        "keep W1 W2 W3 S1",
        "a1E",
    ]:
        with pytest.raises(ValueError):
            table.play(move)
    table.play("keep W2 W3 S1")
    assert table.facts(0)["hand"] == ["T1", "T2", "T3", "W1", "S2", "S3", "S4"]


def test_2_4_without_the_draft_nobody_passes_tiles(start: Start) -> None:
    table = begin(start, deal_of(2))
    assert (table.seat, table.facts(0)["phase"]) == (0, "line")
    assert table.facts(0)["passed"] == table.facts(1)["received"] == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_4_the_product_drafts_from_the_last_seat(players: int) -> None:
    game = dealt(players, draft=True)
    for seat in reversed(range(players)):
        assert game.seat == seat
        keep = game.legal()[0]
        assert keep.startswith("keep ")
        game.play(keep)
    assert game.seat == 0
    assert set(game.legal()) == set(LINES)


# 3 Turn


def test_3_1_there_are_48_lines() -> None:
    assert len(LINES) == 2 * len(AXES) == 48
    assert len([line for line in LINES if len(line) == 3]) == 20
    diagonals = sorted(len(cells) for line, cells in LINES.items() if len(line) == 4)
    assert diagonals == [2] * 8 + [3] * 8 + [4] * 8 + [5] * 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_3_1_every_line_is_free_at_first(start: Start, players: int) -> None:
    legal = begin(start, deal_of(players)).legal()
    assert len(legal) == 48
    assert set(legal) == set(LINES)


@each_row(
    "line",
    # corners seen across, lines that do not begin at their edge, no lines at all, bad notation
    ["a1NW", "a1SE", "a5NE", "a5SW", "e1SW", "e1NE", "e5NW", "e5SE"]
    + ["a3N", "c1E", "b2NE", "c3E", "a1S", "a1W", "c1SE", "a3W"]
    + ["f1N", "a0N", "a6S", "a1", "", "A3E", "a3e", "a3 E", " a3E", "a3E ", "3aE", "pass"],
)
def test_3_1_what_is_no_line(start: Start, line: str) -> None:
    table = begin(start, deal_of())
    assert line not in table.legal()
    with pytest.raises(ValueError):
        table.play(line)
    assert table.seat == 0
    assert len(table.legal()) == 48


def test_3_1_a_line_holds_one_visitor_its_neighbours_stay_free(start: Start) -> None:
    deal = deal_of()
    table = begin(start, deal)
    taken = []
    for line in ["a3E", "e3W", "a1E", "a1N", "a1NE", "e5SW"]:  # opposite ends, one corner
        play_rounds(table, deal, [line])
        taken.append(line)
        assert set(table.legal()) == set(LINES) - set(taken)
        with pytest.raises(ValueError):
            table.play(line)
    assert table.facts(None)["visitors"] == sorted([line, seat % 2] for seat, line in enumerate(taken))


@each_row("line", LINES)
def test_3_2_a_name_means_these_cells(start: Start, line: str) -> None:
    table = begin(start, deal_of())
    table.play(line)
    takes = {f"take {cell}" for cell in LINES[line] if cell != "c3"}  # the centre is face up
    assert len(table.legal()) == len(takes) + 1
    assert set(table.legal()) == takes | {"pass"}


@each_row("line", LINES)
def test_3_2_a_line_is_seen_from_its_first_cell(start: Start, line: str) -> None:
    near, far = LINES[line][0], LINES[line][-1]
    garden = {near: "T3", far: "W5", "c3": "S1"}
    deal = deal_of(garden=garden, hands=[["S5", "E5", "P5"]])
    # both are turned up from other lines; from the wrong end T3 would hide behind W5
    first = next(other for other, cells in LINES.items() if other != line and near in cells)
    second = next(other for other, cells in LINES.items() if other not in (line, first) and far in cells)
    table = play_rounds(begin(start, deal), deal, [f"{first} {near}"], [f"{second} {far}"])
    before = table.scores()[0]
    play_rounds(table, deal, [line])
    assert table.scores()[0] - before == 3 + 5


def test_3_3_the_taken_tile_or_one_held_goes_face_up_into_the_gap(start: Start) -> None:
    hands = [["W1", "S5", "P5"], ["T5", "W5", "H5"]]
    deal = deal_of(garden={"b3": "T2", "c3": "O4"}, hands=hands)
    for put, hand in [
        ("T2", ["W1", "S5", "P5"]),
        ("W1", ["T2", "S5", "P5"]),
        ("S5", ["T2", "W1", "P5"]),
        ("P5", ["T2", "W1", "S5"]),
    ]:
        table = begin(start, deal)
        table.play("a3E")
        table.play("take b3")
        legal = table.legal()
        assert len(legal) == 4
        assert set(legal) == {"put T2", "put W1", "put S5", "put P5"}
        table.play(f"put {put}")
        assert table.facts(None)["garden"][CELLS.index("b3")] == put
        assert table.facts(0)["hand"] == hand
        assert table.facts(1)["hand"] == ["T5", "W5", "H5"]
        assert table.seat == 1


def test_3_3_only_the_taker_sees_the_tile(start: Start) -> None:
    hands = [["W1", "S5", "P5"], ["T5", "W5", "H5"]]
    others = []
    for b3, b4 in [("T2", "E3"), ("E3", "T2")]:
        table = begin(start, deal_of(garden={"b3": b3, "b4": b4, "c3": "O4"}, hands=hands))
        table.play("a3E")
        table.play("take b3")
        assert b3 in table.facts(0)["hand"]
        assert table.facts(1)["hand"] == hands[1]
        assert table.facts(1)["hand_sizes"] == [4, 3]
        others.append([table.facts(1), table.facts(None)])
    assert others[0] == others[1]


def test_3_3_taking_is_of_free_will(start: Start) -> None:
    deal = deal_of()
    table = begin(start, deal)
    table.play("a3E")
    table.play("pass")
    assert table.seat == 1
    assert table.facts(None)["garden"] == [None] * 12 + [deal["garden"][12]] + [None] * 12
    assert table.facts(0)["hand"] == deal["hands"][0]


def test_3_3_a_face_up_tile_cannot_be_taken(start: Start) -> None:
    deal = deal_of()
    table = play_rounds(begin(start, deal), deal, ["b1N b3"], ["d1N"])
    table.play("a3E")
    legal = table.legal()
    assert len(legal) == 4
    assert set(legal) == {"pass", "take a3", "take d3", "take e3"}
    for move in ["take b3", "take c3", "take a1", "take", "put T1", "e3W"]:
        with pytest.raises(ValueError):
            table.play(move)


def test_3_3_after_taking_one_must_put(start: Start) -> None:
    table = begin(start, deal_of(hands=[["W1", "S5", "P5"]], garden={"a3": "T2"}))
    table.play("a3E")
    table.play("take a3")
    for move in ["pass", "put W2", "put", "take b3", "e3W"]:
        with pytest.raises(ValueError):
            table.play(move)


def test_3_3_with_no_face_down_tile_the_turn_ends_after_the_visitor(start: Start) -> None:
    deal = deal_of()
    table = play_rounds(begin(start, deal), deal, ["a2E a2"], ["b1N b1"])
    table.play("a2SE")  # a2 and b1, both face up
    assert table.seat == 1
    assert table.facts(None)["phase"] == "line"
    assert table.facts(None)["line"] is None
    table.play("b1NW")
    assert table.seat == 0
    assert "pass" not in table.legal()


def test_3_4_the_line_then_the_cell_then_the_tile(start: Start) -> None:
    deal = deal_of(garden={"b3": "T2"}, hands=[["W1", "S5", "P5"]])
    table = begin(start, deal)

    def state() -> tuple[Any, ...]:
        facts = table.facts(0)
        gap = facts["garden"][CELLS.index("b3")]
        return table.seat, facts["phase"], facts["line"], facts["gap"], gap, facts["hand"]

    hand = ["W1", "S5", "P5"]
    assert state() == (0, "line", None, None, None, hand)
    table.play("a3E")
    assert state() == (0, "take", "a3E", None, None, hand)
    table.play("take b3")
    assert state() == (0, "put", "a3E", "b3", "", ["T2", *hand])  # seen before the put
    table.play("put S5")
    assert state() == (1, "line", None, None, "S5", ["T2", "W1", "P5"])


def test_3_5_the_open_count_in_mid_turn(start: Start) -> None:
    deal = deal_of(garden={"b3": "T2", "c3": "T4"}, hands=[["T1", "W5", "S5"], ["P5", "H5", "O5"]])
    table = begin(start, deal)
    assert table.scores() == [0, 0]
    table.play("a3E")
    assert table.scores() == [4 + 1, 0]  # the visitor counts at once
    table.play("take b3")
    assert table.scores() == [4 + 1 + 2, 0]  # four tiles held, the gap is as if face down
    other = table.copy()
    table.play("put T2")
    assert table.scores() == [2 + 4 + 2 + 1, 0]
    other.play("put W5")
    assert other.scores() == [5, 0]
    assert table.scores() == [9, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_3_5_during_the_draft_everybody_has_0(start: Start, players: int) -> None:
    table = begin(start, deal_of(players), draft=True)
    for _ in range(players):
        assert table.scores() == [0] * players
        table.play(table.legal()[0])
    assert table.scores() == [0] * players


# 4 End and score


@pytest.mark.parametrize(("players", "visitors"), [(2, 8), (3, 6), (4, 5)])
def test_4_1_the_last_turn_is_played_out(start: Start, players: int, visitors: int) -> None:
    deal = deal_of(players)
    table = begin(start, deal)
    lines = ASIDE[: players * visitors]
    for line in lines[:-1]:
        play_rounds(table, deal, [line])
    table.play(lines[-1])
    passing = table.copy()
    passing.play("pass")
    table.play(f"take {LINES[lines[-1]][0]}")
    assert not table.over
    assert table.result() is None
    assert table.facts(None)["winners"] == []
    assert table.facts(0)["scores"] is None  # hands are hidden
    assert table.facts(None)["hand_sizes"] == [3] * (players - 1) + [4]
    table.play(table.legal()[0])
    for end in [table, passing]:
        assert end.over
        assert end.seat is None
        assert end.legal() == []
        facts = end.facts(None)
        assert facts["phase"] == "over"
        assert facts["hand_sizes"] == [3] * players
        assert facts["hands"] == [end.facts(seat)["hand"] for seat in range(players)]
        assert facts["scores"] == end.scores() == end.result()["scores"]
        with pytest.raises(ValueError):
            end.play(ASIDE[-1])


@each_row(
    ("column", "points"),
    [
        ([None, None, None, None, None], 0),
        (["T3", "W3", None, None, None], 3),  # of equal size: hidden
        (["T5", "W3", "S4", "E1", None], 5),
        (["T4", "W2", "S3", None, None], 4),  # S3 is larger than W2, not than T4
        ([None, "W1", None, "S5", None], 6),  # face down: counts 0, hides nothing
        ([None, None, None, None, "S2"], 2),
        (["T1", "W2", "S3", "E4", "P5"], 15),
    ],
)
def test_4_2_a_visitor_sees_what_is_larger_than_all_nearer(start: Start, column: list[str | None], points: int) -> None:
    assert column_b(start, column).scores()[0] == points


@each_row(
    ("column", "points"),
    [
        (["T2", "W3", None, None, None], 5),
        (["T2", "T3", None, None, None], 5 + 2),
        (["T2", "T3", "T4", "T5", None], 14 + 4),
        (["T1", "W2", "T3", "W4", None], 10 + 2 + 2),  # two types
        (["T1", "W2", "T3", "W4", "T5"], 15 + 3 + 2),
        (["T3", "T2", None, None, None], 3),  # hidden tiles do not count
        (["T1", "W4", "T3", "T5", None], 10 + 2),
    ],
)
def test_4_3_two_or_more_of_a_type(start: Start, column: list[str | None], points: int) -> None:
    assert column_b(start, column).scores()[0] == points


def test_4_3_each_visitor_by_itself(start: Start) -> None:
    deal = deal_of(garden={"b1": "T3", "d1": "T4"}, hands=[["S5", "E5", "P5"]])
    table = play_rounds(begin(start, deal), deal, ["b1N b1", "d1N"], ["e1W d1", "a2E"])
    assert table.scores()[0] == 3 + 4
    play_rounds(table, deal, ["a1E"])  # sees both
    assert table.scores()[0] == 3 + 4 + (3 + 4 + 2)


@each_row(
    ("column", "hand", "points"),
    [
        ([None, "T3", None, None, None], ["T1", "T2", "T4"], 3 + 1 + 2),  # its own size
        (["W5", "T5", None, None, None], ["T1", "S5", "P5"], 5),  # T5 is seen by seat 1 alone
        (["W5", None, None, None, None], ["T1", "S1", "W4"], 5 + 4),  # of its type
        (["T4", "T5", None, None, None], ["T3", "S5", "P5"], 9 + 2 + 3),  # once, no bonus
        (["T2", None, None, None, None], ["T3", "S5", "P5"], 2),  # a smaller one is not enough
    ],
)
def test_4_4_a_tile_in_hand_needs_a_larger_one_seen(
    start: Start, column: list[str | None], hand: list[str], points: int
) -> None:
    assert column_b(start, column, hand).scores()[0] == points


def test_4_4_a_face_down_tile_is_not_seen(start: Start) -> None:
    deal = deal_of(garden={"b1": "T5"}, hands=[["T1", "T2", "T3"], ["W5", "S5", "P5"]])
    table = play_rounds(begin(start, deal), deal, ["b1N"], ["d1N"])
    assert table.scores() == [0, 0]


@each_row(
    ("hand", "scores", "winner"),
    [
        (["E1", "E5", "P5"], [4, 5], 1),
        (["T1", "E5", "P5"], [5, 5], 0),  # tie: one point from the hand against none
        (["T2", "E5", "P5"], [6, 5], 0),
    ],
)
def test_4_5_most_points_then_more_from_the_hand(start: Start, hand: list[str], scores: list[int], winner: int) -> None:
    deal = deal_of(garden={"b1": "W5", "c3": "T4"}, hands=[hand, ["S5", "H5", "O5"]])
    table = play_rounds(
        begin(start, deal),
        deal,
        ["a3E", "a1N", "a5S", "d1N", "d5S", "e1N", "e5S", "a2E"],
        ["b1N b1", "e2W", "a4E", "e4W", "a5E", "e5W", "d1NE", "e2SW"],
    )
    assert table.scores() == scores
    assert table.result()["scores"] == scores
    assert table.result()["winners"] == [winner]
    assert table.facts(None)["winners"] == [winner]


def test_4_5_fewer_from_the_hand_lose_a_tie_in_any_seat(start: Start) -> None:
    deal = deal_of(garden={"b1": "W5", "c3": "T4"}, hands=[["S5", "E5", "P5"], ["T1", "S1", "O5"]])
    table = play_rounds(
        begin(start, deal),
        deal,
        ["b1N b1", "a2E", "e2W", "a4E", "e4W", "d1N", "d5S", "d1NE"],
        ["a3E", "a1N", "a5S", "e1N", "a5E", "e5W", "e5S", "e2SW"],
    )
    assert table.result()["scores"] == [5, 5]
    assert table.result()["winners"] == [1]


@pytest.mark.parametrize(("players", "visitors"), [(2, 8), (3, 6), (4, 5)])
def test_4_5_still_tied_the_later_in_turn_order(start: Start, players: int, visitors: int) -> None:
    deal = deal_of(players)
    table = begin(start, deal)
    for line in ASIDE[: players * visitors]:  # nobody sees a face-up tile
        play_rounds(table, deal, [line])
    assert table.result()["scores"] == [0] * players
    assert table.result()["winners"] == [players - 1]


# 5 Examples


@each_row("face_down", range(5))
def test_5_1_example_without_bonus(start: Start, face_down: int) -> None:
    column: list[str | None] = ["H3", "O4", "H4", "L5"]
    column.insert(face_down, None)
    assert column_b(start, column, removed="E").scores()[0] == 12


def test_5_2_example_with_bonus(start: Start) -> None:
    table = column_b(start, ["T2", "T3", "S4", "T5", "S5"])
    assert table.scores()[0] == 14 + 3


@each_row(("hand", "points"), [(["T1", "W2", "P5"], 1 + 2 + 0), (["S5", "P5", "H5"], 0)])
def test_5_3_example_of_a_hand(start: Start, hand: list[str], points: int) -> None:
    deal = deal_of(garden={"b1": "W3", "d1": "T4", "d2": "T5"}, hands=[hand])
    table = play_rounds(
        begin(start, deal),
        deal,
        ["b1N", "d1N", "a1N", "a5S", "e1N", "e5S", "a5E", "e5W"],
        ["a1E b1", "e1W d1", "a2E d2", "e2W", "a3E", "e3W", "a4E", "e4W"],
    )
    assert table.over
    assert table.scores()[0] == 3 + (4 + 5 + 2) + points


def test_5_4_example_of_four_players(start: Start) -> None:
    garden = {"a1": "T4", "b1": "W5"}  # 9
    garden |= {"b3": "H3", "c3": "O4", "d3": "H4", "e3": "L5"}  # 12, a3 stays face down
    garden |= {"a2": "E2", "b2": "S3", "c2": "P4"}  # 9
    garden |= {"a4": "E5", "a5": "S5"}  # 5 and 5
    deal = deal_of(4, garden=garden, hands=[["T1", "W2", "P5"]])
    table = play_rounds(
        begin(start, deal),
        deal,
        ["a1E", "a3E", "a2E", "a4E", "a5E"],
        ["a1N a1", "a5S a2", "b1N b1", "b5S b2", "c1N c2"],
        ["a2NE b3", "b1NE d3", "e1N e3", "a4SE a4", "a5SE a5"],
        ["e1W", "e2W", "e3W", "e4W", "e5W"],
    )
    assert table.over
    assert table.scores()[0] == 9 + 12 + 9 + 5 + 5 + 3 == 43


def test_5_5_two_of_a_type_are_enough(start: Start) -> None:
    assert column_b(start, [None, "P1", None, "P4", None]).scores()[0] == 5 + 2
