"""Ratings: what counts, how much, once and in order; wanted, shown, downloaded and erased; and what protects them."""

from __future__ import annotations

import asyncio
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.bots import strengths
from bosquet.server.base.clock import today
from bosquet.server.history import ratings
from bosquet.server.history.rated_games import PAIR_FACTOR, Book, Change, Finished, Seat, Standing
from bosquet.server.history.rater import Rater, _days_listed
from bosquet.server.history.skill import ABOVE, CERTAIN, NEW, Rival, Skill, after, aged, days_certain, shown
from bosquet.server.store.schema import finished, rating_changes, rating_wishes, results, tables
from bosquet.server.store.schema import ratings as kept_ratings
from bosquet.server.store.store import Store
from studies.ladder import results as ladder_results
from studies.ladder.strengths import of_results
from tests.helpers.rows import each_row
from tests.server.helpers.guests import code_of, move
from tests.server.helpers.kept import TODAY, keep_game, sweep, with_store
from tests.server.helpers.people import ME, Person, begin, two_people
from tests.server.helpers.rated import all_kept, keep, some_games, want

LEVEL = {"kind": "bot", "bot": "level1"}
STEADY = Skill(1200.0, 60.0)


def person(guest: str | None, place: int | None = 1, **more: Any) -> Seat:
    outcome = "won" if place == 1 else "lost"
    return Seat(
        **{"guest": guest, "bot": None, "program": False, "stood_in": False, "outcome": outcome, "place": place} | more
    )


def level(number: int, place: int | None = 2, name: str = "level") -> Seat:
    return Seat(None, f"{name}{number}", False, False, "won" if place == 1 else "lost", place)


def game(*seats: Seat, day: int = 1, **more: Any) -> Finished:
    values: dict[str, Any] = {
        "table": "table",
        "game": "topas",
        "assistance": "plain",
        "how": None,
        "hinted": False,
        "started": f"2026-03-{day:02}T10:00:00.000Z",
        "ended": f"2026-03-{day:02}T11:00:00.000Z",
        "moves": 60,
        "own_box": False,
    }
    return Finished(**values | more, seats=seats)


def book(**known: Skill | None) -> Book:
    """Guests who want ratings, and what is known of them."""
    return Book(
        dict.fromkeys(known, "2026-01-01T00:00:00.000Z"),
        {(guest, "topas"): Standing(skill, 30, "2026-03-01T09:00:00.000Z") for guest, skill in known.items() if skill},
        {},
    )


def rated(kept: Book, played: Finished) -> dict[str, int]:
    """What a game changes, in points."""
    return {change.guest: round(change.change) for change in kept.rate(played)[1]}


# --- the model ---


def test_the_strengths_are_those_of_the_ladder() -> None:
    for name, measured in of_results(ladder_results.read()).items():
        assert strengths.measured(name) == measured
        levels = strengths.levels(name)
        assert list(levels) == [f"level{number}" for number in range(1, 7)]
        assert levels["level2"] - levels["level1"] == measured.steps[0]
        for players, shares in measured.seats.items():
            worth = strengths.seats(name, int(players))
            powers = [math.exp(value / strengths.ELO_PER_NAT / math.sqrt(int(players) / 2)) for value in worth]
            assert [power / sum(powers) for power in powers] == pytest.approx([s / sum(shares) for s in shares])
            assert sum(worth) == pytest.approx(0)
        champion = strengths.champion(name)
        assert champion is not None
        (match,) = (one for one in ladder_results.read().of_game(name) if one.one == "champion")
        assert match.elo.low - 1 <= champion[0] - levels["level6"] - champion[1] <= match.elo.low + 1
        assert champion[0] - levels["level6"] == pytest.approx(match.elo.value, abs=0.5)
    assert strengths.levels("none") == {}
    assert strengths.champion("none") is None
    assert strengths.seats("none", 3) == (0, 0, 0)


