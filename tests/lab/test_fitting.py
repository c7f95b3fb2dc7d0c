"""Networks are fitted to points and to chances; chances are those of the search."""

from __future__ import annotations

import numpy as np
import pytest

from bosquet.core.objective import chance_of_lead
from bosquet.learning.fitting import Layers, chances_of, shares_of
from bosquet.search import tree
from bosquet.search.memory import Tree


def fitted(targets: np.ndarray, inputs: np.ndarray, *, chances: bool) -> Layers:
    layers = Layers(1, inputs.shape[1], 8, np.random.default_rng(1), chances=chances)
    layers.fit(0, inputs, targets, rates=(1e-2, 1e-3), passes=20, batch=64)
    return layers


def test_points_and_chances_are_found_again() -> None:
    rng = np.random.default_rng(2)
    inputs = rng.normal(0.0, 1.0, (4000, 3))
    leads = 2 * inputs[:, 0] - inputs[:, 1]
    points = fitted(leads, inputs, chances=False)
    assert np.abs(points.predicted(0, inputs) - leads).mean() < 0.1
    won = (rng.random(4000) < chances_of(leads)).astype(float)
    layers = fitted(won, inputs, chances=True)
    assert np.abs(layers.predicted(0, inputs) - chances_of(leads)).mean() < 0.05
    assert layers.predicted(0, inputs) == pytest.approx(chances_of(layers.outputs(0, inputs)))


def test_chances_are_those_of_the_search() -> None:
    leads = np.array([-7.0, -0.5, 0.0, 0.1, 3.0])
    assert chances_of(leads).tolist() == [chance_of_lead(lead) for lead in leads.tolist()]
    outputs = np.array([[1.0, -0.5, 0.25], [0.0, 0.0, 0.0]])
    for players in (2, 3):
        for row, shares in zip(outputs, shares_of(outputs[:, :players], 1.5), strict=True):
            memory = Tree()
            for seat in range(players):
                memory.points[seat] = int(100 * row[seat])
            tree.share_by_chance(memory, players, 150)
            assert memory.win_share[:players] == pytest.approx(shares.tolist())
