"""Train the learned values of a game's search by self-play, in rounds.

The first round's games are played by the rollout policy; in those after it the search plays with the network that was
accepted last. Each round fits the networks to the samples of the last rounds and accepts them if they beat the accepted
ones in a sequential test. What plays is rounded to integers, so what is tested is what will play.

A run is a folder: `state.npz` (to go on after a stop), `curve.csv` (a line for each round), and at the end the weights
with their model card. docs/how-bots-think.md has the method.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec
import numpy as np

from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, seed_rng
from bosquet.core.spec import check_options
from bosquet.core.state import CHANCE, NOBODY
from bosquet.kernels.jit import available, bind
from bosquet.lab.pools import Pool, in_order, in_this_process
from bosquet.lab.ratings import Hypotheses, Sprt, elo, smoothed
from bosquet.lab.self_play import GAME, LABELS, make_candidate, play_games
from bosquet.learning.fitting import Floats, StageNetworks
from bosquet.learning.network import INPUT_ONE, fill
from bosquet.learning.run_folder import RunFolder, Stored, Tell, machine, nothing_to_tell
from bosquet.search.learned_model import required_model, training_kernels
from bosquet.search.learned_weights import options_for_weights, weights_name
from bosquet.search.settings import Settings
from bosquet.search.worker import Task, Worker

BATCH = 256
EPOCHS = 4
"""Epochs of a round, over the samples in the replay window."""
REPLAY_WINDOW = 6
"""Rounds whose samples are fitted to, the last ones."""
FIRST_LEARNING_RATES, LEARNING_RATES = (3e-3, 1e-4), (1e-3, 1e-4)
"""Learning rates at the beginning and the end of a round: of the first one, and of the others."""
FIRST = 10
"""Samples of the first round, whose games cost little, as a multiple of those of the others."""
EXPLORED = 30
"""Percentage of decisions sampled by visit count; in the first round, which has no search, uniformly."""
TEST = Hypotheses(elo0=0.0, elo1=30.0, alpha=0.05, beta=0.05)
"""What a network has to prove before it is accepted, in Elo over the last one."""
TEST_DEALS = 200
"""Maximum deals of a test, each played from both sides; an undecided network is rejected."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a run does. The same plan on the same machine gives the same weights."""

    game: str
    players: int
    seed: int = 1
    rounds: int = 20
    """A run may be ended sooner or go on longer."""
    samples: int = 100_000
    """New samples of each round: a sample is a seat of a position between two turns."""
    simulations: int = 100
    """Simulations of each decision, at least two: after one, all networks choose alike."""
    pieces: int = 1
    """In how many pieces the samples of a round are played, which the workers of a pool share."""
    variants: list[str] = []
    """Options that are on and have weights of their own."""

    def __post_init__(self) -> None:
        """Raise OptionError if networks could not differ, or if there are more pieces than positions in a round."""
        if self.simulations < 2:
            raise OptionError(
                "after one simulation all networks choose alike, so none is accepted; give --simulations 2 or more"
            )
        if (most := self.samples // self.players) < self.pieces:
            raise OptionError(
                f"{self.pieces} pieces are too many: {self.samples} samples with {self.players} players are {most} "
                f"positions; give --pieces {most} at most, or more --samples"
            )

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of the games."""
        given = {"players": self.players, **dict.fromkeys(self.variants, True)}
        return check_options(spec(self.game), given)


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the self-play of a round."""

    plan: Plan
    round: int
    number: int
    samples: int
    """Samples to make, at most."""
    simulations: int
    """Simulations of each decision; with 0 the rollout policy plays."""
    weights: dict[str, Any]
    """What plays."""


class Round(msgspec.Struct, frozen=True):
    """What came of a round: a line of the learning curve."""

    round: int
    samples: int
    cpu_seconds: float
    error: float
    """Root mean square of the residuals on the new samples before the networks are fitted to them, in points."""
    games: int
    """Games of the test against the network that was accepted last."""
    score: float
    """Share of them that the new one won."""
    accepted: int
    """1 if the new one was accepted."""
    elo: float
    """Sum of the differences that were measured when networks were accepted: an estimate, from few games."""

    CURVES: ClassVar[dict[str, str]] = {
        "error": "error on new samples\nbefore fitting, points",
        "elo": "Elo over the untrained\nnetwork, sum of tests",
    }
    """What is drawn of the curve, with labels."""

    @property
    def summary(self) -> str:
        """Return a line about the round, for progress output."""
        test = f"won {100 * self.score:.0f} % of {self.games} games, {'accepted' if self.accepted else 'not accepted'}"
        return f"error {self.error:.2f}, {test}, {self.elo:+.0f} Elo in all"


class Training:
    """A run in a folder."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin a run, or go on with the one in the folder. Raises BosquetError if that has another plan."""
        if not available():
            raise OptionError("training needs compiled rules; install numba, and do not set BOSQUET_JIT=0")
        self.plan = plan
        self.tell: Tell = nothing_to_tell
        """Is told how far a round is."""
        self.model = required_model(plan.game)
        self.options = plan.options
        self.done = 0
        self.seconds = 0.0
        self.elo = 0.0
        self._random = np.random.default_rng(plan.seed)
        self.networks = StageNetworks(self.model.STAGES, self.model.INPUTS, self.model.HIDDEN, self._random)
        self._window: list[Any] = []
        self.accepted: dict[str, Any] = self._as_played(np.full(self.model.STAGES, 10.0))
        self.folder = RunFolder(folder, Round)
        if (found := self.folder.load(Plan, self._random)) is not None:
            self._go_on(*found)
        self._workers = [Worker(plan.game, learned=True) for _ in range(2)]
        self._make = bind(make_candidate, spec(plan.game).kernels | training_kernels(self.model))

    def rounds(self, workers: Pool | None = None) -> Iterator[Round]:
        """Make the rounds that are left; yield each when it is stored.

        The pieces of self-play are done by `workers`, by default in this process; the weights are the same.
        """
        shared = workers or in_this_process()
        while self.done < self.plan.rounds:
            began = time.process_time()
            samples, elsewhere = self._played(shared)
            error = self._fitted(samples)
            candidate = self._as_played(self._spreads(samples))
            games, score, passed = self._tested(candidate)
            if passed:
                self.accepted = candidate
                self.elo += elo(smoothed(score, games))
            self.seconds += time.process_time() - began + elsewhere
            self.done += 1
            made = (self.done - 1 + FIRST) * self.plan.samples
            numbers = round(self.seconds, 1), error, games, round(score, 3), int(passed), round(self.elo)
            line = Round(self.done, made, *numbers)
            self._save(line)
            yield line

    def finish(self) -> Path:
        """Write the accepted weights and their card; return the file of the weights.

        Raises BosquetError, and writes nothing, if no network was accepted.
        """
        accepted = [line for line in self.curve() if line.accepted]
        if not accepted:
            raise BosquetError(
                f"no network was accepted in {self.done} rounds, so no weights were written: none was beyond doubt "
                "better than the untrained one; the same command with more --rounds goes on, or give more --samples "
                "and another --out (docs/how-bots-think.md names sizes that sufficed)"
            )
        card = {
            "game": self.plan.game,
            "options": self.options,
            "plan": msgspec.to_builtins(self.plan),
            "data": f"{accepted[-1].samples} samples from self-play: seats of positions between turns",
            "cpu_minutes": round(self.seconds / 60, 1),
            "machine": machine(),
            "rounds": self.done,
            "accepted_rounds": [line.round for line in accepted],
            "result": msgspec.to_builtins(accepted[-1]),
        }
        return self.folder.write_weights(weights_name(self.model, self.options), self.accepted, card)

    def curve(self) -> list[Round]:
        """Return the rounds that are done."""
        return self.folder.lines

    # --- a round ---

    def _played(self, workers: Pool) -> tuple[Any, float]:
        """Return the samples of a round [sample, label or input], and the processor time of other processes."""
        n = self.plan.samples * (1 if self.done else FIRST)
        pieces = (
            Piece(
                plan=self.plan,
                round=self.done,
                number=number,
                samples=n * (number + 1) // self.plan.pieces - n * number // self.plan.pieces,
                simulations=self.plan.simulations if self.done else 0,
                weights=self.accepted,
            )
            for number in range(self.plan.pieces)
        )
        if self.plan.pieces == 1:
            made = [play_piece(piece, self.tell) for piece in pieces]
        else:
            made = []
            for one in in_order(workers, play_piece, pieces):
                made.append(one)
                self.tell("playing", len(made), self.plan.pieces)
        elsewhere = sum(one.seconds for one in made if one.process != os.getpid())
        return np.concatenate([one.samples for one in made]), elsewhere

    def _fitted(self, samples: Any) -> float:
        """Fit the networks to the samples of the last rounds; return the error on the new ones before."""
        self._window = [*self._window, samples][-REPLAY_WINDOW:]
        squares = 0.0
        learning_rates = LEARNING_RATES if self.done else FIRST_LEARNING_RATES
        stages = np.unique(samples[:, 0]).tolist()
        for done, stage in enumerate(stages):
            self.tell("fitting", done, len(stages))
            inputs, targets = _of([samples], stage)
            self.networks.start_at(stage, float(targets.mean()))
            squares += float(((self.networks.predicted(stage, inputs) - targets) ** 2).sum())
            self.networks.fit(
                stage, *_of(self._window, stage), learning_rates=learning_rates, epochs=EPOCHS, batch=BATCH
            )
        return round(float(np.sqrt(squares / len(samples))), 4)

    def _spreads(self, samples: Any) -> Floats:
        """Return by how much the lead of a seat over another is off in each stage (standard deviation, points).

        A stage without samples keeps the spread of the accepted networks.
        """
        found: Floats = self.accepted["spread"] / 100.0
        for stage in np.unique(samples[:, 0]).tolist():
            inputs, targets = _of([samples], stage)
            residuals = (targets - self.networks.predicted(stage, inputs)).reshape(-1, self.plan.players)
            leads = residuals[:, :1] - residuals[:, 1:]
            found[stage] = float(np.sqrt((leads**2).mean()))
        return found

    def _as_played(self, spreads: Floats) -> dict[str, Any]:
        hundredths = np.maximum(1, np.round(100 * spreads)).astype(np.int32)
        return {**self.networks.quantized(self.model.Workspace), "spread": hundredths}

    # --- the test ---

    def _tested(self, candidate: dict[str, Any]) -> tuple[int, float, bool]:
        """Play the candidate against the accepted weights; return games, score and whether it is accepted."""
        test = Sprt(TEST)
        scores: list[float] = []
        for deal in range(TEST_DEALS):
            self.tell("testing", deal, TEST_DEALS)
            won = [1 - self.won(candidate, seat, f"test {self.done} {deal}") for seat in range(2)]
            scores += won
            test.add(sum(won) / 2)
            if test.decision is not None:
                break
        return len(scores), float(np.mean(scores)), test.decision == "elo1"

    def won(self, other: dict[str, Any], first: int, deal: str) -> float:
        """Play a game of the accepted weights against others, which have every second seat from `first` on.

        Returns 1 if one of the accepted weights' seats wins, 0 if not.
        """
        rng = Rng("train", self.plan.seed, deal)
        rules = spec(self.plan.game).rules
        state = dealt(self.plan, rng)
        moves = [0] * rules.MAX_MOVES
        while state.seat != NOBODY:
            if state.seat == CHANCE:
                rules.sample_chance(state, rng.state)
            elif rules.legal(state, moves) == 1:
                rules.play(state, moves[0])
            else:
                theirs = state.seat % 2 == first
                seen = spec(self.plan.game).determinize(state, state.seat, rng)
                worker = self._workers[int(theirs)]
                take_up(worker, self.plan, other if theirs else self.accepted, seen, rng)
                worker.run(self.plan.simulations, 0.0)
                visits = np.asarray(worker.tree.visits[: int(worker.tree.root_edge_count)])
                states = state.pack()
                self._make(states, int(worker.tree.candidate[int(visits.argmax())]))
                state = rules.State.unpack(states)
        won: list[int] = rules.result(state)["winners"]
        return sum(seat % 2 != first for seat in won) / len(won)

    # --- the folder ---

    def _save(self, line: Round) -> None:
        arrays: dict[str, Any] = {"seconds": self.seconds, "elo": self.elo, **self.networks.arrays()}
        arrays |= {f"accepted_{name}": array for name, array in self.accepted.items()}
        arrays |= {f"samples_{i}": samples for i, samples in enumerate(self._window)}
        self.folder.save(arrays, self.plan, self._random, line)

    def _go_on(self, stored: Stored, plan: Plan) -> None:
        if msgspec.structs.replace(plan, rounds=self.plan.rounds) != self.plan:
            given = f"{plan.game} --players {plan.players} --seed {plan.seed} --samples {plan.samples}"
            given += "".join(f" --{name}" for name in plan.variants)
            given += f" --simulations {plan.simulations} --pieces {plan.pieces}"
            raise BosquetError(f"{self.folder.path} has a run with {given}; give the same, or name another --out")
        self.done = len(self.folder.lines)
        self.seconds = float(stored.array("seconds", self.seconds))
        self.elo = float(stored.array("elo", self.elo))
        self.networks.restore({name: stored.array(name, array) for name, array in self.networks.arrays().items()})
        self.accepted = {name: stored.array(f"accepted_{name}", array) for name, array in self.accepted.items()}
        like = np.zeros((0, LABELS + self.model.INPUTS), np.int32)
        self._window = [stored.array(f"samples_{i}", like, rows=True) for i in range(min(self.done, REPLAY_WINDOW))]
        stored.check("accepted_spread", self.accepted["spread"], 1)
        for i, samples in enumerate(self._window):
            stored.check(f"samples_{i}", samples[:, 0], 0, self.model.STAGES - 1)


class Made(NamedTuple):
    """What came of a piece."""

    samples: Any
    """[sample, label or input]"""
    seconds: float
    """Processor time."""
    process: int
    """The process that played it."""


def play_piece(piece: Piece, tell: Tell = nothing_to_tell) -> Made:
    """Play as many games as give the samples of a piece. Equal pieces give equal samples, wherever they are played.

    `tell` is told meanwhile how far it is.
    """
    began = time.process_time()
    plan = piece.plan
    worker = Worker(plan.game, learned=True)
    model = required_model(plan.game)
    samples = np.zeros(piece.samples * (LABELS + model.INPUTS), np.int32)
    take_up(worker, plan, piece.weights, dealt(plan, Rng("train", plan.seed)), Rng("begin"))
    states = np.zeros(GAME + 1, worker.states.dtype)
    states[GAME] = worker.states[0]
    rng_state = np.array(seed_rng("train", plan.seed, piece.round, *([piece.number] if piece.number else [])), np.int64)
    memory = worker.trees, worker.workspaces, rng_state, worker.found, worker.heuristics
    play = bind(play_games, spec(plan.game).kernels | training_kernels(model))
    rows = samples.reshape(piece.samples, -1)
    with _watching(rows, tell):
        made = play(states, *memory, samples, piece.samples, piece.simulations, EXPLORED)
    return Made(rows[:made], time.process_time() - began, os.getpid())


@contextmanager
def _watching(rows: Any, tell: Tell) -> Iterator[None]:
    """Tell, twice a second, how many of these rows were written: by those of some of them that are not 0."""
    if tell is nothing_to_tell:
        yield
        return
    some = rows[:: max(1, len(rows) // 1000)]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.5):
            tell("playing", int(np.count_nonzero(some.any(1))), len(some))

    thread = threading.Thread(target=watch, daemon=True)
    tell("playing", 0, len(some))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def take_up(worker: Worker, plan: Plan, weights: dict[str, Any], state: Any, rng: Rng) -> None:
    """Let a worker take up a state with these weights."""
    fill(worker.workspaces, weights)
    worker.weights_for = options_for_weights(required_model(plan.game), state)
    worker.begin(Settings(simulations=plan.simulations), Task(state, state.seat), rng)


def dealt(plan: Plan, rng: Rng) -> Any:
    """Return a new deal. Steps `rng`."""
    rules = spec(plan.game).rules
    state = rules.new_state(plan.options)
    rules.deal(state, rng.state)
    return state


def _of(rounds: list[Any], stage: int) -> tuple[Floats, Floats]:
    """Return inputs and targets of the samples of a stage, in points."""
    chosen = np.concatenate([samples[samples[:, 0] == stage] for samples in rounds])
    return chosen[:, LABELS:] / INPUT_ONE, chosen[:, 2] / 100.0
