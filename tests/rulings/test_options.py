"""The newer options and the box file, on the plain oracles and the product: tests have the number of their ruling.

Positions come about through real turns as in `tests/rulings/test_schlossgarten.py`: every card shows gardener, king and
architect in a row, as the pawns stand at the start, unless a test says otherwise.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import bosquet
from bosquet.games.schlossgarten.box import house_box
from bosquet.games.schlossgarten.constellations import house_rows
from tests.differential.helpers.variety import OPTIONS, another_box, chosen, kinds
from tests.helpers.placed import product_at
from tests.helpers.product import product_game
from tests.plain import plain_game
from tests.rulings.helpers import topiary
from tests.rulings.helpers.schlossgarten import CELLS, CORNER, builds_of, deal_of, go, moves_of, placed, refused

MAKERS = [plain_game, product_game]

Deal = dict[str, Any]
Start = Callable[..., Any]
EACH = {"work": "each"}
ELEMENTS = {"overbuild": "elements"}
BORDERING = {"overbuild": "bordering"}


@pytest.fixture(params=MAKERS)
def start(request: pytest.FixtureRequest) -> Start:
    """Start a game of Schlossgarten with options and go on to its first turns."""

    def begin(options: dict[str, str], *turns: str, players: int = 2, box: Deal | None = None, **more: Any) -> Any:
        deal = {**deal_of(players, **more), **(box or {})}
        table = request.param("schlossgarten", {"players": players, **options}, deal)
        go(table, *turns)
        return table

    return begin


def elements(table: Any) -> list[Any]:
    return list(table.facts(None)["elements"])


# ---------------------------------------------------------------------------------- 4.2 work


@pytest.mark.parametrize("options", [{}, {"work": "one"}], ids=["missing", "named"])
def test_4_2_one_is_the_default(start: Start, options: dict[str, str]) -> None:
    table = start(options, "stop, G dig d2")
    assert set(table.legal()) == {"G build 1 d2", "end"}


def test_4_2_each_the_one_digs_the_other_builds(start: Start) -> None:
    table = start(EACH, "stop, G dig d2", values={"d2": 3})
    facts = table.facts(None)
    assert (facts["phase"], facts["worker"], facts["seat"]) == ("build", "G", 0)
    assert set(table.legal()) == {"G build 1 d2", "A build 1 d2", "end"}
    go(table, "A build 1 d2")
    assert elements(table) == [[0, "A", 1, ["d2"]]]
    assert table.facts(None)["kept"] == [["d2"], []]
    assert table.scores() == [3 + 1, 0]
    assert table.seat == 1  # a build ends the turn
    table = start(EACH, "stop, A dig d2, G build 1 d2")
    assert elements(table) == [[0, "G", 1, ["d2"]]]


def test_4_2_each_one_subject_may_do_both(start: Start) -> None:
    table = start(EACH, "stop, G dig d2, G build 1 d2")
    assert elements(table) == [[0, "G", 1, ["d2"]]]
    assert table.seat == 1


def test_4_2_each_at_most_one_dig(start: Start) -> None:
    table = start(EACH, "stop, G dig d2")
    assert refused(table, "A dig e2")
    assert refused(table, "G dig c2")


def test_4_2_each_digging_comes_first_and_one_build_ends_the_turn(start: Start) -> None:
    table = start(EACH, "stop, G dig d2, end", "rest", "stop")
    assert builds_of(table, "G") == builds_of(table, "A") == {"1 d2"}
    go(table, "A build 1 d2")
    assert table.seat == 1
    assert table.facts(None)["phase"] == "card"


def test_4_2_each_either_may_be_left_out(start: Start) -> None:
    table = start(EACH, "stop")
    assert set(table.legal()) == {
        "G dig b1", "G dig b2", "G dig c2", "G dig d2",
        "A dig d2", "A dig e2", "A dig f2", "A dig f1",
        "end",
    }  # fmt: skip
    go(table, "end")
    assert table.seat == 1
    go(table, "rest", "stop, A dig d2, end")
    assert table.seat == 1
    assert elements(table) == []
    assert table.facts(None)["excavations"] == ["d2"]


def test_4_2_each_builds_its_own_kind_from_its_own_cell(start: Start) -> None:
    table = start(EACH, "stop, G dig b1")
    assert set(table.legal()) == {"G build 1 b1", "end"}  # too far for the architect on e1
    go(table, "G build 1 b1", "rest", "stop, G dig d2")
    assert set(table.legal()) == {"A build 1 d2", "end"}  # the hedge is out, the fountain is not


def test_4_2_each_the_builder_may_use_an_older_excavation(start: Start) -> None:
    table = start(EACH, "stop, A dig f2, end", "rest", "stop, G dig b1, A build 1 f2")
    assert table.facts(None)["excavations"] == ["b1"]
    assert elements(table) == [[0, "A", 1, ["f2"]]]


def test_4_2_each_only_own_subjects_of_a_standing_figure(start: Start) -> None:
    # West's architect on e1 stands in the figure, the own one on e2 does not.
    table = start(EACH, "A e2, stop", "A b2, A c2, A d2, A e1, stop", "rest", "stop", players=3)
    assert moves_of(table, "A") == set()
    go(table, "G dig d2")  # a neighbour of e2, too
    assert set(table.legal()) == {"G build 1 d2", "end"}
    assert refused(table, "A build 1 d2")


TWO_FIGURES = [  # South: king d2, gardener c2, architect d1; with west's architect d3 and north's gardener e2
    "K d2, G c2, A d1, stop",
    "A b3, A c3, A d3, stop",
    "G e6, G e5, G e4, G e3, G e2, stop",
    "card 1, stop",
]


def test_4_2_two_figures_with_one_only_the_digger_builds(start: Start) -> None:
    table = start({}, *TWO_FIGURES, "A dig c1", players=3, special=CORNER)
    assert set(table.legal()) == {"A build 1 c1", "end"}


def test_4_2_two_figures_with_each_the_subjects_of_both_are_offered(start: Start) -> None:
    table = start(EACH, *TWO_FIGURES, players=3, special=CORNER)
    assert moves_of(table, "G") == {"dig b1", "dig b2", "dig b3", "dig c1", "dig c3"}
    assert moves_of(table, "A") == {"dig c1", "dig e1"}
    go(table, "A dig c1")
    assert set(table.legal()) == {"A build 1 c1", "G build 1 c1", "end"}


def test_4_2_each_ends_without_a_figure_as_ever(start: Start) -> None:
    table = start(EACH, "K d2, stop")
    assert table.seat == 1


def test_4_2_each_begins_anew_every_turn(start: Start) -> None:
    table = start(EACH, "stop, G dig c2, end", "stop")
    assert set(moves_of(table, "G")) == {"dig d6", "dig e6", "dig f6", "dig f7"}
    go(table, "A dig d6")
    assert set(table.legal()) == {"A build 1 d6", "G build 1 d6", "end"}


# ---------------------------------------------------------------------------------- 4.4 overbuild

HEDGE_AND_FOUNTAIN = ["stop, G dig c2, G build 1 c2", "rest", "stop, A dig d2, A build 1 d2", "rest"]
LONG_HEDGE = ["stop, G dig b1, end", "rest", "stop, G dig b2, G build 2 b1 b2", "rest"]


@pytest.mark.parametrize("options", [{}, {"overbuild": "site"}], ids=["missing", "named"])
def test_4_4_site_is_the_default(start: Start, options: dict[str, str]) -> None:
    table = start(options, *HEDGE_AND_FOUNTAIN, "stop")
    assert builds_of(table, "G") == builds_of(table, "A") == set()


def test_4_4_elements_alone_make_a_site(start: Start) -> None:
    table = start(ELEMENTS, *HEDGE_AND_FOUNTAIN, "stop", values={"c2": 3, "d2": 2})
    assert builds_of(table, "G") == builds_of(table, "A") == {"2 c2 d2"}
    assert table.scores() == [3 + 1 + 2 + 1, 0]
    go(table, "G build 2 c2 d2")
    assert elements(table) == [[0, "G", 2, ["c2", "d2"]]]
    assert table.facts(None)["kept"] == [["c2", "d2"], []]  # 4.5 no tile more
    assert table.scores() == [3 + 2 + 2, 0]  # 4.6 the points of hedge and fountain are lost
    go(table, "rest", "stop, G dig b1")
    assert builds_of(table, "G") == {"1 b1"}  # 4.5 the hedge is back
    go(table, "end", "rest", "stop, A dig f1")
    assert builds_of(table, "A") == {"1 f1"}  # so is the fountain


def test_4_4_elements_of_different_sizes_alone(start: Start) -> None:
    turns = [*LONG_HEDGE, "stop, G dig c2, G build 1 c2", "rest", "stop"]
    assert builds_of(start({}, *turns), "G") == set()
    table = start(ELEMENTS, *turns)
    assert builds_of(table, "G") == {"3 b1 b2 c2"}
    go(table, "G build 3 b1 b2 c2")
    assert elements(table) == [[0, "G", 3, ["b1", "b2", "c2"]]]


def test_4_4_elements_of_anybody_alone(start: Start) -> None:
    turns = ["stop, G dig b2, G build 1 b2", "stop, A dig a2, A build 1 a2", "rest"]
    table = start(ELEMENTS, *turns, "stop", players=3, values={"a2": 2, "b2": 3})
    assert builds_of(table, "G") == {"2 a2 b2"}
    go(table, "end", "stop")
    assert builds_of(table, "A") == {"2 a2 b2"}
    go(table, "A build 2 a2 b2")
    assert elements(table) == [[1, "A", 2, ["a2", "b2"]]]
    assert table.facts(None)["kept"] == [["b2"], ["a2"], []]
    assert table.scores() == [3, 2 + 2, 0]


def test_4_4_elements_and_excavations_together_as_with_site(start: Start) -> None:
    table = start(ELEMENTS, "stop, G dig c2, G build 1 c2", "rest", "stop, G dig b2")
    assert builds_of(table, "G") == {"2 b2 c2"}
    go(table, "G build 2 b2 c2")
    assert table.facts(None)["kept"] == [["b2", "c2"], []]


@pytest.mark.parametrize("options", [{}, ELEMENTS, BORDERING], ids=["site", "elements", "bordering"])
def test_4_4_one_of_the_same_size_is_never_exchanged(start: Start, options: dict[str, str]) -> None:
    table = start(options, "stop, G dig d2, G build 1 d2", "rest", "stop")
    assert builds_of(table, "A") == set()  # the fountain over the hedge
    table = start(options, "stop, G dig c2, end", "rest", "stop, G dig d2, G build 2 c2 d2", "rest", "stop")
    assert builds_of(table, "A") == set()  # the pool over the long hedge


@pytest.mark.parametrize("options", [{}, ELEMENTS, BORDERING], ids=["site", "elements", "bordering"])
def test_4_4_a_smaller_element_never_covers_a_larger_one(start: Start, options: dict[str, str]) -> None:
    table = start(options, *LONG_HEDGE, "stop")
    assert builds_of(table, "G") == set()


def test_4_4_elements_lie_wholly_inside_the_site(start: Start) -> None:
    turns = ["stop, G dig b2, end", "rest", "stop, G dig c2, G build 2 b2 c2", "rest",
             "stop, A dig d2, A build 1 d2", "rest", "stop"]  # fmt: skip
    table = start(ELEMENTS, *turns)
    assert builds_of(table, "G") == builds_of(table, "A") == set()  # not 2 c2 d2; b2 c2 d2 are no L


def test_4_4_elements_never_tiles_value_up(start: Start) -> None:
    table = start(ELEMENTS, "stop, G dig c2, G build 1 c2", "rest", "stop")
    assert builds_of(table, "G") == builds_of(table, "A") == set()


def test_4_4_elements_alone_only_beside_the_worker(start: Start) -> None:
    table = start(ELEMENTS, *LONG_HEDGE, "stop, G dig c2, G build 1 c2", "rest", "stop")
    assert builds_of(table, "A") == set()  # from e1, b1 b2 c2 are too far
    assert builds_of(table, "G") == {"3 b1 b2 c2"}


def test_4_4_elements_alone_without_a_pawn_on_them(start: Start) -> None:
    table = start(ELEMENTS, *HEDGE_AND_FOUNTAIN, "K c2, G b2, A d2, stop")
    assert table.facts(None)["phase"] == "work"
    assert builds_of(table, "G") == builds_of(table, "A") == set()


def test_4_4_an_element_on_the_board_is_not_built_over_elements_again(start: Start) -> None:
    table = start(ELEMENTS, *LONG_HEDGE, *HEDGE_AND_FOUNTAIN, "stop")
    assert builds_of(table, "G") == {"3 b1 b2 c2"}  # the long hedge lies on b1 b2
    assert builds_of(table, "A") == {"2 c2 d2"}


@pytest.mark.parametrize(
    ("dug", "own", "others", "allowed"),
    [
        ("b2", "G1:b1", "A1:c2", True),  # the corner of the L borders both arms
        ("b1", "G1:b2", "A1:c2", False),  # c2 borders b2 alone, which is no excavation
        ("c2", "G1:b2", "A1:b1", False),
        ("b1", "", "A2:b2:c2", True),  # of a long element one cell is enough
        ("c2", "", "A2:b1:b2", True),
        ("b1.b2", "", "A1:c2", True),
        ("b1.c2", "", "A1:b2", True),
        ("b1.b2.c2", "", "", True),
        ("b1.a2.a1.c1", "G1:b2", "A1:c2", False),  # excavations beside the site do not count
    ],
)
@pytest.mark.parametrize("options", [{}, {"overbuild": "site"}, ELEMENTS, BORDERING], ids=str)
def test_4_4_bordering_each_element_built_over_borders_an_excavation_of_the_site(
    at: Callable[[str], Any], options: dict[str, str], dug: str, own: str, others: str, allowed: bool
) -> None:
    fields: dict[str, Any] = {"dug": dug, **options}
    if "c1" in dug:
        fields |= {"pawns": "d1.c3.e1,d7.e7.c7", "deck": ",".join(["G__:___:_KA"] * 32)}
    table = placed(at, own, others, **fields)
    go(table, "stop")
    assert ("3 b1 b2 c2" in builds_of(table, "G")) == (allowed or options != BORDERING)


def test_4_4_bordering_counts_the_tile_that_is_dug_in_this_turn(at: Callable[[str], Any]) -> None:
    table = placed(at, "G1:b1", "A1:c2", overbuild="bordering")
    go(table, "stop")
    assert builds_of(table, "G") == set()
    go(table, "G dig b2")
    assert builds_of(table, "G") == {"2 b1 b2", "2 b2 c2", "3 b1 b2 c2"}
    go(table, "G build 3 b1 b2 c2")
    assert elements(table) == [[0, "G", 3, ["b1", "b2", "c2"]]]


def test_4_4_bordering_the_reason_names_the_excavation() -> None:
    table = placed(product_at, "G1:b2", "A1:c2", dug="b1", overbuild="bordering")
    go(table, "stop")
    with pytest.raises(bosquet.BosquetError, match="beside an excavation of the site"):
        table.play("G build 3 b1 b2 c2")


def test_4_4_bordering_needs_an_excavation(start: Start) -> None:
    table = start(BORDERING, *HEDGE_AND_FOUNTAIN, "stop")
    assert builds_of(table, "G") == builds_of(table, "A") == set()


def test_4_2_4_4_each_over_elements_alone(start: Start) -> None:
    table = start({**EACH, **ELEMENTS}, *HEDGE_AND_FOUNTAIN, "stop, G dig b1, A build 2 c2 d2")
    assert elements(table) == [[0, "A", 2, ["c2", "d2"]]]
    assert table.facts(None)["excavations"] == ["b1"]


# ---------------------------------------------------------------------------------- 1.1, 2.2 box file


def test_1_1_the_tiles_of_a_box_file(start: Start) -> None:
    table = start({}, box={"tiles": [0, 0, 49], "landscape": [3] * 49})
    assert table.facts(None)["values"] == [3] * 49
    go(table, "stop, G dig c2, G build 1 c2")
    assert table.scores() == [3 + 1, 0]


def test_2_2_the_starting_cells_of_a_box_file(start: Start) -> None:
    starts = [["b2", "a2", "c2"], ["f6", "g6", "e6"]]  # K G A
    table = start({}, box={"starts": starts})
    assert table.facts(None)["pawns"] == starts
    go(table, "stop")
    assert moves_of(table, "G") == {"dig a1", "dig b1", "dig a3", "dig b3"}
    go(table, "end", "stop")
    assert moves_of(table, "A") == {"dig d5", "dig e5", "dig f5", "dig d6", "dig d7", "dig e7", "dig f7"}


def test_2_2_two_games_of_one_box_share_no_pawns(start: Start) -> None:
    box = {"starts": [["b2", "a2", "c2"], ["f6", "g6", "e6"]]}
    go(start({}, box=box), "K b3, stop")
    assert start({}, box=box).facts(None)["pawns"][0] == ["b2", "a2", "c2"]


# ---------------------------------------------------------------------------------- whole games


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_whole_games_with_the_options(options: dict[str, str]) -> None:
    """What may never happen does not, what an option allows does."""
    met: Counter[str] = Counter()
    for seed in range(6):
        rng = random.Random(seed)
        players = 2 + seed % 3
        deal = another_box(deal_of(players), rng) if seed % 2 else plainly_dealt(players, rng)
        plain = plain_game("schlossgarten", {"players": players, **options}, deal)
        while not plain.over:
            move = chosen("schlossgarten", plain, plain.legal(), rng, 0.1)
            met.update(kinds("schlossgarten", plain, move))
            plain.play(move)
            check(plain)
    assert met["builds"] > 20, met
    assert (met["builds by another"] > 0) == (options.get("work") == "each"), met
    assert (met["builds on elements alone"] > 0) == (options.get("overbuild") == "elements"), met
    assert met["builds beside nothing"] == 0 or options.get("overbuild") != "bordering"


def plainly_dealt(players: int, rng: random.Random) -> Deal:
    """A deal of the house's box."""
    cards = rng.sample(range(1, 33), 32)
    landscape = rng.sample([1] * 17 + [2] * 16 + [3] * 16, 49)
    return {"landscape": landscape, "hands": cards[:players], "pile": cards[players:]}


