"""The page's types are those of the messages."""

from __future__ import annotations

from bosquet.server.http.typescript import typescript


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
