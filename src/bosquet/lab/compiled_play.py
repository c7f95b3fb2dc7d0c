"""Play the games of a match without views, in compiled code, many times as fast.

That works for the bots of this package whose decisions are compiled: `random`, `greedy` in a game that has a kernel for
it, and the levels and searches. They make the same moves as through views (`tests/lab/test_compiled_play.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bosquet import bots
from bosquet.core.bound import deal, greedy_action, legal, play, sample_chance, scores, winners
from bosquet.core.game import Game, new_game
from bosquet.core.installed import spec
from bosquet.core.rng import RNG_WORDS, Rng, below, seed_rng
from bosquet.core.spec import GameSpec
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.kernels.bits import members
from bosquet.kernels.jit import available, bind, kernel

RANDOM, GREEDY, SEARCH = range(3)
"""How a seat decides."""
PLIES = 1024
"""Actions that are noted before compiled code returns."""


class Played(NamedTuple):
    """A game that was played to the end: final points, winners, and all actions, CHANCE for chance events."""

    scores: list[int]
    winners: list[int]
    actions: list[int]


class CompiledPlay:
    """Plays games between bots that need no views."""

    def __init__(
        self, game: str, options: Any, names: Sequence[str], box: Any = None, *, jit: bool | None = None
    ) -> None:
        """Bind the kernels. `names` has a bot for each seat, which `plays` accepts; `jit` is whether to compile."""
        chosen = spec(game)
        self.spec: GameSpec = chosen
        self.options = options
        self.box = box
        self._names = names
        self._kinds = [_kind(name) for name in names]
        self._jit = available() if jit is None else jit
        start = chosen.new_state(options, box)
        self._states: Any = start.pack() if self._jit else [start]
        kernels = chosen.kernels | {"greedy_action": chosen.greedy_action or random_action}
        self._begin = bind(begin, kernels, jit=self._jit)
        self._play_on = bind(play_on, kernels, jit=self._jit)
        self._apply = bind(apply, kernels, jit=self._jit)
        self._count = bind(count, kernels, jit=self._jit)
        self._moves = self._numbers(chosen.rules.MAX_MOVES, np.int32)
        self._history = self._numbers(PLIES, np.int64)
        self._points = self._numbers(4, np.int64)
        self._how = self._numbers(len(names), np.int64)
        self._how[:] = self._kinds

    def play(self, seed: int) -> Played:
        """Play the game with this seed."""
        seats = len(self._names)
        rngs = [Rng(seed, "bot", seat) for seat in range(seats)]
        rng_states = self._words([rng.state for rng in rngs])
        chance = self._words([seed_rng(seed, "chance")])[0]
        states, actions = self._states, list[int]()
        searches = {
            seat: bots.state_search_for(name, self.spec.name, self.options)
            for seat, name in enumerate(self._names)
            if self._kinds[seat] == SEARCH
        }
        seat = self._begin(states, self._words([seed_rng(seed, "deal")])[0])
        while seat != NOBODY:
            if seat in searches:
                action = searches[seat].choose(self._plain(), rngs[seat])
                actions.append(action)
                seat = self._apply(states, action)
            else:
                n = self._play_on(states, self._how, rng_states, chance, self._moves, self._history, PLIES)
                actions += self._history[:n].tolist() if self._jit else self._history[:n]
                seat = self._apply(states, NOTHING)
        won = self._count(states, self._points)
        return Played([int(points) for points in self._points[:seats]], list(members(won)), actions)

    def game(self, seed: int, actions: Sequence[int]) -> Game:
        """Return the game with this seed after its actions, as it was played."""
        game = new_game(self.spec, self.options, seed=seed, box=self.box)
        game.extra["players"] = list(self._names)
        game.apply_all(action for action in actions if action != CHANCE)
        return game

    def _plain(self) -> Any:
        return self.spec.rules.State.unpack(self._states) if self._jit else self._states[0]

    def _numbers(self, size: int, dtype: Any) -> Any:
        return np.zeros(size, dtype) if self._jit else [0] * size

    def _words(self, rng_states: list[list[int]]) -> Any:
        assert all(len(words) == RNG_WORDS for words in rng_states)
        return np.array(rng_states, np.int64) if self._jit else rng_states


def plays(game: str, names: Sequence[str]) -> bool:
    """Return whether all these bots need no views in a game."""
    greedy = spec(game).greedy_action is not None
    return all((kind := _kind(name)) is not None and (kind != GREEDY or greedy) for name in names)


def searches(names: Sequence[str]) -> bool:
    """Return whether one of the bots searches, so that a decision takes long."""
    return any(_kind(name) == SEARCH for name in names)


def _kind(name: str) -> int | None:
    """Return how a bot decides, None if it needs views."""
    if name in ("random", "greedy"):
        return RANDOM if name == "random" else GREEDY
    return SEARCH if bots.is_search(name) else None


NOTHING = -1
"""No action."""


@kernel
def begin(states: Any, rng_state: Numbers) -> int:
    """Deal a new game; return the seat to move. Advances `rng_state`."""
    deal(states[0], rng_state)
    return int(states[0].seat)


@kernel
def apply(states: Any, action: int) -> int:
    """Apply an action, unless it is NOTHING; return the seat to move, CHANCE or NOBODY."""
    if action != NOTHING:
        play(states[0], action)
    return int(states[0].seat)


@kernel
def count(states: Any, points: Numbers) -> int:
    """Write the score of every seat into `points`; return the winners as a bit mask."""
    scores(states[0], points)
    return winners(states[0])


@kernel
def play_on(
    states: Any, how: Numbers, rng_states: Any, chance: Numbers, moves: Numbers, history: Numbers, room: int
) -> int:
    """Play until the game is over, a seat that searches is to move, or `room` actions were noted; return how many."""
    state = states[0]
    n = 0
    while (state.seat != NOBODY) & (n < room):
        seat = state.seat
        if seat == CHANCE:
            sample_chance(state, chance)
            history[n] = CHANCE
        else:
            if how[seat] == RANDOM:
                action = random_action(state, rng_states[seat], moves)
            elif how[seat] == GREEDY:
                action = greedy_action(state, rng_states[seat], moves)
            else:
                return n
            play(state, action)
            history[n] = action
        n += 1
    return n


@kernel
def random_action(state: Any, rng_state: Numbers, moves: Numbers) -> int:
    """Return a uniformly random legal action. Overwrites `moves`, advances `rng_state`."""
    n = legal(state, moves)
    return moves[below(rng_state, n)]
