"""The rulings of Topas, one by one, on the plain oracle and on the product."""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from math import prod
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bosquet
from tests.helpers.rows import each_row
from tests.plain import topas

Square = tuple[int, int]
Halves = dict[Square, tuple[str, int]]
Start = Callable[..., Any]

STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}
ASIDE = {"N": "E", "E": "S", "S": "W", "W": "N"}
CARDS = [
    f"{one}{gems}{other}{more}" for one, other in combinations("BGRY", 2) for gems, more in permutations((1, 2, 3), 2)
]
ALONE = {"players": 1, "expert": False}
TWO = {"players": 2, "expert": False}


# --- deals

ROUND = ("G1Y2@0,0E", "R2Y3@3,0W", "R1Y3@3,-1W", "G3Y1@0,-1E", "B1G3@0,2S")
SECOND_ROUND = ("B3G2@1,2S", "G2R1@2,1E", "B3R1@2,2E", "B2R1@2,3E")
"""The printed example: the card that starts the table, and then a turn of each of four players, twice."""


def dealt(players: int, first: str, *cards: str) -> dict[str, Any]:
    """Deal so that `first` starts the table and, turn by turn, the `cards` are in hand."""
    rest = [card for card in CARDS if card != first and card not in cards]
    order = [*cards, *rest]
    if players == 1:
        return {"pile": [first, *order]}
    held = 3 * players
    return {
        "hands": [order[seat:held:players] for seat in range(players)],
        "start": first,
        "pile": order[held:],
    }


def variants(players: int) -> list[dict[str, Any]]:
    """Return the options without and with the expert variant."""
    return [{"players": players, "expert": expert} for expert in (False, True)]


# --- a third count of the table, from what the table shows


def walk(square: Square, heading: str, steps: int = 1) -> Square:
    """Return the square some steps away in a heading."""
    return square[0] + steps * STEPS[heading][0], square[1] + steps * STEPS[heading][1]


def notation(card: str, square: Square, heading: str) -> str:
    """Write a move (3.7)."""
    return f"{card}@{square[0]},{square[1]}{heading}"


def parts(move: str) -> tuple[str, Square, str]:
    """Read a move (3.7)."""
    card, place = move.split("@")
    x, y = place[:-1].split(",")
    return card, (int(x), int(y)), place[-1]


def put(halves: Halves, card: str, square: Square, heading: str) -> tuple[Square, Square]:
    """Put a card into `halves`; return its two squares."""
    other = walk(square, heading)
    assert square not in halves, "halves overlap"
    assert other not in halves, "halves overlap"
    halves[square] = (card[0], int(card[1]))
    halves[other] = (card[2], int(card[3]))
    return square, other


def on_table(cards: Sequence[Sequence[Any]]) -> Halves:
    """Return the halves of `facts()["table"]`."""
    halves: Halves = {}
    for card, x, y, heading, _ in cards:
        put(halves, card, (x, y), heading)
    return halves


def rows(halves: Halves) -> list[set[Square]]:
    """Return every row on the table: maximal runs of one colour, two halves or more."""
    found = []
    for heading in "EN":
        for square, (colour, _) in halves.items():
            if halves.get(walk(square, BACK[heading]), ("", 0))[0] == colour:
                continue
            run = {square}
            ahead = walk(square, heading)
            while halves.get(ahead, ("", 0))[0] == colour:
                run.add(ahead)
                ahead = walk(ahead, heading)
            if len(run) > 1:
                found.append(run)
    return found


def gems(halves: Halves, row: set[Square]) -> int:
    """Return the value of a row."""
    return sum(halves[square][1] for square in row)


def turn_values(halves: Halves, laid: tuple[Square, Square]) -> list[int]:
    """Return the values of the rows through the two squares just laid."""
    return [gems(halves, row) for row in rows(halves) if row & set(laid)]


def turn_points(values: list[int], expert: bool) -> int:
    """Return the points of a turn (3.4)."""
    return (prod(values) if expert else sum(values)) if values else 0


def scored(halves: Halves, move: str, expert: bool) -> int:
    """Return the points that `move` would bring."""
    after = dict(halves)
    return turn_points(turn_values(after, put(after, *parts(move))), expert)


def table_points(cards: Sequence[Sequence[Any]], players: int, expert: bool) -> list[int]:
    """Count all the points of a table again, card by card."""
    points = [0] * players
    halves: Halves = {}
    for card, x, y, heading, seat in cards:
        laid = put(halves, card, (x, y), heading)
        if seat is not None:
            points[seat] += turn_points(turn_values(halves, laid), expert)
    return points


def placements(halves: Halves, card: str) -> set[str]:
    """Try every square and heading around the table; return the legal moves with `card`."""
    xs = [x for x, _ in halves]
    ys = [y for _, y in halves]
    beside = {walk(square, heading) for square in halves for heading in "NESW"}
    moves = set()
    for x in range(min(xs) - 2, max(xs) + 3):
        for y in range(min(ys) - 2, max(ys) + 3):
            for heading in "NESW":
                pair = ((x, y), walk((x, y), heading))
                if pair[0] in halves or pair[1] in halves:
                    continue
                if pair[0] not in beside and pair[1] not in beside:
                    continue
                after = {
                    pair[0]: (card[0], int(card[1])),
                    pair[1]: (card[2], int(card[3])),
                }
                if all(fits(halves | after, square) for square in pair):
                    moves.add(notation(card, (x, y), heading))
    return moves


