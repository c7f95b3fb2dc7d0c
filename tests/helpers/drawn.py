"""What a terminal shows of a drawing."""

import io
from typing import Any

from rich.console import Console


def plain(drawn: Any, width: int) -> str:
    """What is drawn as text without colour, at a width."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(drawn)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(len(line) <= width for line in text.splitlines())
    return text
