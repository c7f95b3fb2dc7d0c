"""Files of weights: those of the package, and those that `bosquet train` wrote into a folder."""

from __future__ import annotations

import contextlib
import io
import math
import zipfile
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from bosquet.core.errors import OptionError
from bosquet.core.state import Field

HEAD_BYTES = 1024
"""More than the header of an array of weights has."""
NETWORK = ("first", "first_bias", "second", "second_bias")
"""The arrays of a network, see `network.output`."""


def arrays_in(content: bytes) -> dict[str, Any]:
    """Return the arrays of a file of NumPy (`.npz`) whose arrays are not compressed, by name.

    Raises ValueError if it is none, or damaged.
    """
    with _damage_named(), zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(member.file_size for member in archive.infolist()) > len(content):
            raise ValueError("its arrays are larger than the file")
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            return dict(found)


def read_weights(file: Traversable, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the arrays of a file, which are those of the fields, as long as these and of their types.

    Nothing is decompressed that is longer. Raises OptionError for a file that can't be read or has other arrays.
    """
    try:
        with _damage_named(), file.open("rb") as content, zipfile.ZipFile(content) as archive:
            arrays = {name: _array(archive, name, field) for name, field in fields.items()}
    except FileNotFoundError:
        raise OptionError(f"{file}: there is no such file; name a folder in which `bosquet train` ended") from None
    except OSError as error:
        raise OptionError(f"{file}: can't be read: {error.strerror or error}") from None
    except ValueError as error:
        raise OptionError(f"{file}: is no file of weights ({error}); train again") from None
    for name, field in fields.items():
        if arrays[name] is None:
            wanted = f"{field.length} numbers of type {np.dtype(field.code)}"
            raise OptionError(f"{file}: the array `{name}` must be {wanted}; train again with this version")
    return arrays


def _array(archive: zipfile.ZipFile, name: str, field: Field) -> Any:
    """Return an array that is like a field; None if there is none. Raises what NumPy and zipfile raise."""
    member = f"{name}.npy"
    if member not in archive.namelist():
        return None
    with archive.open(member) as content:
        begin = io.BytesIO(content.read(HEAD_BYTES))
        version = np.lib.format.read_magic(begin)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, kind = header(begin)
        if kind.hasobject:
            raise ValueError("it has objects of Python")
        if kind != np.dtype(field.code) or math.prod(shape) != field.length or by_columns:
            return None
        size = kind.itemsize * field.length
        said = begin.read()
        said += content.read(max(0, size - len(said)))
        if len(said) > size or content.read(1):  # which also compares the checksum
            raise ValueError("an array is longer than it says")
    return np.frombuffer(said, kind).reshape(shape).copy()


@contextlib.contextmanager
def _damage_named() -> Iterator[None]:
    """Raise ValueError where a file is no archive of arrays: NumPy and zipfile raise errors of many kinds for that."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise ValueError(error) from None
