"""The end of a game is counted, said and pictured; and what is heard at a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, RANDOM, fits, number, open_table, wait_for_turn

GREEDY = {"kind": "bot", "bot": "greedy"}
PLAY = """async (plies) => new Promise((done) => {
    const live = new WebSocket(`ws://${location.host}/api/tables/${location.pathname.split("/").at(-1)}/live?since=0`);
    let made = 0;
    live.onmessage = ({data}) => {
        const {type, number, view, viewpoint} = data ? JSON.parse(data) : {};
        if (type !== "position") return;
        if (view.over || (made === plies && view.seat === viewpoint)) { live.close(); done(made); return; }
        if (view.seat === null || view.seat !== viewpoint) return;
        made += 1;
        live.send(JSON.stringify({type: "play", seat: view.seat, number, move: view.moves[0].say}));
    };
})"""
BOARDS = {"topiary": "svg.garden", "topas": ".felt", "schlossgarten": ".garden"}
NOTE_WORDS = """() => {
    window.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (words, ...where) {
        written.push(words);
        return fillText.call(this, words, ...where);
    };
}"""
LISTEN = """window.heard = [];
AudioBufferSourceNode.prototype.start = function () {
    const samples = this.buffer.getChannelData(0);
    window.heard.push([samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0), this.buffer.duration]);
};"""


def play(page: Page, plies: int = -1) -> None:
    """Play this number of moves, the first one each time, or to the end."""
    page.evaluate(PLAY, plies)


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_the_end_is_counted_on_the_board_said_and_pictured(visit: Visit, game: str) -> None:
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    open_table(page, game, {"players": 2}, [ME, GREEDY])
    assert wait_for_turn(page)
    play(page)
    skip = page.get_by_role("button", name="Skip the count")
    expect(skip).to_be_visible()
    expect(page.get_by_text(re.compile("wins with|share the win"))).to_have_count(0)
    expect(page.locator(".lit").first).to_be_attached()
    for width, height in ((1440, 900), (390, 844), (320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        line, board = skip.locator(".line").bounding_box(), page.locator(BOARDS[game]).bounding_box()
        assert line is not None
        assert board is not None
        assert fits(page)
        beside = line["x"] + line["width"] <= board["x"] or line["y"] + line["height"] <= board["y"]
        assert beside, (width, line, board)
    page.set_viewport_size({"width": 1440, "height": 900})
    skip.click()
    expect(skip).to_have_count(0)
    expect(page.get_by_text(re.compile("wins with|share the win")).first).to_be_visible()
    said = page.locator(".ending p")
    expect(said).to_have_text(re.compile(r"^(You (won|lost) (by \d+ points?|the tie)|You share the win|Your )"))
    page.evaluate(NOTE_WORDS)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    written = " ".join(page.evaluate("written"))
    assert "Ann" in written
    assert not re.search(r"\byou", written, re.IGNORECASE), written  # who sees it was not there
    assert download.value.suggested_filename == f"bosquet-{game}.png"
    picture = Path(download.value.path()).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture) > 60_000, "a board is more than a plain colour"
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1200, 675)
    page.get_by_role("button", name="Count again").click()
    expect(skip).to_be_visible()
    page.keyboard.press("Escape")
    expect(skip).to_have_count(0)
    assert violations(page) == []


def test_the_picture_of_a_solitaire_names_who_played(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 1}, [ME])
    assert wait_for_turn(page)
    play(page)
    expect(page.get_by_text("Your lowest column counts")).to_be_visible()
    page.evaluate(NOTE_WORDS)
    with page.expect_download():
        page.get_by_role("button", name="Save a picture").click()
    assert "Ann’s lowest column counts" in " ".join(page.evaluate("written"))


def test_a_void_game_has_nothing_to_count_or_to_show(visit: Visit) -> None:
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    table = open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
    assert wait_for_turn(page)
    page.get_by_label("This game", exact=True).click()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Void it…").click()
    page.get_by_role("dialog").get_by_role("button", name="Void it").click()
    expect(page.locator("h1")).to_have_text("This game is void")
    expect(page.locator(".ending, .turn [role=status]")).to_have_count(0)  # it is said once
    expect(page.get_by_text("finished")).to_have_count(0)
    expect(page.locator(".panel .status")).to_have_text("What everybody has in the end")
    expect(page.get_by_role("button", name=re.compile("Count again|Save a picture|Share"))).to_have_count(0)
    page.get_by_role("button", name="Another game").click()
    expect(page).not_to_have_url(re.compile(table))


def test_with_less_motion_the_end_is_told_at_once(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    play(page)
    expect(page.locator(".ending p")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Skip|Count again"))).to_have_count(0)
    expect(page.get_by_role("img", name=re.compile("wins$")).first).to_be_visible()
    assert fits(page)
    assert violations(page) == []


def test_a_table_is_heard_once_somebody_wants_it(visit: Visit) -> None:
    page = visit()
    page.add_init_script(LISTEN)
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    key = page.get_by_role("button", name="Sound")
    expect(key).to_have_attribute("aria-pressed", "false")  # this browser asks for less motion
    page.mouse.click(5, 5)
    play(page, 1)
    assert page.evaluate("heard") == []
    key.click()
    expect(key).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => heard.length === 1")  # the bell, as a sample
    page.reload()
    expect(key).to_have_attribute("aria-pressed", "true")
    page.mouse.click(5, 5)
    before = number(page)
    play(page, 1)
    page.wait_for_function("n => Number(document.querySelector('[data-number]').dataset.number) > n + 1", arg=before)
    page.wait_for_function("() => heard.length >= 2")  # gems, and the bell for one's turn
    for loudest, seconds in page.evaluate("heard"):
        assert 0.1 < loudest < 0.9
        assert seconds <= 1.5
