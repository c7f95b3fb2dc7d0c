"""Notices by e-mail in a real browser: an address is given, confirmed by a press, and stopped by one."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import by_look, violations
from tests.browser.helpers.tables import fits
from tests.helpers.services import serving
from tests.server.helpers.mail_server import SENDER, MailServer


class Mailing(NamedTuple):
    """A server that sends mail, and where that arrives."""

    address: str
    folder: Path
    server: MailServer

    def link(self) -> str:
        """The address in the last mail, without the name of the server."""
        found = re.search(r"https://tables\.example\.org(/mail/\S+)", self.server.received[-1].text)
        assert found
        return found[1]

    def token(self) -> str:
        """What the last address that was confirmed is stopped by."""
        with contextlib.closing(sqlite3.connect(self.folder / "tables.db")) as database, database:
            (row,) = database.execute("SELECT stop FROM mail_addresses WHERE state = 'confirmed'").fetchall()
        return str(row[0])


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailing]:
    folder = tmp_path_factory.mktemp("tables")
    with MailServer().in_thread() as server:
        smtp = {"BOSQUET_SMTP": f"smtp://127.0.0.1:{server.port}?from={SENDER}"}
        with serving(folder, smtp, "--name", "tables.example.org") as address:
            yield Mailing(address, folder, server)


@by_look
def test_an_address_is_given_confirmed_and_stopped(visit: Visit, mailing: Mailing, phone: bool, dark: bool) -> None:
    look = {"phone": phone, "dark": dark, "by_way_of": mailing.address}
    page = visit("/me?notices", **look)
    form = page.get_by_role("region", name="By e-mail")
    form.get_by_label("E-mail address").fill("ann@localhost")
    form.get_by_role("button", name="Send a link to confirm it").click()
    expect(form.get_by_role("alert")).to_contain_text("no e-mail address")
    address = f"{'a.long.name.for.a.phone' if phone else 'ann'}@mail.example.org"
    form.get_by_label("E-mail address").fill(address)
    form.get_by_role("button", name="Send a link to confirm it").click()
    expect(form.get_by_role("status")).to_contain_text(f"A mail was sent to {address}")
    expect(form.get_by_role("alert")).to_have_count(0)  # it takes no room any more
    said = form.get_by_role("status").locator("span").element_handle()
    form.get_by_role("button", name="Send another link").click()
    page.wait_for_function("said => !said.isConnected", arg=said)  # the same words are said once more
    expect(form.get_by_role("status")).to_contain_text(f"A mail was sent to {address}")
    expect(page.get_by_role("region", name="Notices").get_by_label("From")).to_have_value(
        "22"
    )  # quiet hours count for mail, too
    assert violations(page) == []
    assert fits(page)

    reader = visit(mailing.link(), **look)  # in a browser that knows nothing of the guest
    expect(reader).to_have_url(f"{mailing.address}/mail/confirm")  # the code stays in no history
    assert violations(reader) == []
    assert fits(reader)
    reader.get_by_role("button", name="Yes, mail me").click()
    expect(reader.get_by_role("status")).to_contain_text("From now on")
    page.evaluate("dispatchEvent(new Event('focus'))")  # as when one comes back from the mailbox
    expect(form.get_by_role("status")).to_have_text(f"Notices are mailed to {address}.")
    expect(form.get_by_label("E-mail address")).to_have_count(0)
    reader.goto(mailing.link())
    reader.get_by_role("button", name="Yes, mail me").click()
    expect(reader.get_by_role("status")).to_contain_text("was used already")

    reader.goto(f"/mail/stop/{mailing.token()}")
    assert violations(reader) == []
    assert fits(reader)
    reader.get_by_role("button", name="Send me no more mail").click()
    expect(reader.get_by_role("status")).to_contain_text("You get no more mail")
    page.reload()
    expect(form.get_by_role("button", name="Send a link to confirm it")).to_be_visible()
    assert page.request.get("/api/me/notices").json()["mail"] == {"address": None, "state": "none"}


def test_one_press_stops_mail_and_all_else(visit: Visit, mailing: Mailing) -> None:
    page = visit("/me", by_way_of=mailing.address)
    form = page.get_by_role("region", name="By e-mail")
    form.get_by_label("E-mail address").fill("bea@mail.example.org")
    form.get_by_role("button", name="Send a link to confirm it").click()
    page.get_by_role("region", name="Notices").get_by_role("button", name="Stop all notices").click()
    expect(page.get_by_text("You get no more notices.")).to_be_visible()
    assert page.request.get("/api/me/notices").json()["mail"]["state"] == "none"


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "es-ES", "de-DE"])
def test_the_pages_of_links_speak_every_language(visit: Visit, mailing: Mailing, language: str) -> None:
    page = visit(language=language, by_way_of=mailing.address)
    for path in ("/mail/confirm#code", "/mail/confirm", "/mail/stop/token"):
        page.goto("about:blank")
        page.goto(path)
        page.locator("h1").wait_for()
        expect(page).to_have_title(re.compile(r".+ · bosquet"))
        assert not re.search(r"\b(mail|common|notices)\.[a-z_]+\b", page.locator("main").inner_text())


def test_a_link_that_is_cut_says_so(visit: Visit, mailing: Mailing) -> None:
    page = visit("/mail/confirm", by_way_of=mailing.address)
    expect(page.get_by_role("status")).to_contain_text("A part of the link is missing")
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)


def test_without_a_mail_server_no_mail_is_offered(visit: Visit) -> None:
    page = visit("/me")
    expect(page.get_by_role("button", name="Tell me on this device")).to_be_visible()
    expect(page.get_by_role("region", name="By e-mail")).to_have_count(0)
