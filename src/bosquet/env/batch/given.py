"""What callers give to a batch, checked: rows, seats, seeds and states of its games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from bosquet.core.errors import OptionError, quoted
from bosquet.core.inputs.integers import checked_seed, whole_number
from bosquet.core.rng import derived_seeds, fresh_seed
from bosquet.core.state import CHANCE, NOBODY
from bosquet.env.batch.kernels import EVERYBODY
from bosquet.env.compiled_game import CompiledGame

Rows = npt.ArrayLike
"""Some of the games: their indices, or a bool for each game."""
Seeds = Sequence[SupportsIndex] | npt.NDArray[np.integer[Any]]
"""A whole number for each of some games."""


def rows_of(where: Rows | None, n: int) -> npt.NDArray[np.int64]:
    """Return the indices of some games, in the order of `where`. Raises OptionError."""
    if where is None:
        return np.arange(n)
    given = np.asarray(where)
    if given.dtype == np.bool_ and given.shape == (n,):
        return np.flatnonzero(given)
    rows = given.astype(np.int64) if np.issubdtype(given.dtype, np.integer) or not given.size else None
    if rows is None or rows.ndim != 1 or len(set(rows.tolist())) < len(rows):
        raise OptionError(f"where must be different indices of games, or {n} truth values")
    outside = rows[(rows < 0) | (rows >= n)]
    if outside.size:
        raise OptionError(f"where names game {outside[0]}; games are 0 to {n - 1}")
    return rows


def runs(rows: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield `begin` and `end` of each run of consecutive indices."""
    ordered = np.sort(rows)
    for run in np.split(ordered, np.flatnonzero(np.diff(ordered) != 1) + 1):
        if run.size:
            yield int(run[0]), int(run[-1]) + 1


def viewers_of(seat: npt.ArrayLike, compiled: CompiledGame, n: int) -> npt.NDArray[np.int64]:
    """Return a seat for each game. Raises OptionError."""
    given = np.asarray(seat)
    if not np.issubdtype(given.dtype, np.integer) or given.shape not in ((), (n,)):
        raise OptionError(f"seat is {quoted(seat)}; it must be a seat, or one for each of the {n} games")
    for wrong in given[(given < 0) | (given >= compiled.players)].flat:
        compiled.check_seat(wrong)
    return np.broadcast_to(given, n).astype(np.int64)


def learner_of(given: object, players: int) -> int:
    """Return the seat of the learner, EVERYBODY for None. Raises OptionError."""
    seat = EVERYBODY if given is None else whole_number(given)
    if seat is None or (given is not None and seat not in range(players)):
        raise OptionError(f"learner is {quoted(given)}; seats are 0 to {players - 1}, None is every seat")
    return seat


def deal_seeds(rows: npt.NDArray[np.int64], seed: SupportsIndex | None, seeds: Seeds | None) -> list[int]:
    """Return the seeds with which some games are dealt. Raises OptionError."""
    if seeds is None:
        return derived_seeds(fresh_seed() if seed is None else checked_seed(seed), rows.tolist())
    if seed is not None:
        raise OptionError("give a seed for all games, or seeds for each, not both")
    return seeds_of(seeds, len(rows))


def seeds_of(seeds: Seeds, games: int) -> list[int]:
    """Return a seed for each of some games. Raises OptionError."""
    form = f"it must be {games} whole numbers, one for each game"
    try:
        given = list(seeds)
    except TypeError:  # not a sequence
        raise OptionError(f"seeds is {quoted(seeds)}; {form}") from None
    if len(given) != games:
        raise OptionError(f"seeds has {len(given)} entries; {form}")
    found = []
    for i, number in enumerate(map(whole_number, given)):
        if number is None:
            raise OptionError(f"seeds[{i}] is {quoted(given[i])}; {form}")
        found.append(number)
    return found


def packed_states(compiled: CompiledGame, states: Any, n: int) -> Any:
    """Return n states in the form in which they are kept, checked and copied. Raises OptionError."""
    record, title = compiled.spec.rules.State, compiled.spec.title
    if isinstance(states, np.ndarray) and states.dtype == object and states.ndim == 1:
        states = states.tolist()
    if isinstance(states, np.ndarray) and states.dtype == record.dtype and states.shape == (n,):
        packed = states.copy()
    elif isinstance(states, Sequence) and len(states) == n and all(isinstance(state, record) for state in states):
        try:
            packed = np.concatenate([np.zeros(0, record.dtype), *(state.pack() for state in states)])
        except OverflowError as error:
            raise OptionError(f"states must be {n} states of {title}: {error}") from None
    else:
        raise OptionError(f"states must be {n} states of {title}, one for each game")
    _check_states(compiled, packed)
    return packed if compiled.jit else [record.unpack(packed[k : k + 1]) for k in range(n)]


def _check_states(compiled: CompiledGame, packed: npt.NDArray[Any]) -> None:
    """Raise OptionError for a state of a game that is over or has other options, of no seat, or out of range."""
    for name, mine in compiled.option_fields.items():
        others = np.flatnonzero((packed[name] != mine).reshape(len(packed), -1).any(1))
        if others.size:
            k = int(others[0])
            raise OptionError(
                f"state {k} is that of a game with other options or another box: its {name} is "
                f"{quoted(packed[name][k].tolist())}, here it is {quoted(mine.tolist())}; load it into a batch "
                "that was made with the same options"
            )
    for name, mark in compiled.spec.rules.State.ranges.items():
        numbers = packed[name].reshape(len(packed), -1)
        if numbers.size and (numbers.min() < mark.low or numbers.max() > mark.high):
            k, place = map(int, np.argwhere((numbers < mark.low) | (numbers > mark.high))[0])
            raise OptionError(
                f"state {k} is that of no game: its {name} has the number {numbers[k, place]}, which is from "
                f"{mark.low} to {mark.high}; load states of a batch or a game unchanged"
            )
    seats = packed["seat"]
    first = CHANCE if compiled.encoder.max_chance_events(compiled.options) else 0
    for k in np.flatnonzero((seats < first) | (seats >= compiled.players))[:1]:
        if seats[k] == NOBODY:
            raise OptionError(f"state {k} is that of a game that is over")
        if seats[k] == CHANCE:
            raise OptionError(f"state {k} is that of no game: a chance event is due, but only the deal is chance")
        raise OptionError(f"state {k} has the seat {seats[k]} to move; seats are 0 to {compiled.players - 1}")
