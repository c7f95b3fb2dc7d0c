"""A screen for all around it: phones join by its link, it shows the board, and nobody's hand ever reaches it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, PLAY_THROUGH, RANDOM, ask_for_table, open_table, setting, told


def test_four_phones_play_around_a_screen(visit: Visit) -> None:
    screen = visit("/")
    heard = told(screen)
    dialog = setting(screen, "topiary")
    dialog.get_by_text("4", exact=True).click()
    for chair in dialog.locator("ol select").all():
        chair.select_option("friend")
    dialog.get_by_label("This screen is the table").check()
    asked = opened_at(screen, dialog)
    assert asked["seats"][0] == {"kind": "friend"}
    link = invitation(screen)
    phones = []
    for name in ("Ann", "Bea", "Cid", "Dot"):
        phone = visit(link, phone=True)
        phone.get_by_role("textbox").fill(name)
        phone.get_by_role("button", name="Sit down").click()
        phones.append(phone)
    expect(screen.get_by_role("region", name="The board for all")).to_be_visible()
    assert violations(screen) == []
    for phone in phones:
        expect(phone.locator("[data-number]")).to_be_visible()
    for phone in phones[1:]:
        phone.evaluate(PLAY_THROUGH.replace("new Promise(done =>", "void new Promise(done =>"), link_table(link))
    phones[0].evaluate(PLAY_THROUGH, link_table(link))
    expect(screen.locator("h1")).to_have_text("The game is over")
    known = [message for message in heard if message["type"] == "known"]
    assert len(known) > 10
    positions = [bosquet.position(message["position"]) for message in known]
    assert all(message["viewpoint"] is None for message in known)
    assert all(position.viewer is None for position in positions)
    views: list[Any] = [position.view() for position in positions if not position.over]
    assert all(view.hand is None for view in views)
    screen.get_by_role("button", name="Another game").click()
    screen.wait_for_url(re.compile(r"/screen/(?!" + link_table(link) + ")"))


def test_a_screen_of_one_who_sits_at_the_table_shows_no_hand(visit: Visit) -> None:
    page = visit()
    table = open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    expect(page.locator("[data-number]")).to_be_visible()
    heard = told(page)
    page.goto(f"/screen/{table}")
    expect(page.get_by_role("region", name="The board for all")).to_be_visible()
    (known,) = [message for message in heard if message["type"] == "known"]
    view: Any = bosquet.position(known["position"]).view()
    assert (known["viewpoint"], view.viewer, view.hand, view.moves) == (None, None, None, [])


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_nobody_has_to_scroll_a_screen(visit: Visit, game: str) -> None:
    page = visit()
    table = ask_for_table(page, game, {"players": 4}, [ME, RANDOM, RANDOM, RANDOM])
    page.goto(f"/screen/{table}")
    expect(page.get_by_role("region", name="The board for all")).to_be_visible()
    for width, height in ((1920, 1080), (1440, 900), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight") == height, (width, height)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768), (1280, 720)])
def test_what_is_said_of_a_turn_lies_beside_the_garden(visit: Visit, width: int, height: int) -> None:
    """Under it there is no room for the steps of a turn."""
    page = visit()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/screen/{ask_for_table(page, 'schlossgarten', {'players': 4}, [ME, RANDOM, RANDOM, RANDOM])}")
    garden, panel = page.locator(".garden"), page.locator(".panel")
    expect(panel).to_be_visible()
    beside, said = garden.bounding_box(), panel.bounding_box()
    assert beside is not None
    assert said is not None
    assert beside["x"] + beside["width"] <= said["x"]


def opened_at(page: Page, dialog: Any) -> Any:
    """Open the table of a dialog on a screen for all; give the body of the request."""
    with page.expect_request(lambda request: request.url.endswith("/api/tables")) as asked:
        dialog.locator("footer button.main").click()
    page.wait_for_url("**/screen/**")
    return asked.value.post_data_json


def invitation(page: Page) -> str:
    """The link by which others join."""
    field = page.locator("aside input[readonly]")
    expect(field).to_be_attached()
    return field.input_value()


def link_table(link: str) -> str:
    """The table of a link."""
    return link.split("/table/")[1].split("#")[0]
