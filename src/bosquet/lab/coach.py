"""The coach: what each decision of a game was worth, against the best that the seat could have known.

    game = bosquet.read("game.json")
    decisions = list(coach.analyse(game))
    coach.report(game, decisions).costliest

A decision is a move; in Schlossgarten a whole turn. The search names the candidates; each of them, and what was made,
is then played out equally often, and a difference within the noise of that is no loss. `loss` compares in worlds that
agree with what the seat knew, drawn for each candidate anew; `hindsight` in the one world that it was.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from bosquet.bots.search import Search, Settings, Task
from bosquet.bots.search.bot import thinking_about
from bosquet.core.chance import Chance
from bosquet.core.errors import BosquetError
from bosquet.core.game import Game
from bosquet.core.view import View
from bosquet.games import rules

SIMULATIONS = 400
CANDIDATES = 3
COSTLIEST = 3
NOISE = 2.0
"""A loss below so many standard errors of the simulations counts as none: nobody could tell."""
CLOSE_POINTS = 0.5
"""Alone, where nobody wins, a loss of so many points counts as none."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could be played, and what it comes to."""

    moves: list[str]
    """Its notation; a turn of Schlossgarten has several."""
    wins: list[float]
    """Chance to win of every seat, 0 … 1."""
    points: list[float]
    """Expected points of every seat at the end."""
    gain: float
    """Points that the seat gets at once, in its own open count."""
    value: float
    """What the search goes by: winning, and the lead. 0 … 1"""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a decision cost something."""

    kind: str
    """given_away: fewer points at once · opened: the others get more · unscored: less to come for oneself."""
    points: float
    """How many, compared with the best."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a game."""

    ply: int
    """Index of its first move in the record."""
    seat: int
    made: Choice
    best: list[Choice]
    """The best candidates, the best first; what was made may be among them."""
    loss: float
    """Win chance lost against the best, given what the seat knew, 0 … 1; alone a hundredth for each point lost.

    0 where the difference is no larger than the noise of the simulations.
    """
    loss_points: float
    """The same in points of lead over the best other seat (alone, in points), with all its noise; may be below 0."""
    hindsight: float
    """Win chance lost against the best of the candidates in the world as it was; may be below 0."""
    reason: Reason | None
    """None where nothing, or next to nothing, was lost."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the coach sees it."""

    game: str
    options: dict[str, Any]
    decisions: list[Decision]
    costliest: list[int]
    """Indices of the costliest decisions, the costliest first."""
    lost: list[float]
    """Per seat the sum of its losses."""


class Ply(NamedTuple):
    """A state in which a seat moved, its action, and which move of the record it is."""

    number: int
    state: Any
    action: int


def best(view: View, chance: Chance, simulations: int = SIMULATIONS, count: int = CANDIDATES) -> list[Choice]:
    """The best choices for the seat to move, from its view alone, the best first.

    Raises BosquetError if the viewer is not to move.
    """
    if view.seat is None or view.seat != view.viewer:
        raise BosquetError("there is nothing to decide for the viewer of this view")
    search = Search(Settings(simulations=simulations, rounds=0))
    state = rules(view.game).redeal(view, chance)
    lines = _candidates(search, view, chance, count)
    choices = [_choice(search, view.game, Task(state, view.seat, line), chance) for line in lines]
    return sorted(choices, key=lambda choice: -choice.value)


def decisions(game: Game) -> list[list[Ply]]:
    """The plies of a game, those of one decision together."""
    same = thinking_about(game.name).same_decision
    found: list[list[Ply]] = []
    for ply in itertools.starmap(Ply, game.numbered_plies()):
        if found and found[-1][0].state.seat == ply.state.seat and same(found[-1][0].state, ply.state):
            found[-1].append(ply)
        else:
            found.append([ply])
    return found


def analyse(game: Game, simulations: int = SIMULATIONS) -> Iterator[Decision]:
    """Every decision of a game in turn, forced ones left out. Equal games give equal verdicts."""
    for plies in decisions(game):
        decision = weigh(game, plies, simulations)
        if decision is not None:
            yield decision


def weigh(game: Game, plies: list[Ply], simulations: int = SIMULATIONS) -> Decision | None:
    """One decision of a game, of those that `decisions` gives; None where it was forced."""
    first = plies[0]
    if game.rules.legal(first.state, [0] * game.rules.MAX_MOVES) == 1 and len(plies) == 1:
        return None
    search = Search(Settings(simulations=simulations, rounds=0))
    return _decision(search, game, plies, Chance("coach", 1, first.number))


