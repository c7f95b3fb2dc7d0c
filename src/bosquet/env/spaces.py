"""What an environment shows and what it takes, in Gymnasium's words."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium import spaces

from bosquet.core.errors import IllegalMove, listed, quoted
from bosquet.env.machine import Machine
from bosquet.env.world import World

FEW = 6


def observation_space(machine: Machine) -> spaces.Dict:
    """What a seat is shown, see `observed`."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (machine.observation_size,), np.uint8),
            "action_mask": spaces.MultiBinary(machine.actions),
        }
    )


def action_space(machine: Machine) -> spaces.Discrete:
    """The indices of actions."""
    return spaces.Discrete(machine.actions)


def action_mask(world: World, seat: int) -> Any:
    """1 at the index of every action that a seat may take now, an int8 array; zeros when it is not to move."""
    if world.seat == seat:
        return world.mask().view(np.int8)
    return np.zeros(world.machine.actions, np.int8)


def observed(world: World, seat: int) -> dict[str, Any]:
    """What a seat is shown, in arrays of its own.

    `observation`: uint8, shape `(observation_size,)`, as the encoder's layout has it (`Machine.view_parts` takes it
    apart). `action_mask`: as above, shape `(actions,)`.
    """
    return {"observation": world.observation(seat), "action_mask": action_mask(world, seat)}


def legal_index(world: World, action: Any) -> int:
    """An action as a plain number. Raises IllegalMove, which names the remedy, for one that is not legal now."""
    if world.over:
        raise IllegalMove("the game is over and no action is legal; call reset() for the next one")
    actions = world.machine.actions
    try:
        index = operator.index(action)
    except TypeError:
        raise IllegalMove(f"{quoted(action)} is no action; an action is a whole number below {actions}") from None
    if not 0 <= index < actions or not world.mask()[index]:
        legal = listed([f"{i} ({world.say(i)})" for i in world.legal()], FEW)
        raise IllegalMove(
            f"action {quoted(index)} is not legal now; choose where the action mask is 1, for instance by "
            f"action_space.sample(mask). Legal: {legal}"
        )
    return index