def check(plain: Any) -> None:
    """Every tile is in one place, elements overlap nowhere, nobody has two alike (1.1, 1.3, 4.4, 4.5)."""
    facts = plain.facts(None)
    tiles = [*facts["up"], *facts["excavations"], *(cell for kept in facts["kept"] for cell in kept)]
    assert sorted(tiles) == sorted(CELLS)
    built = [cell for *_, cells in facts["elements"] for cell in cells]
    assert len(set(built)) == len(built)
    assert set(built).isdisjoint([*facts["up"], *facts["excavations"]])
    kinds_built = [tuple(element[:3]) for element in facts["elements"]]
    assert len(set(kinds_built)) == len(kinds_built)


def test_the_house_box_is_what_records_without_a_box_were_played_with() -> None:
    """Never change it: another box gets a name of its own, and records say which they were played with."""
    rest = [(box.tiles, box.start) for box in map(house_box, (2, 3, 4))]
    digest = hashlib.sha256(repr((house_rows(), rest)).encode()).hexdigest()
    assert digest == "66b8e20ddf6a082f1112a059835adeb4840cd6b224f7872c7926656e32cb516b"


# ---------------------------------------------------------------------------------- Topiary 2.1


@pytest.mark.parametrize("removed", topiary.TYPES)
@pytest.mark.parametrize("make", MAKERS)
def test_2_1_a_type_that_the_host_named(make: Callable[..., Any], removed: str) -> None:
    for players in (2, 3):
        deal = topiary.deal_of(players, removed=removed)
        drawn = make("topiary", {"players": players}, deal)
        named = make("topiary", {"players": players, "removed": removed}, deal)
        rng = random.Random(players)
        while not drawn.over:
            for viewer in (None, *range(players)):
                assert named.facts(viewer) | {"options": None} == drawn.facts(viewer) | {"options": None}
                assert named.facts(viewer)["removed"] == removed  # everybody knows which
            assert named.legal() == drawn.legal()
            move = rng.choice(drawn.legal())
            drawn.play(move)
            named.play(move)
        assert named.result() == drawn.result()
