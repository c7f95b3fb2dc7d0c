"""The coach: how much each decision of a game cost, compared with the best choice given what the seat knew.

    game = bosquet.read("game.json")
    decisions = list(coach.analyse(game))
    coach.report(game, decisions).costliest

A decision is a move, or a whole turn in games whose candidate actions are turns. The search proposes candidates; each
of them, and the choice that was made, is then simulated equally often. Where learned values are better at that, they
find the candidates and put them in order; a solved ending is put in order by its exact values. How often a seat wins
in simulations with rollouts is made a chance to win by `bosquet.lab.chances`.

If a loss is within the noise, the candidates are simulated again, `CLOSER` times as often; if it is still within the
noise, the loss is 0. The thresholds are in `lab.verdicts`. `loss` is measured in determinizations for the seat,
`hindsight` in the actual state.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from bosquet.core.errors import BosquetError
from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.state import MAX_SEATS, NOBODY
from bosquet.core.view import Move, View
from bosquet.core.view_texts import StateTexts
from bosquet.lab import verdicts
from bosquet.lab.chances import Fitted, fitted
from bosquet.lab.verdicts import rounded
from bosquet.search import Search, Settings, Task, search_model
from bosquet.search.learned_weights import model_with_weights
from bosquet.search.model import actions_of

SIMULATIONS = 400
CLOSER = 4
"""How many times as many simulations weigh a decision that seems to lose nothing, though another choice is better."""
CANDIDATES = 3
COSTLIEST = 3


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate and its estimated outcome."""

    moves: list[str]
    """Its moves in notation; a whole turn has several."""
    data: list[Move]
    """The same moves as data, with what the seat may know of them."""
    wins: list[float]
    """Win probability of every seat, 0 … 1. For the mover, a higher-valued choice never shows a lower probability."""
    points: list[float]
    """Expected points of every seat at the end."""
    gain: float
    """Immediate change of the seat's current score."""
    value: float
    """Value that the search maximizes, made of winning and the lead, 0 … 1."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a decision lost something."""

    kind: str
    """`given_away`: fewer points at once; `opened`: more points for the others; `unscored`: fewer points later."""
    points: float
    """Size of that difference, compared with the best choice."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a game."""

    ply: int
    """Index of its first move in the record."""
    seat: int
    made: Choice
    best: list[Choice]
    """The best candidates, best first; the choice that was made may be one of them."""
    loss: float

    """Win probability lost against the best choice, given what the seat knew, 0 … 1.

    0 if the difference is within the noise of the simulations. With one player, a hundredth of the points lost.
    """
    loss_points: float
    """The same in points of lead over the best other seat (with one player, in points); noisy, may be below 0."""
    hindsight: float
    """Win probability lost against the best candidate in the actual state; may be below 0."""
    reason: Reason | None
    """None if nothing, or almost nothing, was lost."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Analysis of a game."""

    game: str
    options: dict[str, Any]
    decisions: list[Decision]
    costliest: list[int]
    """Indices of the costliest decisions, costliest first."""
    lost: list[float]
    """[seat]: sum of its losses."""


class Weighed(NamedTuple):
    """A choice as it was found."""

    choice: Choice
    line: tuple[int, ...]
    """Its actions."""
    won: float
    """Share of the simulations that the seat won."""
    over: bool
    """Whether the game is over after it."""
    solved: bool
    """Whether its value is exact, from a solved ending."""


class Ply(NamedTuple):
    """A state in which a seat moved, its action, and its index in the moves of the record."""

    number: int
    state: Any
    action: int


