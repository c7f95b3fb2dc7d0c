"""The chat of a table: on where people came by the link, off among strangers; read aloud, reported, on phones."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import expect_in_sight, picture, violations
from tests.browser.helpers.tables import FRIEND, ME, fits, open_table

KEYBOARD = """() => {
    Object.defineProperty(visualViewport, "height", {value: 400});
    visualViewport.dispatchEvent(new Event("resize"));
}"""
"""What browsers tell a page whose lower part the keyboard of a phone's screen covers."""
LINE = "input[maxlength='200']"


def sit_down(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Your name").fill("Bea")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("[data-number]")).to_be_visible()


def chat(page: Page) -> None:
    page.locator("summary", has_text=re.compile("^(Chat|Discussion)")).click()


def write(page: Page, text: str) -> None:
    page.get_by_label("Your line").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def test_friends_write_to_each_other(visit: Visit) -> None:
    ann, bea, cyd = visit(), visit(), visit()
    open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
    sit_down(bea, ann.get_by_label("Link to this table").input_value())
    cyd.goto(ann.url)
    expect(cyd.locator("[data-number]")).to_be_visible()
    expect(cyd.locator("summary", has_text="Chat")).to_have_count(0)
    chat(ann)
    expect(ann.get_by_text("Read by Bea.")).to_be_visible()
    write(ann, "Hello <b>Bea</b>")
    line = ann.get_by_role("listitem").filter(has_text="Hello <b>Bea</b>")
    expect(line).to_be_visible()
    expect(ann.get_by_label("Your line")).to_have_value("")
    expect(bea.locator("summary", has_text="Chat (1 new)")).to_be_visible()
    expect(bea.locator("[aria-live=polite]", has_text="Ann: Hello <b>Bea</b>")).to_be_attached()
    chat(bea)
    expect(bea.locator("summary", has_text="new")).to_have_count(0)
    write(bea, "Good luck")
    expect(ann.get_by_role("listitem").filter(has_text="Good luck")).to_be_visible()
    ann.get_by_label("Your line").fill("And to")
    ann.reload()
    chat(ann)
    expect(ann.get_by_label("Your line")).to_have_value("And to")
    ann.get_by_label("Your line").fill("")
    assert violations(ann) == []
    picture(ann, "chat")
    bea.get_by_role("button", name="Report, Ann: Hello <b>Bea</b>").click()
    expect(bea.get_by_role("status").filter(has_text="can read this line.")).to_be_attached()
    expect(bea.get_by_text("Reported", exact=True)).to_be_visible()
    assert violations(bea) == []
    expect(cyd.get_by_text("Hello")).to_have_count(0)
    ann.reload()
    chat(ann)
    expect(ann.get_by_role("listitem").filter(has_text="Good luck")).to_be_visible()
    for language, width in (("de-DE", 390), ("fr-FR", 320)):
        phone = visit(phone=True, dark=True, language=language)
        phone.context.add_cookies(bea.context.cookies())  # type: ignore[arg-type]
        phone.set_viewport_size({"width": width, "height": 800})
        phone.goto(ann.url)
        expect(phone.locator("[data-number]")).to_be_visible()
        chat(phone)
        expect(phone.get_by_role("listitem").filter(has_text="Good luck")).to_be_visible()
        assert fits(phone)
        picture(phone, f"chat-{language}")
        assert violations(phone) == []
        phone.evaluate(KEYBOARD)
        expect_in_sight(phone, phone.locator(LINE))
        assert phone.locator(LINE).evaluate("line => line.getBoundingClientRect().bottom") <= 400
        phone.context.close()


def test_a_line_that_was_refused_can_be_sent_again(visit: Visit) -> None:
    ann = visit()
    open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
    sit_down(visit(), ann.get_by_label("Link to this table").input_value())
    chat(ann)
    settled = """text => document.querySelector("input[maxlength='200']").value === text
        || [...document.querySelectorAll("li p")].some((line) => line.textContent.endsWith(text))"""
    lines = [f"line {n}" for n in range(20)]
    for text in lines:
        write(ann, text)
        ann.wait_for_function(settled, arg=text)
        if ann.get_by_label("Your line").input_value():
            break
    expect(ann.get_by_label("Your line")).to_have_value(text)
    expect(ann.get_by_role("alert").filter(has_text="Wait a moment")).to_be_visible()
    expect(ann.get_by_role("listitem").filter(has_text=re.compile(f"{text}$"))).to_have_count(0)


def test_strangers_switch_it_on_and_off(visit: Visit) -> None:
    ann, bea = visit(), visit()
    table = open_table(ann, "topas", {"players": 2}, [ME, FRIEND], listed=True)
    sit_down(bea, f"/table/{table}")
    expect(ann.locator("[data-number]")).to_be_visible()
    chat(ann)
    expect(ann.get_by_text("Each of you switches it on.")).to_be_visible()
    expect(ann.get_by_label("Your line")).to_have_count(0)
    assert violations(ann) == []
    picture(ann, "chat-off")
    ann.get_by_role("button", name="Switch the chat on").click()
    expect(ann.get_by_text("Nobody else has switched it on yet.")).to_be_visible()
    write(ann, "Hello")
    expect(ann.get_by_role("listitem").filter(has_text="Hello")).to_be_visible()
    expect(bea.locator("summary", has_text="new")).to_have_count(0)
    chat(bea)
    bea.get_by_role("button", name="Switch the chat on").click()
    expect(bea.get_by_role("listitem").filter(has_text="Hello")).to_be_visible()
    expect(ann.get_by_text("Read by Bea.")).to_be_visible()
    bea.get_by_role("button", name="Switch it off").click()
    expect(bea.get_by_role("button", name="Switch the chat on")).to_be_visible()
    assert json.dumps(bea.evaluate("fetch('/api/me').then((answer) => answer.json())")).count("Hello") == 0
