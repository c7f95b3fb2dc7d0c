"""Fitting: slopes are those of the error, found numerically, and steps are those of Adam."""

from __future__ import annotations

import numpy as np
import pytest

from bosquet.learning.fitting import Layers

STAGES, INPUTS, HIDDEN, SAMPLES, STAGE = 2, 3, 4, 6, 1
SMALL = 1e-6
RATE = 1e-3


def half_squared_error(layers: Layers, inputs: np.ndarray, targets: np.ndarray) -> float:
    return float(((layers.predicted(STAGE, inputs) - targets) ** 2).mean() / 2)


def test_a_step_follows_the_slope_of_the_error() -> None:
    random = np.random.default_rng(1)
    layers = Layers(STAGES, INPUTS, HIDDEN, random)
    for array in layers.weights.values():
        array[...] = random.normal(0.0, 1.0, array.shape)
    inputs, targets = random.normal(0.0, 1.0, (SAMPLES, INPUTS)), random.normal(0.0, 1.0, SAMPLES)
    slopes = {name: np.zeros(array.shape) for name, array in layers.weights.items()}
    for name, array in layers.weights.items():
        for at in np.ndindex(*array.shape):
            kept, errors = array[at], list[float]()
            for change in (SMALL, -SMALL):
                array[at] = kept + change
                errors.append(half_squared_error(layers, inputs, targets))
            array[at] = kept
            slopes[name][at] = (errors[0] - errors[1]) / (2 * SMALL)
    before = {name: array.copy() for name, array in layers.weights.items()}
    error = half_squared_error(layers, inputs, targets)
    layers.fit(STAGE, inputs, targets, rates=(RATE, RATE), passes=1, batch=SAMPLES)
    assert half_squared_error(layers, inputs, targets) < error
    arrays = layers.arrays()
    for name, slope in slopes.items():
        assert arrays[f"mean_{name}"] == pytest.approx(0.1 * slope, abs=1e-7)
        assert arrays[f"square_{name}"] == pytest.approx(0.001 * slope**2, abs=1e-7)
        moved = np.where(np.abs(slope) > SMALL, -RATE * np.sign(slope), 0.0)  # the first step has the size of the rate
        assert layers.weights[name] - before[name] == pytest.approx(moved, abs=1e-3 * RATE)
        assert (layers.weights[name][1 - STAGE] == before[name][1 - STAGE]).all()
    assert list(arrays["steps"]) == [0, 1]


def test_fitting_finds_a_function_that_a_network_can_say() -> None:
    random = np.random.default_rng(2)
    layers = Layers(STAGES, INPUTS, HIDDEN, random)
    inputs = random.normal(0.0, 1.0, (500, INPUTS))
    targets = 2.0 + np.maximum(inputs[:, 0], 0.0)
    layers.start_at(STAGE, float(targets.mean()))
    before = half_squared_error(layers, inputs, targets)
    layers.fit(STAGE, inputs, targets, rates=(1e-2, 1e-4), passes=60, batch=50)
    assert half_squared_error(layers, inputs, targets) < before / 50
