"""The results of the ladder are what the page shows, and newer ones take the place of older ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.progress import Progress

from bosquet.core.installed import spec
from studies import markdown, numbers
from studies.ladder import __main__ as ladder
from studies.ladder import results as ladder_results

PLAYED = ladder.Wanted(4, 1, range(2, 3), frozenset({"greedy"}))
FINISHED = PLAYED._replace(seats=range(0))


def test_the_page_shows_the_results() -> None:
    page = ladder_results.PAGE.read_text(encoding="utf-8")
    assert ladder_results.with_tables(page, ladder_results.read()) == page


def test_results_that_are_written_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results, text = ladder_results.read(), ladder_results.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(ladder_results, "FILE", tmp_path / "ladder.json")
    ladder_results.write(results)
    assert ladder_results.read() == results
    assert ladder_results.FILE.read_text(encoding="utf-8") == text


def test_new_results_replace_old_ones_in_their_place() -> None:
    results = ladder_results.read()
    assert ladder.merged(results, []) == results
    number = len(results.matches) // 2
    new = msgspec.structs.replace(results.matches[number], games=1000)
    found = ladder.merged(results, [new])
    assert found.matches == [*results.matches[:number], new, *results.matches[number + 1 :]]
    assert found.seats == results.seats


def test_finished_matches_are_read_and_others_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pairs(game: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        return [("greedy", "random")]

    monkeypatch.setattr(ladder, "pairs", pairs)
    monkeypatch.setattr(ladder, "TABLES", {"topas": [{"players": 2}]})
    with Progress(disable=True) as progress:
        (found,) = ladder.matches("topas", tmp_path, PLAYED, progress)
        assert (found.options, found.games, found.won.value) == ({"players": 2}, 4, 1)
        assert found.ahead > 0
        assert list(ladder.matches("topas", tmp_path, FINISHED, progress)) == [found]
        (folder,) = tmp_path.iterdir()
        games = folder / "games.jsonl"
        games.write_bytes(games.read_bytes().partition(b"\n")[0] + b"\n")
        assert list(ladder.matches("topas", tmp_path, FINISHED, progress)) == []


def test_the_luck_of_the_page_comes_from_the_ladder() -> None:
    page = numbers.PAGE.read_text(encoding="utf-8")
    for game, options in numbers.TABLES:
        luck = numbers.luck(game, options)
        assert (luck is None) == (options.get("draft", False) or options["players"] == 1)
        if luck is not None:
            row = page.partition(f"\n| {spec(game).title}, {options['players']} |")[2].partition("\n")[0]
            assert row.endswith(f" | {100 * luck:.0f} % |")


def test_the_page_shows_the_layouts_of_the_observations() -> None:
    page = numbers.LAYOUTS.read_text(encoding="utf-8")
    assert markdown.written(page, "layouts", list(numbers.layouts())) == page
