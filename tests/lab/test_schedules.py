"""Schedules: who meets on which deal."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import bosquet
from bosquet.lab import schedules
from bosquet.lab.arena import Arena, Folder, played
from bosquet.lab.schedules import Course, Pairing, check, pairings, pairs_of, usual
from bosquet.lab.standings import Standings
from tests.helpers.rows import each_row


class Game(NamedTuple):
    """A game of which only the winner matters."""

    winners: list[int]


def won_by_the_better(pairing: Pairing) -> list[Game]:
    """The games of a pairing when the bot with the lower number wins all."""
    return [Game([seat for seat, bot in enumerate(seating) if bot == min(seating)]) for seating in pairing.seatings]


@each_row(
    ("count", "players", "schedule", "games"),
    [
        (1, 1, "table", 1),
        (3, 1, "table", 3),
        (2, 2, "pairs", 2),
        (3, 2, "pairs", 6),
        (5, 2, "pairs", 20),
        (2, 3, "pairs", 6),
        (2, 4, "pairs", 8),
        (3, 3, "table", 3),
        (4, 4, "table", 4),
        (3, 4, "pairs", 24),
        (4, 3, "pairs", 36),
        (5, 4, "pairs", 80),
    ],
)
def test_on_each_deal_every_bot_sits_in_every_seat_equally_often(
    count: int, players: int, schedule: str, games: int
) -> None:
    assert usual(count, players) == schedule
    check(schedule, count, players)
    seatings = [seating for pairing in pairings(schedule, count, players) for seating in pairing.seatings]
    assert len(seatings) == games
    for seat in range(players):
        sat = Counter(seating[seat] for seating in seatings)
        assert set(sat) == set(range(count))
        assert len(set(sat.values())) == 1


@each_row(
    ("count", "players", "schedule"),
    [(1, 2, "pairs"), (3, 2, "table"), (3, 4, "table"), (2, 1, "swiss"), (2, 2, "knockout"), (1, 3, "gauntlet")],
)
def test_schedules_that_cannot_be_are_refused(count: int, players: int, schedule: str) -> None:
    with pytest.raises(bosquet.OptionError):
        check(schedule, count, players)


@each_row("players", [2, 3, 4])
def test_in_a_gauntlet_the_first_bot_meets_each_other_one(players: int) -> None:
    found = pairings("gauntlet", 4, players)
    assert [pairing.bots for pairing in found] == [(0, 1), (0, 2), (0, 3)]
    assert found[0] == pairings("pairs", 2, players)[0]


@each_row(("count", "players"), [(2, 2), (4, 2), (5, 2), (8, 3), (7, 4)])
def test_in_a_swiss_tournament_nobody_meets_twice_and_the_best_come_first(count: int, players: int) -> None:
    rounds = schedules.usual_rounds(count)
    course = Course("swiss", count, players, deals=2, rounds=rounds)
    met: list[tuple[int, ...]] = []
    for number in range(2 * rounds):
        assert course.left_in_round == range(number, number - number % 2 + 2)
        if number % 2 == 0:
            met += [tuple(sorted(pairing.bots)) for pairing in course.pairings]
            assert len(course.pairings) == count // 2
            assert len({bot for pairing in course.pairings for bot in pairing.bots}) == count // 2 * 2
        course.add([game for pairing in course.pairings for game in won_by_the_better(pairing)])
    assert len(set(met)) == len(met)
    assert not course.left_in_round
    assert max(range(count), key=course.points.__getitem__) == 0


@each_row("count", [3, 5, 7])
def test_no_bot_of_a_swiss_tournament_pauses_twice_before_all_others_have_paused(count: int) -> None:
    course = Course("swiss", count, 2, deals=1, rounds=count)
    paused: list[int] = []
    for _ in range(count):
        paused += set(range(count)) - {bot for pairing in course.pairings for bot in pairing.bots}
        course.add([game for pairing in course.pairings for game in won_by_the_better(pairing)])
    assert sorted(paused) == list(range(count))


def test_bots_of_a_swiss_tournament_with_equal_points_meet() -> None:
    course = Course("swiss", 4, 2, deals=1, rounds=2)
    assert [pairing.bots for pairing in course.pairings] == [(0, 1), (2, 3)]
    course.add([game for pairing in course.pairings for game in won_by_the_better(pairing)])
    assert [pairing.bots for pairing in course.pairings] == [(0, 2), (1, 3)]


def test_bots_meet_again_only_if_they_must() -> None:
    for rounds in (1, 2, 3):
        course = Course("swiss", 4, 2, deals=1, rounds=8)
        met: set[tuple[int, ...]] = set()
        for _ in range(rounds):
            met |= {pairing.bots for pairing in course.pairings}
            course.add([game for pairing in course.pairings for game in won_by_the_better(pairing)])
        assert len(met) == 2 * rounds
    course.add([game for pairing in course.pairings for game in won_by_the_better(pairing)])
    assert len(course.pairings) == 2  # all have met all


BOTS = ("greedy", "random", "level1", "level2", "level3")


@pytest.mark.parametrize(
    ("schedule", "players", "count"),
    [
        ("gauntlet", 2, 3),
        pytest.param("swiss", 2, 5, marks=pytest.mark.slow),
        pytest.param("pairs", 3, 3, marks=pytest.mark.slow),
        pytest.param("swiss", 3, 4, marks=pytest.mark.slow),
    ],
)
def test_a_match_of_any_schedule_goes_on_where_it_was_stopped(
    schedule: str, players: int, count: int, tmp_path: Path
) -> None:
    """Stopped after each deal, it has the same games and numbers as played at once."""
    match = Arena("topas", {"players": players}, BOTS[:count], 4, 3, schedule=schedule).checked()
    whole = Standings(match)
    for deal in played(match, workers=1):
        whole.add(deal)
    assert whole.deals == match.deals
    for _ in range(match.deals + 1):
        with Folder(tmp_path / "match", match) as folder:
            again = Standings(match)
            stored = len((tmp_path / "match/games.jsonl").read_text().splitlines())
            for deal in itertools.islice(played(match, workers=1, folder=folder), stored + 1):
                again.add(deal)
    assert again.to_json() == whole.to_json()
    data = whole.to_json()
    assert data["schedule"] == schedule
    assert sum(bot["games"] for bot in data["bots"]) == 2 * data["games"]  # two bots meet in each
    assert json.loads((tmp_path / "match/match.json").read_text())["schedule"] == schedule
    pairs = [tuple(pair["bots"]) for pair in data["pairs"]]
    assert len(pairs) == {"gauntlet": count - 1, "pairs": len(pairs_of(count))}.get(schedule, len(pairs))
    assert len(set(pairs)) == len(pairs)
    points = [bot["swiss"] for bot in data["bots"] if "swiss" in bot]
    assert len(points) == (count if schedule == "swiss" else 0)
    assert sum(points) == pytest.approx(count / 2 * data["deals"] if points else 0)
    elos = {bot["bot"]: bot["elo"] for bot in data["bots"]}
    assert min(elos, key=elos.__getitem__) == "random"
