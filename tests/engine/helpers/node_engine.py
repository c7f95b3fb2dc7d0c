"""An engine that runs in Node, as it does in a page."""

from __future__ import annotations

import base64
import json
import subprocess
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from bosquet.core.installed import spec
from bosquet.core.rng import RNG_WORDS
from bosquet.search.memory import BRANCHING
from bosquet.search.model import search_model
from tests.helpers.node import NODE


class NodeEngine:
    """The engine of a game, with its parts of memory as arrays."""

    def __init__(self, game: str, module: Path | None = None) -> None:
        self.spec = spec(game)
        file = module or Path(str(files(self.spec.package) / "engine.wasm"))
        command = [str(NODE), str(Path(__file__).with_name("engine.mjs")), str(file)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def do(self, *calls: tuple[Any, ...]) -> list[Any]:
        """Return the results of calls, each a name and its arguments."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(calls) + "\n")
        self._process.stdin.flush()
        results: list[Any] = json.loads(self._process.stdout.readline())
        return results

    def call(self, name: str, *given: int) -> int:
        """Return the result of one exported function."""
        result: int = self.do((name, *given))[0]
        return result

    def read(self, part: str, kind: Any) -> np.ndarray[Any, np.dtype[Any]]:
        """Return a part of the memory as an array."""
        return np.frombuffer(self.raw(part), kind)

    def raw(self, part: str) -> bytes:
        """Return the bytes of a part of the memory."""
        return base64.b64decode(self.do(("read", part))[0])

    def text(self, length: int) -> bytes:
        """Return the beginning of the text."""
        return base64.b64decode(self.do(("begin", "text_bytes", length))[0])

    def write(self, part: str, content: bytes) -> None:
        """Write into the beginning of a part of the memory."""
        self.do(("write", part, base64.b64encode(content).decode()))

    def load(self, state: Any) -> None:
        """Load a state."""
        self.write("table", state.pack().tobytes())

    def state(self) -> Any:
        """Return the state."""
        return self.spec.rules.State.unpack(self.read("table", self.spec.rules.State.dtype))

    def seed(self, rng_state: list[int]) -> None:
        """Set the generator."""
        self.write("rng", np.array(rng_state, np.int64).tobytes())

    @property
    def rng_state(self) -> list[int]:
        """Return the state of the generator."""
        words: list[int] = self.read("rng", np.int64).tolist()
        assert len(words) == RNG_WORDS
        return words

    def rows(self, n: int) -> list[tuple[int, int, float, float, list[float]]]:
        """Return the first rows of what a search found: candidate, visits, value, win, points of the seats."""
        room = min(BRANCHING, max(self.spec.rules.MAX_MOVES, search_model(self.spec.name).MAX_CANDIDATES))
        parts = {name: self.read(name, "f8") for name in ("visits", "values", "wins")}
        gains = self.read("gains", "f8").reshape(room, -1)
        candidates = self.read("candidates", "i8")
        return [
            (
                int(candidates[i]),
                int(parts["visits"][i]),
                *(float(parts[k][i]) for k in ("values", "wins")),
                list(gains[i]),
            )  # type: ignore[misc]
            for i in range(n)
        ]
