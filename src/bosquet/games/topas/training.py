"""Train the learned value of Topas alone by self-play: TD(0) on afterstates with full-width targets, in rounds.

A round plays columns by what is learned so far (compiled, `self_play`), takes each table after a placement
as a sample, with what it is worth after one more card as its target, and fits the networks to the samples of the last
rounds (Adam). The weights that play are rounded to integers after each round, so what is trained is what will play.

A run is a folder: `state.npz` (to go on after a stop), `curve.csv` (a line for each round), and at the end the weights
with their model card. docs/algorithms.md has the method.
"""

from __future__ import annotations

import contextlib
import csv
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.jit import available, bind
from bosquet.core.rng import seed_rng

from . import self_play
from .column import Column
from .column_value import HIDDEN, INPUT_ONE, INPUTS, NETWORKS, ONE, Network
from .lookahead import ERRORS, MOST_POINTS, SURE
from .rules import COLUMNS, DECK, TURNS

Floats = np.ndarray[Any, np.dtype[np.float64]]

STATE, CURVE, WEIGHTS, CARD = "state.npz", "curve.csv", "learned.npz", "learned.json"
BATCH = 128
PASSES = 3
"""How often a round goes over the samples that are kept."""
KEPT = 8
"""Rounds whose samples are kept."""
RATES = ((0.5, 3e-3), (0.8, 1e-3), (1.0, 3e-4))
"""Up to which part of the rounds which step size is used."""
MEASURED = 500
"""Deals that are played after each round, always the same, by the learned value alone."""
COLUMNS_COUNTED = 20_000
"""Columns from which the errors of predictions are counted at the end."""
SHAPES = {
    "first": (NETWORKS, INPUTS, HIDDEN),
    "first_bias": (NETWORKS, HIDDEN),
    "second": (NETWORKS, HIDDEN),
    "second_bias": (NETWORKS,),
}
SCALES = {"first": ONE, "first_bias": ONE * INPUT_ONE, "second": ONE, "second_bias": ONE * ONE}
"""What the number 1 is in the integers of each array."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a run does. The same plan on the same machine gives the same weights."""

    seed: int = 1
    rounds: int = 40
    """A run may be ended sooner or go on longer; the step sizes follow from what is given last."""
    samples: int = 20_000
    """New samples of each round."""


class Round(msgspec.Struct, frozen=True):
    """How well it played after a round: a line of the learning curve."""

    round: int
    samples: int
    cpu_seconds: float
    error: float
    """Root mean square of what the networks miss on the new samples before they are fitted to them, in points."""
    column: float
    """Mean points of a column, over the measured deals."""
    lowest: float
    """Mean of the lowest of four columns."""
    deviation: float
    """Standard deviation of the lowest column."""


