"""The coach judges by what a seat knew, finds what was thrown away, and says the same every time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.core.spec import check_options
from bosquet.lab import coach
from bosquet.search import Task
from tests.contract.helpers.positions import determinized
from tests.helpers.cases import CASES, case_of_each_size, every_size, every_size_briefly, parameters, walk

FEW = 5
"""Simulations for a decision: so few that plain Python is quick enough."""


@every_size
def test_decisions_are_all_moves_of_the_seats_in_order(name: str, options: dict[str, Any]) -> None:
    (*_, game) = walk(name, options, 3)
    plies = list(itertools.chain.from_iterable(coach.decisions(game)))
    assert [ply.number for ply in plies] == [number for number, _, _ in game.numbered_plies()]
    assert [game.spec.notation.to_notation(ply.state, ply.action) for ply in plies] == [
        game.moves[ply.number] for ply in plies
    ]
    for together in coach.decisions(game):
        assert len({ply.state.seat for ply in together}) == 1
        if name == "schlossgarten":
            assert len({ply.state.turn for ply in together}) == 1
            assert together[0].action < 36  # a turn begins with a card
        else:
            assert len(together) == 1


@every_size_briefly
def test_moves_as_data_are_those_of_the_view(name: str, options: dict[str, Any]) -> None:
    (*_, game) = walk(name, options, 8, 30)
    for together in coach.decisions(game)[-3:]:
        first = together[0]
        decision = coach.weigh(game, together, FEW)
        view: Any = game.spec.view.view(first.state, first.state.seat)
        for choice in [decision.made, *decision.best] if decision else []:
            assert choice.data[0] in view.moves


@every_size_briefly
def test_what_is_hidden_plays_no_part_in_the_best_choices(name: str, options: dict[str, Any]) -> None:
    compared = 0
    for game in itertools.islice(walk(name, options, 6), 2, None, 31):
        if game.seat is None:
            continue
        other = determinized(game, game.seat, Rng("another world"))
        choices = [coach.best(world.view(game.seat), Rng("same"), FEW) for world in (game, other)]
        assert choices[0] == choices[1]
        assert [choice.value for choice in choices[0]] == sorted((c.value for c in choices[0]), reverse=True)
        for choice in choices[0]:
            assert len(choice.points) == len(choice.wins) == game.players
            assert abs(sum(choice.wins) - 1) < 0.001
        compared += 1
    assert compared


@pytest.mark.parametrize(("name", "options"), CASES)
def test_learned_values_put_choices_in_order_where_that_plays_better(name: str, options: dict[str, Any]) -> None:
    given = check_options(bosquet.spec(name), options)
    expert_with_two = name == "topas" and given["players"] == 2 and given["expert"]
    assert coach.Judge(name, given).learned == (name == "topiary" or expert_with_two)


def test_chances_and_points_are_those_of_rollouts_in_any_order() -> None:
    game = short("topiary", 6, lambda view: view.moves[0].say)
    assert game.seat is not None
    task = Task(game.state, game.seat, (game.parse(game.legal()[0]),))
    plain, learned = (
        coach.Judge("topiary", game.options, FEW, learned=learned).weigh(task, Rng(1)) for learned in (False, True)
    )
    assert plain.choice.value != learned.choice.value
    assert plain.choice == msgspec.structs.replace(learned.choice, value=plain.choice.value)
    assert plain.won == learned.won


def solved_endings(name: str, options: dict[str, Any], games: int) -> Iterator[tuple[Game, list[coach.Ply], Any]]:
    """Finished games with each of their decisions that is solved, and the exact values by action, best first."""
    for seed in range(games):
        (*_, game) = walk(name, options, seed)
        for plies in coach.decisions(game)[-4:]:
            judge = coach.Judge(name, game.options, FEW)
            view = game.spec.view.view(plies[0].state, plies[0].state.seat)
            found = judge.search.search(view, Rng(1))
            if found.simulations == 0 and not coach.is_forced(game, plies):
                yield game, plies, {one.candidate: round(one.value, 5) for one in found.candidates}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "options"),
    [("topiary", {"players": 2}), ("topiary", {"players": 3}), ("topas", {"players": 2, "expert": True})],
)
def test_solved_endings_are_judged_by_their_exact_values(name: str, options: dict[str, Any]) -> None:
    """So few simulations would put many of them in another order."""
    solved = 0
    for game, plies, values in solved_endings(name, options, 8):
        ply, seat = plies[0], plies[0].state.seat
        view = game.spec.view.view(ply.state, seat)
        twin = game.spec.view.determinize(view, Rng("another world"))
        hints = coach.best(view, Rng("same"), FEW)
        assert hints == coach.best(game.spec.view.view(twin, seat), Rng("same"), FEW)
        decision = coach.weigh(game, plies, FEW)
        assert decision
        for choices in (hints, decision.best):
            assert [choice.value for choice in choices] == [*values.values()][: len(choices)]
            assert all(
                choice.value == values[game.spec.notation.parse(ply.state, choice.moves[0])] for choice in choices
            )
            chances = [choice.wins[seat] for choice in choices]
            assert chances == sorted(chances, reverse=True)
            assert all(sum(choice.wins) == pytest.approx(1, abs=0.001) for choice in choices)
        assert decision.made.value == values.get(ply.action, decision.made.value)
        assert decision.best[0].wins[seat] >= decision.made.wins[seat]
        solved += 1
    assert solved > 5


def short(name: str, moves: int, pick: Any) -> Game:
    """A game in which seat 0 picks its moves so, and the others greedily."""
    game = bosquet.new(name, seed=4)
    bot = bosquet.bots.make("greedy")
    while game.seat is not None and len(game.moves) < moves:
        view: Any = game.view(game.seat)
        game.play(pick(view) if game.seat == 0 else bot.choose(view, Rng(len(game.moves))))
    return game


@pytest.mark.compiled
@pytest.mark.slow
def test_what_is_within_the_noise_is_weighed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = short("topas", 12, lambda view: view.moves[0].say)
    twice = list(coach.analyse(game, 60))
    monkeypatch.setattr(coach, "CLOSER", 1)
    once = list(coach.analyse(game, 60))
    assert [a for a, b in zip(once, twice, strict=True) if a.loss and a != b] == []
    assert any(b.loss > a.loss for a, b in zip(once, twice, strict=True))


@pytest.mark.compiled
@pytest.mark.slow
def test_points_given_away_are_found() -> None:
    worst = short("topas", 6, lambda view: min(view.moves, key=lambda move: move.points).say)
    made = list(coach.analyse(worst, 60))
    report = coach.report(worst, made)
    assert report.lost[0] > report.lost[1]
    assert report.costliest
    costliest = made[report.costliest[0]]
    assert costliest.seat == 0
    assert costliest.reason is not None
    assert costliest.reason.kind == "given_away"
    assert costliest.reason.points >= 5
    assert costliest.best[0].gain - costliest.made.gain == costliest.reason.points
    assert costliest.made.moves == [worst.moves[costliest.ply]]


@pytest.mark.parametrize(("name", "options"), parameters(case_of_each_size(), ()))
def test_a_report_is_whole_and_always_the_same(name: str, options: dict[str, Any]) -> None:
    game = next(game for game in walk(name, options, 8) if len(game.moves) == 9)
    made = list(coach.analyse(game, FEW))
    assert made == list(coach.analyse(game, FEW))
    report = coach.report(game, made)
    assert sum(report.lost) == pytest.approx(sum(decision.loss for decision in made))
    for decision in made:
        assert (decision.reason is None) == (decision.loss == 0)
        assert 0 <= decision.loss <= 1
        assert decision.best[0].value >= decision.made.value
        for choice in (decision.made, *decision.best):
            assert [move.say for move in choice.data] == choice.moves
        start = decision.ply
        assert game.moves[start : start + len(decision.made.moves)] == decision.made.moves
    losses = [made[i].loss for i in report.costliest]
    assert losses == sorted(losses, reverse=True)
    assert all(losses)


def test_forced_moves_are_no_decisions() -> None:
    game = bosquet.new("topiary", seed=1)
    rows = {ply.number: ply for plies in coach.decisions(game) for ply in plies}
    assert not rows
    assert list(coach.analyse(game, FEW)) == []
    assert coach.report(game, []).costliest == []


def test_who_is_not_to_move_gets_no_advice() -> None:
    game = bosquet.new("topas", seed=1)
    for viewer in (1, None):
        with pytest.raises(BosquetError, match="nothing to decide"):
            coach.best(game.view(viewer), Rng(1), FEW)
