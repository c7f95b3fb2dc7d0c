"""Constellation cards of every size that a box may have, and of every size that it may not. Ruling 1.4."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bosquet
from bosquet import bots
from bosquet.games.schlossgarten.constellations import OFFSETS, pattern_of, rows_of, turned_rows
from tests.differential.helpers.variety import FRAMES, random_card, random_deck
from tests.plain.schlossgarten import Pattern

Rows = list[str]


@st.composite
def cards(draw: st.DrawFn) -> Rows:
    """A card of any size that a box may have."""
    rows, columns = draw(st.sampled_from(FRAMES))
    places = draw(st.permutations(range(rows * columns)))[:3]
    marks = dict(zip(places, "KGA", strict=True))
    return ["".join(marks.get(columns * row + column, ".") for column in range(columns)) for row in range(rows)]


def offsets(rows: Rows) -> tuple[Any, Any]:
    """The ways from the king to the gardener and to the architect."""
    read = Pattern.read(rows)
    return read.gardener, read.architect


@given(cards())
def test_a_card_is_written_in_the_smallest_square_that_holds_its_figure(rows: Rows) -> None:
    written = rows_of(pattern_of(rows))
    assert offsets(written) == offsets(rows)
    assert pattern_of(written) == pattern_of(rows)
    assert rows_of(pattern_of(written)) == written
    figure = [(column, row) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark != "."]
    extent = max(max(places) - min(places) + 1 for places in zip(*figure, strict=True))
    assert len(written) == max(3, extent)
    assert all(len(line) == len(written) for line in written)


@given(cards(), st.integers(0, 3))
def test_a_card_is_turned_clockwise(rows: Rows, quarters: int) -> None:
    turned = turned_rows(rows, quarters)
    assert Pattern.read(turned) == Pattern.read(rows).rotations()[-quarters % 4]
    assert turned_rows(turned, (4 - quarters) % 4) == rows


@given(
    st.one_of(
        st.none(),
        st.integers(),
        st.text("KGA.x", max_size=7),
        st.lists(st.one_of(st.none(), st.integers(), st.text("KGA.k6", max_size=7)), max_size=7),
    )
)
def test_whatever_else_stands_for_a_card_is_read_or_refused(rows: Any) -> None:
    pattern = None
    with contextlib.suppress(bosquet.BosquetError):
        pattern = pattern_of(rows)
    if pattern is not None:
        assert 0 <= pattern < OFFSETS**2
        assert offsets(rows_of(pattern)) == offsets(rows)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from([2, 3, 4]))
def test_a_game_with_any_deck_is_recorded_and_told_as_it_is(seed: int, players: int) -> None:
    rng = random.Random(seed)
    deck = random_deck(rng)
    box = {"cards": [{"id": number, "rows": rows} for number, rows in enumerate(deck, 1)]}
    game = bosquet.new("schlossgarten", players=players, seed=seed, box=box)
    written = [rows_of(pattern_of(rows)) for rows in deck]
    assert game.record()["deal"]["deck"] == written
    while not game.over and len(game.moves) < 12:
        game.play(rng.choice(game.legal()))
    again = bosquet.load(game.record())
    assert again.view(0) == game.view(0)
    raw = bosquet.load(game.record() | {"deal": game.record()["deal"] | {"deck": deck}})  # as another program writes it
    assert raw.view(0) == game.view(0)
    for seat in (None, *range(players)):
        position = game.position(seat)
        assert bosquet.position(str(position)) == position
        assert bosquet.position(position.pack()) == position


@pytest.mark.parametrize(
    ("bot", "frame"),
    [("greedy", (2, 3)), ("greedy", (5, 1)), ("greedy", (5, 5)), ("level3", (1, 5)), ("level3", (4, 4))],
)
def test_bots_reach_the_figures_of_cards_of_this_size(bot: str, frame: tuple[int, int]) -> None:
    rng = random.Random(str(frame))
    deck = [random_card(rng, frame) for _ in range(32)]
    game = bosquet.new("schlossgarten", seed=5, box=deck)
    seats, chance = [bots.make(bot), bots.make(bot)], bosquet.Rng(5, "cards")
    while not game.over and len(game.moves) < 120:
        game.play(seats[game.seat or 0].choose(game.view(game.seat), chance))
    assert any(" build " in move for move in game.moves)
