"""The numbered rulings of Schlossgarten, each on the plain oracle and on the product.

Positions come about through real turns from a deal. The deck of a deal is data: unless a test
says otherwise every card shows gardener, king and architect in a row, as the pawns stand at the
start, so that a `stop` without a step lets everybody work.
"""

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.rows import each_row
from tests.rulings.helpers.schlossgarten import (
    CELLS,
    CORNER,
    Rows,
    builds_of,
    deal_of,
    go,
    moves_of,
    refused,
)

Start = Callable[..., Any]

DECK_FILE = Path(__file__).parents[2] / "src" / "bosquet" / "games" / "schlossgarten" / "constellations.json"


def begin(start: Start, *turns: str, players: int = 2, **more: Any) -> Any:
    """Start a game with a deal of this module and go on to its first turns."""
    table = start("schlossgarten", {"players": players}, deal_of(players, **more))
    go(table, *turns)
    return table


def at_card(table: Any) -> Any:
    """Play the card just drawn, so that the pawns may move."""
    table.play(max(table.legal(), key=lambda card: int(card.split()[1])))
    return table


def pawns(table: Any, seat: int) -> list[str]:
    """The cells of king, gardener and architect."""
    return list(table.facts(None)["pawns"][seat])


def new_game(players: int, seed: int) -> Any:
    """A game dealt by the product."""
    import bosquet

    return bosquet.new("schlossgarten", players=players, seed=seed)


# ---------------------------------------------------------------------------------- 1 parts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_1_1_product_deals_17_ones_16_twos_16_threes(players: int) -> None:
    for seed in range(5):
        landscape = new_game(players, seed).record()["deal"]["landscape"]
        assert sorted(landscape) == [1] * 17 + [2] * 16 + [3] * 16


def test_1_1_tiles_lie_value_up_and_are_turned_over_by_digging(start: Start) -> None:
    table = begin(start)
    assert table.facts(None)["up"] == CELLS
    assert table.facts(None)["excavations"] == []
    go(table, "stop, G dig c2")
    assert table.facts(None)["up"] == [cell for cell in CELLS if cell != "c2"]
    assert table.facts(None)["excavations"] == ["c2"]


def test_1_2_cells_run_from_a1_in_the_south_west(start: Start) -> None:
    deal = deal_of(values={"c2": 3, "a1": 2, "b1": 1, "g7": 3})
    table = start("schlossgarten", {"players": 2}, deal)
    values = table.facts(None)["values"]
    assert values == deal["landscape"]
    assert (values[0], values[1], values[2 + 7], values[48]) == (2, 1, 3, 3)
    go(table, "stop, G dig c2, G build 1 c2")
    assert table.scores() == [3 + 1, 0]


def test_1_3_six_elements_one_of_each(start: Start) -> None:
    table = begin(
        start,
        "stop, G dig b1, end", "rest", "stop, G dig b2, end", "rest",
        "stop, G dig c2, G build 3 b1 b2 c2", "rest",
        "stop, G dig d2, G build 1 d2", "rest",
        "stop, A dig f1, end", "rest", "stop, A dig f2, A build 2 f1 f2", "rest",
    )  # fmt: skip
    assert table.facts(None)["elements"] == [
        [0, "A", 2, ["f1", "f2"]],
        [0, "G", 1, ["d2"]],
        [0, "G", 3, ["b1", "b2", "c2"]],
    ]
    go(table, "stop, A dig e2")
    assert builds_of(table, "A") == {"1 e2", "3 e2 f1 f2"}  # the architect's own, the pool is out
    go(table, "A build 1 e2", "rest", "stop")
    assert builds_of(table, "G") == builds_of(table, "A") == set()


def test_1_3_every_player_has_six_of_his_own(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "stop, G dig e6, G build 1 e6")
    assert table.facts(None)["elements"] == [[0, "G", 1, ["c2"]], [1, "G", 1, ["e6"]]]


def turned(rows: Rows) -> frozenset[tuple[str, int, int]]:
    """The three marks of a card a quarter further, the whole shoved into the corner."""
    marks = [(mark, line, -column) for line, row in enumerate(rows) for column, mark in enumerate(row) if mark != "."]
    low = min(column for _, _, column in marks)
    left = min(line for _, line, _ in marks)
    return frozenset((mark, line - left, column - low) for mark, line, column in marks)


def shapes(rows: Rows) -> set[frozenset[tuple[str, int, int]]]:
    """The marks of a card in its four rotations."""
    found = set()
    for _ in range(4):
        marks = turned(rows)
        found.add(marks)
        grid = [["."] * 5 for _ in range(5)]
        for mark, column, line in marks:
            grid[line][column] = mark
        rows = ["".join(row) for row in grid]
    return found


def test_1_4_house_deck_thirty_touching_and_a_mirror_pair() -> None:
    cards = json.loads(DECK_FILE.read_text(encoding="utf-8"))["cards"]
    assert [card["id"] for card in cards] == list(range(1, 33))
    for card in cards:
        assert sorted("".join(card["rows"]).replace(".", "")) == ["A", "G", "K"]
    kinds = [frozenset(shapes(card["rows"])) for card in cards]
    assert len(set(kinds)) == 32
    touching: set[frozenset[Any]] = set()
    spots = [(column, line) for column in range(3) for line in range(3)]
    for places in permutations(spots, 3):
        near = [abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1 for a, b in [places[:2], places[1:], places[::2]]]
        if sum(near) >= 2:
            grid = [["."] * 3 for _ in range(3)]
            for mark, (column, line) in zip("KGA", places, strict=True):
                grid[line][column] = mark
            touching.add(frozenset(shapes(["".join(row) for row in grid])))
    loose = [card["rows"] for card, kind in zip(cards, kinds, strict=True) if kind not in touching]
    assert len(touching) == 30
    assert touching <= set(kinds)
    assert len(loose) == 2
    mirrored = frozenset(shapes([row[::-1] for row in loose[0]]))
    assert frozenset(shapes(loose[1])) == mirrored


