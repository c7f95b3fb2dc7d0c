"""Chances add up, keep the order of the shares that they are made of, and are certain when a game is over."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bosquet
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.state import MAX_SEATS
from bosquet.lab import chances, coach
from bosquet.lab.chances import Fitted, fitted, pool, power
from bosquet.search import Search, Settings, Task
from tests.helpers.cases import walk

SIMULATIONS = 400


def in_order(found: list[list[float]], seat: int) -> list[list[float]]:
    """The chances [choice][seat] of choices, those of a seat made non-increasing."""
    rows = [x for one in found for x in (*one, *[0.0] * (MAX_SEATS - len(one)))]
    pool(rows, [0] * len(found), len(found), seat)
    return [rows[MAX_SEATS * i : MAX_SEATS * i + len(one)] for i, one in enumerate(found)]


@st.composite
def shares(draw: st.DrawFn, seats: int | None = None) -> list[float]:
    """Shares of the simulations that seats won."""
    won = draw(st.lists(st.integers(0, 100), min_size=seats or 2, max_size=seats or 4).filter(any))
    return [one / sum(won) for one in won]


@given(shares(), st.floats(0.2, 3))
def test_chances_add_up_and_keep_the_order_of_the_shares(found: list[float], sharpness: float) -> None:
    made = Fitted(sharpness=sharpness).chances(found, SIMULATIONS)
    assert math.isclose(sum(made), 1)
    assert all(0 < chance < 1 for chance in made)
    for chance, share in zip(made, found, strict=True):
        for other, less in zip(made, found, strict=True):
            assert (share <= less) or chance > other


@given(st.floats(1e-4, 1.01), st.floats(0, 5))
def test_a_power_is_that_of_the_language(base: float, exponent: float) -> None:
    assert math.isclose(power(base, exponent), base**exponent, rel_tol=1e-12)


@given(shares(2), shares(2), st.floats(0.2, 3))
def test_a_greater_share_is_a_better_chance(one: list[float], other: list[float], sharpness: float) -> None:
    fit = Fitted(sharpness=sharpness)
    if one[0] > other[0]:
        assert fit.chances(one, SIMULATIONS)[0] > fit.chances(other, SIMULATIONS)[0]


@given(shares())
def test_below_one_chances_are_nearer_to_each_other_than_shares(found: list[float]) -> None:
    assert max(Fitted(sharpness=0.6).chances(found, SIMULATIONS)) <= max(found) + 1e-15
    same = Fitted(sharpness=1).chances(found, SIMULATIONS)
    assert all(abs(a - b) < 2 / SIMULATIONS for a, b in zip(same, found, strict=True))


@given(st.lists(shares(3), min_size=1, max_size=5), st.integers(0, 2))
def test_choices_are_put_in_order_and_nothing_else_is_changed(found: list[list[float]], seat: int) -> None:
    made = in_order(found, seat)
    own = [one[seat] for one in made]
    assert all(a >= b or math.isclose(a, b) for a, b in itertools.pairwise(own))
    assert all(math.isclose(sum(one), 1) and min(one) >= 0 for one in made)
    for other in range(3):
        assert math.isclose(sum(one[other] for one in made), sum(one[other] for one in found), abs_tol=1e-9)
    assert in_order(made, seat) == made
    if all(a[seat] >= b[seat] for a, b in itertools.pairwise(found)):
        assert made == found


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_what_is_stored_is_whole_and_for_the_usual_game_only(name: str) -> None:
    usual: dict[str, Any] = {option: values[0] for option, values in spec(name).options.items()}
    found = fitted(name, usual)
    assert found is None or 0 < found.sharpness < 3
    assert fitted(name, usual | {"players": 1}) is None
    for option, values in spec(name).options.items():
        if option != "players":
            assert fitted(name, usual | {option: values[-1]}) is None


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_coach_shows_them_until_the_game_is_over(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "_of_game", lambda _game: Fitted(sharpness=0.5))
    (*_, game) = walk(name, {"players": 2}, 5)
    assert game.over
    fit = fitted(name, game.options)
    assert fit
    search = Search(Settings(simulations=5, rounds=0))
    for plies in coach.decisions(game)[-2:]:
        state, over = plies[0].state, plies[-1].number == len(game.moves) - 1
        task = Task(state, state.seat, tuple(ply.action for ply in plies), perfect_information=True)
        found = search.evaluate(name, task, Rng("same"))
        weighed = coach.Judge(name, game.options, 5).weigh(task, Rng("same"))
        assert weighed.over == over
        assert weighed.won == found.wins[state.seat]
        made = weighed.choice.wins
        if over:
            assert made == [(seat in game.winners) / len(game.winners) for seat in range(2)]
        else:
            assert made == [round(chance, 4) for chance in fit.chances(found.wins, 5)]
            assert all(0 < chance < 1 for chance in made)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", bosquet.GAMES)
def test_compiled_and_plain_searches_give_the_same_chances(name: str) -> None:
    game = next(game for game in walk(name, {"players": 3}, 5) if len(game.moves) == 12)
    for plies in coach.decisions(game)[-2:]:
        task = Task(plies[0].state, plies[0].state.seat, tuple(ply.action for ply in plies))
        compiled, plain = (coach.Judge(name, game.options, 5, jit=jit).weigh(task, Rng(3)) for jit in (True, False))
        assert compiled == plain
