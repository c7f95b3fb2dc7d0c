"""A site whose page puts questions to engines: served by the real server, so that its content policy holds."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bosquet.server.http.catalogue import catalogue
from tests.helpers.node import NODE
from tests.helpers.services import free_port, serving_page

WEB = Path(__file__).parents[3] / "web"
PROGRAM = Path(__file__).parent / "page.ts"
BUILD = """
import { build } from "vite";
const [root, outDir, input] = process.argv.slice(1);
const names = { entryFileNames: "assets/questions.js", format: "es" };
const rolldownOptions = { input, output: names, preserveEntrySignatures: "strict" };
const plain = { configFile: false, publicDir: false, logLevel: "error" };
await build({ ...plain, root, build: { outDir, emptyOutDir: true, rolldownOptions } });
"""


def can_build() -> bool:
    """Return whether the page's tools are installed here."""
    return (WEB / "node_modules/vite").is_dir()


def source_of(game: str) -> dict[str, Any]:
    """Return the engine of a game as the page asks for it: what the server lists."""
    (listed,) = (one for one in json.loads(catalogue().body) if one["name"] == game)
    assert listed["engine"] is not None, f"{game} has no engine"
    return {"address": listed["engine"], "game": game, "weights": listed["weights"]}


def build(folder: Path) -> None:
    """Build the page."""
    command = [str(NODE), "--input-type=module", "-e", BUILD, str(WEB), str(folder), str(PROGRAM)]
    subprocess.run(command, cwd=WEB, check=True, timeout=120)
    (folder / "index.html").write_text("<!doctype html>\n<title>Engines</title>\n")


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """Build the page and serve it; give the address."""
    page, port = folder / "page", free_port()
    build(page)
    with serving_page(page, folder / "data", port):
        yield f"http://127.0.0.1:{port}"


def call(function: str, *arguments: object) -> str:
    """Return an expression that calls a function of the page's module."""
    given = ", ".join(json.dumps(one) for one in arguments)
    return f"import('/assets/questions.js').then(page => page.{function}({given}))"
