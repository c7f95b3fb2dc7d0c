"""The waiting room: who is there, a seat for a bot, a table that is given up."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Visit, serving
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, PLAY_ON, RANDOM, open_table, wait_for_turn

FRIEND = {"kind": "friend"}
HERE = {"kind": "here", "name": "Cleo"}


def test_the_host_need_not_wait_for_a_friend(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "topas", {"players": 2}, [ME, FRIEND])
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for the table to fill")
    assert violations(page) == []
    page.get_by_role("button", name=re.compile("Let a bot play")).click()
    assert wait_for_turn(page)
    expect(page.get_by_role("list", name="Players")).to_contain_text("Clover")


def test_a_table_is_closed_for_everybody(visit: Visit) -> None:
    host, friend = visit(), visit()
    open_table(host, "topas", {"players": 2}, [ME, FRIEND])
    friend.goto(host.get_by_label("Link to this table").input_value())
    expect(friend.get_by_role("button", name="Sit down")).to_be_visible()
    expect(friend.get_by_role("button", name=re.compile("Let a bot play|Close the table"))).to_have_count(0)
    host.get_by_role("button", name="Close the table").click()
    for page in (host, friend):
        expect(page.get_by_role("heading", level=1)).to_have_text("This table is closed")
        expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
    host.get_by_role("link", name="To the start page").click()
    host.locator("article[data-game]").first.wait_for()
    expect(host.get_by_role("heading", name="Continue")).to_have_count(0)


@pytest.mark.quick
def test_people_at_one_screen_are_not_all_you(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 3}, [ME, HERE, FRIEND])
    expect(page.get_by_text("at this screen", exact=True)).to_have_count(2)
    expect(page.get_by_text("you", exact=True)).to_have_count(0)


def test_a_listed_table_can_be_joined_while_its_host_is_there(visit: Visit) -> None:
    host, friend = visit(), visit("/")
    open_table(host, "topas", {"players": 2}, [ME, FRIEND], listed=True)
    friend.get_by_role("button", name=re.compile("Sit down at this table of Topas")).click()
    friend.wait_for_selector("[data-number]")
    host.wait_for_selector("[data-number]")


def test_two_who_play_with_anybody_meet(visit: Visit) -> None:
    ann, bea = visit("/"), visit("/", phone=True, dark=True)
    find = ann.get_by_role("button", name="Play with anybody")
    find.click()
    expect(ann.get_by_role("alert").filter(has_text="Nobody waits right now")).to_be_visible()
    game = ann.get_by_role("combobox", name="Game")
    expect(game).to_be_focused()
    game.select_option("schlossgarten")
    ann.get_by_role("combobox", name="Players").select_option("3")
    find.click()
    expect(ann.get_by_text("Anybody can sit down from the start page")).to_be_visible()
    expect(ann.get_by_text("The page shows")).to_have_count(0)
    expect(ann.get_by_text("Dealt fairly")).to_have_text("Dealt fairly")
    assert violations(ann) == []

    row = bea.get_by_role("article").filter(has=bea.get_by_role("button", name=re.compile("Sit down .*Schlossgarten")))
    expect(row).to_have_count(1)
    bea.get_by_role("combobox", name="Players").select_option("2")
    expect(row).to_have_count(0)
    bea.get_by_role("combobox", name="Game").select_option("topas")
    bea.get_by_role("combobox", name="Players").select_option("0")
    expect(row).to_have_count(0)
    bea.get_by_role("combobox", name="Game").select_option("schlossgarten")
    expect(row).to_have_count(1)
    assert violations(bea) == []
    for width in (390, 320):
        bea.set_viewport_size({"width": width, "height": 800})
        assert bea.evaluate("document.documentElement.scrollWidth") == width
    bea.get_by_role("combobox", name="Players").select_option("3")
    bea.get_by_role("button", name="Play with anybody").click()
    expect(ann.get_by_text("1 seat is free")).to_be_visible()
    expect(bea).to_have_url(ann.url)


def test_my_tables_are_told_apart_and_can_be_removed(visit: Visit) -> None:
    page = visit()
    over = open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, over)
    waits = open_table(page, "topas", {"players": 2}, [ME, FRIEND])
    page.get_by_text("Waiting for the table to fill").wait_for()
    mine = open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.goto("/")
    running, past = (
        page.locator("section", has=page.get_by_role("heading", name=name)).get_by_role("article")
        for name in ("Continue", "Past games")
    )
    expect(running).to_have_count(2)
    places = [row.get_by_role("link").get_attribute("href") for row in (running.nth(0), running.nth(1), past)]
    assert places == [f"/table/{table}" for table in (mine, waits, over)]
    expect(running.nth(0)).to_contain_text("Your turn")
    expect(past).to_contain_text("Won by")
    assert violations(page) == []
    past.get_by_role("button", name="Remove from my list").click()
    expect(page.get_by_role("heading", name="Past games")).to_have_count(0)
    page.get_by_role("button", name="Bring it back").click()
    expect(past).to_have_count(1)
    running.nth(0).get_by_role("button", name="Remove from my list").click()
    expect(running).to_have_count(1)
    page.reload()
    expect(running).to_have_count(1)


def test_a_bot_may_stand_in_for_one_who_is_gone(visit: Visit) -> None:
    """The page is told that two minutes are over, so that the test need not wait for them."""
    page, friend = visit(phone=True), visit()
    asked: list[dict[str, Any]] = []

    def later(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def tell(message: str | bytes) -> None:
            if not message:  # a heartbeat
                page_side.send(message)
                return
            told = json.loads(message)
            for seat in told.get("seats", []):
                seat["gone"] = not seat["here"]
            page_side.send(json.dumps(told))

        def ask(message: str | bytes) -> None:
            if message:
                asked.append(json.loads(message))
            server_side.send(message)

        server_side.on_message(tell)
        page_side.on_message(ask)

    page.route_web_socket(re.compile("/live"), later)
    open_table(page, "topas", {"players": 2}, [ME, FRIEND])
    friend.goto(page.get_by_label("Link to this table").input_value())
    friend.get_by_role("textbox").fill("Bea")
    friend.get_by_role("button", name="Sit down").click()
    page.wait_for_selector("[data-number]")
    expect(page.get_by_role("button", name="Let a bot stand in")).to_have_count(0)
    friend.goto("/")
    page.get_by_role("button", name="Let a bot stand in").click()
    expect(page.get_by_role("alert")).to_be_visible()  # the server knows better
    names = page.locator("[aria-label='Players'] .name").all_inner_texts()
    seat = names.index("Bea")
    assert asked[-1] == {"type": "give", "seat": seat, "bot": "level2", "name": "Bea"}
    assert violations(page) == []


def test_one_press_lets_friends_in_the_network_in_and_one_sends_them_away(visit: Visit, tmp_path: Path) -> None:
    with serving(tmp_path, None, "--network", "127.0.0.2") as address:
        ann = visit(by_way_of=address)
        open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
        ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        link = ann.get_by_label("Link to this table")
        expect(ann.get_by_text("everybody in this network")).to_be_visible()
        expect(link).not_to_be_visible()  # nothing is offered to be sent that opens on this machine only
        expect(ann.get_by_role("img", name="QR code of the link")).to_have_count(0)
        assert violations(ann) == []

        ann.get_by_role("button", name="Open to this network and copy the link").click()
        expect(link).to_have_value(re.compile(r"^http://127\.0\.0\.2:\d+/table/[\w-]+#"))
        expect(ann.get_by_role("button", name="Copied")).to_be_visible()
        assert ann.evaluate("navigator.clipboard.readText()") == link.input_value()
        expect(ann.get_by_role("img", name="QR code of the link")).to_be_visible()
        assert violations(ann) == []
        origin, path = link.input_value().split("/table/")
        bea = visit(f"/table/{path}", by_way_of=origin)
        bea.get_by_label("Your name").fill("Bea")
        bea.get_by_role("button", name="Sit down").click()
        assert bea.wait_for_selector("[data-number]")
        expect(bea.get_by_role("button", name="Close to this network")).to_have_count(0)

        expect(ann.get_by_role("button", name="Close to this network")).to_be_visible()
        ann.goto("/")  # the server is open until that is ended, wherever its host is
        ann.get_by_role("button", name="Close to this network").click()
        expect(ann.get_by_role("button", name="Close to this network")).to_have_count(0)
        expect(bea.get_by_text("The connection is lost")).to_be_visible()
