"""Make the engines of games: `python -m bosquet.engine [GAME …]`."""

from __future__ import annotations

import os

os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}  # read when numba is imported

import sys
from importlib.resources import files
from pathlib import Path

from bosquet.core import installed
from bosquet.engine.build import build


def main(games: list[str]) -> None:
    """Write the engine of each game into its package."""
    for game in games or installed.OURS:
        spec = installed.spec(game)
        file = Path(str(files(spec.package) / "engine.wasm"))
        file.write_bytes(build(spec))
        print(f"{file.name} of {game}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
