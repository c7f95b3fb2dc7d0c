"""Files of the page and the documentation: compressed at build time, kept in memory, sent within limits."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bosquet.server.base.rate_limits import Rate
from bosquet.server.http import static_files
from bosquet.server.http.limits import Limits
from tests.helpers.rows import each_row
from tests.server.helpers.people import make_app

SCRIPT = b"let a = 1;" * 100


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """An application with a small page and documentation."""
    page, docs = tmp_path / "page", tmp_path / "docs"
    for folder in (page / "assets", docs / "part"):
        folder.mkdir(parents=True)
    (page / "index.html").write_text("<title>page</title>")
    (page / "icon.svg").write_text("<svg/>")
    (page / "icons").mkdir()
    (page / "icons" / "192.png").write_bytes(b"PNG")
    (page / "worker.js").write_bytes(SCRIPT)
    (page / "worker.js.gz").write_bytes(gzip.compress(SCRIPT))
    (page / "manifest-de.webmanifest").write_text("{}")
    (page / "assets" / "a-1.js").write_bytes(SCRIPT)
    (page / "assets" / "a-1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (page / ".built-from").write_text("secret")
    (docs / "index.html").write_text("docs")
    (docs / "part" / "index.html").write_text("part")
    (docs / "page.html").write_text("part")
    (tmp_path / "key").write_text("key")
    monkeypatch.setattr(static_files, "PAGE", page)
    monkeypatch.setattr(static_files, "DOCS", docs)
    return TestClient(make_app(tmp_path, Limits(files_of_address=Rate(100, 0.001))))


@each_row(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br", "gzip"),
        ("gzip;q=0.5", "gzip"),
        ("gzip;q=0", None),
        ("gzip; q=0.000", None),
        ("identity", None),
        ("", None),
    ],
)
def test_compressed_files_are_sent_to_those_who_read_them(
    client: TestClient, accepted: str, coding: str | None
) -> None:
    answer = client.get("/assets/a-1.js", headers={"accept-encoding": accepted})
    assert answer.content == SCRIPT
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["vary"] == "accept-encoding"


def test_what_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/icon.svg")
    again = client.get("/icon.svg", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head("/icon.svg").headers["content-length"] == str(len(first.content))


@each_row(
    ("path", "media_type"),
    [
        ("/icon.svg", "image/svg+xml"),
        ("/icons/192.png", "image/png"),
        ("/worker.js", "text/javascript; charset=utf-8"),
        ("/manifest-de.webmanifest", "application/manifest+json"),
    ],
)
def test_files_whose_names_stay_are_asked_for_again(client: TestClient, path: str, media_type: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert answer.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in answer.headers


@each_row(
    ("path", "status"),
    [
        ("/", 200),
        ("/table/abc", 200),
        ("/privacy", 200),
        ("/me", 200),
        ("/history", 200),
        ("/history/x", 404),
        ("/ratings", 200),
        ("/people", 200),
        ("/people/x", 404),
        ("/ratings/x", 404),
        ("/today", 200),
        ("/today/2026-11-23", 200),
        ("/today/yesterday", 404),
        ("/me/x", 404),
        ("/privacy/x", 404),
        ("/replay", 200),
        ("/analysis", 200),
        ("/coach/abc", 200),
        ("/here/coach/abc", 200),
        ("/rules/topiary", 200),
        ("/score/schlossgarten", 200),
        ("/box/schlossgarten", 200),
        ("/rules/chess", 404),
        ("/table", 404),
        ("/metrics", 404),
        ("/.env", 404),
        ("/favicon.ico", 404),
        ("/assets/", 404),
        ("/worker.js.gz", 404),
        ("/index.html", 404),
        ("/icons/", 404),
        ("/icons/%2e%2e/%2e%2e/key", 404),
        ("/manifest-xx.webmanifest", 404),
        ("/assets/../index.html", 404),
        ("/assets/%2e%2e/%2e%2e/key", 404),
        ("/docs/../../key", 404),
        ("/.built-from", 404),
        ("/docs/", 200),
        ("/docs", 200),
        ("/docs/part", 200),
        ("/docs/nothing", 404),
        ("/docs/page", 200),
        ("/docs/page.html", 200),
        ("/api/nothing", 404),
    ],
)
def test_addresses(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert (status == 404) != (answer.text in ("<title>page</title>", "docs", "part"))
    assert "script-src 'self' 'wasm-unsafe-eval';" in answer.headers["content-security-policy"]


def test_people_at_an_unknown_address_see_the_page(client: TestClient) -> None:
    answer = client.get("/nowhere", headers={"accept": "text/html,*/*"})
    assert (answer.status_code, answer.text) == (404, "<title>page</title>")


def test_a_file_is_not_found_where_the_page_was_built_again(client: TestClient) -> None:
    for name in ("a-1.js", "a-1.js.gz"):
        (static_files.PAGE / "assets" / name).unlink()
    assert client.get("/assets/a-1.js").status_code == 404


def test_files_of_an_address_are_bounded(client: TestClient) -> None:
    codes = [client.get("/assets/a-1.js").status_code for _ in range(103)]
    assert codes.count(429) == 3
