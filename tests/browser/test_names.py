"""Names: a garden name for those who choose none, and bots in the language of the reader."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import FRIEND, ME, PLAY_ON, open_table

CLOVER = {"kind": "bot", "bot": "level2", "name": "Clover"}


def test_who_chooses_no_name_is_given_one_and_keeps_it(visit: Visit) -> None:
    ann = visit("/")
    field = ann.get_by_label("You play as")
    given = field.get_attribute("placeholder") or ""
    assert given not in ("", "Guest")
    ann.reload()
    expect(field).to_have_attribute("placeholder", given)
    ann.get_by_role("button", name="Play now").first.click()
    expect(ann.get_by_role("list", name="Players")).to_contain_text(given)


def test_bots_are_called_in_the_readers_language(visit: Visit) -> None:
    ann, bea = visit(), visit(language="de-DE")
    table = open_table(ann, "topas", {"players": 3}, [ME, FRIEND, CLOVER])
    invitation = ann.locator("input[readonly]").input_value().partition("#")[2]
    bea.goto(f"/table/{table}#{invitation}")
    expect(bea.get_by_text("Klee")).to_be_visible()
    bea.get_by_role("button", name="Hinsetzen").click()
    for page, name in ((ann, "Clover"), (bea, "Klee")):
        page.wait_for_selector("[data-number]")
        expect(page.locator("ol .name", has_text=name)).to_have_count(1)
    bea.goto("/")
    expect(bea.get_by_role("article").filter(has=bea.locator("time"))).to_contain_text("Klee")


def test_a_replay_calls_bots_in_the_readers_language(visit: Visit) -> None:
    page = visit(language="de-DE")
    table = open_table(page, "topas", {"players": 2}, [ME, CLOVER])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    page.goto(f"/replay/{table}")
    players = page.get_by_role("list", name="Spieler")
    expect(players).to_contain_text("Klee")
    expect(players).not_to_contain_text("Clover")
