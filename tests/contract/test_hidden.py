"""Hidden information: views leak nothing, determinizations are uniform among what is consistent with them."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import msgspec
import pytest
import scipy  # its parts are loaded at their first use

import bosquet
from bosquet.core.game import Game
from tests.contract.helpers.positions import determinized
from tests.helpers.cases import every_game, reach, walk

WRONG = ["", "put T1", "put W5", "take c3", "keep T1 W2 P5", "card 3", "card 40", "K d9", "G build 1 a1", "B1G2@0,0E"]


@every_game
def test_views_and_errors_depend_on_nothing_unseen(name: str, options: dict[str, Any]) -> None:
    rng = bosquet.Rng(21)
    differed = 0
    for game in itertools.chain(walk(name, options, 12), walk(name, options, 13)):
        if len(game.moves) % 3 and not game.over:
            continue
        for viewer in (None, *range(game.players)):
            other = determinized(game, viewer, rng)
            assert msgspec.json.encode(other.view(viewer)) == msgspec.json.encode(game.view(viewer))
            differed += other.state != game.state
            if viewer is not None and viewer == game.seat:
                assert other.legal() == game.legal()
                for text in WRONG:
                    if text not in game.legal():
                        assert refusal(other, text) == refusal(game, text)
    assert differed > 10 or bosquet.spec(name).lies_open


def refusal(game: Game, text: str) -> str:
    with pytest.raises(bosquet.IllegalMove) as caught:
        game.play(text)
    return str(caught.value)


def uniform(found: Counter[Any], possible: int) -> float:
    """The p-value of outcomes with these counts being equally likely."""
    counts = list(found.values()) + [0] * (possible - len(found))
    return float(scipy.stats.chisquare(counts).pvalue)


def test_the_check_of_uniformity_has_teeth() -> None:
    rng = bosquet.Rng(1)
    fair = Counter(rng.below(20) for _ in range(4000))
    biased = Counter(min(rng.below(20), rng.below(24)) for _ in range(4000))
    assert uniform(fair, 20) > 1e-4
    assert uniform(biased, 20) < 1e-6
    missing = Counter(rng.below(19) for _ in range(4000))
    assert uniform(missing, 20) < 1e-6


@pytest.mark.slow
def test_topiary_determinizes_uniformly() -> None:
    """Four players: every pair of unseen tiles is as likely in one hidden cell and set aside."""
    game = reach("topiary", {"players": 4, "draft": False}, 30, 40)
    view: Any = game.view(0)
    assert not view.over
    cell = view.garden.index(None)
    unseen = 40 - sum(1 for tile in view.garden if tile) - len(view.hand)
    rng = bosquet.Rng(31)
    pairs: Counter[Any] = Counter()
    held: Counter[Any] = Counter()
    for _ in range(12000):
        state: Any = game.spec.view.determinize(view, rng)
        pairs[state.tiles[cell], state.aside & -state.aside] += 1
        held.update(bit for bit in range(40) if state.hand[1] >> bit & 1)
    assert uniform(Counter(tile for tile, _ in pairs.elements()), unseen) > 1e-4
    assert uniform(held, unseen) > 1e-4
    assert len(held) == unseen


@pytest.mark.slow
def test_topiary_determinizes_the_draft_uniformly() -> None:
    """Two players: the four tiles that seat 1 passed on are in seat 0's hand or aside, as many ways as that leaves."""
    game = bosquet.new("topiary", players=2, draft=True, seed=5)
    while game.view(1).phase == "draft":
        game.play(game.legal()[0])
    view: Any = game.view(1)
    passed = [bosquet.spec("topiary").notation.TILE_OF[name] for name in view.passed]  # type: ignore[attr-defined]
    rng = bosquet.Rng(33)
    found: Counter[Any] = Counter()
    for _ in range(7000):
        state: Any = game.spec.view.determinize(view, rng)
        kept = tuple(tile for tile in passed if state.hand[0] >> tile & 1)
        assert all((state.hand[0] | state.aside) >> tile & 1 for tile in passed)
        found[kept] += 1
    # Places: three in the hand, four aside. The sets kept of 4 passed tiles, weighted by the ways to lay them out:
    weights = {0: 4 * 3 * 2 * 1, 1: 3 * 4 * 3 * 2, 2: 3 * 2 * 4 * 3, 3: 3 * 2 * 1 * 4}
    sets = [kept for size in range(4) for kept in itertools.combinations(passed, size)]
    total = sum(weights[len(kept)] for kept in sets)
    expected = [7000 * weights[len(kept)] / total for kept in sets]
    assert set(found) <= set(sets)
    assert scipy.stats.chisquare([found[kept] for kept in sets], expected).pvalue > 1e-4


