"""Observation and action spaces, observations and action masks, shared by the Gymnasium and PettingZoo adapters."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from bosquet.core.errors import IllegalMove, OptionError, listed, quoted
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.game_state import GameState

FEW = 6


def observation_space(compiled: CompiledGame) -> spaces.Dict:
    """Return the space of `observed`."""
    return spaces.Dict(
        {
            "observation": array_space(compiled),
            "action_mask": spaces.MultiBinary(compiled.actions),
        }
    )


def array_space(compiled: CompiledGame, seats: int = 1) -> spaces.Box:
    """Return the space of observations without a mask, of one seat or of several, one after the other.

    Each number is bounded by what its part may hold.
    """
    high = np.tile(compiled.observation_high, seats)
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)


def action_space(compiled: CompiledGame) -> spaces.Discrete:
    """Return the space of action indices."""
    return spaces.Discrete(compiled.actions)


def check_reset_options(options: object) -> None:
    """Raise OptionError for options of a reset."""
    if options:
        raise OptionError("the options of a game are given when the environment is made")


def action_mask(game_state: GameState, seat: int) -> Any:
    """Return 1 for every legal action of a seat and 0 for all others, int8; all 0 if the seat is not to move."""
    if game_state.seat == seat:
        return game_state.mask().view(np.int8)
    return np.zeros(game_state.compiled.actions, np.int8)


def observed(game_state: GameState, seat: int) -> dict[str, Any]:
    """Return the observation and the action mask of a seat, as new arrays.

    `observation` is uint8, shape `(observation_size,)`; `CompiledGame.view_parts` splits it into named parts.
    `action_mask` is int8, shape `(actions,)`, as returned by `action_mask`.
    """
    return {"observation": game_state.observation(seat), "action_mask": action_mask(game_state, seat)}


def legal_index(game_state: GameState, action: Any) -> int:
    """Return an action as an int. Raises IllegalMove, which names legal actions, if it is not legal now."""
    if game_state.over:
        raise IllegalMove("the game is over and no action is legal; call reset() for the next one")
    index = game_state.compiled.action_number(action)
    if not 0 <= index < game_state.compiled.actions or not game_state.mask()[index]:
        legal = listed([f"{i} ({game_state.to_notation(i)})" for i in game_state.legal()], FEW)
        raise IllegalMove(
            f"action {quoted(index)} is not legal now; choose where the action mask is 1, for instance by "
            f"action_space.sample(mask). Legal: {legal}"
        )
    return index