def fits(halves: Halves, square: Square) -> bool:
    """Tell whether both runs through `square` hold seven gems at most (3.2)."""
    colour = halves[square][0]
    for headings in ("EW", "NS"):
        total = halves[square][1]
        for heading in headings:
            ahead = walk(square, heading)
            while halves.get(ahead, ("", 0))[0] == colour:
                total += halves[ahead][1]
                ahead = walk(ahead, heading)
        if total > 7:
            return False
    return True


def assert_legal(game: Any) -> Any:
    """Hold the legal moves against trying every square around the table; return what the seat sees."""
    facts = game.facts(game.seat)
    halves = on_table(facts["table"])
    moves = game.legal()
    assert len(moves) == len(set(moves))
    assert set(moves) == set().union(*(placements(halves, card) for card in facts["hand"]))
    return facts


def assert_refused(game: Any, *moves: str) -> None:
    """Hold that each of `moves` is refused and changes nothing."""
    before = [game.facts(viewer) for viewer in (None, 0)]
    legal = sorted(game.legal())
    for move in moves:
        assert move not in legal
        with pytest.raises(ValueError):
            game.play(move)
    assert [game.facts(viewer) for viewer in (None, 0)] == before
    assert sorted(game.legal()) == legal


# --- 1 parts


def test_1_1_thirty_six_cards() -> None:
    assert len(CARDS) == len(set(CARDS)) == 36
    assert sorted(topas.CARDS) == sorted(CARDS)
    assert {"B1G2", "G3Y1"} <= set(CARDS)
    for card in CARDS:
        assert "BGRY".index(card[0]) < "BGRY".index(card[2])
        assert card[1] != card[3]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_1_1_the_product_deals_every_card_once(players: int) -> None:
    deal = bosquet.new("topas", players=players, seed=players).record()["deal"]
    cards = [*deal["pile"]]
    if players > 1:
        cards += [deal["start"], *(card for hand in deal["hands"] for card in hand)]
    assert sorted(cards) == sorted(CARDS)


@each_row("card", CARDS)
def test_1_1_halves_as_written(start: Start, card: str) -> None:
    """Each half of each card makes a row with a half of its colour, worth both their gems."""
    for half, square in ((0, (0, 1)), (2, (1, 1))):  # above the first, above the second
        colour, number = card[half], int(card[half + 1])
        for other in CARDS:
            if other == card or colour not in other:
                continue
            game = start("topas", ALONE, dealt(1, card, other))
            assert game.facts(None)["table"] == [[card, 0, 0, "E", None]]
            assert game.facts(None)["hand"] == [other]
            if other[0] == colour:
                game.play(notation(other, square, "N"))
                assert game.scores() == [number + int(other[1])]
            else:
                game.play(notation(other, walk(square, "N"), "S"))
                assert game.scores() == [number + int(other[3])]


ARMS = {"E": (1, 0), "W": (0, 0), "N": (0, 0), "S": (1, 0)}  # where an arm of a cross starts


def lay_out(game: Any, arms: Sequence[str]) -> None:
    """Lay the game to its end, each card stretched out at the tip of an arm, in turn.

    Each of `arms` is one heading, or two for a stair; the colours are made to meet if they can.
    Along such arms never more than two halves can stand in one row, so 3.2 never forbids it.
    """
    expert = False
    tips = {arm: ARMS[arm[0]] for arm in arms}
    cards_in = dict.fromkeys(arms, 0)
    turn = 0
    while not game.over:
        facts = assert_legal(game)
        if len(facts["table"]) == 1:  # the next column of a solitaire
            tips = {arm: ARMS[arm[0]] for arm in arms}
            cards_in = dict.fromkeys(arms, 0)
            turn = 0
        arm = arms[turn % len(arms)]
        heading = arm[cards_in[arm] % len(arm)]
        near, far = walk(tips[arm], heading), walk(tips[arm], heading, 2)
        halves = on_table(facts["table"])
        moves = [notation(card, near, heading) for card in facts["hand"]]
        moves += [notation(card, far, BACK[heading]) for card in facts["hand"]]
        assert set(moves) <= set(game.legal())
        best = max(moves, key=lambda move: scored(halves, move, expert))
        seat, before = game.seat, game.scores()
        column = len(facts["columns"])
        game.play(best)
        after = game.facts(None)
        if len(after["columns"]) == column:
            before[seat] += scored(halves, best, expert)
            assert game.scores() == before
            assert after["table"][-1] == [parts(best)[0], *parts(best)[1], parts(best)[2], seat]
        tips[arm] = far
        cards_in[arm] += 1
        turn += 1


@pytest.mark.parametrize("players", [1, *(pytest.param(players, marks=pytest.mark.slow) for players in (2, 3, 4))])
@each_row("heading", list("NESW"))
def test_1_2_one_long_straight_line(start: Start, heading: str, players: int) -> None:
    deal = dealt(players, "B1G2")
    game = start("topas", {"players": players, "expert": False}, deal)
    lay_out(game, [heading])
    halves = on_table(game.facts(None)["table"])
    end = walk(ARMS[heading], heading, 2 * 7 * players)
    assert end in halves
    assert walk(end, heading) not in halves
    if players == 4:
        far = {"N": (0, 56), "E": (57, 0), "S": (1, -56), "W": (-56, 0)}
        assert end == far[heading]


