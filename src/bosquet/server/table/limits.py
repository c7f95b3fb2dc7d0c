"""The limits of tables."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import DAY, Rate


@dataclass(frozen=True)
class TableLimits:
    """How much may be asked of tables, and how many there may be."""

    asks: Rate = Rate(40, 10)
    """Messages of one guest at tables, on all its connections."""
    asks_of_address: Rate = Rate(800, 150)
    """Forty people who click three times a second."""
    warnings: Rate = Rate(20, 0.5)
    """Times that a connection is told that these are too many; then it is ended."""
    ask_bytes: int = 4096
    waiting_messages: int = 64
    """Messages that a slow connection may be behind before it is cut; it comes back for the gap by itself."""
    chat: Rate = Rate(6, 0.25)
    """Lines that one guest writes to the chats of tables."""
    chat_of_address: Rate = Rate(60, 4)
    reports: Rate = Rate(10, 10 / DAY)
    """Lines of chats that one guest may report."""
    reports_of_address: Rate = Rate(20, 20 / DAY)
    """A thousand are kept at a time, so one address fills that after seven weeks."""
    opened: Rate = Rate(10, 0.1)
    """Tables that one guest may open."""
    opened_of_address: Rate = Rate(80, 0.25)
    """Guests are free to make, so their address counts, too: forty people, each with a new game every few minutes."""
    opened_a_day: Rate = Rate(200, 200 / DAY)
    """Tables that one guest may open, rematches among them: a finished one takes 2 to 50 KB."""
    opened_a_day_of_address: Rate = Rate(2000, 2000 / DAY)
    """Forty people with fifty games each: 100 MB a day at most, 12 MB when finished games are packed."""
    tables_of_program: int = 20
    """Tables at which one guest's program plays at a time."""
    undos: int = 500
    """Moves that a seat may undo in a game: five in each of a hundred turns.

    Every game ends by its rules, so a journal could grow for ever only by moves that are made and undone.
    """
    live_tables: int = 2048
    """Tables held in memory; the others are read again from their journals when somebody comes."""
    connecting: Rate = Rate(400, 20)
    """Connections that one address may open: after a restart of the server a whole club comes back at once."""
    connections: int = 4096
    connections_of_guest: int = 32
    connections_of_address: int = 512
    """A club of forty behind one address, each with a dozen pages open."""
