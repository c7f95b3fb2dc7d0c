"""The package of the engines for JavaScript, packed and installed without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from tests.helpers.node import NODE

WEB = Path(__file__).parents[3] / "web"
PACKAGE = WEB / "package"
COMPILER = WEB / "node_modules/typescript/bin/tsc"
NPM = NODE.parents[1] / "lib/node_modules/npm/bin/npm-cli.js"


def run(folder: Path, *command: str | Path) -> str:
    """Run a program of Node in a folder and return what it writes."""
    environment = os.environ | {"PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([NODE, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(folder: Path) -> Path:
    """Pack the package and install it in an empty folder; return the packed file."""
    (told,) = json.loads(run(PACKAGE, NPM, "pack", "--json", "--silent", "--pack-destination", folder))
    (folder / "package.json").write_text('{"type": "module"}')
    run(folder, NPM, "install", "--offline", "--no-audit", "--no-fund", folder / told["filename"])
    return folder / str(told["filename"])


def example(language: str) -> str:
    """Return the example of the README in a language."""
    found = re.search(rf"```{language}\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    assert found is not None
    return found[1]
