"""Results that are kept in files, each with the arguments that it was made of."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich.console import Console

from bosquet.server.base.durable import replacing

Result = TypeVar("Result")


class Kept(msgspec.Struct):
    """A result in a file, with the arguments that it was made of."""

    given: msgspec.Raw
    result: msgspec.Raw


class Results:
    """Results by name, each a file of a folder."""

    def __init__(self, folder: Path, finished: bool) -> None:
        self.folder = folder
        self.finished = finished
        self.console = Console(highlight=False)
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, name: str, kind: type[Result], make: Callable[..., Result], *given: Any) -> Result | None:
        """Return what `make` returns for what is given, if it is not there; None if nothing may be run."""
        file = self.folder / f"{name}.json"
        words = msgspec.json.encode(given)
        with contextlib.suppress(FileNotFoundError, msgspec.DecodeError):
            kept = msgspec.json.decode(file.read_bytes(), type=Kept)
            if bytes(kept.given) == words:
                return msgspec.json.decode(kept.result, type=kind)
        if self.finished:
            return None
        self.console.print(name)
        result = make(*given)
        with replacing(file) as draft:
            draft.write_bytes(msgspec.json.encode(Kept(msgspec.Raw(words), msgspec.Raw(msgspec.json.encode(result)))))
        return result
