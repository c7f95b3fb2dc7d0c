"""How much a view helps its viewer, from least to most: what `write_view` of a game is given.

A table's setting `assistance` is one of NONE, PLAIN and FULL. Bots and replays that list no moves take AIDS.
"""

from __future__ import annotations

NONE = 0
"""What the things on a table show: the `OFFERS` and the `AIDS` of the view are empty lists."""
AIDS = 1
"""With the `AIDS`, the public lists that help to find legal moves. The `OFFERS` are empty lists."""
PLAIN = 2
"""With the `OFFERS`, such as the legal moves of the seat to move. The moves have no `ASSISTANCE`."""
FULL = 3
"""With the `ASSISTANCE` of the moves, too: what they come to."""
