"""Benchmark of environments in steps per second: our batches and baselines, measured alternately in one run.

A step is a decision: a uniformly random legal action is drawn and applied, the next observation is written with the
list of legal actions and, where there are masks, their mask, and a finished game is dealt again. On several cores each
core has the same number of games: our batch runs in one process with one thread per core, a baseline in one process
per core.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import bosquet
from bosquet.core.errors import OptionError
from bosquet.core.system.extras import group_remedy
from bosquet.lab.baselines import BASELINES, Baseline, Library
from bosquet.lab.isolated import Piece, Slice, Team, usable_cores

ROUNDS = 3
BATCHES = (256, 4096)


class Ours(NamedTuple):
    """A batch of one of our games; `n` is the number of games per core."""

    game: str
    options: Mapping[str, Any]
    batch: int
    masks: bool = True

    @property
    def what(self) -> str:
        """Return the name of the game with its options, and that it has no masks."""
        written = bosquet.spec(self.game).options_in_records(self.options)
        options = [name if value is True else f"{value} {name}" for name, value in written.items() if value]
        return ", ".join([self.game, *options, *([] if self.masks else ["no masks"])])

    def team(self, cores: list[int]) -> Team:
        """Return one process with a thread per core."""
        games = self.batch * len(cores)
        return Team(self.what, our_batch, (self.game, self.options, games, len(cores), self.masks), [cores])


def our_batch(game: str, options: Mapping[str, Any], n: int, threads: int, masks: bool) -> Piece:
    """Return work on a batch: a step with random actions."""
    batch = bosquet.batch(game, n=n, seed=0, threads=threads, masks=masks, **options)

    def piece() -> int:
        batch.step(batch.sample())
        return n

    return piece


def installed_peers() -> tuple[list[Baseline], list[Library]]:
    """Return the baselines that can be measured here, and the libraries that the others lack."""
    present = [baseline for baseline in BASELINES if baseline.library.installed]
    missing = {baseline.library: None for baseline in BASELINES if not baseline.library.installed}
    return present, list(missing)


def required_peers() -> list[Baseline]:
    """Return all baselines. Raises OptionError if one is not installed."""
    present, missing = installed_peers()
    if missing:
        commands = group_remedy("peers", " ".join(library.packages for library in missing))
        raise OptionError(f"{', '.join(library.name for library in missing)}: not installed; {commands}")
    return present


def held_cores(count: int) -> list[int]:
    """Return the numbers of `count` cores that this process may use. Raises OptionError if they are too few."""
    usable = usable_cores()
    if len(usable) < count:
        raise OptionError(f"threads is {count}; this process may use {len(usable)} cores")
    return usable[:count]


def race(
    ours: Sequence[Ours], baselines: Sequence[Baseline], cores: int, seconds: float, step: Callable[[], None]
) -> list[dict[str, Any]]:
    """Measure everything on `cores` cores; return a row of `bench --env --json` for each. Raises OptionError.

    Each baseline is measured alternately with our batches, so that a change of the computer's speed affects both. Each
    baseline runs for `seconds`, and our batches together run as long beside it. Calls `step` after each baseline.
    """
    held = held_cores(cores)
    with ExitStack() as stack:
        teams = [stack.enter_context(our.team(held)) for our in ours]
        heats = []
        for baseline in baselines:
            with baseline.team(held) as other:
                heats.append(_heat(teams, other, seconds))
            step()
        if not baselines:
            heats.append(_heat(teams, None, seconds))
    return _rows(ours, baselines, cores, heats)


class _Heat(NamedTuple):
    """Measurements that alternated: the slices of each of our batches, and of a baseline."""

    ours: list[list[Slice]]
    baseline: list[Slice]


def _heat(ours: Sequence[Team], baseline: Team | None, seconds: float) -> _Heat:
    heat = _Heat([[] for _ in ours], [])
    for _ in range(ROUNDS):
        for team, slices in zip(ours, heat.ours, strict=True):
            slices.append(team.measure(seconds / ROUNDS / len(ours)))
        if baseline:
            heat.baseline.append(baseline.measure(seconds / ROUNDS))
    return heat


def _rows(
    ours: Sequence[Ours], baselines: Sequence[Baseline], cores: int, heats: Sequence[_Heat]
) -> list[dict[str, Any]]:
    """Return the rows. The ratio of our batches to the best baseline uses the slices measured beside it."""
    rows = []
    for i, our in enumerate(ours):
        row = _row(our.what, our.batch, cores, [one for heat in heats for one in heat.ours[i]])
        options = bosquet.spec(our.game).options_in_records(our.options)
        rows.append(row | {"game": our.game, "options": options, "masks": our.masks})
    if not baselines:
        return rows
    best = max(heats, key=lambda heat: _median(heat.baseline))
    for row, slices in zip(rows, best.ours, strict=True):
        ratios = [own.steps_per_s / other.steps_per_s for own, other in zip(slices, best.baseline, strict=True)]
        row["ratio"] = round(statistics.median(ratios), 4)
        row["ratio_range"] = [round(min(ratios), 4), round(max(ratios), 4)]
    for baseline, heat in zip(baselines, heats, strict=True):
        row = _row(baseline.what, baseline.batch, cores, heat.baseline)
        rows.append(row | {"ratio": round(_median(heat.baseline) / _median(best.baseline), 4)})
    return rows


def _row(what: str, batch: int, cores: int, slices: Sequence[Slice]) -> dict[str, Any]:
    speeds = [one.steps_per_s for one in slices]
    return {
        "what": what,
        "batch": batch,
        "cores": cores,
        "steps_per_s": round(_median(slices), 1),
        "steps_per_s_range": [round(min(speeds), 1), round(max(speeds), 1)],
        "busy": round(statistics.fmean(one.busy for one in slices), 2),
    }


def _median(slices: Sequence[Slice]) -> float:
    return statistics.median(one.steps_per_s for one in slices)
