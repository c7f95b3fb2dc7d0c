"""What to do about a missing library fits the way in which the program was installed."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bosquet.core.system import extras

EDITABLE = json.dumps({"url": "file:///somewhere", "dir_info": {"editable": True}})
WHEEL = json.dumps({"url": "file:///somewhere/bosquet.whl", "archive_info": {}})


class Installed:
    """Stands for an installation."""

    def __init__(self, **files: str | None) -> None:
        self.files = files

    def read_text(self, name: str) -> str | None:
        return self.files.get(name.partition(".")[0])


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    extras.runs_in_checkout.cache_clear()
    yield
    extras.runs_in_checkout.cache_clear()


@pytest.mark.parametrize(
    ("found", "checkout"),
    [
        (Installed(direct_url=EDITABLE, INSTALLER="uv\n"), True),
        (Installed(direct_url=EDITABLE, INSTALLER="pip\n"), False),
        (Installed(direct_url=WHEEL, INSTALLER="uv"), False),
        (Installed(INSTALLER="pip\n"), False),
        (Installed(), False),
    ],
)
def test_a_remedy_fits_the_installation(found: Any, checkout: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "distribution", lambda name: found)
    monkeypatch.setenv("UV", str(Path.cwd() / ".uv/bin/uv"))
    said = [extras.remedy("plot"), extras.group_remedy("peers", "pgx"), extras.page_remedy()]
    if checkout:
        assert said == [
            "run it with `.uv/bin/uv run --extra plot …`",
            "run it with `.uv/bin/uv run --group peers …`",
            "`.uv/bin/uv sync --reinstall-package bosquet` builds it",
        ]
    else:
        assert said[:2] == ["`pip install 'bosquet[plot]'` installs it", "pip install pgx"]
        assert "uv" not in said[2]


@pytest.mark.parametrize(
    ("found", "uv", "path", "said"),
    [
        (Installed(direct_url=EDITABLE, INSTALLER="uv\n"), "/opt/my tools/uv", "", "'/opt/my tools/uv' run bosquet"),
        (Installed(direct_url=EDITABLE, INSTALLER="uv\n"), None, "bin", "bosquet"),
        (Installed(INSTALLER="pip\n"), "/opt/uv", "bin", "bosquet"),
        (Installed(INSTALLER="pip\n"), None, "", f"{shlex.quote(sys.executable)} -m bosquet"),
    ],
)
def test_a_command_to_type_begins_as_the_program_was_started(
    found: Any, uv: str | None, path: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bin" / "bosquet"
    file.parent.mkdir()
    file.touch(mode=0o755)
    monkeypatch.setattr(extras, "distribution", lambda name: found)
    monkeypatch.setenv("PATH", str(tmp_path / path))
    if uv is None:
        monkeypatch.delenv("UV", raising=False)
    else:
        monkeypatch.setenv("UV", uv)
    assert extras.program() == said


def test_uv_is_named_as_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV", "/opt/tools/uv")
    assert extras.uv() == "/opt/tools/uv"
    monkeypatch.delenv("UV")
    assert extras.uv() == "uv"