def report(game: Game, made: list[Decision]) -> Report:
    """What the decisions of a game come to."""
    lost = [0.0] * game.players
    for decision in made:
        lost[decision.seat] += decision.loss
    ranked = sorted(range(len(made)), key=lambda i: -made[i].loss)
    costliest = [i for i in ranked[:COSTLIEST] if made[i].reason]
    return Report(game=game.name, options=game.options, decisions=made, costliest=costliest, lost=lost)


def _candidates(search: Search, view: View, chance: Chance, count: int) -> list[tuple[int, ...]]:
    """The best plans of a search, as actions."""
    options = search.verdict(view, chance).options[:count]
    state = rules(view.game).redeal(view, chance)
    actions = thinking_about(view.game).actions
    return [tuple(actions(state, option.plan)) for option in options]


def _decision(search: Search, game: Game, plies: list[Ply], chance: Chance) -> Decision:
    state, seat = plies[0].state, plies[0].state.seat
    made_line = tuple(ply.action for ply in plies)
    lines = _candidates(search, game.rules.view(state, seat), chance, CANDIDATES)
    if made_line not in lines:
        lines.append(made_line)
    # Every line starts from the same seed, so that its verdict does not depend on which others there are.
    choices = {
        line: _choice(search, game.name, Task(state, seat, line), Chance("worlds", plies[0].number)) for line in lines
    }
    real = {
        line: search.appraise(game.name, Task(state, seat, line, open_world=True), Chance("real", plies[0].number))
        for line in lines
    }
    ranked = sorted(lines, key=lambda line: -choices[line].value)
    made, top = choices[made_line], choices[ranked[0]]
    loss, loss_points = _loss(top, made, seat, search.settings.simulations)
    return Decision(
        ply=plies[0].number,
        seat=seat,
        made=made,
        best=[choices[line] for line in ranked[:CANDIDATES]],
        loss=round(loss, 4),
        loss_points=round(loss_points, 2),
        hindsight=round(max(one.wins[seat] for one in real.values()) - real[made_line].wins[seat], 4),
        reason=_reason(top, made, seat) if loss else None,
    )


def _loss(top: Choice, made: Choice, seat: int, simulations: int) -> tuple[float, float]:
    """Win chance and points of lead lost against the best."""
    points = _lead(top, seat) - _lead(made, seat)
    if len(made.points) == 1:
        return (points / 100 if points > CLOSE_POINTS else 0.0), points
    best, real = top.wins[seat], made.wins[seat]
    noise = math.sqrt((best * (1 - best) + real * (1 - real)) / simulations)
    return (best - real if best - real > NOISE * noise else 0.0), points


def _choice(search: Search, game: str, task: Task, chance: Chance) -> Choice:
    """What the actions of a task come to."""
    found = search.appraise(game, task, chance)
    state, count = task.state.copy(), [0] * 4
    played = rules(game)
    played.scores(state, count)
    before = count[task.viewer]
    moves = []
    for action in task.actions:
        moves.append(played.say(state, action))
        played.play(state, action)
    played.scores(state, count)
    return Choice(
        moves=moves,
        wins=[round(win, 4) for win in found.wins],
        points=[round(points, 2) for points in found.points],
        gain=count[task.viewer] - before,
        value=round(found.value, 5),
    )


def _lead(choice: Choice, seat: int) -> float:
    """The expected lead over the best other seat; alone, the expected points."""
    others = [points for other, points in enumerate(choice.points) if other != seat]
    return choice.points[seat] - max(others, default=0.0)


def _reason(top: Choice, made: Choice, seat: int) -> Reason:
    """What the largest part of the loss is made of."""
    others = [i for i in range(len(made.points)) if i != seat]
    given_away = top.gain - made.gain
    opened = max((made.points[i] - top.points[i] for i in others), default=0.0)
    unscored = top.points[seat] - made.points[seat]
    kinds = {"given_away": given_away, "opened": opened, "unscored": unscored}
    if given_away >= 1 and given_away >= opened:
        kind = "given_away"
    else:
        kind = "opened" if opened > unscored else "unscored"
    return Reason(kind=kind, points=round(max(kinds[kind], 0.0), 1))
