"""Deals are fair: over many seeds every tile and every card comes to every place equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
import scipy  # its parts are loaded at their first use

import bosquet
from tests.helpers.cases import CASES, parameters

DEALS = 2500
LIMIT = 1e-4
STANDARD = [case for case in CASES if not case[1].get("expert")]
FIRST = [CASES.index(next(case for case in STANDARD if case[0] == name)) for name in bosquet.GAMES]
Places = Iterable[tuple[Any, Any]]
"""Pairs of a thing and the place where it was dealt."""


def topiary_places(deal: Mapping[str, Any]) -> Places:
    """The tiles in their order, without the removed type: each as often as it is dealt at all."""
    names = [f"{kind}{size}" for kind in "TWSEPHOL" if kind != deal["removed"] for size in range(1, 6)]
    rank = {name: i for i, name in enumerate(names)}
    yield from ((rank[name], f"cell {cell}") for cell, name in enumerate(deal["garden"]))
    yield from ((rank[name], f"hand {seat}") for seat, hand in enumerate(deal["hands"]) for name in hand)
    yield from ((rank[name], "leftover") for name in deal["leftover"])


def topas_places(deal: Mapping[str, Any]) -> Places:
    yield from ((name, f"hand {seat}") for seat, hand in enumerate(deal.get("hands", [])) for name in hand)
    if "start" in deal:
        yield deal["start"], "start"
    yield from ((name, place) for place, name in enumerate(deal["pile"]))


def schlossgarten_places(deal: Mapping[str, Any]) -> Places:
    """Seat 0's first two cards taken together: see the test of what is drawn."""
    yield from ((card, f"hand {seat}") for seat, card in enumerate(deal["hands"]))
    yield deal["pile"][0], "hand 0"
    yield from ((card, place) for place, card in enumerate(deal["pile"][1:]))


PLACES = {"topiary": topiary_places, "topas": topas_places, "schlossgarten": schlossgarten_places}


def fairness(pairs: Sequence[list[tuple[Any, Any]]]) -> float:
    """The p-value of these numbers of deals of n things to n places, some of which are alike (a hand of three, say).

    For fair deals the usual statistic, times (n - 1) / n since every deal fills all places, has the usual
    distribution with (things - 1) × (places - 1) degrees of freedom.
    """
    n, deals = len(pairs[0]), len(pairs)
    found = Counter(pair for deal in pairs for pair in deal)
    things = Counter(thing for thing, _ in pairs[0])
    places = Counter(place for _, place in pairs[0])
    statistic = 0.0
    for thing, copies in things.items():
        for place, room in places.items():
            due = deals * copies * room / n
            statistic += (found[thing, place] - due) ** 2 / due
    freedom = (len(things) - 1) * (len(places) - 1)
    return float(scipy.stats.chi2.sf(statistic * (n - 1) / n, freedom))


def dealt(name: str, options: dict[str, Any], deals: int = DEALS) -> list[dict[str, Any]]:
    return [bosquet.new(name, seed=seed, **options).deal for seed in range(deals)]


@pytest.mark.parametrize(("name", "options"), parameters(map(CASES.index, STANDARD), FIRST))
def test_every_thing_comes_to_every_place(name: str, options: dict[str, Any]) -> None:
    assert name in PLACES, f"say in this file where {name} deals what"
    pairs = [list(PLACES[name](deal)) for deal in dealt(name, options)]
    p = fairness(pairs)
    assert LIMIT < p < 1 - LIMIT


def test_landscapes_are_fair() -> None:
    """Schlossgarten: 17 ones, 16 twos, 16 threes, on every cell as often as they are many."""
    deals = dealt("schlossgarten", {"players": 2})
    assert LIMIT < fairness([list(zip(deal["landscape"], range(49), strict=True)) for deal in deals]) < 1 - LIMIT


def test_a_written_deal_says_which_card_was_drawn() -> None:
    """Schlossgarten: the card dealt to seat 0 is as often higher as lower than the one it draws first. 2.1, 3.1"""
    deals = dealt("schlossgarten", {"players": 3})
    higher = sum(deal["hands"][0] > deal["pile"][0] for deal in deals)
    assert scipy.stats.binomtest(higher, len(deals)).pvalue > LIMIT


@pytest.mark.parametrize("players", [2, 3])
def test_every_type_is_removed_equally_often(players: int) -> None:
    found = Counter(deal["removed"] for deal in dealt("topiary", {"players": players}))
    assert scipy.stats.chisquare([found[kind] for kind in "TWSEPHOL"]).pvalue > LIMIT


def test_options_leave_the_deal_of_a_seed_alone() -> None:
    """The variant makes no other deal; the same seed with other players does."""
    for name, options in CASES:
        plain = {key: False if value is True else value for key, value in options.items()}
        both = [bosquet.new(name, seed=5, **chosen).record()["deal"] for chosen in (options, plain)]
        assert both[0] == both[1], options


def test_neighbouring_seeds_deal_independently() -> None:
    """Topas: where a card lies says nothing of where it lies with the next seed."""
    piles = [deal["pile"].index("B1G2") for deal in dealt("topas", {"players": 1})]
    pairs = Counter((a // 6, b // 6) for a, b in zip(piles[:-1:2], piles[1::2], strict=True))
    assert scipy.stats.chisquare([pairs[a, b] for a in range(6) for b in range(6)]).pvalue > LIMIT


@pytest.mark.parametrize("slip", ["naive", "short"])
def test_the_check_has_teeth(slip: str) -> None:
    """Two well-known slips: to exchange each with any other, and to leave the last one out."""
    rng = bosquet.Rng("slip")
    pairs = []
    for _ in range(DEALS):
        items = list(range(12))
        if slip == "naive":
            for i in range(12):
                j = rng.below(12)
                items[i], items[j] = items[j], items[i]
        else:
            head = items[:11]
            rng.shuffle(head)
            items[:11] = head
        pairs.append([(item, place) for place, item in enumerate(items)])
    assert fairness(pairs) < 1e-6
