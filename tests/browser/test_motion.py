"""What moves is, at each moment of its motion, where it should be: near where it ends, or on the way there."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.helpers.motion import astray, motions, play_watched, unseen, watch
from tests.browser.helpers.tables import ME, RANDOM, open_table

MOVING = {
    "topiary": ["(?i)g .*visitor at", "(?i)(svg|g) .*: gap", "(?i)button .*Put"],
    "topas": ["g card .*second half to", "g card .*laid by", "g ground"],
    "schlossgarten": ["g body .*held", "g pawn", "BUTTON .*Card"],
}
"""What has to be seen in motion, by name."""


@pytest.mark.parametrize("game", MOVING)
def test_what_moves_is_near_its_place(visit: Visit, game: str) -> None:
    page = visit(motion=True)
    open_table(page, game, {"players": 2}, [ME, RANDOM])
    seen = play_watched(page, game, 7, MOVING[game])
    assert unseen(seen, MOVING[game]) == []
    assert [wrong for wrong in map(astray, seen) if wrong] == []


def test_the_pictures_of_the_start_page_sway_about_their_place(visit: Visit) -> None:
    page = visit("/", motion=True)
    page.get_by_role("button", name="Play now").first.wait_for()
    watch(page)
    for card in page.locator("article[data-game]").all():
        card.hover()
        page.wait_for_timeout(400)
    seen = motions(page)
    names = {" ".join(motion["name"].split()[:2]) for motion in seen}
    assert {"path ripple", "g walker", "g held", "rect fall", "path spark"} <= names
    assert [wrong for wrong in map(astray, seen) if wrong] == []
