"""How many steps a second environments make: batches of ours beside those of others, measured in turns in one run.

A step is a decision: a uniformly random legal action is drawn and made, the next observation and mask are written, and
a game that is over is dealt anew. On several cores there are as many games for each: ours in one process with a thread
a core, a peer's in a process a core.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import bosquet
from bosquet.core.errors import OptionError
from bosquet.lab.peers import PEERS, Library, Peer
from bosquet.lab.pinned import Piece, Slice, Team, usable_cores

ROUNDS = 3
BATCHES = (256, 4096)


class Ours(NamedTuple):
    """A batch of one of our games, so large for each core."""

    game: str
    options: Mapping[str, Any]
    batch: int

    @property
    def what(self) -> str:
        """The game with its options."""
        options = [name if value is True else f"{value} {name}" for name, value in self.options.items() if value]
        return ", ".join([self.game, *options])

    def team(self, cores: list[int]) -> Team:
        """One process with a thread a core."""
        games = self.batch * len(cores)
        return Team(self.what, our_batch, (self.game, self.options, games, len(cores)), [cores])


def our_batch(game: str, options: Mapping[str, Any], n: int, threads: int) -> Piece:
    """A step of a batch with random actions."""
    batch = bosquet.batch(game, n=n, seed=0, threads=threads, **options)

    def piece() -> int:
        batch.step(batch.sample())
        return n

    return piece


def installed_peers() -> tuple[list[Peer], list[Library]]:
    """The peers that can be measured here, and the libraries that are missing for the others."""
    present = [peer for peer in PEERS if peer.library.installed]
    missing = {peer.library: None for peer in PEERS if not peer.library.installed}
    return present, list(missing)


def required_peers() -> list[Peer]:
    """All peers. Raises OptionError if one is not installed."""
    present, missing = installed_peers()
    if missing:
        commands = "; ".join(library.install for library in missing)
        raise OptionError(f"{', '.join(library.name for library in missing)}: not installed; {commands}")
    return present


def race(
    ours: Sequence[Ours], peers: Sequence[Peer], cores: int, seconds: float, step: Callable[[], None]
) -> list[dict[str, Any]]:
    """Measure all on so many cores; a row of `bench --env --json` for each. Calls `step` after each peer.

    While a peer is measured our batches are, too, in turns: so a change of the machine's speed meets both. Each peer
    has `seconds` in all, and our batches together have as long beside each peer. Raises OptionError.
    """
    held = usable_cores()[:cores]
    if len(held) < cores:
        raise OptionError(f"threads is {cores}; this process may use {len(held)} cores")
    with ExitStack() as stack:
        teams = [stack.enter_context(our.team(held)) for our in ours]
        heats = []
        for peer in peers:
            with peer.team(held) as other:
                heats.append(_heat(teams, other, seconds))
            step()
        if not peers:
            heats.append(_heat(teams, None, seconds))
    return _rows(ours, peers, cores, heats)


class _Heat(NamedTuple):
    """What was measured in turns: the slices of each of our batches, and of a peer."""

    ours: list[list[Slice]]
    peer: list[Slice]


def _heat(ours: Sequence[Team], peer: Team | None, seconds: float) -> _Heat:
    heat = _Heat([[] for _ in ours], [])
    for _ in range(ROUNDS):
        for team, slices in zip(ours, heat.ours, strict=True):
            slices.append(team.measure(seconds / ROUNDS / len(ours)))
        if peer:
            heat.peer.append(peer.measure(seconds / ROUNDS))
    return heat


def _rows(ours: Sequence[Ours], peers: Sequence[Peer], cores: int, heats: Sequence[_Heat]) -> list[dict[str, Any]]:
    """What was measured. Our ratios to the best peer are those of the slices beside it."""
    rows = []
    for i, our in enumerate(ours):
        row = _row(our.what, our.batch, cores, [one for heat in heats for one in heat.ours[i]])
        rows.append(row | {"game": our.game, "options": dict(our.options)})
    if not peers:
        return rows
    best = max(heats, key=lambda heat: _median(heat.peer))
    for row, slices in zip(rows, best.ours, strict=True):
        ratios = [own.steps_per_s / other.steps_per_s for own, other in zip(slices, best.peer, strict=True)]
        row["ratio"] = round(statistics.median(ratios), 4)
        row["ratio_range"] = [round(min(ratios), 4), round(max(ratios), 4)]
    for peer, heat in zip(peers, heats, strict=True):
        row = _row(peer.what, peer.batch, cores, heat.peer)
        rows.append(row | {"ratio": round(_median(heat.peer) / _median(best.peer), 4)})
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
