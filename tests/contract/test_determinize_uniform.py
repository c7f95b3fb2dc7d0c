"""Determinizations are uniform among the consistent states, where brute force can list all of them.

The lists are made from the rules alone: every way to lay the unseen into the hidden places, without those that the
rules and the public moves forbid. One p-value in ten thousand may be below the limit; seeds are fixed.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
import scipy  # its parts are loaded at their first use

import bosquet
from bosquet.core.game import Game
from bosquet.core.rng import below
from bosquet.kernels.bits import members
from tests.contract.helpers.positions import every_ply

LIMIT = 1e-4
TABLES = [2, *(pytest.param(players, marks=pytest.mark.slow) for players in (3, 4))]
"""Numbers of players; the quick run takes one."""
Place = tuple[str, int]
Outcome = Any
"""Any value that can be counted."""


class Lazy(bosquet.Rng):
    """A biased source: one time in three it gives the same numbers as ever."""

    @property
    def state(self) -> list[int]:
        """The generator's, or others that never change."""
        return self._state if below(self._state, 3) else [1, 2, 3, 4]

    @state.setter
    def state(self, state: list[int]) -> None:
        self._state = state


def p_value(found: Counter[Outcome], weights: Counter[Outcome]) -> float:
    """How likely so uneven counts are if the outcomes have these weights; 0 if one was found that has none.

    Neighbouring outcomes are counted together until they are due to be found eight times.
    """
    if set(found) - set(weights):
        return 0.0
    total, share = sum(weights.values()), sum(found.values())
    bins = [[0.0, 0.0]]
    for outcome in sorted(weights, key=str):
        if bins[-1][1] >= 8:
            bins.append([0.0, 0.0])
        bins[-1][0] += found[outcome]
        bins[-1][1] += share * weights[outcome] / total
    assert len(bins) > 1, "nothing to compare"
    return float(scipy.stats.chisquare([count for count, _ in bins], [due for _, due in bins]).pvalue)


