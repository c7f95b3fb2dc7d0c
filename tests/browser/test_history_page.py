"""What one has played: an empty page for newcomers, then sums, plots and a list that is searched."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, expect

from bosquet.server.store.sqlite_file import DATABASE
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, RANDOM, RESIGN, ask_for_table

GAMES = 60


def play_before(page: Page, folder: Path) -> None:
    """Give the visitor a past: games against a level and a friend."""
    (cookie,) = (one["value"] for one in page.context.cookies() if one["name"] == "bosquet")
    guest, rng = cookie.partition(".")[0], random.Random(1)
    with closing(sqlite3.connect(folder / DATABASE, timeout=20)) as connection, connection:
        for number in range(GAMES):
            table, ended = f"past{number:03}", f"2026-{1 + number // 28:02}-{1 + number % 28:02}T18:00:00.000Z"
            game = "topiary" if number % 3 else "topas"
            connection.execute(
                "INSERT INTO finished (id, game, options, assistance, ended) VALUES (?, ?, '{}', 'plain', ?)",
                (table, game, ended),
            )
            own, mine, theirs = number % 2, 30 + number // 3 + rng.randrange(12), 40 + rng.randrange(12)
            outcome = "won" if mine > theirs else "shared" if mine == theirs else "lost"
            friend = number % 5 == 0
            for seat in (0, 1):
                who = (guest, "Ann", None) if seat == own else ("bea", "Bea", None) if friend else (None, "L", "level3")
                mark = mine if seat == own else theirs
                cost = round(0.5 * rng.random(), 2) if number % 4 == 1 and seat == own else None
                connection.execute(
                    "INSERT INTO results (table_id, seat, guest, name, bot, program, again, stood_in, game, players,"
                    " ended, whole, outcome, score, place, cost, decisions)"
                    " VALUES (?, ?, ?, ?, ?, 0, 0, 0, ?, 2, ?, 1, ?, ?, ?, ?, 20)",
                    (table, seat, *who, game, ended, outcome, mark, 1 if mark == max(mine, theirs) else 2, cost),
                )


def test_a_newcomer_is_shown_the_way_and_then_finds_the_games(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit("/", by_way_of=server)
    page.locator("footer").get_by_role("link", name="Past games").click()
    expect(page.get_by_role("heading", name="Nothing on this server yet")).to_be_visible()
    assert violations(page) == []

    table = ask_for_table(page, "topas", {"players": 2}, [ME, RANDOM])
    page.evaluate(RESIGN, table)
    page.reload()
    expect(page.get_by_text("Rates and plots over time appear here")).to_be_visible()
    expect(page.get_by_role("region", name="By game")).to_have_count(0)
    expect(page.get_by_role("search")).to_have_count(0)
    play_before(page, tmp_path)
    page.reload()
    expect(page.get_by_text(f"{GAMES + 1} games")).to_be_visible()
    totals = page.get_by_role("region", name="By game").get_by_role("row").filter(has_text="Topiary")
    expect(totals).to_contain_text(f"of {GAMES * 2 // 3}")
    expect(page.get_by_role("table", name="Against bots")).to_contain_text("of ")
    expect(page.get_by_role("img", name="Points at the end of each game. 40 games")).to_be_visible()
    page.get_by_text("As a table").first.click()
    expect(page.get_by_role("region", name="Points at the end of each game").get_by_role("row")).to_have_count(41)
    page.get_by_role("combobox", name="Which games").select_option(label="Topas, 2 players")
    expect(page.get_by_role("img", name="Points at the end of each game. 20 games")).to_be_visible()
    assert violations(page) == []

    rows = page.get_by_role("region", name="All games").get_by_role("article")
    expect(rows).to_have_count(30)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(60)
    form = page.get_by_role("search")
    form.get_by_label("Person").fill("be")
    expect(rows).to_have_count(12)
    expect(rows.first).to_contain_text("Bea")
    form.get_by_label("To", exact=True).fill("2026-01-05")
    expect(rows).to_have_count(1)
    form.get_by_label("Result").select_option("shared")
    expect(page.get_by_text("No game matches.")).to_be_visible()
    form.get_by_role("button", name="Clear").click()
    expect(rows).to_have_count(30)
    expect(rows.first).to_contain_text("by resignation")
    rows.first.get_by_role("link", name="Replay").click()
    expect(page).to_have_url(f"{server}/replay/{table}")

    # The way back leads to the place in the list that was left, with what was searched for.
    page.get_by_role("link", name="Back to my games").click()
    expect(rows.first.get_by_role("link", name="Replay")).to_be_focused()
    form.get_by_label("To", exact=True).fill("2030-01-05")
    expect(page).to_have_url(f"{server}/history?to=2030-01-05")
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(60)
    rows.first.get_by_role("link", name="Coach").click()
    expect(page.get_by_role("heading", name="What the coach says")).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(60)
    expect(rows.first.get_by_role("link", name="Replay")).to_be_focused()
    expect(form.get_by_label("To", exact=True)).to_have_value("2030-01-05")

    phone = visit("/history", by_way_of=server, phone=True, dark=True)
    phone.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 800})
        phone.reload()
        expect(phone.get_by_text(f"{GAMES + 1} games")).to_be_visible()
        phone.get_by_role("article").get_by_role("article").first.wait_for()
        assert phone.evaluate("document.documentElement.scrollWidth") == width
    assert violations(phone) == []
