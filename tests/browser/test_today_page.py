"""The deals of the day: played once, compared afterwards, and told to others without giving the deal away."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import expect

from bosquet import bots
from bosquet.server.store.sqlite_file import DATABASE
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import wait_for_turn

PLAY = """table => new Promise((done, fail) => {
    const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
    socket.onmessage = ({data}) => {
        const {type, number, view, viewpoint, message} = JSON.parse(data);
        if (type === "refused") fail(new Error(message));
        if (type !== "position") return;
        if (view.over) { socket.close(); done(); return; }
        if (view.seat === viewpoint)
            socket.send(JSON.stringify({type: "play", seat: viewpoint, number, move: view.moves[0].say}));
    };
})"""


def play_bots_before(folder: Path, day: str) -> None:
    """Keep where bots come out on the deal of a day, so that nobody waits for them."""
    rows = [(day, "topas", bot, 1, 30 + number, 30 + number) for number, bot in enumerate(bots.NAMES)]
    with closing(sqlite3.connect(folder / DATABASE, timeout=20)) as connection, connection:
        insert = "INSERT INTO daily_bots (day, game, bot, claimed, value, points) VALUES (?, ?, ?, ?, ?, ?)"
        connection.executemany(insert, rows)


def test_a_day_from_the_first_press_to_the_shared_result(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit("/", by_way_of=server)
    day = page.evaluate("fetch('/api/today').then(answer => answer.json())")["today"]["day"]
    play_bots_before(tmp_path, day)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name=re.compile("deals of the day")).click()
    expect(page.get_by_role("heading", name="Deals of the day")).to_be_visible()
    expect(page.get_by_text(re.compile("Next deals in"))).to_be_visible()
    expect(page.get_by_text("No streak yet")).to_be_visible()
    assert violations(page) == []

    topas = page.get_by_role("article", name="Topas")
    topas.get_by_role("button", name="Practise with another deal: Topas").click()
    page.wait_for_url("**/here/topas/*")
    assert wait_for_turn(page)
    page.go_back()
    topas.get_by_role("button", name="Play: Topas").click()
    page.wait_for_url("**/table/*")
    expect(page.get_by_text("one attempt, no hints")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("[Hh]int"))).to_have_count(0)
    table = page.url.rpartition("/")[2]
    page.get_by_role("link", name="To the deals of the day").click()
    topas.get_by_role("link", name="Go on").click()
    page.wait_for_url(f"**/table/{table}")
    page.evaluate(PLAY, table)
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(page.get_by_role("button", name="Save as a picture")).to_have_count(0)
    page.get_by_role("link", name="To the deals of the day").first.click()

    expect(topas.get_by_text("Place 1 of 1")).to_be_visible()
    expect(page.get_by_text("1 day in a row")).to_be_visible()
    expect(topas.get_by_text(re.compile(r"Ahead of \d of 9 bots"))).to_be_visible()
    expect(topas.get_by_role("img", name=re.compile("Everybody’s results"))).to_be_visible()
    topas.get_by_text("As a list").click()
    expect(topas.get_by_role("rowheader", name="Greedy")).to_be_visible()
    topas.get_by_text("Ranking", exact=True).click()
    expect(topas.get_by_role("region", name="Ranking of Topas").get_by_role("row")).to_have_count(2)
    assert violations(page) == []

    topas.get_by_role("button", name="Copy as text").click()
    expect(topas.get_by_text("Copied.")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    first, points, place, ahead, marks, link = text.split("\n")
    assert first.startswith("bosquet · Topas · ")
    assert re.fullmatch(r"\d+ points?", points)
    assert place == "Place 1 of 1"
    assert ahead == f"Ahead of {marks.count('●')} of {len(marks)} bots"
    assert link == f"{server}/today/{day}"
    assert table not in text
    with page.expect_download() as saved:
        topas.get_by_role("button", name="Save as picture").click()
    assert saved.value.suggested_filename == f"bosquet-topas-{day}.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")

    other = visit(f"/table/{table}", by_way_of=server)  # somebody who may still play
    expect(other.get_by_role("alert")).to_contain_text("This is a deal of the day")
    other.goto(f"{server}/today")
    expect(other.get_by_role("article", name="Topas")).to_contain_text("1 player has finished")
    expect(other.get_by_text("Ranking", exact=True)).to_have_count(0)

    yesterday = date.fromisoformat(day) - timedelta(1)
    page.get_by_text("The last 60 days").click()
    expect(page.locator("details", has_text="The last 60 days").get_by_role("listitem")).to_have_count(60)
    page.goto(f"{server}/today/{yesterday - timedelta(1)}")
    expect(page.get_by_role("button", name="Play late, unranked: Topas")).to_be_visible()
    expect(page.get_by_role("link", name="To today’s deals")).to_be_visible()

    phone = visit("/today", by_way_of=server, phone=True, dark=True)
    phone.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 800})
        phone.reload()
        expect(phone.get_by_text("Place 1 of 1")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") == width
    assert violations(phone) == []