def check(
    game: Game, viewer: int | None, weights: Counter[Outcome], read: Callable[[Any], Outcome], samples: int
) -> None:
    """Determinizations fit the weights, and those of a biased generator do not. A single outcome is always found."""
    view = game.view(viewer)
    if len(weights) == 1:
        assert {read(game.spec.view.determinize(view, bosquet.Rng(seed))) for seed in range(50)} == set(weights)
        return
    fair, biased = bosquet.Rng(game.name, viewer), Lazy(game.name, viewer)
    assert p_value(Counter(read(game.spec.view.determinize(view, fair)) for _ in range(samples)), weights) > LIMIT
    assert p_value(Counter(read(game.spec.view.determinize(view, biased)) for _ in range(samples // 2)), weights) < 1e-6


# --- Topiary ---------------------------------------------------------------------------------------------------


def tile_places(spec: Any, state: Any, names: Iterable[str]) -> tuple[Place, ...]:
    """Where each of some tiles lies: in which hand, at which cell, or aside."""
    places: list[Place] = []
    for name in names:
        tile = spec.notation.TILE_OF[name]
        hands: list[Place] = [("hand", seat) for seat in range(4) if state.hand[seat] >> tile & 1]
        cells = [
            ("cell", c) for c in range(spec.rules.CELLS) if (state.up | state.down) >> c & 1 and state.tiles[c] == tile
        ]
        aside = [("aside", 0)] if state.aside >> tile & 1 else []
        (place,) = hands + cells + aside
        places.append(place)
    return tuple(places)


def hidden_places(view: Any) -> list[Place]:
    """A slot for each tile that the viewer does not see, the unseen leftover included. Rulings 2.1-2.4, 4.1."""
    slots: list[Place] = [("cell", cell) for cell, name in enumerate(view.garden) if name is None]
    if not view.over:
        for seat, size in enumerate(view.hand_sizes):
            if seat != view.viewer:
                slots += [("hand", seat)] * size
    if view.phase != "draft":
        slots += [("aside", 0)] * {2: 4, 3: 1, 4: 3}[view.players]
    return slots


def unseen_tiles(spec: Any, view: Any) -> list[str]:
    """The tiles that the viewer does not see."""
    shown = {name for name in view.garden if name} | set(view.hand or [])
    shown |= {name for hand in view.hands or [] for name in hand}
    return [name for name in spec.notation.TILE_NAMES if name[0] != view.removed and name not in shown]


def weigh(slots: Sequence[Place], tiles: int, agrees: Callable[[tuple[Place, ...]], bool]) -> Counter[Outcome]:
    """In how many ways this number of tiles may lie where, every slot for itself. The other tiles have as many ways."""
    room = Counter(slots)
    ways: Counter[Outcome] = Counter()
    for places in itertools.product(sorted(room, key=str), repeat=tiles):
        if agrees(places) and (n := math.prod(math.perm(room[place], k) for place, k in Counter(places).items())):
            ways[places] = n
    return ways


def draft_agrees(view: Any, places: dict[str, Place]) -> bool:
    """Whether the tiles that the viewer passed on can have come to lie so, checked seat by seat. Ruling 2.4.

    Each seat below keeps three of what it holds and passes the rest on; what seat 0 passes is set aside. A tile kept
    stays in the hand or is put into the garden.
    """
    first = view.seat if view.phase == "draft" else 0
    passed = list(view.passed)
    size = len(passed)
    below = range(first, view.viewer)
    for keepers in itertools.product([*below, None], repeat=size):
        kept = {seat: [t for t, keeper in zip(passed, keepers, strict=True) if keeper == seat] for seat in below}
        done = [seat for seat in below if not (view.phase == "draft" and seat == first)]
        if any(len(kept[seat]) > 3 for seat in done):
            continue
        if view.phase == "draft" and None in keepers:
            continue
        if all(
            tile in view.put[keeper]
            if keeper is not None and tile not in places
            else places.get(tile) == (("aside", 0) if keeper is None else ("hand", keeper))
            for tile, keeper in zip(passed, keepers, strict=True)
        ):
            return True
    return False


def topiary_check(game: Game, viewer: int | None, others: int, samples: int) -> None:
    """Where the unseen ones of the tiles passed on lie, and this number of other unseen tiles."""
    spec: Any = game.spec
    view: Any = game.view(viewer)
    unseen, slots = unseen_tiles(spec, view), hidden_places(view)
    assert len(unseen) == len(slots)
    tracked = [tile for tile in unseen if tile in view.passed]
    tracked += [tile for tile in unseen if tile not in view.passed][:others]

    def agrees(places: tuple[Place, ...]) -> bool:
        return not view.passed or draft_agrees(view, dict(zip(tracked, places, strict=True)))

    weights = weigh(coarse(slots), len(tracked), agrees)
    check(game, viewer, weights, lambda state: coarse(tile_places(spec, state, tracked)), samples)


def coarse(places: Iterable[Place]) -> tuple[Place, ...]:
    """The face-down cells in groups of nine, so that few samples fill every outcome."""
    return tuple((kind, at // 9 if kind == "cell" else at) for kind, at in places)


def met(name: str, options: dict[str, Any], wanted: Callable[[Game], bool], seeds: Iterable[int] = range(300)) -> Game:
    """The first position of some games that is wanted."""
    for seed in seeds:
        for game in every_ply(name, options, seed):
            if wanted(game):
                return game
    pytest.fail("no game came to the position")


@pytest.mark.slow
def test_topiary_at_the_end_every_way_of_laying_the_rest() -> None:
    """Four players: the last tiles face down and the three aside, every one of their placements."""
    game = emptied_garden()
    spec: Any = game.spec
    for viewer in (None, 2):
        view: Any = game.view(viewer)
        unseen, slots = unseen_tiles(spec, view), hidden_places(view)
        weights = weigh(slots, len(unseen), lambda places: True)
        read = functools.partial(tile_places, spec, names=unseen)
        check(game, viewer, weights, read, 12 * len(weights))


def emptied_garden() -> Game:
    """A game of four in which a tile was taken in every turn: four stay face down."""
    for seed in range(100):
        game = taking(bosquet.new("topiary", players=4, seed=seed), bosquet.Rng("taking", seed))
        view: Any = game.view(None)
        if view.garden.count(None) == 4:
            return game
    pytest.fail("no game came to the position")


def taking(game: Game, rng: bosquet.Rng) -> Game:
    """Play to the end, and take a tile in every turn if there is one."""
    while not game.over:
        trial = game.copy()
        trial.play(rng.choice([move for move in game.legal() if move != "pass"]))
        # A line with a face-down tile, then the tile, then what is put.
        if trial.view(None).phase != "line" or game.view(None).phase == "put" or trial.over:
            game.play(trial.moves[-1])
    return game


@pytest.mark.parametrize("draft", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("players", TABLES)
def test_topiary_in_the_middle(players: int, draft: bool) -> None:
    """Hands, garden and leftover, for a seat, with what it knows of the draft."""
    options = {"players": players, "draft": draft}
    game = met("topiary", options, lambda game: len(game.moves) > 25 and game.view(0).phase in ("put", "take"))
    topiary_check(game, players - 1, 1 if draft and players == 2 else 2, 6000)
    if not draft:
        topiary_check(game, None, 2, 6000)


@pytest.mark.slow
@pytest.mark.parametrize("players", TABLES)
def test_topiary_during_the_draft(players: int) -> None:
    """The last seat has passed tiles on; they are in the hand of the next, or of those after it."""
    wanted = 0 if players == 2 else 1
    game = met(
        "topiary",
        {"players": players, "draft": True},
        lambda game: game.view(0).phase == "draft" and game.seat == wanted,
    )
    topiary_check(game, players - 1, 1, 4000)
    topiary_check(game, wanted, 2, 4000)


@pytest.mark.slow
def test_topiary_after_two_of_the_passed_tiles_were_put() -> None:
    """Two players: seat 0 has put two of the four tiles passed to it, so it holds at most one of the others."""

    def two_put(game: Game) -> bool:
        view: Any = game.view(1)
        return len(set(view.put[0]) & set(view.passed)) == 2 and view.phase == "line"

    game = met("topiary", {"players": 2, "draft": True}, two_put)
    view: Any = game.view(1)
    both = [tile for tile in view.passed if tile not in view.put[0]]
    assert not draft_agrees(view, dict.fromkeys(both, ("hand", 0)))
    topiary_check(game, 1, 1, 6000)


def test_topiary_after_three_of_the_passed_tiles_were_put() -> None:
    """Two players: then the fourth is certainly set aside."""

    def three_put(game: Game) -> bool:
        view: Any = game.view(1)
        return len(set(view.put[0]) & set(view.passed)) == 3

    game = met("topiary", {"players": 2, "draft": True}, three_put, range(3000))
    view: Any = game.view(1)
    (last,) = [tile for tile in view.passed if tile not in view.put[0]]
    for seed in range(100):
        state = game.spec.view.determinize(view, bosquet.Rng(seed))
        assert tile_places(game.spec, state, [last]) == (("aside", 0),)


# --- Topas -----------------------------------------------------------------------------------------------------


def card_places(spec: Any, state: Any, names: Iterable[str]) -> Outcome:
    """Where each of some cards is: in which hand, or at which place of the pile."""
    pile = [spec.rules.NAMES[card] for card in state.deck[state.drawn :]]
    return tuple(
        ("pile", pile.index(name))
        if name in pile
        else next(("hand", seat) for seat in range(4) if state.hand[seat] >> spec.notation.CARD_OF[name] & 1)
        for name in names
    )


def topas_check(game: Game, viewer: int | None, tracked: int | None, samples: int) -> None:
    spec: Any = game.spec
    view: Any = game.view(viewer)
    shown = {card.card for card in view.table} | set(view.hand or []) | set(view.gone)
    unseen = [name for name in spec.rules.NAMES if name not in shown]
    slots: list[Place] = [("pile", place) for place in range(view.pile)]
    for seat, size in enumerate(view.hand_sizes):
        if seat != viewer and view.players > 1:
            slots += [("hand", seat)] * size
    assert len(unseen) == len(slots)
    cards = unseen[:tracked]
    weights = weigh(slots, len(cards), lambda places: True)
    check(game, viewer, weights, lambda state: card_places(spec, state, cards), samples)


@pytest.mark.slow
def test_topas_when_the_pile_is_empty() -> None:
    """Four players, three turns to go: every way to lay the unseen cards into three hands."""
    game = met("topas", {"players": 4, "expert": False}, lambda game: len(game.moves) == 26, [2])
    assert game.seat == 2
    topas_check(game, 3, None, 2000)
    topas_check(game, 2, None, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("players", TABLES)
def test_topas_hands_and_pile(players: int) -> None:
    game = met("topas", {"players": players, "expert": True}, lambda game: len(game.moves) == 5 * players, [1])
    for viewer in (0, None):
        topas_check(game, viewer, 2, 2000)


@pytest.mark.slow
def test_topas_alone() -> None:
    """Solitaire, last column: the pile is all that is unseen."""
    game = met("topas", {"players": 1, "expert": False}, lambda game: len(game.moves) == 25, [1])
    topas_check(game, 0, 2, 2000)


# --- Schlossgarten ---------------------------------------------------------------------------------------------


def late_game(players: int, shuffles: int, left: int) -> Game:
    """Cards are left in the pile after a number of shuffles; some seats have played what they held, some not."""
    game = bosquet.new("schlossgarten", players=players, seed=players)
    game.rng = None
    rng = bosquet.Rng("late", players)
    done = 0
    while done < shuffles or game.chance_due or game.view(None).pile > left:  # type: ignore[attr-defined]
        if game.chance_due:
            game.sample_chance(rng)
            done += 1
            continue
        view: Any = game.view(game.seat)
        moves = game.legal()
        if view.phase == "card":
            old = [move for move in moves if int(move.split()[1]) in view.held_over]
            new = [move for move in moves if move not in old]
            # The last seat never plays what it held over, the one before it only what it held before the last shuffle;
            # of the others the first plays it at once.
            keeps = view.seat == players - 1 or (view.seat == players - 2 and done == shuffles)
            game.play(rng.choice((new or old) if keeps else (old or new) if view.seat == 0 else moves))
        else:
            game.play("stop" if "stop" in moves else "end")
    return game


World = tuple[int | None, ...]
"""For each seat the card that it held at a shuffle and has not played since."""


def worlds(game: Game) -> list[World]:
    """All that may have been held over, by the public moves.

    At a shuffle every card but those in hands lies open, so everybody knows which these are, and one of them is in
    each hand. Who has not played the card of an earlier shuffle still holds that one.
    """
    possible: list[World] = [(None,) * game.players]
    turn = 0
    for move in game.moves:
        word, *numbers = move.split()
        if word == "pile":
            held = set(range(1, 33)) - {int(number) for number in numbers}
            possible = [filled for world in possible for filled in fillings(world, held)]
        elif word == "card":
            seat, card = turn % game.players, int(numbers[0])
            turn += 1
            possible = [world for world in possible if card not in world or world[seat] == card]
            possible = [tuple(None if held == card else held for held in world) for world in possible]
    return possible


def fillings(world: World, held: set[int]) -> Iterator[World]:
    """The ways in which the seats that played their card since may hold the rest of these cards."""
    if {card for card in world if card} <= held:
        for order in itertools.permutations(held - set(world)):
            rest = iter(order)
            yield tuple(card or next(rest) for card in world)


def schlossgarten_check(game: Game, viewer: int | None, pile: int, samples: int) -> None:
    """Every way to deal the unseen cards to hands and pile that the public moves allow; of the pile its first cards."""
    view: Any = game.view(viewer)
    shown = set(view.hand or []) | set(view.discard) | ({view.played} if view.played else set())
    unseen = [card for card in range(1, 33) if card not in shown]
    slots: list[Place] = [("hand", s) for s, size in enumerate(view.hand_sizes) if s != viewer for _ in range(size)]
    slots += [("pile", place) for place in range(view.pile)]
    assert len(unseen) == len(slots)
    possible = worlds(game)
    weights: Counter[Outcome] = Counter()
    for order in itertools.permutations(unseen):
        hands = hands_of(order, slots)
        mine = {} if viewer is None else {viewer: set(view.hand)}
        if any(all(card in (hands | mine)[s] for s, card in enumerate(world) if card) for world in possible):
            weights[outcome(hands, order[len(slots) - view.pile :][:pile])] += 1

    def read(state: Any) -> Outcome:
        hands = {
            seat: {card + 1 for card in members(state.hand[seat])} for seat in range(game.players) if seat != viewer
        }
        return outcome(hands, [card + 1 for card in state.pile[state.pile_at : state.pile_end]][:pile])

    check(game, viewer, weights, read, samples)


def hands_of(order: Sequence[int], slots: Sequence[Place]) -> dict[Any, set[int]]:
    """The hands of one way to lay cards into slots."""
    hands: dict[Any, set[int]] = {}
    for card, (kind, at) in zip(order, slots, strict=True):
        if kind == "hand":
            hands.setdefault(at, set()).add(card)
    return hands


def outcome(hands: dict[Any, set[int]], tops: Iterable[int]) -> Outcome:
    return tuple(sorted((seat, tuple(sorted(hand))) for seat, hand in hands.items())), tuple(tops)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "shuffles"), [(2, 0), (2, 1), (2, 3), (3, 2), (4, 3)])
def test_schlossgarten_late_in_a_pile(players: int, shuffles: int) -> None:
    """Few cards are left; after a shuffle everybody knows what was held over, and who has played his."""
    game = late_game(players, shuffles, 3 if players == 2 else 1)
    possible = worlds(game)
    assert bool(shuffles) == any(any(world) for world in possible)
    assert shuffles < 2 or all(world[-1] == possible[0][-1] for world in possible)
    for viewer in (None, *range(players)):
        schlossgarten_check(game, viewer, 1, 2400)
