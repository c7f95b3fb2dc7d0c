"""Write the table anew."""

from tests.perft import HEADER, TABLE, rows

TABLE.write_text(HEADER + "".join(" | ".join(map(str, row)) + "\n" for row in rows()))
