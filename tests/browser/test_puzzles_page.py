"""The puzzles of the days: the list, one that is answered wrong and then right, on a desktop and on a phone."""

from __future__ import annotations

import base64
import json
import re
from datetime import date, timedelta
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from bosquet import GAMES
from bosquet.lab.puzzles.files import stock
from bosquet.lab.puzzles.puzzle import GRADES, Grade, Puzzle
from bosquet.server.base.engines import PART, puzzles_of
from bosquet.server.today.puzzles import today
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations

FIRST_DAY = date(2026, 11, 1)
"""As `web/src/local/puzzles.ts` has it."""
PICTURES = "a > .picture:has(svg)"
GIVEN_UP = "Without an answer the puzzle counts as not solved."
APART = """() => {
    const at = [...document.querySelectorAll(".marks circle")].map((one) => one.getBoundingClientRect());
    return at.every((a, i) => at.slice(i + 1).every((b) => Math.hypot(a.x - b.x, a.y - b.y) > 0.9 * a.width));
}"""
"""Whether no sign on the board covers another one."""
BOARD_FIRST = """() => {
    const [board, words] = document.querySelector(".task").children;
    return board.getBoundingClientRect().bottom < words.getBoundingClientRect().top;
}"""
"""Whether the words of an answer stand under the board."""


def puzzle_of(game: str, grade: Grade) -> Puzzle:
    """Return the puzzle of today, as the page finds it."""
    found = [puzzle for puzzle in stock(game) if puzzle.grade == grade]
    return found[(today() - FIRST_DAY).days % len(found)]


def file_of(game: str, grade: Grade, day: date) -> str:
    """Return the address of the file that has a puzzle."""
    puzzles = puzzles_of(game)
    assert puzzles is not None
    number = (day - FIRST_DAY).days % puzzles.counts[grade]
    return f"{puzzles.address}.{grade}.{number // PART}.jsonl"


def place(game: str, grade: Grade, day: date | None = None) -> str:
    return f"/puzzles/{game}/{day or today()}/{grade}"


def show_answer(page: Page) -> None:
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Show it all the same").click()


def test_a_puzzle_is_solved_on_the_board(visit: Visit) -> None:
    page = visit("/privacy")
    page.evaluate("localStorage.setItem('bosquet.name', 'Ann')")
    page.goto("/")
    page.locator("header").get_by_role("link", name="Puzzles").click()
    page.get_by_role("heading", name="Puzzles").wait_for()
    expect(page.get_by_text("No streak yet")).to_be_visible()
    expect(page.get_by_text("a matter of honour")).to_be_visible()
    expect(page.locator("[data-game=topiary] .picture svg").first).to_be_visible()
    assert violations(page) == []

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/puzzles" in request.url else None)
    page.locator(f"a[href='{place('topiary', 'hard')}']").click()
    expect(page.get_by_text("Which turn leaves you furthest ahead")).to_be_visible()
    expect(page.get_by_text("a matter of honour")).to_be_visible()
    expect(page.get_by_text("Best:")).to_have_count(0)
    expect(page.get_by_role("list", name="Players").get_by_text("(you), ")).to_have_text(
        re.compile(r"Ann \(you\), \d+ points? in the garden so far, \d+ visitors? left")
    )
    assert violations(page) == []
    line, *last = puzzle_of("topiary", "hard").best.moves
    if last:
        page.locator(f"[data-line='{line}'] .near").first.click()
        expect(page.get_by_text("So far: ")).to_be_visible()
        page.reload()  # as a browser does by itself with a page that was left for long
        expect(page.get_by_text("So far: ")).to_be_visible()
        expect(page.get_by_text("it is judged when it is complete")).to_be_visible()
        page.get_by_role("button", name="Begin the turn again").click()
    assert asked == []
    page.locator(f"[data-line='{line}'] .near").first.click()
    if last == ["pass"]:
        page.get_by_role("button", name="Leave them").click()
    elif last:
        page.locator(f"[data-cell='{last[0].removeprefix('take ')}']").click()
    expect(page.get_by_role("heading", name="Right!")).to_be_focused()
    expect(page.get_by_text("This was your first answer")).to_be_visible()
    expect(page.get_by_text("Solved at first try here: 1 of 1.")).to_be_visible()
    expect(page.get_by_text("Best:").first).to_be_visible()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as without https
    page.get_by_role("button", name="Copy as text").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.evaluate("() => { document.execCommand = () => false; }")
    page.get_by_role("button", name="Copy as text").click()
    expect(page.get_by_role("textbox", name="Text of the result")).to_have_value(
        re.compile("Topiary.*solved.*http", re.S)
    )
    assert violations(page) == []
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_text("Solved at first try: 1 day in a row.")).to_be_visible()


