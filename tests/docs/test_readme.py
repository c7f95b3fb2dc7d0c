"""The README is short, its bot plays the match that it shows, and its number is the one that was measured."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.docs.helpers.sessions import assert_prints

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = 80
PICTURE_BYTES = 200_000


def test_it_is_short() -> None:
    assert len(PAGE.splitlines()) <= LINES


def test_its_picture_is_small() -> None:
    (picture,) = re.findall(r"!\[.*?\]\((.*?)\)", PAGE)
    assert (ROOT / picture).stat().st_size < PICTURE_BYTES


def test_its_number_is_the_one_that_was_measured() -> None:
    ours, peer = re.findall(r"makes ([\d,]+),000\nrandom steps of Topiary a second, and ([\d,]+),000 of Pgx", PAGE)[0]
    figures = (ROOT / "benchmarks/figures.md").read_text(encoding="utf-8")
    assert f"| bosquet Topiary | 4096 | {ours} |" in figures
    assert f"| Pgx connect_four | 4096 | {peer} |" in figures


def test_on_a_package_index_it_has_no_link_to_a_file() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shown = PAGE
    for found in settings["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        shown = re.sub(found["pattern"], found["replacement"], shown)
    assert re.findall(r"\]\((?!https:)", PAGE)
    assert not re.findall(r"\]\((?!https:)", shown)


def test_commands_are_said_as_in_the_documentation() -> None:
    first = PAGE.split("\n```\n")[1]
    assert f"```\n{first}\n```" in (ROOT / "docs/index.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_its_bot_plays_the_match_that_it_shows(tmp_path: Path) -> None:
    ((name, text),) = re.findall(r"^```python title=\"(.*?)\"\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    ((command, shown),) = re.findall(
        r"^```console\n\$ uv run (bosquet .*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    )
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert_prints(tmp_path, command, shown)
