"""The page's types are those of the messages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bosquet.core.view import View
from bosquet.server.http import typescript as types_of_the_page
from bosquet.server.http.message_types import message_types
from bosquet.server.http.typescript import typescript


def test_types_that_are_there_are_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "messages.ts"
    monkeypatch.setattr(types_of_the_page, "TARGET", target)
    target.write_text("old")
    types_of_the_page.write()
    assert target.read_text(encoding="utf-8") == typescript()
    target.chmod(0o444)
    os.utime(target, (0, 0))
    types_of_the_page.write()
    assert target.stat().st_mtime == 0


def test_every_message_is_a_type() -> None:
    text = typescript()
    assert len(message_types()) > 50
    for kind in message_types():
        if kind is not View:  # the page knows the view of each game
            assert f"export interface {kind.__name__} {{" in text


def test_a_view_tells_the_page_its_game() -> None:
    text = typescript()
    for game in ("topiary", "topas", "schlossgarten"):
        assert f'  game: "{game}";\n  options' in text
    assert "export type View = TopiaryView | TopasView | SchlossgartenView;" in text
    assert 'export type GameName = "topiary" | "topas" | "schlossgarten";' in text
    assert "export type RealGame = RealTopiary | RealTopas | RealSchlossgarten;" in text


def test_the_queries_of_a_game_are_typed() -> None:
    text = typescript()
    assert "  schlossgarten: { reachable: { argument: ReachableRequest; answer: ReachableFigures } };" in text


def test_what_may_be_left_out_is_optional() -> None:
    assert "  bot?: string | null;" in typescript()
