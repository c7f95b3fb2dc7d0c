"""The README's own lines work with the system's Python, an empty home and no caches."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PYTHON = Path("/usr/bin/python3")
CONFIGURED = {
    "PIP_CONFIG_FILE": ".config/pip/pip.conf",
    "UV_CONFIG_FILE": ".config/uv/uv.toml",
    "NPM_CONFIG_USERCONFIG": ".npmrc",
}
"""Where a machine may say which index it uses; that is not what the home is empty of."""
KEPT = ("PIP_", "UV_", "SSL_", "NODE_EXTRA_CA", "NPM_")
"""What variables begin with that say how an index is reached."""
MINUTES = 15
SHORT = " -q -n 0 tests/core/test_errors.py"
"""What the line with the tests is given to run: it installs as much as for all of them."""


def first_line() -> str:
    """Return the README's first command."""
    return str(re.findall(r"^```\n(python3 .*)\n```$", README, re.MULTILINE)[0])


def line_with_tests() -> str:
    """Return the first lines of the page for those who work on it, which run the tests."""
    installs, runs = re.findall(r"^```\n(python3 .*)\n(uv run pytest)\b", CONTRIBUTING, re.MULTILINE)[0]
    return f"{installs} && {runs}"


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Return a clean clone and an environment with an empty home."""
    folder = tmp_path_factory.mktemp("stranger")
    if not PYTHON.exists() or not (ROOT / ".git").exists():
        pytest.skip("needs a Python of the system and a clone")
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), "bosquet"], cwd=folder, check=True)
    home = folder / "home"
    home.mkdir()
    kept = {key: value for key, value in os.environ.items() if key.startswith(KEPT) or "proxy" in key.lower()}
    for unwanted in ("UV_PROJECT_ENVIRONMENT", "UV_PYTHON", "UV_CACHE_DIR", "PIP_CACHE_DIR", "UV_FROZEN", "UV_OFFLINE"):
        kept.pop(unwanted, None)
    for name, place in CONFIGURED.items():
        if (file := Path.home() / place).exists():
            kept.setdefault(name, str(file))
    environment = {**kept, "HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "BROWSER": "true"}
    asked = [str(PYTHON), "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder / "asked"), "uv"]
    if subprocess.run(asked, env=environment, capture_output=True).returncode:
        pytest.skip("no index can be reached with the system's pip")
    return folder / "bosquet", environment


@pytest.mark.slow
def test_the_command_serves_the_page(stranger: tuple[Path, dict[str, str]]) -> None:
    """The plain way, with pip, is that of `.ci/run`, which installs the package into an empty environment."""
    clone, environment = stranger
    how: dict[str, Any] = {
        "cwd": clone,
        "env": environment,
        "stderr": subprocess.PIPE,
        "text": True,
        "start_new_session": True,
    }
    with subprocess.Popen(["sh", "-c", first_line()], **how) as served:
        try:
            said: list[str] = []
            for told in served.stderr or ():
                said.append(told)
                if found := re.search(r"bosquet plays at (http://\S+)", told):
                    break
            else:
                pytest.fail("".join(said))
            with urllib.request.urlopen(found[1], timeout=30) as page:
                assert b"<title>" in page.read()
            os.killpg(served.pid, signal.SIGINT)
            served.communicate(timeout=30)
        finally:
            if served.poll() is None:
                os.killpg(served.pid, signal.SIGKILL)
    changed = subprocess.run(["git", "status", "--short"], cwd=clone, capture_output=True, text=True, check=True)
    assert changed.stdout == ""


@pytest.mark.slow
def test_the_line_with_the_tests_runs_them(stranger: tuple[Path, dict[str, str]]) -> None:
    clone, environment = stranger
    done = subprocess.run(
        ["sh", "-c", line_with_tests() + SHORT],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60 * MINUTES,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d+ passed", done.stdout)


def test_nothing_tells_to_install_from_an_index_what_none_has() -> None:
    """An extra of an installed bosquet can be added in this way, which errors say (`core.system.extras`)."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a clone")
    told = re.compile(r"(?:pip|pipx|uv tool) install (?:-\S+ )*['\"]?bosquet\b")
    but = {"src/bosquet/core/system/extras.py", "tests/core/test_extras.py"}
    files = [
        ROOT / name for name in listed.stdout.splitlines() if name not in but and not name.endswith((".gz", ".png"))
    ]
    found = [str(file) for file in files if file.is_file() and told.search(file.read_text("utf-8", "ignore"))]
    assert found == []
