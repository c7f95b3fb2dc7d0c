"""Writes the tables of README.md: how well the chances that the coach shows agree with the results of games.

    uv run --extra plot python -m studies.chances FOLDER [--workers 1] [--finished]

The games are kept in FOLDER, so that the same command continues after a stop. The fits go into the packages of the
games, the tables between the marks of the page, and the pictures into docs/pictures. With `--finished` nothing is
played.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np
from rich.progress import Progress

import bosquet
from bosquet.core.installed import spec
from bosquet.lab.chances import FILE, Fitted
from bosquet.lab.coach import SIMULATIONS
from studies import DOCS, markdown
from studies.chances import figures, fitting, pictures
from studies.chances.figures import Forecasts
from studies.chances.games import FOLDS, GAMES, Asked, Played, Table, played
from studies.markdown import written

PAGE = Path(__file__).with_name("README.md")
PICTURES = DOCS / "pictures"
THIRDS = ("first third", "second third", "last third")

Found = Mapping[Table, Sequence[Played]]
Shares = Callable[[Asked], Sequence[float]]
"""Returns the share of the simulations that each seat won, by rollouts or with learned values."""
Said = Callable[[Table, Played, Asked], Sequence[float]]
"""Returns the chance of each seat."""
Wanted = Callable[[Played, Asked, int], bool]
"""Returns whether a decision and a seat are counted."""


def all_played(folder: Path, workers: int, *, finished: bool) -> dict[Table, list[Played]]:
    """Play what the folder lacks; return all games of all tables."""
    found: dict[Table, list[Played]] = {}
    with Progress() as progress:
        for table, count in GAMES.items():
            task = progress.add_task(table.file, total=count)
            found[table] = []
            for game in played(table, folder, 0 if finished else count, workers):
                found[table].append(game)
                progress.advance(task)
    return found


def rollouts(asked: Asked) -> Sequence[float]:
    """Return the shares by rollouts, which the coach showed as chances before it used fits."""
    return asked.rollouts


def learned(asked: Asked) -> Sequence[float]:
    """Return the shares with learned values."""
    assert asked.learned is not None
    return asked.learned


def plain(shares: Shares) -> Said:
    """Return the shares as chances."""
    return lambda _table, _game, asked: shares(asked)


def fitted(found: Found, shares: Shares) -> Said:
    """Return chances computed from shares with the fit to the games of the other folds."""
    by_fold = {
        (game, fold): _fit(
            [one for table, games in found.items() if table.game == game for one in games if one.fold != fold], shares
        )
        for game in {table.game for table in found}
        for fold in range(FOLDS)
    }

    def said(table: Table, game: Played, asked: Asked) -> Sequence[float]:
        if asked.over:
            return shares(asked)
        return by_fold[table.game, game.fold].chances(shares(asked), SIMULATIONS)

    return said


def _fit(games: Sequence[Played], shares: Shares) -> Fitted:
    rows = [(shares(asked), game.won) for game in games for asked in game.asked if not asked.over]
    return fitting.fit([row[0] for row in rows], [row[1] for row in rows], SIMULATIONS)


def forecasts(found: Found, said: Said, wanted: Wanted = lambda _game, _asked, _seat: True) -> Forecasts:
    """Return the forecasts for the wanted decisions and seats."""
    tables = []
    for table, games in found.items():
        rows = [
            (game.index, chance, game.won[seat], 1 / table.players)
            for game in games
            for asked in game.asked
            for seat, chance in enumerate(said(table, game, asked))
            if wanted(game, asked, seat)
        ]
        numbers, *columns = np.array(rows, float).reshape(-1, 4).T
        tables.append(Forecasts(numbers.astype(np.int64), *columns))
    return figures.together(tables)


def by_game(found: Found) -> Iterator[tuple[str, Found]]:
    """Yield the name and the tables of each game."""
    for name in dict.fromkeys(table.game for table in found):
        yield name, {table: games for table, games in found.items() if table.game == name}


def parts_of(found: Found) -> Iterator[tuple[str, str, Found]]:
    """Yield each game with all its tables, and then each of them: title, players, games."""
    for name, tables in by_game(found):
        yield spec(name).title, "all", tables
        for table, games in tables.items():
            yield spec(name).title, str(table.players), {table: games}


def scores(found: Found, before: Said, after: Mapping[str, Said]) -> list[str]:
    """Return the table of scores before the fits and after."""
    rows = []
    for title, players, part in parts_of(found):
        said = [before] + [after[name] for name, _ in by_game(part) if name in after]
        now = [forecasts(part, one) for one in said]
        briers = [figures.brier(one).text(3) for one in now]
        errors = [figures.calibration_error(one).percent(1) for one in now]
        rows.append((title, players, sum(map(len, part.values())), *_two(briers), *_two(errors)))
    columns = ["game", "players", "games", "Brier score before", "after", "calibration error before", "after"]
    return markdown.table(columns, rows)


def _two(cells: Sequence[str]) -> tuple[str, str]:
    return cells[0], cells[1] if len(cells) > 1 else "unchanged"


def candidates(found: Found, before: Said, ways: Mapping[str, Said]) -> list[str]:
    """Return the table of candidates: each way to compute chances, and how far its Brier score falls below rollouts."""
    rows = []
    for name, part in by_game(found):
        was = forecasts(part, before)
        for way, said in ways.items():
            if "learned" in way and not has_learned(part):
                continue
            now = forecasts(part, said)
            fall = "" if said is before else figures.improvement(was, now).text(4)
            rows.append(
                (spec(name).title, way, figures.brier(now).text(3), fall, figures.calibration_error(now).percent(1))
            )
    return markdown.table(["game", "chances from", "Brier score", "fall", "calibration error"], rows)


def has_learned(part: Found) -> bool:
    """Return whether every decision was also evaluated with learned values."""
    return all(one.learned for games in part.values() for game in games for one in game.asked)


def stages(found: Found, before: Said, after: Mapping[str, Said]) -> list[str]:
    """Return the table of scores in each third of the games, counted in moves."""
    rows = []
    for name, part in by_game(found):
        for third, words in enumerate(THIRDS):

            def wanted(game: Played, asked: Asked, _seat: int, third: int = third) -> bool:
                return 3 * asked.ply // len(game.actions) == third

            now = [forecasts(part, said, wanted) for said in (before, after.get(name)) if said]
            briers = [figures.brier(one).text(3) for one in now]
            errors = [figures.calibration_error(one).percent(1) for one in now]
            rows.append((spec(name).title, words, *_two(briers), *_two(errors)))
    columns = ["game", "in the", "Brier score before", "after", "calibration error before", "after"]
    return markdown.table(columns, rows)


def strengths(found: Found, shown: Said) -> list[str]:
    """Return the table of chances and wins of the strongest and of the weakest seats."""

    def strongest(game: Played, _asked: Asked, seat: int) -> bool:
        return game.levels[seat] == max(game.levels)

    def weakest(game: Played, _asked: Asked, seat: int) -> bool:
        return game.levels[seat] == min(game.levels)

    rows = []
    for title, players, part in parts_of(found):
        if players != "all":
            said = [forecasts(part, shown, who) for who in (strongest, weakest)]
            cells = [(f"{100 * figures.mean_chance(one):.0f} %", figures.frequency(one).percent()) for one in said]
            rows.append((title, players, *cells[0], *cells[1]))
    columns = ["game", "players", "the strongest: mean chance", "won", "the weakest: mean chance", "won"]
    return markdown.table(columns, rows)


def better(found: Found, before: Said, after: Said) -> list[str]:
    """Return the games in which fitted chances have the lower Brier score on held-out games."""
    return [
        name
        for name, part in by_game(found)
        if figures.improvement(forecasts(part, before), forecasts(part, after)).value > 0
    ]


def stored(fits: Mapping[str, Fitted]) -> list[str]:
    """Return the table of the fits that the program uses."""
    rows = [
        (spec(game).title, f"{fits[game].sharpness:g}" if game in fits else "1: shares as they are")
        for game in bosquet.GAMES
    ]
    return markdown.table(["game", "sharpness"], rows)


def store(fits: Mapping[str, Fitted]) -> None:
    """Write the fits into the packages of the games."""
    for game in bosquet.GAMES:
        file = Path(str(files(spec(game).package) / FILE))
        if game in fits:
            file.write_bytes(msgspec.json.format(msgspec.json.encode(fits[game]), indent=1) + b"\n")
        else:
            file.unlink(missing_ok=True)


def main() -> None:
    """Play the missing games, fit, and write the fits, the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--finished", action="store_true", help="play nothing, use what is there")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    found = all_played(given.folder, given.workers, finished=given.finished)
    before, tried = plain(rollouts), fitted(found, rollouts)
    taught = {table: games for table, games in found.items() if has_learned({table: games})}
    ways = {
        "rollouts": before,
        "rollouts, fitted": tried,
        "learned values": plain(learned),
        "learned values, fitted": fitted(taught, learned),
    }
    fits = {
        name: _fit([game for games in part.values() for game in games], rollouts)
        for name, part in by_game(found)
        if name in better(found, before, tried)
    }
    store(fits)

    after = dict.fromkeys(fits, tried)

    def shown(table: Table, game: Played, asked: Asked) -> Sequence[float]:
        return after.get(table.game, before)(table, game, asked)

    parts = {
        "candidates": candidates(found, before, ways),
        "scores": scores(found, before, after),
        "stages": stages(found, before, after),
        "strengths": strengths(found, shown),
        "stored": stored(fits),
    }
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in parts.items():
        page = written(page, name, lines)
    PAGE.write_text(page, encoding="utf-8")
    for game, part in by_game(found):
        said = {"before": before, "after": after[game]} if game in after else {"shares of the simulations": before}
        drawn = [(name, figures.reliability(forecasts(part, one))) for name, one in said.items()]
        pictures.reliability(PICTURES / f"chances-{game}.svg", drawn)


if __name__ == "__main__":
    main()
