"""Statistics against closed forms, against SciPy, and against what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy  # its parts are loaded at their first use

from bosquet.lab.ratings import (
    ELO_PER_NAT,
    Array,
    Hypotheses,
    Sprt,
    bradley_terry,
    elo,
    elo_difference,
    expected,
    is_connected,
    log_likelihood_ratio,
    mean,
    ratings,
    share,
    skills,
    student,
)
from bosquet.lab.schedules import pairs_of
from tests.helpers.rows import each_row

OUTCOMES = (0.0, 0.5, 1.0)


def probabilities(difference: float, draws: float) -> list[float]:
    """Of deals lost, shared and won at an Elo difference, with this number shared."""
    won = expected(difference) - draws / 2
    return [1 - draws - won, draws, won]


@each_row("freedom", [1, 2, 3, 5, 10, 40, 1000])
def test_student_agrees_with_scipy(freedom: int) -> None:
    assert student(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=2e-3)


def test_a_mean_has_students_interval() -> None:
    values = np.array([3.0, 5.0, 4.0, 9.0, -2.0, 4.0, 4.5])
    low, high = scipy.stats.t.interval(0.95, 6, loc=values.mean(), scale=scipy.stats.sem(values))
    assert mean(values) == pytest.approx((values.mean(), low, high), rel=1e-3)
    assert mean(values[:1]) == (3.0, -math.inf, math.inf)


@each_row("wins", [0, 3, 20, 40])
def test_without_shared_deals_the_share_has_about_wilsons_interval(wins: int) -> None:
    scores = np.repeat([1.0, 0.0], [wins, 40 - wins])
    right = scipy.stats.binomtest(wins, 40).proportion_ci(method="wilson")
    assert share(scores) == pytest.approx((wins / 40, right.low, right.high), abs=1e-9)


@pytest.mark.parametrize("odds", [(0.25, 0.5, 0.25), (0.05, 0.9, 0.05), (0.01, 0.04, 0.95), (0.45, 0.1, 0.45)])
@pytest.mark.parametrize("deals", [10, 100])
def test_the_interval_of_a_share_holds_what_it_promises(odds: tuple[float, ...], deals: int) -> None:
    generator = np.random.default_rng(1)
    right = float(np.dot(odds, OUTCOMES))
    found = [share(generator.choice(OUTCOMES, deals, p=odds)) for _ in range(1000)]
    assert sum(low <= right <= high for _, low, high in found) >= 930


def test_mirrored_deals_that_all_split_say_more_than_single_games() -> None:
    split = share(np.full(100, 0.5))
    single = share(np.repeat([0.0, 1.0], 50))
    assert split.high - split.low < (single.high - single.low) / 3


@each_row(("score", "difference"), [(0.5, 0.0), (0.75, 190.8485), (10 / 11, 400.0), (0.0, -math.inf)])
def test_elo_of_a_score(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=1e-4)
    if math.isfinite(difference):
        assert expected(difference) == pytest.approx(score)


def test_an_elo_difference_is_that_of_the_score_and_of_its_interval() -> None:
    scores = np.array([1.0, 0.5, 0.5, 1.0, 0.0, 1.0])
    assert elo_difference(scores) == tuple(map(elo, share(scores)))
    assert elo_difference(np.ones(9)).value == math.inf
    assert elo_difference(np.ones(9)).low > 0


def test_two_bots_are_rated_by_their_score() -> None:
    (found,) = bradley_terry(np.array([[[0.0, 30.0], [10.0, 0.0]]]))
    assert found == pytest.approx([elo(0.75) / 2, -elo(0.75) / 2])


def test_bradley_and_terry_agree_with_a_general_optimiser() -> None:
    points = np.array([[0, 31, 25.5, 40], [9, 0, 12, 22.5], [14.5, 28, 0, 39], [0, 17.5, 1, 0]], dtype=float)

    def unlikely(nats: Array) -> float:
        ahead = nats[:, None] - nats[None, :]
        return float((points * np.log1p(np.exp(-ahead))).sum())

    best = scipy.optimize.minimize(unlikely, np.zeros(4), tol=1e-12).x
    assert bradley_terry(points[None])[0] == pytest.approx(ELO_PER_NAT * (best - best.mean()), abs=0.01)


def test_points_must_lead_from_each_bot_to_each_other() -> None:
    assert is_connected(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float))
    assert not is_connected(np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0]], dtype=float))


def test_pairs_that_did_not_meet_on_a_deal_count_for_nothing() -> None:
    """Two deals on which half of the pairs met give what one deal gives on which all met."""
    whole = np.array([[1.0, 0.5, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]])
    nan = np.nan
    split = np.array([row for one, two, three in whole for row in ([one, nan, nan], [nan, two, three])])
    for a, b in zip(ratings(whole, pairs_of(3), 3), ratings(split, pairs_of(3), 3), strict=True):
        assert a.value == pytest.approx(b.value)


def test_the_intervals_of_a_round_robin_hold_the_right_ratings() -> None:
    generator = np.random.default_rng(3)
    right = np.array([120.0, 10.0, -130.0])
    held = 0
    for run in range(60):
        odds = [probabilities(right[i] - right[j], 0.3) for i, j in pairs_of(3)]
        scores = np.column_stack([generator.choice(OUTCOMES, 60, p=p) for p in odds])
        found = ratings(scores, pairs_of(3), 3, seed=run)
        assert sum(estimate.value for estimate in found) == pytest.approx(0, abs=1e-6)
        held += sum(low <= value <= high for value, (_, low, high) in zip(right, found, strict=True))
    assert held >= 0.9 * 180


def test_who_wins_everything_has_a_finite_rating() -> None:
    best, worst = ratings(np.ones((20, 1)), [(0, 1)], 2)
    assert best.value == pytest.approx(elo(20.5 / 21) / 2)
    assert 0 < best.low < best.value < best.high < 1000
    assert worst.value == pytest.approx(-best.value)


def test_the_likelihood_ratio_agrees_with_a_general_optimiser() -> None:
    counts = {0.0: 12.5, 0.25: 3.0, 0.5: 40.0, 1.0: 20.5}
    scores, weights = np.array(list(counts)), np.array(list(counts.values()))

    def likelihood(middle: float) -> float:
        """The greatest that a distribution with this mean has: over Lagrange's multiplier."""
        room = (1e-9 - 1 / (1 - middle), 1 / middle - 1e-9)
        tilt = scipy.optimize.brentq(lambda t: (weights * (scores - middle) / (1 + t * (scores - middle))).sum(), *room)
        chances = weights / weights.sum() / (1 + tilt * (scores - middle))
        assert chances.sum() == pytest.approx(1)
        assert chances @ scores == pytest.approx(middle)
        return float(weights @ np.log(chances))

    right = likelihood(0.6) - likelihood(0.5)
    assert log_likelihood_ratio(counts, 0.5, 0.6) == pytest.approx(right)


