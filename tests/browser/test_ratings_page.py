"""Ratings: none unless one wants them, then a curve, a leaderboard and what a game changed; gone when turned off."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, expect

from bosquet.server.store.sqlite_file import DATABASE
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, RESIGN, open_table

LEVEL = {"kind": "bot", "bot": "level2"}
GAMES = 30


def rate_before(page: Page, folder: Path) -> None:
    """Give the visitor and others ratings."""
    (cookie,) = (one["value"] for one in page.context.cookies() if one["name"] == "bosquet")
    guest = cookie.partition(".")[0]
    with closing(sqlite3.connect(folder / DATABASE, timeout=20)) as connection, connection:
        for who, name, mu in ((guest, "Ann", 1275.0), ("bea", "<b>Bea</b>", 1500.0), ("cid", "Cid", 900.0)):
            connection.execute(
                "INSERT INTO ratings (guest, game, mu, sigma, games, ended, listed_until, name)"
                " VALUES (?, 'topas', ?, 50, ?, '2026-11-01T10:00:00Z', '9999-01-01', ?)",
                (who, mu, GAMES, name),
            )
        for number in range(GAMES):
            connection.execute(
                "INSERT INTO rating_changes VALUES (?, ?, 'topas', ?, '2026-11-01T10:00:00Z', ?, ?, 9, 1)",
                (guest, f"t{number}", number + 1, 1014.0 + 9 * number, 200 - 5 * number),
            )


def test_a_rating_is_wanted_shown_changed_and_deleted(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit("/me", by_way_of=server)
    page.get_by_role("link", name="Ratings and leaderboards").click()
    board = page.get_by_role("table", name="Topiary: leaderboard")
    expect(board.get_by_role("row")).to_have_count(8)
    expect(board.get_by_role("row").nth(1)).to_contain_text(re.compile("7 · Oak.*± "))
    expect(board).to_contain_text("Yew")
    assert violations(page) == []
    page.get_by_role("button", name="I want a rating").click()
    expect(page.get_by_text("No game has counted yet.")).to_be_visible()

    rate_before(page, tmp_path)
    page.reload()
    expect(page.get_by_role("region", name="Yours")).to_contain_text("1275 ± ")
    expect(page.get_by_role("img", name="Topas over time. The last 30 games: from 1014 to 1275")).to_be_visible()
    rows = page.get_by_role("table", name="Topas: leaderboard").get_by_role("row")
    expect(rows).to_have_count(11)
    expect(rows.nth(1)).to_contain_text("<b>Bea</b>")
    expect(rows.filter(has_text="you")).to_contain_text("2")
    page.get_by_role("combobox", name="Which game").select_option(label="Topiary")
    expect(page.get_by_role("table", name="Topiary: leaderboard").get_by_role("row")).to_have_count(8)
    page.get_by_text("As a table").click()
    expect(page.get_by_role("region", name="Topas over time").get_by_role("row")).to_have_count(GAMES + 1)
    assert violations(page) == []

    table = open_table(page, "topas", {"players": 2}, [ME, LEVEL], "plain")
    page.evaluate(RESIGN, table)
    line = page.get_by_role("status").filter(has_text="Your rating")
    expect(line).to_contain_text("(−")
    table = open_table(page, "topas", {"players": 2}, [ME, LEVEL], "full")
    page.evaluate(RESIGN, table)
    expect(line).to_contain_text("does not count: the page showed what moves score")
    assert violations(page) == []
    line.get_by_role("link").click()
    expect(page.get_by_text("The last 31 games")).to_be_visible()

    phone = visit("/ratings", by_way_of=server, phone=True, dark=True)
    phone.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 800})
        phone.reload()
        expect(phone.get_by_role("row").filter(has_text="<b>Bea</b>")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") == width
    assert violations(phone) == []

    page.get_by_role("button", name="No more ratings").click()
    page.get_by_role("button", name="Delete them").click()
    expect(page.get_by_text("Your ratings are deleted.")).to_be_visible()
    expect(page.get_by_text("1275")).to_have_count(0)
    expect(page.get_by_text("<b>Bea</b>")).to_be_visible()