class Judge:
    """Finds the candidates of positions, and weighs them."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any],
        simulations: int = SIMULATIONS,
        *,
        learned: bool | None = None,
        jit: bool | None = None,
    ) -> None:
        """Choose the simulations of a search, and of every weighing.

        `learned` is whether learned values find the candidates and put them in order, by default where that plays
        better. What seats win and score is estimated by rollouts: their chances are better calibrated. `jit` is
        whether to compile, by default where possible.
        """
        settings = Settings(simulations=simulations, rounds=0)
        self.game = game
        self.simulations = simulations
        self.rollouts: Search = Search(settings, jit=jit)
        if learned is None:
            model = model_with_weights(game, options)
            learned = model is not None and model.gives_better_hints(options)
        self.learned = learned
        self.search: Search = Search(settings, learned=True, jit=jit) if self.learned else self.rollouts
        self.fit: Fitted | None = fitted(game, options)

    def candidates(
        self, view: View, rng: Rng, count: int, made: tuple[int, ...] | None = None
    ) -> dict[tuple[int, ...], float | None]:
        """Return the best candidates of a search, as actions, and the choice that was made. Steps `rng`.

        Each has its exact value where the ending was solved, else None.
        """
        result = self.search.search(view, rng)
        state = spec(self.game).view.determinize(view, rng)
        model = search_model(self.game)
        solved = result.simulations == 0
        found: dict[tuple[int, ...], float | None] = {}
        for one in result.candidates:
            if len(found) == count and not solved:
                break  # of the others, only exact values are of use
            with contextlib.suppress(ValueError):  # the solver of endings has some that can't be made
                choice = tuple(actions_of(model, state, one.candidate, jit=self.search.jit))
                found[choice] = one.value if solved else None
        chosen = dict(itertools.islice(found.items(), count))
        return chosen if made is None else chosen | {made: found.get(made)}

    def weigh(self, task: Task, rng: Rng, exact: float | None = None) -> Weighed:
        """Return the choice with the estimated outcome of a task's actions, and its exact value if given.

        Steps `rng`.
        """
        found = self.rollouts.evaluate(self.game, task, rng)
        value = found.value if exact is None else exact
        if self.learned and exact is None and not task.perfect_information:
            value = self.search.evaluate(self.game, task, rng).value
        state, count = task.state.copy(), [0] * 4
        played = spec(self.game)
        played.rules.scores(state, count)
        before = count[task.viewer]
        moves, data = [], []
        for action in task.actions:
            moves.append(played.notation.to_notation(state, action))
            data.append(StateTexts(played, state).typed_move(action, task.viewer))
            played.rules.play(state, action)
        played.rules.scores(state, count)
        over = state.seat == NOBODY
        wins = found.wins if self.fit is None or over else self.fit.chances(found.wins, self.simulations)
        choice = Choice(
            moves=moves,
            data=data,
            wins=[rounded(win, 10_000) for win in wins],
            points=[rounded(points, 100) for points in found.points],
            gain=count[task.viewer] - before,
            value=rounded(value, 100_000),
        )
        return Weighed(choice, task.actions, found.wins[task.viewer], over, exact is not None)


def best(
    view: View,
    rng: Rng,
    simulations: int = SIMULATIONS,
    count: int = CANDIDATES,
    *,
    learned: bool | None = None,
) -> list[Choice]:
    """Return the best choices for the seat to move, best first, given only its view. `learned` as in `Judge`.

    Raises BosquetError if the viewer is not to move.
    """
    if view.seat is None or view.seat != view.viewer:
        raise BosquetError("the viewer has nothing to decide: another seat is to move, or the game is over")
    judge = Judge(view.game, view.options, simulations, learned=learned)
    state = spec(view.game).view.determinize(view, rng)
    lines = judge.candidates(view, rng, count)
    weighed = [judge.weigh(Task(state, view.seat, line), rng, exact) for line, exact in lines.items()]
    return [one.choice for one in _ranked(weighed, view.seat)]


def decisions(game: Game) -> list[list[Ply]]:
    """Return the plies of a game, grouped by decision."""
    same = search_model(game.name).same_decision
    found: list[list[Ply]] = []
    for ply in itertools.starmap(Ply, game.numbered_plies()):
        if found and found[-1][0].state.seat == ply.state.seat and same(found[-1][0].state, ply.state):
            found[-1].append(ply)
        else:
            found.append([ply])
    return found


def analyse(game: Game, simulations: int = SIMULATIONS) -> Iterator[Decision]:
    """Yield the analysis of every decision of a game except forced ones. The same game gives the same results."""
    for plies in decisions(game):
        decision = weigh(game, plies, simulations)
        if decision is not None:
            yield decision


def weigh(game: Game, plies: list[Ply], simulations: int = SIMULATIONS) -> Decision | None:
    """Return the analysis of one of the decisions from `decisions`, or None if it was forced."""
    if is_forced(game, plies):
        return None
    judge = Judge(game.name, game.options, simulations)
    return _decision(judge, game, plies, Rng("coach", 1, plies[0].number))


def is_forced(game: Game, plies: list[Ply]) -> bool:
    """Return whether one of the decisions from `decisions` was the only one possible."""
    rules = game.spec.rules
    return len(plies) == 1 and rules.legal(plies[0].state, [0] * rules.MAX_MOVES) == 1


def report(game: Game, made: list[Decision]) -> Report:
    """Return the report on a game from the analysis of its decisions."""
    lost = [0.0] * game.players
    for decision in made:
        lost[decision.seat] += decision.loss
    ranked = sorted(range(len(made)), key=lambda i: -made[i].loss)
    costliest = [i for i in ranked[:COSTLIEST] if made[i].reason]
    return Report(game=game.name, options=game.options, decisions=made, costliest=costliest, lost=lost)


def _decision(judge: Judge, game: Game, plies: list[Ply], rng: Rng) -> Decision:
    state, seat, number = plies[0].state, plies[0].state.seat, plies[0].number
    made_line = tuple(ply.action for ply in plies)
    lines = judge.candidates(game.spec.view.view(state, seat), rng, CANDIDATES, made_line)
    # Every candidate starts from the same seed, so that its result does not depend on the other candidates.
    real = [judge.weigh(Task(state, seat, line, perfect_information=True), Rng("real", number)) for line in lines]
    hindsight = next(one for one in real if one.line == made_line)
    for weighing in (judge, Judge(game.name, game.options, CLOSER * judge.simulations)):
        known = [weighing.weigh(Task(state, seat, line), Rng("worlds", number), exact) for line, exact in lines.items()]
        ranked = _ranked(known, seat)
        top, made = ranked[0], next(one for one in ranked if one.line == made_line)
        loss, loss_points = _loss(top, made, seat, weighing.simulations)
        if loss or made is top:
            break
    return Decision(
        ply=number,
        seat=seat,
        made=made.choice,
        best=[one.choice for one in ranked[:CANDIDATES]],
        loss=rounded(loss, 10_000),
        loss_points=rounded(loss_points, 100),
        hindsight=rounded(max(one.choice.wins[seat] for one in real) - hindsight.choice.wins[seat], 10_000),
        reason=_reason(top, made, seat) if loss else None,
    )


class _Rows(NamedTuple):
    """Choices as the kernels of `verdicts` take them."""

    values: list[float]
    wins: list[float]
    points: list[float]
    won: list[float]
    gains: list[float]
    over: list[int]
    solved: list[int]


def _rows(weighed: list[Weighed]) -> _Rows:
    return _Rows(
        values=[one.choice.value for one in weighed],
        wins=[x for one in weighed for x in _row(one.choice.wins)],
        points=[x for one in weighed for x in _row(one.choice.points)],
        won=[one.won for one in weighed],
        gains=[one.choice.gain for one in weighed],
        over=[int(one.over) for one in weighed],
        solved=[int(one.solved) for one in weighed],
    )


def _row(numbers: list[float]) -> list[float]:
    return [*numbers, *[0.0] * (MAX_SEATS - len(numbers))]


def _ranked(weighed: list[Weighed], seat: int) -> list[Weighed]:
    """Return choices of a seat, the best first, with chances in the same order."""
    n, rows = len(weighed), _rows(weighed)
    order = [0] * n
    verdicts.rank(rows.values, order, n)
    verdicts.order_wins(rows.wins, order, rows.over, rows.solved, n, seat, [0.0] * (MAX_SEATS * n), [0] * n)
    return [_with_chances(weighed[i], rows.wins[MAX_SEATS * i :]) for i in order]


def _with_chances(one: Weighed, wins: list[float]) -> Weighed:
    return one._replace(choice=msgspec.structs.replace(one.choice, wins=wins[: len(one.choice.wins)]))


def _loss(top: Weighed, made: Weighed, seat: int, simulations: int) -> tuple[float, float]:
    """Return win probability and points of lead lost against the best choice."""
    players, rows = len(made.choice.points), _rows([top, made])
    lost = verdicts.lost_chance(rows.wins, rows.points, rows.won, 0, 1, players, seat, simulations)
    return lost, verdicts.lead(rows.points, 0, players, seat) - verdicts.lead(rows.points, 1, players, seat)


def _reason(top: Weighed, made: Weighed, seat: int) -> Reason:
    """Return the reason for the largest part of the loss."""
    players, rows = len(made.choice.points), _rows([top, made])
    kind = verdicts.reason_kind(rows.points, rows.gains, 0, 1, players, seat)
    points = verdicts.reason_points(rows.points, rows.gains, 0, 1, players, seat, kind)
    return Reason(kind=verdicts.KINDS[kind], points=rounded(max(points, 0.0), 10))
