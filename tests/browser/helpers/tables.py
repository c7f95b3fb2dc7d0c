"""What people do at a table, by mouse, by keyboard and by touch, for any of the games."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, WebSocket, WebSocketRoute, expect

ME = {"kind": "me", "name": "Ann"}
FRIEND = {"kind": "friend"}
RANDOM = {"kind": "bot", "bot": "random"}
GREEDY = {"kind": "bot", "bot": "greedy"}
PLAY_ON = """async table => {
    const url = location.origin.replace("http", "ws") + `/api/tables/${table}/live`;
    await new Promise((done, fail) => {
        const socket = new WebSocket(url);
        socket.onmessage = ({data}) => {
            const message = JSON.parse(data);
            if (message.type === "refused") fail(new Error(message.message));
            if (message.type !== "position") return;
            if (message.view.over) { socket.close(); done(); return; }
            if (!message.view.moves.length) return;
            const {say} = message.view.moves[0];
            socket.send(JSON.stringify({type: "play", seat: message.viewpoint, number: message.number, move: say}));
        };
    });
}"""
"""Plays the first legal move whenever it can, at a table whose game has begun, until the game is over."""
PLAY_THROUGH = """table => new Promise(done => {
    const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
    const nonce = "ab".repeat(16);
    const send = message => socket.send(JSON.stringify(message));
    socket.onmessage = ({ data }) => {
        const told = JSON.parse(data);
        if (told.type === "table" && told.phase === "waiting") send({ type: "ready", nonce });
        if (told.type !== "position") return;
        const { number, viewpoint, view } = told;
        if (view.over) { socket.close(); done(view.scores); }
        else if (view.moves.length) send({ type: "play", seat: viewpoint, number, move: view.moves[0].say });
    };
})"""
"""Adds to the shuffle and plays the first legal move until the game is over; gives the scores."""
RESIGN = """table => new Promise(done => {
    const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
    let ready = false;
    socket.onmessage = ({data}) => {
        const message = JSON.parse(data);
        const send = ask => socket.send(JSON.stringify(ask));
        if (!ready) { ready = true; send({type: "ready", nonce: "0".repeat(32)}); }
        if (message.type === "position" && !message.view.over) send({type: "resign", seat: message.viewpoint});
        if (message.phase === "over") { socket.close(); done(); }
    };
})"""
"""Adds to the shuffle, and resigns as soon as the game has begun."""


def ask_for_table(
    page: Page,
    game: str,
    options: dict[str, Any],
    seats: list[dict[str, Any]],
    assistance: str | None = None,
    **more: Any,
) -> str:
    """Open a table for the guest of a page, whatever the page shows."""
    asked = {"game": game, "options": options, "seats": seats, "assistance": assistance, "pace": "instant", **more}
    answer = page.request.post("/api/tables", data=asked)
    assert answer.ok, answer.text()
    table: str = answer.json()["table"]
    return table


def open_table(page: Page, *asked: Any, **more: Any) -> str:
    """Open a table as `ask_for_table`, and go there."""
    table = ask_for_table(page, *asked, **more)
    page.goto(f"/table/{table}")
    return table


def number(page: Page) -> int:
    """The number of the position that the page shows."""
    return int(page.locator("[data-number]").get_attribute("data-number") or -1)


def wait_for_more(page: Page, before: int) -> None:
    """Wait until something has happened since."""
    page.wait_for_function("n => Number(document.querySelector('[data-number]')?.dataset.number) > n", arg=before)


def wait_for_turn(page: Page) -> bool:
    """Wait until it is one's own turn, or the game is over; says whether it is one's turn."""
    title = page.locator("h1")
    expect(title).to_have_text(re.compile("Your turn|The game is over"))
    return title.inner_text() == "Your turn"


def fits(page: Page) -> bool:
    """Whether a page is no wider than its window; the `innerWidth` of a phone grows with what is too wide."""
    size = page.viewport_size
    assert size is not None
    return bool(page.evaluate("document.documentElement.scrollWidth") <= size["width"])


def finished(page: Page) -> dict[str, Any]:
    """The record of a game that is over, as the page offers it."""
    link = page.get_by_role("link", name="Save the record")
    answer = page.request.get(link.get_attribute("href") or "")
    record: dict[str, Any] = json.loads(answer.body())
    return record


def told(page: Page) -> list[dict[str, Any]]:
    """Collect what the server sends to the tables of a page from now on."""
    found: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: found.extend([json.loads(frame)] if frame else []))

    page.on("websocket", listen)
    return found


class Cable:
    """The connection of a page to its table, which can be cut and mended. Make it before the page goes to the table."""

    def __init__(self, page: Page) -> None:
        self._whole = True
        self._plugged: list[tuple[WebSocketRoute, WebSocketRoute]] = []
        page.route_web_socket(re.compile("/live"), self._plug)

    def _plug(self, page_side: WebSocketRoute) -> None:
        if self._whole:
            self._plugged.append((page_side, page_side.connect_to_server()))
        else:
            page_side.close(code=1001)

    def cut(self) -> None:
        """Nothing goes through from now on."""
        self._whole = False
        for page_side, server_side in self._plugged:
            server_side.close(code=1001)
            page_side.close(code=1001)
        self._plugged.clear()

    def mend(self) -> None:
        """From now on a page that tries comes through again."""
        self._whole = True


def setting(page: Page, game: str) -> Locator:
    """Open the dialog of a game, and wait until it is there: its part of the page is loaded now."""
    page.locator(f"article[data-game={game}]").get_by_role("button", name="Set up a table").click()
    dialog = page.locator(f"dialog[data-game={game}]")
    dialog.wait_for()
    return dialog


def opened(page: Page, dialog: Locator) -> Any:
    """Open the table; give the body of the request."""
    with page.expect_request(lambda request: request.url.endswith("/api/tables")) as asked:
        dialog.locator("footer button.main").click()
    page.wait_for_url("**/table/**")
    return asked.value.post_data_json


def joined(host: Page, friend: Page, table: str) -> None:
    """Bea comes by the link that Ann passes on."""
    link = host.get_by_label("Link to this table").input_value()
    friend.goto(f"/table/{table}#{link.partition('#')[2]}")
    friend.get_by_label("Your name").fill("Bea")
    friend.get_by_role("button", name="Sit down").click()