def test_1_4_house_deck_is_played_unless_the_deal_has_its_own(start: Start) -> None:
    deal = deal_of()
    del deal["deck"]
    deal["hands"], deal["pile"] = [4, 1], [2, 3, *range(5, 33)]
    table = start("schlossgarten", {"players": 2}, deal)
    go(table, "card 4, G d2, A e2, A e3, stop")  # K d1: card 4 is .A. / G.. / K..
    assert table.facts(None)["phase"] == "work"


# ---------------------------------------------------------------------------------- 2 deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_1_product_shuffles_and_deals_one_card_to_each(players: int) -> None:
    deals = [new_game(players, seed).record()["deal"] for seed in range(5)]
    for deal in deals:
        assert len(deal["hands"]) == players
        assert sorted([*deal["hands"], *deal["pile"]]) == list(range(1, 33))
        assert "deck" not in deal
    assert len({str(deal["landscape"]) for deal in deals}) == 5
    assert len({str(deal["pile"]) for deal in deals}) == 5
    assert new_game(players, 3).record()["deal"] == deals[3]
    assert new_game(players, 3).seat == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_1_seat_0_starts_and_the_turn_goes_round(start: Start, players: int) -> None:
    table = begin(start, players=players)
    for turn in range(2 * players + 1):
        assert table.seat == turn % players
        assert table.facts(None)["round"] == turn // players + 1
        go(table, "rest")


@pytest.mark.parametrize("edges", [["south", "north"], ["south", "west", "north"], ["south", "west", "north", "east"]])
def test_2_2_pawns_start_at_the_edges_looking_inwards(start: Start, edges: list[str]) -> None:
    table = begin(start, players=len(edges))
    places = {  # K G A
        "south": ["d1", "c1", "e1"],
        "west": ["a4", "a5", "a3"],
        "north": ["d7", "e7", "c7"],
        "east": ["g4", "g3", "g5"],
    }
    assert table.facts(None)["pawns"] == [places[edge] for edge in edges]


# ---------------------------------------------------------------------------------- 3 turn


def test_3_1_draw_by_itself_play_one_of_two(start: Start) -> None:
    table = begin(start)
    assert table.facts(0)["hand"] == [1, 3]
    assert table.facts(1)["hand"] == [2]
    assert table.facts(None)["hand"] is None
    assert table.facts(1)["hand_sizes"] == [2, 1]
    assert table.facts(None)["pile"] == 29
    assert set(table.legal()) == {"card 1", "card 3"}
    table.play("card 3")
    assert table.facts(0)["hand"] == [1]
    assert table.facts(1)["played"] == 3  # face up
    assert table.facts(None)["discard"] == []
    go(table, "stop, end")
    assert table.facts(None)["played"] is None
    assert table.facts(None)["discard"] == [3]
    assert table.facts(1)["hand"] == [2, 4]
    assert table.facts(0)["hand"] == [1]


def test_3_1_a_card_is_discarded_fulfilled_or_not(start: Start) -> None:
    table = begin(start, "stop, end", "K d6, stop")  # 3 stands, 4 does not
    assert table.facts(None)["discard"] == [3, 4]
    assert table.seat == 0


def test_3_1_discard_is_shuffled_when_a_card_must_be_drawn(start: Start) -> None:
    table = begin(start, *["rest"] * 29)
    assert table.facts(None)["pile"] == 0
    assert table.seat == 1  # the last card has been drawn, none is due yet
    assert table.facts(None)["phase"] == "card"
    go(table, "rest")
    facts = table.facts(None)
    assert (facts["phase"], facts["seat"], facts["over"]) == ("pile", None, False)
    assert table.seat is None
    assert table.legal() == []
    assert facts["discard"] == list(range(3, 33))
    assert facts["held_over"] == []
    with pytest.raises(ValueError):
        table.play("card 1")
    with pytest.raises(ValueError):
        table.play("pile " + " ".join(str(card) for card in range(3, 32)))
    with pytest.raises(ValueError):
        table.play("pile " + " ".join(str(card) for card in range(1, 33)))
    with pytest.raises(ValueError):
        table.play("pile 3 3 " + " ".join(str(card) for card in range(5, 33)))
    others = [str(card) for card in range(32, 2, -1) if card not in (4, 9)]
    table.play("pile 9 4 " + " ".join(others))
    facts = table.facts(0)
    assert (facts["phase"], facts["seat"]) == ("card", 0)
    assert facts["hand"] == [1, 9]  # first to be drawn first
    assert (facts["pile"], facts["discard"], facts["held_over"]) == (29, [], [1, 2])
    go(table, "rest")
    assert table.facts(1)["hand"] == [2, 4]
    with pytest.raises(ValueError):
        table.play("pile 9")  # not due


def test_3_2_a_step_goes_to_one_of_eight_neighbours(start: Start) -> None:
    table = at_card(begin(start))
    assert set(table.legal()) == {
        "K c2", "K d2", "K e2",
        "K b1", "K f1",  # jumps over the own subjects (3.4)
        "G b1", "G b2", "G c2", "G d2",
        "A d2", "A e2", "A f2", "A f1",
        "stop",
    }  # fmt: skip
    go(table, "K d2, K d3")
    assert moves_of(table, "K") == {"c2", "d2", "e2", "c3", "e3", "c4", "d4", "e4"}


