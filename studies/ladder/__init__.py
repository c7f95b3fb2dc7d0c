"""The ladder of docs/bots.md, and what the program knows of it; see `__main__`."""
