"""Fitting: gradients are those of the error, found numerically, and steps are those of Adam."""

from __future__ import annotations

import numpy as np
import pytest

from bosquet.learning.fitting import StageNetworks

STAGES, INPUTS, HIDDEN, SAMPLES, STAGE = 2, 3, 4, 6, 1
SMALL = 1e-6
LEARNING_RATE = 1e-3


def half_squared_error(networks: StageNetworks, inputs: np.ndarray, targets: np.ndarray) -> float:
    return float(((networks.predicted(STAGE, inputs) - targets) ** 2).mean() / 2)


def test_a_step_follows_the_gradient_of_the_error() -> None:
    random = np.random.default_rng(1)
    networks = StageNetworks(STAGES, INPUTS, HIDDEN, random)
    for array in networks.weights.values():
        array[...] = random.normal(0.0, 1.0, array.shape)
    inputs, targets = random.normal(0.0, 1.0, (SAMPLES, INPUTS)), random.normal(0.0, 1.0, SAMPLES)
    gradients = {name: np.zeros(array.shape) for name, array in networks.weights.items()}
    for name, array in networks.weights.items():
        for at in np.ndindex(*array.shape):
            kept, errors = array[at], list[float]()
            for change in (SMALL, -SMALL):
                array[at] = kept + change
                errors.append(half_squared_error(networks, inputs, targets))
            array[at] = kept
            gradients[name][at] = (errors[0] - errors[1]) / (2 * SMALL)
    before = {name: array.copy() for name, array in networks.weights.items()}
    error = half_squared_error(networks, inputs, targets)
    networks.fit(STAGE, inputs, targets, learning_rates=(LEARNING_RATE, LEARNING_RATE), epochs=1, batch=SAMPLES)
    assert half_squared_error(networks, inputs, targets) < error
    arrays = networks.arrays()
    for name, gradient in gradients.items():
        assert arrays[f"mean_{name}"] == pytest.approx(0.1 * gradient, abs=1e-7)
        assert arrays[f"square_{name}"] == pytest.approx(0.001 * gradient**2, abs=1e-7)
        # The first step has the size of the learning rate.
        moved = np.where(np.abs(gradient) > SMALL, -LEARNING_RATE * np.sign(gradient), 0.0)
        assert networks.weights[name] - before[name] == pytest.approx(moved, abs=1e-3 * LEARNING_RATE)
        assert (networks.weights[name][1 - STAGE] == before[name][1 - STAGE]).all()
    assert list(arrays["steps"]) == [0, 1]


def test_fitting_finds_a_function_that_a_network_can_say() -> None:
    random = np.random.default_rng(2)
    networks = StageNetworks(STAGES, INPUTS, HIDDEN, random)
    inputs = random.normal(0.0, 1.0, (500, INPUTS))
    targets = 2.0 + np.maximum(inputs[:, 0], 0.0)
    networks.start_at(STAGE, float(targets.mean()))
    before = half_squared_error(networks, inputs, targets)
    networks.fit(STAGE, inputs, targets, learning_rates=(1e-2, 1e-4), epochs=60, batch=50)
    assert half_squared_error(networks, inputs, targets) < before / 50
