"""The host sends people away: from a seat before the game, and from among those who watch it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import picture, violations
from tests.browser.helpers.tables import FRIEND, ME, fits, open_table


def test_who_sits_is_sent_away_and_told(visit: Visit) -> None:
    ann, bea = visit(), visit()
    open_table(ann, "topas", {"players": 3}, [ME, FRIEND, FRIEND])
    link = ann.get_by_label("Link to this table").input_value()
    bea.goto(link)
    bea.get_by_label("Your name").fill("Bea")
    bea.get_by_role("button", name="Sit down").click()
    expect(bea.get_by_role("button", name="Send")).to_have_count(0)
    for language, width in (("de-DE", 390), ("fr-FR", 320)):
        phone = visit(phone=True, dark=True, language=language)
        phone.context.add_cookies(ann.context.cookies())  # type: ignore[arg-type]
        phone.set_viewport_size({"width": width, "height": 800})
        phone.goto(ann.url)
        expect(phone.locator("li", has_text="Bea")).to_be_visible()
        assert fits(phone)
        picture(phone, f"send-away-{language}")
        assert violations(phone) == []
        phone.context.close()
    ann.get_by_role("button", name="Send away, Bea").click()
    dialog = ann.get_by_role("dialog", name="Send Bea away?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_visible()
    assert violations(ann) == []
    picture(ann, "send-away")
    dialog.get_by_role("button", name="Cancel").click()
    expect(ann.locator("li", has_text="Bea")).to_be_visible()
    ann.get_by_role("button", name="Send away, Bea").click()
    dialog.get_by_role("button", name="Send away").click()
    expect(ann.get_by_role("status").filter(has_text="Bea was sent away.")).to_be_visible()
    expect(ann.locator("li", has_text="Free for anyone who opens the link")).to_have_count(2)
    assert ann.get_by_label("Link to this table").input_value() != link
    said = bea.get_by_role("alert").filter(has_text="The host has sent you away from this table.")
    expect(said).to_be_visible()
    assert violations(bea) == []
    picture(bea, "was-sent-away")
    bea.goto(ann.get_by_label("Link to this table").input_value())
    expect(said).to_be_visible()
    bea.get_by_role("link", name="To the start page").click()
    expect(bea.get_by_role("button", name="Play now").first).to_be_visible()


def test_who_watches_a_game_is_sent_away(visit: Visit) -> None:
    ann, bea = visit(), visit()
    open_table(ann, "topas", {"players": 2}, [ME, {"kind": "bot", "bot": "random"}])
    expect(ann.locator("[data-number]")).to_be_visible()
    expect(ann.get_by_text("Who watches")).to_have_count(0)
    bea.goto(ann.url)
    expect(bea.locator("[data-number]")).to_be_visible()
    ann.get_by_text("Who watches").click()
    row = ann.get_by_role("listitem").filter(has_text="Somebody, 1")
    expect(row).to_be_visible()
    assert violations(ann) == []
    picture(ann, "watchers")
    row.get_by_role("button", name="Send away, Somebody, 1").click()
    ann.get_by_role("dialog").get_by_role("button", name="Send away").click()
    expect(bea.get_by_role("alert").filter(has_text="The host has sent you away")).to_be_visible()
    expect(ann.get_by_text("Who watches")).to_have_count(0)