def test_3_2_five_steps_in_all(start: Start) -> None:
    table = at_card(begin(start))
    for left, move in zip(range(5, 0, -1), ["K d2", "G c2", "A e2", "K d3", "K d4"], strict=True):
        assert table.facts(None)["steps_left"] == left
        table.play(move)
    assert table.facts(None)["steps_left"] == 0
    assert table.legal() == ["stop"]
    assert refused(table, "K d5")


def test_3_2_never_onto_an_excavation(start: Start) -> None:
    table = at_card(begin(start, "stop, G dig c2, end", "rest"))
    assert moves_of(table, "G") == {"b1", "b2", "d2"}
    assert moves_of(table, "K") == {"d2", "e2", "b1", "f1"}
    assert refused(table, "K c2")


def test_3_2_onto_own_elements_never_onto_others(start: Start) -> None:
    table = at_card(begin(start, "stop, G dig b2, G build 1 b2", players=3))
    assert moves_of(table, "A") == {"a2", "b3", "b4"}  # west, from a3
    go(table, "stop, end", "rest")
    at_card(table)
    assert moves_of(table, "G") == {"b1", "b2", "c2", "d2"}
    go(table, "G b2")
    assert table.facts(None)["steps_left"] == 4


def test_3_2_never_onto_a_pawn(start: Start) -> None:
    table = begin(start, "K c2, K b2, stop", players=3)
    at_card(table)
    assert "b2" not in moves_of(table, "A")  # another's king
    go(table, "stop, end", "rest")
    at_card(table)
    assert {"a3", "c1"}.isdisjoint(moves_of(table, "K"))  # another's subject, an own one


def test_3_2_a_subject_on_its_owners_element_is_neither_hit_nor_jumped(start: Start) -> None:
    hedge = "stop, G dig b2, G build 1 b2"
    fountain = "stop, A dig f2, A build 1 f2"  # a free cell, so that a hit might be
    table = begin(start, hedge, "rest", "rest", fountain, "rest", "rest", "G b2, stop", players=3)
    at_card(table)
    assert moves_of(table, "A") == {"a2", "b3", "b4"}
    for move in ["A b2 hit f2", "A b2", "A c1"]:
        assert refused(table, move)


# 3.3: the long hedge on c2 d2, the gardener on c1.
LONG_HEDGE = ["stop, G dig c2, end", "rest", "stop, G dig d2, G build 2 c2 d2", "rest"]
# the maze on b1 b2 c2, the gardener on c1
MAZE = [
    "stop, G dig b1, end", "rest", "stop, G dig b2, end", "rest",
    "stop, G dig c2, G build 3 b1 b2 c2", "rest",
]  # fmt: skip


def test_3_3_a_shift_costs_no_step(start: Start) -> None:
    table = begin(start, *LONG_HEDGE, "G c2")
    assert table.facts(None)["steps_left"] == 4
    assert table.facts(None)["shifted"] == []
    go(table, "G d2")
    assert table.facts(None)["steps_left"] == 4
    assert table.facts(None)["shifted"] == ["G"]
    assert pawns(table, 0) == ["d1", "d2", "e1"]


def test_3_3_no_second_shift_nor_a_paid_step_before_a_step(start: Start) -> None:
    table = begin(start, *LONG_HEDGE, "G c2, G d2")
    assert moves_of(table, "G") == {"c1", "c3", "d3", "e2", "e3"}
    assert refused(table, "G c2")
    go(table, "G d3")  # a step
    assert table.facts(None)["shifted"] == []
    go(table, "G d2")
    assert table.facts(None)["steps_left"] == 2
    go(table, "G c2")
    assert table.facts(None)["steps_left"] == 2
    assert table.facts(None)["shifted"] == ["G"]


def test_3_3_after_a_jump_onto_the_element_a_shift_is_free_again(start: Start) -> None:
    # The gardener shifts from c2 to d2, leaves by a jump over the architect on e2 to f2 and
    # comes back by a jump over it to d2: then it may shift once more.
    table = begin(start, *LONG_HEDGE, "A e2, G c2, G d2, G f2")
    assert table.facts(None)["shifted"] == []
    assert table.facts(None)["steps_left"] == 2
    go(table, "G d2, G c2")
    assert table.facts(None)["steps_left"] == 1
    assert table.facts(None)["shifted"] == ["G"]


def test_3_3_shifts_are_counted_for_each_pawn(start: Start) -> None:
    table = begin(start, *MAZE, "K c2, G b1, G b2, K b1")
    assert table.facts(None)["steps_left"] == 3
    assert table.facts(None)["shifted"] == ["K", "G"]
    assert refused(table, "G c2")
    assert refused(table, "K c2")
    go(table, "G b3")
    assert table.facts(None)["shifted"] == ["K"]


def test_3_3_a_shift_needs_a_free_cell(start: Start) -> None:
    table = begin(start, *LONG_HEDGE, "K d2, G c2")
    assert table.facts(None)["steps_left"] == 3
    assert refused(table, "K c2")
    assert refused(table, "G d2")


def test_3_3_shifts_after_the_fifth_step(start: Start) -> None:
    table = begin(start, *LONG_HEDGE, "K e2, K e3, K e4, K e5, G c2")
    assert table.facts(None)["steps_left"] == 0
    assert set(table.legal()) == {"G d2", "stop"}
    go(table, "G d2")
    assert table.legal() == ["stop"]


def test_3_3_a_new_turn_allows_the_next_shift(start: Start) -> None:
    table = begin(start, *LONG_HEDGE, "G c2, G d2, stop", "rest", "G c2")
    assert table.facts(None)["steps_left"] == 5
    assert table.facts(None)["shifted"] == ["G"]


