"""Reachable figures: every figure that is shown can be formed as shown, and none that can be formed is missing."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.core.records import fair
from bosquet.core.text.writing import Text
from bosquet.core.view_texts import object_written
from bosquet.games.schlossgarten.constellations import house_deck, rows_of
from bosquet.games.schlossgarten.planning.workspace import Workspace
from bosquet.games.schlossgarten.reachable import MOST, Figure, ReachableFigures, write_reachable
from bosquet.games.schlossgarten.rules import MAX_MOVES, State
from bosquet.games.schlossgarten.view import SchlossgartenView
from bosquet.kernels.jit import available, bind
from tests.contract.helpers.positions import determinized
from tests.engine.helpers.node import answers
from tests.engine.helpers.questions import SECRET, Question, deal
from tests.helpers.cases import walk
from tests.plain import schlossgarten_reachable as plain

WORKSPACE = Workspace()


def view_of(game: Game) -> SchlossgartenView:
    view = game.view(game.seat)
    assert isinstance(view, SchlossgartenView)
    return view


def positions(seed: int, phases: tuple[str, ...] = ("card", "move"), players: int | None = None) -> Iterator[Game]:
    for game in walk("schlossgarten", {"players": players or 2 + seed % 3}, seed):
        if not game.over and view_of(game).phase in phases:
            yield game


def some(seed: int, every: int, phases: tuple[str, ...] = ("card", "move")) -> list[Game]:
    return [game.copy() for i, game in enumerate(positions(seed, phases)) if i % every == seed % every]


def written(state: State, card: int) -> dict[str, Any]:
    """What the plain kernel writes of a card."""
    return object_written(write_reachable, state.copy(), card, [0] * MAX_MOVES, WORKSPACE)


@functools.cache
def _machine() -> tuple[Any, ...]:
    """The compiled kernel, and what it writes to, works with and lists moves in."""
    out, workspace = (np.zeros(1, form.dtype).view(np.recarray)[0] for form in (Text, Workspace))
    return bind(write_reachable), out, workspace, np.zeros(MAX_MOVES, np.int64)


def compiled(state: State, card: int) -> dict[str, Any]:
    """What the compiled kernel writes of a card."""
    write, out, workspace, moves = _machine()
    out.end = 0
    write(state.pack().view(np.recarray)[0], card, moves, workspace, out)
    found: dict[str, Any] = msgspec.json.decode(memoryview(out.bytes).cast("B")[: out.end])
    return found


def cards_of(game: Game) -> list[int]:
    """The cards that may be asked for."""
    view = view_of(game)
    return [card for card in (view.hand if view.phase == "card" else [view.played]) or [] if card]


def asked(game: Game) -> list[tuple[int, list[Figure]]]:
    """The cards that may be asked for, with their figures; the compiled kernel, where there is one, writes the same."""
    write = compiled if available() else written
    return [(card, msgspec.convert(write(game.state, card), ReachableFigures).figures) for card in cards_of(game)]


def by_oracle(game: Game, card: int) -> dict[str, Any]:
    """What is to be written of a card."""
    found: dict[str, Any] = msgspec.to_builtins(ReachableFigures(card, plain.reachable_figures(game.state, card)))
    return found


def formed(game: Game, card: int, figure: Figure) -> Game:
    """The game once the figure is formed as shown."""
    after = game.copy()
    if view_of(after).phase == "card":
        after.play(f"card {card}")
    for move in figure.path:
        after.play(move)
    return after


def seeds(count: int) -> pytest.MarkDecorator:
    """The number of games; the quick run takes one."""
    return pytest.mark.parametrize("seed", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, count))])


@pytest.mark.slow
@seeds(3)
def test_every_path_can_be_walked_and_the_figure_stands(seed: int) -> None:
    met = 0
    for game in some(seed, 5)[:25]:
        seat = view_of(game).seat
        assert seat is not None
        for card, figures in asked(game):
            assert len(figures) <= MOST
            for figure in figures:
                assert [move.say for move in figure.data] == figure.path
                if view_of(game).phase == "move":
                    assert all(move in view_of(game).moves for move in figure.data[:1])
                after = formed(game, card, figure)
                view = view_of(after)
                own = dict(zip("KGA", view.pawns[seat], strict=True))
                workers = [work.pawn for work in figure.works]
                assert set(workers) <= set(view.standing)
                assert figure.pawns["K"] == own["K"]
                for mark in "GA":
                    assert (figure.pawns[mark] == own[mark]) == (mark in workers) != (mark in figure.foreign)
                assert len(figure.foreign) <= 1
                met += 1
    assert met > 20


@pytest.mark.slow
@seeds(3)
def test_the_works_and_points_are_what_the_game_then_offers(seed: int) -> None:
    built = 0
    for game in some(seed, 11):
        for card, figures in asked(game):
            for figure in figures[:3]:
                after = formed(game, card, figure)
                after.play("stop")
                best = 0
                for work in figure.works:
                    digs, builds, points = offered(after, work.pawn)
                    assert sorted(work.digs) == sorted(digs)
                    assert sorted(work.builds) == sorted(builds)
                    best = max(best, points)
                    built += len(builds)
                assert figure.points == best
    assert built


def offered(game: Game, pawn: str) -> tuple[list[str], list[list[str]], int]:
    """What a worker may dig, what it may build at once or after one dig, and the most that scores."""
    moves = [move for move in view_of(game).moves if move.pawn == pawn]
    digs = [move for move in moves if move.kind == "dig"]
    builds = [move for move in moves if move.kind == "build"]
    for dig in digs:
        dug = game.copy()
        dug.play(dig.say)
        builds += [move for move in view_of(dug).moves if move.kind == "build"]
    sites = {tuple(move.cells) for move in builds}
    points = max((move.points or 0 for move in builds), default=0)
    return [dig.cells[0] for dig in digs], [list(site) for site in sites], points


@seeds(3)
def test_nothing_is_missing_and_no_path_is_longer_than_it_must_be(seed: int) -> None:
    """Against every way that the game itself allows, hits left out, with two steps to go."""
    compared = 0
    for game in some(seed, 3, ("move",)):
        if view_of(game).steps_left > 2:
            continue
        shortest: dict[tuple[str, ...], int] = {}
        for steps, cells in all_figures(game):
            shortest[cells] = min(steps, shortest.get(cells, 99))
        [(_, figures)] = asked(game)
        found = {tuple(figure.pawns[mark] for mark in "KGA"): cost(game, figure) for figure in figures}
        if len(shortest) <= MOST:
            assert found == shortest
            compared += len(found)
    assert compared


def cost(game: Game, figure: Figure) -> int:
    """The steps that a path takes."""
    after = formed(game, 0, figure)
    return view_of(game).steps_left - view_of(after).steps_left


def all_figures(game: Game) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The figures that stand after any moves without hits, with the steps made, by playing them all."""
    start = view_of(game)
    assert start.seat is not None
    met = set()
    edge = [game]
    while edge:
        here = edge.pop()
        view = view_of(here)
        key = (str(view.pawns), view.steps_left, str(view.shifted))
        if key in met:
            continue
        met.add(key)
        yield from ((start.steps_left - view.steps_left, cells) for cells in stands(here, view))
        for move in view.moves:
            if move.kind in ("step", "jump", "shift"):
                after = here.copy()
                after.play(move.say)
                edge.append(after)