def test_ratings_come_to_the_skill_and_say_how_sure_they_are() -> None:
    rng = random.Random(1)
    off, sigmas = [], []
    for _ in range(200):
        skill = rng.gauss(NEW.mu, NEW.sigma)
        found = NEW
        for _ in range(30):
            other = rng.choice([800, 984, 1144, 1263, 1337, 1448])
            won = rng.random() < 1 / (1 + 10 ** ((other - skill) / 400))
            found = after(found, 1 if won else 2, [Rival(Skill(other, 25), 2 if won else 1)])
        off.append((found.mu - skill) / found.spread)
        sigmas.append(found.sigma)
    within = sum(abs(one) <= 1 for one in off) / len(off)
    assert 0.9 <= within <= 0.99
    assert sorted(sigmas)[len(sigmas) // 2] < CERTAIN
    assert abs(sum(off)) / len(off) < 0.15


def test_of_a_certain_seat_advantage_no_rating_comes() -> None:
    won, lost = (after(STEADY, place, [Rival(STEADY, 3 - place)], seat=800) for place in (1, 2))
    assert won.mu - STEADY.mu < 1
    assert STEADY.mu - lost.mu > 10


def test_what_is_not_known_grows_with_time_and_falls_with_games() -> None:
    assert aged(STEADY, 0) == STEADY
    assert STEADY.sigma < aged(STEADY, 100).sigma < aged(STEADY, 10**6).sigma == NEW.sigma
    assert after(STEADY, 1, [Rival(NEW, 2)], weight=0.0).mu == STEADY.mu
    changes = [after(STEADY, 1, [Rival(STEADY, 2)], weight=weight).mu for weight in (0, 0.25, 0.5, 1)]
    assert changes == sorted(changes)
    days = days_certain(STEADY)
    assert days is not None
    assert not aged(STEADY, days).is_provisional
    assert aged(STEADY, days + 1).is_provisional
    assert days_certain(NEW) is None


# --- which games count, and for whom ---


@each_row(
    ("played", "verdict"),
    [
        (game(person("a"), level(3)), "counted"),
        (game(person("a"), level(3), assistance="none"), "counted"),
        (game(person("a"), level(3), assistance="full"), "full"),
        (game(person("a"), level(3), hinted=True), "hinted"),
        (game(person("a"), level(3), hinted=None), "hinted"),
        (game(person("a"), level(3), own_box=True), "own box"),
        (game(person("a"), level(3), own_box=None), "own box"),
        (game(person("a")), "alone"),
        (game(person("a"), person("b", 2), how="agreed"), "ended"),
        (game(person("a", None), person("b", None), how="void"), "ended"),
        (game(person("a", None), person(None, None), how="void"), "ended"),
        (game(person("a"), level(0, name="greedy")), "nobody"),
        (game(person("a"), level(0, name="champion")), "nobody"),
        (game(person("a"), level(3), person("x", 3)), "nobody"),
        (game(person("a"), level(3), person("x", 3, program=True)), "nobody"),
        (game(person("a"), level(3), person("x", 3, outcome="left")), "nobody"),
        (game(level(1, 1), level(2)), "nobody"),
        (game(person("x"), level(3)), "nobody"),
        (game(person("a"), person("x", 2)), "nobody"),
        (game(person("a", program=True), level(3)), "nobody"),
        (game(person("a", outcome="together"), person("a", 2, outcome="together")), "nobody"),
        (game(person("a"), level(3), started=None), "nobody"),
        (game(person("a"), level(3), started="2025-12-31T00:00:00.000Z"), "nobody"),
        (game(person("a"), level(3), game="none"), "nobody"),
    ],
)
def test_which_games_count(played: Finished, verdict: str) -> None:
    kept = book(a=STEADY, b=STEADY)
    before = dict(kept.standings)
    found, changes = kept.rate(played)
    assert found == verdict
    assert bool(changes) == (verdict == "counted")
    assert (kept.standings == before) == (verdict != "counted")


def test_who_wins_gains_and_who_loses_loses() -> None:
    found = rated(book(a=STEADY, b=STEADY, c=STEADY), game(person("a"), person("b", 2), person("c", 3)))
    assert found["a"] > found["b"] > found["c"]
    assert found["a"] > 0 > found["c"]
    assert abs(sum(found.values())) < 20
    assert (
        rated(book(a=STEADY), game(person("a"), level(6)))["a"]
        > rated(book(a=STEADY), game(person("a"), level(1)))["a"]
    )
    one, other = (rated(book(a=STEADY, b=STEADY), game(person("a"), person("b", 1))) for _ in range(2))
    assert one == other


def test_a_player_who_is_not_compared_with_is_as_if_absent() -> None:
    """Somebody without a rating, a program, a screen for two: the others are compared among themselves."""
    alone = rated(book(a=STEADY, b=STEADY), game(person("a"), person("b", 2), person("x", 3)))
    for third in (person("c", 3, program=True), person("x", 1), level(0, 3, "random")):
        assert rated(book(a=STEADY, b=STEADY, c=STEADY), game(person("a"), person("b", 2), third)) == alone
    screen = game(person("a"), person("c", 2, outcome="together"), person("c", 3, outcome="together"), person("b", 4))
    assert rated(book(a=STEADY, b=STEADY, c=STEADY), screen).keys() == {"a", "b"}


def test_a_level_counts_only_for_a_player_alone_with_bots() -> None:
    """With an accomplice there, be it a program or somebody who leaves, lost games could be ended without losing."""
    alone = rated(book(a=STEADY, b=STEADY), game(person("a"), person("b", 2)))
    assert rated(book(a=STEADY, b=STEADY), game(person("a"), person("b", 2), level(6, 3))) == alone
    for company in (person("x", 3), person("x", 3, program=True), person("x", 3, outcome="left")):
        for how in ("void", "agreed", None):
            assert not rated(book(a=STEADY), game(person("a"), level(6, 2), company, how=how))


def test_a_game_that_is_thrown_away_is_lost() -> None:
    for how in ("agreed", "void"):  # one person alone asks nobody
        thrown = game(person("a", 1, outcome="won"), level(1, 2), how=how)
        assert rated(book(a=STEADY), thrown)["a"] < -10
    left = game(person("a", 1, outcome="left"), person("b", 2), level(3, 3))
    found = rated(book(a=STEADY, b=STEADY), left)
    assert found["a"] < 0 < found["b"]
    gone = game(person("a", stood_in=True), person("b", 2))
    assert "a" not in rated(book(a=STEADY, b=STEADY), gone), "a bot may have won it"
    assert "b" not in rated(book(a=STEADY, b=STEADY), gone), "it was the bot that won"
    lost = rated(book(a=STEADY, b=STEADY), game(person("a", 2, stood_in=True), person("b")))
    assert lost["a"] < 0 < lost["b"]


def test_of_a_game_that_is_resigned_at_once_nobody_gains() -> None:
    seats = person("a", 2), person("b")
    assert rated(book(a=STEADY, b=STEADY), game(*seats, how="time", moves=11)).keys() == {"a"}
    found = rated(book(a=STEADY, b=STEADY), game(*seats, how="resigned", moves=11))
    assert found.keys() == {"a"}
    assert found["a"] < 0
    assert rated(book(a=STEADY, b=STEADY), game(*seats, how="resigned", moves=None)).keys() == {"a"}
    assert rated(book(a=STEADY, b=STEADY), game(*seats, how="resigned", moves=12)).keys() == {"a", "b"}


def test_a_player_who_does_not_go_on_has_lost_and_nobody_has_won() -> None:
    kept = book(a=STEADY, b=STEADY)
    unfinished = game(person("a"), person("b"), level(3))
    change = kept.forfeit_absent(unfinished, "a")
    assert change is not None
    assert change.change < -5
    assert kept.forfeit_absent(game(person("a"), person("x"), level(3)), "a") is None, "a win would not have counted"
    assert kept.forfeit_absent(unfinished._replace(hinted=True), "a") is None
    assert kept.forfeit_absent(game(person("a")), "a") is None
    kept.lost = {("a", "table")}
    assert rated(kept, game(person("a"), person("b", 2), level(3))).keys() == {"b"}


def test_what_one_gains_from_the_same_person_is_bounded() -> None:
    kept = book(a=STEADY, b=STEADY)
    weights, start = [], STEADY.mu
    for _ in range(100):
        kept.standings["b", "topas"] = Standing(STEADY, 30, "2026-03-01T09:00:00.000Z")  # it is never weaker for it
        _, changes = kept.rate(game(person("a"), person("b", 2)))
        weights.append(next(change.weight for change in changes if change.guest == "a"))
    assert weights == pytest.approx([PAIR_FACTOR**number for number in range(100)])
    assert kept.standings["a", "topas"].skill.mu - start < 140
    assert rated(kept, game(person("a"), level(6)))["a"] > 10, "against others games count as before"
    _, (later, _) = kept.rate(game(person("a"), person("b", 2), day=31))
    assert later.weight == 1


def test_with_an_accomplice_at_the_table_a_game_counts_less() -> None:
    kept = book(a=STEADY, b=STEADY, c=STEADY)
    for _ in range(30):
        kept.rate(game(person("a"), person("b", 2)))
    assert rated(kept, game(person("a"), person("b", 3), person("c", 2)))["a"] <= 2
    assert rated(kept, game(person("a"), person("c", 2)))["a"] > 5


def test_who_has_just_come_changes_no_established_rating() -> None:
    fresh = game(person("a", 2), person("b"))
    found = rated(book(a=STEADY, b=None), fresh)
    assert found.keys() == {"b"}
    assert found["b"] > 0
    assert rated(book(a=None, b=None), fresh).keys() == {"a", "b"}
    # Another one at the table counts on; the one who has just come is left out.
    both = rated(book(a=STEADY, b=None, c=STEADY), game(person("a", 2), person("b"), person("c", 3)))
    assert both["a"] == rated(book(a=STEADY, c=STEADY), game(person("a", 2), person("x"), person("c", 3)))["a"]


def test_one_person_with_many_browsers_climbs_no_leaderboard() -> None:
    """They play 1100, and each of their browsers has an honest rating; then these lose to each other, by a pyramid."""
    rng, names = random.Random(5), [f"g{number}" for number in range(27)]
    kept = book(**dict.fromkeys(names))
    levels = [float(elo) for elo in strengths.levels("topas").values()]

    def honest(guest: str, skill: float, games: int) -> None:
        for _ in range(games):
            number = rng.randrange(6)
            place = 1 if rng.random() < 1 / (1 + 10 ** ((levels[number] - skill) / 400)) else 2
            kept.rate(game(person(guest, place), level(number + 1, 3 - place)))

    for guest in names:
        honest(guest, 1100, 40)
    climbing = names
    while len(climbing) > 1:
        for winner, *losers in zip(climbing[::3], climbing[1::3], climbing[2::3], strict=True):
            for loser in losers * 10:
                kept.rate(game(person(winner), person(loser, 2)))
        climbing = climbing[::3]
    best = kept.standings["g0", "topas"]
    assert best.skill.mu > 1380, "the rating itself climbs"
    assert not best.skill.is_provisional
    assert shown(best.skill, best.levels) < 1100 + 2 * ABOVE
    one = kept.standings["g5", "topas"]
    assert shown(one.skill, one.levels) == one.skill.mu, "where levels say as much, all games count"
    assert _days_listed("topas", Change("g0", 0, best.skill, 60, 9.0, 1.0, best.levels)) is not None
    for unknown in (None, NEW):
        assert _days_listed("topas", Change("g0", 0, best.skill, 60, 9.0, 1.0, unknown)) is None
    assert _days_listed("none", Change("g0", 0, best.skill, 60, 9.0, 1.0, None)) is not None


# --- games that were kept ---


def test_equal_results_give_equal_ratings_however_they_are_rated(tmp_path: Path) -> None:
    async def at_once(store: Store) -> Any:
        await some_games(store)
        assert await Rater(store, 0).rate() == 80
        return await all_kept(store)

    async def bit_by_bit(store: Store) -> Any:
        await some_games(store)
        everything = await store.select(sa.select(finished.c.id))
        await store.write(sa.update(finished).values(rated="later"))
        for row in sorted(everything):
            await store.write(sa.update(finished).where(finished.c.id == row.id).values(rated=None))
            assert await Rater(store, 0).rate() == 1
        return await all_kept(store)

    async def by_two(store: Store) -> Any:
        await some_games(store)
        one, other = Rater(store, 0), Rater(store, 0)
        assert sum(await asyncio.gather(one.rate(), other.rate())) == 80
        return await all_kept(store)

    found = []
    for work in (at_once, bit_by_bit, by_two):
        folder = tmp_path / work.__name__
        folder.mkdir()
        found.append(with_store(folder, work))
    assert found[0] == found[1] == found[2]
    assert sum(len(kept) for kept in found[0][:2]) > 100


class Killed(Exception):  # noqa: N818
    """The process ends here."""


def test_who_is_killed_between_two_steps_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def undisturbed(store: Store) -> Any:
        await some_games(store)
        await Rater(store, 0).rate()
        return await all_kept(store)

    async def killed(store: Store) -> Any:
        await some_games(store)
        write = store.write
        for after_it in (False, True):

            async def end(*statements: Any, after_it: bool = after_it) -> None:
                if after_it:
                    await write(*statements)
                raise Killed

            monkeypatch.setattr(store, "write", end)
            with pytest.raises(Killed):
                await Rater(store, 0).rate()
            monkeypatch.setattr(store, "write", write)
        await Rater(store, 0).rate()
        return await all_kept(store)

    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    assert with_store(folders[0], undisturbed) == with_store(folders[1], killed)


def test_who_turns_it_off_meanwhile_gets_no_rating(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        await some_games(store, 20)
        met = Rater._met

        async def slow(*given: Any) -> Any:
            monkeypatch.setattr(Rater, "_met", met)
            await ratings.erase(store, "ann")
            return await met(*given)

        monkeypatch.setattr(Rater, "_met", slow)
        assert await Rater(store, 0).rate() == 20
        guests = {row.guest for row in await store.select(sa.select(rating_changes.c.guest))}
        assert guests == {"bea", "cid"}

    with_store(tmp_path, work)


def test_a_game_that_comes_late_counts_and_a_damaged_one_hinders_nobody(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await want(store, "ann")
        await keep(store, 9, [{"guest": "ann", "place": 1}, {"bot": "level3"}])
        await keep(store, 10, [{"guest": "ann", "place": 1}, {"bot": "level3"}], ended="soon")
        rater = Rater(store, 0)
        assert await rater.rate() == 2
        await keep(store, 3, [{"guest": "ann", "place": 1}, {"bot": "level3"}])
        assert await rater.rate() == 1
        games = await ratings.plotted(store, "ann", "topas")
        assert [one.table for one in games] == ["t0009", "t0003"]
        rows = await store.select(sa.select(finished.c.id, finished.c.rated).order_by(finished.c.id))
        assert [tuple(row) for row in rows] == [("t0003", "counted"), ("t0009", "counted"), ("t0010", "broken")]

    with_store(tmp_path, work)


def test_turning_it_off_and_on_forgets_no_pairing(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await want(store, "ann", "bea")
        rater = Rater(store, 0)
        for number in range(5):
            await keep(store, number, [{"guest": "ann", "place": 1}, {"guest": "bea"}])
        await rater.rate()
        await ratings.erase(store, "bea")
        await store.write(sa.insert(rating_wishes).values(guest="bea", since="2026-01-01", version=0))
        await keep(store, 6, [{"guest": "ann", "place": 1}, {"guest": "bea"}])
        await rater.rate()
        weights = await store.select(sa.select(rating_changes.c.weight).where(rating_changes.c.table_id == "t0006"))
        assert [row.weight for row in weights] == pytest.approx([PAIR_FACTOR**5] * 2)

    with_store(tmp_path, work)


def test_a_leaderboard_lists_the_established_and_the_levels_are_marks_in_it(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        day = today()
        rows = [
            ("ann", 1500.0, "9999-01-01"),
            ("bea", 1700.0, None),
            ("cid", 1000.0, day),
            ("dan", 900.0, "2020-01-01"),
        ]
        for guest, mu, until in rows:
            values = {
                "guest": guest,
                "game": "topas",
                "mu": mu,
                "sigma": 50.0,
                "games": 40,
                "ended": f"{day}T10:00:00Z",
            }
            await store.write(sa.insert(kept_ratings).values(values | {"listed_until": until, "name": guest}))
        await store.write(sa.text("INSERT INTO identities VALUES ('cid', 'Cyd')"))
        board = await ratings.leaderboard(store, "topas", "cid")
        assert board.guests == 2
        assert [(row.name or row.bot, row.mine) for row in board.rows] == [
            ("ann", False),
            ("level6", False),
            ("champion", False),
            ("level5", False),
            ("level4", False),
            ("level3", False),
            ("Cyd", True),
            ("level2", False),
            ("level1", False),
        ]
        spreads = {row.bot: row.spread for row in board.rows if row.bot}
        assert spreads.pop("champion") == 70
        assert set(spreads.values()) == {None}

    with_store(tmp_path, work)


def test_ratings_live_as_long_as_their_guests(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await some_games(store, 10)
        await Rater(store, 0).rate()
        await sweep(store)
        assert all(await all_kept(store))
        await store.write(sa.text("DELETE FROM devices"))
        await sweep(store)
        assert await all_kept(store) == [[], [], []]
        assert await store.select(sa.select(rating_wishes)) == []

    with_store(tmp_path, work)


def test_an_unfinished_game_is_lost_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await want(store, "ann", "bea")
        await keep_game(store, "one", "topas", plies=2, hinted=False, assistance="plain")
        await keep_game(store, "slow", "topas", plies=2, hinted=False, assistance="plain", turn_days=1)
        await keep_game(store, "shown", "topas", plies=2, hinted=False, assistance="full")
        await store.write(sa.update(tables).values(touched="2026-02-01", turn=0))
        rater = Rater(store, 0)
        assert await rater.forfeit_absent("2026-02-15") == 0
        assert [await rater.forfeit_absent("2026-02-16") for _ in range(2)] == [1, 0]
        (change,) = await store.select(sa.select(rating_changes))
        assert (change.guest, change.table_id, change.change < 0) == ("ann", "one", True)
        await sweep(store, TODAY)
        assert await rater.forfeit_absent("2026-02-17") == 0
        await keep(store, 1, [{"guest": "ann", "place": 1}, {"guest": "bea"}], id="one")
        await store.write(sa.update(results).values(table_id="one"))
        await rater.rate()
        guests = [row.guest for row in await store.select(sa.select(rating_changes.c.guest))]
        assert sorted(guests) == ["ann", "bea"], "it has counted for her"

    with_store(tmp_path, work)


# --- at a server ---


def looked(guest: Person) -> dict[str, Any]:
    answer = guest.get("/api/ratings")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def wishes(guest: Person, wanted: bool = True) -> None:
    assert guest.post("/api/ratings/wish", {"wanted": wanted}).status_code == 204


def of_game(guest: Person, table: str) -> dict[str, Any]:
    found: dict[str, Any] = guest.get(f"/api/ratings/table/{table}").json()
    return found


def resigned(guest: Person, other: Person) -> str:
    """A game of two guests that the first one resigns after a while."""
    table = two_people(guest, other)
    with guest.at(table) as page, other.at(table) as second:
        begin(page, second)
        page.ask("resign", seat=page.position["viewpoint"])
        while second.news.get("phase") != "over":
            second.hear()
    return table


def test_only_who_wants_a_rating_has_one(ann: Person, bea: Person, client: TestClient) -> None:
    assert looked(ann)["since"] is None
    before = resigned(ann, bea)
    wishes(ann)
    wishes(ann)
    assert of_game(ann, before) == {"verdict": "nobody", "game": None, "provisional": False}
    with_bea = resigned(ann, bea)
    assert of_game(ann, with_bea)["verdict"] == "nobody", "she wants none"
    wishes(bea)
    table = resigned(ann, bea)
    changed = of_game(ann, table)
    assert (changed["verdict"], changed["provisional"]) == ("counted", True)
    assert changed["game"]["change"] < 0
    assert of_game(bea, table)["verdict"] == "nobody", "of a game that is resigned at once nobody gains"
    (mine,) = looked(ann)["mine"]
    assert (mine["rating"], mine["games"], mine["provisional"]) == (1000 + changed["game"]["change"], 1, True)
    assert ann.get("/api/ratings/plot/topiary").json() == [changed["game"]]
    kept = ann.get("/api/me").json()["ratings"]
    assert (kept["ratings"], kept["games"]) == ([mine], [changed["game"]])
    assert bea.get("/api/me").json()["ratings"]["games"] == []

    everything = json.dumps([looked(bea), of_game(bea, table), bea.get("/api/ratings/plot/topiary").json()])
    assert ann.cookie.partition(".")[0] not in everything, "guests are nobody's business"
    assert looked(bea)["mine"] == []
    wishes(ann, False)
    assert looked(ann)["since"] is None
    assert looked(ann)["mine"] == ann.get("/api/ratings/plot/topiary").json() == []
    assert ann.get("/api/me").json()["ratings"] is None
    assert of_game(ann, table)["verdict"] == "unwanted"


def test_who_is_erased_has_no_rating_and_the_others_keep_theirs(ann: Person, bea: Person, client: TestClient) -> None:
    wishes(ann)
    wishes(bea)
    table = resigned(ann, bea)
    changed = of_game(ann, table)
    gone = bea.cookie.partition(".")[0]
    bea.post("/api/me/erase", {})
    assert of_game(ann, table) == changed
    store, portal = client.app.state.server.services.store, client.portal  # type: ignore[attr-defined]
    assert portal is not None
    for kept in (rating_wishes, kept_ratings, rating_changes):
        assert portal.call(store.select, sa.select(kept).where(kept.c.guest == gone)) == []


def test_a_game_against_a_level_counts_and_with_full_assistance_does_not(ann: Person) -> None:
    wishes(ann)
    for assistance, verdict in (("plain", "counted"), ("none", "counted"), ("full", "full")):
        table = ann.open("topas", {"players": 2}, [ME, LEVEL], assistance=assistance)
        with ann.at(table) as page:
            page.ready()
            page.hear("position")
            page.ask("resign", seat=page.position["viewpoint"])
            while page.news.get("phase") != "over":
                page.hear()
        assert of_game(ann, table)["verdict"] == verdict
    table = ann.open("topas", {"players": 2}, [ME, LEVEL], assistance="plain")
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        page.ask("agree", proposal="void")
        while page.news.get("phase") != "over":
            page.hear()
    assert of_game(ann, table)["game"]["change"] < 0, "void without asking anybody"


def test_a_duel_counts_game_by_game_and_goes_along_to_another_device(ann: Person, bea: Person) -> None:
    wishes(ann)
    table = ann.open("topas", {"players": 2}, [ME, LEVEL], assistance="none", duel=True)
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        page.ask("resign", seat=page.position["viewpoint"])
        while page.news.get("phase") != "over":
            page.hear()
    assert of_game(ann, table)["verdict"] == "counted"
    mine = looked(ann)["mine"]
    assert move(bea, code_of(ann)).status_code == 204
    assert looked(bea)["mine"] == mine


def test_what_is_asked_is_checked(ann: Person, client: TestClient) -> None:
    bodies: list[Any] = [{}, {"wanted": "yes"}, {"wanted": True, "more": 1}, []]
    for body in bodies:
        assert ann.post("/api/ratings/wish", body).status_code == 400
    for address in ("plot/" + "x" * 99, "table/" + "x" * 99, "plot/%00"):
        assert ann.get(f"/api/ratings/{address}").status_code == 400, address
    assert ann.get("/api/ratings/plot/none").json() == []
    assert ann.get("/api/ratings/table/none").json()["verdict"] == "unwanted"
    headers = {"cookie": f"bosquet={ann.cookie}", "origin": "https://evil.example"}
    assert client.post("/api/ratings/wish", json={"wanted": True}, headers=headers).status_code == 403
    assert looked(ann)["since"] is None