@pytest.mark.slow
@each_row(
    "arms",
    [
        *(("E", "W"), ("N", "S"), ("N", "E", "S", "W")),
        *(("EN",), ("ES",), ("WN",), ("WS",), ("NE",), ("SW",), ("EN", "WS")),
    ],
)
def test_1_2_crosses_and_stairs(start: Start, arms: tuple[str, ...]) -> None:
    game = start("topas", {"players": 4, "expert": False}, dealt(4, "R3Y1"))
    lay_out(game, arms)
    table = game.facts(None)["table"]
    assert game.scores() == table_points(table, 4, False)
    xs, ys = zip(*on_table(table), strict=True)
    if arms == ("E", "W"):
        assert (min(xs), max(xs), min(ys), max(ys)) == (-28, 29, 0, 0)
    if arms == ("N", "E", "S", "W"):
        assert (min(xs), max(xs), min(ys), max(ys)) == (-14, 15, -14, 14)
    if arms == ("EN",):
        assert (min(xs), max(xs), min(ys), max(ys)) == (0, 29, 0, 28)
    if arms == ("WS",):
        assert (min(xs), max(xs), min(ys), max(ys)) == (-28, 1, -28, 0)


@pytest.mark.parametrize("expert", [False, pytest.param(True, marks=pytest.mark.slow)])
@each_row("heading", list("NESW"))
def test_1_2_rows_and_their_limit_far_out(start: Start, heading: str, expert: bool) -> None:
    """After 24 cards in a line the row limit and the scores hold as they do at the start."""
    special = ["R3Y1", "R2Y3", "G1R3", "B1R2"]
    plain = [card for card in CARDS if card not in special and card != "B1G2"]
    cards = [*plain[:24], "R3Y1", "R2Y3", "G1R3", *plain[24:27], "B1R2", *plain[27:]]
    game = start("topas", {"players": 4, "expert": expert}, dealt(4, "B1G2", *cards))
    tip = ARMS[heading]
    for card in cards[:24]:
        near, far = walk(tip, heading), walk(tip, heading, 2)
        game.play(notation(card, near, heading))
        tip = far
    assert max(abs(tip[0]), abs(tip[1])) in (48, 49)

    game.play(notation("R3Y1", walk(tip, heading, 2), BACK[heading]))  # the ruby ends the line
    red = walk(tip, heading, 3)
    assert game.seat == 1
    game.play(notation("R2Y3", red, ASIDE[heading]))
    table = game.facts(None)["table"]
    assert game.scores()[1] - table_points(table[:-1], 4, expert)[1] == 5

    assert game.seat == 2
    assert {"G1R3", "B1R2"} <= set(game.facts(2)["hand"])
    beyond = walk(red, heading)
    eight = notation("G1R3", walk(beyond, heading), BACK[heading])
    assert_refused(game, eight)
    assert notation("G1R3", beyond, heading) in game.legal()
    assert_legal(game)
    before = game.scores()[2]
    game.play(notation("B1R2", walk(beyond, heading), BACK[heading]))
    assert game.scores()[2] == before + 7
    assert_legal(game)
    assert game.scores() == table_points(game.facts(None)["table"], 4, expert)


# --- 2 deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_1_three_cards_and_a_start(start: Start, players: int) -> None:
    deal = dealt(players, "G3Y1")
    game = start("topas", {"players": players, "expert": False}, deal)
    for viewer in range(players):
        facts = game.facts(viewer)
        assert facts["hand"] == sorted(deal["hands"][viewer])
        assert facts["hand_sizes"] == [3] * players
        assert facts["pile"] == 35 - 3 * players
        assert facts["table"] == [["G3Y1", 0, 0, "E", None]]
        assert (facts["phase"], facts["seat"], facts["over"]) == ("lay", 0, False)
        assert (facts["scores"], facts["winners"], facts["columns"]) == ([0] * players, [], [])
    assert game.facts(None)["hand"] is None