def test_3_3_between_two_own_elements_a_step_is_paid(start: Start) -> None:
    table = begin(
        start, "stop, G dig c2, G build 1 c2", "rest",
        "stop, G dig b1, end", "rest", "stop, G dig b2, G build 2 b1 b2", "rest",
        "G c2, G b2",
    )  # fmt: skip
    assert table.facts(None)["steps_left"] == 3
    assert table.facts(None)["shifted"] == []
    go(table, "G b1, G c2")  # a shift, a step
    assert table.facts(None)["steps_left"] == 2
    assert table.facts(None)["shifted"] == []


def test_3_4_over_an_own_subject_as_one_step(start: Start) -> None:
    table = begin(start, "K b1")  # over the gardener on c1; kings, too, may jump
    assert pawns(table, 0) == ["b1", "c1", "e1"]
    assert table.facts(None)["steps_left"] == 4
    go(table, "A d2, G e3")  # the gardener over the architect, aslant
    assert pawns(table, 0) == ["b1", "e3", "d2"]
    assert table.facts(None)["steps_left"] == 2


def test_3_4_over_another_players_subject(start: Start) -> None:
    table = begin(start, "G b2, stop", "A c1", players=3)
    assert pawns(table, 1) == ["a4", "a5", "c1"]
    assert pawns(table, 0) == ["d1", "b2", "e1"]
    assert table.facts(None)["steps_left"] == 4


def test_3_4_only_straight_and_only_over_a_neighbour(start: Start) -> None:
    table = at_card(begin(start, "G b2, stop", players=3))
    assert moves_of(table, "A") == {"a2", "b3", "b4", "c1"}  # from a3, over b2
    assert moves_of(table, "K") == {"b3", "b4", "b5", "a2", "a6"}  # from a4, over a3, over a5


def test_3_4_kings_are_never_jumped(start: Start) -> None:
    table = begin(start, "G b2")
    assert refused(table, "A c1")  # the own king on d1
    table = begin(start, "G d2, K c2, K b2, stop", players=3)
    at_card(table)
    assert refused(table, "A c1")  # another's king on b2


def test_3_4_the_cell_behind_must_be_one_to_enter(start: Start) -> None:
    table = at_card(begin(start, "stop, G dig b1, end", "rest"))
    assert refused(table, "K b1")  # an excavation
    table = begin(start, "G b2, K c1, stop", players=3)
    at_card(table)
    assert refused(table, "A c1")  # a king
    table = at_card(begin(start))
    assert refused(table, "A c1")  # an own subject beyond a king
    table = begin(start, "G b2, A d2, A c1, stop", players=3)
    at_card(table)
    assert refused(table, "A c1")  # a subject that cannot be hit


def test_3_4_not_onto_another_players_element(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "A a2, stop", "rest", "G b2, stop",
                  players=3)  # fmt: skip
    at_card(table)
    assert refused(table, "A c2")  # from a2 over b2


def test_3_4_over_and_onto_own_elements(start: Start) -> None:
    table = begin(start, "stop, G dig b1, G build 1 b1", "rest", "K b1")
    assert pawns(table, 0) == ["b1", "c1", "e1"]
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest", "G c2, K b3")
    assert pawns(table, 0) == ["b3", "c2", "e1"]
    assert table.facts(None)["steps_left"] == 3


def test_3_4_over_an_own_subject_within_one_own_element(start: Start) -> None:
    # From the hedge cell c2 over the architect on d2 of the same hedge: a jump, hence a step.
    table = begin(start, *LONG_HEDGE, "A d2, G c2, G e2")
    assert pawns(table, 0) == ["d1", "e2", "d2"]
    assert table.facts(None)["steps_left"] == 2


def test_3_4_no_jump_over_a_cell_of_another_players_element(start: Start) -> None:
    turns = ["stop, G dig b2, G build 1 b2", "rest", "rest"]
    table = at_card(begin(start, *turns, "G b2, stop", players=3))
    assert refused(table, "A c1")  # the gardener stands on its hedge


def test_3_4_not_over_an_empty_cell(start: Start) -> None:
    table = begin(start, "A f2")
    assert refused(table, "K f1")  # nobody stands on e1 now
    assert "K b1" in table.legal()


def test_3_4_a_jump_may_end_in_a_hit(start: Start) -> None:
    table = begin(start, "stop, A dig f2, A build 1 f2", "rest", "rest",
                  "G b2, A d2, A c1, stop", players=3)  # fmt: skip
    at_card(table)
    assert "c1 hit f2" in moves_of(table, "A")
    go(table, "A c1 hit f2")
    assert pawns(table, 0) == ["d1", "b2", "f2"]
    assert pawns(table, 1) == ["a4", "a5", "c1"]
    assert table.facts(None)["steps_left"] == 4


# 3.5: south has a fountain on f2 and a hedge on d2, it is its turn.
HAVENS = [
    "stop, A dig f2, A build 1 f2", "rest", "rest",
    "stop, G dig d2, G build 1 d2", "rest", "rest",
]  # fmt: skip


@pytest.mark.parametrize(("haven", "cells"), [("d2", ["d1", "d2", "e1"]), ("f2", ["d1", "f2", "e1"])])
def test_3_5_the_hitter_chooses_the_free_cell(start: Start, haven: str, cells: list[str]) -> None:
    table = at_card(begin(start, *HAVENS, "G b2, stop", players=3))
    assert moves_of(table, "A") == {"a2", "b3", "b4", "c1", "b2 hit d2", "b2 hit f2"}
    assert refused(table, "A b2")
    go(table, f"A b2 hit {haven}")
    assert pawns(table, 0) == cells
    assert pawns(table, 1) == ["a4", "a5", "b2"]
    assert table.facts(None)["steps_left"] == 4