def test_a_page_fetches_the_files_of_the_days_whose_puzzles_it_shows(visit: Visit) -> None:
    page = visit("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto("/puzzles")
    expect(page.locator(PICTURES)).to_have_count(len(GAMES) * len(GRADES))
    files = [file_of(game, grade, today()) for game in GAMES for grade in GRADES]
    assert sorted(path for path in asked if path.endswith(".jsonl")) == sorted(files)
    asked.clear()
    month = today() - timedelta(days=PART)
    page.get_by_role("button", name="Show all").click()
    page.locator(f"a[href='{place('topiary', 'hard', month)}']").click()
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
    page.go_back()
    expect(page.locator(PICTURES)).to_have_count(len(GAMES) * len(GRADES))
    assert [path for path in asked if path.endswith(".jsonl")] == [file_of("topiary", "hard", month)]


def test_puzzles_that_could_not_be_fetched_are_asked_for_again(visit: Visit) -> None:
    page = visit("about:blank")
    for address, shown in (("/puzzles", PICTURES), (place("topas", "easy"), ".board")):
        page.route("**/*.jsonl", lambda route: route.abort("connectionrefused"))
        with page.expect_request_finished(lambda request: request.url.endswith(".wasm")):
            page.goto(address)
        page.wait_for_load_state("networkidle")
        expect(page.locator(shown)).to_have_count(0)
        page.unroute("**/*.jsonl")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator(shown).first).to_be_visible()
    assert len(page.workers) == 1, "the engine that was opened first is still there"


def test_the_answer_is_shown_on_a_phone(visit: Visit) -> None:
    phone = visit("/puzzles", phone=True, dark=True)
    phone.locator(f"a[href='{place('topiary', 'hard')}']").click()
    phone.get_by_text("Which turn leaves you furthest ahead").wait_for()
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 800})
        assert phone.evaluate("document.documentElement.scrollWidth") == width
    assert violations(phone) == []
    show = phone.get_by_role("button", name="Show the answer")
    show.click()
    expect(phone.get_by_text(GIVEN_UP)).to_be_visible()
    assert violations(phone) == []
    phone.get_by_role("button", name="Think on").click()
    show.click()
    phone.evaluate("scrollTo(0, 400)")  # one plays on the board, which stands under what is asked
    phone.get_by_role("button", name="Show it all the same").dispatch_event("click")
    expect(phone.get_by_role("heading", name="The answer")).to_be_focused()
    expect(phone.get_by_role("heading", name="The answer")).to_be_in_viewport()
    expect(phone.locator(".task > .board svg").first).to_be_in_viewport(ratio=0.95)
    assert phone.evaluate(BOARD_FIRST), "the words lead to signs on the board"
    expect(phone.get_by_text(GIVEN_UP)).to_be_visible()
    expect(phone.get_by_text("This was your first answer")).to_have_count(0)
    assert violations(phone) == []
    phone.get_by_role("link", name="Explore from here").click()
    phone.wait_for_url("**/analysis#*")
    phone.go_back()
    expect(phone.get_by_role("heading", name="The answer")).to_be_visible()
    phone.get_by_role("link", name="All puzzles").click()
    expect(phone.locator(f"a[href='{place('topiary', 'hard')}']")).to_contain_text("not solved")
    assert phone.evaluate("document.documentElement.scrollWidth") == 320


