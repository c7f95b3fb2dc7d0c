"""Search with learned values, in the engine of a game that has them (`search.learned_model`).

The page writes the weights into the memory (`engine.weights`); `weights_key` tells which ones the game takes. Then it
calls the kernels here in the place of those of `engine.searching` without `learned` in their names. For a hint it calls
`value_line` after `engine.judging.weigh`.
"""

from __future__ import annotations

from typing import Any

from bosquet.engine.judging import simulate_line
from bosquet.engine.searching import read_settings, run_with, start_with
from bosquet.kernels.jit import kernel
from bosquet.lab.verdicts import rounded

KEY_PLACES = (0,)
"""Placeholder for the bytes of a state that tell which weights it takes, see `weights.key_places`."""


@kernel
def weights_key(m: Any) -> int:
    """Return which weights the game takes, see `weights.key_of`."""
    key = 0
    for i in range(len(KEY_PLACES)):
        key = key << 8 | m.table_bytes[KEY_PLACES[i]]
    return key


@kernel
def read_learned_settings(m: Any) -> int:
    """Write the settings of the game for a search with learned values."""
    return read_settings(m)


@kernel
def start_learned_search(m: Any, engine: int, engines: int) -> int:
    """Begin a search with learned values, as `start_search` does."""
    return start_with(m, m.learned, engine, engines)


@kernel
def run_learned_simulations(m: Any, simulations: int) -> int:
    """Make a number of simulations with learned values; return how many candidates there are."""
    return run_with(m, m.learned, simulations)


@kernel
def value_line(m: Any, line: int, simulations: int) -> int:
    """Write the mean value of a line that has no exact one into its row of the choices. Advances the generator."""
    if m.line_solved[line] == 0:
        m.choice_value[line] = rounded(simulate_line(m, m.learned, line, 0, simulations), 100_000)
    return 0


EXPORTS = (weights_key, read_learned_settings, start_learned_search, run_learned_simulations, value_line)
