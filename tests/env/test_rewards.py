"""Rewards sum to zero at a table, and are the points in a solitaire."""

from __future__ import annotations

import math

import pytest

import bosquet
from bosquet.env.rewards import KINDS, reward_bounds, rewards


def test_win_and_points() -> None:
    assert rewards("win", [30, 20], [0]) == [1, -1]
    assert rewards("win", [30, 30], [0, 1]) == [0, 0]
    assert rewards("win", [9, 30, 4], [1]) == [-0.5, 1, -0.5]
    assert rewards("win", [5, 5, 1], [0, 1]) == [0.25, 0.25, -0.5]
    assert rewards("win", [1, 2, 3, 4], [3]) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
    assert rewards("points", [30, 20], [0]) == [10, -10]
    assert rewards("points", [30, 20, 10], [0]) == [15, 0, -15]
    for kind in KINDS:
        assert rewards(kind, [7], [0]) == [7]
        assert sum(rewards(kind, [3, 8, 8, 1], [1, 2])) == pytest.approx(0)


def test_other_kinds_are_refused() -> None:
    with pytest.raises(bosquet.OptionError, match='"win" or "points"'):
        rewards("money", [1, 2], [1])


def test_a_game_that_runs_has_no_rewards() -> None:
    for kind in KINDS:
        with pytest.raises(bosquet.BosquetError, match="winners is empty"):
            rewards(kind, [1, 2], [])


@pytest.mark.parametrize(
    ("name", "players", "bounds"),
    [
        ("points", 1, (-7.0, 30.0)),
        ("win", 1, (-7.0, 30.0)),
        ("win", 3, (-0.5, 1.0)),
        ("points", 2, (-37.0, 37.0)),
    ],
)
def test_rewards_are_bounded_by_the_points_that_a_seat_may_end_with(
    name: str, players: int, bounds: tuple[float, float]
) -> None:
    assert reward_bounds(name, players, -7, 30) == bounds


def test_rewards_are_unbounded_where_the_points_are() -> None:
    assert reward_bounds("points", 2, 0, None) == (-math.inf, math.inf)
    assert reward_bounds("points", 1, 0, None) == (0.0, math.inf)
    assert reward_bounds("win", 2, None, None) == (-1.0, 1.0)
