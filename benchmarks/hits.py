"""Measures what turns with a hit are worth in Schlossgarten, compared with a search that considers none.

    uv run python -m benchmarks.hits --games 12

The result is a bound that does not depend on how the search chooses among turns with a hit (`benchmarks.hit_bots` has
bots with and without them). `level6` and `level5` play games and exchange seats after each. At the beginning of each
turn that no candidate wins, this lists every stand that the own pawns reach by one or two hits, with each refuge of the
pawns that were hit. Simulations compare the most promising turns from there (turns with work, by its heuristic value,
and turns that only hit) and the best candidates of a search. Other simulations, which go to the end of the game, judge
the best turn of each kind, so that noise does not count as a gain. The gain of a decision is the difference of the
judged chances to win if the turn with a hit was chosen, otherwise 0.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

import bosquet
from benchmarks.hit_bots import GAME, Without
from bosquet import bots
from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, derived_seed, seed_rng
from bosquet.core.state import Numbers
from bosquet.games.schlossgarten.board import (
    ARCHITECT,
    AT_OFFSET,
    CELLS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GARDENER,
    ROTATED,
    ROTATIONS,
    SITES,
    STOP,
    State,
)
from bosquet.games.schlossgarten.choices import add_choices, survey
from bosquet.games.schlossgarten.constellations import OFFSETS
from bosquet.games.schlossgarten.endings import winning_on
from bosquet.games.schlossgarten.rules import play, play_card, standing
from bosquet.games.schlossgarten.stands import list_targets, refuges, word_of
from bosquet.games.schlossgarten.turns import (
    NO_CANDIDATE,
    NO_SITE,
    NO_TILE,
    WORK_BITS,
    card_of,
    cell_of,
    digger_of,
    encode_candidate,
    site_of,
    steps_left,
    tile_of,
    worker_of,
)
from bosquet.games.schlossgarten.walking import foreign_pawns, hurdles
from bosquet.games.schlossgarten.works import number_in, value_in
from bosquet.games.schlossgarten.workspace import Workspace
from bosquet.kernels.bits import lowest_bit, members
from bosquet.kernels.jit import bind, kernel
from bosquet.search import Settings, Task

WORKS = 12
"""Works of a position that are compared, each with up to REFUGES refuges."""
REFUGES = 4
ONLY_HITS = 12
"""Turns without work that are compared."""
BEST = 6
"""Turns of each kind that are compared again before one is chosen."""


class Turn(NamedTuple):
    """A turn: a candidate, and where the pawns that it hits go."""

    candidate: int
    sent: tuple[tuple[int, int], ...] = ()
    """Pawns (3 × seat + kind) with their refuges."""


# --- Turns with a hit ------------------------------------------------------------------------------------------------


@kernel
def no_win(
    state: Any,
    cards: int,
    hits: int,
    king: int,
    gardener: int,
    architects: int,
    wins: int,
    workspace: Any,
) -> int:
    """Return NO_CANDIDATE, so that the solver visits all stands. Replaces its `win_from`."""
    return NO_CANDIDATE


@kernel
def reach_stands(states: Any, workspaces: Any) -> int:
    """Write every stand within reach into `met`; return how many targets there are."""
    targets = list_targets(states[0], workspaces[0])
    if targets:
        winning_on(states[0], targets, 1, workspaces[0])
    return targets


@kernel
def list_turns(states: Any, workspaces: Any, hits: int, rng_state: Numbers) -> int:
    """Write the choices of all figures that stand after these hits, made in `states[0]`; return how many."""
    state = states[0]
    workspace = workspaces[0]
    foreign = foreign_pawns(state)
    n = survey(state, steps_left(state), foreign, hurdles(state, foreign), rng_state, workspace)
    first = 3 * state.seat
    choices = 0
    for king in range(CELLS):
        for gardener in range(CELLS):
            architects = 0
            for shifted in range(8):
                architects |= workspace.met[word_of(hits, shifted, king, gardener)]
            if architects == 0:
                continue
            cards = state.hand[state.seat]
            while cards:
                card = lowest_bit(cards)
                cards &= cards - 1
                for turn in range(ROTATIONS):
                    g = AT_OFFSET[king][ROTATED[turn][state.pattern[card] // OFFSETS]]
                    a = AT_OFFSET[king][ROTATED[turn][state.pattern[card] % OFFSETS]]
                    if (g < 0) | (a < 0):
                        continue
                    foreign_g = 0
                    foreign_a = 0
                    for seat in range(state.players):
                        if seat != state.seat:
                            foreign_g |= state.pawn[3 * seat + GARDENER] == g
                            foreign_a |= state.pawn[3 * seat + ARCHITECT] == a
                    helpers = 0
                    if (g == gardener) & (architects >> a & 1):
                        if state.each_works:
                            helpers = 1 << g | 1 << a
                        for worker in range(GARDENER, ARCHITECT + 1):
                            choices = add_choices(
                                state, card, king, g, a, worker, helpers, 2, choices, n, rng_state, workspace
                            )
                    if (g == gardener) & (foreign_a != 0):
                        there = state.pawn[first + ARCHITECT]
                        if architects >> there & 1 == 0:
                            there = lowest_bit(architects)
                        choices = add_choices(
                            state, card, king, g, there, GARDENER, 0, 2, choices, n, rng_state, workspace
                        )
                    if (foreign_g != 0) & (g != gardener) & (architects >> a & 1):
                        choices = add_choices(
                            state, card, king, gardener, a, ARCHITECT, 0, 2, choices, n, rng_state, workspace
                        )
    return choices


class Lister:
    """Lists turns with a hit by compiled kernels."""

    def __init__(self) -> None:
        self.reach = bind(reach_stands, {"win_from": no_win})
        self.turns = bind(list_turns)
        self.workspaces: Any = np.zeros(1, Workspace.dtype)
        self.rng_state = np.array(seed_rng("hits"), np.int64)

    def promising(self, state: State, rng: Rng) -> list[Turn]:
        """Return the most promising turns with a hit: with work, and without."""
        targets = self.reach(state.pack(), self.workspaces)
        pawns = [int(pawn) for pawn in self.workspaces[0]["targets"][:targets]]
        by_work: dict[tuple[int, int], dict[tuple[tuple[int, int], ...], tuple[int, Turn]]] = defaultdict(dict)
        only: list[Turn] = []
        for hits in range(1, 1 << targets):
            hit = [pawns[i] for i in members(hits)]
            if len(hit) > 2 or not self._met(hits).any():
                continue
            for sent in _ways_to_send(state, hit):
                after = state.copy()
                for pawn, refuge in sent:
                    after.pawn[pawn] = refuge
                n = self.turns(after.pack(), self.workspaces, hits, self.rng_state)
                keys = self.workspaces[0]["choice_keys"][:n].tolist()
                choices = self.workspaces[0]["choices"]
                for key in keys:
                    turn = Turn(int(choices[number_in(key)]), sent)
                    best = by_work[hits, turn.candidate & WORK_BITS]
                    if sent not in best or best[sent][0] < value_in(key):
                        best[sent] = value_in(key), turn
                only += self._only(state, hits, sent)
        ranked = sorted(by_work.values(), key=lambda found: -max(value for value, _ in found.values()))[:WORKS]
        turns = []
        for found in ranked:
            options = sorted(found.values(), reverse=True)
            turns += [turn for _, turn in _some(options, REFUGES, rng)]
        return turns + _some(only, ONLY_HITS, rng)

    def _met(self, hits: int) -> Any:
        """Return [king, gardener]: the cells of the architect after these hits."""
        size = 8 * CELLS * CELLS
        met = self.workspaces[0]["met"][hits * size : (hits + 1) * size].reshape(8, CELLS, CELLS)
        return np.bitwise_or.reduce(met, axis=0)

    def _only(self, state: State, hits: int, sent: tuple[tuple[int, int], ...]) -> Iterator[Turn]:
        """Yield turns without work that leave each own pawn where it stood or where a pawn was hit."""
        met = self._met(hits)
        first = 3 * state.seat
        cells = [[state.pawn[first + kind], *(state.pawn[pawn] for pawn, _ in sent)] for kind in range(3)]
        for king, gardener, architect in itertools.product(*cells):
            if int(met[king, gardener]) >> architect & 1:
                for card in members(state.hand[state.seat]):
                    yield Turn(encode_candidate(card, king, gardener, architect, 0, NO_TILE, NO_SITE), sent)


def _ways_to_send(state: State, hit: list[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the ways to send the pawns that were hit to refuges."""
    for cells in itertools.product(*(members(refuges(state, pawn // 3)) for pawn in hit)):
        if len(set(cells)) == len(cells):
            yield tuple(zip(hit, cells, strict=True))


def _some(options: list[Any], most: int, rng: Rng) -> list[Any]:
    """Return so many of the options, drawn at random."""
    return rng.sample(options, min(most, len(options)))


# --- Judging --------------------------------------------------------------------------------------------------------


def task_of(state: State, turn: Turn) -> Task:
    """Return the task that evaluates a turn: the state after the pawns moved, and the actions that follow."""
    moved = state.copy()
    candidate = turn.candidate
    play_card(moved, card_of(candidate))
    for pawn, refuge in turn.sent:
        moved.pawn[pawn] = refuge
    for kind in range(3):
        moved.pawn[3 * state.seat + kind] = cell_of(candidate, kind)
    moved.steps = 0
    actions = [STOP]
    if standing(moved):
        if tile_of(candidate) != NO_TILE:
            actions.append(FIRST_DIG + (digger_of(candidate) - 1) * CELLS + tile_of(candidate))
        if site_of(candidate) != NO_SITE:
            actions.append(FIRST_BUILD + (worker_of(candidate) - 1) * len(SITES) + site_of(candidate))
        else:
            actions.append(END)
    return Task(moved, state.seat, tuple(actions))


def check_legal(task: Task) -> None:
    """Raise AssertionError if the actions of a task are not legal."""
    state = task.state.copy()
    rules = spec(GAME).rules
    moves = [0] * rules.MAX_MOVES
    for action in task.actions:
        assert action in moves[: rules.legal(state, moves)]
        play(state, action)


def weighed(state: State, turns: Iterable[Turn], simulations: int, seed: object) -> list[tuple[float, Turn]]:
    """Return the turns with their values in the search, the best first. All use the same seed."""
    search = Without(Settings(simulations=simulations))
    rows = [(search.evaluate(GAME, task_of(state, turn), Rng(seed, "weigh")).value, turn) for turn in turns]
    return sorted(rows, key=lambda row: -row[0])


class Judged(NamedTuple):
    """A judged decision."""

    chosen: bool
    """Whether the turn with a hit was chosen."""
    value: float
    """Its value minus that of the turn without a hit; the choice was made by this."""
    win: float
    """The judged chance to win with it, minus that without."""
    noise: float
    """Standard error of `win`."""


def judge(state: State, lister: Lister, given: argparse.Namespace, seed: object) -> Judged | None:
    """Judge a decision. Return None if the seat wins at once or no turn has a hit."""
    rng = Rng(seed, "hits")
    found = Without(Settings(simulations=given.search)).search_from(GAME, state, rng)
    turns = lister.promising(state, rng)
    if found.simulations == 0 or not turns:
        return None
    for turn in turns:
        check_legal(task_of(state, turn))
    ordinary = [Turn(result.candidate) for result in found.candidates[:BEST]]
    screened = [turn for _, turn in weighed(state, turns, given.screen, (seed, "screen"))[:BEST]]
    best = [weighed(state, some, given.refine, (seed, "refine"))[0] for some in (ordinary, screened)]
    judges = Without(Settings(simulations=given.judge, rounds=0))
    wins = [judges.evaluate(GAME, task_of(state, turn), Rng(seed, "judge")).wins[state.seat] for _, turn in best]
    noise = math.sqrt(sum(win * (1 - win) for win in wins) / given.judge)
    return Judged(best[1][0] > best[0][0], best[1][0] - best[0][0], wins[1] - wins[0], noise)


def turns_of(deal: int, seed: int) -> Iterator[Game]:
    """Yield a game at the beginning of each turn."""
    game = bosquet.new(GAME, players=2, seed=derived_seed(seed, deal))
    players = [bots.make(name) for name in (("level6", "level5") if deal % 2 == 0 else ("level5", "level6"))]
    rngs = [Rng(seed, deal, seat) for seat in range(2)]
    while game.seat is not None:
        view = game.view(game.seat)
        if view.phase == "card":
            yield game
        game.play(players[game.seat].choose(view, rngs[game.seat]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", type=int, default=2000, help="simulations that find the best candidates")
    parser.add_argument("--screen", type=int, default=100, help="simulations for each turn with a hit")
    parser.add_argument("--refine", type=int, default=1000, help="simulations for each of the best turns")
    parser.add_argument("--judge", type=int, default=3000, help="simulations that judge a choice")
    given = parser.parse_args()
    lister = Lister()
    rows: list[Judged] = []
    gains: list[float] = []
    turns = 0
    for deal in range(given.games):
        gain = 0.0
        for game in turns_of(deal, given.seed):
            turns += 1
            row = judge(game._state.copy(), lister, given, (given.seed, deal, turns))
            if row is not None:
                rows.append(row)
                gain += row.win if row.chosen else 0.0
        gains.append(gain)
        print_so_far(gains, turns, rows)


def print_so_far(gains: list[float], turns: int, rows: list[Judged]) -> None:
    """Print the figures of the games so far."""
    chosen = [row for row in rows if row.chosen]
    better = sum(row.win > 1.96 * row.noise for row in chosen)
    worse = sum(row.win < -1.96 * row.noise for row in chosen)
    spread = 1.96 * statistics.stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.nan
    print(f"{len(gains)} games, {turns} turns, {len(rows)} with a hit within reach, chosen {len(chosen)}:")
    print(
        f"    judged better {better}, worse {worse}; gain a game {statistics.mean(gains):+.3f} ± {spread:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
