"""A page works out its views at a table of the server, and where it can't, it is sent them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, PLAY_ON, RANDOM, number, open_table, told, wait_for_more, wait_for_turn

NEWER = "newer version of this page"


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_a_page_is_sent_what_its_seat_knows_and_shows_what_that_looks_like(visit: Visit, game: str) -> None:
    page = visit()
    heard = told(page)
    table = open_table(page, game, {"players": 2}, [ME, RANDOM], "full")
    assert wait_for_turn(page)
    page.evaluate(PLAY_ON.replace("message.view.over", "message.number > 8"), table)
    wait_for_more(page, 8)
    shown = number(page)
    known = [message for message in heard if message["type"] == "known"]
    assert shown in [message["number"] for message in known]
    assert all(bosquet.position(message["position"]).viewer == message["viewpoint"] for message in known)
    assert "renew" not in [message["type"] for message in heard]


def test_a_page_whose_engine_can_not_be_had_is_sent_views(visit: Visit) -> None:
    page = visit()
    page.route("**/engines/**", lambda route: route.abort("connectionrefused"))
    heard = told(page)
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    kinds = [message["type"] for message in heard]
    assert kinds.index("known") < kinds.index("position"), "it connects again, and names no engine"
    expect(page.get_by_role("alert")).to_have_count(0)
    before = number(page)
    page.locator("g.free").first.focus()
    page.keyboard.press("Enter")
    wait_for_more(page, before)


def test_a_page_that_is_older_than_the_server_plays_on_and_offers_to_load_itself_again(visit: Visit) -> None:
    page = visit()

    def older(route: Route) -> None:
        games = route.fetch().json()
        for one in games:
            one["engine_hash"] = one["engine_hash"] and "0" * 16
        route.fulfill(json=games)

    page.route("**/api/games", older)
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    expect(page.get_by_role("alert").filter(has_text=NEWER)).to_be_visible()
    page.unroute("**/api/games")
    heard = told(page)
    page.get_by_role("button", name="Load the page again").click()
    assert wait_for_turn(page)
    expect(page.get_by_text(NEWER)).to_have_count(0)
    assert "known" in [message["type"] for message in heard]