def test_turns_that_read_the_same_are_told_apart_by_their_marks_on_the_board(visit: Visit) -> None:
    page = visit(place("topas", "hard"))
    players = page.get_by_role("list", name="Players")
    expect(players.get_by_text("(you), ")).to_have_text(re.compile(r"\w+ \(you\), \d+ points?"))
    show_answer(page)
    expect(page.locator(".marks text")).to_have_text(["1", "2"])
    for what, sign in (("Best: ", "1"), ("Next best: ", "2")):
        said = page.locator("p", has=page.get_by_text(re.compile(f"^{what}")))
        expect(said.locator(".sign")).to_have_text(sign)
        expect(said.locator(".unseen")).to_have_text(re.compile(r"from -?\d+,-?\d+ to the \w+"))
    assert violations(page) == []
    page.get_by_role("link", name="Explore from here").click()
    expect(page.get_by_text("What was hidden is drawn by chance")).to_be_visible()
    code = page.evaluate("location.hash.slice(1)")
    shown = json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
    assert shown["position"] == puzzle_of("topas", "hard").position


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("grade", ["easy", "hard"])
def test_a_wrong_turn_is_marked_beside_the_best_and_the_next_best_with_its_points(
    visit: Visit, game: str, grade: Grade
) -> None:
    puzzle = puzzle_of(game, grade)
    page = visit("/privacy")
    turn = json.dumps(puzzle.second.moves)
    page.evaluate(
        "([key, turn]) => sessionStorage.setItem(key, turn)", [f"bosquet.puzzle.{game}.{today()}.{grade}", turn]
    )
    page.goto(place(game, grade))
    expect(page.get_by_role("heading", name="Not the best turn")).to_be_focused()
    said = page.get_by_text("at once", exact=False).filter(has_text=re.compile(r"^\(\d+ points? at once\)$"))
    expect(said).to_have_count(2 if puzzle.task == "win" else 3)
    if game == "schlossgarten":  # one turn at a time is drawn
        for show in page.get_by_role("button", name="Show on the board").all():
            show.click()
            expect(show).to_have_attribute("aria-pressed", "true")
            expect(page.get_by_role("button", name="Show on the board", pressed=True)).to_have_count(1)
            expect(page.locator("g.marks")).to_have_count(1)
        return
    places = {sign: 1 + turn.moves[-1].startswith("take") for sign, turn in (("1", puzzle.best), ("2", puzzle.second))}
    signs = [sign for sign, count in [*places.items(), ("×", places["2"])] for _ in range(count)]
    expect(page.locator(".marks text")).to_have_text(signs)
    assert page.evaluate(APART)


def test_the_work_of_a_figure_that_stands_is_asked_for(visit: Visit) -> None:
    puzzle = puzzle_of("schlossgarten", "easy")
    page = visit("/puzzles")
    for grade in ("easy", "medium", "hard"):
        expect(page.locator(f"a[href='{place('schlossgarten', grade)}']")).to_be_visible()
    page.locator(f"a[href='{place('schlossgarten', 'easy')}']").click()
    expect(page.get_by_text("Your turn has begun")).to_be_visible()
    show_answer(page)
    expect(page.get_by_text("Best:").first).to_be_visible()
    game = puzzle.begun()
    before = game.scores[puzzle.seat]
    for move in puzzle.best.moves:
        game.play(move)
    scores = game.scores[puzzle.seat] > before
    expect(page.get_by_role("heading", name="Where the points come from")).to_have_count(1 if scores else 0)
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/puzzles/topas/2020-01-01/hard", "/puzzles/chess/2026-11-20/hard"])
def test_a_puzzle_that_is_not_there(visit: Visit, path: str) -> None:
    page = visit(path)
    expect(
        page.locator("main").get_by_text(re.compile("There is no such puzzle|This page does not exist"))
    ).to_be_visible()