def test_3_5_any_free_cell_of_a_larger_element(start: Start) -> None:
    hedge = "stop, G dig c2, G build 2 c2 d2"
    turns = ["stop, G dig d2, end", "rest", "rest", hedge, "rest", "rest"]
    table = at_card(begin(start, *turns, "A d2, G b2, stop", players=3))
    assert "b2 hit c2" in moves_of(table, "A")
    assert refused(table, "A b2 hit d2")
    table = at_card(begin(start, *turns, "G b2, stop", players=3))
    assert {"b2 hit c2", "b2 hit d2"} <= moves_of(table, "A")


def test_3_5_no_element_no_hit(start: Start) -> None:
    table = at_card(begin(start, "G b2, stop", players=3))
    assert moves_of(table, "A") == {"a2", "b3", "b4", "c1"}
    table = at_card(begin(start, "stop, G dig d2, end", "rest", "rest", "G b2, stop", players=3))
    assert refused(table, "A b2 hit d2")  # an excavation is none


def test_3_5_no_free_cell_no_hit(start: Start) -> None:
    table = at_card(begin(start, *HAVENS, "G b2, K d2, stop", players=3))
    assert [move for move in table.legal() if "hit" in move] == ["A b2 hit f2"]
    table = at_card(begin(start, *HAVENS, "G b2, K d2, A f2, stop", players=3))
    assert [move for move in table.legal() if "hit" in move] == []


def test_3_5_only_the_owners_elements_count(start: Start) -> None:
    table = begin(start, "rest", "stop, A dig b3, A build 1 b3", "rest", "G b2, stop", players=3)
    at_card(table)
    assert [move for move in table.legal() if "hit" in move] == []  # west's fountain is no haven


def test_3_5_kings_are_never_hit_but_hit(start: Start) -> None:
    table = at_card(begin(start, *HAVENS, "K c2, K b2, stop", players=3))
    assert [move for move in table.legal() if "hit" in move] == []
    table = begin(start, *HAVENS, "G b2, stop", "K b3, K b2 hit f2", players=3)
    assert pawns(table, 1) == ["b2", "a5", "a3"]
    assert pawns(table, 0) == ["d1", "f2", "e1"]


def test_3_5_own_subjects_are_never_hit(start: Start) -> None:
    table = at_card(begin(start, *HAVENS, players=3))
    assert [move for move in table.legal() if "hit" in move] == []


def test_3_6_stop_at_any_time(start: Start) -> None:
    table = at_card(begin(start))
    for move in ["K d2", "K d3", "K d4", "G c2", "A e2"]:
        assert "stop" in table.legal()
        table.play(move)
    assert table.legal() == ["stop"]
    assert refused(table, "end")
    go(table, "stop", "stop")  # north without a step
    assert table.seat == 1
    assert table.facts(None)["phase"] == "work"


# ---------------------------------------------------------------------------------- 4 work


@each_row(
    "rows",
    [
        [".A.", "GK.", "..."],
        [".G.", ".KA", "..."],
        ["...", ".KG", ".A."],
        ["...", "AK.", ".G."],
    ],
)
def test_4_1_four_rotations(start: Start, rows: Rows) -> None:
    table = begin(start, "card 1, A d2, stop", special=rows)
    assert table.facts(None)["phase"] == "work"
    assert table.seat == 0


@each_row(
    "rows",
    [
        [".A.", ".KG", "..."],
        [".G.", "AK.", "..."],
        ["...", "GK.", ".A."],
        ["...", ".KA", ".G."],
    ],
)
def test_4_1_no_mirroring(start: Start, rows: Rows) -> None:
    table = begin(start, "card 1, A d2, stop", special=rows)
    assert table.facts(None)["phase"] == "card"
    assert table.seat == 1


def test_4_1_anywhere_on_the_board_and_with_gaps(start: Start) -> None:
    loose = ["G..", "..A", "K.."]
    table = begin(start, "card 1, G c2, G d3, A f2, stop", special=loose)
    assert table.facts(None)["phase"] == "work"
    table = begin(start, "card 1, G c2, G d3, A f2, K e2, stop", special=loose)
    assert table.seat == 1


def test_4_1_empty_cells_of_the_card_do_not_matter(start: Start) -> None:
    # Half of the card lies off the board; on c2, an empty cell of it, stands west's architect.
    table = begin(start, "rest", "A b2, A c2, stop", "rest", "stop", players=3)
    assert table.facts(None)["phase"] == "work"
    assert table.seat == 0


def test_4_1_one_subject_may_be_another_players(start: Start) -> None:
    table = begin(start, "A f2, stop", "A b2, A c2, A d2, A e1, stop", "rest", "stop", players=3)
    assert table.facts(None)["phase"] == "work"
    assert moves_of(table, "A") == set()  # the own architect on f2 is no part of it
    assert moves_of(table, "G") == {"dig b1", "dig b2", "dig c2", "dig d2"}


def test_4_1_two_foreign_subjects_do_not_stand(start: Start) -> None:
    table = begin(start, "rest", "K b5, stop", "rest", "K c2, K b3, K a4, stop", players=3)
    assert table.seat == 1  # south's king on a4 between west's subjects
    assert table.facts(None)["discard"] == [4, 5, 6, 7]


def test_4_1_foreign_subjects_of_two_players_do_not_stand(start: Start) -> None:
    # South's king on d4, west's architect on c4, north's gardener on e4.
    table = begin(start, "K d2, K d3, K d4, stop", "A b4, A c4, stop",
                  "G e6, G e5, G e4, stop", "stop", players=3)  # fmt: skip
    assert table.seat == 1


def test_4_1_the_king_must_be_the_own_one(start: Start) -> None:
    table = begin(start, "rest", "K b5, stop", "rest", "K c2, K b3, K a4, stop", "stop", players=3)
    assert table.seat == 2  # west's subjects beside south's king


