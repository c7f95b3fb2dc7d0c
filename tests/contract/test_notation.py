"""Notation is exact: one text for one move, and every other text is refused with IllegalMove and nothing else."""

from __future__ import annotations

import functools
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bosquet
from bosquet.core.game import Game
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import CASES, actions_of, every_size
from tests.helpers.rows import each_row

each_game = pytest.mark.parametrize("name", bosquet.GAMES)
examples = settings(max_examples=150, deadline=None, derandomize=True, database=None)

STRANGE = " \t\n\0,@+-_/.0123456789abcdegxKGAWTBRYNSEWé²٣１a\u0301\u200b\ud800"
SLIPS = ["put", "leave", "change", "turn", "twice", "upper", "lower"]


@functools.cache
def positions(name: str) -> tuple[list[Game], list[str]]:
    """Some positions of a game with any options, and notation of moves that are legal in some of them."""
    rng = random.Random(name)
    games, texts = [], set()
    for seed, options in enumerate(options for game, options in CASES if game == name):
        met = [game.copy() for game in every_ply(name, options, seed)]
        for game in met:
            texts.update(rng.sample(game.legal(), min(3, len(game.legal()))))
            texts.update(game.moves[-1:] if game.chance_due else [])
        due = [game for game in met if game.chance_due]
        games += [met[0], met[-1], *rng.sample(met, min(6, len(met))), *due[:1]]
    return games, sorted(texts)


def check(game: Game, text: str) -> None:
    """A text is a legal move written exactly so, or it is refused and nothing has changed."""
    legal = game.legal()
    state, record = game.state, game.record()
    if game.seat is not None:
        try:
            action = game.spec.notation.parse(game.state, text)
        except bosquet.IllegalMove:
            assert text not in legal
        else:
            assert 0 <= action < game.spec.rules.ACTIONS
            assert game.spec.notation.to_notation(game.state, action) == text
            assert (text in legal) == (action in actions_of(game))
    if text not in legal and not (game.chance_due and text.startswith("pile ")):
        with pytest.raises(bosquet.IllegalMove) as caught:
            game.play(text)
        assert "\n" not in str(caught.value)
    assert (game.state, game.record(), game.legal()) == (state, record, legal)


@each_game
@examples
@given(st.text(max_size=30), st.data())
def test_any_text(name: str, text: str, data: st.DataObject) -> None:
    check(data.draw(st.sampled_from(positions(name)[0])), text)


@each_game
@examples
@given(st.data())
def test_notation_with_a_slip(name: str, data: st.DataObject) -> None:
    """A character put in, left out or changed, words turned round, of a move that is legal somewhere."""
    games, texts = positions(name)
    text = data.draw(st.sampled_from(texts))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        kind = data.draw(st.sampled_from(SLIPS))
        match kind:
            case "put":
                text = text[:at] + data.draw(st.sampled_from(STRANGE)) + text[at:]
            case "leave":
                text = text[:at] + text[at + 1 :]
            case "change":
                text = text[:at] + data.draw(st.sampled_from(STRANGE)) + text[at + 1 :]
            case "turn":
                text = " ".join(data.draw(st.permutations(text.split(" "))))
            case "twice":
                text = text + " " + text
            case _:
                text = getattr(text, kind)()
    check(data.draw(st.sampled_from(games)), text)


@pytest.mark.parametrize(
    "name", ["topiary", *(pytest.param(name, marks=pytest.mark.slow) for name in ("topas", "schlossgarten"))]
)
def test_numbers_are_written_in_one_way(name: str) -> None:
    """No `+1`, no `01`, no `-0`, no digits of other scripts."""
    tried = 0
    for game in positions(name)[0]:
        for text in game.legal()[:: max(1, len(game.legal()) // 3)]:
            for number in re.finditer(r"\d+", text):
                digits = number[0]
                wide = "".join(chr(ord("０") + int(digit)) for digit in digits)
                for other in ("0" + digits, "+" + digits, "-" + digits, digits + ".0", digits + "_", wide, "00" * 999):
                    check(game, text[: number.start()] + other + text[number.end() :])
                    tried += 1
    assert tried > 50


@every_size
def test_every_move_of_other_positions_is_refused(name: str, options: dict[str, Any]) -> None:
    """All that was legal earlier in the game and is not now."""
    earlier: set[str] = set()
    rng = random.Random(f"{name}{options}")
    tried = 0
    for game in every_ply(name, options, 2, 120):
        stale = sorted(earlier - set(game.legal()))
        for text in rng.sample(stale, min(5, len(stale))):
            check(game, text)
            tried += 1
        earlier.update(game.legal())
    assert tried > 20


@each_game
@each_row("thing", [None, 0, 3.5, True, b"stop", [], ["stop"], {}, {"move": "stop"}, object()])
def test_what_is_no_text_is_refused(name: str, thing: Any) -> None:
    for game in positions(name)[0]:
        before = game.state
        with pytest.raises(bosquet.IllegalMove):
            game.play(thing)
        assert game.state == before


@pytest.mark.parametrize("text", ["pile \ud800", "", "pile 1 1"])
def test_a_shuffle_of_strange_text_is_refused(text: str) -> None:
    spec = bosquet.spec("schlossgarten")
    with pytest.raises(bosquet.IllegalMove):
        spec.notation.apply_chance(spec.new_state(bosquet.new("schlossgarten").options), text)
