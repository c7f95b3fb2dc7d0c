"""Render modes: the terminal's drawing as text and as a picture in which every sign can be told."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import ImageFont
from rich.console import Console

import bosquet
from bosquet.drawing.lattice import JOINTS
from bosquet.env.picture import DRAWN, LETTER, SHAPE
from bosquet.env.render import check_mode, render
from bosquet.terminal import draw
from tests.helpers.cases import every_size, walk

NAMES = ["seat_0", "greedy", "level6", "you"]


@every_size
def test_every_position_becomes_text_and_a_picture(
    name: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    names = NAMES[: options["players"]]
    font = ImageFont.load_default(LETTER)
    missing = bytes(font.getmask("\uffff"))
    frames = set()
    for game in walk(name, options, 51):
        if len(game.moves) % 9 and not game.over:
            continue
        for viewer in {None, game.seat}:
            view = game.view(viewer)
            text = render("ansi", view, names)
            plain = io.StringIO()
            Console(file=plain, width=80, color_system=None).print(draw(view, names))
            assert "\x1b[" in text
            assert len(text.splitlines()) == len(plain.getvalue().splitlines())
            for sign in set(plain.getvalue()) - set(DRAWN) - set(JOINTS) - {"\n"}:
                assert bytes(font.getmask(sign)) != missing, sign
            picture = render("rgb_array", view, names)
            assert picture.shape == SHAPE
            assert picture.dtype == np.uint8
            frames.add(picture.tobytes())
        assert render("human", game.view(None), names) is None
        assert all(name in capsys.readouterr().out for name in names[:1])
    assert len(frames) > 2


def test_other_modes_are_refused() -> None:
    assert check_mode(None, "topas") is None
    with pytest.raises(bosquet.OptionError, match="human, ansi, rgb_array"):
        check_mode("film", "topas")
    with pytest.raises(bosquet.OptionError, match="topas_tiny is a variant: it is not drawn"):
        check_mode("ansi", "topas_tiny")