def test_4_2_either_may_be_left_out(start: Start) -> None:
    table = begin(start, "stop")
    assert set(table.legal()) == {
        "G dig b1", "G dig b2", "G dig c2", "G dig d2",
        "A dig d2", "A dig e2", "A dig f2", "A dig f1",
        "end",
    }  # fmt: skip
    go(table, "end")
    assert table.seat == 1
    go(table, "rest", "stop, G dig c2, end")  # only a dig
    assert table.seat == 1
    go(table, "rest", "stop, G build 1 c2")  # only a build
    assert table.seat == 1
    assert table.facts(None)["elements"] == [[0, "G", 1, ["c2"]]]


def test_4_2_one_dig_then_one_build_by_the_digger(start: Start) -> None:
    table = begin(start, "stop, G dig d2")
    facts = table.facts(None)
    assert (facts["phase"], facts["worker"], facts["seat"]) == ("build", "G", 0)
    assert set(table.legal()) == {"G build 1 d2", "end"}  # no second dig, nothing for A
    assert refused(table, "A build 1 d2")
    assert refused(table, "G dig c2")
    go(table, "G build 1 d2")
    assert table.seat == 1  # a build ends the turn, no `end` follows
    assert table.facts(None)["worker"] is None


def test_4_2_without_a_dig_any_offered_worker_builds(start: Start) -> None:
    table = begin(start, "stop, G dig d2, end", "rest", "stop")
    assert builds_of(table, "G") == builds_of(table, "A") == {"1 d2"}
    go(table, "A build 1 d2")
    assert table.seat == 1
    assert table.facts(None)["elements"] == [[0, "A", 1, ["d2"]]]


# South: king d2, gardener c2 west of it, architect d1 south of it; west's architect on d3.
ONE_FIGURE = ["K d2, G c2, A d1, stop", "A b3, A c3, A d3, stop"]
NORTHS_GARDENER_TO_E2 = "G e6, G e5, G e4, G e3, G e2, stop"


def test_4_2_two_figures_offer_the_work_to_the_subjects_of_each(start: Start) -> None:
    # Corner: gardener west and architect north of the king, or gardener east, architect south.
    table = begin(start, *ONE_FIGURE, "rest", "card 1, stop", players=3, special=CORNER)
    assert moves_of(table, "G") == {"dig b1", "dig b2", "dig b3", "dig c1", "dig c3"}
    assert moves_of(table, "A") == set()
    turns = [*ONE_FIGURE, NORTHS_GARDENER_TO_E2, "card 1, stop"]
    table = begin(start, *turns, players=3, special=CORNER)
    assert moves_of(table, "G") == {"dig b1", "dig b2", "dig b3", "dig c1", "dig c3"}
    assert moves_of(table, "A") == {"dig c1", "dig e1"}
    go(table, "A dig c1")
    assert set(table.legal()) == {"A build 1 c1", "end"}


def test_4_3_dig_a_tile_beside_the_worker_without_a_pawn(start: Start) -> None:
    table = begin(start, "stop, G dig c2, end", "A b2, stop", "rest", "stop", players=3)
    digs = {move for move in moves_of(table, "G") if move.startswith("dig")}
    assert digs == {"dig b1", "dig d2"}  # c2 is one already, on b2 and d1 stand pawns
    assert refused(table, "G dig b3")
    assert refused(table, "G dig c1")  # its own cell


def test_4_3_the_worker_digs_from_where_it_stands_now(start: Start) -> None:
    table = begin(start, "K d2, G c2, A e2, stop")
    assert moves_of(table, "G") == {
        "dig b1", "dig b2", "dig b3", "dig c1", "dig c3", "dig d1", "dig d3"
    }  # fmt: skip


