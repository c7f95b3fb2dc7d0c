"""Make the engines of games, or check that they are what would be made."""

from __future__ import annotations

import os

os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}  # read when numba is imported

import argparse
import gzip
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from bosquet.core import installed
from bosquet.core.errors import OptionError
from bosquet.engine.build import TOOLS, build, engine_file, tools
from bosquet.kernels.wasm import sections


def main() -> None:
    """Write `engine.wasm` into the package of each game; with `--check` compare its bytes instead."""
    parser = argparse.ArgumentParser(prog="python -m bosquet.engine", description=__doc__)
    parser.add_argument("game", nargs="*", help="all games of this package by default")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the bytes differ")
    given = parser.parse_args()
    try:
        wrong = [game for game in given.game or installed.OURS if not _made(game, check=given.check)]
    except OptionError as error:
        parser.error(str(error))
    except PackageNotFoundError as error:
        parser.error(f"the package {error.name} is missing; install it, in a checkout by `uv run --group engine …`")
    if wrong:
        parser.exit(1, f"run: python -m bosquet.engine {' '.join(wrong)}\n")


def _made(game: str, *, check: bool) -> bool:
    """Make the engine of a game; return whether its file has these bytes then."""
    file = Path(str(engine_file(installed.spec(game))))
    before = file.read_bytes() if file.exists() else b""
    if check and before and (used := sections(before)[TOOLS].decode()) != tools():
        print(f"{game}: made by {used}; here are {tools()}")
    made = build(installed.spec(game))
    if not check:
        file.write_bytes(made)
    same = made == (before if check else made)
    told = "" if same else ", not those of the file"
    print(f"{game}: {len(made)} bytes, {len(gzip.compress(made, 9))} compressed{told}")
    return same


if __name__ == "__main__":
    main()
