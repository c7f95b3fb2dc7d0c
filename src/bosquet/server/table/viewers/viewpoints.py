"""The viewpoint of each connected page: the seat as which it sees the table, or None where it sees what spectators see.

`actions/look.py` changes it when a page asks for another one, and `broadcast.py` sends what is seen from it. What is
hidden from a viewpoint is decided by the game: `conceal` in its module `position`, `write_view` in `writing`.
"""

from __future__ import annotations

from bosquet.server.table.session import Session
from bosquet.server.table.viewers.broadcast import Broadcast, Subscriber


def own_viewpoint(session: Session, subscriber: Subscriber) -> int | None:
    """Return the seat of one who plays on it alone; None for others, who choose or only watch."""
    mine = [] if subscriber.watching else session.seats_of(subscriber.guest)
    return mine[0] if len(mine) == 1 else None


def check_viewpoints(session: Session, broadcast: Broadcast) -> None:
    """Stop showing pages what they may not see any more.

    The host may have sent somebody away, a seat may have been left, and before the deal seats move on when it is
    said who begins.
    """
    for subscriber in list(broadcast.subscribers):  # one that does not keep up leaves at once
        if session.is_barred(subscriber.guest):
            subscriber.send_off()
        elif subscriber.viewpoint is not None and subscriber.viewpoint not in session.seats_of(subscriber.guest):
            subscriber.viewpoint = own_viewpoint(session, subscriber) if session.phase == "waiting" else None
            broadcast.send_position(subscriber, again=True)
