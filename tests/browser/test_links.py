"""Links as messengers, mail programs and people pass them on."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import FRIEND, ME, open_table

MANGLED = {
    "as it is": "{table}#{mark}",
    "encoded": "{table}%23{mark}",
    "encoded twice": "{table}%2523{mark}",
    "the end of a sentence": "{table}#{mark}.",
    "in brackets": "{table}#{mark}).",
    "in angles": "{table}#{mark}%3E",
    "a space that nobody sees": "{table}#{mark}\u200b",
    "followed": "{table}?fbclid=IwAR1&utm_source=x#{mark}",
    "followed behind the mark": "{table}#{mark}?utm_source=x",
    "slashes": "/{table}/#{mark}",
    "capitals": "{capitals}#{mark}",
}


def a_table(host: Page) -> tuple[str, str]:
    """Open a table for two; return it and its invitation."""
    table = open_table(host, "topas", {"players": 2}, [ME, FRIEND])
    return table, host.get_by_label("Link to this table").input_value().partition("#")[2]


def test_an_invitation_counts_as_it_arrives(visit: Visit) -> None:
    host, friend = visit(), visit()
    table, mark = a_table(host)
    origin = host.url.partition("/table/")[0]
    for link in MANGLED.values():
        friend.goto("about:blank")  # so that the next one is loaded, where only what follows the # is another
        friend.goto(origin + link.format(table=f"/table/{table}", mark=mark, capitals=f"/TABLE/{table}"))
        expect(friend.locator("h1"), link).to_have_text("A seat is free for you")
        assert friend.url.endswith(f"#{mark}"), link
    friend.get_by_role("button", name="Sit down").click()
    friend.wait_for_selector("[data-number]")


def test_no_seat_is_promised_before_the_invitation_was_checked(visit: Visit) -> None:
    host, friend = visit(), visit()
    table, right = a_table(host)
    for mark in ("#x", f"#{right[:-3]}", f"#{right}x", ""):
        friend.goto("about:blank")
        friend.goto(f"/table/{table}{mark}")
        expect(friend.locator("h1"), mark).to_have_text("You are watching")
        expect(friend.get_by_text("does not open a seat" if mark else "need an invitation"), mark).to_be_visible()
        expect(friend.get_by_role("button", name="Sit down"), mark).to_have_count(0)


def test_while_it_can_not_be_checked_no_seat_is_promised(visit: Visit) -> None:
    host, friend = visit(), visit()
    table, mark = a_table(host)
    friend.route(re.compile("/invitation$"), lambda route: route.abort("internetdisconnected"))
    friend.goto(f"/table/{table}#{mark}")
    expect(friend.get_by_text("1 seat is free")).to_be_visible()
    friend.wait_for_timeout(1000)
    expect(friend.get_by_role("button", name="Sit down")).to_have_count(0)
    friend.unroute(re.compile("/invitation$"))
    expect(friend.get_by_role("button", name="Sit down")).to_be_visible()


OTHERS = {
    "/today/2026-11-25).": "Deals of the day",
    "/rules/Topas#score,": "Topas",
    "/me%23abc.": "This is me",
    "/privacy.": "privacy",
    "/puzzles?utm_source=x": "Puzzles",
}
"""What leads to a page, and what its heading says."""


def test_other_links_lead_where_they_should(visit: Visit) -> None:
    page = visit()
    for path, heading in OTHERS.items():
        page.goto(path)
        expect(page.locator("main h1")).to_contain_text(re.compile(heading, re.IGNORECASE))


def test_a_pasted_text_with_a_link_leads_to_its_table(visit: Visit) -> None:
    host, friend = visit(), visit("/")
    _, mark = a_table(host)
    friend.get_by_text("Watch a table whose link you have").click()
    field = friend.get_by_label("Link of a table")
    field.fill(f"Come! <{host.url}#{mark}>, it is fun")
    field.press("Enter")
    expect(friend.locator("h1")).to_have_text("A seat is free for you")
