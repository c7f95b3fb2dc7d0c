"""Files of weights: those of the package, and those that `bosquet train` wrote into a folder."""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from bosquet.core.errors import OptionError
from bosquet.core.state import Field

NETWORK = ("first", "first_bias", "second", "second_bias")
"""The arrays of a network, see `network.output`."""


def arrays_in(content: bytes) -> dict[str, Any]:
    """Return the arrays of a file of NumPy (`.npz`) by name. Raises ValueError if it is none, or damaged."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            return dict(found)
    except Exception as error:  # NumPy and zipfile raise errors of many kinds for files that are damaged
        raise ValueError(error) from None


def read_weights(file: Traversable, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the arrays of a file, which are those of the fields, as long as these and of their types.

    Raises OptionError for a file that can't be read or has other arrays.
    """
    try:
        arrays = arrays_in(file.read_bytes())
    except FileNotFoundError:
        raise OptionError(f"{file}: there is no such file; name a folder in which `bosquet train` ended") from None
    except OSError as error:
        raise OptionError(f"{file}: can't be read: {error.strerror or error}") from None
    except ValueError as error:
        raise OptionError(f"{file}: is no file of weights ({error}); train again") from None
    for name, field in fields.items():
        array = arrays.get(name)
        if array is None or array.dtype != np.dtype(field.code) or array.size != field.length:
            wanted = f"{field.length} numbers of type {np.dtype(field.code)}"
            raise OptionError(f"{file}: the array `{name}` must be {wanted}; train again with this version")
    return {name: arrays[name] for name in fields}
