"""The page's types are those of the messages."""

from __future__ import annotations

from bosquet.core.view import View
from bosquet.server.http.message_types import message_types
from bosquet.server.http.typescript import typescript


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


def test_what_an_engine_tells_of_cards_is_typed() -> None:
    text = typescript()
    assert "export interface ReachableFigures {\n  card: number;\n  figures: Figure[];\n}" in text


def test_what_may_be_left_out_is_optional() -> None:
    assert "  bot?: string | null;" in typescript()
