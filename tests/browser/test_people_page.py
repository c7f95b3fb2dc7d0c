"""Fellow players: who has played together invites each other again, declines, blocks, and takes that back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import picture, violations
from tests.browser.helpers.tables import ME, RESIGN, open_table

FRIEND = {"kind": "friend"}
BEA = "li:has-text('Bea')"


def play_once(ann: Page, bea: Page) -> None:
    """Let two people finish a game."""
    table = open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
    bea.goto(ann.get_by_label("Link to this table").input_value())
    bea.get_by_label("Your name").fill("Bea")
    bea.get_by_role("button", name="Sit down").click()
    expect(bea.locator("[data-number]")).to_be_visible()
    ann.evaluate(RESIGN, table)
    expect(ann.get_by_role("link", name="Play again with …")).to_be_visible()


def as_on_a_phone(visit: Visit, server: str, page: Page, path: str, seen: str, name: str) -> None:
    """Look at a page of somebody on phones in the dark, one of them narrow, in the longest languages."""
    for language, width in (("de-DE", 390), ("fr-FR", 320)):
        phone = visit(by_way_of=server, phone=True, dark=True, language=language)
        phone.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
        phone.set_viewport_size({"width": width, "height": 800})
        phone.goto(path)
        expect(phone.locator(seen)).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") == width
        picture(phone, f"{name}-{language}-{width}")
        assert violations(phone) == []
        phone.context.close()


def test_who_has_played_together_plays_again_by_invitation(server: str, visit: Visit) -> None:
    ann, bea = visit("/", by_way_of=server), visit(by_way_of=server)
    ann.get_by_label("You play as").fill("Ann")
    ann.locator("footer").get_by_role("link", name="Fellow players").click()
    expect(ann.get_by_role("heading", name="Nobody yet")).to_be_visible()
    assert violations(ann) == []
    picture(ann, "none")
    play_once(ann, bea)
    bea.goto("/")
    expect(bea.get_by_role("button", name="Play now").first).to_be_visible()

    picture(ann, "ending")
    ann.get_by_role("link", name="Play again with …").click()
    row = ann.get_by_role("listitem").filter(has_text="Bea")
    expect(row).to_contain_text("1 game, the last one Topas")
    picture(ann, "people")
    expect(row.get_by_text("here now")).to_have_count(0)
    bea.goto("/people")
    with bea.expect_response(lambda answer: answer.request.method == "POST"):  # a reload would cut it off
        bea.get_by_role("checkbox", name="Show them when I am here").check()
    bea.reload()
    expect(bea.get_by_role("checkbox", name="Show them when I am here")).to_be_checked()
    bea.goto("/")
    ann.reload()
    expect(row.get_by_text("here now")).to_be_visible()
    row.get_by_role("button", name="Play again with Bea").click()
    assert violations(ann) == []
    picture(ann, "people-games")
    as_on_a_phone(visit, server, ann, "/people", BEA, "people")
    row.get_by_role("group", name="Which game with Bea?").get_by_role("button", name="Topiary").click()
    dialog = ann.get_by_role("dialog")
    expect(dialog).to_contain_text("Bea will be invited.")
    picture(ann, "set-table")
    dialog.get_by_role("button", name="Open the table").click()
    expect(ann.get_by_role("button", name="Bea is invited.")).to_be_disabled()
    assert violations(ann) == []
    picture(ann, "waiting-room")

    expect(bea.get_by_text("Ann invites you to Topiary")).to_be_visible()
    assert violations(bea) == []
    picture(bea, "start")
    as_on_a_phone(visit, server, bea, "/", ".invitation", "start")
    bea.get_by_role("button", name="Sit down: Topiary with Ann").click()
    expect(bea.locator("[data-number]")).to_be_visible()
    expect(ann.locator("[data-number]")).to_be_visible()


def test_an_invitation_is_declined_and_its_host_blocked_which_is_taken_back(server: str, visit: Visit) -> None:
    ann, bea = visit(by_way_of=server), visit(by_way_of=server)
    play_once(ann, bea)
    open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
    invite = ann.get_by_role("button", name="Invite Bea")
    as_on_a_phone(visit, server, ann, ann.url.removeprefix(server), BEA, "waiting-room")
    invite.click()
    expect(ann.get_by_role("status").filter(has_text="Bea is invited.")).to_be_attached()

    bea.goto("/")
    bea.get_by_role("button", name="No, thanks: Topas with Ann").click()
    said = bea.get_by_role("status").filter(has_text="Declined: Topas with Ann.")
    expect(said).to_be_focused()
    assert violations(bea) == []
    picture(bea, "declined")
    bea.get_by_role("button", name="Block Ann").click()
    expect(bea.get_by_text("Ann is blocked.")).to_be_visible()
    ann.reload()
    expect(ann.get_by_label("Link to this table")).to_be_attached()
    expect(ann.get_by_role("heading", name="Invite people you have played with")).to_have_count(0)

    bea.goto("/people")
    blocked = bea.get_by_role("region", name="Blocked").get_by_role("listitem")
    expect(blocked).to_contain_text("Ann")
    assert violations(bea) == []
    picture(bea, "blocked")
    blocked.get_by_role("button", name="Unblock Ann").click()
    expect(bea.get_by_role("status").filter(has_text="Ann is not blocked any more.")).to_be_focused()
    bea.get_by_role("button", name="Block Ann").click()
    undo = bea.get_by_role("button", name="Undo")
    expect(bea.get_by_role("region", name="Blocked")).to_be_visible()
    undo.click()
    expect(bea.get_by_role("region", name="Blocked")).to_have_count(0)
    expect(bea.get_by_role("button", name="Play again with Ann")).to_be_visible()
