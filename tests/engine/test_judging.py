"""Hints and the coach's decisions in an engine, compiled for this processor, against those of `lab.coach`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.engine import build
from bosquet.engine.judging import (
    LINES,
    add_line,
    hindsight_in_tenthousandths,
    know_all,
    know_as,
    list_lines,
    loss_in_hundredths,
    loss_in_tenthousandths,
    rank_choices,
    reason,
    reason_in_tenths,
    weigh,
)
from bosquet.engine.looking_ahead import look_ahead
from bosquet.engine.searching import gather, rank, read_settings, run_simulations, start_search
from bosquet.kernels.jit import bind, kernel
from bosquet.lab import coach, verdicts
from bosquet.lab.chances import fitted
from bosquet.search.learned_weights import required_weights
from tests.engine.helpers.node_engine import NodeEngine
from tests.helpers.cases import actions_of, every_size_compiled, walk

SIMULATIONS = 30
CLOSER = coach.CLOSER
HINT, COACH = range(2)
LOSS, POINTS, HINDSIGHT, REASON, TENTHS = range(5)


@kernel
def copy_words(source: Any, target: Any) -> None:
    """Copy the state of a generator."""
    for i in range(4):
        target[i] = source[i]


@kernel
def judged(m: Any, purpose: int, simulations: int, most: int, length: int, made: Any, seeds: Any, found: Any) -> int:
    """Weigh the candidates of a position, for the coach those that were made, too; return the number of that line."""
    read_settings(m)
    m.rounds = 0
    if purpose == HINT:
        know_as(m, m.table.seat)
    else:
        know_all(m)
    n = start_search(m, 0, 1)
    solved = int(n > 0)
    if n == 0:
        run_simulations(m, simulations)
        n = gather(m)
    rows = rank(m, n)
    list_lines(m, rows, solved, most)
    line = -1
    if purpose == COACH:
        for i in range(length):
            m.plan[i] = made[i]
        line = add_line(m, length, rows * solved)
    for i in range(m.line_count):
        if purpose == COACH:
            copy_words(seeds[1], m.rng)
            weigh(m, i, 1, simulations)
            copy_words(seeds[0], m.rng)
        weigh(m, i, 0, simulations)
    best = rank_choices(m)
    if purpose == COACH:
        found[LOSS] = loss_in_tenthousandths(m, line, simulations)
        if (found[LOSS] == 0) & (best != line):
            for i in range(m.line_count):
                copy_words(seeds[0], m.rng)
                weigh(m, i, 0, CLOSER * simulations)
            rank_choices(m)
            found[LOSS] = loss_in_tenthousandths(m, line, CLOSER * simulations)
        found[POINTS] = loss_in_hundredths(m, line)
        found[HINDSIGHT] = hindsight_in_tenthousandths(m, line)
        found[REASON] = reason(m, line)
        found[TENTHS] = reason_in_tenths(m, line)
    return line


def new_memory(game: GameSpec) -> Any:
    """The memory of an engine as an array of one record, which may not have the bytes of the state a second time."""
    laid = build.memory(game)
    return np.zeros(1, laid[[name for name in laid.names or () if name != "table_bytes"]])


class Engine:
    """The memory of an engine, and its kernels bound to a game."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.spec = spec(name)
        self.memory = new_memory(self.spec)
        self.judged = bind(judged, build.bindings_of(self.spec))
        fit = fitted(name, options)
        self.memory["sharpness"] = 0.0 if fit is None else fit.sharpness

    def judge(
        self, purpose: int, state: Any, rng: Rng, most: int, made: tuple[int, ...] = (), number: int = 0
    ) -> tuple[list[int], int]:
        """Run `judged`; return its numbers and the line that was made."""
        self.memory["table"] = state.pack()
        self.memory["rng"][0] = rng.state
        seeds = np.array([Rng("worlds", number).state, Rng("real", number).state], np.int64)
        found, line = np.zeros(5, np.int64), np.array([*made, 0], np.int64)
        made_line = self.judged(self.memory[0], purpose, SIMULATIONS, most, len(made), line, seeds, found)
        return found.tolist(), int(made_line)

    def choices(self, state: Any) -> list[tuple[Any, ...]]:
        """Return the choices as they are in the memory, the best first: moves, wins, points, gain, value."""
        m, made = self.memory[0], []
        width = len(m["line_actions"]) // LINES
        for line in m["choice_order"][: m["line_count"]].tolist():
            at, moves = state.copy(), []
            for action in m["line_actions"][width * line :][: m["line_length"][line]].tolist():
                moves.append(self.spec.notation.to_notation(at, action))
                self.spec.rules.play(at, action)
            rows = [m[name].reshape(-1, 4)[line, : state.players].tolist() for name in ("choice_wins", "choice_points")]
            made.append((moves, *rows, m["choice_gain"][line], m["choice_value"][line]))
        return made


def told(choices: list[coach.Choice]) -> list[tuple[Any, ...]]:
    return [(choice.moves, choice.wins, choice.points, choice.gain, choice.value) for choice in choices]


