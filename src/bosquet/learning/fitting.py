"""Fit the networks of learned values to samples: Adam (Kingma and Ba 2015) in NumPy, a network for each stage."""

from __future__ import annotations

from typing import Any

import numpy as np

from bosquet.core.state import StateRecord
from bosquet.learning.network import SCALES

Floats = np.ndarray[Any, np.dtype[np.float64]]


class Layers:
    """The weights of the networks of all stages while they are trained, and the moments of their slopes."""

    def __init__(self, stages: int, inputs: int, hidden: int, random: np.random.Generator) -> None:
        """Draw the first layers; everything else is 0, so every output is."""
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
        self, stage: int, inputs: Floats, targets: Floats, *, rates: tuple[float, float], passes: int, batch: int
    ) -> None:
        """Go over the samples of a stage so many times, in batches drawn at random. Mutates the weights.

        The size of the steps goes from the first of `rates` to the second.
        """
        steps = passes * -(-len(inputs) // batch)
        sizes = iter(np.linspace(*rates, steps))
        for _ in range(passes):
            order = self._random.permutation(len(inputs))
            for start in range(0, len(order), batch):
                chosen = order[start : start + batch]
                self._step(stage, inputs[chosen], targets[chosen], float(next(sizes)))

    def integers(self, record: type[StateRecord]) -> dict[str, Any]:
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

    def _step(self, stage: int, inputs: Floats, targets: Floats, rate: float) -> None:
        before = inputs @ self.weights["first"][stage] + self.weights["first_bias"][stage]
        hidden = np.maximum(before, 0.0)
        missed = hidden @ self.weights["second"][stage] + self.weights["second_bias"][stage] - targets
        missed /= len(targets)
        back = np.outer(missed, self.weights["second"][stage]) * (before > 0.0)
        slopes = {
            "first": inputs.T @ back,
            "first_bias": back.sum(0),
            "second": hidden.T @ missed,
            "second_bias": missed.sum(),
        }
        self._steps[stage] += 1
        steps = int(self._steps[stage])
        for name, slope in slopes.items():
            mean, square = self._means[name], self._squares[name]
            mean[stage] = 0.9 * mean[stage] + 0.1 * slope
            square[stage] = 0.999 * square[stage] + 0.001 * slope**2
            scaled = mean[stage] / (1 - 0.9**steps) / (np.sqrt(square[stage] / (1 - 0.999**steps)) + 1e-8)
            self.weights[name][stage] -= rate * scaled
