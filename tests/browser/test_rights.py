"""What is shown before a move, and what those who play may do about the game itself, with two browsers at a table."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, RANDOM, finished, joined, open_table, opened, setting

FRIEND = {"kind": "friend"}
HERE = {"kind": "here", "name": "Cyd"}


def chosen(page: Page, way: str) -> None:
    """Choose one of the ways of the menu, by keyboard."""
    menu = page.get_by_label("This game", exact=True)
    menu.focus()
    menu.press("Enter")
    page.get_by_role("button", name="Give up…").wait_for()
    more = page.get_by_text("More", exact=True)
    if more.count():
        more.press("Enter")
    button = page.get_by_role("button", name=way)
    expect(button).to_be_visible()
    button.focus()
    button.press("Enter")


def test_two_people_play_plainly_and_one_resigns(visit: Visit) -> None:
    host, friend = visit(), visit(phone=True)
    table = open_table(host, "topiary", {"players": 2}, [ME, FRIEND])
    joined(host, friend, table)
    for page in (host, friend):
        page.wait_for_selector("[data-number]")
        expect(page.get_by_text("which moves are allowed, not what they score")).to_be_visible()
    mover = host if host.locator("h1").inner_text() == "Your turn" else friend
    spots = mover.locator("g.free[role=button]")
    expect(spots.first).to_be_visible()
    labels = spots.evaluate_all("all => all.map(spot => spot.getAttribute('aria-label'))")
    assert len(labels) > 20
    assert not [label for label in labels if re.search("point|sees", label)]
    spots.first.focus()
    expect(mover.locator("g.lens")).to_have_count(1)
    expect(mover.locator("g.lens text")).to_have_count(0)

    chosen(host, "Offer to end it")
    expect(host.get_by_text("Not all have agreed yet")).to_be_visible()
    expect(friend.get_by_text("Ann offers to end the game as it stands.")).to_be_visible()
    assert violations(friend) == []
    friend.get_by_role("button", name="Decline").click()
    expect(host.get_by_text("Ann offers")).to_have_count(0)
    declined = host.get_by_text("The offer to end the game was not accepted.")
    expect(declined).to_be_visible()
    assert violations(host) == []
    expect(friend.get_by_text("not accepted")).to_have_count(0)
    host.locator(".proposal").get_by_role("button", name="Close").click()
    expect(declined).to_have_count(0)
    chosen(host, "Offer to void it")
    host.locator(".proposal").get_by_role("button", name="Take it back").click()
    expect(host.locator(".proposal")).to_have_count(0)

    chosen(friend, "Give up…")
    dialog = friend.get_by_role("dialog")
    expect(dialog).to_contain_text("The game ends, and the other side wins.")
    assert violations(friend) == []
    dialog.get_by_role("button", name="Play on").click()
    expect(dialog).to_have_count(0)
    chosen(friend, "Give up…")
    dialog.get_by_role("button", name="Give up").click()
    for page, resigned in ((host, "Bea has resigned"), (friend, "You have resigned")):
        expect(page.get_by_text("Ann wins", exact=True)).to_be_visible()
        expect(page.locator("h1")).to_have_text(resigned)
    assert finished(host)["ending"]["how"] == "resigned"
    host.get_by_role("link", name="Step through it").click()
    host.keyboard.press("End")
    expect(host.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(host.get_by_text("Bea has resigned")).to_be_visible()
    host.goto("/")
    expect(host.get_by_text("Won by Ann, by resignation")).to_be_visible()


def test_who_leaves_is_replaced_and_who_is_left_voids_the_game(visit: Visit) -> None:
    host, friend = visit(phone=True), visit()
    table = open_table(host, "topas", {"players": 4}, [ME, FRIEND, HERE, RANDOM])
    joined(host, friend, table)
    friend.wait_for_selector("[data-number]")
    chosen(friend, "Leave…")
    dialog = friend.get_by_role("dialog")
    expect(dialog).to_contain_text("Your seat is kept and the game waits.")
    assert violations(friend) == []
    dialog.get_by_label("Bot").select_option("level1")
    dialog.get_by_role("button", name="Leave it to the bot").click()
    expect(friend.get_by_text("You are watching")).to_be_visible()
    expect(friend.get_by_label("This game", exact=True)).to_have_count(0)
    lift = host.get_by_role("button", name=re.compile("I am (Ann|Cyd)"))
    chosen_seat = host.get_by_text("Bea has left the game. Daisy plays on.")
    # The bots play on until it is the turn of one of the two here.
    expect(lift.or_(host.locator("h1").filter(has_text="Your turn")).first).to_be_visible()
    if lift.count():
        lift.click()
    expect(chosen_seat).to_be_visible()
    assert violations(host) == []
    chosen(host, "Void it…")
    host.get_by_role("dialog").get_by_role("button", name="Void it").click()
    for page in (host, friend):
        expect(page.get_by_text("This game is void").first).to_be_visible()
    assert "result" in (record := finished(host))
    assert (record["result"], record["ending"]["how"], len(record["left"])) == (None, "void", 1)
    host.goto("/")
    expect(host.get_by_text("void", exact=True)).to_be_visible()


def test_what_is_shown_is_chosen_when_a_table_is_set(visit: Visit) -> None:
    page = visit("/")
    page.locator("article[data-game=schlossgarten]").get_by_role("button", name="Set up a table…").click()
    shown = page.get_by_label("Shown before a move")
    expect(shown).to_have_value("full")
    page.get_by_label("Seat 2").select_option("friend")
    expect(shown).to_have_value("plain")
    page.get_by_label("Seat 2").select_option("level1")
    shown.select_option("plain")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("[data-number]")
    expect(page.locator("h1")).to_have_text("Your turn")
    page.locator(".cards button").first.click()
    expect(page.get_by_text("Looking for figures")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    page.get_by_label("Allow hints").check()
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    page.goto("/")
    expect(page.get_by_text("no points shown").first).to_be_visible()
    dialog = setting(page, "topas")
    shown = dialog.get_by_label("Shown before a move")
    expect(shown).to_have_value("plain")
    shown.select_option("none")
    expect(dialog.get_by_text("As with the real box")).to_be_visible()
    assert opened(page, dialog)["assistance"] == "none"


def test_who_waits_is_told_when_no_moves_will_be_shown(visit: Visit) -> None:
    page = visit()
    for assistance, told in (("none", 1), ("plain", 0)):
        open_table(page, "topiary", {"players": 2}, [ME, FRIEND], assistance)
        expect(page.get_by_role("heading", name="Invite a friend")).to_be_visible()
        expect(page.get_by_text("shows no moves")).to_have_count(told)
