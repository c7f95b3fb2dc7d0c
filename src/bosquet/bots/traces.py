"""Where in its own files a bot failed, read from what it wrote on standard error."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

MOST = 3
"""How many frames are told, the innermost first."""
PYTHON = re.compile(r'\s+File "(?P<file>.+)", line (?P<line>\d+)(?:, in (?P<name>.+))?')
JAVASCRIPT = re.compile(r"\s+at (?:(?P<name>.+?) \()?(?:file://)?(?P<file>[^()]+?):(?P<line>\d+)(?::\d+)?\)?")
TRACEBACK = "Traceback (most recent call last):"
NOT_ITS_OWN = re.compile(r"<frozen |node:|.*[/\\\\]bosquet[/\\\\]bots[/\\\\]host\.py$")


def last_frames(lines: Sequence[str]) -> list[str]:
    """Return the innermost frames of the last error in these lines, as `bot.py:8 in choose`."""
    starts = [number for number, line in enumerate(lines) if line.strip() == TRACEBACK]
    last = [line.rstrip("\n") for line in (lines[starts[-1] :] if starts else lines)]
    python = list(_found(PYTHON, last))[::-1]
    return (python or list(_found(JAVASCRIPT, _last_stack(last))))[:MOST]


def _last_stack(lines: Sequence[str]) -> list[str]:
    """Return the last lines of a kind that stand together: an error in JavaScript is followed by its frames."""
    stacks = [
        list(found)
        for is_frame, found in itertools.groupby(lines, lambda line: JAVASCRIPT.fullmatch(line) is not None)
        if is_frame
    ]
    return stacks[-1] if stacks else []


def _found(pattern: re.Pattern[str], lines: Sequence[str]) -> Iterator[str]:
    for frame in filter(None, map(pattern.fullmatch, lines)):
        if not NOT_ITS_OWN.match(frame["file"]):
            name = "" if frame["name"] in (None, "<module>") else f" in {frame['name']}"
            yield f"{_shown(frame['file'])}:{frame['line']}{name}"


def _shown(file: str) -> str:
    """Return the path of a file as somebody in this folder names it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
