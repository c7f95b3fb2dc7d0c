"""Read the text of a position in an engine (docs/positions.md). The name of the game is checked before."""

from __future__ import annotations

from typing import Any

from bosquet.core.positions.position_head import check_rest, read_head
from bosquet.core.positions.position_reading import begin_reading
from bosquet.engine.playing import new_game, set_option
from bosquet.kernels.jit import kernel


def read_of_game(position: Any, viewer: int, reader: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("read_of_game is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def read_position(m: Any, size: int) -> int:
    """Make the state the position of a text; return 0, or the length of the message that says why it is none.

    The message takes the place of the text.
    """
    reader = m.text
    begin_reading(reader, size)
    read_head(reader)
    if reader.is_faulty == 0:
        new_game(m)
        for option in range(len(reader.option)):
            set_option(m, option, reader.option[option])
        read_of_game(m.table, reader.viewer, reader)
        check_rest(reader, m.table)
    length = 0
    if reader.is_faulty:
        length = reader.end - reader.message
        for i in range(length):
            reader.bytes[i] = reader.bytes[reader.message + i]
    return length


@kernel
def viewer_read(m: Any) -> int:
    """Return the viewer of the position that was read last, -1 for a spectator."""
    return m.text.viewer


EXPORTS = (read_position, viewer_read)
