"""Train the learned value of Topas alone by self-play: TD(0) on afterstates with full-width targets, in rounds.

A round plays columns by what is learned so far (compiled, `self_play`), takes each table after a placement
as a sample, with what it is worth after one more card as its target, and fits the networks to the samples of the last
rounds (Adam). The weights that play are rounded to integers after each round, so what is trained is what will play.

A run is a folder: `state.npz` (to go on after a stop), `curve.csv` (a line for each round), and at the end the weights
with their model card. docs/how-bots-think.md has the method.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np

from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.rng import seed_rng
from bosquet.kernels.jit import available, bind
from bosquet.learning.fitting import Floats, StageNetworks
from bosquet.learning.network import INPUT_ONE, fill
from bosquet.learning.run_folder import RunFolder, Stored, Tell, machine, nothing_to_tell

from ..rules import COLUMNS, DECK, TURNS
from . import self_play
from .column import Column
from .learned_inputs import HIDDEN, INPUTS, NETWORKS, Network
from .lookahead import ERRORS, MOST_POINTS, SURE

BATCH = 128
EPOCHS = 3
"""Epochs of a round, over the samples in the replay window."""
REPLAY_WINDOW = 8
"""Rounds whose samples are fitted to, the last ones."""
LEARNING_RATES = ((0.5, 3e-3), (0.8, 1e-3), (1.0, 3e-4))
"""Up to which part of the rounds which learning rate is used."""
MEASURED = 500
"""Deals that are played after each round, always the same, by the learned value alone."""
COLUMNS_COUNTED = 20_000
"""Columns from which the errors of predictions are counted at the end."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a run does. The same plan on the same machine gives the same weights."""

    seed: int = 1
    rounds: int = 40
    """A run may be ended sooner or go on longer; the learning rates follow from what is given last."""
    samples: int = 20_000
    """New samples of each round."""


class Round(msgspec.Struct, frozen=True):
    """How well it played after a round: a line of the learning curve."""

    round: int
    samples: int
    cpu_seconds: float
    error: float
    """Root mean square of the residuals on the new samples before the networks are fitted to them, in points."""
    column: float
    """Mean points of a column, over the measured deals."""
    lowest: float
    """Mean of the lowest of four columns."""
    deviation: float
    """Standard deviation of the lowest column."""

    CURVES: ClassVar[dict[str, str]] = {
        "error": "error on new samples\nbefore fitting, points",
        "lowest": "lowest of four\ncolumns, points",
    }
    """What is drawn of the curve, with labels."""

    @property
    def summary(self) -> str:
        """Return a line about the round, for progress output."""
        return f"a column {self.column:.2f}, the lowest of four {self.lowest:.2f}, error {self.error:.2f}"


