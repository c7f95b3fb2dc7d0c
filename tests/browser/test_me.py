"""Somebody takes their seats to a phone and back, loses it, and comes back by a phrase."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, RANDOM, open_table


def make_link(page: Page) -> str:
    """The link for another device."""
    page.get_by_role("button", name="Show code and link").click()
    expect(page.get_by_role("timer")).to_contain_text("9:5")
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    return page.get_by_label("Link that makes another device yours").input_value()


def test_seats_go_to_a_phone_and_a_lost_phone_has_none(visit: Visit) -> None:
    laptop = visit()
    table = open_table(laptop, "topas", {"players": 2}, [ME, RANDOM])
    laptop.goto("/")
    laptop.locator("footer").get_by_role("link", name="This is me").click()
    laptop.get_by_label("Your name").fill("Rosalind")
    laptop.get_by_role("button", name="Save").click()
    expect(laptop.get_by_text("Your name is saved.")).to_be_attached()
    link = make_link(laptop)

    phone = visit(link, phone=True, dark=True)
    expect(phone.get_by_text("Rosalind invites it")).to_be_visible()
    assert "#" not in phone.url
    assert violations(phone) == []
    phone.get_by_role("button", name="Yes, that is me").click()
    expect(phone.get_by_role("status").filter(has_text="Welcome, Rosalind")).to_be_visible()
    expect(phone.get_by_label("Your name")).to_have_value("Rosalind")
    expect(laptop.get_by_role("status").filter(has_text="is you now as well")).to_be_visible()
    assert violations(laptop) == []
    phone.goto("/")
    phone.goto(link)  # it counts once
    expect(phone.get_by_text("does not work")).to_be_visible()
    phone.goto(f"/table/{table}")
    phone.wait_for_selector("[data-number]")

    laptop.get_by_role("button", name="Make a recovery phrase").click()
    phrase = laptop.locator("output").inner_text()
    laptop.get_by_role("button", name="Sign out: ").click()
    expect(laptop.get_by_role("button", name="Sign out", exact=True)).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(laptop.get_by_role("listitem").filter(has_text="this device")).to_have_count(1)
    expect(laptop.get_by_role("button", name="Sign out")).to_have_count(0)
    expect(phone.get_by_role("alert").filter(has_text="signed this one out")).to_be_visible()

    phone.goto("/me")
    expect(phone.get_by_role("listitem").filter(has_text="this device")).to_be_visible()  # nothing moves after it
    phone.get_by_text("I have a recovery phrase").tap()
    phone.get_by_label("Your recovery phrase").fill(phrase[:-1])
    phone.get_by_role("button", name="Bring me back").tap()
    expect(phone.get_by_text("missing or misread")).to_be_visible()
    phone.get_by_label("Your recovery phrase").fill(phrase.lower())
    phone.get_by_role("button", name="Bring me back").tap()
    expect(phone.get_by_role("status").filter(has_text="Welcome, Rosalind")).to_be_visible()
    assert [one["table"] for one in phone.request.get("/api/lobby").json()["mine"]] == [table]


def test_who_plays_as_somebody_else_is_asked_before_anything_is_given_up(visit: Visit) -> None:
    laptop, other = visit("/me"), visit()
    table = open_table(other, "topas", {"players": 2}, [ME, RANDOM])
    link = make_link(laptop)
    laptop.goto(link)
    expect(laptop.get_by_text("a device that is yours already")).to_be_visible()
    other.goto(link)
    other.get_by_role("button", name="Yes, that is me").click()
    expect(other.get_by_role("button", name="Cancel")).to_be_focused()
    other.keyboard.press("Enter")
    assert [one["table"] for one in other.request.get("/api/lobby").json()["mine"]] == [table]
    other.get_by_role("button", name="Yes, that is me").click()
    other.get_by_role("button", name="Leave them and go on").click()
    expect(other.get_by_role("status").filter(has_text="Welcome")).to_be_visible()
    assert other.request.get("/api/lobby").json()["mine"] == []
