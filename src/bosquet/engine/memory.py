"""The memory of an engine: one record, whose fields a page finds by their names (`kernels.wasm`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bosquet.core.positions.position_reading import Reader
from bosquet.core.real_game import ROOM as GIVEN
from bosquet.core.rng import RNG_WORDS
from bosquet.core.state import MAX_SEATS, StateRecord
from bosquet.engine import judging
from bosquet.kernels.sha256 import HASHER
from bosquet.search.learned_model import LearnedModel
from bosquet.search.memory import BRANCHING, Tree
from bosquet.search.model import MAX_ACTIONS, SearchModel

PARTS = (
    *("table", "rng", "text.bytes", "position", "given"),
    *("exploration", "temperature", "scale", "win_weight", "rounds", "random_rollouts", "candidate_dropout"),
    *("candidates", "visits", "values", "wins", "gains"),
    *("added_candidates", "added_visits", "added_values", "added_wins", "added_gains"),
    *judging.PARTS,
)
"""The parts of the memory that a page reads and writes."""


def memory_of(
    rules: Any,
    model: SearchModel,
    learned: LearnedModel | None = None,
    lookahead: type[StateRecord] | None = None,
    attempts: int = 0,
) -> np.dtype[Any]:
    """Return the type of the memory for a game, with room for `attempts` attempts (`engine.attempting`).

    What JavaScript reads as numbers has 4 bytes or is a float; states and generators are for the engine alone.
    """
    models = [model] if learned is None else [model, learned]
    room = max(rules.MAX_MOVES, *(one.MAX_CANDIDATES for one in models))
    ranked = min(room, BRANCHING)
    state = rules.State.dtype
    fields: list[tuple[Any, ...]] = [
        ("table", state),  # the state of the game in play
        ("rng", "i8", (RNG_WORDS,)),
        ("moves", "i8", (rules.MAX_MOVES,)),
        ("greedy_moves", "i8", (rules.MAX_MOVES,)),  # `greedy` may keep a plan in them
        ("points", "i8", (MAX_SEATS,)),
        ("text", Reader.dtype),
        ("hasher", "i8", (HASHER,)),  # of `kernels.sha256`
        ("position", state),  # what a viewer knows
        ("given", "i4", (GIVEN,)),  # the entries of a real game
        # settings of a search, see `search.Settings`; `default_settings` writes those that the game has an opinion of
        ("exploration", "f8"),
        ("temperature", "f8"),
        ("scale", "f8"),
        ("win_weight", "f8"),
        ("rounds", "i4"),
        ("random_rollouts", "i4"),
        ("candidate_dropout", "i4"),  # in thousandths
        # what a search works in
        ("states", state, (2,)),
        ("trees", Tree.dtype, (1,)),
        ("workspaces", model.Workspace.dtype, (1,)),
        ("search_rng", "i8", (RNG_WORDS,)),
        ("found", "i8", (room,)),
        ("heuristics", "i8", (room,)),
        ("exact", "f8", (room,)),
        # what it found: a row for each candidate that was visited, sums over its simulations
        ("candidates", "i8", (ranked,)),
        ("visits", "f8", (ranked,)),
        ("values", "f8", (ranked,)),
        ("wins", "f8", (ranked,)),
        ("gains", "f8", (ranked * MAX_SEATS,)),
        # the rows of another engine, to be added
        ("added_candidates", "i8", (ranked,)),
        ("added_visits", "f8", (ranked,)),
        ("added_values", "f8", (ranked,)),
        ("added_wins", "f8", (ranked,)),
        ("added_gains", "f8", (ranked * MAX_SEATS,)),
        ("plan", "i8", (max(MAX_ACTIONS, model.ACTIONS_ROOM),)),
        # for each seat the candidate that it makes: its actions, and the positions that they are meant for
        ("plan_length", "i4", (MAX_SEATS,)),
        ("plan_at", "i4", (MAX_SEATS,)),
        ("plan_actions", "i8", (MAX_SEATS * MAX_ACTIONS,)),
        ("plan_positions", state, (MAX_SEATS * MAX_ACTIONS,)),
        *judging.fields(state),
    ]
    if learned is not None:
        fields.append(("learned", learned.Workspace.dtype, (1,)))
    if lookahead is not None:
        fields.append(("lookahead", lookahead.dtype))
    if attempts:
        fields.append(("attempts", "i8", (attempts,)))
    laid = np.dtype(fields, align=True)
    # The state once more, as bytes: `new_game` sets those on which options depend.
    places: Any = laid.fields
    names = [*places, "table_bytes"]
    kinds = [*(place[0] for place in places.values()), np.dtype(("u1", (state.itemsize,)))]
    offsets = [*(place[1] for place in places.values()), places["table"][1]]
    return np.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": laid.itemsize})
