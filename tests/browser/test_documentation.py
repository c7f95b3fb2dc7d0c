"""The documentation as a reader of a running server sees it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bosquet.server.http.static_files import DOCS
from tests.browser.conftest import Visit

pytestmark = pytest.mark.skipif(not (DOCS / "index.html").exists(), reason="the documentation is not built")


def test_it_leads_back_to_the_games_and_names_licence_and_authors(visit: Visit) -> None:
    page = visit("/docs/findings.html", phone=True)
    footer = page.get_by_role("contentinfo")
    for text in ("MIT licence", "Danny Devine", "Reiner Knizia", "Ulf Siebert"):
        expect(footer).to_contain_text(text)
    footer.get_by_role("link", name="Play the games").click()
    expect(page).to_have_url(re.compile(r":\d+/$"))


@pytest.mark.parametrize("dark", [False, True])
def test_it_wears_the_colours_and_the_type_of_the_page(visit: Visit, dark: bool) -> None:
    look = """() => {
        const of = element => getComputedStyle(element);
        const {backgroundColor, color} = of(document.body);
        return [backgroundColor, color, of(document.querySelector("h1")).fontFamily];
    }"""
    looks = []
    for path in ("/docs/bots.html", "/"):
        page = visit(path, dark=dark)
        page.locator("h1").first.wait_for()
        looks.append(page.evaluate(look))
    assert looks[0] == looks[1]


def test_it_takes_the_theme_that_was_chosen_on_the_page(visit: Visit) -> None:
    page = visit("/")
    page.evaluate("localStorage.setItem('bosquet.theme', 'dark')")
    page.goto("/docs/")
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Toggle Light / Dark / Auto").last.click()
    page.goto("/")
    assert page.evaluate("localStorage.getItem('bosquet.theme')") != "dark"


def test_search_finds_guides_before_the_reference(visit: Visit) -> None:
    page = visit("/docs/search.html?q=record")
    expect(page.locator("#search-results .search-summary")).to_contain_text("finished")
    found = [link.get_attribute("href") or "" for link in page.locator("ul.search > li > a").all()]
    kinds = [name.startswith(("reference/", "repository/")) for name in found]
    assert not kinds[0]
    assert kinds[-1]
    assert kinds == sorted(kinds)
