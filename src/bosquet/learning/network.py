"""The network of learned values: one hidden layer for each stage of a game, in integers only.

Weights are rounded to integers after training, so equal inputs give equal values on every machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bosquet.core.state import StateRecord
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel

ONE_BITS, INPUT_BITS = 10, 8
ONE = 1 << ONE_BITS
"""The number 1 in the weights and in the hidden layer."""
INPUT_ONE = 1 << INPUT_BITS
"""The number 1 in the inputs."""
SCALES = {"first": ONE, "first_bias": ONE * INPUT_ONE, "second": ONE, "second_bias": ONE * ONE}
"""What the number 1 is in the integers of each array."""


@kernel
def output(network: Any, memory: Any, stage: int, inputs: int, hidden: int) -> int:
    """Return what the network of a stage makes of `memory.inputs`, in hundredths. Overwrites `memory.hidden`.

    `network` has the arrays `first` [stage, input, hidden], `first_bias` [stage, hidden], `second` [stage, hidden] and
    `second_bias` [stage].
    """
    for j in range(hidden):
        memory.hidden[index(j)] = network.first_bias[index(stage * hidden + j)]
    for i in range(inputs):
        x = memory.inputs[index(i)]
        if x:
            at = (stage * inputs + i) * hidden
            for j in range(hidden):
                memory.hidden[index(j)] += x * network.first[index(at + j)]
    total: int = network.second_bias[index(stage)]
    for j in range(hidden):
        total += network.second[index(stage * hidden + j)] * (max(0, memory.hidden[index(j)]) >> INPUT_BITS)
    return 100 * total >> 2 * ONE_BITS


def fill(records: Any, weights: dict[str, Any]) -> None:
    """Write arrays into the fields of a list or array of one record. Fields that have no array stay as they are."""
    record = records[0]
    if isinstance(record, StateRecord):
        for name in record.fields.keys() & weights.keys():
            setattr(record, name, weights[name].ravel().tolist())
    else:
        for name in set(records.dtype.names) & weights.keys():
            records[name][0] = weights[name].ravel()


def filled(kind: type[StateRecord], weights: dict[str, Any], *, jit: bool) -> Any:
    """Return a list of one record with the arrays of its fields that there are, as compiled code takes it if `jit`."""
    records: Any = np.zeros(1, kind.dtype) if jit else [kind()]
    fill(records, weights)
    return records
