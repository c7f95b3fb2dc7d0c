"""The vocabulary of kernels that read the notation of moves: `read_move` of the module `move_text` of a game.

The text is the first bytes of a `Text`. What is no move leaves the reason there, as `write_reason` of `attempts` would.
"""

from __future__ import annotations

from bosquet.core.text.writing import Text, reason
from bosquet.kernels.kernel import kernel

NO_MOVE = -1
SPACE = ord(" ")


@kernel
def no_move(text: Text) -> int:
    """Write that the text is no move, as the sentence `no_move` of the game says; return NO_MOVE."""
    text.end = 0
    reason(text, b"no_move")
    return NO_MOVE