def test_4_3_never_an_element(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest", "stop")
    assert refused(table, "G dig c2")


def test_4_4_only_beside_the_worker(start: Start) -> None:
    table = begin(start, "stop, G dig c2, end", "rest", "stop")
    assert builds_of(table, "G") == {"1 c2"}
    assert builds_of(table, "A") == set()  # from e1, c2 is too far
    go(table, "A dig d2")
    assert builds_of(table, "A") == {"1 d2", "2 c2 d2"}  # one cell beside it is enough


def test_4_4_a_domino_is_two_cells_side_by_side(start: Start) -> None:
    table = begin(start, "stop, G dig b1, end", "rest", "stop, G dig c2")
    assert builds_of(table, "G") == {"1 b1", "1 c2"}  # aslant
    go(table, "end", "rest", "stop, G dig b2")
    assert builds_of(table, "G") == {
        "1 b1", "1 b2", "1 c2", "2 b1 b2", "2 b2 c2", "3 b1 b2 c2"
    }  # fmt: skip


def test_4_4_three_in_a_row_are_no_l(start: Start) -> None:
    digs = ["stop, G dig b2, end", "rest", "stop, G dig c2, end", "rest", "stop, G dig d2"]
    table = begin(start, *digs)
    assert builds_of(table, "G") == {"1 b2", "1 c2", "1 d2", "2 b2 c2", "2 c2 d2"}


@each_row(
    ("seat", "worker", "site"),
    [(0, "G", "b1 b2 c2"), (0, "A", "e2 f1 f2"), (1, "G", "e6 f6 f7"), (1, "A", "b6 b7 c6")],
)
def test_4_4_the_l_in_its_four_rotations(start: Start, seat: int, worker: str, site: str) -> None:
    first, second, third = site.split()
    table = begin(start)
    if seat == 1:
        go(table, "rest")
    for cell in (first, second):
        go(table, f"stop, {worker} dig {cell}, end", "rest")
    go(table, f"stop, {worker} dig {third}, {worker} build 3 {site}")
    assert table.facts(None)["elements"] == [[seat, worker, 3, site.split()]]


def test_4_4_the_site_holds_an_excavation(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest", "stop, A dig d2, A build 1 d2",
                  "rest", "stop")  # fmt: skip
    assert builds_of(table, "G") == builds_of(table, "A") == set()  # not c2 d2 without any
    go(table, "G dig b2")
    assert builds_of(table, "G") == {"2 b2 c2"}


def test_4_4_elements_on_the_site_lie_wholly_inside(start: Start) -> None:
    table = begin(start, "stop, G dig b2, end", "rest", "stop, G dig c2, G build 2 b2 c2",
                  "rest", "stop, G dig b1")  # fmt: skip
    assert builds_of(table, "G") == {"1 b1", "3 b1 b2 c2"}
    table = begin(start, "stop, G dig b2, end", "rest", "stop, G dig c2, G build 2 b2 c2",
                  "rest", "stop, A dig d2")  # fmt: skip
    assert builds_of(table, "A") == {"1 d2"}  # c2 alone is but half of the long hedge
    table = begin(start, *MAZE, "stop, G dig d2")
    assert builds_of(table, "G") == {"1 d2"}


def test_4_4_several_elements_may_be_built_over_at_once(start: Start) -> None:
    # South's hedge on c2, west's fountain on b2; south's maze covers both.
    values = {"b1": 3, "b2": 1, "c2": 2}
    table = begin(start, "stop, G dig c2, G build 1 c2", "stop, A dig b2, A build 1 b2", "rest",
                  "stop, G dig b1", players=3, values=values)  # fmt: skip
    assert builds_of(table, "G") == {"2 b1 b2", "3 b1 b2 c2"}
    go(table, "G build 3 b1 b2 c2")
    assert table.facts(None)["elements"] == [[0, "G", 3, ["b1", "b2", "c2"]]]
    assert table.facts(None)["kept"] == [["b1", "c2"], ["b2"], []]
    assert table.scores() == [3 + 2 + 3, 1, 0]
    go(table, "stop, A dig a2")
    assert builds_of(table, "A") == {"1 a2"}  # west has its fountain back


def test_4_4_the_digger_may_build_elsewhere(start: Start) -> None:
    table = begin(start, "stop, G dig c2, end", "rest", "stop, G dig b1, G build 1 c2")
    assert table.facts(None)["excavations"] == ["b1"]


def test_4_4_elements_of_anybody_may_be_built_over(start: Start) -> None:
    table = begin(start, "stop, G dig b2, G build 1 b2", "stop, A dig a2", players=3)
    assert builds_of(table, "A") == {"1 a2", "2 a2 b2"}
    go(table, "A build 2 a2 b2")
    assert table.facts(None)["elements"] == [[1, "A", 2, ["a2", "b2"]]]


def test_4_4_no_pawn_on_the_site(start: Start) -> None:
    table = begin(start, "stop, G dig b2, G build 1 b2", "rest", "rest", "G b2, stop",
                  "stop, A dig a2", players=3)  # fmt: skip
    assert builds_of(table, "A") == {"1 a2"}
    assert refused(table, "A build 2 a2 b2")


def test_4_4_own_pawns_forbid_as_well(start: Start) -> None:
    # The king goes onto the hedge c2; gardener b2 west and architect d2 east of it stand in line.
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest",
                  "K c2, G b2, A d2, stop, G dig b1, end", "rest", "stop, G dig c1")  # fmt: skip
    assert builds_of(table, "G") == {"2 b1 c1"}  # not 2 c1 c2, not 3 b1 c1 c2