class Training:
    """A run in a folder."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin a run, or go on with the one in the folder. Raises BosquetError if that has another plan."""
        if not available():
            raise OptionError("training needs compiled rules; install numba, and do not set BOSQUET_JIT=0")
        self.folder = folder
        self.plan = plan
        self.done = 0
        self.seconds = 0.0
        self._random = np.random.default_rng(plan.seed)
        zeros = {name: np.zeros(shape) for name, shape in SHAPES.items()}
        self.weights: dict[str, Floats] = zeros | {"first": self._random.normal(0.0, 0.15, SHAPES["first"])}
        self._means = {name: np.zeros(shape) for name, shape in SHAPES.items()}
        self._squares = {name: np.zeros(shape) for name, shape in SHAPES.items()}
        self._steps = np.zeros(NETWORKS, np.int64)
        self._kept: list[tuple[Any, Any]] = []
        self._columns = np.zeros(1, Column.dtype)
        self._networks = np.zeros(1, Network.dtype)
        self._deck = np.zeros(DECK, np.int64)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / STATE).exists():
                self._load()
        except OSError as error:
            raise BosquetError(f"{folder}: can't be used: {error.strerror}; name another --out") from None
        self._round_off()

    def rounds(self) -> Iterator[Round]:
        """Make the rounds that are left; yield each when it is stored."""
        while self.done < self.plan.rounds:
            began = time.process_time()
            error = self._round()
            self.seconds += time.process_time() - began
            column, lowest, deviation = self.measured()
            self.done += 1
            made = self.done * self.plan.samples
            line = Round(self.done, made, round(self.seconds, 1), error, column, lowest, deviation)
            self._save(line)
            yield line

    def finish(self, last: Round | None) -> Path:
        """Count how far predictions are off, write the weights and their card; return the file of the weights."""
        found = {name: array.reshape(SHAPES[name]) for name, array in self.integers().items()} | self._counted()
        with _replacing(self.folder / WEIGHTS) as file:
            np.savez_compressed(file, **found)
        card = {
            "game": "topas",
            "options": {"players": 1, "expert": False},
            "plan": msgspec.to_builtins(self.plan),
            "data": f"{self.done * self.plan.samples} tables after placements, from self-play",
            "cpu_minutes": round(self.seconds / 60, 1),
            "machine": f"{platform.machine()}, one thread; Python {platform.python_version()}, NumPy {np.__version__}",
            "result": None if last is None else msgspec.to_builtins(last),
        }
        with _replacing(self.folder / CARD) as file:
            file.write(msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")
        return self.folder / WEIGHTS

    def measured(self, deals: int = MEASURED) -> tuple[float, float, float]:
        """Return mean points of a column, and mean and deviation of the lowest of four, by the learned value alone."""
        totals = np.zeros(COLUMNS * deals, np.int64)
        self._call(self_play.play_deals, self._rng("measure"), totals, deals)
        lowest = totals.reshape(deals, COLUMNS).min(1)
        return round(float(totals.mean()), 3), round(float(lowest.mean()), 3), round(float(lowest.std(ddof=1)), 3)

    def integers(self) -> dict[str, Any]:
        """Return the weights as they play: rounded to integers."""
        found = {}
        for name, array in self.weights.items():
            limits = np.iinfo(Network.fields[name].code)
            found[name] = np.clip(np.round(array * SCALES[name]), limits.min, limits.max).astype(limits.dtype).ravel()
        return found

    # --- a round ---

    def _round(self) -> float:
        """Play, fit and round off; return what the networks missed on the new samples."""
        n = self.plan.samples
        inputs, labels = np.zeros(n * INPUTS, np.int64), np.zeros(n * self_play.LABELS, np.int64)
        self._call(self_play.make_samples, self._rng(self.done), inputs, labels, n)
        self._kept = [*self._kept, (inputs.reshape(n, -1).astype(np.int16), labels.reshape(n, -1))][-KEPT:]
        missed = 0.0
        rate = next(rate for part, rate in RATES if self.done < part * self.plan.rounds or part == 1.0)
        for left in range(2, TURNS):
            new_inputs, new_targets = _of(self._kept[-1:], left)
            missed += float(((self._predicted(left, new_inputs) - new_targets) ** 2).sum())
            self._fit(left, *_of(self._kept, left), rate)
        self._round_off()
        return round(float(np.sqrt(missed / n)), 4)

    def _predicted(self, left: int, inputs: Floats) -> Floats:
        weights = self.weights
        hidden = np.maximum(inputs @ weights["first"][left] + weights["first_bias"][left], 0.0)
        found: Floats = hidden @ weights["second"][left] + weights["second_bias"][left]
        return found

    def _fit(self, left: int, inputs: Floats, targets: Floats, rate: float) -> None:
        """Go over the samples in batches (Adam: Kingma and Ba 2015)."""
        for _ in range(PASSES):
            order = self._random.permutation(len(inputs))
            for start in range(0, len(order), BATCH):
                batch = order[start : start + BATCH]
                self._step(left, inputs[batch], targets[batch], rate)

    def _step(self, left: int, inputs: Floats, targets: Floats, rate: float) -> None:
        before = inputs @ self.weights["first"][left] + self.weights["first_bias"][left]
        hidden = np.maximum(before, 0.0)
        missed = hidden @ self.weights["second"][left] + self.weights["second_bias"][left] - targets
        missed /= len(targets)
        back = np.outer(missed, self.weights["second"][left]) * (before > 0.0)
        slopes = {
            "first": inputs.T @ back,
            "first_bias": back.sum(0),
            "second": hidden.T @ missed,
            "second_bias": missed.sum(),
        }
        self._steps[left] += 1
        steps = int(self._steps[left])
        for name, slope in slopes.items():
            mean, square = self._means[name], self._squares[name]
            mean[left] = 0.9 * mean[left] + 0.1 * slope
            square[left] = 0.999 * square[left] + 0.001 * slope**2
            scaled = mean[left] / (1 - 0.9**steps) / (np.sqrt(square[left] / (1 - 0.999**steps)) + 1e-8)
            self.weights[name][left] -= rate * scaled

    def _round_off(self) -> None:
        for name, array in self.integers().items():
            self._networks[name][0] = array

    def _counted(self) -> dict[str, Any]:
        """Return how often predictions miss by how much, and how many columns come to so many points."""
        n = COLUMNS_COUNTED
        predictions = np.zeros(n * TURNS, np.int64)
        self._call(self_play.predict, self._rng("predict"), predictions, n)
        found = predictions.reshape(n, TURNS)
        errors = np.zeros((TURNS, ERRORS), np.int64)
        for left in range(TURNS):
            missed = np.clip(np.round((found[:, 0] - found[:, left]) / 100).astype(int) + 20, 0, ERRORS - 1)
            errors[left] = np.round(np.bincount(missed, minlength=ERRORS) * SURE / n)
            errors[left, errors[left].argmax()] += SURE - errors[left].sum()
        points = found[:, 0] // 100
        reach = [round(float((points >= least).mean()) * SURE) for least in range(MOST_POINTS)]
        return {"errors": errors.astype(np.int32), "reach": np.array(reach, np.int32)}

    def _call(self, function: Any, rng_state: Any, *arguments: Any) -> None:
        bind(function)(self._columns, self._networks, rng_state, self._deck, *arguments)

    def _rng(self, part: object) -> Any:
        return np.array(seed_rng("train", self.plan.seed, part), np.int64)

    # --- the folder ---

    def _save(self, line: Round) -> None:
        """Store a round: the learning curve first, then the state, which tells how many of its lines count."""
        path = self.folder / CURVE
        lines = path.read_text().splitlines()[: self.done] if path.exists() else [",".join(Round.__struct_fields__)]
        with _replacing(path) as file:
            row = ",".join(str(value) for value in msgspec.structs.astuple(line))
            file.write(("\n".join([*lines, row]) + "\n").encode())
        arrays: dict[str, Any] = {"done": self.done, "seconds": self.seconds, "steps": self._steps}
        arrays["plan"] = np.frombuffer(msgspec.json.encode(self.plan), np.uint8)
        arrays["random"] = np.frombuffer(msgspec.json.encode(_words(self._random.bit_generator.state)), np.uint8)
        for group, found in (("weight", self.weights), ("mean", self._means), ("square", self._squares)):
            arrays |= {f"{group}_{name}": array for name, array in found.items()}
        for i, (inputs, labels) in enumerate(self._kept):
            arrays |= {f"inputs_{i}": inputs, f"labels_{i}": labels}
        with _replacing(self.folder / STATE) as file:
            np.savez(file, **arrays)

    def _load(self) -> None:
        try:
            with np.load(self.folder / STATE, allow_pickle=False) as found:
                arrays = dict(found)
            plan = msgspec.json.decode(arrays["plan"].tobytes(), type=Plan)
        except (ValueError, KeyError, EOFError) as error:
            raise BosquetError(f"{self.folder / STATE}: is no state of a training run; remove it ({error})") from None
        if (plan.seed, plan.samples) != (self.plan.seed, self.plan.samples):
            given = f"--seed {plan.seed} --samples {plan.samples}"
            raise BosquetError(f"{self.folder} has a run with {given}; give the same, or name another --out")
        self.done, self.seconds, self._steps = int(arrays["done"]), float(arrays["seconds"]), arrays["steps"]
        self._random.bit_generator.state = _numbers(msgspec.json.decode(arrays["random"].tobytes()))
        for group, kept in (("weight", self.weights), ("mean", self._means), ("square", self._squares)):
            for name in SHAPES:
                kept[name] = arrays[f"{group}_{name}"]
        rounds = min(self.done, KEPT)
        self._kept = [(arrays[f"inputs_{i}"], arrays[f"labels_{i}"]) for i in range(rounds)]

    def curve(self) -> list[Round]:
        """Return the rounds that are done."""
        path = self.folder / CURVE
        if not path.exists():
            return []
        with path.open(newline="") as file:
            return [msgspec.convert(row, Round, strict=False) for row in csv.DictReader(file)][: self.done]


def _of(kept: list[tuple[Any, Any]], left: int) -> tuple[Floats, Floats]:
    """Return inputs and targets (beyond what the next card scores, for each that is left) of samples, in points."""
    inputs = np.concatenate([inputs[labels[:, 0] == left] for inputs, labels in kept]) / INPUT_ONE
    labels = np.concatenate([labels[labels[:, 0] == left] for _, labels in kept])
    return inputs, (labels[:, 2] - left * labels[:, 1]) / 100.0


def _words(value: Any) -> Any:
    """Return the state of NumPy's generator with its long integers as text, which JSON keeps exactly."""
    if isinstance(value, dict):
        return {key: _words(item) for key, item in value.items()}
    return f"#{value}" if isinstance(value, int) else value


def _numbers(value: Any) -> Any:
    """Return what `_words` was made of."""
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    return int(value[1:]) if isinstance(value, str) and value.startswith("#") else value


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[Any]:
    """Give a file to write to that takes the place of `path` at the end, unless an error is raised."""
    draft = path.with_name(f".{path.name}.part")
    with draft.open("wb") as file:
        yield file
    os.replace(draft, path)
