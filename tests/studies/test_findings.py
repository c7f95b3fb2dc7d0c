"""The findings: the games that they come from are kept, and what is computed from them is right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import bosquet
from studies import DOCS
from studies.findings import figures, games, schlossgarten, topas, topiary
from studies.findings.figures import Counts, Results
from studies.findings.games import HEAD_STARTS, TABLES, VARIANTS, Table, deals

DEALS = 1000


def drawn(of_the_deal: float, advantage: float = 0.0) -> Results:
    """Results for two seats in which the deal decides so much of the lead."""
    rng = np.random.default_rng(1)
    deal = rng.normal(size=(DEALS, 1)) * of_the_deal**0.5
    lead = deal + rng.normal(size=(DEALS, 2)) * (1 - of_the_deal) ** 0.5 + advantage
    scores = np.stack([50 + 10 * lead, np.full_like(lead, 50)], axis=2).round()
    first = scores == scores.max(2, keepdims=True)
    return Results(scores, first / first.sum(2, keepdims=True))


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_what_the_deal_decides_is_found(part: float) -> None:
    found = figures.bootstrap(drawn(part), figures.of_the_deal)
    assert found.low < part < found.high
    assert found.high - found.low < 0.15


def test_a_handicap_evens_the_seats() -> None:
    found = drawn(0.5, advantage=0.4)
    assert figures.share(found, 0).low > 0.6
    given = figures.handicap(found)
    assert list(given) == [0, 4]
    shares = figures.won(found.scores.reshape(-1, 2) + given)
    assert abs(shares - 0.5).max() < 0.02
    low, high = figures.bootstrapped(found, figures.handicap)
    assert low[1] <= 4 <= high[1]


def test_a_ratio_is_over_all_deals_together() -> None:
    rng = np.random.default_rng(2)
    counts = []
    for _ in range(400):
        cards = int(rng.integers(1, 9))
        counts.append(Counts({"cards": cards, "points": int(rng.poisson(3 * cards))}))
    found = figures.ratio(counts, "points", "cards")
    assert found.low < 3 < found.high
    assert found.value == sum(one["points"] for one in counts) / sum(one["cards"] for one in counts)


@pytest.mark.slow
def test_games_are_kept_and_a_line_that_was_cut_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "BOT", "greedy")
    table = Table("topas", 2)
    found = list(deals(table, tmp_path, 3, 1))
    file = tmp_path / f"{table.file}.jsonl"
    written = file.read_bytes()
    file.write_bytes(written[:-30])
    assert list(deals(table, tmp_path, 3, 1)) == found
    assert file.read_bytes() == written
    assert list(deals(table, tmp_path, 0, 1)) == found
    for one, other in found:
        assert one.record["deal"] == other.record["deal"]
        assert bosquet.load(one.record).scores == one.scores


@pytest.mark.slow
@pytest.mark.parametrize(("module", "game"), [(topiary, "topiary"), (topas, "topas"), (schlossgarten, "schlossgarten")])
def test_points_are_counted_where_they_come_from(
    module: object, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "BOT", "greedy")
    found = list(deals(Table(game, 2), tmp_path, 2, 1))
    for dealt in found:
        counts = module.counted(dealt)  # type: ignore[attr-defined]
        scored = sum(sum(played.scores) for played in dealt)
        if game == "topiary":
            parts = [counts[name, size] for name in ("points", "in hand") for size in range(1, 6)]
            assert sum(parts) == scored
        elif game == "topas":
            assert sum(counts["turn", turn] for turn in topas.TURNS) == scored
        else:
            built = sum(counts["gain", mark] for mark in schlossgarten.ELEMENTS.values())
            assert built == sum(counts["points", card] for card in range(1, 33)) >= scored


@pytest.mark.slow
def test_a_head_start_is_played_with(tmp_path: Path) -> None:
    (played,) = games._games(Table("schlossgarten", 3, head_start=(0, 0, 20)), 0)
    assert played.winners == [2]
    assert played.scores[2] >= 21


def test_the_page_has_every_table_and_picture() -> None:
    page = (DOCS / "findings.md").read_text(encoding="utf-8")
    for table in [*TABLES, *VARIANTS]:
        assert f"| {table.title} | {table.players} |" in page
    for table in HEAD_STARTS:
        given = ", ".join(f"+{points}" for points in table.head_start)
        assert f"\n| {table.players} | {given} | " in page
    for name in ("seats", "head-starts", "turns"):
        assert f"](pictures/findings-{name}.svg)" in page


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_page_names_the_advantage_that_was_found(name: str) -> None:
    table = (DOCS / "findings.md").read_text(encoding="utf-8").partition("<!-- seats -->")[2]
    row = table.partition(f"\n| {bosquet.spec(name).title} | 2 |")[2].partition("\n")[0]
    found = max(map(int, re.findall(r"(\d+) % \[", row)))
    words = json.loads((DOCS.parent / "web/src/games" / name / "words.json").read_text(encoding="utf-8"))
    assert len(words["duel"]) == 4
    for text in words["duel"].values():
        assert re.findall(r"\d+", text) == [str(found), "100"]
