"""The pictures of README and guides that show the program: of a terminal, of the page."""
