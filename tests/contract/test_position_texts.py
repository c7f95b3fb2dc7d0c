"""The text and the packed form of a position are exact inverses, and what is no position is refused where it stands."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bosquet
from bosquet.core.installed import variants
from bosquet.core.position import Fields, Position, Word
from bosquet.core.rng import Rng
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import to_json
from tests.cases import CASES, every_game
from tests.contract.positions import every_ply, viewers

TEXTED = [(name, options) for name, options in CASES if bosquet.spec(name).module("position") is not None]
FUZZ = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@every_game
def test_texts_and_bytes_go_there_and_back(name: str, options: dict[str, Any]) -> None:
    if (name, options) not in TEXTED:
        pytest.skip("it has no texts")
    for game in itertools.chain(every_ply(name, options, 1), every_ply(name, options, 2, 60)):
        for viewer in viewers(game) if len(game.moves) % 5 == 0 or game.seat is None else ():
            position = game.position(viewer)
            for form in (str(position), position.pack()):
                again = bosquet.position(form)
                assert again == position
                assert hash(again) == hash(position)
                assert (str(again), again.pack()) == (str(position), position.pack())
                assert again.state.pack().tobytes() == position.state.pack().tobytes()
            assert (position.seat, position.over, position.viewer) == (game.seat, game.over, viewer)
            assert (position.options, position.spec) == (game.options, game.spec)
            assert to_json(position.view()) == to_json(game.view(viewer))
            assert position.legal() == (game.legal() if viewer == game.seat else [])
            assert position.determinize(3) == position.determinize(3)


@pytest.mark.parametrize("name", [*variants()])
def test_variants_have_texts_too(name: str) -> None:
    for seed in range(20):
        game = bosquet.new(name, seed=seed)
        pick = Rng(seed)
        while not game.over:
            for viewer in viewers(game):
                assert bosquet.position(str(game.position(viewer))) == game.position(viewer)
                assert bosquet.position(game.position(viewer).pack()) == game.position(viewer)
            game.play(pick.choice(game.legal()))


def test_a_box_that_is_not_the_house_s_stands_in_the_text() -> None:
    rows = [["GKA", "...", "..."]] * 16 + [["G..", ".K.", "..A"]] * 16
    box = {"deck": rows, "tiles": [20, 15, 14], "starts": [["a1", "b1", "c1"], ["a7", "b7", "c7"]]}
    game = bosquet.new("schlossgarten", players=2, seed=1, box=box)
    text = str(game.position(1))
    assert "/deck=___:___:GKA," in text
    assert "/tiles=20.15.14/starts=a1.b1.c1,a7.b7.c7/" in text
    assert bosquet.position(text) == game.position(1)
    assert bosquet.position(text).view().box == game.view(1).box  # type: ignore[attr-defined]


@functools.cache
def texts() -> list[str]:
    """Positions of every game with its options."""
    found = []
    for (name, options), seed in itertools.product(TEXTED, (1, 2)):
        plies = [game.position(viewer) for game in every_ply(name, options, seed, 90) for viewer in viewers(game)]
        found += [str(position) for position in plies[seed::17]]
    return found


@st.composite
def broken(draw: st.DrawFn) -> tuple[str, str]:
    """The text of a position, and the same with a few characters, words or fields changed."""
    text = draw(st.sampled_from(texts()))
    fields = text.split("/")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(fields) - 1))
        how = draw(st.sampled_from(["other", "drop", "twice", "swap", "character", "characters"]))
        if how == "other":
            others = [field for field in draw(st.sampled_from(texts())).split("/") if field[:3] == fields[at][:3]]
            fields[at] = draw(st.sampled_from(others)) if others else fields[at]
        elif how == "drop" and len(fields) > 1:
            del fields[at]
        elif how == "twice":
            fields.insert(at, fields[at])
        elif how == "swap":
            other = draw(st.integers(0, len(fields) - 1))
            fields[at], fields[other] = fields[other], fields[at]
        else:
            place = draw(st.integers(0, len(fields[at])))
            new = draw(
                st.text(max_size=2) if how == "characters" else st.sampled_from([*"-.,=:@_0123456789GKATWBRYEN"])
            )
            fields[at] = fields[at][:place] + new + fields[at][place + draw(st.integers(0, 2)) :]
    return text, "/".join(fields)


@FUZZ
@given(broken())
def test_of_a_broken_text_only_a_position_or_its_error_comes(texts: tuple[str, str]) -> None:
    _, text = texts
    try:
        position = bosquet.position(text)
    except bosquet.PositionError:
        return
    assert str(position) == text
    play_on(position)


@FUZZ
@given(broken())
def test_what_the_module_of_a_game_takes_can_be_played(texts: tuple[str, str]) -> None:
    """Without the comparison of the text, so that more than what is written right gets through."""
    original = bosquet.position(texts[0])
    spec: Any = original.spec
    state = spec.new_state(original.options)
    try:
        fields = Fields([Word(word, "field", 1) for word in texts[1].split("/")[1:]])
        spec.module("position").read_position(state, original.viewer, fields)
    except bosquet.PositionError:
        return
    play_on(Position(spec, original.options, original.viewer, state))


def play_on(position: Position) -> None:
    """A position can be viewed, written, read, determinized and played to its end."""
    assert bosquet.position(str(position)) == position
    assert bosquet.position(position.pack()) == position
    rules = position.spec.rules
    assert position.spec.conceal(position.state, position.viewer) == position.state
    state, rng, moves = position.determinize(1), Rng("play on"), [0] * rules.MAX_MOVES
    assert position.spec.conceal(state, position.viewer) == position.state
    while state.seat != NOBODY:
        if state.seat == CHANCE:
            rules.sample_chance(state, rng.state)
        else:
            n = rules.legal(state, moves)
            assert n
            rules.play(state, moves[rng.below(n)])
    assert rules.winners(state)


@FUZZ
@given(st.data())
def test_of_broken_bytes_only_a_position_or_its_error_comes(data: st.DataObject) -> None:
    packed = bytearray(bosquet.position(data.draw(st.sampled_from(texts()))).pack())
    begin = 0 if data.draw(st.booleans()) else packed.index(0) + 1
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(begin, min(len(packed) - 1, begin + 700)))
        packed[at] = data.draw(st.integers(0, 255))
    try:
        position = bosquet.position(bytes(packed))
    except bosquet.PositionError:
        return
    assert position.pack() == bytes(packed)
    play_on(position)


@pytest.mark.parametrize(
    "given", [None, 7, 1.5, [], {}, "", "/", "chess/players=2", "x" * 5000, "topas\0", "\ud800", b"", b"\0", b"topas"]
)
def test_anything_else_is_refused(given: Any) -> None:
    with pytest.raises(bosquet.PositionError):
        bosquet.position(given)


def test_a_game_without_the_module_has_views_and_moves_of_positions() -> None:
    """What works without a module `position`, and what an error names as the remedy."""
    if "tide" not in bosquet.GAMES:
        pytest.skip("the game of the tests is not installed")
    game = bosquet.new("tide", players=2, seed=1)
    position = game.position(0)
    assert position.legal() == game.legal()
    assert to_json(position.view()) == to_json(game.view(0))
    assert game.spec.view.view(position.determinize(1), 0) == game.view(0)
    for use in (lambda: str(position), position.pack, lambda: bosquet.position("tide/players=2/view=0")):
        with pytest.raises(bosquet.PositionError, match="no module `position`"):
            use()