def test_2_1_first_half_at_the_origin_second_east_of_it(start: Start) -> None:
    game = start("topas", ALONE, dealt(1, "B3R1", "B2G1"))
    assert_refused(game, "B2G1@0,0W", "B2G1@1,0E", "B2G1@2,0W", "B2G1@-1,0E")
    game.play("B2G1@-1,0W")  # beside the sapphires at 0,0
    assert game.scores() == [5]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_1_the_product_deals_at_random(players: int) -> None:
    deals = []
    for seed in (1, 2, 3):
        record = bosquet.new("topas", players=players, seed=seed).record()
        deal = record["deal"]
        assert [len(hand) for hand in deal["hands"]] == [3] * players
        assert len(deal["pile"]) == 35 - 3 * players
        assert deal["start"] in CARDS
        deals.append(deal)
        assert bosquet.new("topas", players=players, seed=seed).record()["deal"] == deal
    assert deals[0] != deals[1] != deals[2] != deals[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_2_seat_0_starts_and_turns_go_round(start: Start, players: int) -> None:
    game = start("topas", {"players": players, "expert": False}, dealt(players, "B1G2"))
    for turn in range(7 * players):
        assert game.seat == turn % players
        game.play(min(game.legal()))
    assert game.seat is None


def test_2_2_the_product_starts_with_seat_0() -> None:
    for seed in range(5):
        assert bosquet.new("topas", players=3, seed=seed).seat == 0


# --- 3 turn


@each_row("card", ["B2G3", "R1Y2", "B3Y1"])
def test_3_1_first_placements(start: Start, card: str) -> None:
    """Sixteen dominoes of squares touch the first card, each filled in two ways."""
    game = start("topas", ALONE, dealt(1, "B1G2", card))
    assert len(game.legal()) == 32
    assert_legal(game)
    # either half may be the one that touches
    assert {f"{card}@2,0E", f"{card}@3,0W", f"{card}@1,1N", f"{card}@0,-2N"} <= set(game.legal())
    # a corner is no edge, away is away, a taken square is taken
    assert_refused(game, f"{card}@2,1E", f"{card}@-1,1N", f"{card}@3,0E", f"{card}@0,1S", f"{card}@2,0W")


def test_3_1_only_cards_of_the_hand(start: Start) -> None:
    game = start("topas", TWO, dealt(2, "B1G2"))
    hand = game.facts(0)["hand"]
    assert {parts(move)[0] for move in game.legal()} == set(hand)
    assert len(game.legal()) == 96
    assert_refused(game, *(f"{card}@2,0E" for card in CARDS if card not in hand))


def test_3_1_a_hole_may_be_filled(start: Start) -> None:
    """A free square shut in by four halves cannot be filled, two such squares can."""
    moves = ["B1R2@0,1N", "B1Y2@0,3E", "B2G1@2,3S", "B2R1@2,1S"]
    game = start("topas", ALONE, dealt(1, "G3Y2", "B1R2", "B1Y2", "B2G1", "B2R1", "B3R1"), moves)
    assert (1, 1) not in on_table(game.facts(None)["table"])
    assert {"B3R1@1,1N", "B3R1@1,2S"} <= set(game.legal())
    assert_legal(game)
    assert_refused(game, "B3R1@1,1E", "B3R1@1,1S", "B3R1@1,2N")


def ruby_column(*last: str) -> dict[str, Any]:
    """Deal five cards for a column of rubies at x = 0 and the cards to follow."""
    return dealt(1, "R1Y2", "R1Y3", "B2R1", "B3R1", "G2R1", *last)


RUBY_COLUMN = ["R1Y3@0,1E", "B2R1@-1,2E", "B3R1@-1,3E", "G2R1@1,4W"]


def test_3_2_seven_gems_are_the_most(start: Start) -> None:
    """A row of five single rubies takes two more gems at either end, not three."""
    game = start("topas", ALONE, ruby_column("G1R2"), RUBY_COLUMN)
    assert game.scores() == [2 + 5 + 3 + 4 + 5 + 5]
    assert {"G1R2@0,6S", "G1R2@0,-2N", "G1R2@1,5W", "G1R2@-1,-1E"} <= set(game.legal())
    assert_legal(game)
    game.play("G1R2@0,6S")
    assert game.scores() == [24 + 7]

    game = start("topas", ALONE, ruby_column("G1R3"), RUBY_COLUMN)
    assert_refused(game, "G1R3@0,6S", "G1R3@0,-2N", "G1R3@1,5W", "G1R3@-1,-1E")
    assert_legal(game)


def test_3_2_six_single_rubies(start: Start) -> None:
    """The longest row there can be of one number: all six single rubies; then none fits."""
    for last in ("G1R2", "R3Y1", "B1R2"):
        game = start("topas", ALONE, ruby_column("G3R1", last), [*RUBY_COLUMN, "G3R1@-1,5E"])
        assert game.scores() == [24 + 6]
        ruby = 0 if last[0] == "R" else 1
        for end in ((0, 6), (0, -1)):
            for heading in "NESW":
                first = end if ruby == 0 else walk(end, BACK[heading])
                assert notation(last, first, heading) not in game.legal()
        assert_legal(game)


def test_3_2_joining_two_rows(start: Start) -> None:
    """A half between two others counts them both."""
    joined = {"G2R1": True, "G1R2": False, "G1R3": False}
    for card, legal in joined.items():
        # rubies 3 at 0,0 and 3 at 0,2, a gap at 0,1
        deal = dealt(1, "R3Y1", "B1Y2", "R3Y2", card)
        game = start("topas", ALONE, deal, ["B1Y2@-1,0N", "R3Y2@0,2W"])
        move = f"{card}@1,1W"
        assert (move in game.legal()) == legal
        assert_legal(game)
        if legal:
            before = game.scores()[0]
            game.play(move)
            assert game.scores() == [before + 7]
        else:
            assert_refused(game, move)


def test_3_2_holds_along_both_axes_apart(start: Start) -> None:
    """A half may stand in a row of five and a row of six: only each row is limited."""
    # rubies 3 at 0,0 and 2 at 1,1; ruby 3 to come at 0,1
    deal = dealt(1, "R3Y1", "R2Y3", "G1R3")
    game = start("topas", ALONE, deal, ["R2Y3@1,1N"])
    assert game.scores() == [0]
    game.play("G1R3@-1,1E")
    assert game.scores() == [5 + 6]

    # the same along x: rubies 3, 2, then 3 more would be eight
    game = start("topas", ALONE, dealt(1, "R3Y1", "R2Y3", "G1R3"), ["R2Y3@-1,0N"])
    assert game.scores() == [5]
    assert_refused(game, "G1R3@-3,0E", "G1R3@-2,1S", "G1R3@-2,-1N")
    assert_legal(game)


def test_3_3_four_rows_at_most(start: Start) -> None:
    """Two rows through either half."""
    cards = ["R2Y1", "G1R3", "B1Y2", "B3R1"]
    moves = ["R2Y1@-1,0W", "G1R3@-3,1E", "B1Y2@1,1E", "B3R1@0,1W"]
    for options, points in zip(variants(1), (4 + 3 + 4 + 4, 4 * 3 * 4 * 4), strict=True):
        game = start("topas", options, dealt(1, "B1G2", *cards), moves[:-1])
        assert game.scores() == [0]
        game.play(moves[-1])
        assert game.scores() == [points]


def test_3_3_one_half_alone_is_no_row(start: Start) -> None:
    for card in ("R1Y2", "R3Y2", "R3Y1"):
        for options in variants(1):
            game = start("topas", options, dealt(1, "B1G2", card))
            game.play(f"{card}@2,0E")
            assert game.scores() == [0]


def test_3_3_only_rows_of_the_card_just_laid(start: Start) -> None:
    """A row scores again when it grows, whole; it does not when the card lies elsewhere."""
    game = start("topas", TWO, dealt(2, "R3Y1", "R1Y2", "B1G2", "G2R1", "B1G3", "G1R2"))
    game.play("R1Y2@0,1W")
    assert game.scores() == [4, 0]
    game.play("B1G2@2,0E")  # touches Y1 only
    assert game.scores() == [4, 0]
    game.play("G2R1@1,2W")  # ruby 3, 1, 1
    assert game.scores() == [4 + 5, 0]
    game.play("B1G3@-1,0S")  # touches ruby 3 and topaz 2, no colour of its own
    assert game.scores() == [9, 0]
    game.play("G1R2@0,4S")  # ruby 3, 1, 1, 2
    assert game.scores() == [9 + 7, 0]


def test_3_3_a_row_is_straight(start: Start) -> None:
    """Halves of one colour round a corner or corner to corner are not one row."""
    game = start("topas", ALONE, dealt(1, "R3Y1", "R1Y2", "G2R1"), ["R1Y2@0,1N"])
    assert game.scores() == [4]
    game.play("G2R1@2,1W")  # ruby 1 at 1,1: a row of two with 0,1, none with 0,0
    assert game.scores() == [4 + 2]


def test_3_4_sum_and_product(start: Start) -> None:
    """Two cards side by side, colour by colour: rows of 4 and 5."""
    for options, points in zip(variants(1), (9, 20), strict=True):
        game = start("topas", options, dealt(1, "B1G3", "B3G2"), ["B3G2@0,-1E"])
        assert game.scores() == [points]


def test_3_4_one_row_scores_its_value_none_scores_nothing(start: Start) -> None:
    for options in variants(2):
        game = start("topas", options, dealt(2, "B1G2", "B3R1", "R3Y1"))
        game.play("B3R1@0,1N")
        assert game.scores() == [4, 0]
        game.play("R3Y1@2,0E")
        assert game.scores() == [4, 0]


def test_3_4_expert_points_of_turns_are_added(start: Start) -> None:
    game = start("topas", ALONE | {"expert": True}, dealt(1, "B1G2", "B3G1", "B2G3"))
    game.play("B3G1@0,1E")
    assert game.scores() == [12]
    game.play("B2G3@0,2E")  # sapphires 1, 3, 2; emeralds 2, 1, 3
    assert game.scores() == [12 + 36]


def test_3_4_expert_may_be_missing(start: Start) -> None:
    game = start("topas", {"players": 1}, dealt(1, "B1G2", "B3G1"), ["B3G1@0,1E"])
    assert game.scores() == [7]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_3_5_draw_until_the_pile_is_empty(start: Start, players: int) -> None:
    deal = dealt(players, "B1G2")
    game = start("topas", {"players": players, "expert": False}, deal)
    hands = [sorted(hand) for hand in deal["hands"]]
    pile = list(deal["pile"])
    for turn in range(7 * players):
        seat = turn % players
        move = game.legal()[0]
        hands[seat].remove(parts(move)[0])
        game.play(move)
        if pile:
            hands[seat] = sorted([*hands[seat], pile.pop(0)])
        for viewer in range(players):
            facts = game.facts(viewer)
            assert facts["hand"] == hands[viewer]
            assert facts["hand_sizes"] == [len(hand) for hand in hands]
            assert facts["pile"] == len(pile)
    left = {2: ([3, 3], 15), 3: ([3, 3, 3], 5), 4: ([2, 2, 2, 1], 0)}
    assert (game.facts(None)["hand_sizes"], game.facts(None)["pile"]) == left[players]


def play_through(game: Any, choices: Sequence[int], look: Callable[[Any], None]) -> None:
    """Play a game to its end; an odd choice plays any move, an even one the richest of a few."""
    for choice in choices:
        if game.over:
            break
        look(game)
        legal = sorted(game.legal())
        if choice % 2:
            move = legal[choice // 2 % len(legal)]
        else:
            halves = on_table(game.facts(game.seat)["table"])
            every = len(legal) // 20 + 1
            few = legal[choice // 2 % every :: every]
            points = [scored(halves, move, False) for move in few]
            move = few[points.index(max(points))]
        game.play(move)
    assert game.over


def assert_outside(game: Any) -> None:
    """Prove 3.6 where the game stands.

    Beyond the half that lies farthest in some heading, a card stretched out in that heading
    touches this half alone. If a half of the card has its colour and the row is too full, turn
    the card about: its other half has another colour.
    """
    facts = game.facts(game.seat)
    halves = on_table(facts["table"])
    legal = set(game.legal())
    for heading, (across, up) in STEPS.items():
        tip = max(halves, key=lambda at: (at[0] * across + at[1] * up, at))
        near, far = walk(tip, heading), walk(tip, heading, 2)
        for card in facts["hand"]:
            stretched = {notation(card, near, heading), notation(card, far, BACK[heading])}
            assert stretched & legal


CHOICES = st.lists(st.integers(0, 9999), min_size=28, max_size=28)
CAREFUL = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.slow
@CAREFUL
@given(players=st.integers(1, 4), deck=st.permutations(CARDS), choices=CHOICES)
def test_3_6_there_is_always_a_legal_placement(start: Start, players: int, deck: list[str], choices: list[int]) -> None:
    game = start("topas", {"players": players, "expert": False}, dealt(players, *deck))
    play_through(game, choices, assert_outside)


@pytest.mark.slow
@CAREFUL
@given(players=st.integers(1, 4), deck=st.permutations(CARDS), choices=CHOICES)
def test_3_1_to_3_4_hold_in_every_game(start: Start, players: int, deck: list[str], choices: list[int]) -> None:
    """Legal moves, the row limit and the points, all counted again from the whole table."""
    for expert in (False, True):
        game = start("topas", {"players": players, "expert": expert}, dealt(players, *deck))

        def look(game: Any, expert: bool = expert) -> None:
            assert_legal(game)
            table = game.facts(None)["table"]
            halves = on_table(table)
            assert all(gems(halves, row) <= 7 for row in rows(halves))
            assert game.scores() == table_points(table, players, expert)

        play_through(game, choices, look)


def test_3_7_square_of_the_first_half_heading_of_the_second(start: Start) -> None:
    deal = dealt(2, "R3Y1", "R1Y2", "G1Y3", "B1G2")
    moves = ["R1Y2@1,-1E", "G1Y3@-1,0W"]
    for heading, second in {"N": (3, 0), "E": (4, -1), "S": (3, -2)}.items():
        game = start("topas", TWO, deal, [*moves, f"B1G2@3,-1{heading}"])
        table = game.facts(None)["table"]
        assert table[1:] == [
            ["R1Y2", 1, -1, "E", 0],
            ["G1Y3", -1, 0, "W", 1],
            ["B1G2", 3, -1, heading, 0],
        ]
        halves = on_table(table)
        assert halves[(3, -1)] == ("B", 1)
        assert halves[second] == ("G", 2)
        other = start("topas", TWO, deal, moves)
        assert f"B1G2@3,-1{heading}" in other.legal()
        assert_refused(other, "B1G2@3,-1W")  # 2,-1 is taken


def test_3_7_notation_is_exact(start: Start) -> None:
    game = start("topas", ALONE, dealt(1, "R3Y1", "B1G2"))
    assert {"B1G2@0,1N", "B1G2@-1,0N", "B1G2@2,0N"} <= set(game.legal())
    assert_refused(
        game,
        *("", "B1G2", "pass", "B1G2@", "@0,1N", "B1G2@0,1", "B1G2@0,1n", "b1g2@0,1N"),
        *("G2B1@0,1N", "B1G2@+0,1N", "B1G2@-0,1N", "B1G2@0,+1N", "B1G2@0,01N", "B1G2@00,1N"),
        *(" B1G2@0,1N", "B1G2@0,1N ", "B1G2 @0,1N", "B1G2@0, 1N", "B1G2@(0,1)N", "B1G2@0;1N"),
        *("B1G2@2,-0N", "B1G2@0,1NE", "B1G2@0,1X", "B1G2@0.0,1N", "B1G2@0,1N\n", "B1G2@0,1,0N"),
        *("B1G1@0,1N", "B1B2@0,1N", "B4G2@0,1N", "B1G2@1_0,1N", "B1G2@\u0660,1N"),
        *("B1G2@99999999999999999999,1N", "B1G2@0,-99999999999999999999N", "B1G2@1000,1000N"),
    )


# --- 4 end

TIE_OF_TWO = """
    B2G1@0,1N B1G3@0,3W B1R2@-1,1S B2G3@-2,2N B1G2@1,-2N B1R3@1,1N B3G1@2,-2N
    B3G2@3,0S B2R1@3,-2S B2R3@4,1S B3R1@4,2N B3R2@2,0N B2Y1@-1,-2E B3Y2@5,1S
"""
TIE_BEFORE_ONE = """
    B2G3@3,0W B1G3@4,1W B2R1@2,2E B1G2@5,0W B3R1@6,1S B3R2@6,2W B1R2@7,3W
    B1R3@5,-1S B3G2@5,3N B2R3@0,1W B3Y1@0,2E B2Y1@5,-3W B2Y3@4,-5N B3G1@2,-2N
    B3Y2@4,-6W G1R2@4,3N G1R3@0,-1W B2G1@3,5S G2R3@-2,1W B1Y3@-4,2E G2Y1@6,-1S
"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_4_1_seven_turns_each(start: Start, players: int) -> None:
    for options in variants(players):
        game = start("topas", options, dealt(players, "R3Y1"))
        for _ in range(7 * players):
            assert not game.over
            assert game.result() is None
            assert game.facts(None)["winners"] == []
            game.play(max(game.legal()))
        assert game.over
        assert game.seat is None
        assert game.legal() == []
        facts = game.facts(None)
        assert (facts["phase"], facts["seat"], facts["over"]) == ("over", None, True)
        scores = table_points(facts["table"], players, options["expert"])
        winners = [seat for seat in range(players) if scores[seat] == max(scores)]
        assert facts["scores"] == game.scores() == scores
        assert facts["winners"] == winners
        result = game.result()
        assert (result["scores"], result["winners"]) == (scores, winners)
        with pytest.raises(ValueError):
            game.play(f"{facts['table'][-1][0]}@100,100N")


@pytest.mark.parametrize(
    ("moves", "scores", "winners"),
    [(TIE_OF_TWO, [26, 26], [0, 1]), (TIE_BEFORE_ONE, [4, 11, 11], [1, 2])],
)
def test_4_1_a_tie_is_shared(start: Start, moves: str, scores: list[int], winners: list[int]) -> None:
    players = len(scores)
    game = start("topas", {"players": players}, dealt(players, "R3Y1"), moves.split())
    assert game.over
    assert game.scores() == table_points(game.facts(None)["table"], players, False) == scores
    assert game.facts(None)["winners"] == winners
    assert (game.result()["scores"], game.result()["winners"]) == (scores, winners)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_4_1_nobody_scores_everybody_wins(start: Start, players: int) -> None:
    game = start("topas", {"players": players, "expert": True}, dealt(players, "B1G2"))
    tip = (1, 0)
    while not game.over:
        card = game.facts(game.seat)["hand"][0]
        colour = on_table(game.facts(None)["table"])[tip][0]
        near, far = walk(tip, "E"), walk(tip, "E", 2)
        same = card[0] == colour
        game.play(notation(card, far, "W") if same else notation(card, near, "E"))
        tip = far
    result = game.result()
    assert result["scores"] == [0] * players
    assert result["winners"] == list(range(players))


def test_4_2_points_are_open(start: Start) -> None:
    game = start("topas", {"players": 3}, dealt(3, "R3Y1"))
    while not game.over:
        game.play(game.legal()[len(game.legal()) // 2])
        views = [game.facts(viewer) for viewer in (None, 0, 1, 2)]
        for view in views:
            assert view["scores"] == game.scores() == table_points(view["table"], 3, False)


def test_4_2_hands_and_pile_stay_hidden(start: Start) -> None:
    """Deals that differ in what a viewer cannot see look alike to it."""
    deal = dealt(3, "R3Y1")
    other = dealt(3, "R3Y1")
    other["hands"][1], other["hands"][2] = other["hands"][2], other["hands"][1]
    other["pile"].reverse()
    one, two = start("topas", {"players": 3}, deal), start("topas", {"players": 3}, other)
    assert one.facts(0) == two.facts(0)
    assert one.facts(None) == two.facts(None)
    assert one.facts(1) != two.facts(1)
    assert sorted(one.legal()) == sorted(two.legal())


def test_4_2_a_copy_goes_its_own_way(start: Start) -> None:
    game = start("topas", TWO, dealt(2, "R3Y1", "R1Y2", "B1G2"))
    before = [game.facts(viewer) for viewer in (None, 0, 1)]
    twin = game.copy()
    assert [twin.facts(viewer) for viewer in (None, 0, 1)] == before
    twin.play("R1Y2@0,1W")
    assert twin.scores() == [4, 0]
    assert [game.facts(viewer) for viewer in (None, 0, 1)] == before
    game.play("R1Y2@2,0E")
    assert (game.scores(), twin.scores()) == ([0, 0], [4, 0])


# --- 5 solitaire


def test_5_1_four_columns_of_seven_cards(start: Start) -> None:
    for options in variants(1):
        deal = dealt(1, *reversed(CARDS))
        pile = deal["pile"]
        game = start("topas", options, deal)
        columns: list[int] = []
        for column in range(4):
            table: list[list[Any]] = [[pile[8 * column], 0, 0, "E", None]]
            for turn in range(7):
                drawn = pile[8 * column + 1 + turn]
                for viewer in (0, None):
                    facts = game.facts(viewer)
                    assert facts["table"] == table
                    assert facts["hand"] == [drawn]
                    assert facts["hand_sizes"] == [1]
                    assert facts["pile"] == 36 - (8 * column + 2 + turn)
                    assert facts["columns"] == columns
                    assert facts["scores"] == game.scores()
                    assert (facts["phase"], facts["seat"]) == ("lay", 0)
                assert game.scores() == table_points(table, 1, options["expert"])
                assert game.result() is None
                assert_legal(game)
                halves = on_table(table)
                expert = options["expert"]
                value = {m: scored(halves, m, expert) for m in sorted(game.legal())}
                move = max(value, key=lambda m: value[m])
                card, square, heading = parts(move)
                assert card == drawn
                table.append([card, *square, heading, 0])
                game.play(move)
            columns.append(table_points(table, 1, options["expert"])[0])
        facts = game.facts(None)
        assert game.over
        assert game.seat is None
        assert game.legal() == []
        assert facts["table"] == table
        assert facts["columns"] == columns
        assert (facts["hand"], facts["hand_sizes"], facts["pile"]) == ([], [0], 4)
        assert facts["phase"] == "over"
        assert game.scores() == facts["scores"] == [min(columns)]
        assert facts["winners"] == [0]
        result = game.result()
        assert (result["scores"], result["winners"]) == ([min(columns)], [0])
        assert result["columns"] == columns


def test_5_1_a_column_starts_at_nothing(start: Start) -> None:
    """After the seventh card the table is cleared and the points start again."""
    game = start("topas", ALONE, dealt(1, "B1G2", "B3G1"), ["B3G1@0,1E"])
    for _ in range(6):
        assert game.scores()[0] >= 7
        game.play(min(game.legal()))
    assert game.scores() == [0]
    facts = game.facts(None)
    assert len(facts["table"]) == 1
    assert len(facts["columns"]) == 1
    assert facts["columns"][0] >= 7
    assert len(game.legal()) == 32


def test_5_1_the_product_deals_one_pile() -> None:
    game = bosquet.new("topas", players=1, seed=5)
    assert set(game.record()["deal"]) == {"pile"}
    assert sorted(game.record()["deal"]["pile"]) == sorted(CARDS)


@each_row("poor", [0, 1, 2, 3])
@pytest.mark.parametrize("expert", [False, True])
def test_5_2_the_lowest_column_is_the_result(start: Start, poor: int, expert: bool) -> None:
    """Lay three columns greedily and one, `poor`, in a line without any row."""
    game = start("topas", {"players": 1, "expert": expert}, dealt(1, *CARDS[::5], *CARDS[1::5]))
    while not game.over:
        facts = game.facts(0)
        halves = on_table(facts["table"])
        value = {move: scored(halves, move, expert) for move in sorted(game.legal())}
        if len(facts["columns"]) == poor:
            game.play(min(value, key=lambda move: value[move]))
        else:
            game.play(max(value, key=lambda move: value[move]))
    result = game.result()
    assert len(result["columns"]) == 4
    assert result["columns"][poor] == 0
    assert all(c > 0 for column, c in enumerate(result["columns"]) if column != poor)
    assert result["scores"] == [0]


# --- 6 examples


def test_6_1_the_printed_rounds(start: Start) -> None:
    moves = [*ROUND[1:], *SECOND_ROUND]
    points = {False: [5, 9, 11, 7, 9, 11, 12, 11], True: [5, 18, 48, 7, 20, 28, 35, 30]}
    for options in variants(4):
        game = start("topas", options, dealt(4, *(parts(move)[0] for move in (*ROUND, *SECOND_ROUND))))
        found = []
        for move in moves:
            seat, before = game.seat, game.scores()
            game.play(move)
            found.append(game.scores()[seat] - before[seat])
        assert found == points[options["expert"]]
        if not options["expert"]:
            assert game.scores() == [14, 20, 23, 18]


def test_6_2_red_and_yellow_beside_seven_yellow(start: Start) -> None:
    for options in variants(2):
        cards = ["R2Y3", "R3Y1", "R1Y2"]
        game = start("topas", options, dealt(2, "G1Y3", *cards), ["R2Y3@2,1S", "R3Y1@3,1S"])
        assert_refused(game, "R1Y2@4,1S")  # its ruby would make a row of six
        assert "R1Y2@4,1E" in game.legal()
        assert_legal(game)


def example(start: Start, first: str, moves: Sequence[str]) -> list[tuple[int, int]]:
    """Lay the moves alone and in twos, plain and expert; return the last turn's points of each."""
    cards = [parts(move)[0] for move in moves]
    found = []
    for players in (1, 2):
        points = []
        for options in variants(players):
            game = start("topas", options, dealt(players, first, *cards), moves[:-1])
            seat, before = game.seat, game.scores()
            game.play(moves[-1])
            points.append(game.scores()[seat] - before[seat])
        found.append((points[0], points[1]))
    return found


def test_3_4_rows_of_6_and_3(start: Start) -> None:
    moves = ["R3Y1@-1,0W", "B1R3@0,1W"]
    assert example(start, "B2G1", moves) == [(9, 18)] * 2


def test_3_4_rows_of_4_3_and_4(start: Start) -> None:
    moves = ["R2Y1@-1,0W", "G1R3@-3,1E", "B3R1@0,1W"]
    assert example(start, "B1G2", moves) == [(11, 48)] * 2


def test_3_4_one_row_of_7(start: Start) -> None:
    moves = ["R1Y2@0,1W", "G1R3@1,2W"]
    assert example(start, "R3Y1", moves) == [(7, 7)] * 2


def test_6_2_no_row_of_eight_even_if_the_other_half_scores(start: Start) -> None:
    cards = ["R2Y3", "B1G2", "G1R3", "B1G3", "G1R2"]  # G1R3 and G1R2 are in one hand
    for options in variants(2):
        game = start("topas", options, dealt(2, "R3Y1", *cards), ["R2Y3@0,1W", "B1G2@2,1W"])
        assert game.scores() == [5, 0]
        assert_refused(game, "G1R3@1,2W")  # rubies 3, 2, 3; emeralds 2, 1
        assert "G1R3@0,2E" in game.legal()  # turned about
        assert_legal(game)
        game.play("G1R2@1,2W")  # rubies 3, 2, 2; emeralds 2, 1
        assert game.scores() == [5 + (21 if options["expert"] else 10), 0]