@pytest.mark.slow
@every_size_compiled
def test_hints_are_those_of_the_coach(name: str, options: dict[str, Any]) -> None:
    engine = Engine(name, options)
    for i, game in enumerate(walk(name, options, 5)):
        if game.seat is None or i % 15:
            continue
        found = coach.best(game.view(game.seat), Rng(i), SIMULATIONS, 3, learned=False)
        engine.judge(HINT, game.state, Rng(i), 3)
        assert engine.choices(game.state) == told(found)


@pytest.mark.slow
@every_size_compiled
def test_decisions_are_those_of_the_coach(name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "model_with_weights", lambda game, options: None)
    engine = Engine(name, options)
    *_, game = walk(name, options, 6)
    reasons = set()
    for plies in itertools.islice(coach.decisions(game), 0, None, 5):
        decision = coach.weigh(game, plies, SIMULATIONS)
        if decision is None:
            continue
        state, number = plies[0].state, plies[0].number
        made = tuple(ply.action for ply in plies)
        found, line = engine.judge(COACH, state, Rng("coach", 1, number), coach.CANDIDATES, made, number)
        choices = engine.choices(state)
        assert choices[: coach.CANDIDATES] == told(decision.best)
        assert choices[engine.memory[0]["choice_order"].tolist().index(line)] == told([decision.made])[0]
        assert [x / parts for x, parts in zip(found[:3], (10_000, 100, 10_000), strict=True)] == [
            decision.loss,
            decision.loss_points,
            decision.hindsight,
        ]
        if decision.reason is not None:
            assert verdicts.KINDS[found[REASON]] == decision.reason.kind
            assert found[TENTHS] / 10 == decision.reason.points
            reasons.add(decision.reason.kind)
    assert reasons or options["players"] == 1 or name == "schlossgarten"  # few of its decisions are dear


@pytest.mark.slow
@pytest.mark.compiled
def test_a_move_that_is_not_among_the_best_of_a_solved_ending_has_its_exact_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coach, "model_with_weights", lambda game, options: None)
    name, options = "topiary", check_options(spec("topiary"), {"players": 2})
    engine, judge = Engine(name, options), coach.Judge(name, options, SIMULATIONS)
    *_, game = walk(name, options, 7)
    compared = 0
    for first, *_ in coach.decisions(game)[-10:]:
        state, number = first.state, first.number
        exact = judge.candidates(game.spec.view.view(state, state.seat), Rng("coach", 1, number), 99)
        if None in exact.values() or len(exact) <= coach.CANDIDATES:
            continue
        made = list(exact)[-1]
        decision = coach.weigh(game, [first._replace(action=made[0])], SIMULATIONS)
        assert decision is not None
        _, line = engine.judge(COACH, state, Rng("coach", 1, number), coach.CANDIDATES, made, number)
        choices = engine.choices(state)
        assert choices[engine.memory[0]["choice_order"].tolist().index(line)] == told([decision.made])[0]
        compared += 1
    assert compared


@pytest.mark.compiled
def test_an_engine_looks_ahead_as_the_bot_does() -> None:
    from bosquet.games.topas import solitaire

    game_spec = spec("topas")
    memory = new_memory(game_spec)
    for field, array in solitaire.stored_weights().items():
        memory["lookahead"][field][0] = array.ravel()
    look = bind(look_ahead, build.bindings_of(game_spec) | {"choose_ahead": solitaire.choose_ahead})
    player = solitaire.Player(1)
    for game in itertools.islice(walk("topas", {"players": 1, "expert": False}, 4), 1, 28, 6):
        memory["table"] = game.state.pack()
        assert actions_of(game)[look(memory[0], 1)] == player.choose(game.state)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("name", "options"), [("topiary", {"players": 2}), ("topas", {"players": 2, "expert": True})])
def test_hints_by_learned_values_are_those_of_the_coach(name: str, options: dict[str, Any]) -> None:
    options = check_options(spec(name), options)
    fit = fitted(name, options)
    with NodeEngine(name) as engine:
        for array, numbers in required_weights(name, options).items():
            engine.write(f"learned_{array}", numbers.tobytes())
        engine.write("sharpness", np.array([fit.sharpness if fit else 0.0]).tobytes())
        for i, game in enumerate(walk(name, options, 5)):
            if game.seat is None or i % 9:
                continue
            found = coach.best(game.view(game.seat), Rng(i), SIMULATIONS, 3)
            engine.load(game.state)
            engine.seed(Rng(i).state)
            engine.do(("know_as", game.seat), ("read_learned_settings",))
            n = engine.call("start_learned_search", 0, 1)
            solved = int(n > 0)
            if not solved:
                n = engine.do(("run_learned_simulations", SIMULATIONS), ("gather",))[1]
            lines = engine.call("list_lines", engine.call("rank", n), solved, 3)
            for line in range(lines):
                engine.call("read_settings")
                engine.write("rounds", bytes(4))
                engine.do(("weigh", line, 0, SIMULATIONS), ("read_learned_settings",))
                engine.call("value_line", line, SIMULATIONS)
            engine.call("rank_choices")
            order = engine.read("choice_order", "i4")[:lines]
            wins, points = (engine.read(f"choice_{part}", "f8").reshape(-1, 4) for part in ("wins", "points"))
            values = engine.read("choice_value", "f8")
            assert [(*wins[at, :2], *points[at, :2], values[at]) for at in order] == [
                (*choice.wins, *choice.points, choice.value) for choice in found
            ]
