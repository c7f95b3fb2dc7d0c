"""The small table of the learned player agrees with the rules of Topas, and its exact values with brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from bosquet.core.game import Game
from bosquet.games.topas import rules
from bosquet.games.topas.solitaire import column, learned, learned_inputs, lookahead
from bosquet.kernels.bits import mask_of, members
from bosquet.learning.network import filled
from tests.helpers.cases import walk

ALONE = {"players": 1, "expert": False}


def tables() -> Iterator[tuple[Game, column.Column]]:
    """Positions of Topas alone, each with the small table of it."""
    small = column.Column()
    for seed in range(3):
        for game in itertools.islice(walk("topas", ALONE, seed), 0, 28, 3):
            column.read_column(game.state, small)
            column.survey(small, 0)
            yield game, small


def placement(state: Any, action: int) -> int:
    """The placement of an action on the small table."""
    card, at = rules.card_of(action), rules.square_of(action)
    beside = rules.neighbour(at, rules.heading_of(action))
    first, second = rules.HALVES[card]
    return column.option_of(first, column.small_square(at), second, column.small_square(beside))


def test_placements_and_their_points_are_those_of_the_rules() -> None:
    moves = [0] * rules.MAX_MOVES
    for game, small in tables():
        state = game.state
        actions = moves[: rules.legal(state, moves)]
        for action in actions:
            assert column.option_points(small, placement(state, action)) == rules.points_of(state, action)
        card = rules.card_of(actions[0])
        n = column.find_options(small, card, 0, column.MOST_OPTIONS, 0)
        found = small.options[:n]
        legal = {placement(state, action) for action in actions}
        turned = {column.option_of(o >> 24 & 15, o >> 10 & 1023, o >> 20 & 15, o & 1023) for o in legal}
        assert set(found) <= legal | turned
        best = sorted((rules.points_of(state, action) for action in actions), reverse=True)
        assert [column.option_points(small, option) for option in found] == best[:n]


def test_a_card_is_laid_and_taken_back() -> None:
    for game, small in tables():
        before = (list(small.cells), small.count)
        moves = [0] * rules.MAX_MOVES
        rules.legal(game.state, moves)
        column.put_card(small, placement(game.state, moves[0]))
        column.take_card(small)
        assert (list(small.cells), small.count) == before


def test_with_one_card_left_the_value_is_the_mean_of_the_best_placements() -> None:
    moves = [0] * rules.MAX_MOVES
    (network,) = filled(learned_inputs.Network, learned.stored_weights(), jit=False)
    for game, small in itertools.islice(tables(), 6):
        state = game.state
        unseen = learned.unseen_cards(state)
        best = []
        for card in members(unseen):
            state.hand[0] = 1 << card
            best.append(max(rules.points_of(state, action) for action in moves[: rules.legal(state, moves)]))
        assert learned_inputs.value(small, network, unseen, 1) == 100 * sum(best) // len(best)


def test_colours_and_turns_of_the_table_do_not_change_the_value() -> None:
    """Colours renamed, in the unseen cards as well, and the table reflected: no more than the order of ties changes."""
    (network,) = filled(learned_inputs.Network, learned.stored_weights(), jit=False)
    renamed = (2, 3, 1, 0)
    for game, small in itertools.islice(tables(), 8):
        unseen = learned.unseen_cards(game.state)
        other = column.Column()
        for at in small.laid[: small.count]:
            half = small.cells[at]
            x = signed(at)
            column.put(other, other_half(half, renamed), 32 * x + signed(at - x >> 5) & 1023)
        halves = [sorted(other_half(half, renamed) for half in rules.HALVES[card]) for card in members(unseen)]
        cards = mask_of(rules.HALVES.index((first, second)) for first, second in halves)
        values = [learned_inputs.value(table, network, seen, 4) for table, seen in ((small, unseen), (other, cards))]
        # Which of several equally good places comes first may differ.
        assert abs(values[0] - values[1]) <= 30
        assert learned_inputs.value(small, network, unseen, 1) == learned_inputs.value(other, network, cards, 1)


def signed(number: int) -> int:
    """A coordinate modulo 32 as one from -16 to 15."""
    return (number + 16 & 31) - 16


def other_half(half: int, renamed: tuple[int, ...]) -> int:
    return 3 * renamed[rules.COLOUR[half]] + rules.GEMS[half]


def test_points_beyond_the_lowest_column_are_worth_nothing() -> None:
    (stakes,) = filled(lookahead.Stakes, learned.stored_weights(), jit=False)
    lookahead.set_stakes(stakes, 20, 45, 1)
    assert stakes.whole == sorted(stakes.whole)
    assert stakes.whole[44] < stakes.whole[45] == stakes.whole[60]
    worth = [lookahead.worth_of(stakes, hundredths, 0) for hundredths in range(0, 4000, 25)]
    assert worth == sorted(worth)
    assert worth[99] < worth[100] == worth[120]  # 45 points and more
    unsure = [lookahead.worth_of(stakes, hundredths, 5) for hundredths in (2000, 2500, 3000)]
    assert unsure == sorted(unsure)
    assert unsure[1] < unsure[2]  # more points make 45 surer