def test_a_seat_that_kept_three_of_the_draft_has_no_fourth() -> None:
    """Two players: once seat 0 has put two tiles that were passed to it, it holds at most one more of them."""
    spec: Any = bosquet.spec("topiary")
    for seed in range(200):
        game = bosquet.new("topiary", players=2, draft=True, seed=seed)
        rng = bosquet.Rng(seed)
        while not game.over:
            view: Any = game.view(1)
            if len(set(view.put[0]) & set(view.passed)) == 2 and view.phase == "line":
                for _ in range(30):
                    state = spec.view.determinize(view, rng)
                    mine = {name for name in view.passed if state.hand[0] >> spec.notation.TILE_OF[name] & 1}
                    assert len(mine) <= 1
                return
            moves = game.legal()
            puts = [move for move in moves if move[:3] == "put" and move[4:] in view.passed and game.seat == 0]
            takes = [move for move in moves if move != "pass"]
            game.play(rng.choice(puts or takes))
    pytest.fail("no game came to the position")


@pytest.mark.slow
def test_topas_determinizes_uniformly() -> None:
    """Three players, two turns to go: the unseen cards over two hands and a short pile."""
    game = reach("topas", {"players": 3, "expert": False}, 3, 19)
    view: Any = game.view(game.seat)
    rng = bosquet.Rng(34)
    others = [seat for seat in range(3) if seat != game.seat]
    held: Counter[Any] = Counter()
    first: Counter[Any] = Counter()
    for _ in range(5000):
        state: Any = game.spec.view.determinize(view, rng)
        held.update((seat, card) for seat in others for card in range(36) if state.hand[seat] >> card & 1)
        first[state.deck[state.drawn]] += 1
    unseen = 36 - len(view.table) - len(view.hand)
    assert uniform(held, 2 * unseen) > 1e-4
    assert uniform(first, unseen) > 1e-4


def test_schlossgarten_knows_what_was_held_over() -> None:
    """After a shuffle everybody knows which cards lay in hands then; with two players, whose."""
    game = bosquet.new("schlossgarten", players=3, seed=8)
    pick = bosquet.Rng(8)
    while not game.view(None).held_over:  # type: ignore[attr-defined]
        game.play(pick.choice(game.legal()))
    view: Any = game.view(game.seat)
    state: Any
    assert len(view.held_over) == 3
    others = [seat for seat in range(3) if seat != game.seat]
    found: Counter[Any] = Counter()
    tops: Counter[Any] = Counter()
    for _ in range(3000):
        state = game.spec.view.determinize(view, pick)
        found[tuple(state.hand[seat] for seat in others)] += 1
        tops[state.pile[state.pile_at]] += 1
    assert uniform(found, 2) > 1e-4  # two cards that this seat did not hold, in two hands
    assert len(found) == 2
    assert uniform(tops, view.pile) > 1e-4
    spectator: Counter[Any] = Counter()
    for _ in range(3000):
        state = game.spec.view.determinize(game.view(None), pick)
        old = [state.hand[seat] & state.held_over for seat in range(3)]
        spectator[tuple(old)] += 1
    assert uniform(spectator, 6) > 1e-4
