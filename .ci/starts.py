"""Check in a copy of the working tree that `uv run` builds the page when it has changed, and only then."""

import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

CPU_SECONDS = 2.0
"""The most processor time of a start that builds nothing; elapsed time says little on a busy machine."""


def copy(root: Path) -> None:
    """Copy the files of the working tree that git knows or would add."""
    listed = subprocess.check_output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], text=True)
    for name in filter(None, listed.split("\0")):
        if Path(name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, root / name)


def start(root: Path) -> tuple[bool, bool, float]:
    """Run `bosquet --version`; return whether the package and the page were built, and the processor time."""
    environment = {key: value for key, value in os.environ.items() if key not in ("BOSQUET_PAGE", "VIRTUAL_ENV")}
    before, used = files_of_page(root), processor_time()
    done = subprocess.run(
        ["uv", "run", "bosquet", "--version"],
        cwd=root,
        env=environment | {"UV_PROJECT_ENVIRONMENT": str(root / ".venv")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), done.stderr
    assert (root / "src/bosquet/server/page/index.html").exists()
    return "Built bosquet" in done.stderr, files_of_page(root) != before, processor_time() - used


def files_of_page(root: Path) -> dict[Path, int]:
    """Return when each file of the built page was written."""
    return {file: file.stat().st_mtime_ns for file in (root / "src/bosquet/server/page").rglob("*") if file.is_file()}


def processor_time() -> float:
    """Return the processor time of all processes that this one has waited for, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def append(file: Path, line: str) -> None:
    """Add a line to a file."""
    with file.open("a") as opened:
        opened.write(line)


def main() -> None:
    """Start the program again and again."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "bosquet"
        copy(root)
        assert start(root)[:2] == (True, True), "the first start builds the page"
        again = [start(root) for _ in range(3)]
        assert all(made[:2] == (False, False) for made in again), "a second start builds nothing"
        least = min(seconds for _, _, seconds in again)
        assert least < CPU_SECONDS, f"a start takes {least:.1f} s of processor time"
        append(root / "web/src/base.css", "\n.changed { color: red; }\n")
        assert start(root)[:2] == (True, True), "a changed file of the page builds it"
        assert start(root)[:2] == (False, False), "a changed file of the page builds it once"
        append(root / "pyproject.toml", "\n# changed\n")
        assert start(root)[:2] == (True, False), "another changed file leaves the page as it is"
    print(f"a start that builds nothing takes {least:.2f} s of processor time")


main()