class Training:
    """A run in a folder."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin a run, or go on with the one in the folder. Raises BosquetError if that has another plan."""
        if not available():
            raise OptionError("training needs compiled rules; install numba, and do not set BOSQUET_JIT=0")
        self.plan = plan
        self.tell: Tell = nothing_to_tell
        """Is told how far a round is."""
        self.done = 0
        self.seconds = 0.0
        self._random = np.random.default_rng(plan.seed)
        self.networks = StageNetworks(NETWORKS, INPUTS, HIDDEN, self._random)
        self._window: list[tuple[Any, Any]] = []
        self._columns = np.zeros(1, Column.dtype)
        self._records = np.zeros(1, Network.dtype)
        self._deck = np.zeros(DECK, np.int64)
        self.folder = RunFolder(folder, Round)
        if (found := self.folder.load(Plan, self._random)) is not None:
            self._go_on(*found)
        fill(self._records, self.quantized())

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

    def finish(self) -> Path:
        """Count how far predictions are off, write the weights and their card; return the file of the weights."""
        curve = self.curve()
        arrays = {name: array.reshape(self.networks.shapes[name]) for name, array in self.quantized().items()}
        card = {
            "game": "topas",
            "options": {"players": 1, "expert": False},
            "plan": msgspec.to_builtins(self.plan),
            "data": f"{self.done * self.plan.samples} tables after placements, from self-play",
            "cpu_minutes": round(self.seconds / 60, 1),
            "machine": machine(),
            "result": msgspec.to_builtins(curve[-1]) if curve else None,
        }
        return self.folder.write_weights("learned", arrays | self._counted(), card)

    def measured(self, deals: int = MEASURED) -> tuple[float, float, float]:
        """Return mean points of a column, and mean and deviation of the lowest of four, by the learned value alone."""
        totals = np.zeros(COLUMNS * deals, np.int64)
        self._call(self_play.play_deals, self._rng("measure"), totals, deals)
        lowest = totals.reshape(deals, COLUMNS).min(1)
        return round(float(totals.mean()), 3), round(float(lowest.mean()), 3), round(float(lowest.std(ddof=1)), 3)

    def quantized(self) -> dict[str, Any]:
        """Return the weights as they play: rounded to integers."""
        return self.networks.quantized(Network)

    # --- a round ---

    def _round(self) -> float:
        """Play, fit and round off; return the root mean square residual on the new samples."""
        n = self.plan.samples
        inputs, labels = np.zeros(n * INPUTS, np.int64), np.zeros(n * self_play.LABELS, np.int64)
        self.tell("playing", 0, 1)
        self._call(self_play.make_samples, self._rng(self.done), inputs, labels, n)
        made = inputs.reshape(n, -1).astype(np.int16), labels.reshape(n, -1)
        self._window = [*self._window, made][-REPLAY_WINDOW:]
        squares = 0.0
        rate = next(rate for part, rate in LEARNING_RATES if self.done < part * self.plan.rounds or part == 1.0)
        for left in range(2, TURNS):
            self.tell("fitting", left - 2, TURNS - 2)
            new_inputs, new_targets = _of(self._window[-1:], left)
            squares += float(((self.networks.predicted(left, new_inputs) - new_targets) ** 2).sum())
            chosen = _of(self._window, left)
            self.networks.fit(left, *chosen, learning_rates=(rate, rate), epochs=EPOCHS, batch=BATCH)
        fill(self._records, self.quantized())
        return round(float(np.sqrt(squares / n)), 4)

    def _counted(self) -> dict[str, Any]:
        """Return two histograms: the errors of predictions, and the points of columns."""
        n = COLUMNS_COUNTED
        predictions = np.zeros(n * TURNS, np.int64)
        self._call(self_play.predict, self._rng("predict"), predictions, n)
        found = predictions.reshape(n, TURNS)
        errors = np.zeros((TURNS, ERRORS), np.int64)
        for left in range(TURNS):
            residuals = np.clip(np.round((found[:, 0] - found[:, left]) / 100).astype(int) + 20, 0, ERRORS - 1)
            errors[left] = np.round(np.bincount(residuals, minlength=ERRORS) * SURE / n)
            errors[left, errors[left].argmax()] += SURE - errors[left].sum()
        points = found[:, 0] // 100
        reach = [round(float((points >= least).mean()) * SURE) for least in range(MOST_POINTS)]
        return {"errors": errors.astype(np.int32), "reach": np.array(reach, np.int32)}

    def _call(self, function: Any, rng_state: Any, *arguments: Any) -> None:
        bind(function)(self._columns, self._records, rng_state, self._deck, *arguments)

    def _rng(self, part: object) -> Any:
        return np.array(seed_rng("train", self.plan.seed, part), np.int64)

    # --- the folder ---

    def _save(self, line: Round) -> None:
        arrays: dict[str, Any] = {"seconds": self.seconds, **self.networks.arrays()}
        for i, (inputs, labels) in enumerate(self._window):
            arrays |= {f"inputs_{i}": inputs, f"labels_{i}": labels}
        self.folder.save(arrays, self.plan, self._random, line)

    def _go_on(self, stored: Stored, plan: Plan) -> None:
        if (plan.seed, plan.samples) != (self.plan.seed, self.plan.samples):
            given = f"--seed {plan.seed} --samples {plan.samples}"
            raise BosquetError(f"{self.folder.path} has a run with {given}; give the same, or name another --out")
        self.done, self.seconds = len(self.folder.lines), float(stored.array("seconds", self.seconds))
        self.networks.restore({name: stored.array(name, array) for name, array in self.networks.arrays().items()})
        n = self.plan.samples
        inputs, labels = np.zeros((n, INPUTS), np.int16), np.zeros((n, self_play.LABELS), np.int64)
        rounds = range(min(self.done, REPLAY_WINDOW))
        self._window = [(stored.array(f"inputs_{i}", inputs), stored.array(f"labels_{i}", labels)) for i in rounds]
        for i, (_, labels) in enumerate(self._window):
            stored.check(f"labels_{i}", labels[:, 0], 2, TURNS - 1)

    def curve(self) -> list[Round]:
        """Return the rounds that are done."""
        return self.folder.lines


def _of(rounds: list[tuple[Any, Any]], left: int) -> tuple[Floats, Floats]:
    """Return inputs and targets (beyond what the next card scores, for each that is left) of samples, in points."""
    inputs = np.concatenate([inputs[labels[:, 0] == left] for inputs, labels in rounds]) / INPUT_ONE
    labels = np.concatenate([labels[labels[:, 0] == left] for _, labels in rounds])
    return inputs, (labels[:, 2] - left * labels[:, 1]) / 100.0
