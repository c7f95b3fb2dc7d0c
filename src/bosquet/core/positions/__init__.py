"""Positions: what a seat, or a spectator, knows of a state; their text, and how it is read."""