def stands(game: Game, view: SchlossgartenView) -> Iterator[tuple[str, ...]]:
    """The figures of the played card that stand, read off the rows of the card."""
    card = (view.played or 1) - 1
    rows = rows_of(house_deck()[card])
    seat = view.seat or 0
    own = view.pawns[seat]
    for _ in range(4):
        marks = {mark: (x, 2 - y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}
        king = marks["K"]
        cells = [own[0]]
        for mark in "GA":
            east, north = marks[mark][0] - king[0], marks[mark][1] - king[1]
            cells.append(f"{chr(ord(own[0][0]) + east)}{int(own[0][1]) + north}")
        gardeners = [pawns[1] for pawns in view.pawns]
        architects = [pawns[2] for pawns in view.pawns]
        if cells[1] in gardeners and cells[2] in architects and (cells[1] == own[1] or cells[2] == own[2]):
            yield tuple(cells)
        rows = ["".join(row[column] for row in reversed(rows)) for column in range(3)]


@pytest.mark.slow
def test_the_best_come_first() -> None:
    for game in some(2, 9):
        for _, figures in asked(game):
            order = [(-figure.points, len(figure.path)) for figure in figures]
            assert order == sorted(order)


@pytest.mark.slow
def test_hidden_cards_change_nothing() -> None:
    rng = bosquet.Rng("hidden")
    for game in some(1, 13):
        other = determinized(game, game.seat, rng)
        assert asked(game) == asked(other)


CASES: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "work": "each", "overbuild": "elements"},
    {"players": 4, "work": "each", "overbuild": "bordering"},
]
QUICK = CASES[1]
cases = pytest.mark.parametrize(
    "options", [one if one is QUICK else pytest.param(one, marks=pytest.mark.slow) for one in CASES]
)


