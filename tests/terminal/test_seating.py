"""Who sits where and who begins, what bots are called, and kept games, at a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bosquet
from bosquet import bots
from bosquet.core.errors import OptionError
from bosquet.core.rng import Rng
from bosquet.terminal import table
from bosquet.terminal.bot_names import RANKED, bot_named, shown_bot, shown_names, strength
from bosquet.terminal.seating import first_seat, seat_names, seats_of
from bosquet.terminal.words import LANGUAGES, Words, preferred
from tests.helpers.command_line import cli

ENGLISH = Words("en")


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def seats(tmp_path: Path) -> list[str]:
    """Who sat where in the game that was kept last."""
    paths = sorted((tmp_path / "data").rglob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return seats_of(bosquet.read(paths[-1]))


def test_the_lot_seats_the_person(tmp_path: Path) -> None:
    """About half of forty games begin with the bot; each has the order that was named."""
    begun = []
    for seed in range(12):
        done = cli("play", "schlossgarten", "--bots", "random", "--seed", str(seed), answers="1\nquit\n")
        assert done.returncode == 130
        begun.append(seats(tmp_path)[0])
        shown = "You" if begun[-1] == "You" else "random"
        assert done.stdout.startswith(f"Who begins: {shown} (by lot)\n")
    assert set(begun) == {"You", "random"}
    cli("play", "schlossgarten", "--bots", "random", "--seed", "0", answers="1\nquit\n")
    assert seats(tmp_path)[0] == begun[0], "the same seed seats the same"
    lots = [first_seat(["You", "greedy", "random"], "lot", Rng(seed)) for seed in range(3000)]
    assert all(900 < lots.count(seat) < 1100 for seat in range(3))


@pytest.mark.parametrize(
    ("arguments", "order"),
    [
        (["--bots", "greedy,random", "--first", "me"], ["You", "greedy", "random"]),
        (["--bots", "greedy,random", "--first", "random"], ["random", "You", "greedy"]),
        (["--seats", "Ann,greedy,Bob"], ["Ann", "greedy", "Bob"]),
        (["--seats", "greedy,Ann,Bob", "--first", "me"], ["Ann", "Bob", "greedy"]),
        (["--seats", "Ann,ivy,Bob", "--first", "bob"], ["Bob", "Ann", "level3"]),
        (["--seats", "Ann,ivy,Bob", "--first", "Lierre"], ["level3", "Bob", "Ann"]),
    ],
)
def test_first_says_who_begins(tmp_path: Path, arguments: list[str], order: list[str]) -> None:
    done = cli("play", "topas", "--players", "3", *arguments, answers="1\n1\n1\n")
    assert "Traceback" not in done.stderr
    assert seats(tmp_path) == order


def test_people_are_asked_who_begins(tmp_path: Path) -> None:
    done = cli("play", "topas", "--seats", "Ann,Bob", "--first", "open", answers="7\n2\n\n1\n")
    assert "Who begins?\n" in done.stdout
    assert "Who begins: Bob\n" in done.stdout
    assert seats(tmp_path) == ["Bob", "Ann"]


def test_bots_have_the_names_and_numbers_of_the_page() -> None:
    assert tuple(name for name in bots.NAMES if name not in bots.SIMPLE) == RANKED
    for language in LANGUAGES:
        for number, bot in enumerate(RANKED, 1):
            assert bot_named(shown_bot(bot, Words(language)).upper()) == bot_named(str(number)) == bot
    assert shown_names(["level3", "You", "level3", "greedy"], ENGLISH) == ["Ivy", "You", "Ivy 2", "greedy"]
    assert strength("level2", ENGLISH).startswith("2 of 7, ")
    assert bot_named("greedy") == "greedy"
    assert seat_names(3, bots_given="Efeu,7") == ["You", "level3", "champion"]
    with pytest.raises(OptionError, match='no bot "0"'):
        seat_names(2, bots_given="0")


def test_a_game_is_gone_on_with_by_its_name(tmp_path: Path) -> None:
    assert "No game was kept" in cli("play", "--games").stdout
    cli("play", "topas", "--bots", "random", "--first", "me", "--seed", "1", answers="1\nquit\n")
    cli("play", "topiary", "--bots", "ivy", "--first", "me", "--seed", "1", answers="1\nquit\n")
    listed = cli("play", "--games").stdout
    assert re.search(r"topiary-1: You, Ivy · \d+ moves\ntopas-1: You, random · \d+ moves", listed)
    last = cli("play", "--load", "last", answers="quit\n")
    assert "You, your move" in last.stdout
    assert "visitors left" in last.stdout
    named = cli("play", "--load", "topas-1", answers="games\nquit\n")
    assert "Your hand" in named.stdout
    assert "topiary-1" in named.stdout
    swapped = cli("play", "--load", "topas-1", "--bots", "greedy", answers="quit\n")
    assert "greedy" in swapped.stdout
    assert seats(tmp_path) == ["You", "greedy"]


def test_a_finished_game_that_is_loaded_is_not_kept_again(tmp_path: Path) -> None:
    assert cli("play", "topas", "--bots", "random", "--seed", "1", answers="1\n" * 30).returncode == 0
    (path,) = (tmp_path / "data").rglob("*.json")
    done = cli("play", "--load", path)
    assert done.returncode == 0
    assert len(list((tmp_path / "data").rglob("*.json"))) == 1


def test_a_finished_game_is_kept_whole_though_it_was_saved_on_the_way(tmp_path: Path) -> None:
    saved = tmp_path / "m.json"
    begin = "play", "topas", "--bots", "random", "--first", "me", "--seed", "1"
    done = cli(*begin, answers=f"1\nsave {saved}\n" + "1\n" * 30)
    assert done.returncode == 0
    (kept,) = (tmp_path / "data").rglob("*.json")
    assert f"The record is in {kept}\n" in done.stdout
    assert bosquet.read(kept).over
    assert not bosquet.read(saved).over, "what was saved is not changed"


@pytest.mark.parametrize("loaded", [["--load", "last"], ["--load", "topas-1"], None])
def test_a_kept_game_goes_on_in_its_file(tmp_path: Path, loaded: list[str] | None) -> None:
    """It is taken up from the command line and from the menu, left twice, and finished."""
    begin = "play", "topas", "--bots", "random", "--first", "me", "--seed", "1"
    cli(*begin, answers="1\nquit\n")
    (kept,) = (tmp_path / "data").rglob("*.json")
    lengths = [len(bosquet.read(kept).moves)]
    again = loaded or []
    choice = "" if loaded else "4\n"
    for _ in range(2):
        assert "bosquet play --load topas-1" in cli("play", *again, answers=f"{choice}1\nquit\n").stdout
        lengths.append(len(bosquet.read(kept).moves))
    assert lengths == sorted(set(lengths))
    done = cli("play", *again, answers=choice + "1\n" * 30)
    assert f"The record is in {kept}\n" in done.stdout
    assert bosquet.read(kept).over
    assert list((tmp_path / "data").rglob("*.json")) == [kept]
    assert "topas-1" not in cli("play", "--games").stdout


def test_a_game_loaded_by_its_path_leaves_that_file_as_it_is(tmp_path: Path) -> None:
    saved = tmp_path / "m.json"
    cli("play", "topas", "--bots", "random", "--first", "me", "--seed", "1", answers=f"save {saved}\n1\nquit\n")
    (first,) = (tmp_path / "data").rglob("*.json")
    for path in (saved, first):
        before = path.read_bytes()
        assert cli("play", "--load", path, answers="1\n" * 30).returncode == 0
        assert path.read_bytes() == before
    assert len(list((tmp_path / "data").rglob("*.json"))) == 3


def test_a_game_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    cli("play", "topas", "--bots", "random", "--first", "me", "--seed", "1", answers="1\nquit\n")
    wrong = cli("play", "--load", "topas1")
    assert wrong.returncode == 1
    assert "--games" in wrong.stderr
    assert 'did you mean "topas-1"?' in wrong.stderr


def test_a_game_that_can_not_be_kept_can_be_saved(tmp_path: Path) -> None:
    """It is said before the first move; when the game is left or over, a file is asked for until one is written."""
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    begin = "play", "topas", "--bots", "random", "--first", "me", "--seed", "1"
    environment = {"XDG_DATA_HOME": str(no_folder)}
    turns = cli(*begin, answers="1\n" * 30).stdout.count("your move")
    for name, answers in (("left.json", "1\nquit\n"), ("over.json", "1\n" * turns)):
        saved = tmp_path / name
        done = cli(*begin, environment=environment, answers=f"{answers}{no_folder}\n{saved}\n")
        assert "Traceback" not in done.stderr
        assert "This game is not kept" in done.stdout.partition("your move")[0]
        assert "exists already" in done.stdout
        assert f"The record is in {saved}\n" in done.stdout
        assert bosquet.read(saved).over is (name == "over.json")
    before = cli(*begin, environment=environment, answers=f"1\nsave {tmp_path}/now.json\nquit\n")
    assert "Save to which file?" not in before.stdout
    assert before.returncode == 130
    ended = cli(*begin, environment=environment, answers="1\n")
    assert ended.returncode == 1
    assert "can't be written" in ended.stderr


def test_who_may_begin_is_told_by_the_names_that_are_shown() -> None:
    table_of_three = ["You", "level3", "level3"]
    with pytest.raises(OptionError, match=re.escape("it must be one of lot, me, open, You, Ivy, Ivy 2")):
        first_seat(table_of_three, "Zoe", Rng(1))
    assert first_seat(table_of_three, "ivy 2", Rng(1)) == 2


@pytest.mark.parametrize("name", ["ivyy", "gredy", "Hawthorne"])
def test_a_person_has_a_name_that_is_not_nearly_a_bots(name: str) -> None:
    with pytest.raises(OptionError, match=r"did you mean .* A person needs another name"):
        seat_names(2, seats=f"Ann,{name}")
    for people in ("Bob,Ivo", "Pierre,Rosa"):
        assert seat_names(2, seats=people) == people.split(",")


def test_the_beginning_of_moves_lists_them() -> None:
    done = cli("play", "topiary", "--seats", "Ann,Bob", "--seed", "1", answers="\nb1\nB1\nb1n\nquit\n")
    for said in ("b1N", "b1NE", "b1NW"):
        assert done.stdout.count(said) >= 2
    assert "Ann, your move: " in done.stdout
    assert "take" in done.stdout, "b1n was made"
    game = bosquet.new("schlossgarten", seed=3)
    first = game.legal()[0]
    shown = cli("play", "schlossgarten", "--seats", "A,B", "--seed", "3", answers=f"\n{first}\nK\nG x9\nquit\n").stdout
    game.play(first)
    assert all(move in shown for move in game.legal() if move.startswith("K "))
    assert "is no move of Schlossgarten" in shown


def test_a_hint_names_moves_and_does_not_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SIMULATIONS", 4)
    done = cli("play", "topas", "--bots", "random", "--first", "me", "--seed", "1", answers="hint\nquit\n")
    assert "No move was made" in done.stdout
    assert "to move" in done.stdout
    assert "best" in done.stdout
    assert not list((tmp_path / "data").rglob("*.json"))


def test_the_language_is_that_of_the_terminal() -> None:
    for environment, language in (
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_ALL": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "it_IT"}, "en"),
    ):
        assert preferred(environment) == language
    told = cli("play", "topiary", "--bots", "3", "--first", "me", "--language", "de", answers="?\nquit\n").stdout
    for said in ("Efeu", "du bist dran", "Wie man Züge schreibt", "Besucher"):
        assert said in told


def test_why_a_move_is_illegal_is_said_in_the_words_of_the_page() -> None:
    shown = cli(
        "play", "topiary", "--seats", "A,B", "--seed", "1", "--language", "de", answers="\nput T1\nquit\n"
    ).stdout
    assert '"put T1": Stell zuerst einen Besucher auf eine freie Sichtlinie; legal: ' in " ".join(shown.split())


def test_without_a_game_the_terminal_asks(tmp_path: Path) -> None:
    cli("play", "topiary", "--bots", "ivy", "--first", "me", "--seed", "1", answers="1\nquit\n")
    done = cli("play", answers="9\n1\n3\ny\n\n8\n1\n\n\n1\nquit\n")
    for said in ("1  Topiary, 2–4", "4  go on with Topiary: You, Ivy", "a number from 1 to 4", "6  Yew, 6 of 7"):
        assert said in done.stdout
    assert "the player who last trimmed a real plant begins" in done.stdout, "the printed rule, if it can be followed"
    assert sorted(seats(tmp_path)) == ["You", "level1", "level1"]
    (path, *_) = sorted((tmp_path / "data").rglob("*.json"), key=lambda path: -path.stat().st_mtime_ns)
    assert bosquet.read(path).options == {"players": 3, "draft": True, "removed": "drawn"}
    assert "You, your move" in cli("play", answers="4\nquit\n").stdout
    done = cli("play", answers="2\n2\n\n0\n2\n\nquit\n")
    assert "Who begins: Player 2" in done.stdout