def test_4_4_an_element_on_the_board_is_not_built_again(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest", "stop, G dig b1")
    assert table.legal() == ["end"]
    go(table, "end", "rest", "stop, A dig f1")
    assert builds_of(table, "A") == {"1 f1"}


def test_4_5_the_builder_keeps_the_tiles_of_covered_excavations(start: Start) -> None:
    # South digs b2, west covers it.
    table = begin(start, "stop, G dig b2, end", "stop, A dig b3, A build 2 b2 b3", players=3)
    assert table.facts(None)["kept"] == [[], ["b2", "b3"], []]
    assert table.facts(None)["excavations"] == []
    assert set(table.facts(None)["up"]) == set(CELLS) - {"b2", "b3"}


def test_4_5_elements_built_over_go_back(start: Start) -> None:
    table = begin(start, "stop, G dig b2, G build 1 b2", "stop, A dig a2, A build 2 a2 b2",
                  "rest", "stop, G dig c2", players=3)  # fmt: skip
    assert builds_of(table, "G") == {"1 c2"}  # the hedge once more
    assert table.facts(None)["kept"] == [["b2"], ["a2"], []]  # south still keeps its tile
    go(table, "G build 1 c2")
    assert table.facts(None)["elements"] == [[0, "G", 1, ["c2"]], [1, "A", 2, ["a2", "b2"]]]


def test_4_5_own_elements_go_back_too(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest",
                  "stop, G dig b2, G build 2 b2 c2", "rest", "stop, G dig d2")  # fmt: skip
    assert table.facts(None)["kept"] == [["b2", "c2"], []]
    assert builds_of(table, "G") == {"1 d2"}


def test_4_6_tiles_kept_and_a_point_for_each_cell(start: Start) -> None:
    values = {"b2": 3, "a2": 2, "c2": 1}
    table = begin(start, players=3, values=values)
    assert table.scores() == [0, 0, 0]
    go(table, "stop, G dig b2")
    assert table.scores() == [0, 0, 0]  # an excavation alone gives nothing
    go(table, "G build 1 b2")
    assert table.scores() == [3 + 1, 0, 0]
    go(table, "stop, A dig a2, A build 2 a2 b2")
    assert table.scores() == [3, 2 + 2, 0]  # the hedge's point is lost, the tile is not
    go(table, "rest", "stop, G dig c2, G build 1 c2")
    assert table.scores() == [3 + 1 + 1, 4, 0]
    assert table.facts(2)["scores"] == [5, 4, 0]


def test_4_6_a_larger_element_over_an_own_one(start: Start) -> None:
    values = {"c2": 2, "b2": 1, "b1": 3}
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest", values=values)
    assert table.scores() == [2 + 1, 0]
    go(table, "stop, G dig b2, G build 2 b2 c2", "rest")
    assert table.scores() == [2 + 1 + 2, 0]
    go(table, "stop, G dig b1, G build 3 b1 b2 c2")
    assert table.scores() == [2 + 1 + 3 + 3, 0]


# ---------------------------------------------------------------------------------- 5 end

# South builds maze and terrace in six turns: six tiles and six cells.
BUILDING = [
    "stop, G dig c2, G build 1 c2", "rest",
    "stop, A dig e2, A build 1 e2", "rest",
    "stop, G dig b2, G build 2 b2 c2", "rest",
    "stop, A dig f2, A build 2 e2 f2", "rest",
    "stop, G dig b1, G build 3 b1 b2 c2", "rest",
    "stop, A dig f1, A build 3 e2 f1 f2",
]  # fmt: skip
TILES = {"c2": 3, "e2": 3, "b2": 3, "f2": 2, "b1": 2}


def test_5_1_ends_at_once_with_21(start: Start) -> None:
    table = begin(start, *BUILDING, values={**TILES, "f1": 2})
    assert table.scores() == [21, 0]
    assert table.over
    assert table.seat is None
    assert table.legal() == []
    assert table.result() == {"scores": [21, 0], "winners": [0]}
    facts = table.facts(None)
    assert (facts["phase"], facts["over"], facts["winners"]) == ("over", True, [0])
    assert facts["round"] == 6  # north has no sixth turn
    assert refused(table, "card 2")


def test_5_1_goes_on_with_20(start: Start) -> None:
    table = begin(start, *BUILDING, values={**TILES, "f1": 1})
    assert table.scores() == [20, 0]
    assert not table.over
    assert table.seat == 1
    assert table.result() is None
    assert table.facts(None)["winners"] == []


def test_5_1_more_than_21_wins_as_well(start: Start) -> None:
    table = begin(start, *BUILDING, values={**TILES, "f1": 3})
    assert table.result() == {"scores": [22, 0], "winners": [0]}


def idle(table: Any) -> None:
    """Do as little as can be until the game is over."""
    while not table.over:
        if table.seat is None:
            table.play("pile " + " ".join(str(card) for card in table.facts(None)["discard"]))
        else:
            go(table, "rest")


def test_5_2_after_100_rounds_a_tie_is_shared(start: Start) -> None:
    table = begin(start, players=3)
    idle(table)
    assert table.result() == {"scores": [0, 0, 0], "winners": [0, 1, 2]}
    assert table.facts(None)["round"] == 100


def test_5_2_after_100_rounds_most_points_win(start: Start) -> None:
    table = begin(start, "rest", "stop, G dig e6, G build 1 e6", values={"e6": 1})
    idle(table)
    assert table.result() == {"scores": [0, 2], "winners": [1]}


def test_5_2_the_last_turn_of_round_100_is_played(start: Start) -> None:
    table = begin(start)
    for turn in range(199):
        if table.seat is None:
            table.play("pile " + " ".join(str(card) for card in table.facts(None)["discard"]))
        assert table.facts(None)["round"] == turn // 2 + 1
        go(table, "rest")
    assert not table.over
    assert table.seat == 1
    go(table, "rest")
    assert table.over


# ---------------------------------------------------------------------------------- 6 notation


@each_row("wrong", ["card 01", "card  1", "Card 1", "card 2", "card", "card +1", " card 1", "stop", ""])
def test_6_notation_is_exact_for_cards(start: Start, wrong: str) -> None:
    assert refused(begin(start), wrong)


@each_row("wrong", ["k d2", "K D2", "K d2 ", "Kd2", "K  d2", "d2", "K d2 hit", "K d2 hit d3", "end"])
def test_6_notation_is_exact_for_pawns(start: Start, wrong: str) -> None:
    assert refused(at_card(begin(start)), wrong)


def test_6_cells_of_a_site_in_order_of_column_then_row(start: Start) -> None:
    table = begin(start, "stop, G dig b1, end", "rest", "stop, G dig b2, end", "rest",
                  "stop, G dig c2")  # fmt: skip
    for wrong in ["G build 3 b2 b1 c2", "G build 3 c2 b2 b1", "G build 2 c2 b2", "G build 1 b1 "]:
        assert refused(table, wrong)
    assert "G build 3 b1 b2 c2" in table.legal()


def test_6_without_a_figure_the_turn_ends_with_stop(start: Start) -> None:
    table = begin(start, "K d2, stop")
    assert table.seat == 1
    assert table.facts(None)["phase"] == "card"


def test_6_a_standing_figure_has_its_end_even_without_any_work(start: Start) -> None:
    # Gardener a1 in the corner, king b1, own architect a2, west's architect b2: nothing to dig.
    table = begin(
        start,
        "G b1, G a1, A d2, A c2, A b2, stop", "rest", "rest",
        "A a2, K c1, K b1, stop", "A b2, stop", "rest",
        "card 1, stop",
        players=3, special=CORNER,
    )  # fmt: skip
    assert table.seat == 0
    assert table.facts(None)["phase"] == "work"
    assert table.legal() == ["end"]
    go(table, "end")
    assert table.seat == 1


def test_6_after_a_dig_the_turn_has_its_end_even_without_a_build(start: Start) -> None:
    table = begin(start, "stop, G dig c2, G build 1 c2", "rest", "stop, G dig b1")
    assert table.facts(None)["phase"] == "build"
    assert table.legal() == ["end"]
