"""The ladder (README.md), and what the program knows of it; see `__main__`."""
