"""Fit the networks of learned values to samples: Adam (Kingma and Ba 2015) in NumPy, a network for each stage."""

from __future__ import annotations

from typing import Any

import numpy as np

from bosquet.core.state import StateRecord
from bosquet.learning.network import SCALES

Floats = np.ndarray[Any, np.dtype[np.float64]]


class StageNetworks:
    """Trainable weights of all stage networks, with Adam's moment estimates."""

    def __init__(self, stages: int, inputs: int, hidden: int, random: np.random.Generator) -> None:
        """Initialise the first layer at random and all other weights to 0, so outputs start at 0."""
        self.shapes = {
            "first": (stages, inputs, hidden),
            "first_bias": (stages, hidden),
            "second": (stages, hidden),
            "second_bias": (stages,),
        }
        zeros = {name: np.zeros(shape) for name, shape in self.shapes.items()}
        self.weights: dict[str, Floats] = zeros | {"first": random.normal(0.0, 0.15, self.shapes["first"])}
        self._means = {name: np.zeros(shape) for name, shape in self.shapes.items()}
        self._squares = {name: np.zeros(shape) for name, shape in self.shapes.items()}
        self._steps = np.zeros(stages, np.int64)
        self._random = random

    def predicted(self, stage: int, inputs: Floats) -> Floats:
        """Return the outputs [sample] for inputs [sample, input]."""
        weights = self.weights
        hidden = np.maximum(inputs @ weights["first"][stage] + weights["first_bias"][stage], 0.0)
        found: Floats = hidden @ weights["second"][stage] + weights["second_bias"][stage]
        return found

    def start_at(self, stage: int, mean: float) -> None:
        """Let a network that was not fitted yet begin with this output. Mutates the weights."""
        if not self._steps[stage]:
            self.weights["second_bias"][stage] = mean

    def fit(
        self,
        stage: int,
        inputs: Floats,
        targets: Floats,
        *,
        learning_rates: tuple[float, float],
        epochs: int,
        batch: int,
    ) -> None:
        """Fit the network of a stage to samples, in batches drawn at random. Mutates the weights.

        The learning rate changes linearly from the first of `learning_rates` to the second.
        """
        steps = epochs * -(-len(inputs) // batch)
        rates = iter(np.linspace(*learning_rates, steps))
        for _ in range(epochs):
            order = self._random.permutation(len(inputs))
            for start in range(0, len(order), batch):
                chosen = order[start : start + batch]
                self._step(stage, inputs[chosen], targets[chosen], float(next(rates)))

    def quantized(self, record: type[StateRecord]) -> dict[str, Any]:
        """Return the flat weights as they play: rounded to the integers of the fields of `record`."""
        found = {}
        for name, array in self.weights.items():
            limits = np.iinfo(record.fields[name].code)
            found[name] = np.clip(np.round(array * SCALES[name]), limits.min, limits.max).astype(limits.dtype).ravel()
        return found

    def arrays(self) -> dict[str, Any]:
        """Return everything that is needed to go on later, by name."""
        found: dict[str, Any] = {"steps": self._steps}
        for group, kept in self._groups():
            found |= {f"{group}_{name}": array for name, array in kept.items()}
        return found

    def restore(self, arrays: dict[str, Any]) -> None:
        """Go on from what `arrays` returned. Raises KeyError where something is missing."""
        self._steps = arrays["steps"]
        for group, kept in self._groups():
            for name in self.shapes:
                kept[name] = arrays[f"{group}_{name}"]

    def _groups(self) -> tuple[tuple[str, dict[str, Floats]], ...]:
        return (("weight", self.weights), ("mean", self._means), ("square", self._squares))

    def _step(self, stage: int, inputs: Floats, targets: Floats, learning_rate: float) -> None:
        before = inputs @ self.weights["first"][stage] + self.weights["first_bias"][stage]
        hidden = np.maximum(before, 0.0)
        residuals = hidden @ self.weights["second"][stage] + self.weights["second_bias"][stage] - targets
        residuals /= len(targets)
        hidden_gradient = np.outer(residuals, self.weights["second"][stage]) * (before > 0.0)
        gradients = {
            "first": inputs.T @ hidden_gradient,
            "first_bias": hidden_gradient.sum(0),
            "second": hidden.T @ residuals,
            "second_bias": residuals.sum(),
        }
        self._steps[stage] += 1
        steps = int(self._steps[stage])
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean[stage] = 0.9 * mean[stage] + 0.1 * gradient
            square[stage] = 0.999 * square[stage] + 0.001 * gradient**2
            scaled = mean[stage] / (1 - 0.9**steps) / (np.sqrt(square[stage] / (1 - 0.999**steps)) + 1e-8)
            self.weights[name][stage] -= learning_rate * scaled
