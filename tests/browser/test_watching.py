"""A visitor who watches: to the end, back through the game and into the next one, always as nobody of the table."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, PLAY_ON, RANDOM, open_table, wait_for_turn

HEAR = """() => {
    const Socket = WebSocket;
    globalThis.heard = [];
    globalThis.WebSocket = class extends Socket {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => data && heard.push(JSON.parse(data)));
        }
    };
}"""


def is_nobody(page: Page) -> None:
    """Nothing on the page, or told to it, is that of a seat."""
    expect(page.locator("h1").first).not_to_have_text(re.compile("Your turn"))
    assert "you, to move" not in page.locator("body").inner_text()
    for told in page.evaluate("heard"):
        if told["type"] == "table":
            assert told["mine"] == [], json.dumps(told)
        assert told["type"] != "position" or told["view"]["over"], "a page that has the engine is sent no views"
        if told["type"] == "known":
            assert told["viewpoint"] is bosquet.position(told["position"]).viewer is None, json.dumps(told)


def test_who_watches_is_nobody_from_the_first_move_into_the_rematch(visit: Visit) -> None:
    player = visit()
    table = open_table(player, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(player)
    watcher = visit()
    watcher.add_init_script(f"({HEAR})()")
    watcher.goto(f"/table/{table}")
    expect(watcher.locator("h1").first).to_have_text(re.compile("Ann"))
    is_nobody(watcher)
    player.evaluate(PLAY_ON, table)
    expect(watcher.get_by_text("The game is over").first).to_be_attached()
    is_nobody(watcher)
    watcher.locator(".next a[href^='/replay/']").click()
    watcher.get_by_role("button", name="To the end").click()
    watcher.keyboard.press("Home")
    watcher.go_back()
    expect(watcher.get_by_text("The game is over").first).to_be_attached()
    is_nobody(watcher)
    player.locator(".next button.main").click()
    player.wait_for_url(lambda url: table not in url)
    watcher.locator(".next a.main").click()
    watcher.wait_for_url(lambda url: table not in url)
    expect(watcher.locator("h1").first).to_be_visible()
    is_nobody(watcher)


def test_a_stranger_watches_what_is_listed_and_bots_where_nothing_is(visit: Visit) -> None:
    stranger = visit()
    stranger.add_init_script(f"({HEAR})()")
    stranger.goto("/")
    stranger.get_by_role("button", name="Watch two bots").click()
    board = stranger.locator("[data-number]")
    expect(board).to_be_visible()
    expect(board).not_to_have_attribute("data-number", "0")
    is_nobody(stranger)

    player = visit()
    table = open_table(player, "topas", {"players": 2}, [ME, RANDOM], watched=True)
    assert wait_for_turn(player)
    stranger.goto("/")
    expect(stranger.get_by_role("button", name="Watch two bots")).to_have_count(0)
    stranger.locator(f"a[href='/table/{table}']").click()
    expect(player.get_by_text("1 is watching").first).to_be_attached()
    expect(board).to_be_visible()
    expect(stranger.get_by_text("You see it 10 seconds later.")).to_be_attached()
    is_nobody(stranger)
