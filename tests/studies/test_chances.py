"""The figures about chances: what is computed is right, and what was asked is what the coach found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bosquet
from bosquet.core.installed import spec
from bosquet.core.rng import derived_seed
from bosquet.lab import chances, coach, verdicts
from bosquet.lab.chances import Fitted
from studies.chances import __main__ as page
from studies.chances import figures, fitting, games
from studies.chances.figures import Forecasts
from studies.chances.games import Asked, Played, Table

GAMES = 400
ASKED = 3


def drawn(sharpness: float) -> dict[Table, list[Played]]:
    """Games whose winners are drawn by chances that are so sharp, given the shares."""
    rng = np.random.default_rng(1)
    found = []
    for index in range(GAMES):
        shares = rng.dirichlet([0.7, 0.7])
        winner = int(rng.random() > Fitted(sharpness=sharpness).chances(list(shares), coach.SIMULATIONS)[0])
        asked = [Asked(ply, 0, False, list(shares), None) for ply in range(ASKED)]
        found.append(Played(index, [2, 3], [winner], [0] * 9, asked))
    return {Table("topas", 2): found}


@pytest.mark.parametrize("sharpness", [0.6, 1.0, 1.7])
def test_the_sharpness_that_games_were_drawn_with_is_found(sharpness: float) -> None:
    (found,) = drawn(sharpness).values()
    rows = [(asked.rollouts, game.won) for game in found for asked in game.asked]
    fit = fitting.fit([row[0] for row in rows], [row[1] for row in rows], coach.SIMULATIONS)
    assert abs(fit.sharpness - sharpness) < 0.2


def test_fitted_chances_are_better_where_shares_are_too_sharp() -> None:
    found = drawn(0.5)
    before, after = page.plain(page.rollouts), page.fitted(found, page.rollouts)
    was, now = (page.forecasts(found, said) for said in (before, after))
    assert figures.improvement(was, now).low > 0
    assert figures.calibration_error(was).low > figures.calibration_error(now).value
    assert page.better(found, before, after) == ["topas"]


def test_what_is_said_of_a_game_was_not_fitted_to_it() -> None:
    found = drawn(0.6)
    ((table, played),) = found.items()
    turned = [
        Played(game.index, game.levels, [1 - game.winners[0]], game.actions, game.asked) if game.fold == 2 else game
        for game in played
    ]
    one, other = page.fitted(found, page.rollouts), page.fitted({table: turned}, page.rollouts)
    for game in played[:10]:
        said = [way(table, game, game.asked[0]) for way in (one, other)]
        assert (said[0] == said[1]) == (game.fold == 2)


def test_scores_of_forecasts_are_those_of_their_definitions() -> None:
    found = Forecasts(
        np.array([0, 0, 1, 1]), np.array([0.25, 0.75, 0.22, 1.0]), np.array([0.0, 1.0, 1.0, 0.5]), np.full(4, 0.5)
    )
    assert figures.brier(found).value == pytest.approx((0.25**2 + 0.25**2 + 0.78**2 + 0.5**2) / 4)
    # Of the bins, 0.25 and 0.22 are in one, in which one of two came.
    assert figures.calibration_error(found).value == pytest.approx((abs(0.47 - 1) + abs(0.75 - 1) + 0.5) / 4)
    bins = figures.reliability(found)
    assert [one.share for one in bins] == [0.5, 0.25, 0.25]
    assert bins[0].chance == pytest.approx(0.235)
    assert bins[0].came.value == 0.5
    twice = figures.together([found, found])
    assert len(set(twice.games)) == 4
    assert figures.brier(twice).value == pytest.approx(figures.brier(found).value)


@pytest.mark.compiled
@pytest.mark.slow
def test_games_are_kept_and_what_was_asked_is_what_the_coach_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "LEVELS", range(2, 4))
    monkeypatch.setattr(coach, "SIMULATIONS", 5)
    monkeypatch.setattr(coach, "CLOSER", 1)
    monkeypatch.setattr(verdicts, "order_wins", lambda *given: None)
    monkeypatch.setattr(chances, "_of_game", lambda game: None)
    table = Table("topas", 2)
    found = list(games.played(table, tmp_path, 2, 1))
    file = tmp_path / f"{table.file}.jsonl"
    written = file.read_bytes()
    file.write_bytes(written[:-30])
    assert list(games.played(table, tmp_path, 2, 1)) == found
    assert file.read_bytes() == written
    for one in found:
        assert len(set(one.levels)) > 1
        game = games._players(table, tuple(one.levels)).game(derived_seed(games.SEED, one.index), one.actions)
        assert game.winners == one.winners
        at = {plies[0].number: plies for plies in coach.decisions(game)}
        assert len(one.asked) == games.ASKED
        for asked in one.asked:
            decision = coach.weigh(game, at[asked.ply], 5)
            assert decision is not None
            assert decision.seat == asked.seat
            assert decision.made.wins == [round(share, 4) for share in asked.rollouts]


def test_the_program_has_what_the_page_says() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    for game in bosquet.GAMES:
        fit = chances.fitted(game, {name: values[0] for name, values in spec(game).options.items()})
        assert f"| {spec(game).title} | {f'{fit.sharpness:g}' if fit else '1: shares as they are'} |" in text
        assert f"/pictures/chances-{game}.svg)" in text
        assert (page.PICTURES / f"chances-{game}.svg").is_file()
