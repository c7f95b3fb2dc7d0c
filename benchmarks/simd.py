"""Measures what vector instructions would bring to the search of an engine in the page, which has none.

    python -m benchmarks.simd [--game topas] [--seconds 2]

The module of each game is made twice, as it is and with 128-bit SIMD for loops and straight code; both search the first
decision of the same game in Node, by turns; the quickest search counts. It needs the package `ziglang` (`uv run --group
engine`).
"""

from __future__ import annotations

import os

os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}  # as when the modules are made

import argparse
import dataclasses
import gzip
import subprocess
import tempfile
from pathlib import Path

import bosquet
from bosquet.core import installed
from bosquet.engine.build import build
from bosquet.kernels import wasm
from tests.helpers.node import NODE

TURNS = 5
SIMD = dataclasses.replace(wasm.WASM, features=f"{wasm.WASM.features},+simd128", vectors=True)
PROGRAM = """
const [file, seconds] = process.argv.slice(1);
const content = process.getBuiltinModule("fs").readFileSync(file);
const { exports: engine } = new WebAssembly.Instance(new WebAssembly.Module(content));
engine.new_game();
engine.seed(1, 2, 3, 4);
engine.deal();
let least = Infinity;
for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
  engine.seed(1, 2, 3, 4);
  engine.read_settings();
  const begin = performance.now();
  engine.start_search(0, 1);
  engine.run_simulations(100);
  least = Math.min(least, performance.now() - begin);
}
console.log(100_000 / least);
"""


def speed(module: Path, seconds: float) -> float:
    """Return simulations a second."""
    command = [str(NODE), "-e", PROGRAM, str(module), str(seconds)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    plain = wasm.WASM
    with tempfile.TemporaryDirectory() as folder:
        for game in given.game or bosquet.GAMES:
            files: list[Path] = []
            for target in (plain, SIMD):
                wasm.WASM = target
                files.append(Path(folder) / f"{game}-{len(files)}.wasm")
                files[-1].write_bytes(build(installed.spec(game)))
            speeds = [[speed(file, given.seconds) for file in files] for _ in range(TURNS)]
            without, with_simd = (max(column) for column in zip(*speeds, strict=True))
            before, after = (len(gzip.compress(file.read_bytes(), 9)) for file in files)
            ratio = with_simd / without
            print(f"{game}: {ratio:.2f} times the simulations a second; {after:,} bytes gzipped, not {before:,}")


if __name__ == "__main__":
    main()
