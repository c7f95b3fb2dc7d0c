"""Programs that play or count, and write tables, pictures and data of the documentation and of the program.

Each is run as `python -m studies.NAME` from the root of the repository; README.md has what was learned from them.
"""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
"""The folder of the pages that the tables are written into."""
