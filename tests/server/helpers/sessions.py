"""Sessions of tables as they were opened."""

from __future__ import annotations

from typing import Any

from bosquet.server.table.messages import Slow
from bosquet.server.table.session import Chair, Session

INVITATION = "come"
SECRET = "5" * 64
UNDOS = 3
AT = "2026-01-01T00:00:00.000Z"


def waiting_session(
    name: str, options: dict[str, Any], chairs: list[Chair], listed: bool, slow: Slow | None = None
) -> Session:
    """A table that was just opened by Ann."""
    return Session(
        name=name,
        options=options,
        phase="waiting",
        pace="instant",
        listed=listed,
        invitation=INVITATION,
        secret=SECRET,
        host="ann",
        chairs=chairs,
        undos=UNDOS,
        slow=slow,
    )
