"""Names at a table can be seen and told apart."""

from __future__ import annotations

import pytest

from bosquet.server.base.legible import LENGTH, legible, tidy
from bosquet.server.base.look_alikes import skeleton
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.display_names import name_of_person
from bosquet.server.table.session import Chair
from tests.helpers.rows import each_row
from tests.server.helpers.people import FRIEND, ME, Person

JOINED = [
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Persian: parts of a word that are not joined
    "\u0645\u06cc\u064e\u200c\u062e\u0648\u0627\u0647\u0645",  # with a vowel before the character
    "\u0928\u0947\u0939\u093e \u0915\u094d\u200d\u0937",  # Hindi: half a letter
    "\u0915\u094d\u200c\u0937",
    "\u0d2a\u0d4d\u0d30\u0d35\u0d40\u0d23\u0d4d\u200d",  # Malayalam: a letter at the end
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
    "👩‍🚀 Ann",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "👩🏽‍⚕️",
    "❤️‍🔥",
    "🙂‍↔️",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
]
NEEDLESS = [
    "A\u200dnn",
    "A\u200cnn",
    "Ann\u200d",
    "\u200dAnn",
    "\u0410\u200c\u043d\u043d\u0430",
    "👩\u200dAnn",
    "A\U000e0067nn",
    "A\u200bnn",
]
INVISIBLE = ["\u094d\u200d", "\u2800\u200d\u2800", "\u200c", "\u3164", "\u2800", "\u0301\u0302", "\u200b\u200d"]
INVISIBLE += ["\u115f\u1160", "\ufe0f", "\u034f\u00ad", ""]
ALIKE = [
    ("Cyrillic", "\u0410nn"),
    ("case", "ANN"),
    ("full width", "Ａｎｎ"),
    ("mathematical", "𝐀𝐧𝐧"),
    ("a selector of variants", "Ann\ufe0f"),
]
APART = ["Anna", "Änn", "Ann B.", "Αντώνης", "Анна", "安", "👩‍🚀", "아나"]


@each_row("name", INVISIBLE)
def test_a_name_with_nothing_to_see_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match="can be seen") as refused:
        tidy(name)
    assert refused.value.code == "name"


def test_what_can_be_seen_is_kept() -> None:
    assert tidy(" A\u3164nn\n e\u0301") == "A nn é"
    for name in APART:
        assert tidy(name)


@each_row("name", JOINED)
def test_characters_that_letters_and_emoji_need_between_them_are_kept(name: str) -> None:
    assert tidy(name) == name
    assert legible(f"{name}!", 200) == f"{name}!"


@each_row("name", NEEDLESS)
def test_characters_that_nobody_needs_are_taken_out(name: str) -> None:
    assert not set(tidy(name)) & set("\u200b\u200c\u200d\U000e0067")


def test_a_name_that_differs_by_a_joiner_only_looks_like_the_other() -> None:
    for name in JOINED:
        plain = "".join(character for character in name if character not in "\u200c\u200d")
        assert skeleton(name) == skeleton(plain)


def test_what_is_longer_when_its_letters_are_composed_is_refused() -> None:
    with pytest.raises(Refusal, match="comes to 72 characters"):
        tidy("\ufb2c" * LENGTH)
    assert tidy("e\u0301" * LENGTH) == "é" * LENGTH


@each_row(("why", "name"), ALIKE)
def test_a_name_that_looks_like_another_is_refused(why: str, name: str) -> None:
    with pytest.raises(Refusal, match="looks like the name of somebody"):
        name_of_person(tidy(name), [Chair(name="Ann", guest="a")])


def test_other_names_are_told_apart() -> None:
    assert len({skeleton(name) for name in [*APART, "Ann"]}) == len(APART) + 1
    assert skeleton("Ill") == skeleton("lIl") == skeleton("1|i")
    assert skeleton("Вова") != skeleton("BoBa")


def test_bots_keep_their_names() -> None:
    chairs = [Chair(bot="level1", name="Daisy"), Chair(bot="level2", name="Cleo", guest="stood in for")]
    for name in ("Daisy", "da\u0456sy", "greedy", "Level6", "leve|6", "level 6", "Level-6."):
        with pytest.raises(Refusal, match="name of a bot"):
            name_of_person(name, chairs)
    assert name_of_person("Cleo", chairs) == "Cleo 2"
    long = "x" * LENGTH
    assert len(name_of_person(long, [Chair(name=long, guest="a")])) == LENGTH


def test_people_at_a_table_have_different_names(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    refused = bea.post(f"/api/tables/{table}/join", {"name": "\u0410nn"})
    assert (refused.status_code, refused.json()["code"]) == (400, "name")
    assert bea.post(f"/api/tables/{table}/join", {"name": "Ann"}).status_code == 204
    assert bea.get(f"/api/tables/{table}").json()["names"] in (["Ann", "Ann 2"], ["Ann 2", "Ann"])


def test_a_bot_is_not_named_like_a_person(ann: Person) -> None:
    bot = {"kind": "bot", "bot": "random", "name": "Ann"}
    answer = ann.post("/api/tables", {"game": "topas", "options": {"players": 2}, "seats": [ME, bot]})
    assert (answer.status_code, answer.json()["code"]) == (400, "name")
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as page:
        free = page.hear("table")["seats"].index(next(seat for seat in page.news["seats"] if seat["name"] is None))
        page.ask("give", seat=free, bot="random", name="Ann")
        assert page.hear("refused")["code"] == "name"