def test_without_shared_deals_the_likelihood_ratio_is_walds() -> None:
    right = 30 * math.log(0.6 / 0.5) + 20 * math.log(0.4 / 0.5)
    assert log_likelihood_ratio({1.0: 30, 0.0: 20}, 0.5, 0.6) == pytest.approx(right)


@pytest.mark.parametrize("draws", [0.3, *(pytest.param(draws, marks=pytest.mark.slow) for draws in (0.0, 0.6))])
@pytest.mark.parametrize("truth", ["elo0", "elo1"])
def test_the_sequential_test_errs_as_seldom_as_it_promises(truth: str, draws: float) -> None:
    generator = np.random.default_rng(4)
    hypotheses = Hypotheses(0, 120)
    odds = probabilities(getattr(hypotheses, truth), draws)
    wrong = 0
    for _ in range(200):
        sprt = Sprt(hypotheses)
        while sprt.decision is None:
            sprt.add(float(generator.choice(OUTCOMES, p=odds)))
        wrong += sprt.decision != truth
    assert wrong <= 20  # 10 are promised; more than 20 of 200 come once in a thousand runs


def test_a_decision_stays() -> None:
    sprt = Sprt(Hypotheses(0, 100))
    for _ in range(100):
        sprt.add(1.0)
    assert (sprt.decision, sprt.ratio >= sprt.hypotheses.bounds[1]) == ("elo1", True)
    assert sprt.deals < 30
    sprt.add(0.0)
    assert sprt.decision == "elo1"


def test_openskill_goes_up_by_winning_and_grows_sure() -> None:
    one, two, three = skills(3, [((0, 1), (1.0, 0.0)), ((1, 2), (1.0, 0.0)), ((0, 2), (1.0, 0.0))] * 5)
    assert one.mu > two.mu > three.mu
    assert max(one.sigma, two.sigma, three.sigma) < 25 / 3
    equal = skills(2, [((0, 1), (0.5, 0.5))])
    assert equal[0].mu == pytest.approx(equal[1].mu)


def test_bots_that_are_not_connected_by_games_have_no_ratings() -> None:
    """After one round of a Swiss tournament nothing compares the winners of two pairs."""
    found = ratings(np.array([[1.0, 0.5], [0.5, 0.5]]), [(0, 1), (2, 3)], 5)
    assert len(found) == 5
    assert all(np.isnan(number) for estimate in found for number in estimate)
