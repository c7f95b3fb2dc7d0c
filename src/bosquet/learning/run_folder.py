"""The folder of a training run: its state, so that it goes on after a stop, and its learning curve."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import platform
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

from bosquet.core.errors import BosquetError

STATE, CURVE = "state.npz", "curve.csv"

R = TypeVar("R", bound=msgspec.Struct)


class RunFolder(Generic[R]):
    """A folder with the state of a run and a line for each of its rounds, of a class of flat structs."""

    def __init__(self, path: Path, line: type[R]) -> None:
        """Make the folder. Raises BosquetError if it can't be used."""
        self.path = path
        self._line = line
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unusable(path, error) from None

    def save(
        self, arrays: Mapping[str, Any], plan: msgspec.Struct, random: np.random.Generator, lines: list[R]
    ) -> None:
        """Store a round: the learning curve first, then the state, which tells how many of its lines count."""
        rows = [",".join(str(value) for value in msgspec.structs.astuple(line)) for line in lines]
        with self.replacing(CURVE) as file:
            file.write(("\n".join([",".join(self._line.__struct_fields__), *rows]) + "\n").encode())
        words = {"plan": plan, "random": _words(random.bit_generator.state)}
        packed: dict[str, Any] = {
            name: np.frombuffer(msgspec.json.encode(value), np.uint8) for name, value in words.items()
        }
        with self.replacing(STATE) as file:
            np.savez(file, **arrays, **packed)

    def load(self, plan: type[msgspec.Struct], random: np.random.Generator) -> tuple[Stored, Any] | None:
        """Return arrays and plan of the state, None if there is none; sets `random`. Raises BosquetError."""
        file = self.path / STATE
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unusable(self.path, error) from None
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as found:
                arrays = dict(found)
            random.bit_generator.state = _numbers(msgspec.json.decode(arrays.pop("random").tobytes()))
            return Stored(file, arrays), msgspec.json.decode(arrays.pop("plan").tobytes(), type=plan)
        except Exception as error:  # NumPy and zipfile raise errors of many kinds for files that are damaged
            raise damaged(file, error) from None

    def curve(self, rounds: int) -> list[R]:
        """Return the lines of so many rounds."""
        path = self.path / CURVE
        if not path.exists():
            return []
        with path.open(newline="") as file:
            try:
                return [msgspec.convert(row, self._line, strict=False) for row in csv.DictReader(file)][:rounds]
            except (ValueError, csv.Error) as error:
                raise BosquetError(f"{path}: is no learning curve; name another --out ({error})") from None

    def write_weights(self, name: str, weights: Mapping[str, Any], card: Mapping[str, Any]) -> Path:
        """Write weights to `name`.npz and their model card to `name`.json; return the file of the weights."""
        with self.replacing(f"{name}.npz") as file:
            np.savez_compressed(file, **weights)
        with self.replacing(f"{name}.json") as file:
            file.write(msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")
        return self.path / f"{name}.npz"

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[Any]:
        """Give a file to write to that takes the place of `name` at the end, unless an error is raised."""
        draft = self.path / f".{name}.part"
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.path / name)


class Stored:
    """The arrays of a stored state, which are checked when they are asked for."""

    def __init__(self, file: Path, arrays: Mapping[str, Any]) -> None:
        self._file = file
        self._arrays = arrays

    def array(self, name: str, like: Any, *, rows: bool = False) -> Any:
        """Return an array with the shape and the type of another; with `rows`, of any length.

        Raises BosquetError if it is not there or of another kind.
        """
        found, expected = self._arrays.get(name), np.asarray(like)
        skipped = int(rows)
        if (
            found is None
            or (found.dtype, found.ndim) != (expected.dtype, expected.ndim)
            or found.shape[skipped:] != expected.shape[skipped:]
        ):
            raise damaged(self._file, f"{name} is not what this version stores")
        return found


def damaged(file: Path, why: object) -> BosquetError:
    """Return the error for a state that can't be read."""
    return BosquetError(f"{file}: is no state of a training run; remove it, or name another --out ({why})")


def unusable(path: Path, error: OSError) -> BosquetError:
    """Return the error for a folder that can't be read or written."""
    return BosquetError(f"{path}: can't be used: {error.strerror}; name another --out")


def machine() -> str:
    """Return what a model card says of the machine."""
    return f"{platform.machine()}, one thread; Python {platform.python_version()}, NumPy {np.__version__}"


def _words(value: Any) -> Any:
    """Return the state of NumPy's generator with its long integers as text, which JSON keeps exactly."""
    if isinstance(value, dict):
        return {key: _words(item) for key, item in value.items()}
    return f"#{value}" if isinstance(value, int) else value


def _numbers(value: Any) -> Any:
    """Return what `_words` was made of."""
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    return int(value[1:]) if isinstance(value, str) and value.startswith("#") else value
