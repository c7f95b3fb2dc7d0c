"""A server in a folder of its host, beside other things: `bosquet serve --base /games/`."""

from __future__ import annotations

from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from bosquet.core.errors import BosquetError
from bosquet.server.base.base_path import read_address, read_base
from bosquet.server.http import static_files
from tests.helpers.rows import each_row
from tests.server.helpers.people import make_app

INDEX = '<link href="/icon.svg" /><script src="/assets/a-1.js"></script><a href="">again</a>'


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """An application with a small page and documentation, below /my/games/."""
    for name, content in {
        "page/index.html": INDEX,
        "page/index.html.br": "compressed for another folder",
        "page/icon.svg": "<svg/>",
        "page/assets/a-1.js": "1",
        "docs/index.html": "docs",
        "docs/page.html": "page",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.setattr(static_files, "PAGE", tmp_path / "page")
    monkeypatch.setattr(static_files, "DOCS", tmp_path / "docs")
    return TestClient(make_app(tmp_path, base="/my/games/"))


def test_the_page_leads_to_its_folder(client: TestClient) -> None:
    for path in ("/my/games/", "/my/games/rules/topas", "/my/games/table/x"):
        answer = client.get(path, headers={"accept-encoding": "br"})
        assert answer.status_code == 200
        assert answer.text == INDEX.replace('="/', '="/my/games/')
    for path in ("/my/games/icon.svg", "/my/games/assets/a-1.js", "/my/games/docs/", "/my/games/api/games"):
        assert client.get(path).status_code == 200


def test_the_cookie_is_one_of_the_folder(client: TestClient) -> None:
    with client:
        cookie = SimpleCookie(client.get("/my/games/api/lobby").headers["set-cookie"])["bosquet"]
    assert cookie["path"] == "/my/games/"


@each_row(
    ("path", "target"),
    [
        ("/my/games", "/my/games/"),
        ("/my/games/docs", "/my/games/docs/"),
        ("/my/games/docs/page", "/my/games/docs/page.html"),
    ],
)
def test_ways_on_stay_in_the_folder(client: TestClient, path: str, target: str) -> None:
    answer = client.get(path, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, target)


def test_outside_of_the_folder_there_is_nothing(client: TestClient) -> None:
    for path in ("/", "/api/games", "/my/", "/my/gamesx", "/assets/a-1.js"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "set-cookie" not in answer.headers
        assert "content-security-policy" in answer.headers
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/tables/x/live"):
        pass


@each_row("text", ["games", "/games", "games/", "//", "/a//b/", "/../", "/./", "/a/../", '/"/', "/ä/", "/a b/", "/a?/"])
def test_what_is_no_folder_is_refused(text: str) -> None:
    with pytest.raises(BosquetError, match=r"must begin and end with a slash, as /games/"):
        read_base(text)


@each_row(
    "text",
    [
        "https://",
        "https://example.org",
        "http://a b/",
        "https://exämple.org/",
        "ftp://a/",
        'https://a"/',
        "https://u:p@a/",
        "https://a..b/",
        "https://a:99999/",
        "https://[::1/",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BosquetError, match=r"must be as /games/ or https://example.org/games/"):
        read_address(text)


def test_addresses_are_read() -> None:
    for origin in ("", "https://example.org", "http://127.0.0.1:8000", "http://[::1]:8000"):
        assert read_address(f"{origin}/games/") == (origin, "/games/")
    assert read_address("HTTPS://Example.org/") == ("https://example.org", "/")


def test_folders_are_read() -> None:
    for text in ("/", "/games/", "/a/b-c/d_1.2~/"):
        assert read_base(text) == text
