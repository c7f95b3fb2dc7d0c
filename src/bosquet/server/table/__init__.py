"""A table: its game, its journal, the people and bots who sit there, and the connections of its viewers."""
