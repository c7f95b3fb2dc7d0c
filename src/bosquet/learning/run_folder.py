"""The folder of a training run: its state, so that it goes on after a stop, and its learning curve."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

from bosquet.core.errors import BosquetError, quoted
from bosquet.learning.weights import arrays_in

STATE, CURVE = "state.npz", "curve.csv"

Tell = Callable[[str, int, int], None]
"""What is told how far a round is: name of a phase, what is done of it, and its total."""

R = TypeVar("R", bound=msgspec.Struct)


class RunFolder(Generic[R]):
    """A folder with the state of a run and a line for each of its rounds, of a class of flat structs."""

    def __init__(self, path: Path, line: type[R]) -> None:
        """Make the folder. Raises BosquetError if it can't be used, or has files that are not of a run."""
        check_free(path)
        self.path = path
        self.lines: list[R] = []
        """The learning curve: a line for each round that is done."""
        self._line = line
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unusable(path, error) from None

    def save(self, arrays: Mapping[str, Any], plan: msgspec.Struct, random: np.random.Generator, line: R) -> None:
        """Store a round: the state with the learning curve, and that once more as text for people.

        Raises BosquetError if it can't be written; what was stored before stays.
        """
        lines = [*self.lines, line]
        words = {"plan": plan, "random": _words(random.bit_generator.state), "curve": lines}
        packed: dict[str, Any] = {
            name: np.frombuffer(msgspec.json.encode(value), np.uint8) for name, value in words.items()
        }
        with self.replacing(STATE) as file:
            np.savez(file, **arrays, **packed)
        self.lines = lines
        self._write_curve()

    def load(self, plan: type[msgspec.Struct], random: np.random.Generator) -> tuple[Stored, Any] | None:
        """Return arrays and plan of the state, None if there is none. Sets `random` and `lines`. Raises BosquetError.

        The learning curve is written once more, from the state.
        """
        file = self.path / STATE
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unusable(self.path, error) from None
        try:
            arrays = arrays_in(content)
            random.bit_generator.state = _numbers(msgspec.json.decode(arrays.pop("random").tobytes()))
            found_plan = msgspec.json.decode(arrays.pop("plan").tobytes(), type=plan)
            lines = msgspec.json.decode(arrays.pop("curve").tobytes(), type=list[self._line])  # type: ignore[name-defined]
        except Exception as error:  # what is damaged raises errors of many kinds
            raise damaged(file, error) from None
        rounds = [msgspec.structs.astuple(line)[0] for line in lines]
        if rounds != list(range(1, len(rounds) + 1)):
            raise damaged(file, "its rounds are not 1, 2, 3 …")
        self.lines = lines
        self._write_curve()
        return Stored(file, arrays), found_plan

    def _write_curve(self) -> None:
        rows = [",".join(str(value) for value in msgspec.structs.astuple(line)) for line in self.lines]
        with self.replacing(CURVE) as file:
            file.write(("\n".join([",".join(self._line.__struct_fields__), *rows]) + "\n").encode())

    def write_weights(self, name: str, weights: Mapping[str, Any], card: Mapping[str, Any]) -> Path:
        """Write weights to `name`.npz and their model card to `name`.json; return the file of the weights."""
        with self.replacing(f"{name}.npz") as file:
            np.savez_compressed(file, **weights)
        with self.replacing(f"{name}.json") as file:
            file.write(msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")
        return self.path / f"{name}.npz"

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[Any]:
        """Give a file to write to that takes the place of `name` at the end, unless an error is raised.

        Raises BosquetError if it can't be written. The draft is removed after every error.
        """
        draft = self.path / f".{name}.part"
        try:
            with draft.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self.path / name)
        except BaseException as error:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise unwritable(self.path / name, error) from None
            raise


class Stored:
    """The arrays of a stored state, which are checked when they are asked for."""

    def __init__(self, file: Path, arrays: Mapping[str, Any]) -> None:
        self._file = file
        self._arrays = arrays

    def array(self, name: str, like: Any, *, rows: bool = False) -> Any:
        """Return an array with the shape and the type of another; with `rows`, of any length.

        Raises BosquetError if it is not there or of another kind, or if a number in it is infinite or none.
        """
        found, expected = self._arrays.get(name), np.asarray(like)
        skipped = int(rows)
        if (
            found is None
            or (found.dtype, found.ndim) != (expected.dtype, expected.ndim)
            or found.shape[skipped:] != expected.shape[skipped:]
            or not np.isfinite(found).all()
        ):
            raise damaged(self._file, f"{name} is not what this version stores")
        return found

    def check(self, name: str, values: Any, low: int, high: int | None = None) -> None:
        """Raise BosquetError if one of these values of the array `name` is below `low` or above `high`."""
        if np.any(values < low) or (high is not None and np.any(values > high)):
            raise damaged(self._file, f"{name} has values out of range")


def nothing_to_tell(_phase: str, _done: int, _total: int) -> None:
    """Ignore the progress of a round."""


def check_free(path: Path) -> None:
    """Raise BosquetError if a folder has files, but no state of a run: they could be overwritten."""
    ours = {"lock", f".{STATE}.part"}
    try:
        names = sorted(file.name for file in path.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise unusable(path, error) from None
    if STATE not in names and (others := [name for name in names if name not in ours]):
        raise BosquetError(
            f"{path}: holds {quoted(others[0])} and is no folder of a training run (it has no {STATE}); "
            "name an empty or a new folder with --out"
        )


def damaged(file: Path, why: object) -> BosquetError:
    """Return the error for a state that can't be read."""
    return BosquetError(f"{file}: is no state of a training run that can be read; name another --out ({why})")


def unusable(path: Path, error: OSError) -> BosquetError:
    """Return the error for a folder that can't be read or written."""
    return BosquetError(f"{path}: can't be used: {error.strerror}; name another --out")


def unwritable(file: Path, error: OSError) -> BosquetError:
    """Return the error for a file that can't be written."""
    return BosquetError(
        f"{file}: can't be written: {error.strerror}; what was stored before is kept: make sure that there is room, "
        "and the same command goes on"
    )


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
