"""Every listing of docs/your-own-game.md is run, and docs/game-reference.md names all that a game may have."""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bosquet.core.declaration import required
from bosquet.core.rules import Notation, Rules, Views
from bosquet.core.spec import GameSpec

ROOT = Path(__file__).parents[2]
PACKAGE = Path(__file__).with_name("package")
TUTORIAL = (ROOT / "docs/your-own-game.md").read_text(encoding="utf-8")
PARTS = (ROOT / "docs/game-reference.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ title=\"(.*?)\"\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL))
COMMANDS = [line for block in re.findall(r"^```console\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
            for line in re.findall(r"^\$ (.*)$", block, re.MULTILINE)]  # fmt: skip


@pytest.mark.parametrize("game", ["matches", "tide"])
def test_its_package_is_the_foreign_package(game: str) -> None:
    listed = {name: text for name, text in FILES.items() if name.startswith(f"{game}/")}
    assert listed == {
        str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.glob(f"{game}/*.py"))
    }


def first_cells(heading: str) -> list[str]:
    """The names in the first column of the tables under a heading."""
    section = PARTS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)", cell)]


def test_its_tables_list_all_that_a_game_must_have_and_can_say() -> None:
    must = [name for protocol in (Rules, Notation, Views) for name in required(protocol)]
    assert set(must) <= set(first_cells("What a game must have"))
    extra = set(first_cells("What a game must have")) - set(must)
    assert extra == {"is_concealed", "with_open_part", "deal_form", "move_data"}
    optional = {field.name for field in dataclasses.fields(GameSpec) if field.default is not dataclasses.MISSING}
    optional |= {"option_help"}
    assert set(first_cells("What SPEC can say")) == optional


def test_every_block_is_a_listing() -> None:
    blocks = TUTORIAL.count("\n```") // 2
    assert blocks == len(FILES) + TUTORIAL.count("```console\n")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as its listings have it, with the metadata that pip makes of `pyproject.toml`."""
    folder = tmp_path_factory.mktemp("games")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


@pytest.mark.slow
def test_its_commands_run(installed: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(installed), "BOSQUET_JIT": "0"}
    assert len(COMMANDS) >= 5
    for command in [*COMMANDS, "python try_it.py"]:
        program, *arguments = shlex.split(command)
        if program == "pytest":
            arguments += ["-q", "-n", "0", "-p", "no:cacheprovider"]
        module = [] if program == "python" else ["-m", program]
        done = subprocess.run(
            [sys.executable, *module, *arguments],
            cwd=ROOT if program == "pytest" else installed,
            env=environment,
            input="1\n" * 12,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
