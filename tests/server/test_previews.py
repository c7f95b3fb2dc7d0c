"""What messengers show beside a link: pictures that are shipped, and nothing that is hidden."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bosquet.core import installed
from bosquet.core.rng import Rng
from bosquet.server.http import previews, static_files
from tests.helpers.rows import each_row
from tests.server.helpers.people import FRIEND, ME, Person, make_app

WEB = Path(__file__).parents[2] / "web"
PICTURES = WEB / "public/previews"
WORDS = WEB / "src/words"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """An application with a small page, which has a picture of one game."""
    page = tmp_path / "page"
    (page / "previews").mkdir(parents=True)
    (page / "index.html").write_text("<html><head><title>page</title></head></html>")
    (page / "previews" / "topas.jpg").write_bytes(b"JPEG")
    monkeypatch.setattr(static_files, "PAGE", page)
    with TestClient(make_app(tmp_path), base_url="http://testserver") as opened:
        yield opened


def said(client: TestClient, path: str) -> dict[str, str]:
    """What a page says for messengers."""
    page = client.get(path, headers={"accept": "text/html"}).text
    return dict(re.findall(r'<meta property="og:([a-z:]+)" content="([^"]*)" />', page))


@each_row(
    ("path", "picture", "title"),
    [
        ("/", "bosquet", "bosquet"),
        ("/rules/topas", "topas", "Topas – bosquet"),
        ("/rules/topiary", "bosquet", "Topiary – bosquet"),
        ("/rules/chess", "bosquet", "bosquet"),
        ("/puzzles", "bosquet", "Puzzles – bosquet"),
        ("/puzzles/topas", "topas", "Topas – bosquet"),
        ("/analysis", "bosquet", "Analysis board – bosquet"),
        ("/table/AAAAAAAAAAAA", "bosquet", "bosquet"),
        ("/replay", "bosquet", "bosquet"),
    ],
)
def test_each_page_has_a_picture_and_a_title(client: TestClient, path: str, picture: str, title: str) -> None:
    found = said(client, path)
    assert found["image"] == f"http://testserver/previews/{picture}.jpg"
    assert found["title"] == title


def test_pages_are_called_as_they_call_themselves() -> None:
    words = json.loads((WORDS / "common.json").read_text())
    assert {path: words[path.lstrip("/")]["en"] for path in previews.TITLES} == previews.TITLES


def test_an_invitation_says_the_game_and_how_many_seats_are_free(client: TestClient) -> None:
    ann = Person(client)
    table = ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND])
    found = said(client, f"/table/{table}")
    assert found["title"] == "Topas: 2 seats are free"
    assert "Ann" not in json.dumps(found)


def test_a_result_is_told_once_the_game_is_over(client: TestClient) -> None:
    ann = Person(client)
    table = ann.open("topas", {"players": 1}, [{"kind": "me", "name": 'A"<n>'}])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        assert said(client, f"/table/{table}")["title"] == "Topas – bosquet"
        page.play_on(Rng(1))
        page.hear("proof")
        score = page.position["view"]["scores"][0]
    for place in ("table", "replay", "coach"):
        assert said(client, f"/{place}/{table}")["title"] == f"Topas: A&quot;&lt;n&gt; {score}"


def test_the_pictures_are_small_and_show_what_their_source_says() -> None:
    from studies.pictures.previews import MOST_BYTES, SOURCE, source

    assert json.loads((PICTURES / SOURCE).read_text()) == source()
    for name in ("bosquet", *installed.names()):
        assert 0 < (PICTURES / f"{name}.jpg").stat().st_size < MOST_BYTES
