"""The deals and puzzles of the day, with their results."""
