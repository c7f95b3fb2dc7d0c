"""Every listing of docs/your-bot.md is run, and its commands print what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.helpers.sessions import assert_prints

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/your-bot.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```python title=\"(.*?)\"\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
SESSIONS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
"""Each command with the lines that it prints, or some of them."""


def test_every_block_is_a_listing() -> None:
    assert PAGE.count("\n```") // 2 == len(FILES) + len(SESSIONS)
    assert len(SESSIONS) >= 4
    assert "Elo" in SESSIONS[-1][1]  # it ends with the table of an arena


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SESSIONS)))
def test_its_commands_print_what_it_shows(number: int, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command, shown = SESSIONS[number]
    assert_prints(tmp_path, command, shown)
