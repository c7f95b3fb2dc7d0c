"""Positions of every game, and what must hold of each."""