def played(options: dict[str, Any], seed: int) -> Iterator[Game]:
    """A game in which pawns move and subjects build where they can, at the decisions at which figures may be formed."""
    rng = random.Random(seed)
    game = bosquet.new("schlossgarten", seed=seed, **options)
    while not game.over:
        if view_of(game).phase in ("card", "move"):
            yield game
        legal = game.legal()
        building = [move for move in legal if " build " in move]
        game.play(rng.choice(building or [move for move in legal if move != "stop"] or legal))


@cases
def test_the_kernel_writes_what_plain_python_finds(options: dict[str, Any]) -> None:
    figures = 0
    for i, game in enumerate(itertools.islice(played(options, 5), 400)):
        if i % 41 == 0:
            for card in cards_of(game):
                before = game.state.copy()
                expected = by_oracle(game, card)
                assert written(game.state, card) == expected
                assert game.state == before
                figures += len(expected["figures"])
    assert figures > 20


@pytest.mark.slow
@pytest.mark.compiled
def test_the_compiled_kernel_writes_the_same() -> None:
    figures = 0
    for options in CASES:
        for i, game in enumerate(played(options, 6)):
            for card in cards_of(game) if i % 50 == 0 else ():
                found = compiled(game.state, card)
                assert found == by_oracle(game, card)
                figures += len(found["figures"])
    assert figures > 60


@cases
def test_an_engine_says_the_same_of_its_game_and_of_a_position(options: dict[str, Any]) -> None:
    """In Node; what a seat may not ask is refused there."""
    rng = random.Random(8)
    nonces = ["1"] * options["players"]
    game = fair.deal(bosquet.spec("schlossgarten"), options, SECRET, nonces)
    questions: list[Question] = [Question("deal", deal(options, nonces), None)]
    refused = {"reason": "argument", "message": "what can be reached can't be asked of this card now"}
    said = 0
    while not game.over and len(game.moves) < 400:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
            continue
        assert game.seat is not None
        may_ask = cards_of(game) if view_of(game).phase in ("card", "move") else []
        if rng.random() < 0.02:
            other = next(card for card in range(1, 33) if card not in may_ask)
            for wrong in (0, -1, 33, 1 << 33, 1.5, other):
                questions.append(Question("reachable", {"card": wrong}, refused))
            for card in may_ask:
                position, others = (
                    str(game.position(viewer)) for viewer in (game.seat, (game.seat + 1) % game.players)
                )
                answer = by_oracle(game, card)
                said += len(answer["figures"])
                questions.append(Question("reachable", {"card": card}, answer))
                questions.append(Question("reachable", {"card": card, "position": position}, answer))
                questions.append(Question("reachable", {"card": card, "position": others}, refused))
        legal = game.legal()
        move = rng.choice([one for one in legal if " build " in one] or legal)
        game.play(move)
        questions.append(Question("play", {"move": move}, None))
    (found,) = answers("schlossgarten", [questions])
    for question, answer in zip(questions, found, strict=True):
        told = msgspec.json.decode(answer) if isinstance(answer, str) else answer
        assert question.answer in (None, told), question
    assert said > 10


def test_what_cannot_be_asked_is_not_written() -> None:
    game = bosquet.new("schlossgarten", players=2, seed=1)
    hand = cards_of(game)
    for card in {*range(-1, 34)} - {*hand}:
        assert not is_written(game, card)
    game.play(f"card {hand[0]}")
    assert is_written(game, hand[0])
    assert not is_written(game, hand[1])
    game.play("stop")
    assert not is_written(game, hand[1])


def is_written(game: Game, card: int) -> bool:
    """Whether anything is written of a card."""
    out = Text()
    write_reachable(game.state.copy(), card, [0] * MAX_MOVES, WORKSPACE, out)
    return out.end > 0
