"""Write the tables anew."""

from tests.perft import HEADER, PINNED, PINNED_HEADER, TABLE, pinned, rows

TABLE.write_text(HEADER + "".join(" | ".join(map(str, row)) + "\n" for row in rows()))
PINNED.write_text(PINNED_HEADER + "".join(" | ".join(map(str, row)) + "\n" for row in pinned()))
