"""Positions and trees for tests of the search."""
